//! opencode. It calls a hook by a plugin that retval installs, whose payloads and answers these are.

pub(super) mod transcript;

use serde_json::json;

use crate::clients::hook::{Answer, HookFormat, HookLine, HookSettings, Moment, Reply, quoted};
use crate::clients::{Client, ClientFacts};

const BEFORE: &str = "tool.execute.before";
const AFTER: &str = "tool.execute.after";

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["opencode"],
    built_in_agents: &["explore", "general"],
    is_instructed_by_prompt: true,
    takes_replacement: true,
    tools: include_str!("tools.txt"),
    path_arguments: &["filePath"],
    folder_arguments: &["workdir"],
    settings: Some(HookSettings {
        project_folder: ".opencode",
        marks: &[".opencode", "opencode.json", "opencode.jsonc"],
        events: &[(BEFORE, None), (AFTER, None)],
        item,
        whole: Some(whole),
        ..HookSettings::new(
            Client::OpenCode,
            ".config/opencode",
            "plugin/retval.ts",
            include_str!("../../../fixtures/hooks/opencode-start.json"),
        )
    }),
    hook: Some(HookFormat {
        is_own: |payload| matches!(payload.name(), BEFORE | AFTER),
        moment: |payload| match payload.name() {
            BEFORE => Moment::Start,
            // The agent has ended, but the plugin asks it again in its own session.
            AFTER => Moment::Stop,
            _ => Moment::Foreign,
        },
        answer,
        ..HookFormat::BASE
    }),
    ..ClientFacts::BASE
};

fn item(_: Option<&str>, line: HookLine) -> String {
    format!("const COMMAND = {}", quoted(line.shell))
}

fn whole(line: HookLine) -> String {
    include_str!("plugin.ts").replace("const COMMAND = {COMMAND}", &item(None, line))
}

fn answer(answer: Answer, _: Moment) -> Reply {
    let (member, text) = match answer {
        Answer::Prompt { prompt, .. } => ("prompt", prompt),
        Answer::Replace(text) => ("result", text),
        Answer::Block(reason) => ("ask_again", reason),
        Answer::Note(text) => ("note", text),
        Answer::Nothing | Answer::Context(_) | Answer::Tell(_) => return Reply::default(),
    };
    Reply::of(&json!({ member: text }))
}

//! opencode. It calls a hook by a plugin that retval installs, whose payloads and answers these are.

use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::clients::hook::{Answer, HookFormat, HookSettings, Moment, Reply, WantedHook, quoted};
use crate::clients::run::{
    AGENT_TYPE, CWD, CallKind, CallPlace, End, Gap, JsonNode, LastRecord, MODEL, Outcome, PARENT,
    RunReader, Runs, SESSION, Tokens, VERSION, is_redacted,
};
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

fn item(_: Option<&str>, line: &WantedHook) -> String {
    format!("const COMMAND = {}", quoted(&line.shell))
}

fn whole(line: &WantedHook) -> String {
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

/// The tool that writes each of its edits before the next one, which may fail.
const STEPWISE: &str = "multiedit";

/// Reads exports: one document for each session. Every agent has its own session.
#[derive(Debug, Default)]
pub(crate) struct OpenCode {
    runs: Runs,
}

impl RunReader for OpenCode {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn head(&mut self, head: &JsonNode) {
        let run = self.runs.own();
        self.runs.draft(run).run.is_recorded = true;
        let Some(info) = head.object("info") else {
            return;
        };
        let (id, parent) = (known(info, "id"), known(info, "parentID"));
        if info.get("parentID").is_none() {
            self.runs.main_agent();
        }
        self.runs.set(run, PARENT, parent);
        if let Some(id) = id {
            self.runs.name_agent(run, id);
        }
        self.runs.set(run, SESSION, parent.or(id));
        let members = [(CWD, "directory"), (VERSION, "version")];
        self.runs.set_all(run, info, &members);
    }

    fn record(&mut self, message: &JsonNode, line: u64) {
        let Some(info) = message.object("info") else {
            // It is not known whose message this is.
            return self.runs.record_gap(Gap::Unreadable { line });
        };
        let run = self.runs.own();
        self.begin(run, info);
        for part in message.at("parts").list() {
            let text = part.word("text");
            match part.word("type") {
                "text" if part.is("synthetic") || text.trim().is_empty() => {}
                "text" if is_user(info) => self.runs.task(run, text),
                "text" => self.runs.text(run, text),
                "reasoning" => self.runs.reasoning(run),
                "tool" if part.at("state").is_object() => {
                    self.on_tool_use(run, info, part, line);
                }
                _ => {}
            }
        }
        self.end(run, info);
    }
}

/// An id, unless a redaction tool replaced it.
fn known<'r>(json: &'r JsonNode, name: &str) -> Option<&'r str> {
    json.get(name).filter(|id| !is_redacted(id))
}

fn is_user(info: &JsonNode) -> bool {
    info.get("role") == Some("user")
}

impl OpenCode {
    /// A record is of this time, in milliseconds since 1970.
    fn at(&mut self, run: usize, milliseconds: Option<u64>) {
        let since = milliseconds.map(Duration::from_millis);
        let time = since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
        self.runs.draft(run).at(time);
    }

    fn begin(&mut self, run: usize, info: &JsonNode) {
        self.at(run, info.at("time").count("created"));
        let name = info.first_of(&["agent", "mode"]);
        self.runs.set(run, AGENT_TYPE, name);
        if is_user(info) {
            self.runs.message(run);
        } else if let Some(usage) = info.object("tokens") {
            self.runs.set(run, MODEL, info.get("modelID"));
            let tokens = Tokens {
                input: usage.sum(["input"]),
                output: usage.sum(["output", "reasoning"]),
                cache: usage.at("cache").sum(["read", "write"]),
                total: 0,
            };
            self.runs.usage(run, info.word("id"), tokens);
        }
    }

    fn end(&mut self, run: usize, info: &JsonNode) {
        let completed = info.at("time").count("completed");
        self.at(run, completed);
        let last = self.runs.draft(run).last;
        match info.object("error").map(|error| error.word("name")) {
            Some("MessageAbortedError") => self.runs.end(run, End::Interrupted),
            Some(_) => self.runs.end(run, End::ApiError),
            // The message is not complete.
            None if !is_user(info)
                && completed.is_none()
                && matches!(last, LastRecord::Text | LastRecord::Reasoning) =>
            {
                self.runs.draft(run).last = LastRecord::Call;
            }
            None if info.get("finish") == Some("length") => self.runs.cut(run),
            None => {}
        }
    }

    fn on_tool_use(&mut self, run: usize, info: &JsonNode, part: &JsonNode, line: u64) {
        let state = part.at("state");
        let (input, metadata) = (state.at("input"), state.at("metadata"));
        let name = part.word("tool");
        let kind = FACTS.kind_of(name);
        self.at(run, state.at("time").count("start"));
        let cwd = info.at("path").get("cwd");
        // A part has the call and its result, so the call needs no id, which may be redacted.
        let patch = input.get("patchText");
        let mut call = FACTS.call((kind, name), input, patch, (cwd, line));
        // `write` has the file in its result, `edit` in the change.
        let written = metadata.get("filepath");
        let written = written.or(metadata.at("filediff").get("file"));
        if let Some(path) = written.filter(|_| kind == CallKind::Write) {
            call.paths = vec![path.to_owned()];
        }
        let Some(place) = self.runs.call(run, "", call) else {
            return;
        };
        self.ended(state, place);
        if kind == CallKind::Delegate {
            let call = known(part, "callID").unwrap_or_default();
            let (prompt, agent_type) = (input.get("prompt"), input.get("subagent_type"));
            let child = self.runs.start(run, call, prompt, agent_type);
            if let Some(agent) = known(metadata, "sessionId") {
                self.runs.name_called(place, child, agent);
            }
        }
    }

    fn ended(&mut self, state: &JsonNode, place: CallPlace) {
        let error = state.word("error");
        let call = self.runs.call_at(place);
        let (is_stepwise, is_command) = (&*call.name == STEPWISE, call.kind == CallKind::Command);
        let exit_code = state.at("metadata").number("exit");
        let outcome = match (state.word("status"), exit_code) {
            ("completed", Some(code)) if code != 0 => Outcome::Failed,
            // A command that was stopped or took too long is completed, too, but has no exit code.
            ("completed", None) if is_command => Outcome::Unknown,
            ("completed", _) => Outcome::Succeeded,
            ("error", _) if is_stepwise || error.contains("aborted") => Outcome::Unknown,
            ("error", _) if error.contains("rejected permission") => Outcome::Rejected,
            ("error", _) => Outcome::Failed,
            _ => return,
        };
        self.runs.ended(place, outcome, exit_code, state.at("output"));
    }
}

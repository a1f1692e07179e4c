//! Gemini CLI.

pub(super) mod transcript;

use serde_json::json;

use crate::clients::hook::{
    Answer, HookFormat, HookSettings, Moment, Payload, Reply, TIMEOUT, item,
};
use crate::clients::output::{EventLine, Opened, OutputFacts, OutputKind, error_message};
use crate::clients::raw::{RawObject, at, items_of, text_of};
use crate::clients::{Client, ClientFacts};

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["gemini"],
    built_in_agents: &["browser_agent", "cli_help", "codebase_investigator", "generalist"],
    is_instructed_by_prompt: true,
    return_tools: &[("complete_task", "/result")],
    hides_callers: true,
    tools: include_str!("tools.txt"),
    path_arguments: PATHS,
    folder_arguments: FOLDERS,
    background_arguments: BACKGROUND,
    histories: &["tmp"],
    settings: Some(SETTINGS),
    hook: Some(HookFormat {
        is_own: |payload| matches!(payload.name(), "AfterTool" | "BeforeTool" | "AfterAgent"),
        moment,
        details: |payload, event| event.recorded_id = caller(payload),
        unframed: |text| without_head(text).to_owned(),
        answer,
    }),
    output: Some(OUTPUT),
    ..ClientFacts::BASE
};

pub(super) const PATHS: &[&str] = &["file_path", "notebook_path"];
pub(super) const FOLDERS: &[&str] = &["dir_path", "directory"];
pub(super) const BACKGROUND: &[&str] = &["is_background", "run_in_background"];

const SETTINGS: HookSettings = HookSettings {
    marks: &[".gemini", "GEMINI.md"],
    home_variable: Some("GEMINI_CLI_HOME"),
    takes_comments: true,
    // An agent ends by the second tool.
    events: &[
        ("BeforeTool", Some("invoke_agent|complete_task")),
        ("AfterTool", Some("invoke_agent")),
    ],
    // In milliseconds.
    call: Some(("BeforeTool", true)),
    item: |tools, line| item(tools, line, TIMEOUT * 1000),
    // The client denies a tool if a hook ends with any code but 0 and 1, and a shell that does not find the
    // program ends with 127. On Windows the client takes PowerShell, which has no `||` before version 7,
    // and ends with 1 where it does not find the program.
    command_end: if cfg!(windows) { "" } else { " || exit 1" },
    trust: Some(
        "trust this folder when Gemini CLI asks; until then it skips the hooks of a project",
    ),
    ..HookSettings::new(
        Client::Gemini,
        ".gemini",
        "settings.json",
        include_str!("../../../fixtures/captured/gemini-start.json"),
    )
};

const TERMINATED: &str = "/tool_response/returnDisplay/terminateReason";

fn moment(payload: &Payload) -> Moment {
    match (payload.name(), payload.tool()) {
        ("BeforeTool", "invoke_agent") => Moment::Start,
        ("BeforeTool", _) => Moment::Call,
        ("AfterTool", "invoke_agent") if payload.differs(TERMINATED, "GOAL") => Moment::Failure,
        ("AfterTool", "invoke_agent") => Moment::Result,
        _ => payload.usual_moment(),
    }
}

/// The id of the agent that made the last calls, before the `#` of theirs. None if they differ.
fn caller(payload: &Payload) -> Option<String> {
    let activities = items_of(payload.at("/tool_response/returnDisplay/recentActivity")?);
    let ids = activities.filter_map(|it| text_of(at(it, "/id")?));
    let mut callers = ids.filter_map(|id| Some(id.split_once('#')?.0.to_owned()));
    let first = callers.next()?;
    callers.all(|other| other == first).then_some(first)
}

/// Removes the first lines, which say how the agent ended.
fn without_head(text: &str) -> &str {
    let head = text.strip_prefix("Subagent '");
    let result = head.and_then(|rest| rest.split_once("\nResult:\n"));
    result.map_or(text, |(_, result)| result)
}

fn answer(answer: Answer, _: Moment) -> Reply {
    match answer {
        // All arguments of the call, because they replace those that the model wrote.
        Answer::Prompt { agent, prompt } => Reply::of(&json!({
            "hookSpecificOutput": {
                "hookEventName": "BeforeTool",
                "tool_input": { "agent_name": agent, "prompt": prompt }
            }
        })),
        Answer::Tell(text) => Reply::context("AfterTool", text),
        Answer::Block(reason) => Reply::block("deny", reason),
        Answer::Note(text) => Reply::note(text),
        Answer::Nothing | Answer::Context(_) | Answer::Replace(_) => Reply::default(),
    }
}

const JSON: OutputKind = OutputKind::new("gemini-json", "the JSON output of Gemini CLI");

const STREAM: OutputKind = OutputKind::new("gemini-stream", "the event stream of Gemini CLI");

const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[JSON, STREAM],
    marks: &["\"stats\"", "\"init\"", "\"error\""],
    whole,
    starts: |event| {
        let is_first = event.kind == "init" && event.members.has("session_id");
        is_first.then_some(STREAM)
    },
    stream,
};

fn whole(text: &str) -> Option<Opened<'_>> {
    const MEMBERS: [&str; 4] = ["session_id", "response", "stats", "error"];
    let object = RawObject::whole(text)?;
    let failure = error_message(object.raw("error"));
    // A run that failed early has no statistics.
    let is_failed = failure.is_some() && object.has_only(&MEMBERS);
    if !object.has("session_id") || !object.has("stats") && !is_failed {
        return None;
    }
    let opened = match object.raw("response") {
        Some(response) => Opened::string((JSON, "/response", None), response, text)?,
        None if failure.is_none() => return None,
        None => Opened::at((JSON, "/response", None), "", (text, text)),
    };
    Some(opened.failed(failure))
}

/// The last messages of the assistant, joined: the answer comes in pieces.
fn stream<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    let (last, before) = events.split_last()?;
    let failure = error_message(last.members.raw("error"));
    if last.kind != "result" || !last.members.has("stats") && failure.is_none() {
        return None;
    }
    let is_answer = |event: &EventLine<'t>| {
        event.kind == "message" && event.members.raw("role") == Some("\"assistant\"")
    };
    let start = before.iter().rposition(|event| !is_answer(event));
    let pieces = &before[start.map_or(0, |at| at + 1)..];
    let Some(end) = pieces.last() else {
        let opened = last.without_message(STREAM, "/content", text);
        return Some(opened.failed(failure));
    };
    let texts = pieces.iter().map(|it| text_of(it.members.raw("content")?));
    let message: Option<String> = texts.collect();
    let place = (STREAM, "/content", Some(end.number));
    let opened = Opened::at(place, message?, (text, end.members.raw("content")?));
    Some(opened.failed(failure))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_of_the_client_are_taken_off() {
        for (text, own) in [
            ("Subagent 'a' finished.\nTermination Reason: GOAL\nResult:\n{}", "{}"),
            ("{\"x\":\"\\nResult:\\n\"}", "{\"x\":\"\\nResult:\\n\"}"),
        ] {
            assert_eq!(without_head(text), own, "{text}");
        }
    }
}

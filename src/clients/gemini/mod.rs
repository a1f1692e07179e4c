//! Gemini CLI.

mod hook;
pub(super) mod transcript;

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::clients::ClientFacts;
use crate::clients::output::events::EventLine;
use crate::clients::output::{
    Opened, OutputFacts, OutputKind, envelope, error_message, nothing, opened, string,
};
use crate::clients::run::CallKind;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["gemini"],
    built_in_agents: &[
        "browser_agent",
        "cli_help",
        "codebase_investigator",
        "generalist",
    ],
    is_instructed_by_prompt: true,
    return_tools: &[("complete_task", "/result")],
    hides_callers: true,
    tools: &[
        (CallKind::Write, "write_file replace"),
        (CallKind::Command, "run_shell_command"),
        (CallKind::Delegate, "invoke_agent delegate_to_agent"),
        (CallKind::Answer, "complete_task"),
        (
            CallKind::ReadOnly,
            "read_file read_many_files list_directory glob search_file_content grep_search \
             google_web_search web_fetch write_todos get_internal_docs ask_user",
        ),
    ],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(OUTPUT),
    ..ClientFacts::BASE
};

// The output of `gemini --output-format`.

const JSON: OutputKind = OutputKind::new("gemini-json", "the JSON output of Gemini CLI");

const STREAM: OutputKind = OutputKind::new("gemini-stream", "the event stream of Gemini CLI");

const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[JSON, STREAM],
    marks: &["\"stats\"", "\"init\"", "\"error\""],
    whole,
    starts: |event| {
        let is_first = event.kind == "init" && event.session_id.is_some();
        is_first.then_some(STREAM)
    },
    stream,
};

fn whole(text: &str) -> Option<Opened<'_>> {
    #[derive(Deserialize)]
    #[expect(
        clippy::zero_sized_map_values,
        reason = "an object is no set to a reader"
    )]
    struct GeminiResult<'t> {
        #[serde(borrow)]
        session_id: Option<&'t RawValue>,
        response: Option<&'t RawValue>,
        stats: Option<&'t RawValue>,
        error: Option<&'t RawValue>,
        #[serde(flatten)]
        others: HashMap<&'t str, IgnoredAny>,
    }
    let object: GeminiResult<'_> = serde_json::from_str(text).ok()?;
    let failure = error_message(object.error);
    // A run that failed early has no statistics.
    let is_failed = failure.is_some() && object.others.is_empty();
    if object.session_id.is_none() || object.stats.is_none() && !is_failed {
        return None;
    }
    let opened = match object.response {
        Some(response) => opened(text, JSON, ("/response", response), None)?,
        None if failure.is_none() => return None,
        None => Opened::at(envelope(JSON, "/response", None), "", (text, text)),
    };
    Some(opened.failed(failure))
}

/// The messages of the assistant since the last event of another kind, joined: the answer comes in
/// pieces.
fn stream<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    let (last, before) = events.split_last()?;
    let failure = error_message(last.event.error);
    if last.event.kind != "result" || last.event.stats.is_none() && failure.is_none() {
        return None;
    }
    let is_answer = |line: &&EventLine<'t>| {
        let role = line.event.role.map(RawValue::get);
        line.event.kind == "message" && role == Some("\"assistant\"")
    };
    let mut pieces: Vec<_> = before.iter().rev().take_while(is_answer).collect();
    pieces.reverse();
    let kind = STREAM;
    let Some(end) = pieces.last() else {
        return Some(nothing(text, kind, "/content", last).failed(failure));
    };
    let message: Option<String> = pieces
        .iter()
        .map(|line| string(line.event.content?))
        .collect();
    let envelope = envelope(kind, "/content", Some(end.number));
    let part = end.event.content?.get();
    let opened = Opened::at(envelope, message?, (text, part));
    Some(opened.failed(failure))
}

//! Claude Code.

mod hook;
pub(super) mod transcript;

use std::borrow::Cow;

use crate::clients::ClientFacts;
use crate::clients::output::{Opened, OutputFacts, OutputKind};
use crate::clients::raw::{RawObject, items_of};
use crate::text::is_blank;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["claude"],
    built_in_agents: &[
        "Explore",
        "Plan",
        "general-purpose",
        "Bash",
        "claude",
        "claude-code-guide",
        "fork",
        "output-style-setup",
        "statusline-setup",
        "workflow-subagent",
    ],
    asked_again_at_most: Some(8),
    result_follows_stop: true,
    calls_for_caller: true,
    return_tools: &[("SubagentHandback", "/message")],
    tools: include_str!("tools.txt"),
    path_arguments: &["file_path", "notebook_path"],
    background_arguments: &["run_in_background"],
    histories: &["projects"],
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: Some(OUTPUT),
    ..ClientFacts::BASE
};

// The output of `claude -p --output-format`, and the notification that the main agent gets when a background agent has ended.

const JSON: OutputKind = OutputKind::new("claude-json", "the JSON output of Claude Code");

const STREAM: OutputKind = OutputKind::new("claude-stream", "the event stream of Claude Code");

const NOTIFICATION: OutputKind =
    OutputKind::new("task-notification", "a task notification of Claude Code");

const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[JSON, STREAM, NOTIFICATION],
    marks: &["\"num_turns\"", "\"subtype\"", START],
    whole,
    starts: |event| {
        let is_init = event.kind == "system" && event.members.has("subtype");
        (is_init && event.members.has("session_id")).then_some(STREAM)
    },
    stream: |text, events| {
        let last = events.last()?;
        result(text, last.text, Some(last.number))
    },
};

/// What the client says of its failure: the text in place of a result, or the kind of error and its messages.
fn failure_of(event: &RawObject) -> Option<String> {
    let subtype = event.text("subtype").unwrap_or_default();
    let is_failure = subtype.starts_with("error");
    if !is_failure && event.raw("is_error") != Some("true") {
        return None;
    }
    let result = event.text("result").filter(|it| !is_blank(it));
    if let Some(result) = result.filter(|_| !is_failure) {
        return Some(result.into_owned());
    }
    let errors: Vec<String> = event.typed("errors").unwrap_or_default();
    let kind = std::iter::once(subtype.into_owned());
    Some(kind.chain(errors).collect::<Vec<_>>().join(": "))
}

/// Opens a notification, or a result that is alone or the last event of a list.
fn whole(text: &str) -> Option<Opened<'_>> {
    let start = text.trim_start();
    if start.starts_with(START) {
        return notification(text);
    }
    if start.starts_with('[') {
        return result(text, items_of(text).last()?, None);
    }
    result(text, text, None)
}

fn result<'t>(text: &'t str, object: &'t str, line: Option<usize>) -> Option<Opened<'t>> {
    let event = RawObject::whole(object).filter(|it| it.is("type", "result"))?;
    if !event.has("session_id") || !event.has("num_turns") {
        return None;
    }
    let kind = if line.is_some() { STREAM } else { JSON };
    let failure = failure_of(&event);
    if let Some(output) = event.raw("structured_output") {
        let opened = Opened::at((kind, "/structured_output", line), output, (text, output));
        return Some(opened.failed(failure));
    }
    let place = (kind, "/result", line);
    let opened = match event.raw("result") {
        Some(result) => Opened::string(place, result, text)?,
        // A run that ended by an error or a limit has no result.
        None => Opened::at(place, "", (text, object)),
    };
    Some(opened.failed(failure))
}

/// The beginning of a notification that an agent has ended in the background, and its end.
pub(super) const START: &str = "<task-notification>";
pub(super) const END: &str = "</task-notification>";

/// Opens a notification. The message is the text of `<result>`, which ends at the first closing tag,
/// because the client writes `&`, `<` and `>` in it as entities. An agent that failed may have none.
fn notification(text: &str) -> Option<Opened<'_>> {
    let inside = text.trim().strip_prefix(START)?.strip_suffix(END)?;
    if inside.contains(START) {
        return None;
    }
    let failure = failure_in(inside);
    let result = match inside.split_once("<result>") {
        Some((_, rest)) => {
            let (result, after) = rest.split_once("</result>")?;
            (!after.contains("<result>")).then_some(result.trim())?
        }
        None => failure.as_ref().map(|_| "")?,
    };
    let place = if result.is_empty() { inside } else { result };
    let opened = Opened::at((NOTIFICATION, "<result>", None), decoded(result), (text, place));
    Some(opened.failed(failure))
}

/// What a notification says of an agent that failed. None of any other.
fn failure_in(notification: &str) -> Option<String> {
    let head = notification.split("<result>").next()?;
    let status = element(head, "status")?;
    if !matches!(status, "failed" | "killed" | "stopped" | "error") {
        return None;
    }
    let summary = element(head, "summary").filter(|it| !it.is_empty());
    Some(decoded(summary.unwrap_or(status)).into_owned())
}

pub(super) fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (value, _) = rest.split_once(&format!("</{name}>"))?;
    Some(value.trim())
}

/// Decodes the entities of a text. `&amp;` comes last, so that nothing is decoded twice.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    Cow::Owned(text.replace("&amp;", "&"))
}

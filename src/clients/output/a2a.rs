//! A task of the `Agent2Agent` protocol, alone or in a JSON-RPC response.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::clients::failure::{ClientFailure, FailureKind};
use crate::clients::output::{Opened, OutputFacts, OutputKind, envelope, mcp};

const TASK: OutputKind = OutputKind::new("a2a-task", "an A2A task");

pub(super) const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[TASK],
    marks: &["\"state\""],
    whole,
    starts: |_| None,
    stream: |_, _| None,
};

/// A task. Version 1.0 of the protocol has it as a member of the result.
#[derive(Deserialize)]
struct Task<'t> {
    #[serde(borrow)]
    id: Option<Cow<'t, str>>,
    status: Option<TaskStatus<'t>>,
    #[serde(default)]
    artifacts: Vec<TaskParts<'t>>,
    #[serde(rename = "task")]
    inner: Option<&'t RawValue>,
}

#[derive(Deserialize)]
struct TaskStatus<'t> {
    #[serde(borrow)]
    state: Cow<'t, str>,
    message: Option<TaskParts<'t>>,
}

/// An artifact or a message: both have parts.
#[derive(Deserialize)]
struct TaskParts<'t> {
    #[serde(default, borrow)]
    parts: Vec<TaskPart<'t>>,
}

#[derive(Deserialize)]
struct TaskPart<'t> {
    #[serde(borrow)]
    text: Option<Cow<'t, str>>,
    data: Option<&'t RawValue>,
}

/// The states of a task, as version 1.0 names them without its prefix.
const STATES: [&str; 9] = [
    "submitted",
    "working",
    "input-required",
    "completed",
    "canceled",
    "failed",
    "rejected",
    "auth-required",
    "unknown",
];

fn whole(text: &str) -> Option<Opened<'_>> {
    let (object, is_inside) = match mcp::result_of(text) {
        None => (text, false),
        Some(result) => (result.ok()?, true),
    };
    let task: Task<'_> = serde_json::from_str(object).ok()?;
    match task.inner {
        Some(task) => open(text, serde_json::from_str(task.get()).ok()?, true),
        None => open(text, task, is_inside),
    }
}

fn texts(artifact: &TaskParts<'_>) -> String {
    let texts = artifact
        .parts
        .iter()
        .filter_map(|part| part.text.as_deref());
    texts.collect::<Vec<_>>().join("\n")
}

fn open<'t>(text: &'t str, task: Task<'t>, is_inside: bool) -> Option<Opened<'t>> {
    let status = task.status.filter(|_| task.id.is_some())?;
    let state = state_of(&status.state)?;
    let said = status.message.as_ref().map(texts).unwrap_or_default();
    let failure = (state != "completed").then(|| match &*said {
        "" => format!("the state of the task is {state}"),
        said => format!("the state of the task is {state}: {said}"),
    });
    let parts = task.artifacts.iter().flat_map(|artifact| &artifact.parts);
    let data: Vec<_> = parts.filter_map(|part| part.data).collect();
    let (message, place) = if let [data] = data.as_slice() {
        (Cow::Borrowed(data.get()), data.get())
    } else {
        let texts: Vec<_> = task.artifacts.iter().map(texts).collect();
        (Cow::Owned(texts.join("\n")), text)
    };
    let (message, pointers) = if message.trim().is_empty() && failure.is_none() {
        (
            Cow::Owned(said),
            ["/status/message", "/result/status/message"],
        )
    } else {
        (message, ["/artifacts", "/result/artifacts"])
    };
    let failure = failure
        .map(ClientFailure::new)
        .map(|failure| ClientFailure {
            kind: match state {
                "submitted" | "working" | "unknown" => FailureKind::Interrupted,
                _ => failure.kind,
            },
            ..failure
        });
    let envelope = envelope(TASK, pointers[usize::from(is_inside)], None);
    Some(Opened {
        failure,
        ..Opened::at(envelope, message, (text, place))
    })
}

fn state_of(word: &str) -> Option<&'static str> {
    let word = word.strip_prefix("TASK_STATE_").unwrap_or(word);
    let word = word.to_ascii_lowercase().replace('_', "-");
    STATES.into_iter().find(|state| *state == word)
}

//! The results of protocols, alone or in a JSON-RPC response: of an MCP tool call, and tasks of the
//! `Agent2Agent` protocol.

use std::borrow::Cow;

use crate::clients::failure::{ClientFailure, FailureKind};
use crate::clients::output::{Opened, OutputFacts, OutputKind, error_message};
use crate::clients::raw::{RawObject, at, items_of};

const RESULT: OutputKind = OutputKind::new("mcp-result", "an MCP tool result");

const RESPONSE: OutputKind = OutputKind::new("json-rpc", "a JSON-RPC response");

const TASK: OutputKind = OutputKind::new("a2a-task", "an A2A task");

pub(super) const OUTPUTS: [OutputFacts; 2] = [
    OutputFacts {
        kinds: &[RESULT, RESPONSE],
        marks: &["\"content\"", "\"jsonrpc\""],
        whole: mcp,
        ..OutputFacts::NONE
    },
    OutputFacts {
        kinds: &[TASK],
        marks: &["\"state\""],
        whole: a2a,
        ..OutputFacts::NONE
    },
];

/// The value of a JSON-RPC response. The error of one is that of the client.
fn result_of(text: &str) -> Option<Result<&str, String>> {
    let response = RawObject::whole(text).filter(|it| it.is("jsonrpc", "2.0"))?;
    match response.raw("result") {
        Some(result) => Some(Ok(result)),
        None => error_message(response.raw("error")).map(Err),
    }
}

/// The texts of parts, on lines of their own.
fn texts(parts: &[RawObject]) -> String {
    let texts = parts.iter().filter_map(|part| part.text("text"));
    texts.collect::<Vec<_>>().join("\n")
}

/// The types of content that the protocol has.
const TYPES: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];

fn mcp(text: &str) -> Option<Opened<'_>> {
    match result_of(text) {
        None => mcp_result(text, text, false),
        Some(Ok(inside)) => mcp_result(text, inside, true),
        Some(Err(error)) => {
            let opened = Opened::at((RESPONSE, "/error", None), "", (text, text));
            Some(opened.failed(Some(error)))
        }
    }
}

/// Opens a result. Outside a response it is one only if it says whether it is an error, or has structured
/// content: other objects have a `content`, too.
fn mcp_result<'t>(text: &'t str, object: &'t str, is_inside: bool) -> Option<Opened<'t>> {
    let result = RawObject::whole(object)?;
    let content = result.raw("content").filter(|it| it.starts_with('['))?;
    let content: Option<Vec<_>> = items_of(content).map(RawObject::whole).collect();
    let content = content?;
    let is_known = |item: &RawObject| TYPES.iter().any(|known| item.is("type", known));
    let is_marked = is_inside || result.has("isError") || result.has("structuredContent");
    if !content.iter().all(is_known) || !is_marked {
        return None;
    }
    let texts = texts(&content);
    let failure = (result.raw("isError") == Some("true")).then(|| texts.clone());
    let structured = result.raw("structuredContent");
    let (pointers, message, place) = match structured.filter(|it| it.starts_with('{')) {
        Some(value) => (
            ["/structuredContent", "/result/structuredContent"],
            Cow::Borrowed(value),
            value,
        ),
        None => (["/content", "/result/content"], Cow::Owned(texts), object),
    };
    let pointer = pointers[usize::from(is_inside)];
    let opened = Opened::at((RESULT, pointer, None), message, (text, place));
    Some(opened.failed(failure))
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

fn state_of(word: &str) -> Option<&'static str> {
    let word = word.strip_prefix("TASK_STATE_").unwrap_or(word);
    let word = word.to_ascii_lowercase().replace('_', "-");
    STATES.into_iter().find(|state| *state == word)
}

/// Opens a task. Version 1.0 of the protocol has it as a member of the result.
fn a2a(text: &str) -> Option<Opened<'_>> {
    let (object, is_inside) = match result_of(text) {
        None => (text, false),
        Some(result) => (result.ok()?, true),
    };
    match at(object, "/task") {
        Some(task) => task_of(text, task, true),
        None => task_of(text, object, is_inside),
    }
}

/// The parts of an artifact or a message.
fn parts_of(json: &str) -> Vec<RawObject<'_>> {
    let parts = at(json, "/parts").map(items_of);
    let parts = parts.into_iter().flatten();
    parts.filter_map(RawObject::whole).collect()
}

fn task_of<'t>(text: &'t str, task: &'t str, is_inside: bool) -> Option<Opened<'t>> {
    let task = RawObject::whole(task).filter(|it| it.text("id").is_some())?;
    let status = RawObject::whole(task.raw("status")?)?;
    let state = state_of(&status.text("state")?)?;
    let said = status.raw("message").map(parts_of).unwrap_or_default();
    let said = texts(&said);
    let artifacts = task.raw("artifacts").map(items_of);
    let artifacts: Vec<_> = artifacts.into_iter().flatten().map(parts_of).collect();
    let data = artifacts
        .iter()
        .flatten()
        .filter_map(|part| part.raw("data"));
    let data: Vec<_> = data.collect();
    let (message, place) = if let [data] = data[..] {
        (Cow::Borrowed(data), data)
    } else {
        let texts: Vec<_> = artifacts.iter().map(|parts| texts(parts)).collect();
        (Cow::Owned(texts.join("\n")), text)
    };
    let failure = (state != "completed").then(|| {
        let said = if said.is_empty() {
            String::new()
        } else {
            format!(": {said}")
        };
        let failure = ClientFailure::new(format!("the state of the task is {state}{said}"));
        match state {
            "submitted" | "working" | "unknown" => ClientFailure {
                kind: FailureKind::Interrupted,
                ..failure
            },
            _ => failure,
        }
    });
    let (message, pointers) = if message.trim().is_empty() && failure.is_none() {
        let pointers = ["/status/message", "/result/status/message"];
        (Cow::Owned(said), pointers)
    } else {
        (message, ["/artifacts", "/result/artifacts"])
    };
    let pointer = pointers[usize::from(is_inside)];
    Some(Opened {
        failure,
        ..Opened::at((TASK, pointer, None), message, (text, place))
    })
}

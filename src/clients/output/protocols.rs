//! The results of protocols, alone or in a JSON-RPC response: of an MCP tool call, and tasks of the
//! `Agent2Agent` protocol.

use std::borrow::Cow;

use memchr::memmem;

use crate::clients::output::{Opened, OutputKind, error_message};
use crate::clients::raw::{RawObject, at, items_of};

const RESULT: OutputKind = OutputKind::new("mcp-result", "an MCP tool result");

const RESPONSE: OutputKind = OutputKind::new("json-rpc", "a JSON-RPC response");

const TASK: OutputKind = OutputKind::new("a2a-task", "an A2A task");

pub(super) const KINDS: [OutputKind; 3] = [RESULT, RESPONSE, TASK];

/// Members of which every result has one.
const MARKS: [&str; 3] = ["\"content\"", "\"jsonrpc\"", "\"state\""];

/// The types of content that an MCP result has.
const TYPES: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];

/// The states of a task, as version 1.0 names them without its prefix.
const STATES: &str =
    "submitted working input-required completed canceled failed rejected auth-required unknown";

pub(super) fn open(text: &str) -> Option<Opened<'_>> {
    let has = |mark: &str| memmem::find(text.as_bytes(), mark.as_bytes()).is_some();
    let whole = MARKS.iter().any(|it| has(it)).then(|| RawObject::whole(text))??;
    if !whole.is("jsonrpc", "2.0") {
        return mcp(text, text, false).or_else(|| a2a(text, text, false));
    }
    let Some(result) = whole.raw("result") else {
        let error = error_message(whole.raw("error"))?;
        let opened = Opened::at((RESPONSE, "/error", None), "", (text, text));
        return Some(opened.failed(Some(error)));
    };
    mcp(text, result, true).or_else(|| a2a(text, result, true))
}

/// The texts of parts, on lines of their own.
fn texts(parts: &[RawObject]) -> String {
    let texts = parts.iter().filter_map(|part| part.text("text"));
    texts.collect::<Vec<_>>().join("\n")
}

/// Opens a result. Outside a response it is one only if it says whether it is an error, or has structured
/// content: other objects have a `content`, too.
fn mcp<'t>(text: &'t str, object: &'t str, is_inside: bool) -> Option<Opened<'t>> {
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
        Some(value) => {
            (["/structuredContent", "/result/structuredContent"], Cow::Borrowed(value), value)
        }
        None => (["/content", "/result/content"], Cow::Owned(texts), object),
    };
    let kind = (RESULT, pointers[usize::from(is_inside)], None);
    Some(Opened::at(kind, message, (text, place)).failed(failure))
}

/// The parts of an artifact or a message.
fn parts_of(json: &str) -> Vec<RawObject<'_>> {
    let parts = at(json, "/parts").into_iter().flat_map(items_of);
    parts.filter_map(RawObject::whole).collect()
}

/// Opens a task. Version 1.0 of the protocol has it as a member of the result.
fn a2a<'t>(text: &'t str, object: &'t str, is_inside: bool) -> Option<Opened<'t>> {
    let inner = at(object, "/task");
    let is_inside = is_inside || inner.is_some();
    let task = RawObject::whole(inner.unwrap_or(object)).filter(|it| it.text("id").is_some())?;
    let status = RawObject::whole(task.raw("status")?)?;
    let state = status.text("state")?;
    let state = state.strip_prefix("TASK_STATE_").unwrap_or(&state);
    let state = state.to_ascii_lowercase().replace('_', "-");
    let state = STATES.split(' ').find(|known| *known == state)?;
    let said = texts(&status.raw("message").map(parts_of).unwrap_or_default());
    let artifacts = task.raw("artifacts").into_iter().flat_map(items_of);
    let parts: Vec<_> = artifacts.flat_map(parts_of).collect();
    let data: Vec<_> = parts.iter().filter_map(|part| part.raw("data")).collect();
    let failure = (state != "completed").then(|| {
        let colon = if said.is_empty() { "" } else { ": " };
        format!("the state of the task is {state}{colon}{said}")
    });
    let mut pointers = ["/artifacts", "/result/artifacts"];
    let (mut message, mut place) = (Cow::Owned(texts(&parts)), text);
    if let [data] = data[..] {
        (message, place) = (Cow::Borrowed(data), data);
    } else if message.trim().is_empty() && failure.is_none() {
        pointers = ["/status/message", "/result/status/message"];
        message = Cow::Owned(said);
    }
    let kind = (TASK, pointers[usize::from(is_inside)], None);
    Some(Opened::at(kind, message, (text, place)).failed(failure))
}

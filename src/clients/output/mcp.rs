//! The result of an MCP tool call, alone or in a JSON-RPC response.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::clients::output::{Opened, OutputFacts, OutputKind, envelope, error_message};

const RESULT: OutputKind = OutputKind::new("mcp-result", "an MCP tool result");

const RESPONSE: OutputKind = OutputKind::new("json-rpc", "a JSON-RPC response");

pub(super) const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[RESULT, RESPONSE],
    marks: &["\"content\"", "\"jsonrpc\""],
    whole,
    starts: |_| None,
    stream: |_, _| None,
};

#[derive(Deserialize)]
struct RpcResponse<'t> {
    #[serde(borrow)]
    jsonrpc: Cow<'t, str>,
    result: Option<&'t RawValue>,
    error: Option<&'t RawValue>,
}

#[derive(Deserialize)]
struct McpResult<'t> {
    #[serde(borrow)]
    content: Vec<ContentItem<'t>>,
    #[serde(rename = "structuredContent")]
    structured: Option<&'t RawValue>,
    #[serde(rename = "isError")]
    is_error: Option<bool>,
}

#[derive(Deserialize)]
struct ContentItem<'t> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'t, str>,
    text: Option<Cow<'t, str>>,
}

/// The types of content that the protocol has.
const TYPES: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];

/// The value of a JSON-RPC response. The error of one is that of the client.
pub(super) fn result_of(text: &str) -> Option<Result<&str, String>> {
    let response: RpcResponse<'_> = serde_json::from_str(text).ok()?;
    if response.jsonrpc != "2.0" {
        return None;
    }
    match response.result {
        Some(result) => Some(Ok(result.get())),
        None => error_message(response.error).map(Err),
    }
}

fn whole(text: &str) -> Option<Opened<'_>> {
    match result_of(text) {
        None => result(text, text, false),
        Some(Ok(inside)) => result(text, inside, true),
        Some(Err(error)) => {
            let envelope = envelope(RESPONSE, "/error", None);
            let opened = Opened::at(envelope, "", (text, text));
            Some(opened.failed(Some(error)))
        }
    }
}

/// Opens a result. Outside a response it is one only if it says whether it is an error, or has structured
/// content: other objects have a `content`, too.
fn result<'t>(text: &'t str, object: &'t str, is_inside: bool) -> Option<Opened<'t>> {
    let result: McpResult<'t> = serde_json::from_str(object).ok()?;
    let is_known = result.content.iter().all(|it| TYPES.contains(&&*it.kind));
    let is_marked = is_inside || result.is_error.is_some() || result.structured.is_some();
    if !is_known || !is_marked {
        return None;
    }
    let texts = result.content.iter().filter_map(|it| it.text.as_deref());
    let texts = texts.collect::<Vec<_>>().join("\n");
    let failure = (result.is_error == Some(true)).then(|| texts.clone());
    let structured = result.structured.filter(|it| it.get().starts_with('{'));
    let (pointers, message, place) = match structured {
        Some(value) => (
            ["/structuredContent", "/result/structuredContent"],
            Cow::Borrowed(value.get()),
            value.get(),
        ),
        None => (["/content", "/result/content"], Cow::Owned(texts), object),
    };
    let envelope = envelope(RESULT, pointers[usize::from(is_inside)], None);
    let opened = Opened::at(envelope, message, (text, place));
    Some(opened.failed(failure))
}

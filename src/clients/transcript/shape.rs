//! Tells by their keys which client wrote a record.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::clients::Client;
use crate::clients::run::{LenientNumber, LenientText, RawText};
use crate::json::reader::JsonReader;

/// Whether a transcript has one record a line, or is one JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::clients) enum TranscriptForm {
    Lines,
    Document,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Probe<'a> {
    #[serde(rename = "type", borrow)]
    kind: LenientText<'a>,
    payload: Option<IgnoredAny>,
    data: Option<IgnoredAny>,
    info: Option<IgnoredAny>,
    message: Option<ProbeMessage<'a>>,
    messages: RawText<'a>,
    #[serde(rename = "$set")]
    set: Option<IgnoredAny>,
    project_hash: LenientText<'a>,
    provenance: LenientText<'a>,
    session_id: LenientText<'a>,
    timestamp: LenientText<'a>,
    leaf_uuid: LenientText<'a>,
    v: LenientNumber,
    /// In compact records of any client.
    agent: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ProbeMessage<'a> {
    #[serde(borrow)]
    parts: RawText<'a>,
}

impl Probe<'_> {
    fn client(&self) -> Option<(Client, TranscriptForm)> {
        let kind = self.kind.as_str();
        let is_listed = self.messages.0.is_some();
        if self.info.is_some() && is_listed {
            Some((Client::OpenCode, TranscriptForm::Document))
        } else if self.payload.is_some() && self.timestamp.get().is_some() {
            Some((Client::Codex, TranscriptForm::Lines))
        } else if self.data.is_some() && kind.contains('.') {
            Some((Client::Copilot, TranscriptForm::Lines))
        } else if is_listed
            && (self.project_hash.get().is_some() || self.session_id.get().is_some())
        {
            Some((Client::Gemini, TranscriptForm::Document))
        } else if self.project_hash.get().is_some()
            || self.set.is_some()
            || kind == "gemini" && self.timestamp.get().is_some()
        {
            Some((Client::Gemini, TranscriptForm::Lines))
        } else if self.provenance.get().is_some()
            || self.message.as_ref().is_some_and(|it| it.parts.0.is_some())
        {
            Some((Client::Qwen, TranscriptForm::Lines))
        } else if !kind.is_empty() && self.session_id.get().is_some()
            || matches!(kind, "user" | "assistant") && self.message.is_some()
            || kind == "summary" && self.leaf_uuid.get().is_some()
            || self.v.0.is_some() && self.agent.get() == Some(Client::ClaudeCode.as_str())
        {
            Some((Client::ClaudeCode, TranscriptForm::Lines))
        } else {
            None
        }
    }
}

/// The client that wrote a line or a document, by its first JSON object, which must be complete.
pub(in crate::clients) fn client_of(text: &str) -> Option<(Client, TranscriptForm)> {
    let probe: Option<Probe> = JsonReader::new(text, &mut []).value().ok()?;
    probe?.client()
}

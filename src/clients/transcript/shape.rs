//! Tells by their keys which client wrote a record.

use crate::clients::Client;
use crate::clients::run::cursor::JsonCursor;
use crate::clients::run::lenient::{LenientText, Object, RawText};
use crate::clients::run::members::SomeObject;
use crate::clients::run::record::record;

/// Whether a transcript has one record a line, or is one JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::clients) enum TranscriptForm {
    Lines,
    Document,
}

record! {
    struct Probe<'a> {
        kind: LenientText<'a> = "type",
        payload: Object<SomeObject> = "payload",
        data: Object<SomeObject> = "data",
        info: Object<SomeObject> = "info",
        message: Object<SomeObject> = "message",
        messages: RawText<'a> = "messages",
        set: Object<SomeObject> = "$set",
        project_hash: LenientText<'a> = "projectHash",
        session_id: LenientText<'a> = "sessionId",
        timestamp: LenientText<'a> = "timestamp",
        leaf_uuid: LenientText<'a> = "leafUuid",
    }
}

impl Probe<'_> {
    fn client(&self) -> Option<(Client, TranscriptForm)> {
        let kind = self.kind.or_empty();
        let is_listed = self.messages.0.is_some();
        if self.info.0.is_some() && is_listed {
            Some((Client::OpenCode, TranscriptForm::Document))
        } else if self.payload.0.is_some() && self.timestamp.get().is_some() {
            Some((Client::Codex, TranscriptForm::Lines))
        } else if self.data.0.is_some() && kind.contains('.') {
            Some((Client::Copilot, TranscriptForm::Lines))
        } else if is_listed
            && (self.project_hash.get().is_some() || self.session_id.get().is_some())
        {
            Some((Client::Gemini, TranscriptForm::Document))
        } else if self.project_hash.get().is_some()
            || self.set.0.is_some()
            || kind == "gemini" && self.timestamp.get().is_some()
        {
            Some((Client::Gemini, TranscriptForm::Lines))
        } else if !kind.is_empty() && self.session_id.get().is_some()
            || matches!(kind, "user" | "assistant") && self.message.0.is_some()
            || kind == "summary" && self.leaf_uuid.get().is_some()
        {
            Some((Client::ClaudeCode, TranscriptForm::Lines))
        } else {
            None
        }
    }
}

/// The client that wrote a line or a document, by its first JSON object, which must be complete.
pub(in crate::clients) fn client_of(text: &str) -> Option<(Client, TranscriptForm)> {
    let probe: Object<Probe> = JsonCursor::new(text).value()?;
    probe.0?.client()
}

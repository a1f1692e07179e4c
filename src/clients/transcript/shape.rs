//! Tells by their keys which client wrote a record.

use crate::clients::Client;
use crate::clients::run::JsonNode;

/// Whether a transcript has one record a line, or is one JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TranscriptForm {
    Lines,
    Document,
}

/// The client that wrote a record or a document, by its keys.
pub(super) fn client_of(record: &JsonNode) -> Option<(Client, TranscriptForm)> {
    let kind = record.word("type");
    let has = |name| record.at(name).is_object();
    let is_text = |name| record.get(name).is_some();
    if let Some(client) = client_of_document(record).filter(|_| !record.at("messages").is_nothing())
    {
        Some((client, TranscriptForm::Document))
    } else if has("payload") && is_text("timestamp") {
        Some((Client::Codex, TranscriptForm::Lines))
    } else if has("data") && kind.contains('.') {
        Some((Client::Copilot, TranscriptForm::Lines))
    } else if is_text("projectHash") || has("$set") || kind == "gemini" && is_text("timestamp") {
        Some((Client::Gemini, TranscriptForm::Lines))
    } else if is_text("provenance") || !record.at("message").at("parts").is_nothing() {
        Some((Client::Qwen, TranscriptForm::Lines))
    } else if !kind.is_empty() && is_text("sessionId")
        || matches!(kind, "user" | "assistant") && has("message")
        || kind == "summary" && is_text("leafUuid")
    {
        Some((Client::ClaudeCode, TranscriptForm::Lines))
    } else {
        None
    }
}

/// The client that wrote a document with messages, by its other members.
pub(super) fn client_of_document(document: &JsonNode) -> Option<Client> {
    let is_text = |name| document.get(name).is_some();
    if document.at("info").is_object() {
        return Some(Client::OpenCode);
    }
    (is_text("projectHash") || is_text("sessionId")).then_some(Client::Gemini)
}

//! A payload, as the clients' folders read it.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::clients::hook::Moment;
use crate::clients::raw::{self, RawObject, items_of, text_of};

/// Where an agent's message stands, as JSON pointers; the first one found is used. A step `-`
/// stands for all items of a list, whose texts are joined.
const MESSAGE: &[&str] = &[
    "/last_assistant_message",
    "/response",
    "/result",
    "/tool_response/llmContent",
    "/tool_response",
    "/tool_response/content/-/text",
    "/tool_response/llmContent/-/text",
];
/// Messages that are lists of parts. An empty list is an empty message.
const PARTS: [&str; 2] = ["/tool_response/content", "/tool_response/llmContent"];

/// A payload, of which members are read when they are asked for. Null counts as absent.
pub(crate) struct Payload<'p> {
    members: RawObject<'p>,
    name: Cow<'p, str>,
    tool: Cow<'p, str>,
}

impl<'p> Payload<'p> {
    pub(super) fn read(text: &'p str) -> serde_json::Result<Self> {
        serde_json::from_str::<IgnoredAny>(text)?;
        Ok(Self::beginning(text))
    }

    /// Reads the members before the place where a payload ends or is not JSON.
    pub(super) fn beginning(text: &'p str) -> Self {
        let members = RawObject::beginning(text);
        let either = |name, other| members.text(name).or(members.text(other));
        Self {
            name: either("hook_event_name", "hookEventName").unwrap_or_default(),
            tool: either("tool_name", "toolName").unwrap_or_default(),
            members,
        }
    }

    /// The client's name of the event. Empty if the payload has none.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn tool(&self) -> &str {
        &self.tool
    }

    pub(crate) fn at(&self, pointer: &str) -> Option<&'p str> {
        let rest = pointer.strip_prefix('/')?;
        let end = rest.find('/').unwrap_or(rest.len());
        raw::at(self.members.raw(&rest[..end])?, &rest[end..])
    }

    pub(crate) fn has_any(&self, pointers: &[&str]) -> bool {
        pointers.iter().any(|pointer| self.at(pointer).is_some())
    }

    pub(crate) fn typed<T: Deserialize<'p>>(&self, name: &str) -> Option<T> {
        self.members.typed(name)
    }

    /// The first of these members that is a string.
    pub(crate) fn text(&self, pointers: &[&str]) -> Option<Cow<'p, str>> {
        pointers.iter().find_map(|pointer| self.text_at(pointer))
    }

    fn text_at(&self, pointer: &str) -> Option<Cow<'p, str>> {
        let Some((list, rest)) = pointer.split_once("/-") else {
            return text_of(self.at(pointer)?);
        };
        let texts = items_of(self.at(list)?).filter_map(|item| text_of(raw::at(item, rest)?));
        texts.reduce(|before, text| before + text)
    }

    pub(super) fn owned(&self, pointers: &[&str]) -> Option<String> {
        self.text(pointers).map(Cow::into_owned)
    }

    pub(crate) fn is(&self, pointer: &str, value: &str) -> bool {
        self.text_at(pointer).is_some_and(|text| text == value)
    }

    /// Whether a member is present and has another value: an absent one shows nothing.
    pub(crate) fn differs(&self, pointer: &str, value: &str) -> bool {
        self.text_at(pointer).is_some_and(|text| text != value)
    }

    /// When the hook is called, by the names that several clients have for the events.
    pub(crate) fn usual_moment(&self) -> Moment {
        match self.name() {
            "SubagentStart" | "subagentStart" => Moment::Start,
            // An aborted agent has no return to check.
            "subagentStop" if self.differs("/status", "completed") => Moment::Failure,
            "SubagentStop" | "subagentStop" => Moment::Stop,
            "PreToolUse" | "preToolUse" => Moment::Call,
            _ => Moment::Foreign,
        }
    }

    pub(super) fn is_call(&self) -> bool {
        matches!(self.tool(), "Agent" | "Task" | "agent" | "invoke_agent")
    }

    /// Why an agent failed: its message, if it has one, describes the error.
    pub(super) fn why(&self) -> Option<String> {
        let words = self.owned(MESSAGE).filter(|text| !text.trim().is_empty());
        words.or_else(|| self.owned(&["/error", "/status"]))
    }

    /// Whether it has a member for the message of the agent, or for its transcript if that can be read.
    pub(super) fn has_message_member(&self, reads_transcripts: bool) -> bool {
        let mut names = self.members.members().map(|(name, _)| &**name);
        names.any(|name| match name {
            "agent_transcript_path" => reads_transcripts,
            _ => MESSAGE.iter().any(|it| it[1..] == *name),
        })
    }

    pub(super) fn message(&self) -> Option<String> {
        let mut parts = PARTS.iter().filter_map(|part| self.at(part));
        let mut has_parts = || parts.any(|json| json.starts_with('['));
        self.owned(MESSAGE)
            .or_else(|| has_parts().then(String::new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::run::text_of_json;

    #[test]
    fn halves_of_pairs_are_replaced_and_nothing_else() {
        for (text, expected) in [
            (r#"{"a":"\ud83d"}"#, Some(r#"{"a":"\ufffd"}"#)),
            (r#""\ud83d\ude00 \ude00""#, Some(r#""\ud83d\ude00 \ufffd""#)),
            (r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#)),
            (r#""\\ud83d \ud83d\ude00""#, None),
            ("\"\\", None),
            ("", None),
        ] {
            let repaired = text_of_json(text.as_bytes());
            assert_eq!(repaired, expected.unwrap_or(text), "{text}");
        }
        assert_eq!(text_of_json(b"\"a\xffb\""), "\"a\u{fffd}b\"");
    }

    #[test]
    fn texts_of_a_list_are_joined() {
        let text = r#"{"tool_response":{"content":[{"text":"a"},7,{"type":"x"},{"text":"b"}]}}"#;
        let payload = Payload::read(text).expect("JSON");
        assert_eq!(payload.message().as_deref(), Some("ab"));
        let empty = Payload::read(r#"{"tool_response":{"content":[]}}"#).expect("JSON");
        assert_eq!(empty.message().as_deref(), Some(""));
    }
}

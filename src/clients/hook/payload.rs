//! A payload, as the clients' folders read it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use crate::clients::Client;
use crate::clients::hook::pick::Picked;
use crate::clients::run::replace_halves;

/// When a hook is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum Moment {
    /// Before an agent's first turn.
    Start,
    /// After the conversation of an agent was shortened, and what it was told at its start is gone.
    Compaction,
    /// Before an agent calls a tool, which may be how it hands in its return; it can be asked again.
    Call,
    /// Before an agent ends; it can be asked again.
    Stop,
    /// Before a task of a team is completed, which can be refused.
    Task,
    /// After an agent has ended, with the result for its caller.
    Result,
    /// After the caller has asked for the result of an agent that has ended in the background.
    Fetched,
    /// Before the caller reads that an agent has ended in the background.
    Notification,
    /// After a caller has waited for agents that it started.
    Waited,
    /// Before the main agent ends; it can be made to go on.
    MainStop,
    /// After an agent has ended by an error, without a return.
    Failure,
    /// Any other event.
    Foreign,
}

impl Moment {
    /// Whether the payload has no member that names an agent, although it is about one or several.
    #[must_use]
    pub(crate) const fn names_no_agent(self) -> bool {
        matches!(
            self,
            Self::Notification | Self::Fetched | Self::Waited | Self::MainStop
        )
    }

    /// Its name.
    #[must_use]
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Compaction => "compaction",
            Self::Call => "call",
            Self::Stop => "stop",
            Self::Task => "task",
            Self::Result => "result",
            Self::Fetched => "fetched",
            Self::Notification => "notification",
            Self::Waited => "waited",
            Self::MainStop => "main-stop",
            Self::Failure => "failure",
            Self::Foreign => "other",
        }
    }
}

/// The members for each value in the various clients; the first one found is used.
pub(super) const SESSION: &[&str] = &["/session_id", "/sessionId", "/conversation_id"];
pub(super) const AGENT: &[&str] = &[
    "/agentName",
    "/agent_name",
    "/agent_type",
    "/agentType",
    "/subagent_type",
];
pub(super) const AGENT_ID: &[&str] = &["/agent_id", "/agentId", "/generation_id"];
/// The agent that was called. If the caller is a subagent itself, the other members name the caller.
pub(super) const CALLED: &[&str] = &[
    "/tool_response/agentType",
    "/tool_input/subagent_type",
    "/tool_input/agent_name",
];
pub(super) const CALLED_ID: &[&str] = &["/tool_response/agentId"];
/// An agent in the background whose result the caller asks for.
pub(super) const FETCHED_ID: &[&str] = &["/tool_response/task/task_id"];
pub(super) const DELEGATION: &[&str] = &["/tool_input/prompt", "/tool_response/prompt"];
pub(super) const TRANSCRIPT: &[&str] = &["/transcript_path", "/transcriptPath"];
pub(super) const AGENT_TRANSCRIPT: &[&str] = &["/agent_transcript_path"];
pub(super) const ERROR: &[&str] = &["/error"];
pub(super) const FOLDER: &[&str] = &["/cwd", "/workspace_roots/0"];
pub(super) const MESSAGE: &[&str] = &[
    "/last_assistant_message",
    "/response",
    "/result",
    "/tool_response/llmContent",
    "/tool_response",
    "/tool_response/content/-/text",
    "/tool_response/llmContent/-/text",
];
/// Messages that are lists of parts. An empty list is an empty message.
pub(super) const PARTS: &[&str] = &["/tool_response/content", "/tool_response/llmContent"];
pub(super) const NAME: &[&str] = &["/hook_event_name"];
pub(super) const TOOL: &[&str] = &["/tool_name", "/toolName"];
pub(super) const STATUS: &[&str] = &["/status"];
pub(super) const WAS_ASKED_AGAIN: &str = "/stop_hook_active";
pub(super) const TIMES_ASKED_AGAIN: &str = "/loop_count";
/// All members that are read, but for those that one client has alone.
pub(super) const MEMBERS: &[&[&str]] = &[
    SESSION,
    AGENT,
    AGENT_ID,
    CALLED,
    CALLED_ID,
    FETCHED_ID,
    DELEGATION,
    TRANSCRIPT,
    AGENT_TRANSCRIPT,
    ERROR,
    FOLDER,
    MESSAGE,
    PARTS,
    NAME,
    TOOL,
    STATUS,
    &[WAS_ASKED_AGAIN, TIMES_ASKED_AGAIN],
];

/// The members of a payload that are read.
pub(in crate::clients) struct Payload<'p> {
    picked: Picked<'static>,
    /// The JSON. Empty if the payload is cut off.
    text: Cow<'p, str>,
}

impl<'p> Payload<'p> {
    pub(super) fn read(bytes: &'p [u8]) -> serde_json::Result<Self> {
        let wanted = wanted();
        let read = Picked::read(bytes, &wanted);
        let (picked, text) = match (read, std::str::from_utf8(bytes)) {
            (Ok(picked), Ok(text)) => (picked, Cow::Borrowed(text)),
            (Ok(picked), Err(_)) => (picked, Cow::Borrowed("")),
            // An agent's text may have unpaired surrogates or bytes that are not UTF-8, which no Rust
            // string can hold. They are replaced, and the rest is read.
            (Err(error), _) => {
                let repaired = with_whole_characters(bytes).ok_or(error)?;
                let picked = Picked::read(repaired.as_bytes(), &wanted)?;
                (picked, Cow::Owned(repaired))
            }
        };
        Ok(Self { picked, text })
    }

    pub(super) fn read_beginning(bytes: &[u8]) -> Self {
        Self {
            picked: Picked::read_beginning(bytes, &wanted()),
            text: Cow::default(),
        }
    }

    pub(in crate::clients) fn get(&self, pointer: &str) -> Option<&Value> {
        self.picked.get(pointer)
    }

    /// The payload, read as a type of its own: for lists, and for what is kept as JSON. None if it has
    /// another form.
    pub(in crate::clients) fn whole<'t, T: Deserialize<'t>>(&'t self) -> Option<T> {
        serde_json::from_str(&self.text).ok()
    }

    pub(in crate::clients) fn has_any(&self, pointers: &[&str]) -> bool {
        pointers.iter().any(|pointer| self.get(pointer).is_some())
    }

    /// The first of these members that is a string.
    pub(in crate::clients) fn text(&self, pointers: &[&str]) -> Option<&str> {
        pointers
            .iter()
            .find_map(|pointer| self.picked.text(pointer))
    }

    pub(in crate::clients) fn name(&self) -> &str {
        self.text(NAME).unwrap_or_default()
    }

    pub(in crate::clients) fn tool(&self) -> &str {
        self.text(TOOL).unwrap_or_default()
    }

    /// Whether a member is present and has another value. An absent member shows nothing: for example,
    /// only a status that is present shows that an agent still runs in the background.
    pub(in crate::clients) fn differs(&self, pointers: &[&str], value: &str) -> bool {
        self.text(pointers).is_some_and(|text| text != value)
    }

    /// When the hook is called, by the names that several clients have for the events.
    pub(in crate::clients) fn usual_moment(&self) -> Moment {
        match self.name() {
            "SubagentStart" | "subagentStart" => Moment::Start,
            // An aborted agent has no return to check.
            "subagentStop" if self.differs(STATUS, "completed") => Moment::Failure,
            "SubagentStop" | "subagentStop" => Moment::Stop,
            "PreToolUse" | "preToolUse" => Moment::Call,
            _ => Moment::Foreign,
        }
    }

    /// Whether the payload is about an agent that was called with a tool.
    pub(super) fn is_call(&self) -> bool {
        matches!(self.tool(), "Agent" | "Task" | "agent" | "invoke_agent")
    }

    pub(super) fn why(&self, moment: Moment) -> Option<&str> {
        if moment != Moment::Failure {
            return None;
        }
        // If an agent failed, its message describes the error.
        let words = self.text(MESSAGE).filter(|text| !text.trim().is_empty());
        words
            .or_else(|| self.text(ERROR))
            .or_else(|| self.text(STATUS))
    }

    /// The message of the agent. `unframed` removes what the client adds to a result.
    pub(super) fn message(
        &self,
        moment: Moment,
        unframed: Option<fn(&str) -> String>,
    ) -> Option<String> {
        let text = self.text(MESSAGE);
        let message = match unframed.filter(|_| moment == Moment::Result) {
            Some(unframed) => text.map(unframed),
            None => text.map(str::to_owned),
        };
        message.or_else(|| self.has_parts().then(String::new))
    }

    fn has_parts(&self) -> bool {
        let mut parts = PARTS.iter().filter_map(|pointer| self.get(pointer));
        parts.any(Value::is_array)
    }
}

fn wanted() -> Vec<&'static [&'static str]> {
    let formats = Client::ALL
        .into_iter()
        .filter_map(|client| client.facts().hook.as_ref());
    let own = formats.map(|format| format.members);
    MEMBERS.iter().copied().chain(own).collect()
}

/// The payload with a replacement character for each unpaired surrogate and for bytes that are not
/// UTF-8. None if it has neither.
fn with_whole_characters(bytes: &[u8]) -> Option<String> {
    let mut text = String::from_utf8_lossy(bytes).into_owned().into_bytes();
    replace_halves(&mut text);
    let is_other = text != bytes;
    is_other.then(|| String::from_utf8(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let repaired = with_whole_characters(text.as_bytes());
            assert_eq!(repaired.as_deref(), expected, "{text}");
        }
        let repaired = with_whole_characters(b"\"a\xffb\"");
        assert_eq!(repaired.as_deref(), Some("\"a\u{fffd}b\""));
    }
}

//! A payload of any client, as the clients' folders read it, and the event that it tells.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::clients::Client;
use crate::clients::hook::{Answer, Moment, Reply, usual};
use crate::clients::raw::{self, RawObject, items_of, text_of};
use crate::clients::run::text_of_json;

/// The content of a payload, independent of its spelling. Not safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    pub client: Client,
    pub moment: Moment,
    /// The client's own name of the event, if the payload has it.
    pub name: Option<String>,
    pub session: Option<String>,
    pub agent: Option<String>,
    pub agent_id: Option<String>,
    /// The id of the agent in its transcript, if the payload has it only in the ids of calls.
    pub recorded_id: Option<String>,
    pub message: Option<String>,
    /// Whether the payload, or a transcript that it names, has a place for the message.
    pub may_have_message: bool,
    pub prompt: Option<String>,
    pub call: Option<AgentCall>,
    /// Whether the agent handed in its return by a call, so that its caller gets a message with it, too.
    pub is_handed_in: bool,
    /// The tool by which the agent hands in its return, as far as the payload tells.
    pub handover: Option<String>,
    pub ended: Ended,
    pub notified: Vec<NotifiedAgent>,
    pub running: Vec<RunningTask>,
    /// Why the agent failed, in the words of the client.
    pub error: Option<String>,
    pub transcript: Option<PathBuf>,
    pub agent_transcript: Option<PathBuf>,
    pub folder: Option<PathBuf>,
    /// Whether a hook asked the agent again before; `None` if the client does not report it.
    pub was_asked_again: Option<bool>,
    pub times_asked_again: Option<u64>,
}

impl Event {
    /// Reads a payload of this client, or detects the client. `None` for an empty payload.
    pub(crate) fn read(bytes: &[u8], forced: Option<Client>) -> serde_json::Result<Option<Self>> {
        if bytes.trim_ascii().is_empty() {
            return Ok(None);
        }
        let text = text_of_json(bytes);
        Ok(Some(event(&Payload::read(&text)?, forced)))
    }

    /// Reads a payload that is cut off or has invalid JSON. Members after that place are missing.
    pub(crate) fn read_beginning(bytes: &[u8], forced: Option<Client>) -> Self {
        let text = text_of_json(bytes);
        event(&Payload::beginning(&text), forced)
    }

    pub(crate) fn has_no_message(&self) -> bool {
        let message = self.message.as_deref();
        message.is_none_or(|text| text.trim().is_empty())
    }

    pub(crate) fn has_running_agents(&self) -> bool {
        self.running.iter().any(|it| !it.is_command)
    }
}

/// How an agent ended, as the client says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Ended {
    Failed,
    Stopped,
    AtTurnLimit,
    /// It has not handed in its return, so that its caller gets nothing of what it said.
    Withheld,
    #[default]
    Unknown,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NotifiedAgent {
    pub id: String,
    pub ended: Ended,
    /// Why it failed, where no other event tells.
    pub error: Option<String>,
}

impl From<String> for NotifiedAgent {
    fn from(id: String) -> Self {
        Self { id, ..Self::default() }
    }
}

/// An agent, a workflow or a command that runs in the background.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunningTask {
    pub id: String,
    /// What its caller says about it.
    pub about: String,
    pub is_command: bool,
}

/// A call that an agent is about to make, and its arguments as JSON. Not safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentCall {
    pub tool: String,
    input: String,
}

impl AgentCall {
    /// The value at a JSON pointer: a text as it is, anything else as JSON. `None` if it is absent or null.
    pub(crate) fn value(&self, pointer: &str) -> Option<String> {
        let value = raw::at(&self.input, pointer)?;
        Some(text_of(value).unwrap_or(value.into()).into_owned())
    }
}

const AGENT: &[&str] =
    &["/agentName", "/agent_name", "/agent_type", "/agentType", "/subagent_type"];
const CALLED: &[&str] =
    &["/tool_response/agentType", "/tool_input/subagent_type", "/tool_input/agent_name"];

fn event(payload: &Payload, forced: Option<Client>) -> Event {
    // The payloads of the last clients have marks of their own, and those of the first one have none.
    let is_own = |client: &Client| {
        let format = client.facts().hook.as_ref();
        format.is_some_and(|format| (format.is_own)(payload))
    };
    let client = forced.or_else(|| Client::ALL.into_iter().rfind(is_own));
    let client = client.unwrap_or(Client::ClaudeCode);
    let format = client.facts().hook.as_ref();
    let moment = format.map_or(Moment::Foreign, |format| (format.moment)(payload));
    // Where the name and the id of the agent stand.
    let (agent, agent_id): (&[_], &[_]) = match moment {
        // The agent that was called. If the caller is a subagent itself, the other members name the caller.
        _ if payload.is_call() || moment == Moment::Result => {
            (CALLED, &["/tool_response/agentId", "/tool_response/pin/id"])
        }
        _ => (AGENT, &["/agent_id", "/agentId", "/generation_id"]),
    };
    let path = |pointers: &[&str]| payload.owned(pointers).map(PathBuf::from);
    let input = payload.at("/tool_input").or(payload.at("/toolArgs"));
    let call = input
        .filter(|_| moment == Moment::Call)
        .map(|input| AgentCall { tool: payload.tool().to_owned(), input: input.to_owned() });
    let handover = call.as_ref().map(|call| call.tool.clone());
    let mut event = Event {
        client,
        moment,
        name: payload.owned(&["/hook_event_name", "/hookEventName"]),
        session: payload.owned(&["/session_id", "/sessionId", "/conversation_id"]),
        agent: payload.owned(agent),
        agent_id: payload.owned(agent_id),
        recorded_id: None,
        message: payload.message(),
        may_have_message: payload.has_message_member(!client.facts().histories.is_empty()),
        prompt: payload.owned(&["/tool_input/prompt", "/tool_response/prompt"]),
        call,
        is_handed_in: false,
        handover,
        ended: Ended::default(),
        notified: Vec::new(),
        running: Vec::new(),
        error: payload.why().filter(|_| moment == Moment::Failure),
        transcript: path(&["/transcript_path", "/transcriptPath"]),
        agent_transcript: path(&["/agent_transcript_path"]),
        folder: path(&["/cwd", "/workspace_roots/0"]),
        was_asked_again: payload.typed("stop_hook_active"),
        times_asked_again: payload.typed("loop_count"),
    };
    if let Some(format) = format {
        if moment == Moment::Result {
            event.message = event.message.as_deref().map(format.unframed);
        }
        (format.details)(payload, &mut event);
    }
    event
}

/// How a client calls a hook, and what it takes as an answer.
#[derive(Debug)]
pub(crate) struct HookFormat {
    /// Whether the client sent a payload.
    pub(crate) is_own: fn(&Payload) -> bool,
    pub(crate) moment: fn(&Payload) -> Moment,
    /// Adds to an event what only payloads of this client tell.
    pub(crate) details: fn(&Payload, &mut Event),
    /// The result of an agent without what the client writes around and into it.
    pub(crate) unframed: fn(&str) -> String,
    /// An answer to a call at that moment, in the client's format.
    pub(crate) answer: fn(Answer, Moment) -> Reply,
}

impl HookFormat {
    pub(crate) const BASE: Self = Self {
        is_own: |_| false,
        moment: |payload| payload.usual_moment(),
        details: |_, _| {},
        unframed: str::to_owned,
        answer: usual,
    };
}

/// Where an agent's message stands, as JSON pointers; the first one found is used. A step `-`
/// stands for all items of a list, whose texts are joined.
const MESSAGE: &[&str] = &[
    "/last_assistant_message",
    "/response",
    // Cursor; the second one is that of older documents.
    "/summary",
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

    pub(crate) fn owned(&self, pointers: &[&str]) -> Option<String> {
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
        let message = self.owned(MESSAGE);
        message.or_else(|| has_parts().then(String::new))
    }
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

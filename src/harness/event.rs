//! The payload of any harness, identified by its members. Unknown members are skipped; null counts
//! as absent.

use std::path::PathBuf;

use serde_json::Value;

use crate::harness::Harness;
use crate::harness::frame::unframed;
use crate::harness::pick::Picked;
use crate::harness::repair;

/// The content of a payload, independent of its spelling. Not safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The harness that calls the hook.
    pub harness: Harness,
    /// When it calls the hook.
    pub moment: Moment,
    /// The harness's own id of the session.
    pub session: Option<String>,
    /// The name of the agent.
    pub agent: Option<String>,
    /// The unique id of the agent.
    pub agent_id: Option<String>,
    /// The id of the agent in its transcript, if the payload contains it only in the ids of the agent's
    /// calls.
    pub recorded_id: Option<String>,
    /// The agent's final message.
    pub message: Option<String>,
    /// The prompt of the delegation, if the payload has it.
    pub prompt: Option<String>,
    /// The ids of all agents that a notification is about.
    pub notified: Vec<String>,
    /// Why the agent failed, in the words of the harness.
    pub error: Option<String>,
    /// The transcript of the session.
    pub transcript: Option<PathBuf>,
    /// The transcript of the agent.
    pub agent_transcript: Option<PathBuf>,
    /// The folder that the agent works in.
    pub folder: Option<PathBuf>,
    /// Whether a hook sent the agent back before; `None` if the harness does not report it.
    pub was_sent_back: Option<bool>,
    /// How often it was sent back, if the harness counts.
    pub times_sent_back: Option<u64>,
}

/// When a hook is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Moment {
    /// Before an agent's first turn.
    Start,
    /// Before an agent ends; it can be sent back.
    Stop,
    /// After an agent has ended, with the result for its caller.
    Result,
    /// After the caller has asked for the result of an agent that has ended in the background.
    Fetched,
    /// Before the caller reads that an agent has ended in the background.
    Notification,
    /// After an agent has ended by an error, without a return.
    Failure,
    /// Any other event.
    Foreign,
}

impl Event {
    /// Reads a payload of this harness, or detects the harness. `None` for an empty payload.
    ///
    /// # Errors
    ///
    /// If the payload is not one JSON value.
    pub fn read(bytes: &[u8], forced: Option<Harness>) -> serde_json::Result<Option<Self>> {
        if bytes.trim_ascii().is_empty() {
            return Ok(None);
        }
        let read = Picked::read(bytes, MEMBERS);
        // An agent's text may have unpaired surrogates or bytes that are not UTF-8, which no Rust string
        // can hold. They are replaced, and the rest is read.
        let read = read.or_else(|error| {
            let repaired = repair::with_whole_characters(bytes).ok_or(error)?;
            Picked::read(repaired.as_bytes(), MEMBERS)
        });
        let payload = Payload(read?);
        let harness = forced.unwrap_or_else(|| payload.harness());
        Ok(Some(payload.event(harness)))
    }

    /// Reads a payload that is cut off or has invalid JSON. Members after that place are missing.
    #[must_use]
    pub fn read_beginning(bytes: &[u8], forced: Option<Harness>) -> Self {
        let payload = Payload(Picked::read_beginning(bytes, MEMBERS));
        let harness = forced.unwrap_or_else(|| payload.harness());
        payload.event(harness)
    }
}

/// The members for each value in the various harnesses; the first one found is used.
const SESSION: &[&str] = &["/session_id", "/sessionId", "/conversation_id"];
const AGENT: &[&str] = &[
    "/agentName",
    "/agent_name",
    "/agent_type",
    "/agentType",
    "/subagent_type",
];
const AGENT_ID: &[&str] = &["/agent_id", "/agentId", "/generation_id"];
/// The agent that was called. If the caller is a subagent itself, the other members name the caller.
const CALLED: &[&str] = &[
    "/tool_response/agentType",
    "/tool_input/subagent_type",
    "/tool_input/agent_name",
];
const CALLED_ID: &[&str] = &["/tool_response/agentId"];
/// The ids of the agent's last activities, the last of which is its answer.
const ACTIVITY: &[&str] = &["/tool_response/returnDisplay/recentActivity/-/id"];
/// An agent in the background whose result the caller asks for.
const FETCHED_ID: &[&str] = &["/tool_response/task/task_id"];
const FETCHED_TYPE: &[&str] = &["/tool_response/task/task_type"];
const FETCHED_STATUS: &[&str] = &["/tool_response/task/status"];
const DELEGATION: &[&str] = &["/tool_input/prompt", "/tool_response/prompt"];
const PROMPT: &[&str] = &["/prompt"];
const TRANSCRIPT: &[&str] = &["/transcript_path", "/transcriptPath"];
const AGENT_TRANSCRIPT: &[&str] = &["/agent_transcript_path"];
const ERROR: &[&str] = &["/error"];
const TERMINATED: &[&str] = &["/tool_response/returnDisplay/terminateReason"];
const FOLDER: &[&str] = &["/cwd", "/workspace_roots/0"];
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
const PARTS: &[&str] = &["/tool_response/content", "/tool_response/llmContent"];
const NAME: &[&str] = &["/hook_event_name"];
const TOOL: &[&str] = &["/tool_name"];
const STATUS: &[&str] = &["/status"];
const TOOL_STATUS: &[&str] = &["/tool_response/status"];
const WAS_SENT_BACK: &str = "/stop_hook_active";
const TIMES_SENT_BACK: &str = "/loop_count";
/// Members whose presence identifies a harness.
const MARKS: &[&str] = &[
    "/workspace_roots",
    "/stop_reason",
    "/turn_id",
    "/stopReason",
];

/// All members that are read.
const MEMBERS: &[&[&str]] = &[
    SESSION,
    AGENT,
    AGENT_ID,
    CALLED,
    CALLED_ID,
    ACTIVITY,
    FETCHED_ID,
    FETCHED_TYPE,
    FETCHED_STATUS,
    DELEGATION,
    PROMPT,
    TRANSCRIPT,
    AGENT_TRANSCRIPT,
    ERROR,
    TERMINATED,
    FOLDER,
    MESSAGE,
    PARTS,
    NAME,
    TOOL,
    STATUS,
    TOOL_STATUS,
    &[WAS_SENT_BACK, TIMES_SENT_BACK],
    MARKS,
];

struct Payload(Picked<'static>);

impl Payload {
    fn has(&self, pointer: &str) -> bool {
        self.0.get(pointer).is_some()
    }

    /// The first of these members that is a string.
    fn text(&self, pointers: &[&str]) -> Option<&str> {
        pointers.iter().find_map(|pointer| self.0.text(pointer))
    }

    fn name(&self) -> &str {
        self.text(NAME).unwrap_or_default()
    }

    fn tool(&self) -> &str {
        self.text(TOOL).unwrap_or_default()
    }

    fn harness(&self) -> Harness {
        let has_any = |pointers: &[&str]| pointers.iter().any(|pointer| self.has(pointer));
        match self.name() {
            "AfterTool" | "BeforeTool" | "AfterAgent" => Harness::Gemini,
            "subagentStart" | "subagentStop" => Harness::Cursor,
            "" if has_any(&["/sessionId", "/agentName", "/agentType"]) => Harness::Copilot,
            _ if has_any(&["/generation_id", "/conversation_id", "/workspace_roots"]) => {
                Harness::Cursor
            }
            _ if has_any(&["/agent_name", "/stop_reason"]) => Harness::Copilot,
            _ if has_any(&["/turn_id"]) => Harness::Codex,
            _ => Harness::ClaudeCode,
        }
    }

    fn moment(&self, harness: Harness) -> Moment {
        match (self.name(), self.tool()) {
            ("SubagentStart" | "subagentStart", _) | ("BeforeTool", "invoke_agent") => {
                Moment::Start
            }
            // An aborted agent has no return to check.
            ("subagentStop", _) if self.differs(STATUS, "completed") => Moment::Failure,
            ("SubagentStop" | "subagentStop", _) => Moment::Stop,
            ("StopFailure", _) | ("PostToolUseFailure", "Agent" | "Task") => Moment::Failure,
            ("PostToolUse", "Agent" | "Task") if !self.differs(TOOL_STATUS, "completed") => {
                Moment::Result
            }
            ("PostToolUse", "TaskOutput") if self.is_fetched() => Moment::Fetched,
            ("UserPromptSubmit", _) if self.notification().is_some() => Moment::Notification,
            ("AfterTool", "invoke_agent") if self.differs(TERMINATED, "GOAL") => Moment::Failure,
            ("AfterTool", "invoke_agent") => Moment::Result,
            ("", _) if harness == Harness::Copilot && self.has("/response") => Moment::Stop,
            ("", _) if harness == Harness::Copilot && self.has("/stopReason") => Moment::Stop,
            ("", _) if harness == Harness::Copilot => Moment::Start,
            _ => Moment::Foreign,
        }
    }

    /// Whether a member is present and has another value. An absent member shows nothing: for example,
    /// only a status that is present shows that an agent still runs in the background.
    fn differs(&self, pointers: &[&str], value: &str) -> bool {
        self.text(pointers).is_some_and(|text| text != value)
    }

    /// Whether the payload has the result of an agent that the caller asked for, and not of a command.
    fn is_fetched(&self) -> bool {
        self.text(FETCHED_TYPE) == Some("local_agent")
            && self.text(FETCHED_STATUS) == Some("completed")
    }

    /// The prompt, if it is a notification that an agent has ended.
    fn notification(&self) -> Option<&str> {
        let prompt = self.text(PROMPT)?;
        prompt
            .trim_start()
            .starts_with("<task-notification>")
            .then_some(prompt)
    }

    /// Whether the payload is about an agent that was called with a tool.
    fn is_call(&self) -> bool {
        matches!(self.tool(), "Agent" | "Task" | "invoke_agent")
    }

    fn why(&self, moment: Moment) -> Option<&str> {
        if moment != Moment::Failure {
            return None;
        }
        // If an agent failed, its message describes the error.
        let words = self.text(MESSAGE).filter(|text| !text.trim().is_empty());
        words
            .or_else(|| self.text(ERROR))
            .or_else(|| self.text(STATUS))
    }

    fn message(&self, harness: Harness, moment: Moment) -> Option<String> {
        let text = self.text(MESSAGE);
        let message = match moment {
            Moment::Result => text.map(|text| unframed(harness, text)),
            _ => text.map(str::to_owned),
        };
        message.or_else(|| self.has_parts().then(String::new))
    }

    fn has_parts(&self) -> bool {
        let mut parts = PARTS.iter().filter_map(|pointer| self.0.get(pointer));
        parts.any(Value::is_array)
    }

    fn event(&self, harness: Harness) -> Event {
        let text = |pointers: &[&str]| self.text(pointers).map(str::to_owned);
        let moment = self.moment(harness);
        let (agent, agent_id): (&[_], _) = match moment {
            // The other members name the caller.
            Moment::Fetched => (&[], FETCHED_ID),
            _ if self.is_call() => (CALLED, CALLED_ID),
            _ => (AGENT, AGENT_ID),
        };
        let notification = self.notification().unwrap_or_default();
        Event {
            harness,
            moment,
            session: text(SESSION),
            agent: text(agent),
            agent_id: text(agent_id),
            recorded_id: self.text(ACTIVITY).and_then(caller_of).map(str::to_owned),
            message: self.message(harness, moment),
            prompt: text(DELEGATION),
            notified: notified(notification),
            error: self.why(moment).map(str::to_owned),
            transcript: self.text(TRANSCRIPT).map(PathBuf::from),
            agent_transcript: self.text(AGENT_TRANSCRIPT).map(PathBuf::from),
            folder: self.text(FOLDER).map(PathBuf::from),
            was_sent_back: self.0.get(WAS_SENT_BACK).and_then(Value::as_bool),
            times_sent_back: self.0.get(TIMES_SENT_BACK).and_then(Value::as_u64),
        }
    }
}

/// The id of the agent that made calls, from the concatenated ids of its activities. The id of a call is
/// the id of the agent, `#`, and the numbers of the turn and of the call. Other activities may have
/// other ids. None if the agents of the calls differ.
fn caller_of(ids: &str) -> Option<&str> {
    const LENGTH: usize = 36;
    let (before, _) = ids.rsplit_once('#')?;
    let mut callers = before.split('#').map(|before| {
        let start = before.len().checked_sub(LENGTH)?;
        before.get(start..).filter(|id| is_uuid(id))
    });
    let last = callers.next_back()??;
    callers.all(|other| other == Some(last)).then_some(last)
}

fn is_uuid(text: &str) -> bool {
    let is_part = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.split('-').all(is_part)
}

/// The ids of the agents in notifications.
fn notified(text: &str) -> Vec<String> {
    let ids = text.split("<task-id>").skip(1);
    let ids = ids.filter_map(|rest| Some(rest.split_once("</task-id>")?.0.trim().to_owned()));
    ids.collect()
}

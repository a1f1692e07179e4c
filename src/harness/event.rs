//! The payload of any harness, identified by its members. Unknown members are skipped; null counts
//! as absent.

use std::path::PathBuf;

use serde_json::Value;

use crate::harness::Harness;
use crate::harness::pick::Picked;

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
    /// The agent's final message.
    pub message: Option<String>,
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
    /// After it has ended, with the result for its caller.
    Result,
    /// Any other event.
    Foreign,
}

impl Event {
    /// Reads a payload of this harness, or detects the harness. `None` for an empty payload.
    ///
    /// # Errors
    ///
    /// If it is not one JSON value.
    pub fn read(bytes: &[u8], forced: Option<Harness>) -> serde_json::Result<Option<Self>> {
        if bytes.trim_ascii().is_empty() {
            return Ok(None);
        }
        let payload = Payload(Picked::read(bytes, MEMBERS)?);
        let harness = forced.unwrap_or_else(|| payload.harness());
        Ok(Some(payload.event(harness)))
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
    "/tool_input/subagent_type",
    "/tool_response/agentType",
    "/tool_input/agent_name",
];
const AGENT_ID: &[&str] = &[
    "/agent_id",
    "/agentId",
    "/tool_response/agentId",
    "/generation_id",
];
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
/// Messages as lists of parts; an empty list is an empty message.
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
            ("SubagentStart" | "subagentStart", _) => Moment::Start,
            // An aborted agent has no return to check.
            ("subagentStop", _)
                if self
                    .text(STATUS)
                    .is_some_and(|status| status != "completed") =>
            {
                Moment::Foreign
            }
            ("SubagentStop" | "subagentStop", _) => Moment::Stop,
            ("PostToolUse", "Agent" | "Task") if self.is_done() => Moment::Result,
            ("AfterTool", "invoke_agent") => Moment::Result,
            ("", _) if harness == Harness::Copilot && self.has("/response") => Moment::Stop,
            ("", _) if harness == Harness::Copilot && self.has("/stopReason") => Moment::Stop,
            ("", _) if harness == Harness::Copilot => Moment::Start,
            _ => Moment::Foreign,
        }
    }

    /// Whether the agent has ended. An agent that was started in the background has not returned
    /// yet.
    fn is_done(&self) -> bool {
        self.text(TOOL_STATUS)
            .is_none_or(|status| status == "completed")
    }

    fn has_parts(&self) -> bool {
        let mut parts = PARTS.iter().filter_map(|pointer| self.0.get(pointer));
        parts.any(Value::is_array)
    }

    fn event(&self, harness: Harness) -> Event {
        let text = |pointers: &[&str]| self.text(pointers).map(str::to_owned);
        Event {
            harness,
            moment: self.moment(harness),
            session: text(SESSION),
            agent: text(AGENT),
            agent_id: text(AGENT_ID),
            message: text(MESSAGE).or_else(|| self.has_parts().then(String::new)),
            folder: self.text(FOLDER).map(PathBuf::from),
            was_sent_back: self.0.get(WAS_SENT_BACK).and_then(Value::as_bool),
            times_sent_back: self.0.get(TIMES_SENT_BACK).and_then(Value::as_u64),
        }
    }
}

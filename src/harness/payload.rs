//! One payload of any harness, told by what it carries. Unknown members are passed over, null is
//! as good as absent.

use std::path::PathBuf;

use serde_json::Value;

use super::Harness;

/// What a payload says, whatever its spelling: exactly its words, not safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The harness that calls.
    pub harness: Harness,
    /// When it calls.
    pub moment: Moment,
    /// The harness's own id of the session.
    pub session: Option<String>,
    /// The name of the agent.
    pub agent: Option<String>,
    /// What tells the agent from others of its name.
    pub agent_id: Option<String>,
    /// The agent's final message.
    pub message: Option<String>,
    /// The folder that the agent works in.
    pub folder: Option<PathBuf>,
    /// Whether the agent goes on because a hook sent it back; not every harness says.
    pub was_sent_back: Option<bool>,
    /// How often it was sent back, where the harness counts.
    pub times_sent_back: Option<u64>,
}

/// When a hook is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before an agent's first turn.
    Start,
    /// Before an agent's end: it can be sent back.
    Stop,
    /// After its end, beside the result that its caller sees.
    Result,
    /// None of retval's business.
    Foreign,
}

impl Event {
    /// Reads a payload, of this harness or of the one that it is told by. None for an empty one.
    ///
    /// # Errors
    ///
    /// If it is not one JSON value.
    pub fn read(bytes: &[u8], forced: Option<Harness>) -> serde_json::Result<Option<Self>> {
        if bytes.trim_ascii().is_empty() {
            return Ok(None);
        }
        let value: Value = serde_json::from_slice(bytes)?;
        let payload = Payload(&value);
        let harness = forced.unwrap_or_else(|| payload.harness());
        Ok(Some(payload.event(harness)))
    }
}

struct Payload<'p>(&'p Value);

impl Payload<'_> {
    fn has(&self, key: &str) -> bool {
        self.0.get(key).is_some_and(|value| !value.is_null())
    }

    /// The first of these members that is a string.
    fn text(&self, keys: &[&str]) -> Option<String> {
        keys.iter()
            .find_map(|key| self.0.pointer(key)?.as_str())
            .map(str::to_owned)
    }

    fn name(&self) -> &str {
        self.0
            .get("hook_event_name")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    fn tool(&self) -> &str {
        self.0
            .get("tool_name")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    fn harness(&self) -> Harness {
        let has_any = |keys: &[&str]| keys.iter().any(|key| self.has(key));
        match self.name() {
            "AfterTool" | "BeforeTool" | "AfterAgent" => Harness::Gemini,
            "subagentStart" | "subagentStop" => Harness::Cursor,
            "" if has_any(&["sessionId", "agentName", "agentType"]) => Harness::Copilot,
            _ if has_any(&["generation_id", "conversation_id", "workspace_roots"]) => {
                Harness::Cursor
            }
            _ if has_any(&["agent_name", "stop_reason"]) => Harness::Copilot,
            _ if has_any(&["turn_id"]) => Harness::Codex,
            _ => Harness::ClaudeCode,
        }
    }

    fn moment(&self, harness: Harness) -> Moment {
        match (self.name(), self.tool()) {
            ("SubagentStart" | "subagentStart", _) => Moment::Start,
            // What was aborted has no return to judge.
            ("subagentStop", _)
                if self
                    .text(&["/status"])
                    .is_some_and(|status| status != "completed") =>
            {
                Moment::Foreign
            }
            ("SubagentStop" | "subagentStop", _) => Moment::Stop,
            ("PostToolUse", "Agent" | "Task") if self.is_done() => Moment::Result,
            ("AfterTool", "invoke_agent") => Moment::Result,
            ("", _) if harness == Harness::Copilot && self.has("response") => Moment::Stop,
            ("", _) if harness == Harness::Copilot && self.has("stopReason") => Moment::Stop,
            ("", _) if harness == Harness::Copilot => Moment::Start,
            _ => Moment::Foreign,
        }
    }

    /// An agent that goes on in the background has not returned yet.
    fn is_done(&self) -> bool {
        self.text(&["/tool_response/status"])
            .is_none_or(|status| status == "completed")
    }

    fn event(&self, harness: Harness) -> Event {
        let flag = |key: &str| self.0.get(key).and_then(Value::as_bool);
        let folder = self.text(&["/cwd", "/workspace_roots/0"]);
        Event {
            harness,
            moment: self.moment(harness),
            session: self.text(&["/session_id", "/sessionId", "/conversation_id"]),
            agent: self.text(&[
                "/agentName",
                "/agent_name",
                "/agent_type",
                "/agentType",
                "/subagent_type",
                "/tool_input/subagent_type",
                "/tool_response/agentType",
                "/tool_input/agent_name",
            ]),
            agent_id: self.text(&[
                "/agent_id",
                "/agentId",
                "/tool_response/agentId",
                "/generation_id",
            ]),
            message: self.message(),
            folder: folder.map(PathBuf::from),
            was_sent_back: flag("stop_hook_active"),
            times_sent_back: self.0.get("loop_count").and_then(Value::as_u64),
        }
    }

    fn message(&self) -> Option<String> {
        let direct = self.text(&[
            "/last_assistant_message",
            "/response",
            "/result",
            "/tool_response/llmContent",
            "/tool_response",
        ]);
        direct
            .or_else(|| self.parts("/tool_response/content"))
            .or_else(|| self.parts("/tool_response/llmContent"))
    }

    /// A message in parts of text.
    fn parts(&self, place: &str) -> Option<String> {
        let parts = self.0.pointer(place)?.as_array()?;
        Some(
            parts
                .iter()
                .filter_map(|part| part.get("text")?.as_str())
                .collect(),
        )
    }
}

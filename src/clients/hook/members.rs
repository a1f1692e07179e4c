//! The members of payloads, as JSON pointers.

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

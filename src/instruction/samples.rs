//! The texts that stand in the example of an instruction until the agent writes its own.

/// The summary.
pub(super) const SUMMARY: &str = "What was done. What the result is.";
/// The path of a file.
pub(super) const PATH: &str = "path/of/the/file.md";
/// The summary of a file.
pub(super) const CONTENT: &str = "What the file contains";
/// The session id, if the instruction does not give it.
pub(super) const SESSION: &str = "the session id of this task";
/// The agent, if the instruction does not name it.
pub(super) const AGENT: &str = "your-agent-name";

/// Whether a text is one of these, or only dots.
pub(crate) fn is_sample(text: &str) -> bool {
    matches!(
        text,
        SUMMARY | PATH | CONTENT | SESSION | AGENT | "..." | "…"
    )
}

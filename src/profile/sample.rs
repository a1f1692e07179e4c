//! The texts that stand in an example until the agent writes its own. Instructions show them, and checks know
//! them again.

/// The first line of an instruction about the return: that of the document Subagent return format, and that of a
/// standard of one's own.
pub(crate) const HEADINGS: [&str; 2] = ["CRITICAL RETURN FORMAT REQUIREMENT:\n", "RETURN FORMAT\n"];

pub(crate) const SUMMARY: &str = "What was done. What the result is.";
pub(crate) const PATH: &str = "path/of/the/file.md";
pub(crate) const CONTENT: &str = "What the file contains";
/// The session id, if the instruction does not give it.
pub(crate) const SESSION: &str = "the session id of this task";
/// The agent, if the instruction does not name it.
pub(crate) const AGENT: &str = "your-agent-name";
pub(crate) const FILLER: &str = "...";

/// Whether a text is one of those, or only dots.
pub(crate) fn is_sample(text: &str) -> bool {
    let is_dots = text.starts_with(FILLER) && text.bytes().all(|it| it == b'.');
    is_dots || matches!(text, SUMMARY | PATH | CONTENT | SESSION | AGENT | "…")
}

/// Whether a text begins as an instruction does.
pub(crate) fn is_beginning(text: &str) -> bool {
    HEADINGS.iter().any(|it| text.starts_with(it))
}

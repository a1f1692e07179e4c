//! Names a call in reports, without its arguments.

use std::fmt::{self, Display, Formatter};

use crate::clients::run::{CallKind, Run};
use crate::text::escape;

/// The most characters of a tool's name that are shown.
const NAME_SHOWN: usize = 48;

/// The name of a call, such as `Write call 4 of 7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallLabel {
    tool: String,
    pub(super) number: usize,
    count: usize,
    /// Line of the transcript, from 1.
    pub(super) line: u64,
}

impl CallLabel {
    pub(super) fn new(run: &Run, index: usize) -> Self {
        let call = run.calls.get(index);
        Self {
            tool: tool_name(call.map_or("", |call| &call.name)),
            number: index + 1,
            count: run.calls.len(),
            line: call.map_or(1, |call| call.line),
        }
    }
}

impl Display for CallLabel {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{} call {} of {}", self.tool, self.number, self.count)
    }
}

/// The name of a tool, escaped and shortened. Tools of MCP servers may have any name.
pub(super) fn tool_name(name: &str) -> String {
    let end = name.char_indices().nth(NAME_SHOWN);
    let shown = end.map_or(name, |(end, _)| &name[..end]);
    let dots = if shown.len() < name.len() { "…" } else { "" };
    if shown.trim().is_empty() {
        return "unnamed".to_owned();
    }
    format!("{}{dots}", escape::full(shown))
}

/// What a run did: `used only Read, Grep and Write`. Each tool is named once, without the one that submits
/// the answer.
pub(super) fn used(run: &Run) -> String {
    const LISTED: usize = 4;
    let mut names: Vec<&str> = Vec::new();
    let calls = run.calls.iter();
    for call in calls.filter(|call| call.kind != CallKind::Answer) {
        if !names.contains(&&*call.name) {
            names.push(&call.name);
        }
    }
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    let mut names: Vec<_> = names.into_iter().map(tool_name).collect();
    if more > 0 {
        names.push(format!("{more} more"));
    }
    match names.split_last() {
        Some((last, [])) => format!("used only {last}"),
        Some((last, rest)) => format!("used only {} and {last}", rest.join(", ")),
        None => "made no tool call".to_owned(),
    }
}

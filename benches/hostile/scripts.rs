//! Transcripts of agents that run long commands.

use std::path::Path;

use crate::worked;

/// The length of the longest command that is scanned, in bytes.
pub(crate) const BYTES_AT_MOST: usize = 64 << 10;
const CALLS: usize = 16;

/// A command with a part that is repeated.
pub(crate) struct LongScript {
    pub(crate) name: &'static str,
    start: &'static str,
    item: &'static str,
    end: &'static str,
}

pub(crate) const SCRIPTS: &[LongScript] = &[
    LongScript { name: "texts of sed", start: "sed '", item: "a\na\n", end: "' a" },
    LongScript {
        name: "texts of sed with several lines",
        start: "sed '",
        item: "a\\\na\\\nb\n",
        end: "' a",
    },
    LongScript { name: "backquotes", start: "echo ", item: "`a`", end: "" },
    LongScript {
        name: "backquotes in brackets in quotes",
        start: "$($($($($(echo \"",
        item: "`\\`a\\``",
        end: "\")))))",
    },
    LongScript { name: "commands", start: "", item: "a;", end: "a" },
    LongScript { name: "commands of one runner", start: "", item: "npx -y x -y;", end: "npx" },
];

impl LongScript {
    /// Writes a project with a claim, and a transcript in which commands of this length may have written
    /// it.
    pub(crate) fn write(&self, place: &Path, bytes: usize) {
        let count = (bytes - self.start.len() - self.end.len()) / self.item.len();
        let command = [self.start, &self.item.repeat(count), self.end].concat();
        let input = serde_json::json!({ "command": command }).to_string();
        let input = input.trim_start_matches('{').trim_end_matches('}');
        let call = |_| ("Bash", input.to_owned());
        worked::write(place, CALLS, |at| format!("own/a{at}.md"), call);
    }
}

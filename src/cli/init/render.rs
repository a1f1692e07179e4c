//! Writes proposals as TOML. Each proposed line ends with where it comes from.

use std::fmt::Write as _;

use crate::text::escape;

use super::proposal::{KeyValue, Proposal, quoted, toml_key};

/// A definition that was read, and what came of it.
pub(super) struct ProposedProfile {
    /// The path of the definition or of the folder with returns, as printed.
    pub(super) path: String,
    pub(super) sample: Sample,
    /// The name of the agent, and of its profile.
    pub(super) agent: String,
    pub(super) profile: String,
    /// Whether another definition before it has the same agent.
    pub(super) is_repeated: bool,
    pub(super) result: Result<Proposal, (Option<usize>, String)>,
}

/// What a proposal was made from.
pub(super) enum Sample {
    /// A definition with this number of lines before its prompt. Lines of a proposal are those of the
    /// prompt.
    Definition(usize),
    /// This number of returns. Lines of a proposal are numbers of returns.
    Returns(usize),
    /// Nothing: the file could not be read.
    Unread,
}

/// The most notes of one definition.
const NOTES: usize = 12;

impl ProposedProfile {
    fn source(&self, line: usize) -> String {
        match self.sample {
            Sample::Definition(before) => format!("{}:{}", self.path, line + before + 1),
            Sample::Returns(total) => format!("{}: {line} of {total} returns", self.path),
            Sample::Unread => self.path.clone(),
        }
    }

    pub(super) fn render(&self) -> String {
        let mut out = String::new();
        match &self.result {
            Ok(proposal) => self.write(&mut out, proposal),
            Err((line, why)) => {
                let source = line.map_or_else(|| self.path.clone(), |it| self.source(it));
                let _ = writeln!(out, "# {source}: {}: no profile", escape::full(why));
            }
        }
        out
    }

    fn write(&self, out: &mut String, proposal: &Proposal) {
        let _ = writeln!(out, "[profiles.{}]", toml_key(&self.profile));
        for key in &proposal.keys {
            let source = self.source(key.line);
            let kept = |index: usize| match key.kept.get(index) {
                Some(Some((kept, total))) => format!(", kept by {kept} of {total}"),
                _ => String::new(),
            };
            let note = if key.note.is_empty() {
                String::new()
            } else {
                format!(", {}", key.note)
            };
            let value = match &key.value {
                KeyValue::Text(text) => quoted(text),
                KeyValue::Raw(text) => text.clone(),
                KeyValue::List(items) => {
                    let _ = writeln!(out, "{} = [", key.key);
                    for (index, (item, line)) in items.iter().enumerate() {
                        let (item, source) = (quoted(item), self.source(*line));
                        let _ = writeln!(out, "  {item}, # {source}{}", kept(index));
                    }
                    out.push_str("]\n");
                    continue;
                }
            };
            let _ = writeln!(out, "{} = {value} # {source}{note}{}", key.key, kept(0));
        }
        for (line, note) in proposal.notes.iter().take(NOTES) {
            let _ = writeln!(out, "# {}: {}", self.source(*line), escape::truncated(note));
        }
        if let Some(more) = proposal.notes.len().checked_sub(NOTES + 1) {
            let _ = writeln!(out, "# and {} more that were left out", more + 1);
        }
        let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | ' ' | ':');
        if proposal.is_of_file || matches!(self.sample, Sample::Returns(_)) {
            return;
        }
        if self.is_repeated {
            let _ = writeln!(
                out,
                "# {}: another definition has this agent's name: no table of the hook",
                self.path
            );
        } else if self.agent.chars().all(is_plain) {
            let agent = toml_key(&self.agent);
            let profile = quoted(&self.profile);
            let _ = writeln!(
                out,
                "\n[hook.agents.{agent}]\nprofile = {profile} # {}",
                self.path
            );
        } else {
            let _ = writeln!(
                out,
                "# {}: the name of the agent is a pattern: no table of the hook",
                self.path
            );
        }
    }
}

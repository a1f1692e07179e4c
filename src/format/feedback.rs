//! `feedback`: instructions for the model that must return again, one for each finding. Short and
//! deterministic; text of the return is escaped and truncated.

use std::fmt::Write as _;

use crate::finding::Finding;
use crate::format::{Checked, Profiles, Reporter, Source};
use crate::profile::Profile;
use crate::report::Report;
use crate::rules::Level;
use crate::text::escape::truncated;

/// The most characters of one block, so that it cannot fill a context.
const LENGTH: usize = 2_000;

/// Characters reserved for the lines around the findings.
const FRAME: usize = 400;

/// Instructions for the model that must return again.
#[derive(Debug, Clone, Default)]
pub(super) struct Feedback(pub(super) Profiles);

impl Reporter for Feedback {
    fn one(&self, _: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        if let Checked::Report(report) = checked
            && !report.is_valid()
        {
            let block = block(report, self.0.of(report), Audience::Subagent);
            out.extend_from_slice(block.as_bytes());
        }
    }

    fn between(&self) -> &'static [u8] {
        b"\n"
    }
}

/// The reader of the instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The agent that must return again.
    Subagent,
    /// The agent that called it.
    Orchestrator,
}

/// The instructions, failures first. What does not fit is left out at the end.
#[must_use]
pub fn block(report: &Report<'_>, profile: &Profile, reader: Audience) -> String {
    let mut text = match reader {
        Audience::Subagent => "Your return was not accepted. Correct each of these:\n".to_owned(),
        Audience::Orchestrator => {
            let agent = truncated(&report.subagent);
            format!("The return of {agent} is invalid; do not rely on it. Findings:\n")
        }
    };
    let by_level = |level| {
        report
            .findings
            .iter()
            .filter(move |finding| finding.level == level)
    };
    let (mut number, mut length) = (0, 0);
    for finding in by_level(Level::Error).chain(by_level(Level::Warning)) {
        let line = instruction(number + 1, finding);
        length += line.chars().count();
        if length > LENGTH - FRAME {
            break;
        }
        text += &line;
        number += 1;
    }
    let left_out = report.failures + report.warnings - number;
    if left_out > 0 {
        let _ = writeln!(text, "And {left_out} more.");
    }
    text += match reader {
        Audience::Subagent => again(report, profile),
        Audience::Orchestrator => "Run the task again, or treat it as failed.\n",
    };
    text
}

/// How to return again.
fn again(report: &Report<'_>, profile: &Profile) -> &'static str {
    let is_in_handoff = |finding: &Finding| finding.rule.id.starts_with("handoff-");
    if profile.file.is_some() {
        "Write the complete file again, as one JSON object and nothing else. It replaces the previous one.\n"
    } else if report.findings.iter().any(is_in_handoff) {
        "Correct your handoff file, then return the complete JSON object again as your whole final message, with no text around it.\n"
    } else {
        "Return the complete JSON object again as your whole final message, with no text around it. It replaces the previous one.\n"
    }
}

fn instruction(number: usize, finding: &Finding) -> String {
    let at = finding
        .pointer
        .as_deref()
        .filter(|pointer| !pointer.is_empty());
    let at = at
        .map(|pointer| format!(" (at {})", truncated(pointer)))
        .unwrap_or_default();
    let end = if finding.help.ends_with(['.', '?']) {
        ""
    } else {
        "."
    };
    format!(
        "{number}. {}{at}. {}{end}\n",
        finding.message(),
        finding.help
    )
}

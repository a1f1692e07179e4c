//! What the check of one return came to: its steps, its findings and its facts. Data only; formats
//! make text of it.

use std::borrow::Cow;

use crate::finding::Finding;
use crate::level::Level;
use crate::profile::LengthLimit;
use crate::rule::Rule;
use crate::step::Step;
use crate::text::names;

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepOutcome {
    /// Nothing in it fails the return.
    Pass,
    /// Something in it fails the return.
    Fail,
    /// It had nothing to do: the status claims no success.
    Idle,
    /// It could not run, and why.
    Skip(Cow<'static, str>),
}

/// One step and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepReport {
    /// The step.
    pub step: Step,
    /// How it ended.
    pub outcome: StepOutcome,
}

/// What was found where a return says it wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArtifactState {
    /// A file with content.
    Ok,
    /// A file of 0 bytes.
    Empty,
    /// Nothing.
    NotFound,
    /// A folder, a FIFO, a device or a socket.
    NotAFile,
    /// The path leaves the root.
    OutsideRoot,
    /// The text cannot name a file below the root.
    InvalidPath,
    /// It may not be read.
    Unreadable,
    /// Nobody looked: the status claims no success.
    Unchecked,
}

names! { pub ArtifactState, "artifact state" {
    Ok = "ok",
    Empty = "empty",
    NotFound = "not-found",
    NotAFile = "not-a-file",
    OutsideRoot = "outside-root",
    InvalidPath = "invalid-path",
    Unreadable = "unreadable",
    Unchecked = "unchecked",
} }

/// One file that a return says it wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArtifactReport<'t> {
    /// The path, exactly as the return has it: not safe to print.
    pub path: Cow<'t, str>,
    /// What was found.
    pub state: ArtifactState,
    /// Its size, where there is a file.
    pub bytes: Option<u64>,
}

/// The chain of delegations that led to a return, by its own word: not safe to print.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Delegation {
    /// How deep in the chain.
    pub depth: Option<f64>,
    /// The agents from the orchestrator down.
    pub path: Vec<String>,
}

impl Delegation {
    /// The depth as JSON: a whole number without a fraction, as every standard asks for it.
    #[must_use]
    pub fn depth_in_json(&self) -> Option<serde_json::Number> {
        self.depth?.to_string().parse().ok()
    }
}

/// The check on one return.
///
/// Texts taken from the return (`status`, `session_id`, `agent_type`, artifact paths) are exactly as
/// in the return: not safe to print. Texts in [`findings`](Self::findings), except for the pointers,
/// are escaped, as is everything that [`Display`](std::fmt::Display) and
/// [`Format::render`](crate::format::Format::render) write.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report<'t> {
    /// The id of the profile that it was checked against.
    pub profile: Cow<'t, str>,
    /// The status, if it has one.
    pub status: Option<Cow<'t, str>>,
    /// Whether that status claims success.
    pub claims_success: bool,
    /// The session that it answers, by its own word.
    pub session_id: Option<Cow<'t, str>>,
    /// The agent that wrote it, by its own word.
    pub agent_type: Option<Cow<'t, str>>,
    /// The session that it should answer: the one named by the caller, else its own.
    pub session: Option<Cow<'t, str>>,
    /// The agent to blame: the one named by the caller, else by the return, else "subagent".
    pub subagent: Cow<'t, str>,
    /// How it came about, by its own word; only where the return fails.
    pub delegation: Option<Delegation>,
    /// The length of its summary, in characters (Unicode scalar values).
    pub summary_characters: Option<usize>,
    /// The limit that the standard sets, and the length, in the limit's own count, of what it
    /// bounds: characters for tokens, words for words.
    pub measured: Option<(LengthLimit, usize)>,
    /// The six steps, in order.
    pub steps: [StepReport; 6],
    /// What was found, in step order; at most [`Report::FINDINGS_KEPT`] of them.
    pub findings: Vec<Finding>,
    /// Findings that fail the return, kept or not.
    pub failures: usize,
    /// Findings that do not, kept or not.
    pub warnings: usize,
    /// Findings that were known before, and taken out.
    pub accepted: usize,
    /// Entries in its lists of artifacts, usable or not.
    pub claimed: usize,
    /// How many findings each rule has, kept or not.
    pub counts: Vec<(&'static Rule, Level, usize)>,
    /// The files that it claims: the entries with a path.
    pub artifacts: Vec<ArtifactReport<'t>>,
}

impl Report<'_> {
    /// Findings that are kept of one return; the rest is counted. Bounds the memory that a
    /// hostile return can cost.
    pub const FINDINGS_KEPT: usize = 1_000;

    /// Whether the return meets its standard.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.failures == 0
    }

    /// Findings that were counted and not kept.
    #[must_use]
    pub fn findings_omitted(&self) -> usize {
        self.failures + self.warnings - self.findings.len()
    }

    /// How many findings a rule has, kept or not.
    #[must_use]
    pub fn found(&self, rule: &str) -> usize {
        let of_rule = self.counts.iter().filter(|(known, ..)| known.id == rule);
        of_rule.map(|(_, _, count)| count).sum()
    }

    /// Takes out the findings of some rules, kept or not, as known.
    pub fn accept(&mut self, is_known: impl Fn(&Rule) -> bool) {
        self.findings.retain(|finding| !is_known(finding.rule));
        for (rule, level, count) in &self.counts {
            if is_known(rule) {
                match level {
                    Level::Error => self.failures -= count,
                    _ => self.warnings -= count,
                }
                self.accepted += count;
            }
        }
        self.counts.retain(|(rule, ..)| !is_known(rule));
    }

    /// How a step ended.
    #[must_use]
    pub fn outcome(&self, step: Step) -> &StepOutcome {
        &self.steps[step as usize].outcome
    }

    /// The same report without ties to the text that was checked.
    #[must_use]
    pub fn into_owned(self) -> Report<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Report {
            profile: owned(self.profile),
            status: self.status.map(owned),
            claims_success: self.claims_success,
            session_id: self.session_id.map(owned),
            agent_type: self.agent_type.map(owned),
            session: self.session.map(owned),
            subagent: owned(self.subagent),
            delegation: self.delegation,
            summary_characters: self.summary_characters,
            measured: self.measured,
            steps: self.steps,
            findings: self.findings,
            failures: self.failures,
            warnings: self.warnings,
            accepted: self.accepted,
            claimed: self.claimed,
            counts: self.counts,
            artifacts: (self.artifacts.into_iter())
                .map(|artifact| ArtifactReport {
                    path: owned(artifact.path),
                    state: artifact.state,
                    bytes: artifact.bytes,
                })
                .collect(),
        }
    }
}

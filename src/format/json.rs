//! `json` and `jsonl`: one record for each return, version 1. Members are only removed or changed
//! with a new version.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::check::finding::Finding;
use crate::check::next::number;
use crate::check::report::{
    ArtifactReport, ArtifactState, Delegation, ErrorEntry, EvidenceReport, Next, Progress, Report,
    StepOutcome, StepReport,
};
use crate::check::rules::{Level, Rule, Step};
use crate::clients::output::Envelope;
use crate::evidence::EvidenceValue;
use crate::format::{Checked, Reporter, RunSummary, Source};
use crate::json::compact::compact;
use crate::json::members::RawMembers;
use crate::json::tokens::{Walker, depth};
use crate::profile::{Action, Shape, tokens};
use crate::text::{escape, names};

/// The version of the JSON report.
pub(crate) const VERSION: u8 = 1;

names! {
    /// The outcome of a step.
    #[derive(Clone, Copy)]
    pub(crate) enum Ended: "outcome" {
        Pass = "pass",
        Fail = "fail",
        Skip = "skip",
    }
}

/// The record of a return: a line of `jsonl`, and an item of `json`.
#[derive(Serialize)]
struct ReturnRecord<'r> {
    version: u8,
    source: &'r str,
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'r str>,
    #[serde(flatten)]
    report: ReportRecord<'r>,
}

#[derive(Serialize, Default)]
struct ReportRecord<'r> {
    profile: Option<&'r str>,
    valid: Option<bool>,
    error: Option<&'r str>,
    status: Option<&'r str>,
    session_id: Option<&'r str>,
    agent_type: Option<&'r str>,
    delegation_depth: Option<Number>,
    delegation_path: &'r [Cow<'r, str>],
    summary: Option<&'r str>,
    summary_tokens: Option<f64>,
    #[serde(serialize_with = "number")]
    duration_seconds: Option<f64>,
    next: Option<Next<'r>>,
    recoverable: Option<bool>,
    next_steps: Option<&'r str>,
    partial_progress: Option<&'r Progress<'r>>,
    #[serde(flatten)]
    stated: Stated<'r>,
    errors: &'r [ErrorEntry<'r>],
    steps: Option<[StepRecord<'r>; 6]>,
    findings: &'r [Finding],
    #[serde(skip_serializing_if = "is_zero")]
    findings_omitted: usize,
    #[serde(skip_serializing_if = "is_zero")]
    accepted: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    envelope: Option<&'r Envelope>,
    #[serde(serialize_with = "artifacts")]
    artifacts: &'r [ArtifactReport<'r>],
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Vec<ClaimRecord<'r>>>,
}

#[derive(Serialize)]
struct StepRecord<'r> {
    step: Step,
    outcome: Ended,
    reason: Option<&'r str>,
}

#[derive(Serialize)]
struct FindingRecord<'r> {
    rule: &'static str,
    level: Level,
    message: String,
    help: &'r str,
    pointer: Option<&'r str>,
    line: usize,
    column: usize,
    offset: usize,
    length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'r str>,
}

#[derive(Serialize)]
struct ArtifactRecord<'r> {
    path: &'r str,
    #[serde(rename = "type")]
    kind: Option<&'r str>,
    summary: Option<&'r str>,
    state: ArtifactState,
    bytes: Option<u64>,
}

/// What the evidence shows about a claim: an item of the list `evidence`.
#[derive(Serialize)]
struct ClaimRecord<'r> {
    rule: &'static str,
    /// What the return claims: the opposite of what the rule reports.
    claim: &'static str,
    pointer: &'r str,
    file: Option<&'r str>,
    value: EvidenceValue,
    reason: &'r str,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
pub(super) fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl<'r> ReturnRecord<'r> {
    fn new(source: &Source<'r>, checked: Checked<'r>) -> Self {
        Self {
            version: VERSION,
            source: source.name,
            line: source.line,
            id: source.id,
            report: match checked {
                Checked::Report(report) => ReportRecord::new(report),
                Checked::Unreadable(error) => ReportRecord::unreadable(error),
            },
        }
    }
}

impl<'r> ReportRecord<'r> {
    fn new(report: &'r Report<'_>) -> Self {
        let follow_up = &report.follow_up;
        let delegation = report.delegation.as_ref();
        Self {
            profile: Some(&report.profile),
            valid: Some(report.is_valid()),
            error: None,
            status: report.status.as_deref(),
            session_id: report.session_id.as_deref(),
            agent_type: report.agent_type.as_deref(),
            delegation_depth: delegation.and_then(Delegation::depth_in_json),
            delegation_path: delegation.map_or(&[], |delegation| &delegation.path),
            summary: follow_up.summary.as_deref(),
            summary_tokens: report.summary_characters.map(tokens),
            duration_seconds: follow_up.duration_seconds,
            next: Some(report.next()),
            recoverable: follow_up.recoverable,
            next_steps: follow_up.next_steps.as_deref(),
            partial_progress: follow_up.partial_progress.as_ref(),
            stated: Stated::of(report),
            errors: &follow_up.errors,
            steps: Some(report.steps.each_ref().map(StepRecord::new)),
            findings: &report.findings,
            findings_omitted: report.findings_omitted(),
            accepted: report.accepted,
            envelope: report.envelope.as_ref(),
            artifacts: &report.artifacts,
            evidence: report.evidence.as_ref().map(claims),
        }
    }

    fn unreadable(error: &'r str) -> Self {
        let skipped = |step| StepRecord {
            step,
            outcome: Ended::Skip,
            reason: Some("the return could not be read"),
        };
        Self {
            error: Some(error),
            next: Some(Next::of(Action::Stop)),
            steps: Some(Step::ALL.map(skipped)),
            ..Self::default()
        }
    }
}

fn artifacts<S: Serializer>(
    artifacts: &[ArtifactReport<'_>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(artifacts.iter().map(|it| ArtifactRecord {
        path: &it.path,
        kind: it.kind.as_deref(),
        summary: it.summary.as_deref(),
        state: it.state,
        bytes: it.bytes,
    }))
}

fn claims(evidence: &EvidenceReport) -> Vec<ClaimRecord<'_>> {
    let records = evidence.claims.iter().map(|claim| ClaimRecord {
        rule: claim.rule.id,
        claim: claim_of(claim.rule),
        pointer: &claim.pointer,
        file: claim.file.as_deref(),
        value: claim.value,
        reason: &claim.reason,
    });
    records.collect()
}

/// Returns the claim that a rule is about, as a statement that is either shown, contradicted or unknown.
fn claim_of(rule: &Rule) -> &'static str {
    rule.claim
        .map_or("the agent did what it claims", |(_, claim)| claim)
}

/// Writes the record of the `json` format without its version, source and line. Texts of the
/// return are not escaped for a terminal; [`Format::render`](crate::format::Format::render) does that.
impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ReportRecord::new(self).serialize(serializer)
    }
}

/// Writes one entry of `findings` in the `json` format.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = FindingRecord {
            rule: self.rule.id,
            level: self.level,
            message: self.message(),
            help: self.help(),
            pointer: self.pointer(),
            line: self.position.line,
            column: self.position.column,
            offset: self.position.offset,
            length: self.length(),
            suggestion: self.suggestion(),
        };
        record.serialize(serializer)
    }
}

/// Writes `value` as JSON text that is safe to print.
pub(super) fn write(value: &impl Serialize, out: &mut Vec<u8>) {
    escape::push_json(out, |out| {
        // This fails only for map keys that are not strings, which records do not have.
        let _ = serde_json::to_writer(out, value);
    });
}

impl<'r> StepRecord<'r> {
    fn new(report: &'r StepReport) -> Self {
        let (outcome, reason) = match &report.outcome {
            StepOutcome::Pass => (Ended::Pass, None),
            StepOutcome::Fail => (Ended::Fail, None),
            StepOutcome::NotApplicable => (Ended::Skip, Some("the status does not claim success")),
            StepOutcome::Skip(why) => (Ended::Skip, Some(why.as_ref())),
        };
        Self {
            step: report.step,
            outcome,
            reason,
        }
    }
}

/// The most levels of a whole return in a record: many readers take no more than 128 of the record.
const LEVELS: usize = 120;

/// The members of a handoff that every record has.
const KNOWN: [&str; 4] = ["from_agent", "status", "summary", "session_id"];

/// The numbers in the metadata that callers show.
pub(crate) const COUNTS: [&str; 4] = [
    "phase_count",
    "phases_completed",
    "phases_total",
    "findings_count",
];

const COMPLETION: &str = "completion_data";

/// A JSON value as it is written, but on one line.
#[derive(Debug, Clone, Copy)]
struct OneLine<'r>(&'r RawValue);

impl Serialize for OneLine<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match compact(self.0.get()) {
            Cow::Borrowed(_) => self.0.serialize(out),
            Cow::Owned(text) => {
                let value = RawValue::from_string(text).map_err(S::Error::custom)?;
                value.serialize(out)
            }
        }
    }
}

/// Readable members of an object.
type StatedMembers<'r> = BTreeMap<Cow<'r, str>, OneLine<'r>>;

/// Numbers of the metadata; null if missing.
#[derive(Debug)]
struct StatedCounts<'r>([Option<OneLine<'r>>; COUNTS.len()]);

impl Serialize for StatedCounts<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(COUNTS.iter().zip(&self.0))
    }
}

/// Members of a return that few returns have.
#[derive(Debug, Default, Serialize)]
struct Stated<'r> {
    completion_data: Option<OneLine<'r>>,
    counts: Option<StatedCounts<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    handoff: Option<StatedMembers<'r>>,
}

impl<'r> Stated<'r> {
    /// Reads the text a second time, if it has any of them.
    fn of(report: &'r Report<'_>) -> Self {
        let is_handoff = report.shape == Shape::Handoff;
        let names = || COUNTS.into_iter().chain([COMPLETION]);
        let text = report.text.as_deref().unwrap_or_default();
        let is_refused = matches!(report.outcome(Step::Fields), StepOutcome::Skip(_));
        if is_refused || !is_handoff && !names().any(|name| text.contains(name)) {
            return Self::default();
        }
        let Some(mut own) = members(text) else {
            return Self::default();
        };
        if is_handoff {
            own.retain(|name, _| !KNOWN.contains(&&**name));
            return Self {
                handoff: Some(own),
                ..Self::default()
            };
        }
        let metadata = own.get("metadata");
        let metadata = metadata.and_then(|metadata| members(metadata.0.get()));
        let counts =
            metadata.map(|it| COUNTS.map(|name| it.get(name).copied().filter(OneLine::is_number)));
        Self {
            completion_data: own
                .remove(COMPLETION)
                .filter(|it| it.0.get().starts_with('{')),
            counts: counts
                .filter(|counts| counts.iter().any(Option::is_some))
                .map(StatedCounts),
            handoff: None,
        }
    }
}

impl OneLine<'_> {
    fn is_number(&self) -> bool {
        self.0
            .get()
            .starts_with(|it: char| it == '-' || it.is_ascii_digit())
    }
}

/// The members of an object that every reader of JSON can read. None if the text is no object.
fn members(text: &str) -> Option<StatedMembers<'_>> {
    let RawMembers(members) = serde_json::from_str(text).ok()?;
    let readable = members
        .into_iter()
        .filter(|(_, value)| is_readable(value.get()));
    Some(
        readable
            .map(|(name, value)| (name, OneLine(value)))
            .collect(),
    )
}

/// Whether every reader of JSON can read a value: it has no number beyond an `f64`, no half of a surrogate
/// pair, and few levels.
fn is_readable(json: &str) -> bool {
    let is_fine = |raw: &str| match raw.as_bytes().first() {
        Some(b'"') => !raw.contains("\\u") || serde_json::from_str::<String>(raw).is_ok(),
        Some(b'-' | b'0'..=b'9') => raw.parse().is_ok_and(f64::is_finite),
        _ => true,
    };
    // No value is made of it, which could be many times as large.
    depth(json) <= LEVELS && Walker::new(json).all(|(_, span)| is_fine(&json[span.start..span.end]))
}

/// The format `json`: one document, `{"version":1,"returns":[…],"totals":{…}}`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Json;

impl Reporter for Json {
    fn begin(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{{\"version\":{VERSION},\"returns\":[\n").as_bytes());
    }

    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        write(&ReturnRecord::new(source, checked), out);
    }

    fn between(&self) -> &'static [u8] {
        b",\n"
    }

    fn finish(&self, end: &RunSummary<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n],\"totals\":");
        write(end.totals, out);
        out.extend_from_slice(b"}\n");
    }
}

/// The format `jsonl`: one record on each line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jsonl;

impl Reporter for Jsonl {
    fn report(&self, source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        write(&ReturnRecord::new(source, checked), out);
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use crate::check::rules::RULES;

    #[test]
    fn every_rule_about_evidence_has_its_claim() {
        let starts = ["Reported with evidence", "Reported only with evidence"];
        let mut about = RULES.iter().filter(|rule| {
            let mut starts = starts.iter();
            starts.any(|it| rule.explanation().starts_with(it))
        });
        assert!(about.all(|rule| rule.claim.is_some()));
    }
}

//! `json` and `jsonl`: one record for each return, version 1. Members are only removed or changed with a new
//! version. Each record names its members once, with the value and its schema, for `retval schema`.

use std::collections::BTreeMap;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::check::finding::Finding;
use crate::check::report::{
    Artifact, ArtifactReport, ArtifactState, ClaimReport, Delegation, Next, Progress, Report,
    Return, ReturnError, StepOutcome, StepReport,
};
use crate::check::rules::{Level, RULES, Step};
use crate::clients::output::{Envelope, OutputKind};
use crate::document::json::{compact, read};
use crate::document::tree::{Content, Value};
use crate::evidence::{EvidenceValue, Receipt, RunEnd, TestReceipt};
use crate::json_schema::{SchemaKeyword, SchemaNode};
use crate::profile::{Action, Shape, tokens};
use crate::report::{Checked, Source, Totals};
use crate::text::escape;

const VERSION: u8 = 1;

const COUNTS: [&str; 4] = ["phase_count", "phases_completed", "phases_total", "findings_count"];

const COMPLETION: &str = "completion_data";
const KNOWN: [&str; 4] = ["from_agent", "status", "summary", "session_id"];

/// The most levels of a whole return in a record: many readers take no more than 128 of the record.
const LEVELS: usize = 120;

pub(super) fn begin(out: &mut Vec<u8>) {
    out.extend_from_slice(format!("{{\"version\":{VERSION},\"returns\":[\n").as_bytes());
}

/// Writes the record of a return: a line of `jsonl`, and an item of `json`.
pub(super) fn record(source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
    let source = Some(source);
    write(&ReturnRecord { source, checked }, out);
}

pub(super) fn finish(totals: &Totals, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\n],\"totals\":");
    write(totals, out);
    out.extend_from_slice(b"}\n");
}

/// Writes `value` as JSON text that is safe to print.
pub(super) fn write(value: &impl Serialize, out: &mut Vec<u8>) {
    escape::push_json(out, |out| {
        // This fails only for map keys that are not strings, which records do not have.
        let _ = serde_json::to_writer(out, value);
    });
}

/// Returns `value` as JSON text on one line that is safe to print.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut out = Vec::new();
    write(value, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Makes a JSON object with members in this order. One that is `optional` is left out if it is none.
macro_rules! members {
    ($($name:literal $($optional:ident)?: $value:expr),+ $(,)?) => {{
        let mut members = $crate::report::Members::default();
        $(members!(@add members, $name, $value $(, $optional)?);)+
        members
    }};
    (@add $members:ident, $name:literal, $value:expr) => { $members.add($name, &$value) };
    (@add $members:ident, $name:literal, $value:expr, optional) => {
        if let Some(value) = $value {
            $members.add($name, &value);
        }
    };
}
pub(crate) use members;

#[derive(Default)]
pub(crate) struct Members(pub(super) Vec<(&'static str, Box<RawValue>)>);

impl Members {
    pub(crate) fn add(&mut self, name: &'static str, value: &impl Serialize) {
        // This fails only for map keys that are not strings, which no value has.
        let value = serde_json::value::to_raw_value(value).unwrap_or_default();
        self.0.push((name, value));
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Lists the members of a record, in order: the name, the value, and the schema of the value. A member is left
/// out if it is `optional` and none. So is one that is `given`, but not in a record that the schema describes.
macro_rules! record {
    ($(#[$about:meta])* $record:ty, $it:ident, {$($first:tt)*}
        $($name:literal $($mark:ident)?: $value:expr, $schema:expr;)+) => {
        $(#[$about])*
        impl Serialize for $record {
            fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                let $it = self;
                $($first)*
                let mut members = out.serialize_map(None)?;
                $(record!(@write members, $name, $value $(, $mark)?);)+
                members.end()
            }
        }

        impl $record {
            #[allow(dead_code, reason = "not all are a part of the record of a return")]
            pub(super) fn schema() -> SchemaNode {
                SchemaNode::object([$(($name, record!(@required $($mark)?), $schema)),+])
            }
        }
    };
    (@write $members:ident, $name:literal, $value:expr) => {
        $members.serialize_entry($name, &$value)?
    };
    (@write $members:ident, $name:literal, $value:expr, $mark:ident) => {
        if let Some(value) = $value {
            $members.serialize_entry($name, &value)?;
        }
    };
    (@required optional) => { false };
    (@required $($given:ident)?) => { true };
}

fn string() -> SchemaNode {
    SchemaNode::of_type("string")
}

fn number() -> SchemaNode {
    SchemaNode::of_type("number")
}

fn boolean() -> SchemaNode {
    SchemaNode::of_type("boolean")
}

fn count(least: u64) -> SchemaNode {
    SchemaNode { minimum: Some(least), ..SchemaNode::of_type("integer") }
}

fn rule() -> SchemaNode {
    SchemaNode::one_of(RULES.map(|rule| rule.id))
}

/// A list that is limited as that of the findings is.
fn kept(items: SchemaNode) -> SchemaNode {
    SchemaNode { most: Some(Report::FINDINGS_KEPT), ..SchemaNode::array(items) }
}

pub(crate) fn version() -> SchemaNode {
    SchemaNode { words: vec![SchemaKeyword::Number(VERSION)], ..SchemaNode::default() }
}

/// What is known of a return. The source is not known where only its report is written.
pub(crate) struct ReturnRecord<'r> {
    source: Option<&'r Source<'r>>,
    checked: Checked<'r>,
}

record! {
    ReturnRecord<'_>, it, {
        let (report, error) = match it.checked {
            Checked::Report(report) => (Some(report), None),
            Checked::Unreadable(error) => (None, Some(error)),
        };
        let returned = report.map(|it| &it.returned);
        let delegation = returned.and_then(|it| it.delegation.as_ref());
        let stated = report.and_then(Stated::of).unwrap_or_default();
        let skipped = StepOutcome::Skip("the return could not be read".into());
        let unread = StepReport::of_all(|_| skipped.clone());
    }
    "version" given: it.source.map(|_| VERSION), version();
    "source" given: it.source.map(|it| it.name),
        string().described("The file's path, or - for standard input.");
    "line" given: it.source.map(|it| it.line),
        count(1).or_null().described("The line of a stream of returns, from 1.");
    "id" optional: it.source.and_then(|it| it.id),
        string().described("The id that a line of --lines=texts gives its text.");
    "profile": report.map(|it| &it.profile),
        string().or_null().described("The profile that the return was checked against.");
    "valid": report.map(Report::is_valid),
        boolean().or_null().described("Null if it could not be read.");
    "error": error, string().or_null().described("Why it could not be read.");
    "status": returned.map(|it| &it.status), string().or_null();
    "session_id": returned.map(|it| &it.session_id), string().or_null();
    "agent_type": returned.map(|it| &it.agent_type), string().or_null();
    "delegation_depth": delegation.and_then(Delegation::depth_in_json), number().or_null();
    "delegation_path": delegation.map_or(&[][..], |it| &it.path), SchemaNode::array(string());
    "summary": returned.map(|it| &it.summary), string().or_null();
    "summary_tokens": report.and_then(|it| it.summary_characters).map(tokens),
        SchemaNode { minimum: Some(0), ..number() }.or_null()
            .described("Characters / 4, unrounded.");
    "duration_seconds": returned.and_then(|it| it.duration_seconds).map(amount), number().or_null();
    "next": report.map_or(Next::of(Action::Stop), Report::next), Next::schema();
    "recoverable": returned.map(Return::recoverable),
        boolean().or_null()
            .described("Whether every error is recoverable; null without errors.");
    "next_steps": returned.map(|it| &it.next_steps), string().or_null();
    "partial_progress": returned.map(|it| &it.partial_progress), Progress::schema().or_null();
    "completion_data": stated.completion_data,
        SchemaNode::of_type("object").or_null().described("As in the return.");
    "counts": stated.counts,
        SchemaNode::object(COUNTS.map(|name| (name, true, number().or_null()))).or_null();
    "handoff" optional: &stated.handoff,
        SchemaNode::of_type("object")
            .described("The other members of a handoff file, as they are there.");
    "errors": returned.map_or(&[][..], |it| &it.errors), SchemaNode::array(ReturnError::schema());
    "steps": report.map_or(&unread, |it| &it.steps), steps();
    "findings": report.map_or(&[][..], |it| &it.findings), kept(Finding::schema());
    "findings_omitted" optional: report.and_then(|it| some(it.findings_omitted())),
        count(1).described("Findings beyond those listed.");
    "accepted" optional: report.and_then(|it| it.is_accepted().then_some(true)),
        boolean().described("True if the return is invalid, and the baseline accepts all that fails it.");
    "envelope" optional: report.and_then(|it| it.envelope.as_ref()),
        Envelope::schema().described("The client's output that the return was taken out of.");
    "artifacts": report.map_or_else(Vec::new, listed), SchemaNode::array(ListedArtifact::schema());
    "evidence" optional: report.and_then(|it| it.evidence.as_ref()),
        kept(ClaimReport::schema())
            .described("What the evidence says of each claim. Only with evidence.");
    "receipt" optional: report.and_then(|it| it.receipt.as_ref()),
        Receipt::schema()
            .described("What the record of the agent's run shows. Null is what it does not show.");
}

/// Writes a record of `json` without its version, source and line. Nothing in it is escaped for a terminal.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (source, checked) = (None, Checked::Report(self));
        ReturnRecord { source, checked }.serialize(serializer)
    }
}

fn steps() -> SchemaNode {
    SchemaNode {
        fewest: Some(Step::ALL.len()),
        most: Some(Step::ALL.len()),
        ..SchemaNode::array(StepReport::schema())
    }
}

record! {
    StepReport, it, {
        let (outcome, reason) = match &it.outcome {
            StepOutcome::Pass => ("pass", None),
            StepOutcome::Fail => ("fail", None),
            StepOutcome::NotApplicable => ("skip", Some("the status does not claim success")),
            StepOutcome::Skip(why) => ("skip", Some(why.as_ref())),
        };
    }
    "step": it.step, SchemaNode::one_of(Step::ALL.map(Step::as_str));
    "outcome": outcome, SchemaNode::one_of(["pass", "fail", "skip"]);
    "reason": reason, string().or_null().described("Why it was skipped.");
}

record! {
    Finding, it, {}
    "rule": it.rule.id, rule();
    "level": it.level, SchemaNode::one_of([Level::Error, Level::Warning].map(Level::as_str));
    "message": it.message(), string();
    "help": it.help, string().described("How to fix it.");
    "pointer": it.pointer,
        string().or_null().described("RFC 6901; null where the text is not JSON.");
    "line": it.position.line, count(1).described("From 1.");
    "column": it.position.column, count(1).described("From 1, in Unicode scalar values.");
    "offset": it.position.offset, count(0).described("Bytes from 0 in the file.");
    "length": it.length(), count(0).described("Bytes.");
    "suggestion" optional: it.suggestion.as_ref(),
        string().described("What was probably meant. It is part of `help`, too.");
}

record! {
    Next<'_>, it, {}
    "action": it.action,
        SchemaNode::one_of(Action::ALL.map(Action::as_str))
            .described("What the orchestrator should do.");
    "agent": it.agent,
        string().or_null().described("The agent whose turn it is, if it is known.");
}

record! {
    Delegation, it, {}
    "depth": it.depth_in_json(), number().or_null();
    "path": it.path, SchemaNode::array(string());
}

record! {
    Progress, it, {}
    "stage": it.stage, string().or_null();
    "details": it.details, string().or_null();
    "phases_completed": it.phases_completed.map(amount), number().or_null();
    "phases_total": it.phases_total.map(amount), number().or_null();
}

record! {
    ReturnError, it, {}
    "type": it.kind, string().or_null();
    "message": it.message, string().or_null();
    "code": it.code, string().or_null();
    "recoverable": it.recoverable, boolean().or_null();
    "recommendation": it.recommendation, string().or_null();
}

record! {
    Envelope, it, {}
    "kind": it.kind, SchemaNode::one_of(OutputKind::all().map(|kind| kind.name));
    "pointer": it.pointer, string().described("The value in the output that is the return.");
    "line": it.line, count(1).or_null().described("The line of an event stream, from 1.");
}

/// A file that was looked at, and what the return says of it.
struct ListedArtifact<'r>(&'r ArtifactReport, Option<&'r Artifact>);

fn listed(report: &Report) -> Vec<ListedArtifact<'_>> {
    let said = report.returned.artifacts.iter().map(Some);
    let said = said.chain(std::iter::repeat(None));
    let all = report.artifacts.iter().zip(said);
    all.map(|(it, said)| ListedArtifact(it, said)).collect()
}

record! {
    ListedArtifact<'_>, it, { let (it, said) = (it.0, it.1); }
    "path": it.path, string().described("As in the return.");
    "type": said.map(|it| &it.kind), string().or_null().described("As in the return.");
    "summary": said.map(|it| &it.summary), string().or_null().described("As in the return.");
    "state": it.state, SchemaNode::one_of(ArtifactState::ALL.map(ArtifactState::as_str));
    "bytes": it.bytes, count(0).or_null().described("The size of the file, where there is one.");
}

record! {
    ClaimReport, it, { let stated = it.rule.claim; }
    "rule": it.rule.id, rule();
    "claim": stated.map_or("the agent did what it claims", |(_, claim)| claim),
        string().described("What is claimed; the rule reports that it is not so.");
    "pointer": it.pointer, string().described("RFC 6901; empty for the whole return.");
    "file": it.file,
        string().or_null()
            .described("The handoff file that has the claim, if the return has not.");
    "value": it.value, SchemaNode::one_of(EvidenceValue::ALL.map(EvidenceValue::as_str));
    "reason": it.reason, string().described("Why it has that value.");
}

record! {
    Receipt, it, {}
    "ended": it.ended, SchemaNode::one_of(RunEnd::ALL.map(RunEnd::as_str)).or_null();
    "calls": it.calls, count(0).or_null().described("Tool calls.");
    "files_written": it.are_all_known.then_some(it.written.len()), count(0).or_null()
        .described("By file tools and redirections.");
    "written": it.written.iter().take(Receipt::NAMES).collect::<Vec<_>>(),
        SchemaNode::array(string()).described("The first of these files.");
    "files_read": it.read, count(0).or_null().described("By tools that name them.");
    "commands": it.commands, count(0).or_null();
    "tests": it.tests, TestReceipt::schema().or_null().described("The last tests.");
    "commits": it.commits, count(0).or_null();
    "seconds": it.seconds, count(0).or_null();
    "uncommitted": it.uncommitted, count(0).or_null()
        .described("Files that the agent wrote, and that git has not as they are.");
    "work_tree": it.work_tree, string().or_null()
        .described("The working tree that all of these are in, if it was made for the agent.");
    "not_there": it.not_there, SchemaNode::array(string())
        .described("Files that the report names, and that are not there.");
}

record! {
    TestReceipt, it, {}
    "runner": it.runner, string();
    "passed": it.passed, boolean();
    "failed": it.count.map(|it| it.failed), count(0).or_null();
    "ran": it.count.map(|it| it.ran), count(0).or_null();
    "code_changed_after": it.is_outdated, boolean().or_null();
}

record! {
    Totals, it, {}
    "returns": it.returns, count(0);
    "valid": it.valid, count(0);
    "invalid": it.invalid, count(0);
    "unchecked": it.unchecked, count(0);
    "warnings": it.warnings, count(0);
    "accepted" optional: some(it.accepted),
        count(1).described("Of the invalid ones, those that the baseline accepts.");
}

fn some(count: usize) -> Option<usize> {
    (count > 0).then_some(count)
}

/// A number as JSON. A whole one is written without a fraction.
fn amount(number: f64) -> Option<Number> {
    /// An `f64` holds every whole number up to this one exactly.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() != 0.0 || number.abs() > EXACT {
        return Number::from_f64(number);
    }
    #[allow(clippy::cast_possible_truncation, reason = "it is whole, and small enough")]
    Some((number as i64).into())
}

/// Members of a return that few returns have, each value as it is written, but on one line.
#[derive(Default)]
struct Stated {
    completion_data: Option<Box<RawValue>>,
    /// Numbers of the metadata; null if missing.
    counts: Option<Members>,
    handoff: Option<BTreeMap<String, Box<RawValue>>>,
}

impl Stated {
    /// Reads the text a second time, if it has any of them.
    fn of(report: &Report) -> Option<Self> {
        let is_handoff = report.shape == Shape::Handoff;
        let text = report.text.as_deref()?;
        let mut names = COUNTS.iter().chain([&COMPLETION]);
        let is_refused = matches!(report.outcome(Step::Fields), StepOutcome::Skip(_));
        if is_refused || !is_handoff && !names.any(|name| text.contains(name)) {
            return None;
        }
        let tree = read(text).ok()?;
        let root = tree.root();
        let mut stated = Self::default();
        if is_handoff {
            let others = root.members().filter(|it| !KNOWN.contains(&it.key()));
            let others = others.filter_map(|it| Some((it.key().to_owned(), written(it, text)?)));
            stated.handoff = Some(others.collect());
            return Some(stated);
        }
        let metadata = root.object_of("metadata");
        let count = |name| metadata?.member(name).filter(|it| it.number().is_some());
        let counts = COUNTS.map(|name| count(name).and_then(|it| written(it, text)));
        if counts.iter().any(Option::is_some) {
            let members = stated.counts.insert(Members::default());
            for (name, count) in COUNTS.iter().zip(&counts) {
                members.add(name, count);
            }
        }
        let completion = root.object_of(COMPLETION);
        stated.completion_data = completion.and_then(|it| written(it, text));
        Some(stated)
    }
}

/// A value as it is written, on one line. None if it has too many levels, or a number beyond an `f64`.
fn written(value: Value<'_, '_>, text: &str) -> Option<Box<RawValue>> {
    let span = value.span_around();
    let json = compact(&text[span.start..span.end]);
    let is_readable = value.depth() <= LEVELS && has_finite_numbers(value);
    is_readable.then(|| RawValue::from_string(json.into_owned()).ok())?
}

fn has_finite_numbers(value: Value<'_, '_>) -> bool {
    match value.content() {
        Content::Number(number) => number.parse().is_ok_and(f64::is_finite),
        _ => value.items().chain(value.members()).all(has_finite_numbers),
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

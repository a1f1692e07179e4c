//! Handoff files. The one that belongs to the status of a compact return is there and valid. In the file itself, the
//! members for the next agent are present, and neither they nor their counts contradict each other or the status.

use crate::check::finding::Finding;
use crate::check::report::{ArtifactState, ClaimReport, Report};
use crate::check::rules::{metadata_file, work};
use crate::check::{Collector, Diagnostic, Location, Placeholder, differ, values};
use crate::document::pointer::Segment;
use crate::document::tree::Value;
use crate::profile::{Meaning, Need, Profile};
use crate::root::Found as OnDisk;
use crate::rule::{Level, Rule, Step};
use crate::text::escape::truncated;
use crate::text::is_blank;

pub(super) static STATUS_MISMATCH: Rule = Rule::error(Step::Artifacts, "handoff-status-mismatch")
    .applies_to(Profile::has_handoff_file)
    .says("Handoff file has status {found}, but {status} was returned")
    .advises("Return the status that you wrote to your handoff file");

pub(super) static INVALID: Rule = Rule::error(Step::Artifacts, "handoff-invalid")
    .applies_to(Profile::has_handoff_file)
    .says("Handoff file is not valid: {path}")
    .helps("Fix {agent} to write a valid handoff file; check it with --profile handoff")
    .advises("Write a valid handoff file");

pub(super) static NOT_FOUND: Rule = Rule::error(Step::Artifacts, "handoff-not-found")
    .applies_to(Profile::has_handoff_file)
    .says("Handoff file does not exist: {path}")
    .helps("Verify {agent} writes its handoff file before it returns its status")
    .advises("Write your handoff file before returning your status");

/// Adds what is wrong with a handoff file, and what it claims, to what is known of the return.
pub(crate) fn compare(report: &Report, collector: &mut Collector<'_, '_>, path: &str) {
    let context = collector.context;
    let claims = report.evidence.iter().flatten();
    let room = Report::FINDINGS_KEPT.saturating_sub(collector.facts.claims.len());
    let claims =
        claims.take(room).map(|claim| ClaimReport { file: Some(path.to_owned()), ..claim.clone() });
    collector.facts.claims.extend(claims);
    let (imported, others): (Vec<_>, Vec<_>) =
        report.findings.iter().partition(|it| is_imported(it));
    let failures = imported.iter().filter(|it| it.level == Level::Error).count();
    let failures = report.failures - failures;
    if failures > 0 {
        invalid(collector, path, first_failures(&others, failures));
    }
    for finding in imported {
        collector.import(finding, path, "status".into());
    }
    let returned = context.returned.and_then(|it| it.status.as_ref());
    if let (Some(found), Some(returned)) = (&report.returned.status, returned)
        && *found != **returned
    {
        let values = values![found = found, status = returned];
        collector.report(&STATUS_MISMATCH, "status", &values);
    }
}

fn invalid(collector: &mut Collector<'_, '_>, path: &str, notes: Vec<String>) {
    let values = values![path = path];
    let diagnostic = Diagnostic::new(&INVALID, "status", &values);
    collector.add(diagnostic.notes(notes));
}

/// Reports a handoff file that could not be read. Returns what is at its path.
pub(crate) fn unusable(
    collector: &mut Collector<'_, '_>,
    path: &str,
    found: OnDisk,
) -> ArtifactState {
    let (state, what) = match found {
        OnDisk::Nothing | OnDisk::Empty | OnDisk::File { .. } => {
            collector.report(&NOT_FOUND, "status", &values![path = path]);
            return ArtifactState::NotFound;
        }
        OnDisk::NotAFile(what) => (ArtifactState::NotAFile, what),
        OnDisk::Outside => (ArtifactState::OutsideRoot, "outside the root"),
        OnDisk::Unreadable => (ArtifactState::Unreadable, "not readable"),
    };
    invalid(collector, path, vec![format!("it is {what}")]);
    state
}

/// Whether a finding about the handoff file is reported as one about the return, too: a warning, a rule of
/// handoffs, or a rule about the work. Any other finding makes the file invalid.
fn is_imported(finding: &Finding) -> bool {
    let rule = finding.rule;
    let is_about_work = rule.is_error_of_evidence() || rule.id == work::UNKNOWN.id;
    finding.level == Level::Warning || rule.id.starts_with("handoff-") || is_about_work
}

/// The first of the `failures` that make a handoff invalid. A check of the file itself lists all of them.
fn first_failures(wrong: &[&Finding], failures: usize) -> Vec<String> {
    const SHOWN: usize = 3;
    let mut notes: Vec<_> = wrong.iter().take(SHOWN).map(|it| it.message()).collect();
    if failures > notes.len() {
        notes.push(format!("and {} more", failures - notes.len()));
    }
    notes
}

pub(super) static INCOMPLETE: Rule = Rule::warning(Step::Fields, "handoff-incomplete")
    .applies_to(Profile::is_handoff)
    .says("Handoff lacks {what}")
    .advises("Add {what} to your handoff file");

/// Reports all members that the agent's handoff should have and lacks, in one finding.
pub(super) fn complete(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let context = collector.context;
    let (profile, agent) = (context.profile, context.acting_agent());
    let parent = |path: &str| {
        let (outer, name) = path.rsplit_once('.').unwrap_or(("", path));
        let mut names = outer.split('.').filter(|name| !name.is_empty());
        let outer = names.try_fold(handoff, Value::object_of);
        outer.map(|outer| (outer, name.to_owned()))
    };
    // If an object is missing, only the object is reported, not its members.
    let lacks = |path: &str| parent(path).is_some_and(|(outer, name)| outer.lacks_text(&name));
    let mut missing: Vec<&str> = Vec::new();
    // The routing members are required as soon as there is one, but a session id alone does not count.
    let routing = profile.routing.iter().map(|name| &**name);
    let session = profile.session_member();
    let is_other = |name: &str| session.as_deref() != Some(name);
    if routing.clone().any(|name| is_other(name) && !lacks(name)) {
        missing.extend(routing.filter(|name| lacks(name)));
    }
    if profile.has_fields_of(agent) {
        let fields = profile.fields_of(agent);
        let asked = fields.filter(|it| it.need == Need::Recommended);
        missing.extend(asked.map(|field| &*field.path).filter(|path| lacks(path)));
    }
    if !missing.is_empty() {
        let values = values![what = Placeholder::list(missing)];
        collector.report(&INCOMPLETE, Location::Whole, &values);
    }
}

pub(super) static DECISION: Rule = Rule::error(Step::Status, "handoff-decision")
    .applies_to(Profile::is_handoff)
    .says("Decision is {found}, expected {expected}")
    .advises("Write the decision that your status says");

pub(super) static TO: Rule = Rule::warning(Step::Status, "handoff-to")
    .applies_to(Profile::is_handoff)
    .says("Handoff is addressed to {found}, but after {status} comes {expected}")
    .advises("Address the next agent of the chain");

pub(super) static COUNTS: Rule = Rule::warning(Step::Status, "handoff-counts")
    .applies_to(Profile::is_handoff)
    .says("Implausible count: {why}")
    .advises("Count again and return the status that fits");

pub(super) fn check(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let context = collector.context;
    let (profile, agent) = (context.profile, context.acting_agent());
    let has = |path| profile.has_field_of(path, agent);
    metadata_file::timestamp(collector, handoff, "timestamp");
    if has("decision") {
        decision(collector, handoff);
    }
    addressee(collector, handoff);
    let success = context.status.filter(|it| it.meaning == Meaning::Success);
    let mut counts =
        Counts { success: success.map(|it| truncated(&it.word).to_string()), collector };
    if has("tests") {
        counts.tests(handoff);
    }
    if has("total_tests") {
        counts.suites(handoff);
    }
    if has("required_changes") {
        counts.changes(handoff);
    }
    for name in ["challenge_level_reached", "security_issues", "lint_issues"] {
        if has(name) {
            counts.not_negative(handoff, &[name]);
        }
    }
}

fn decision(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let known = &collector.context.profile.decisions;
    let decision = handoff.text_of("decision");
    let Some(decision) = decision.filter(|it| !is_blank(it) && !known.is_empty()) else {
        return;
    };
    let is_known = |word: &str| known.iter().any(|it| it == word);
    let status = handoff.text_of("status").filter(|word| is_known(word));
    let expected = match status {
        Some(status) if status != decision => format!("{status} as in the status"),
        _ if !is_known(decision) => known.join(" or "),
        _ => return,
    };
    let values = values![found = decision, expected = &expected];
    collector.report(&DECISION, "decision", &values);
}

fn addressee(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let context = collector.context;
    let is_known = |name| context.profile.agent(name).is_some();
    if let Some(found) = handoff.text_of("to_agent").filter(|it| !is_blank(it))
        && let Some(status) = context.status
        && context.acting_agent().is_some_and(is_known)
        && !status.next.is_empty()
        && !status.next.iter().any(|it| it == found)
    {
        let expected = status.next.join(" or ");
        let values = values![found = found, status = &status.word, expected = &expected];
        collector.report(&TO, "to_agent", &values);
    }
}

const BEST_SCORE: f64 = 10.0;

struct Counts<'w, 'c, 't> {
    collector: &'w mut Collector<'c, 't>,
    /// The status, if it is a success. Safe to print.
    success: Option<String>,
}

impl Counts<'_, '_, '_> {
    /// Reports a count. Names of suites can be as long as the handoff, so the message is not built for nothing.
    fn report(&mut self, at: Value<'_, '_>, why: impl FnOnce(&str) -> String) {
        if !self.collector.count_if_full(&COUNTS) {
            let pointer = at.pointer();
            let keys = pointer.steps().iter().map(|step| match step {
                Segment::Key(key) => truncated(key).to_string(),
                Segment::Index(index) => index.to_string(),
            });
            let name = keys.collect::<Vec<_>>().join(".");
            let values = values![why = Placeholder::Shown(why(&name))];
            self.collector.report(&COUNTS, at, &values);
        }
    }

    fn not_negative(&mut self, object: Value<'_, '_>, names: &[&str]) {
        for (at, number) in names.iter().filter_map(|name| number(object, name)) {
            if number < 0.0 {
                self.report(at, |name| format!("{name} is {number}"));
            }
        }
    }

    /// Reports a total that is not the sum of its parts, if all of them are numbers.
    fn total(
        &mut self,
        (object, name): (Value<'_, '_>, &str),
        parts: impl Iterator<Item = Option<f64>>,
        names: &str,
    ) {
        if let (Some((at, total)), Some(sum)) = (number(object, name), parts.sum::<Option<f64>>())
            && differ(total, sum)
        {
            self.report(at, |name| format!("{name} is {total}, but {names} add up to {sum}"));
        }
    }

    /// Reports failed tests if the status is a success. Returns whether it did.
    fn failed_in_success(&mut self, object: Value<'_, '_>, name: &str) -> bool {
        let failed = number(object, name).filter(|(_, failed)| *failed > 0.0);
        let (Some((at, failed)), Some(status)) = (failed, self.success.clone()) else {
            return false;
        };
        let why = |name: &str| format!("status is {status}, but {name} is {failed}");
        self.report(at, why);
        true
    }

    fn tests(&mut self, handoff: Value<'_, '_>) {
        if let Some(tests) = handoff.object_of("tests") {
            self.not_negative(tests, &["total", "passing", "failing"]);
            let parts = ["passing", "failing"].iter();
            let parts = parts.map(|name| tests.number_of(name));
            self.total((tests, "total"), parts, "passing and failing");
            self.failed_in_success(tests, "failing");
        }
    }

    fn suites(&mut self, handoff: Value<'_, '_>) {
        let suites = handoff.object_of("tests_run").into_iter();
        let suites = suites.flat_map(Value::members).filter(|it| it.is_object());
        for suite in suites.clone() {
            self.not_negative(suite, &["passed", "failed"]);
        }
        let totals = handoff.object_of("total_tests");
        let has_suites = suites.clone().next().is_some();
        let counts = totals.into_iter();
        for (totals, name) in counts.flat_map(|it| [(it, "passed"), (it, "failed")]) {
            self.not_negative(totals, &[name]);
            if has_suites {
                let parts = suites.clone().map(|it| it.number_of(name));
                self.total((totals, name), parts, "the suites");
            }
        }
        // Only the first member with failed tests is reported.
        let mut counted = totals.into_iter().chain(suites);
        if !counted.any(|it| self.failed_in_success(it, "failed"))
            && let Some(failures) = handoff.member("failures")
            && let Some(status) = self.success.clone()
            && let listed @ 1.. = failures.items().count()
        {
            self.report(failures, |name| format!("status is {status}, but {name} has {listed}"));
        }
    }

    /// Changes that are required contradict an approval, and none a refusal. A score is not above the highest.
    fn changes(&mut self, handoff: Value<'_, '_>) {
        let context = self.collector.context;
        let changes = handoff.member("required_changes");
        let required = changes.filter(|it| it.is_list());
        let required = required.map(|it| it.items().count());
        if let Some(status) = context.status
            && let Some(at) = changes.or_else(|| handoff.member("status"))
        {
            let is_decision = context.profile.decisions.contains(&status.word);
            let has = match (status.meaning, required) {
                (Meaning::Success, Some(required @ 1..)) => Some(required.to_string()),
                (Meaning::Other, None | Some(0)) if is_decision => Some("none".to_owned()),
                _ => None,
            };
            if let Some(has) = has {
                let word = truncated(&status.word);
                self.report(at, |_| format!("status is {word}, but required_changes has {has}"));
            }
        }
        let score = number(handoff, "code_quality_score");
        if let Some((at, score)) = score.filter(|(_, it)| !(0.0..=BEST_SCORE).contains(it)) {
            self.report(at, |name| format!("{name} is {score}, expected 0 to {BEST_SCORE}"));
        }
    }
}

fn number<'v, 't>(object: Value<'v, 't>, name: &str) -> Option<(Value<'v, 't>, f64)> {
    let at = object.member(name)?;
    Some((at, at.number()?))
}

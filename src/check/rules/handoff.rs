//! Step 6 of the compact protocol: the handoff file that belongs to the status.

use crate::check::finding::Finding;
use crate::check::report::{ArtifactState, ClaimReport, Report};
use crate::check::rules::EVIDENCE_UNKNOWN;
use crate::check::{Collector, Diagnostic, values};
use crate::profile::{HANDOFF, PROFILES, Profile};
use crate::root::Found as OnDisk;
use crate::rule::{Level, Rule, Step};

pub(super) static STATUS_MISMATCH: Rule = Rule {
    id: "handoff-status-mismatch",
    applies: Profile::has_handoff_file,
    message: "Handoff file has status {found}, but {status} was returned",
    help: "Fix {agent} to return the status that it wrote to its handoff file",
    advice_to_agent: "Return the status that you wrote to your handoff file",
    ..Rule::error(Step::Artifacts)
};

pub(super) static INVALID: Rule = Rule {
    id: "handoff-invalid",
    applies: Profile::has_handoff_file,
    message: "Handoff file is not valid: {path}",
    help: "Fix {agent} to write a valid handoff file; check it with --profile handoff",
    advice_to_agent: "Write a valid handoff file",
    ..Rule::error(Step::Artifacts)
};

pub(super) static NOT_FOUND: Rule = Rule {
    id: "handoff-not-found",
    applies: Profile::has_handoff_file,
    message: "Handoff file does not exist: {path}",
    help: "Verify {agent} writes its handoff file before it returns its status",
    advice_to_agent: "Write your handoff file before you return your status",
    ..Rule::error(Step::Artifacts)
};

/// Adds what is wrong with a handoff file, and what it claims, to what is known of the return.
pub(crate) fn compare(report: &Report, collector: &mut Collector<'_, '_>, path: &str) {
    let context = collector.context;
    let claims = report.evidence.iter().flat_map(|it| &it.claims);
    let room = Report::FINDINGS_KEPT.saturating_sub(collector.facts.claims.len());
    let claims = claims.take(room).map(|claim| ClaimReport {
        file: Some(path.to_owned()),
        ..claim.clone()
    });
    collector.facts.claims.extend(claims);
    let imported = report.findings.iter().filter(|it| is_imported(it));
    let failures = imported.clone().filter(|it| it.level == Level::Error);
    let failures = report.failures - failures.count();
    if failures > 0 {
        invalid(collector, path, first_failures(report, failures));
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

/// Whether a finding about the handoff file is reported as one about the return, too: a warning, a rule
/// that only handoffs have, or a rule about the work. Any other finding makes the file invalid.
fn is_imported(finding: &Finding) -> bool {
    let rule = finding.rule;
    let is_about_work = rule.is_error_of_evidence() || rule.id == EVIDENCE_UNKNOWN.id;
    finding.level == Level::Warning || is_of_handoffs(rule) || is_about_work
}

/// Whether of the built-in profiles only that of handoff files has a rule.
fn is_of_handoffs(rule: &Rule) -> bool {
    let mut others = PROFILES.iter().filter(|profile| !profile.is_handoff());
    HANDOFF.has_rule(rule) && !others.any(|profile| profile.has_rule(rule))
}

/// The first things that are wrong with a handoff. A check of the file itself lists all of them.
/// `failures` is the number of those that are not reported as findings of their own.
fn first_failures(report: &Report, failures: usize) -> Vec<String> {
    const SHOWN: usize = 3;
    let wrong = report.findings.iter().filter(|it| !is_imported(it));
    let note = |finding: &Finding| match &finding.detail {
        Some(detail) => format!("{}: {detail}", finding.head),
        None => finding.head.clone(),
    };
    let mut notes: Vec<_> = wrong.take(SHOWN).map(note).collect();
    if failures > notes.len() {
        notes.push(format!("and {} more", failures - notes.len()));
    }
    notes
}

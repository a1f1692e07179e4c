//! Step 6 of the compact protocol: the handoff file behind the status, which is checked as a
//! document of its own.

use std::path::Path;

use crate::checker::Checker;
use crate::diagnostics::{Collector, Context, Diagnostic, DiagnosticNote, Location, Ran, Value};
use crate::finding::Finding;
use crate::json::field::Field;
use crate::json::pointer::Pointer;
use crate::level::Level;
use crate::profile::Profile;
use crate::report::{ArtifactReport, ArtifactState, ClaimReport, Report};
use crate::root::Found as OnDisk;
use crate::rule::{Applies, Rule, Word};
use crate::rules::handoff::{INVALID, NOT_FOUND, STATUS_MISMATCH};
use crate::rules::{RETURN_MISSING, is_about_work};

impl<'t> Checker<'t> {
    /// Checks the handoff file that the agent of a compact return should have written.
    pub(super) fn check_handoff(
        &self,
        context: &Context<'_, 't>,
        collector: &mut Collector<'_, 't>,
    ) -> Ran {
        let (Some(session), Some(group)) = (self.expected.session, self.expected.group) else {
            return Ran::Skipped(
                "--session and --group are needed to find the handoff file".into(),
            );
        };
        let Some(agent) = self.expected.agent else {
            return Ran::Skipped("--agent is needed to find the handoff file".into());
        };
        let profile = self.profile.agent(agent);
        if profile.is_some_and(|agent| !agent.writes_handoff) {
            return Ran::Skipped("this agent writes no handoff file".into());
        }
        let path = self.profile.handoff_file(session, group, agent);
        let (Some(path), Some(profile)) = (path, self.handoff.as_deref()) else {
            return Ran::Checked;
        };
        let (state, bytes) = match self.root.read(Path::new(&path), self.max_bytes) {
            Ok(bytes) => self.check_handoff_text(profile, context, collector, &path, &bytes),
            Err(found) => (no_handoff(context, collector, &path, found), None),
        };
        collector.facts.artifacts.push(ArtifactReport {
            path: path.into(),
            kind: None,
            summary: None,
            state,
            bytes,
        });
        Ran::Checked
    }

    fn check_handoff_text(
        &self,
        profile: &Profile,
        context: &Context<'_, 't>,
        collector: &mut Collector<'_, '_>,
        path: &str,
        bytes: &[u8],
    ) -> (ArtifactState, Option<u64>) {
        let checker = match &self.handoffs {
            Some(checker) => checker.with_profile(checker.profile),
            None => self.with_profile(profile),
        };
        let checker = checker
            .rule(&RETURN_MISSING, Level::Off)
            .returned_as(context.input.text);
        let report = checker.check(bytes);
        adopt_claims(&report, collector, path);
        let adopted = report.findings.iter().filter(|finding| is_adopted(finding));
        let failures = adopted
            .clone()
            .filter(|it| it.level == Level::Error)
            .count();
        if report.failures > failures {
            let notes = first_failures(&report, failures);
            collector.add(about_file(&INVALID, context, &[path_word(path)]).notes(&notes));
        }
        for finding in adopted {
            collector.adopt(finding, path, place(context));
        }
        let returned = context
            .returned
            .and_then(|returned| returned.status().present());
        if let (Some(found), Some(returned)) = (&report.status, returned)
            && found != returned
        {
            let words = [
                (Word::Found, Value::untrusted(found)),
                (Word::Status, Value::untrusted(returned)),
            ];
            collector.add(about_file(&STATUS_MISMATCH, context, &words));
        }
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let state = match size {
            0 => ArtifactState::Empty,
            _ => ArtifactState::Ok,
        };
        (state, Some(size))
    }
}

/// Adds what the handoff file claims to the claims of the return.
fn adopt_claims(report: &Report<'_>, collector: &mut Collector<'_, '_>, path: &str) {
    let claims = report.evidence.iter().flat_map(|it| &it.claims);
    let room = Report::FINDINGS_KEPT.saturating_sub(collector.facts.claims.len());
    let claims = claims.take(room).map(|claim| ClaimReport {
        file: Some(path.to_owned()),
        ..claim.clone()
    });
    collector.facts.claims.extend(claims);
}

/// A diagnostic about the handoff file: at the status, or at the object that lacks it.
fn about_file<'d>(
    rule: &'static Rule,
    context: &Context<'_, '_>,
    words: &'d [(Word, Value<'d>)],
) -> Diagnostic<'d> {
    Diagnostic::new(rule, place(context)).words(words)
}

/// The status, or the object that lacks it.
fn place(context: &Context<'_, '_>) -> Location<'static> {
    let is_missing = context
        .returned
        .is_none_or(|returned| matches!(returned.status(), Field::Missing));
    if is_missing {
        Location::Value(Pointer::root())
    } else {
        Location::member("status")
    }
}

/// Whether a finding about the handoff file is reported as one about the return, too: a warning, a rule
/// that only handoffs have, or a rule about the work. Any other finding makes the file invalid.
fn is_adopted(finding: &Finding) -> bool {
    finding.level == Level::Warning
        || finding.rule.applies == Applies::IfHandoff
        || is_about_work(finding.rule)
}

fn path_word(path: &str) -> (Word, Value<'_>) {
    (Word::Path, Value::untrusted(path))
}

fn no_handoff(
    context: &Context<'_, '_>,
    collector: &mut Collector<'_, '_>,
    path: &str,
    found: OnDisk,
) -> ArtifactState {
    let words = [path_word(path)];
    let (state, what) = match found {
        OnDisk::Nothing | OnDisk::Empty | OnDisk::File { .. } => {
            collector.add(about_file(&NOT_FOUND, context, &words));
            return ArtifactState::NotFound;
        }
        OnDisk::NotAFile(what) => (ArtifactState::NotAFile, what),
        OnDisk::Outside => (ArtifactState::OutsideRoot, "outside the root"),
        OnDisk::Unreadable => (ArtifactState::Unreadable, "not readable"),
    };
    let notes = [DiagnosticNote::NoFile(what)];
    collector.add(about_file(&INVALID, context, &words).notes(&notes));
    state
}

/// The first things that are wrong with a handoff. A check of the file itself lists all of them.
/// `adopted` is the number of failures that are reported as findings of their own.
fn first_failures<'r>(report: &'r Report<'_>, adopted: usize) -> Vec<DiagnosticNote<'r>> {
    const SHOWN: usize = 3;
    let failures = report
        .findings
        .iter()
        .filter(|finding| !is_adopted(finding));
    let mut notes: Vec<_> = failures.take(SHOWN).map(DiagnosticNote::Of).collect();
    let more = (report.failures - adopted).saturating_sub(notes.len());
    if more > 0 {
        notes.push(DiagnosticNote::More(more));
    }
    notes
}

//! Step 6 of the compact protocol: the handoff file behind the status.

use std::path::Path;

use crate::checker::context::{At, Case, Found, Ran};
use crate::json::field::Field;
use crate::json::pointer::Pointer;
use crate::level::Level;
use crate::profile::Profile;
use crate::report::{ArtifactReport, ArtifactState, Report};
use crate::root::Found as OnDisk;
use crate::rule::{Applies, Example, Rule};
use crate::step::Step;
use crate::text::escape;

/// The agent left no handoff file.
pub(super) static NOT_FOUND: Rule = Rule {
    id: "handoff-not-found",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfHandoffFile,
    message: "Handoff file does not exist: {path}",
    help: "Verify {agent} writes its handoff file before it returns its status",
    explanation: "The status is all that the orchestrator hears; what the next agent needs is in the handoff file. \
                  Without it the next agent starts blind.",
    seed: "002, handoff protocol",
    example: Example::of_returns(
        "compact",
        r#"{"status": "APPROVED"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with_each(
        "--session tides_20260101 --group AUTH --agent tech_lead",
        "--session tides_20260101 --group AUTH --agent developer",
    ),
};

/// The handoff file breaks its own standard.
pub(super) static INVALID: Rule = Rule {
    id: "handoff-invalid",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfHandoffFile,
    message: "Handoff file is not valid: {path}",
    help: "Fix {agent} to write its handoff file by the standard; check it with the handoff profile",
    explanation: "The handoff file is there and does not meet the handoff standard, so that the next agent cannot \
                  rely on it.",
    seed: "002, handoff file schema by agent",
    example: Example::of_returns(
        "compact",
        r#"{"status": "PASS"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with_each(
        "--session tides_20260101 --group AUTH --agent qa_expert",
        "--session tides_20260101 --group AUTH --agent developer",
    ),
};

/// Status and handoff file disagree.
pub(super) static STATUS_MISMATCH: Rule = Rule {
    id: "handoff-status-mismatch",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfHandoffFile,
    message: "Handoff file has another status: {found}, returned was {status}",
    help: "Fix {agent} to return the status that it wrote into its handoff file",
    explanation: "The orchestrator routes by the one, the next agent acts on the other.",
    seed: "002, agent output format mapping",
    example: Example::of_returns(
        "compact",
        r#"{"status": "READY_FOR_REVIEW"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with("--session tides_20260101 --group AUTH --agent developer"),
};

pub(super) fn check(case: &mut Case<'_, '_>) -> Ran {
    let checker = case.checker;
    let (Some(session), Some(group)) = (checker.session, checker.group) else {
        return Ran::Skipped(
            "no --session and --group were given to find the handoff file by".into(),
        );
    };
    let Some(agent) = checker.agent else {
        return Ran::Skipped("no --agent was given to find the handoff file by".into());
    };
    if case
        .profile()
        .agent(agent)
        .is_some_and(|known| !known.writes_handoff)
    {
        return Ran::Skipped("this agent leaves no handoff file".into());
    }
    let path = case.profile().handoff_file(session, group, agent);
    let (Some(path), Some(profile)) = (path, checker.handoff.as_deref()) else {
        return Ran::Checked;
    };
    let (state, bytes) = match checker.root.read(Path::new(&path), checker.max_bytes) {
        Ok(bytes) => look_inside(case, profile, &path, &bytes),
        Err(found) => absent(case, &path, found),
    };
    case.artifacts.push(ArtifactReport {
        path: path.into(),
        state,
        bytes,
    });
    Ran::Checked
}

/// The status, or the object that lacks it.
fn at_status(case: &Case<'_, '_>) -> At {
    let is_missing = case
        .returned
        .is_none_or(|returned| matches!(returned.status(), Field::Missing));
    let root = Pointer::root();
    At::Value(if is_missing { root } else { root.key("status") })
}

fn absent(case: &mut Case<'_, '_>, path: &str, found: OnDisk) -> (ArtifactState, Option<u64>) {
    let shown = escape::truncated(path);
    let (state, what) = match found {
        OnDisk::Nothing | OnDisk::Empty | OnDisk::File { .. } => {
            let at = at_status(case);
            case.find(Found::new(&NOT_FOUND, at, &[("path", &shown)]));
            return (ArtifactState::NotFound, None);
        }
        OnDisk::NotAFile(what) => (ArtifactState::NotAFile, what),
        OnDisk::Outside => (ArtifactState::OutsideRoot, "outside the root"),
        OnDisk::Unreadable => (ArtifactState::Unreadable, "not readable"),
    };
    let notes = vec![format!("it is {what}")];
    let at = at_status(case);
    case.find(Found {
        notes,
        ..Found::new(&INVALID, at, &[("path", &shown)])
    });
    (state, None)
}

fn look_inside(
    case: &mut Case<'_, '_>,
    profile: &Profile,
    path: &str,
    bytes: &[u8],
) -> (ArtifactState, Option<u64>) {
    let report = case.checker.with_profile(profile).check(bytes);
    if !report.is_valid() {
        let notes = first_failures(&report);
        let at = at_status(case);
        case.find(Found {
            notes,
            ..Found::new(&INVALID, at, &[("path", &escape::truncated(path))])
        });
    }
    let returned = case
        .returned
        .and_then(|returned| returned.status().present());
    if let (Some(found), Some(returned)) = (&report.status, returned)
        && found != returned
    {
        let words: &[(&str, &dyn std::fmt::Display)] = &[
            ("found", &escape::truncated(found)),
            ("status", &escape::truncated(returned)),
        ];
        let at = at_status(case);
        case.find(Found::new(&STATUS_MISMATCH, at, words));
    }
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    (
        if size == 0 {
            ArtifactState::Empty
        } else {
            ArtifactState::Ok
        },
        Some(size),
    )
}

/// Enough of what is wrong with a handoff to act on; all of it is a check of the file itself.
fn first_failures(report: &Report<'_>) -> Vec<String> {
    const SHOWN: usize = 3;
    let failures = report
        .findings
        .iter()
        .filter(|finding| finding.level == Level::Error);
    let mut notes: Vec<_> = failures
        .take(SHOWN)
        .map(|finding| finding.head.clone())
        .collect();
    if report.failures > notes.len() {
        notes.push(format!("and {} more", report.failures - notes.len()));
    }
    notes
}

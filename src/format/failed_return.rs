//! `return`: the result of each check as a failed return of the same profile, on a line of its own. An
//! orchestrator can pass it on in place of the invalid return. Valid returns produce no output.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Number, Value, json, to_value};

use crate::check::finding::Finding;
use crate::check::report::{Delegation, Report};
use crate::check::rules::is_orchestrator;
use crate::format::failed_parts::{NAME, agent, session, summary};
use crate::format::stand_in::{StandIns, UNKNOWN, members, of_handoff};
use crate::format::{Checked, Profiles, Reporter, Source};
use crate::profile::{Action, Profile, RETURN, Shape};
use crate::text::string_set::StringSet;
use crate::text::{cut, escape};

/// The result of the check as a failed return.
#[derive(Debug, Clone, Default)]
pub(super) struct FailedReturn(pub(super) Profiles);

/// The most characters of an error's message (Subagent return format 1.0, errors).
const MESSAGE: usize = 500;

/// The type of each error, if the profile allows it.
const VALIDATION: &str = "validation";

/// The longest delegation path that is copied, in names.
const PATH: usize = 64;

impl Reporter for FailedReturn {
    fn report(&self, _: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let Checked::Report(report) = checked else {
            return;
        };
        if report.is_valid() {
            return;
        }
        out.extend_from_slice(text(report, self.0.of(report)).as_bytes());
        out.push(b'\n');
    }
}

/// Returns the result of a check as a failed return of its profile: JSON on one line, safe to print. If
/// the agent has no status word that says only that its return cannot be used, it is a failed return of
/// the console.
pub(crate) fn text(report: &Report<'_>, profile: &Profile) -> String {
    let own = profile.failure_of(Some(&report.subagent));
    let (profile, status) = own.map_or((&RETURN, &*RETURN.failure), |status| (profile, status));
    let text = match profile.shape {
        Shape::Handoff => serde_json::to_string(&handoff(profile, status, report)),
        Shape::Return | Shape::Message if profile.agent.is_none() => {
            serde_json::to_string(&FailedCompact {
                status,
                own: members(profile, status, "", &json!({ "status": status })),
            })
        }
        Shape::Return | Shape::Message => serde_json::to_string(&returned(profile, status, report)),
    };
    // This fails only for map keys that are not strings, which failed returns do not have.
    escape::json(&text.unwrap_or_default()).into_owned()
}

#[derive(Serialize)]
struct FailedCompact<'v> {
    status: &'v str,
    #[serde(flatten)]
    own: StandIns<'v>,
}

#[derive(Serialize)]
struct FailedConsoleReturn<'v> {
    status: &'v str,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    artifacts: [(); 0],
    metadata: FailedMetadata<'v>,
    errors: Vec<FailedError<'v>>,
    next_steps: &'static str,
    #[serde(flatten)]
    own: StandIns<'v>,
}

#[derive(Serialize)]
struct FailedMetadata<'v> {
    session_id: &'v str,
    duration_seconds: u8,
    agent_type: &'v str,
    delegation_depth: Number,
    delegation_path: Vec<&'v str>,
    #[serde(flatten)]
    own: StandIns<'v>,
}

#[derive(Serialize)]
struct FailedError<'v> {
    r#type: Cow<'v, str>,
    code: String,
    message: String,
    recoverable: bool,
    recommendation: &'v str,
    #[serde(flatten)]
    own: StandIns<'v>,
}

fn returned<'v>(
    profile: &'v Profile,
    status: &'v str,
    report: &'v Report<'_>,
) -> FailedConsoleReturn<'v> {
    let own = |place, written: serde_json::Result<Value>| {
        members(profile, status, place, &written.unwrap_or_default())
    };
    let is_recoverable = report.next().action == Action::Retry;
    let errors = report.findings.iter().map(|finding| {
        let error = FailedError {
            recoverable: is_recoverable,
            ..error(profile, finding)
        };
        FailedError {
            own: own("errors[]", to_value(&error)),
            ..error
        }
    });
    let path = path(report);
    let metadata = FailedMetadata {
        session_id: session(report).unwrap_or(UNKNOWN),
        duration_seconds: 0,
        agent_type: agent(report),
        delegation_depth: depth(report, path.len()),
        delegation_path: path,
        own: StandIns::default(),
    };
    let most = profile.limits.next_steps_at_most.unwrap_or(usize::MAX);
    let has_summary = profile.has_field("summary");
    let returned = FailedConsoleReturn {
        status,
        summary: has_summary.then(|| summary(profile, report)),
        artifacts: [],
        metadata: FailedMetadata {
            own: own("metadata", to_value(&metadata)),
            ..metadata
        },
        errors: errors.collect(),
        next_steps: cut(next_steps(report), most),
        own: StandIns::default(),
    };
    FailedConsoleReturn {
        own: own("", to_value(&returned)),
        ..returned
    }
}

/// What the caller should do.
fn next_steps(report: &Report<'_>) -> &'static str {
    match (report.failure, report.next().action) {
        (None, _) => "Call the subagent again and have it correct the errors",
        (_, Action::Retry) => "Call the subagent again",
        _ => "Remove the cause of the error, then call the subagent again",
    }
}

/// Returns the delegation depth of the return if it is below `names`, the number of names in the path.
/// Otherwise 0.
fn depth(report: &Report<'_>, names: usize) -> Number {
    let delegation = report.delegation.as_ref();
    let depth = delegation.and_then(Delegation::depth_in_json);
    let fits = |depth: &Number| depth.as_u64().is_some_and(|depth| depth < names as u64);
    depth.filter(fits).unwrap_or_else(|| 0.into())
}

/// Returns the delegation path of the return if it begins with the orchestrator, ends at the agent,
/// names no one twice and is short. Otherwise returns the path from the orchestrator directly to the
/// agent.
fn path<'v>(report: &'v Report<'_>) -> Vec<&'v str> {
    let agent = agent(report);
    let path = report
        .delegation
        .as_ref()
        .map_or(&[][..], |delegation| &*delegation.path);
    let is_short = path.len() <= PATH && path.iter().all(|name| cut(name, NAME) == name);
    let mut names = StringSet::default();
    let is_straight = is_short && path.iter().all(|name| names.insert(&**name));
    let is_complete = path.first().is_some_and(|name| is_orchestrator(name));
    match path.last() {
        Some(last) if last == agent && is_straight && is_complete => {
            path.iter().map(AsRef::as_ref).collect()
        }
        _ if is_orchestrator(agent) => vec![agent],
        _ => vec!["orchestrator", agent],
    }
}

fn error<'v>(profile: &'v Profile, finding: &'v Finding) -> FailedError<'v> {
    let types = &profile.error_types;
    let most = profile.limits.error_message_at_most.unwrap_or(MESSAGE);
    FailedError {
        r#type: match types.first() {
            Some(first) if !types.iter().any(|it| it == VALIDATION) => Cow::Borrowed(first),
            _ => Cow::Borrowed(VALIDATION),
        },
        code: finding.rule.id.replace('-', "_").to_uppercase(),
        message: cut(&finding.message(), most.min(MESSAGE)).to_owned(),
        recoverable: true,
        recommendation: finding.help(),
        own: StandIns::default(),
    }
}

/// The members that can say what went wrong. Which of them a handoff has depends on the agent. The first
/// one that it has is used.
const LISTS: [&str; 3] = ["concerns", "failures", "required_changes"];

/// A handoff that reports failed work and has every member that the next agent expects.
fn handoff(profile: &Profile, status: &str, report: &Report<'_>) -> Value {
    let agent = agent(report);
    let mut members = of_handoff(profile, agent);
    let findings: Vec<_> = report.findings.iter().map(Finding::message).collect();
    let list = LISTS.iter().find(|list| members.contains_key(**list));
    members.insert(list.unwrap_or(&LISTS[0]), json!(findings));
    for (name, text) in [
        ("from_agent", agent),
        ("status", status),
        ("summary", &summary(profile, report)),
    ] {
        members.insert(name, json!(text));
    }
    if let Some(session) = session(report) {
        members.insert("session_id", json!(session));
    }
    let decides =
        members.contains_key("decision") && profile.decisions.iter().any(|it| it == status);
    if decides {
        members.insert("decision", json!(status));
    }
    json!(members)
}

//! `return`: the result of the check as a failed return of the same profile, one on each line, which
//! an orchestrator can pass on in place of the invalid one. Valid returns produce no output.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Number;

use crate::finding::Finding;
use crate::format::{Checked, Profiles, Reporter, Source};
use crate::profile::{Need, Profile, Shape};
use crate::report::{Delegation, Report};
use crate::rules::is_orchestrator;
use crate::text::string_set::StringSet;
use crate::text::{cut, escape, is_blank};

/// The result of the check as a failed return.
#[derive(Debug, Clone, Default)]
pub(super) struct FailedReturn(pub(super) Profiles);

/// The most characters of an error's message (Subagent return format 1.0, errors), and of a name.
const MESSAGE: usize = 500;
const NAME: usize = 200;

/// The longest delegation path that is copied.
const PATH: usize = 64;

impl Reporter for FailedReturn {
    fn one(&self, _: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let Checked::Report(report) = checked else {
            return;
        };
        if report.is_valid() {
            return;
        }
        let profile = self.0.of(report);
        let text = match profile.shape {
            Shape::Handoff => serde_json::to_string(&handoff(profile, report)),
            Shape::Return if profile.agent.is_none() => serde_json::to_string(&FailedCompact {
                status: status(profile, report),
                own: own(profile, "", &["status"]),
            }),
            Shape::Return => serde_json::to_string(&returned(profile, report)),
        };
        // Fails only for map keys that are not strings, which failed returns do not have.
        out.extend_from_slice(escape::json(&text.unwrap_or_default()).as_bytes());
        out.push(b'\n');
    }
}

#[derive(Serialize)]
struct FailedCompact<'v> {
    status: &'v str,
    #[serde(flatten)]
    own: CustomMembers<'v>,
}

#[derive(Serialize)]
struct FailedConsoleReturn<'v> {
    status: &'v str,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    artifacts: [(); 0],
    metadata: FailedMetadata<'v>,
    errors: Vec<FailedError<'v>>,
    next_steps: &'v str,
    #[serde(flatten)]
    own: CustomMembers<'v>,
}

#[derive(Serialize)]
struct FailedMetadata<'v> {
    session_id: &'v str,
    duration_seconds: u8,
    agent_type: &'v str,
    delegation_depth: Number,
    delegation_path: Vec<&'v str>,
    #[serde(flatten)]
    own: CustomMembers<'v>,
}

#[derive(Serialize)]
struct FailedError<'v> {
    r#type: &'v str,
    code: String,
    message: String,
    recoverable: bool,
    recommendation: &'v str,
}

#[derive(Serialize)]
struct FailedHandoff<'v> {
    from_agent: &'v str,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'v str>,
    status: &'v str,
    summary: String,
    concerns: Vec<String>,
    #[serde(flatten)]
    own: CustomMembers<'v>,
}

/// Members that only a custom profile requires. They may have any value.
type CustomMembers<'v> = BTreeMap<&'v str, &'static str>;

/// The value of a required member that is not known here.
const UNKNOWN: &str = "unknown";

/// The members that a profile requires in the object at `place`, without those already `written`.
fn own<'p>(profile: &'p Profile, place: &str, written: &[&str]) -> CustomMembers<'p> {
    let names = profile.fields_with(Need::Required).filter_map(|path| {
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
        (parent == place && !written.contains(&name)).then_some(name)
    });
    names.map(|name| (name, UNKNOWN)).collect()
}

/// The members of each object that are written for every profile.
const RETURNED: [&str; 6] = [
    "status",
    "summary",
    "artifacts",
    "metadata",
    "errors",
    "next_steps",
];
const METADATA: [&str; 5] = [
    "session_id",
    "duration_seconds",
    "agent_type",
    "delegation_depth",
    "delegation_path",
];
const HANDED_OVER: [&str; 5] = ["from_agent", "session_id", "status", "summary", "concerns"];

fn status<'p>(profile: &'p Profile, report: &Report<'_>) -> &'p str {
    profile.failure_of(Some(&report.subagent))
}

/// Two sentences without any text of the return, so that no limit can be exceeded.
fn summary(report: &Report<'_>) -> String {
    let first = report
        .findings
        .first()
        .map_or("none", |finding| finding.rule.id);
    let (failures, warnings) = (report.failures, report.warnings);
    format!(
        "The return of the subagent failed validation. Failures: {failures}, warnings: {warnings}, first rule: {first}."
    )
}

fn returned<'v>(profile: &'v Profile, report: &'v Report<'_>) -> FailedConsoleReturn<'v> {
    let path = path(report);
    FailedConsoleReturn {
        status: status(profile, report),
        summary: profile.has_field("summary").then(|| summary(report)),
        artifacts: [],
        metadata: FailedMetadata {
            session_id: session(report).unwrap_or(UNKNOWN),
            duration_seconds: 0,
            agent_type: cut(&report.subagent, NAME),
            delegation_depth: depth(report, path.len()),
            delegation_path: path,
            own: own(profile, "metadata", &METADATA),
        },
        errors: report.findings.iter().map(error).collect(),
        next_steps: "Call the subagent again and have it correct the errors",
        own: own(profile, "", &RETURNED),
    }
}

/// The depth of the return, if it fits a path of so many names.
fn depth(report: &Report<'_>, names: usize) -> Number {
    let delegation = report.delegation.as_ref();
    let depth = delegation.and_then(Delegation::depth_in_json);
    let fits = |depth: &Number| depth.as_u64().is_some_and(|depth| depth < names as u64);
    depth.filter(fits).unwrap_or_else(|| 0.into())
}

/// The delegation path of the return, if it begins with the orchestrator, ends at the agent, names nobody twice and is short.
fn path<'v>(report: &'v Report<'_>) -> Vec<&'v str> {
    let agent = cut(&report.subagent, NAME);
    let path = report
        .delegation
        .as_ref()
        .map_or(&[][..], |delegation| &delegation.path);
    let is_short = path.len() <= PATH && path.iter().all(|name| cut(name, NAME) == name);
    let mut names = StringSet::default();
    let is_straight = is_short && path.iter().all(|name| names.insert(name.as_str()));
    let is_complete = path.first().is_some_and(|name| is_orchestrator(name));
    match path.last() {
        Some(last) if last == agent && is_straight && is_complete => {
            path.iter().map(String::as_str).collect()
        }
        _ => vec!["orchestrator", agent],
    }
}

fn session<'r>(report: &'r Report<'_>) -> Option<&'r str> {
    report
        .session
        .as_deref()
        .map(|session| cut(session, NAME))
        .filter(|session| !is_blank(session))
}

fn error(finding: &Finding) -> FailedError<'_> {
    FailedError {
        r#type: "validation",
        code: finding.rule.id.replace('-', "_").to_uppercase(),
        message: cut(&finding.message(), MESSAGE).to_owned(),
        recoverable: true,
        recommendation: &finding.help,
    }
}

fn handoff<'v>(profile: &'v Profile, report: &'v Report<'_>) -> FailedHandoff<'v> {
    FailedHandoff {
        from_agent: cut(&report.subagent, NAME),
        session_id: session(report),
        status: status(profile, report),
        summary: summary(report),
        concerns: report.findings.iter().map(Finding::message).collect(),
        own: own(profile, "", &HANDED_OVER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Root;
    use crate::checker::Checker;
    use crate::profile::{HANDOFF, RETURN};

    #[test]
    fn the_lists_of_known_members_are_complete() {
        let keys = |value: serde_json::Value| {
            let mut keys: Vec<_> = value
                .as_object()
                .expect("an object")
                .keys()
                .cloned()
                .collect();
            keys.sort();
            keys
        };
        let sorted = |names: &[&str]| {
            let mut names: Vec<_> = names.iter().copied().map(str::to_owned).collect();
            names.sort();
            names
        };
        let root = Root::open(".").expect("a root");
        let report = |profile| {
            Checker::new(profile, &root)
                .session("s")
                .check("prose")
                .into_owned()
        };
        let json = |value: serde_json::Result<serde_json::Value>| value.expect("JSON");
        let (console, handed) = (report(&RETURN), report(&HANDOFF));
        let written = json(serde_json::to_value(returned(&RETURN, &console)));
        assert_eq!(keys(written["metadata"].clone()), sorted(&METADATA));
        assert_eq!(keys(written), sorted(&RETURNED));
        let written = json(serde_json::to_value(handoff(&HANDOFF, &handed)));
        assert_eq!(keys(written), sorted(&HANDED_OVER));
    }
}

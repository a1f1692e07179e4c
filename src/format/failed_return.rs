//! `failed-return`: the findings of an invalid return as a failed return of the profile `return`, on a line
//! of its own, whatever the profile of the invalid one. An orchestrator can pass it on. Valid returns
//! produce no output.

use serde::Serialize;
use serde_json::Number;

use crate::check::report::{Delegation, Report, StepOutcome};
use crate::check::rules::{Level, is_name, is_orchestrator};
use crate::format::{Checked, Reporter, Source};
use crate::profile::Action;
use crate::rule::Step;
use crate::text::{cut, escape, is_blank};

/// The format `failed-return`.
#[derive(Debug, Clone, Copy)]
pub(super) struct FailedReturn;

impl Reporter for FailedReturn {
    fn report(&self, _: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        if let Checked::Report(report) = checked
            && !report.is_valid()
        {
            out.extend_from_slice(text(report).as_bytes());
            out.push(b'\n');
        }
    }
}

/// What is not known of the agent.
const UNKNOWN: &str = "unknown";

/// The most characters of a name that only the return gives.
const NAME: usize = 4096;

/// The longest delegation path that is copied, in names.
const PATH: usize = 64;

/// The most bytes of a message in the summary.
const WORDS: usize = 100;

/// The most characters of an error's message (Subagent return format 1.0, errors).
const MESSAGE: usize = 500;

#[derive(Serialize)]
struct FailedRecord<'v> {
    status: &'v str,
    summary: String,
    artifacts: [(); 0],
    metadata: FailedMetadata<'v>,
    errors: Vec<FailedError<'v>>,
    next_steps: &'static str,
}

#[derive(Serialize)]
struct FailedMetadata<'v> {
    session_id: &'v str,
    agent_type: &'v str,
    delegation_depth: Number,
    delegation_path: Vec<&'v str>,
}

#[derive(Serialize)]
struct FailedError<'v> {
    r#type: &'static str,
    code: String,
    message: String,
    recoverable: bool,
    recommendation: &'v str,
}

/// Returns the result of a check as a failed return: JSON on one line, safe to print.
#[must_use]
pub(crate) fn text(report: &Report<'_>) -> String {
    let action = report.next().action;
    let errors = report.findings.iter().map(|finding| FailedError {
        r#type: "validation",
        code: finding.rule.id.replace('-', "_").to_uppercase(),
        message: cut(&finding.message(), MESSAGE).to_owned(),
        recoverable: action == Action::Retry,
        recommendation: finding.help(),
    });
    let delegation_path = path(report);
    let failed = FailedRecord {
        status: "failed",
        summary: summary(report),
        artifacts: [],
        metadata: FailedMetadata {
            session_id: session(report).unwrap_or(UNKNOWN),
            agent_type: agent(report),
            delegation_depth: depth(report, delegation_path.len()),
            delegation_path,
        },
        errors: errors.collect(),
        next_steps: match (report.failure, action) {
            (None, _) => "Call the subagent again and have it correct the errors",
            (_, Action::Retry) => "Call the subagent again",
            _ => "Remove the cause of the error, then call the subagent again",
        },
    };
    // This fails only for map keys that are not strings, which failed returns do not have.
    let json = serde_json::to_string(&failed).unwrap_or_default();
    escape::json(&json).into_owned()
}

/// Says in two sentences what is wrong: the words before the values of the first message. If these have
/// text of the return that could break a rule, such as the end of a sentence, the rule says it.
fn summary(report: &Report<'_>) -> String {
    let mut findings = report.findings.iter();
    let first = findings.find(|it| it.level == Level::Error);
    let words = |text: &str| {
        let end = [": ", " ("].iter().filter_map(|mark| text.find(mark)).min();
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let is_plain = |text: &String| {
        text.len() <= WORDS
            && text
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || " '-".contains(it))
    };
    let head = first.map(|it| words(it.head())).filter(is_plain);
    let reason = head.or_else(|| first.map(|it| words(&it.rule.title())));
    format!(
        "Subagent return validation failed: {}. Failures: {}, warnings: {}.",
        reason.unwrap_or_default(),
        report.failures,
        report.warnings
    )
}

/// Returns the name of the agent. A name that the caller gives is kept whole. A name that only the
/// return gives is cut, because it can be as long as the return.
fn agent<'r>(report: &'r Report<'_>) -> &'r str {
    let is_own = !report.is_named_by_caller;
    let agent = if is_own {
        cut(&report.subagent, NAME)
    } else {
        &report.subagent
    };
    if is_blank(agent) || (is_own && !is_name("agent_type", agent)) {
        return UNKNOWN;
    }
    agent
}

/// Returns the session id, cut in the same way. None if it is missing, blank or a placeholder.
fn session<'r>(report: &'r Report<'_>) -> Option<&'r str> {
    let session = report.session.as_deref()?;
    let is_own = report.session_id.as_deref() == Some(session)
        && !matches!(report.outcome(Step::Session), StepOutcome::Pass);
    let session = if is_own { cut(session, NAME) } else { session };
    let is_usable = !is_blank(session) && (!is_own || is_name("session_id", session));
    is_usable.then_some(session)
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
    let path = report.delegation.as_ref().map_or(&[][..], |it| &*it.path);
    let mut names = path.iter().enumerate();
    let is_straight = path.len() <= PATH
        && names.all(|(at, name)| cut(name, NAME) == name && !path[..at].contains(name));
    let is_complete = path.first().is_some_and(|name| is_orchestrator(name));
    match path.last() {
        Some(last) if last == agent && is_straight && is_complete => {
            path.iter().map(AsRef::as_ref).collect()
        }
        _ if is_orchestrator(agent) => vec![agent],
        _ => vec!["orchestrator", agent],
    }
}

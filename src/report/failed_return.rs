//! `failed-return`: the findings of an invalid return as a failed return of the profile `return`, on a line
//! of its own, whatever the profile of the invalid one. An orchestrator can pass it on. Valid returns
//! produce no output.

use crate::check::finding::Finding;
use crate::check::report::{Report, StepOutcome};
use crate::check::rules::{is_orchestrator, is_own};
use crate::profile::Action;
use crate::report::json::{line, members};
use crate::rule::Step;
use crate::text::{cut, is_blank};

/// The most characters of a name that only the return gives.
const NAME: usize = 4096;

const WORDS: usize = 100;

/// The most characters of an error's message (Subagent return format 1.0, errors).
const MESSAGE: usize = 500;

/// Returns the result of a check as a failed return: JSON on one line, safe to print.
pub(crate) fn text(report: &Report) -> String {
    let action = report.next().action;
    let errors = report.findings.iter().map(|finding| {
        members! {
            "type": "validation",
            "code": finding.rule.id.replace('-', "_").to_uppercase(),
            "message": cut(&finding.message(), MESSAGE),
            "recoverable": action == Action::Retry,
            "recommendation": finding.help,
        }
    });
    let session = report.session.as_deref().unwrap_or_default();
    let is_own = report.returned.session_id.as_deref() == Some(session)
        && !matches!(report.outcome(Step::Session), StepOutcome::Pass);
    let session = known("session_id", session, is_own);
    let agent = known("agent_type", &report.subagent, !report.is_named_by_caller);
    // What the invalid return says of its callers is not relied on.
    let callers = Some("orchestrator").filter(|_| !is_orchestrator(agent));
    let path: Vec<_> = callers.into_iter().chain([agent]).collect();
    line(&members! {
        "status": "failed",
        "summary": summary(report),
        "artifacts": [(); 0],
        "metadata": members! {
            "session_id": session,
            "agent_type": agent,
            "delegation_depth": path.len() - 1,
            "delegation_path": path,
        },
        "errors": errors.collect::<Vec<_>>(),
        "next_steps": match (report.failure, action) {
            (None, _) => "Call the subagent again and have it correct the errors",
            (_, Action::Retry) => "Call the subagent again",
            _ => "Remove the cause of the error, then call the subagent again",
        },
    })
}

/// Says in two sentences what is wrong: the first reason, without its values if they could end a sentence.
fn summary(report: &Report) -> String {
    let reason = report.failures_first().next().map_or("", Finding::reason);
    let is_plain = |it: char| it.is_ascii_alphanumeric() || " '-:/_=.".contains(it);
    let is_whole = reason.len() <= WORDS && reason.chars().all(is_plain) && !reason.contains(". ");
    let end = [": ", " ("].iter().filter_map(|mark| reason.find(mark)).min();
    let words = if is_whole {
        reason.to_owned()
    } else {
        cut(&reason[..end.unwrap_or(reason.len())], WORDS).replace(['.', '!', '?'], " ")
    };
    let (failures, warnings) = (report.failures, report.warnings);
    format!(
        "Subagent return validation failed: {words}. Failures: {failures}, warnings: {warnings}."
    )
}

/// A name that only the return gives is cut, because it can be as long, and unknown if it is a placeholder.
fn known<'r>(member: &str, name: &'r str, is_returned: bool) -> &'r str {
    let name = if is_returned { cut(name, NAME) } else { name };
    let is_unknown = is_blank(name) || is_returned && !is_own(member, name);
    if is_unknown { "unknown" } else { name }
}

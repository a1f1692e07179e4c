//! What a failed return names, and its summary, within the limits of its profile.

use crate::check::report::{Report, StepOutcome};
use crate::check::rules::is_name;
use crate::format::stand_in::UNKNOWN;
use crate::profile::{Measured, Profile};
use crate::rule::Step;
use crate::text::{cut, is_blank};

/// The most characters of a name that only the return gives.
pub(super) const NAME: usize = 4096;

/// Returns the name of the agent. A name that the caller gives is kept whole. A name that only the
/// return gives is cut, because it can be as long as the return.
pub(super) fn agent<'r>(report: &'r Report<'_>) -> &'r str {
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
pub(super) fn session<'r>(report: &'r Report<'_>) -> Option<&'r str> {
    let session = report.session.as_deref()?;
    let is_own = report.session_id.as_deref() == Some(session)
        && !matches!(report.outcome(Step::Session), StepOutcome::Pass);
    let session = if is_own { cut(session, NAME) } else { session };
    let is_usable = !is_blank(session) && (!is_own || is_name("session_id", session));
    is_usable.then_some(session)
}

/// The most sentences of a summary, because a profile can require any number.
const SENTENCES: usize = 100;
/// The most characters to which a summary is lengthened, because a profile can require any number.
const CHARACTERS: usize = 10_000;

/// Returns a summary that says how many findings there are. It contains no text of the return, because
/// that text could break a rule.
pub(super) fn summary(profile: &Profile, report: &Report<'_>) -> String {
    let first = report.findings.first();
    let first = first.map_or("none", |finding| finding.rule.id);
    let (failures, warnings) = (report.failures, report.warnings);
    let (least, most) = profile.sentences.unwrap_or((2, 2));
    let count = least.max(2).min(most).clamp(1, SENTENCES);
    let counts = format!("ailures: {failures}, warnings: {warnings}, first rule: {first}.");
    let whole = if count == 1 {
        format!("The return of the subagent failed validation, f{counts}")
    } else {
        let more = " See the errors.".repeat(count - 2);
        format!("The return of the subagent failed validation. F{counts}{more}")
    };
    let whole = padded(whole, profile.limits.summary_at_least.unwrap_or(0));
    let short = vec!["No."; count].join(" ");
    let mut texts = [whole, short, "No".to_owned()].into_iter();
    let is_allowed = |text: &String| {
        let limit = profile.length.filter(|limit| limit.of == Measured::Summary);
        limit.is_none_or(|limit| limit.allows(limit.measure(text)))
    };
    texts.find(is_allowed).unwrap_or_else(|| "x".to_owned())
}

/// Lengthens the last sentence until the text has at least `least` characters, or [`CHARACTERS`] if that
/// is less.
fn padded(mut text: String, least: usize) -> String {
    let least = least.min(CHARACTERS);
    while text.len() < least {
        text.pop();
        text.push_str(", and each of the errors says what to correct.");
    }
    text
}

//! What a failed return names: the agent and its session.

use crate::check::report::{Report, StepOutcome};
use crate::check::rules::is_name;
use crate::format::stand_in::UNKNOWN;
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

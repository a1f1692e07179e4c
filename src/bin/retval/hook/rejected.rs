//! What an invalid return is for each of its readers.

use retval::Report;
use retval::format::{Audience, failed_return, feedback};
use retval::internal::escape;

use crate::hook::end::AgentEnd;

/// What the caller of an agent without a return is to do.
pub(super) const ACTION: &str = "Run the task again, or treat it as failed";

/// An invalid return, for each of its readers.
pub(super) struct Rejected<'r> {
    pub(super) for_agent: String,
    pub(super) for_caller: String,
    /// The return that the caller gets instead.
    pub(super) failed_return: String,
    pub(super) report: &'r Report<'r>,
    /// What was checked; none if it is missing, and then why.
    pub(super) returned: Result<&'r [u8], &'r str>,
}

impl<'r> Rejected<'r> {
    pub(super) fn of(
        end: &AgentEnd<'_>,
        report: &'r Report<'r>,
        returned: Result<&'r [u8], &'r str>,
    ) -> Self {
        let (for_agent, for_caller) = match returned {
            Ok(_) => (
                feedback(report, end.profile, Audience::Subagent),
                feedback(report, end.profile, Audience::Orchestrator),
            ),
            Err(missing) => {
                let agent = end.event.agent.as_deref().unwrap_or_default();
                let agent = escape::truncated(agent);
                (
                    format!("{missing}: write one before you end.\n"),
                    format!(
                        "The return of {agent} is missing; do not rely on its work. {missing}.\n{ACTION}.\n"
                    ),
                )
            }
        };
        Self {
            for_agent,
            for_caller,
            failed_return: failed_return(report, end.profile),
            report,
            returned,
        }
    }
}

//! The texts about an invalid return, one for each reader.

use retval::internal::clients::Event;
use retval::internal::escape;
use retval::internal::format::{Audience, failed_return, feedback};
use retval::{Instruction, Profile, Report};

/// What the caller of an agent without a return should do.
pub(super) const ACTION: &str = "Run the task again, or treat it as failed";

/// An invalid or missing return, with a text for each reader.
pub(super) struct Rejected<'r> {
    pub(super) for_agent: String,
    pub(super) for_caller: String,
    pub(super) for_user: String,
    /// A return with a failed status, which the caller gets instead.
    pub(super) failed_return: String,
    pub(super) report: &'r Report<'r>,
    /// The bytes that were checked. If the return is missing, why.
    pub(super) returned: Result<&'r [u8], &'r str>,
}

impl<'r> Rejected<'r> {
    pub(super) fn of(
        event: &Event,
        profile: &Profile,
        report: &'r Report<'r>,
        returned: Result<&'r [u8], &'r str>,
    ) -> Self {
        let (for_agent, for_caller, for_user) = match returned {
            Ok(_) => (
                feedback(report, profile, Audience::Subagent),
                feedback(report, profile, Audience::Orchestrator),
                feedback(report, profile, Audience::User),
            ),
            Err(missing) => {
                let name = event.agent.as_deref();
                let form = Instruction {
                    session: report.session.as_deref(),
                    agent: name,
                    ..Instruction::new(profile)
                }
                .skeleton();
                let name = escape::truncated(name.unwrap_or_default());
                (
                    format!("{missing}: write one before you end. The form is:\n{form}\n"),
                    format!(
                        "The return of {name} is missing; do not rely on its work. {missing}.\n{ACTION}.\n"
                    ),
                    format!("The return of {name} is missing. {missing}.\n"),
                )
            }
        };
        Self {
            for_agent,
            for_caller,
            for_user,
            failed_return: failed_return(report, profile),
            report,
            returned,
        }
    }
}

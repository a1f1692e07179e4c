//! What happens to a return that is invalid, and the texts about it, one for each reader.

use std::fmt::Write as _;

use crate::clients::transcript::locate::candidates;
use crate::clients::{Answer, Event, Moment};
use crate::format::{Audience, failed_return, feedback};
use crate::profile::Shape;
use crate::text::escape;
use crate::{Form, Instruction, Profile, Report};

use crate::cli::hook::end::AgentEnd;
use crate::cli::hook::failures::{self, FailureEvent};
use crate::cli::hook::retries::{self, Decision, lower_cap};
use crate::cli::hook::state::Verdict;
use crate::cli::hook::{fan_in, untold};
use crate::cli::session_file;

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
    fn of(
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

/// Asks for an honest return when the agent has one try left.
fn last_try(form: Form) -> String {
    let whole = match form {
        Form::Json => "JSON object",
        Form::Yaml => "YAML",
        Form::Text => "report",
    };
    format!(
        "This is the last time you are asked. If you cannot correct it, do not claim success: return \
         the complete {whole} with a status that says that the task failed, and say why.\n"
    )
}

impl AgentEnd<'_> {
    /// The answer to an invalid or missing return. The remark is for the caller.
    pub(super) fn reject<'r>(
        &mut self,
        report: &'r Report<'r>,
        returned: Result<&'r [u8], &'r str>,
        remark: &str,
    ) -> Answer {
        let mut rejected = Rejected::of(self.event, self.profile, report, returned);
        rejected.for_caller += remark;
        let policy = self.options.on_failure;
        let can_be_asked = self.can_be_asked();
        if can_be_asked && policy.is_observing && self.is_checked_later() {
            return Answer::Nothing;
        }
        if policy.is_observing {
            let text = self.observed(&rejected);
            if can_be_asked {
                self.state.remember(Verdict::Note(text.clone()));
                self.note_handed_in(None);
            }
            self.record(&rejected);
            return Answer::Note(text);
        }
        if !can_be_asked {
            fan_in::note(self.event, Some(false));
            if self.event.agent_id.is_none() {
                self.state.record.asked = None;
            }
            if self.event.is_handed_in {
                self.state.remember(Verdict::Silent);
            }
            // In some versions the result is the text of the error.
            if !failures::note(self.event, FailureEvent::Result) {
                self.record(&rejected);
            }
            return match self.event.moment {
                Moment::Notification => Answer::Tell(rejected.for_caller),
                _ => Answer::Block(rejected.for_caller),
            };
        }
        let waiting = waiting_advice(self.event);
        let wait = waiting
            .as_ref()
            .and_then(|_| retries::wait(policy, self.event, self.state));
        let decision = wait.unwrap_or_else(|| retries::decide(policy, self.event, self.state));
        let text = match decision {
            Decision::AskAgain { is_last: true } if self.profile.shape != Shape::Message => {
                rejected.for_agent + &last_try(self.profile.form())
            }
            Decision::AskAgain { .. } => rejected.for_agent,
            Decision::Wait => waiting.unwrap_or_default() + &rejected.for_agent,
            Decision::Accept => return self.accept_invalid(rejected),
        };
        self.state.remember(Verdict::Refused(rejected.for_caller));
        self.state.record.agent = self
            .event
            .agent
            .clone()
            .filter(|_| self.event.agent_id.is_some());
        Answer::Block(text)
    }

    /// What the user is told while observing: what the hook would have done.
    fn observed(&self, rejected: &Rejected<'_>) -> String {
        let effect = match (self.event.moment, self.options.on_failure.retries) {
            (Moment::Stop | Moment::Call, 0) => "it would have been accepted, and its caller told",
            (Moment::Stop | Moment::Call, _) => "the agent would have been asked to correct this",
            _ => "its caller would have been told not to rely on it",
        };
        let text = &rejected.for_user;
        format!("retval (observing): {text}Nothing was done. Without --observe, {effect}.")
    }

    fn accept_invalid(&mut self, rejected: Rejected<'_>) -> Answer {
        if self.event.moment == Moment::Call && self.is_checked_later() {
            return Answer::Nothing;
        }
        self.record(&rejected);
        self.state.trace.is_accepted = true;
        let mut text = rejected.for_caller;
        if let Some(cap) = lower_cap(self.options.on_failure, self.event.client) {
            let _ = writeln!(
                text,
                "Its agent was asked again {cap} times, which is the limit of the client."
            );
        }
        fan_in::note(self.event, Some(false));
        untold::keep(self.event, Some(&text));
        self.state.remember(Verdict::Invalid(text.clone()));
        let message = self.event.message.as_deref().unwrap_or_default();
        if message.trim().is_empty() {
            // The client reports an empty message to the caller as an error.
            failures::note(self.event, FailureEvent::Own);
        }
        let takes_replacement = self.event.client.facts().takes_replacement;
        let replacement = if self.event.client.facts().hides_callers {
            Some(text.clone())
        } else {
            takes_replacement.then_some(rejected.failed_return)
        };
        if self.event.moment == Moment::Call {
            self.note_handed_in(replacement);
        } else if let Some(replacement) = replacement {
            return Answer::Replace(replacement);
        }
        Answer::Note(format!("Invalid return accepted: {text}"))
    }
}

/// Most running agents of a session that are looked at.
const RUNNING_AT_MOST: usize = 64;

/// What to tell an agent that one which it has started still runs. None if there is no such agent.
fn waiting_advice(event: &Event) -> Option<String> {
    let own = event.agent_id.as_deref()?;
    let transcript = event.transcript.as_deref()?;
    let is_child = |id: &str| {
        let mut files = candidates(transcript, event.session.as_deref(), id).into_iter();
        let sidecar = files.find_map(|files| session_file::read_sidecar(&files.sidecar?));
        sidecar.is_some_and(|sidecar| sidecar.parent.as_deref() == Some(own))
    };
    let running = event.running.iter().take(RUNNING_AT_MOST);
    let mut children = running.filter(|agent| is_child(&agent.id));
    let first = children.next()?;
    let (about, id) = (
        escape::truncated(&first.about),
        escape::truncated(&first.id),
    );
    let more = match children.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "An agent that you started still runs: {about} ({id}){more}. Do not end before it has ended, and \
         return then. This does not use up a try.\n"
    ))
}

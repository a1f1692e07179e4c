//! What happens to a return that was checked: it is accepted, its agent is asked again, or its caller told.

use std::fmt::Write as _;

use crate::check::rules::RETURN_FILLER;
use crate::clients::transcript::locate::candidates;
use crate::clients::{Answer, Event, Moment};
use crate::document::Form;
use crate::instruct::Instruction;
use crate::log::{HookCall, ReturnLack};
use crate::profile::Shape;
use crate::report::{Audience, failed_return, feedback};
use crate::text::escape;
use crate::{Finding, Report};

use crate::cli::evidence;
use crate::cli::hook::asking::Asking;
use crate::cli::hook::case::{ACTION, Case};
use crate::cli::hook::options::Held;
use crate::cli::hook::session::Verdict;

/// The most warnings that the caller is told.
const WARNINGS: usize = 3;

/// Most running agents of a session that are looked at.
const RUNNING_AT_MOST: usize = 64;

/// The text that an agent has returned, or why there is none.
type Returned<'r> = Result<&'r [u8], &'r str>;

impl Case<'_> {
    /// The answer to a return that was checked, or that is missing.
    pub(super) fn settle(
        &mut self,
        held: &Held<'_>,
        report: &Report,
        returned: Returned<'_>,
    ) -> Answer {
        match returned {
            Ok(bytes) => self.trace.checked(bytes, report),
            Err(missing) => self.trace.why = Some(missing.to_owned()),
        }
        if !report.is_valid() {
            return self.reject(held, report, returned);
        }
        let mut rules = report.findings.iter().map(|it| it.rule.id);
        self.brought(Some(!rules.any(|id| id == RETURN_FILLER.id)));
        let remarks = [self.remark.take(), warnings(report)].into_iter().flatten();
        let remark = remarks.reduce(|one, other| one + &other);
        if !self.can_be_asked() {
            self.record.asked = None;
            self.settle_handed_in();
            return remark.map_or(Answer::Nothing, Answer::Tell);
        }
        self.settle_count();
        self.record.was_accepted |= self.event.agent_id.is_some();
        self.note_handed_in(held, None);
        self.tell_later(remark.as_deref());
        let verdict = remark.clone().map(Verdict::Remark);
        self.remember(verdict.unwrap_or_else(|| self.accepted_after()));
        // Otherwise the caller is told when it gets the result.
        match remark {
            Some(text) if !self.event.client.facts().result_follows_stop => Answer::Note(text),
            _ => Answer::Nothing,
        }
    }

    /// The answer to an invalid or missing return.
    fn reject(&mut self, held: &Held<'_>, report: &Report, returned: Returned<'_>) -> Answer {
        let policy = held.options.on_failure;
        if policy.is_observing {
            return self.observe(held, report, returned);
        }
        let for_caller = match returned {
            Ok(_) => feedback(report, held.profile, Audience::Orchestrator),
            Err(missing) => format!(
                "The return of {} is missing; do not rely on its work. {missing}.\n{ACTION}.\n",
                self.agent()
            ),
        } + &self.remark.take().unwrap_or_default();
        if !self.can_be_asked() {
            self.brought(Some(false));
            if self.event.agent_id.is_none() {
                self.record.asked = None;
            }
            self.settle_handed_in();
            // In some versions the result is the text of the error.
            if !self.note_failure(false) {
                self.record_invalid(held, report, returned);
            }
            return self.for_caller(for_caller);
        }
        let waiting = waiting_advice(&self.event);
        let asking = self.ask(policy, waiting.is_some());
        if asking == Asking::Accept {
            return self.accept_invalid(held, report, returned, for_caller);
        }
        let agent = self.event.agent.clone();
        let for_agent = match returned {
            Ok(_) => feedback(report, held.profile, Audience::Subagent),
            Err(missing) => {
                let form = Instruction {
                    session: report.session.as_deref(),
                    agent: agent.as_deref(),
                    ..Instruction::new(held.profile)
                };
                let form = form.example().map(|form| format!(" The form is:\n{form}"));
                let form = form.unwrap_or_default();
                format!("{missing}: write one before you end.{form}\n")
            }
        };
        self.remember(Verdict::Refused(for_caller));
        self.record.agent = agent.filter(|_| self.event.agent_id.is_some());
        Answer::Block(match asking {
            Asking::Again { is_last: true } if held.profile.shape != Shape::Message => {
                for_agent + &last_try(held.profile.form)
            }
            Asking::Wait => waiting.unwrap_or_default() + &for_agent,
            _ => for_agent,
        })
    }

    /// Tells the user what the hook would have done.
    fn observe(&mut self, held: &Held<'_>, report: &Report, returned: Returned<'_>) -> Answer {
        let can_be_asked = self.can_be_asked();
        if can_be_asked && self.is_checked_later(held) {
            return Answer::Nothing;
        }
        let text = match returned {
            Ok(_) => feedback(report, held.profile, Audience::User),
            Err(missing) => format!("The return of {} is missing. {missing}.\n", self.agent()),
        };
        let effect = match held.options.on_failure.retries {
            _ if !can_be_asked => "its caller would have been told not to rely on it",
            0 => "it would have been accepted, and its caller told",
            _ => "the agent would have been asked to correct this",
        };
        let text =
            format!("retval (observing): {text}Nothing was done. Without --observe, {effect}.");
        if can_be_asked {
            self.remember(Verdict::Note(text.clone()));
            self.note_handed_in(held, None);
        }
        self.record_invalid(held, report, returned);
        Answer::Note(text)
    }

    fn accept_invalid(
        &mut self,
        held: &Held<'_>,
        report: &Report,
        returned: Returned<'_>,
        mut text: String,
    ) -> Answer {
        let (moment, client) = (self.event.moment, self.event.client);
        if moment == Moment::Call && self.is_checked_later(held) {
            return Answer::Nothing;
        }
        self.record_invalid(held, report, returned);
        self.trace.is_accepted = true;
        if let Some(cap) = held.options.on_failure.lower_cap(client) {
            let _ = writeln!(
                text,
                "Its agent was asked again {cap} times, which is the limit of the client."
            );
        }
        self.brought(Some(false));
        self.tell_later(Some(&text));
        self.remember(Verdict::Invalid(text.clone()));
        if self.event.has_no_message() {
            // The client reports an empty message to the caller as an error.
            self.note_failure(true);
        }
        let replacement = if client.facts().hides_callers {
            Some(text.clone())
        } else {
            let is_taken = client.facts().takes_replacement;
            is_taken.then(|| failed_return(report))
        };
        if moment == Moment::Call {
            self.note_handed_in(held, replacement);
        } else if let Some(replacement) = replacement {
            return Answer::Replace(replacement);
        }
        Answer::Note(format!("Invalid return accepted: {text}"))
    }

    pub(super) fn for_caller(&self, text: String) -> Answer {
        match self.event.moment {
            Moment::Notification => Answer::Tell(text),
            _ => Answer::Block(text),
        }
    }

    /// Whether the agent still runs, so that it can be asked again.
    fn can_be_asked(&self) -> bool {
        matches!(self.event.moment, Moment::Stop | Moment::Call)
    }

    /// Whether what an agent hands in is checked once more, with its result.
    pub(super) fn is_checked_later(&self, held: &Held<'_>) -> bool {
        self.event.client.facts().hides_callers && held.options.tool.is_none()
    }

    /// Notes that a return was accepted which the agent has handed in by a call: it ends after that.
    fn note_handed_in(&mut self, held: &Held<'_>, replacement: Option<String>) {
        if self.event.moment == Moment::Call && !self.is_checked_later(held) {
            self.record.handed_in = Some(replacement.unwrap_or_default());
        }
    }

    /// The caller also gets a message with what was handed in, which is not to be checked again.
    fn settle_handed_in(&mut self) {
        if self.event.is_handed_in {
            self.remember(Verdict::Silent);
        }
    }

    /// The verdict on a valid return: a person may know how often the agent was asked for it.
    fn accepted_after(&self) -> Verdict {
        let times = match self.asked_before.unwrap_or_default() {
            0 => return Verdict::Silent,
            1 => "once".to_owned(),
            times => format!("{times} times"),
        };
        let agent = self.agent();
        Verdict::Note(format!(
            "retval: {agent} was asked again {times}, and its return is valid now."
        ))
    }

    /// Adds an invalid or missing return to the error log, if there is one.
    fn record_invalid(&mut self, held: &Held<'_>, report: &Report, returned: Returned<'_>) {
        match returned {
            Err(missing) => self.record_missing(held, missing, ReturnLack::Missing),
            Ok(bytes) if held.options.errors_json.is_some() => {
                self.record_return(self.call(held), report, bytes);
            }
            Ok(_) => {}
        }
    }

    /// Adds an agent without a return to the error log, if there is one.
    pub(super) fn record_missing(&mut self, held: &Held<'_>, message: &str, lack: ReturnLack) {
        if held.options.errors_json.is_some() {
            self.record_lack(self.call(held), message, lack);
        }
    }

    fn call(&self, held: &Held<'_>) -> HookCall {
        HookCall {
            observed: held.options.on_failure.is_observing,
            asked_again: self.asked_before,
            ..self.hook_call()
        }
    }
}

/// What the caller is told of the warnings about an accepted return, in one line. None without any.
fn warnings(report: &Report) -> Option<String> {
    let heads = report.findings.iter().map(Finding::head);
    let heads: Vec<_> = heads.take(WARNINGS).collect();
    let more = match report.warnings.saturating_sub(heads.len()) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let (agent, heads) = (escape::truncated(&report.subagent), heads.join("; "));
    (report.warnings > 0)
        .then(|| format!("The return of {agent} was accepted with warnings: {heads}{more}.\n"))
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

/// What to tell an agent that one which it has started still runs. None if there is no such agent.
fn waiting_advice(event: &Event) -> Option<String> {
    let own = event.agent_id.as_deref()?;
    let transcript = event.transcript.as_deref()?;
    let is_child = |id: &str| {
        let mut files = candidates(transcript, event.session.as_deref(), id).into_iter();
        let sidecar = files.find_map(|files| evidence::read_sidecar(&files.sidecar?));
        sidecar.is_some_and(|sidecar| sidecar.parent.as_deref() == Some(own))
    };
    let running = event.running.iter().take(RUNNING_AT_MOST);
    let mut children = running.filter(|agent| is_child(&agent.id));
    let first = children.next()?;
    let about = escape::truncated(&first.about);
    let id = escape::truncated(&first.id);
    let more = match children.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "An agent that you started still runs: {about} ({id}){more}. Do not end before it has ended, and \
         return then. This does not use up a try.\n"
    ))
}

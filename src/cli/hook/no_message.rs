//! Ends of agents without a final message to check: what they handed in by a call before, and what their
//! callers are told of a refusal that nothing followed.

use crate::clients::{Answer, Moment};
use crate::error_log::ReturnLack;
use crate::text::escape;

use crate::cli::hook::end::AgentEnd;
use crate::cli::hook::failures::{self, FailureEvent};
use crate::cli::hook::state::{HandedIn, Verdict};
use crate::cli::hook::{agent_files, fan_in};

impl AgentEnd<'_> {
    pub(super) fn without_message(&mut self) -> Option<Answer> {
        self.unfinished()
            .or_else(|| self.handed_in())
            .or_else(|| self.unenforced())
    }

    /// The answer to the end of an agent that has given its result to a workflow without being checked, or
    /// although it was refused: the client takes no refusal any more.
    fn unenforced(&mut self) -> Option<Answer> {
        if !agent_files::has_handed_over(self.event) {
            return None;
        }
        let agent = escape::truncated(self.event.agent.as_deref().unwrap_or_default());
        let head = format!("The return of {agent} could not be enforced");
        let (message, more) = match self.state.take_refused() {
            Some(refused) => (
                format!("{head}: the client took it when it was refused"),
                refused,
            ),
            None => (
                format!("{head}: it was given to a workflow by a call that no hook checked"),
                "Install the hook again for the event of such calls.\n".to_owned(),
            ),
        };
        self.state.trace.why = Some(message.clone().into());
        self.record_lack(&message, ReturnLack::Unchecked);
        let text = format!("{message}. {more}");
        self.state.remember(Verdict::Remark(text.clone()));
        Some(Answer::Note(format!("retval: {text}")))
    }

    /// Notes that a return was accepted which the agent has handed in by a call: it ends after that.
    pub(super) fn note_handed_in(&mut self, replacement: Option<String>) {
        if self.event.moment == Moment::Call && !self.is_checked_later() {
            self.state.record.handed_in = Some(HandedIn { replacement });
        }
    }

    /// Whether what an agent hands in is checked once more, with its result.
    pub(super) fn is_checked_later(&self) -> bool {
        self.event.client.facts().hides_callers && self.options.tool.is_none()
    }

    /// The answer to the end of an agent that has handed in a return by a call.
    pub(super) fn handed_in(&mut self) -> Option<Answer> {
        let is_stop = self.event.moment == Moment::Stop;
        // Some clients call the hook only with the result.
        let is_result = self.event.moment == Moment::Result
            && self.options.tool.is_some()
            && self.event.client.facts().hides_callers;
        let is_end = is_stop || is_result;
        let handed_in = self.state.record.handed_in.take_if(|_| is_end);
        match handed_in.map(|it| it.replacement) {
            Some(Some(text)) if is_result => Some(Answer::Block(text)),
            Some(Some(text)) => Some(Answer::Replace(text)),
            Some(None) => Some(Answer::Nothing),
            // Of several agents nobody knows which one made a call.
            None => is_result.then_some(Answer::Nothing),
        }
    }

    /// The answer for the caller of an agent that ended although its return was refused, or without any.
    pub(super) fn unfinished(&mut self) -> Option<Answer> {
        let event = self.event;
        let is_late = matches!(event.moment, Moment::Notification | Moment::Fetched);
        if !is_late && event.moment != Moment::Result {
            return None;
        }
        let refused = self.state.take_refused();
        let ended = event.notified.first();
        // Whoever stopped it knows that, and an agent that failed has a record.
        let is_explained = ended.is_some_and(|it| it.was_stopped || it.has_failed);
        let is_missing = if is_late {
            self.state.record.is_awaited && !is_explained
        } else {
            event.is_at_limit
        };
        let has_none = event
            .message
            .as_deref()
            .is_none_or(|text| text.trim().is_empty());
        if refused.is_none() && !(has_none && is_missing) {
            return None;
        }
        let agent = escape::truncated(event.agent.as_deref().unwrap_or_default()).to_string();
        let how = match ended {
            _ if event.is_at_limit => "ended at its turn limit",
            Some(it) if it.was_stopped => "was stopped",
            Some(it) if it.has_failed => "ended by an error",
            _ => "ended",
        };
        let what = match &refused {
            Some(_) => "before it corrected a return that was refused",
            None => "without a return",
        };
        let message = format!("{agent} {how} {what}");
        self.state.trace.why = Some(message.clone().into());
        let mut text = match refused {
            Some(refused) => format!("{message}. {refused}"),
            None => format!("{message}. Do not rely on its work.\n"),
        };
        if event.is_at_limit {
            text += "It can be continued: send it a message.\n";
        }
        self.state.record.is_awaited = false;
        fan_in::note(event, Some(false));
        if !failures::note(event, FailureEvent::OfCaller) {
            self.record_lack(&message, ReturnLack::Missing);
        }
        Some(match event.moment {
            Moment::Notification => Answer::Tell(text),
            _ => Answer::Block(text),
        })
    }

    /// Records an agent that ended with an error and has no return. Its caller gets the client's own
    /// explanation.
    pub(super) fn failed(&mut self) -> Answer {
        fan_in::note(self.event, Some(false));
        if let Some(text) = self.state.take_refused() {
            // The client delivers the return that was refused.
            let text = format!("Its agent ended by an error. {text}");
            self.state.remember(Verdict::Invalid(text));
        }
        self.state.record.is_awaited = false;
        if self.event.agent_id.is_none() {
            self.state.record.asked = None;
        }
        let event = match self.event.agent_id {
            Some(_) => FailureEvent::Own,
            None => FailureEvent::OfCaller,
        };
        if failures::note(self.event, event) {
            return Answer::Nothing;
        }
        let error = self.event.error.as_deref().unwrap_or_default();
        let message = match error.trim() {
            "" => "The agent ended without a return".to_owned(),
            error => format!("The agent ended without a return: {error}"),
        };
        self.record_lack(&message, ReturnLack::Failed);
        Answer::Nothing
    }
}

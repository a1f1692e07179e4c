//! Ends of agents without a final message to check: what they handed in by a call before, what their
//! callers are told of a refusal that nothing followed, and agents that failed.

use crate::clients::{Answer, Moment};
use crate::log::ReturnLack;
use crate::text::escape;

use crate::cli::hook::agent_files;
use crate::cli::hook::end::AgentEnd;
use crate::cli::hook::session::{FailureEvent, Verdict};

impl AgentEnd<'_, '_> {
    pub(super) fn without_message(&mut self) -> Option<Answer> {
        self.unfinished()
            .or_else(|| self.handed_in())
            .or_else(|| self.unenforced())
    }

    /// The answer for the caller of an agent that ended although its return was refused, or without any.
    fn unfinished(&mut self) -> Option<Answer> {
        let event = self.event;
        let is_late = matches!(event.moment, Moment::Notification | Moment::Fetched);
        if !is_late && event.moment != Moment::Result {
            return None;
        }
        let refused = self.case.take_refused();
        let ended = event.notified.first();
        // Whoever stopped it knows that, and an agent that failed has a record.
        let is_explained = ended.is_some_and(|it| it.was_stopped || it.has_failed);
        let is_missing = if is_late {
            self.case.record.is_awaited && !is_explained
        } else {
            event.is_at_limit
        };
        if refused.is_none() && !(event.has_no_message() && is_missing) {
            return None;
        }
        let agent = escape::truncated(event.agent.as_deref().unwrap_or_default());
        let how = match ended {
            _ if event.is_at_limit => "ended at its turn limit",
            Some(it) if it.was_stopped => "was stopped",
            Some(it) if it.has_failed => "ended by an error",
            _ => "ended",
        };
        let (what, rest) = match refused {
            Some(refused) => ("before it corrected a return that was refused", refused),
            None => ("without a return", "Do not rely on its work.\n".to_owned()),
        };
        let message = format!("{agent} {how} {what}");
        let mut text = format!("{message}. {rest}");
        if event.is_at_limit {
            text += "It can be continued: send it a message.\n";
        }
        self.case.trace.why = Some(message.clone());
        self.case.record.is_awaited = false;
        self.case.brought(event, Some(false));
        if !self.case.note_failure(event, FailureEvent::OfCaller) {
            self.record_lack(&message, ReturnLack::Missing);
        }
        Some(match event.moment {
            Moment::Notification => Answer::Tell(text),
            _ => Answer::Block(text),
        })
    }

    /// The answer to the end of an agent that has handed in a return by a call.
    fn handed_in(&mut self) -> Option<Answer> {
        let is_stop = self.event.moment == Moment::Stop;
        // Some clients call the hook only with the result.
        let is_result = self.event.moment == Moment::Result
            && self.options.tool.is_some()
            && self.event.client.facts().hides_callers;
        let is_end = is_stop || is_result;
        let handed_in = self.case.record.handed_in.take_if(|_| is_end);
        match handed_in.map(|it| it.replacement) {
            Some(Some(text)) if is_result => Some(Answer::Block(text)),
            Some(Some(text)) => Some(Answer::Replace(text)),
            Some(None) => Some(Answer::Nothing),
            // Of several agents nobody knows which one made a call.
            None => is_result.then_some(Answer::Nothing),
        }
    }

    /// The answer to the end of an agent that has given its result to a workflow without being checked, or
    /// although it was refused: the client takes no refusal any more.
    fn unenforced(&mut self) -> Option<Answer> {
        if !agent_files::has_handed_over(self.event) {
            return None;
        }
        let agent = escape::truncated(self.event.agent.as_deref().unwrap_or_default());
        let (how, more) = match self.case.take_refused() {
            Some(refused) => ("the client took it when it was refused", refused),
            None => (
                "it was given to a workflow by a call that no hook checked",
                "Install the hook again for the event of such calls.\n".to_owned(),
            ),
        };
        let message = format!("The return of {agent} could not be enforced: {how}");
        self.case.trace.why = Some(message.clone());
        self.record_lack(&message, ReturnLack::Unchecked);
        let text = format!("{message}. {more}");
        self.case.remember(Verdict::Remark(text.clone()));
        Some(Answer::Note(format!("retval: {text}")))
    }

    /// Records an agent that ended with an error and has no return. Its caller gets the client's own
    /// explanation.
    pub(super) fn failed(&mut self) -> Answer {
        self.case.brought(self.event, Some(false));
        if let Some(text) = self.case.take_refused() {
            // The client delivers the return that was refused.
            let text = format!("Its agent ended by an error. {text}");
            self.case.remember(Verdict::Invalid(text));
        }
        self.case.record.is_awaited = false;
        let kind = match self.event.agent_id {
            Some(_) => FailureEvent::Own,
            None => FailureEvent::OfCaller,
        };
        if kind == FailureEvent::OfCaller {
            self.case.record.asked = None;
        }
        if !self.case.note_failure(self.event, kind) {
            let error = self.event.error.as_deref().unwrap_or_default();
            let message = match error.trim() {
                "" => "The agent ended without a return".to_owned(),
                error => format!("The agent ended without a return: {error}"),
            };
            self.record_lack(&message, ReturnLack::Failed);
        }
        Answer::Nothing
    }
}

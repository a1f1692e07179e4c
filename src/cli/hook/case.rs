//! The agent of an event while it is decided about: what is known and learned of it, what is decided, and how
//! often it is asked for its return again.
//!
//! The record of the agent has a count. It sets a limit even if the payload says something else each time,
//! because not every client ends an agent that its hook keeps asking. If the record cannot be used, the count
//! comes from the payload.

use crate::clients::{Answer, Event, Moment};
use crate::config::ReceiptMode;
use crate::log::{FailedAgent, HookCall, Occurrence, ReturnLack};
use crate::report::Source;
use crate::text::escape;

use crate::cli::hook::options::FailurePolicy;
use crate::cli::hook::records;
use crate::cli::hook::session::{AgentRecord, HookSession, TimesAsked, Verdict};
use crate::cli::hook::trace::{Decided, Trace};

/// What the caller of an agent without a return, or whose return was not checked, should do.
pub(super) const ACTION: &str = "Run the task again, or treat it as failed";

pub(super) struct Decision {
    pub(super) answer: Answer,
    /// Lines of the log, one for each agent that the event is about.
    pub(super) traces: Vec<Trace>,
}

impl Decision {
    /// Adds what is decided about other agents of the same event, all of it for the caller.
    pub(super) fn add(&mut self, other: Self) {
        let text = [self.answer.text(), other.answer.text()].concat();
        if !text.is_empty() {
            self.answer = Answer::Tell(text);
        }
        self.traces.extend(other.traces);
    }
}

pub(super) struct Case<'s> {
    pub(super) event: Event,
    pub(super) session: &'s mut HookSession,
    pub(super) record: AgentRecord,
    pub(super) trace: Trace,
    /// How often the agent was asked again before, as far as that is known.
    pub(super) asked_before: Option<u64>,
    /// Whether the hook only observes the agent.
    pub(super) is_observed: bool,
    /// When its caller is told of its record, and what.
    pub(super) receipt_mode: ReceiptMode,
    pub(super) receipt: Option<String>,
}

impl<'s> Case<'s> {
    pub(super) fn of(event: &Event, session: &'s mut HookSession) -> Self {
        Self {
            record: session.agent(event),
            session,
            trace: Trace::of(event),
            asked_before: None,
            is_observed: false,
            receipt_mode: ReceiptMode::Off,
            receipt: None,
            event: event.clone(),
        }
    }

    pub(super) fn decided(mut self, answer: Answer) -> Decision {
        self.trace.answered(self.event.moment, &answer);
        self.session.keep(self.record);
        Decision { answer, traces: vec![self.trace] }
    }

    /// Completes the event with what is known of its agent from its files and from earlier events.
    pub(super) fn complete(&mut self) {
        records::complete(&mut self.event);
        self.event.agent = self.event.agent.take().or(self.record.agent.clone());
    }

    pub(super) fn agent(&self) -> escape::Untrusted<'_> {
        escape::truncated(self.event.agent.as_deref().unwrap_or_default())
    }

    pub(super) fn unchecked(&mut self, why: &str) -> Answer {
        self.trace.decision = Decided::NotChecked;
        self.trace.why = Some(why.to_owned());
        Answer::Nothing
    }

    /// Keeps a verdict until the client calls the hook for the caller, if it recognizes the agent then.
    pub(super) fn remember(&mut self, verdict: Verdict) {
        if self.event.moment == Moment::Stop {
            self.record.failure = None;
        }
        let facts = self.event.client.facts();
        let is_kept = facts.result_follows_stop || facts.calls_for_caller;
        if self.event.agent_id.is_some() {
            self.record.agent.clone_from(&self.event.agent);
            self.record.verdict = Some(verdict).filter(|_| is_kept);
        }
    }

    /// The text about a return that was refused, if its agent has ended since without another.
    pub(super) fn take_refused(&mut self) -> Option<String> {
        self.record.verdict.take_if(|it| it.is_err())?.err()
    }

    /// Notes that an agent ended with an error. Two events report that, in either order: the agent's own and its
    /// caller's. Returns whether the other one has already added it to the log.
    pub(super) fn is_failure_known(&mut self, is_own: bool) -> bool {
        let is_known = self.record.failure == Some(!is_own);
        self.record.failure = Some(is_own).filter(|_| !is_known);
        is_known
    }

    /// Adds an agent to the error log that left no return, or whose return was not checked.
    pub(super) fn record_lack(&mut self, message: &str, lack: ReturnLack) {
        let agent = FailedAgent {
            session: self.event.session.as_deref(),
            agent: self.event.agent.as_deref().unwrap_or_default(),
            message,
            action: ACTION,
            lack,
        };
        self.trace.record = Some(agent.record(&self.occurrence(Source::new("hook"), None)));
    }

    pub(super) fn occurrence<'r>(
        &self,
        source: Source<'r>,
        returned: Option<&'r [u8]>,
    ) -> Occurrence<'r> {
        let call = HookCall {
            client: self.event.client.as_str(),
            agent_id: self.event.agent_id.clone(),
            client_session: self.event.session.clone(),
            observed: self.is_observed,
            asked_again: self.asked_before,
        };
        Occurrence::now(source, returned, Some(call))
    }
}

/// Most times that an agent is asked again in a row, whatever the payload says; more retries raise it.
const IN_A_ROW_AT_MOST: u64 = 8;

/// What to do with an agent whose return is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    Again {
        is_last: bool,
    },
    /// It is asked again when an agent or a command that it started has ended.
    Wait,
    Accept,
}

impl Case<'_> {
    /// Counts this time and decides what to do with the agent. If what it started still runs, its end is
    /// not its last word: none of its tries is used, unless it has waited too often.
    pub(super) fn ask(&mut self, policy: FailurePolicy, has_running: bool) -> Asking {
        let most = policy.most(self.event.client);
        if most == 0 {
            return Asking::Accept;
        }
        let asked = self.asked();
        let is_below = |most: u64| asked.is_some_and(|it| it.in_a_row < most);
        let waits = has_running && is_below(IN_A_ROW_AT_MOST);
        if let Some(asked) = asked {
            self.record.asked = TimesAsked {
                in_task: asked.in_task.saturating_add(u64::from(!waits)),
                in_a_row: asked.in_a_row.saturating_add(1),
            };
        }
        if waits {
            return Asking::Wait;
        }
        let can_go_on = asked.is_none() || is_below(most.max(IN_A_ROW_AT_MOST));
        let times = self.times(most, asked);
        self.trace.asked_again = times;
        if let Some(times) = times.filter(|times| *times < most && can_go_on) {
            let is_last = times + 1 == most;
            return Asking::Again { is_last };
        }
        self.settle_count();
        Asking::Accept
    }

    /// How often the agent was asked again in its task, as far as that is known.
    pub(super) fn times_before(&self) -> Option<u64> {
        let known = self.event.times_asked_again;
        known.or_else(|| self.asked().map(|asked| asked.in_task))
    }

    /// Notes that a return was accepted, valid or not. In the same task, its retries stay used: two hooks that want
    /// different returns would otherwise ask the agent for ever.
    pub(super) fn settle_count(&mut self) {
        let is_same_task = self.event.was_asked_again == Some(true);
        let in_task = if is_same_task { self.record.asked.in_task } else { 0 };
        self.record.asked = TimesAsked { in_task, in_a_row: 0 };
    }

    /// How often the agent was asked again, as its record tells. None if that is unknown.
    fn asked(&self) -> Option<TimesAsked> {
        let was_asked = self.event.was_asked_again == Some(true);
        let is_usable = self.session.is_usable && self.record.key.is_some();
        // The hook that asked it again may have been this one, and the count lost since.
        if !is_usable || was_asked && self.session.is_lost {
            return None;
        }
        // A new task may begin.
        let is_new = self.event.was_asked_again == Some(false);
        let in_task = if is_new { 0 } else { self.record.asked.in_task };
        Some(TimesAsked { in_task, ..self.record.asked })
    }

    /// How often the agent was asked again in its task. If that is unknown, its return is accepted.
    fn times(&self, most: u64, asked: Option<TimesAsked>) -> Option<u64> {
        // The client also tells that another hook asked the agent, so an own count comes first.
        let counted = self.event.times_asked_again.or(asked.map(|asked| asked.in_task));
        counted.or(match self.event.was_asked_again {
            Some(false) => Some(0),
            Some(true) if most == 1 => Some(1),
            _ => None,
        })
    }
}

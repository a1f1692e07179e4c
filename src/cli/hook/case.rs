//! The agent of an event while it is decided about: what is known and learned of it, what is decided, and how
//! often it is asked for its return again.
//!
//! The record of the agent has a count. It sets a limit even if the payload says something else each time,
//! because not every client ends an agent that its hook keeps asking. If the record cannot be used, the count
//! comes from the payload or the client's transcript.

use std::time::Duration;

use crate::clients::{Answer, Ended, Event, Moment};
use crate::config::ReceiptMode;
use crate::log::{FailedAgent, HookCall, Occurrence, ReturnLack};
use crate::report::Source;
use crate::text::escape;

use crate::cli::hook::options::FailurePolicy;
use crate::cli::hook::records;
use crate::cli::hook::session::{
    AgentRecord, Brought, HookSession, NotedFailure, TimesAsked, Verdict,
};
use crate::cli::hook::trace::{Decided, Trace};

/// How long the hook waits before it counts in the transcript, because some clients write records late. A record
/// that is older at the call belongs to an earlier answer, and the next answer is at least this much later.
const PATIENCE: Duration = Duration::from_secs(1);

/// The most time by which an agent's own event follows that of its caller.
const BEHIND_AT_MOST: Duration = Duration::from_secs(10);

/// What the caller of an agent without a return should do, and what to do about one that was not checked.
pub(super) const ACTION: &str = "Run the task again, or treat it as failed";
const CORRECT: &str = "Correct what the message names, then run the task again";

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
        let (event, record) = (&mut self.event, &self.record);
        records::complete(event);
        // At a stop without a name only the transcript knows whether the client runs the agent for itself.
        if event.agent.is_none() && event.moment != Moment::Stop {
            let started = record.brought.as_ref().map(|it| &it.name);
            event.agent = record.agent.as_ref().or(started).cloned();
        }
        if event.message.is_none() && record.is_awaited && event.ended != Ended::AtTurnLimit {
            let ended = event.notified.first();
            event.message = ended.and_then(|agent| agent.result.clone());
        }
    }

    pub(super) fn agent(&self) -> escape::Untrusted<'_> {
        escape::truncated(self.event.agent.as_deref().unwrap_or_default())
    }

    pub(super) fn is_usable(&self) -> bool {
        self.session.is_usable && self.record.key.is_some()
    }

    /// What tells the agent from all others. None without an id.
    pub(super) fn own_key(&self) -> Option<&str> {
        let key = self.record.key.as_deref();
        key.filter(|_| self.event.agent_id.is_some())
    }

    pub(super) fn unchecked(&mut self, why: &str) -> Answer {
        self.trace.decision = Decided::NotChecked;
        self.trace.why = Some(why.to_owned());
        Answer::Nothing
    }

    /// Keeps a verdict until the caller gets the result, if the event of the caller can be recognized.
    pub(super) fn remember(&mut self, verdict: Verdict) {
        self.record.is_awaited = false;
        let facts = self.event.client.facts();
        // Without a result, only that of an agent which its caller may end before it returns again.
        let is_kept = facts.result_follows_stop || verdict.is_err() && facts.calls_for_caller;
        if self.event.agent_id.is_some() {
            self.record.verdict = Some(verdict).filter(|_| is_kept);
        }
    }

    /// The text about a return that was refused, if its agent has ended since without another.
    pub(super) fn take_refused(&mut self) -> Option<String> {
        self.record.verdict.take_if(|it| it.is_err())?.err()
    }

    /// Notes that an agent started, or whether what it brought is usable, for the end of the main agent.
    pub(super) fn brought(&mut self, is_usable: Option<bool>) {
        let hook = self.event.client.facts().settings.as_ref();
        let is_called = hook.is_some_and(|hook| hook.events.iter().any(|it| it.0 == "Stop"));
        if self.event.agent_id.is_some() && is_called {
            let brought = self.record.brought.get_or_insert_with(|| Brought {
                name: self.event.agent.clone().unwrap_or_default(),
                ..Brought::default()
            });
            brought.is_usable = is_usable.or(brought.is_usable);
        }
    }

    /// Keeps what the caller should know until the client calls the hook with the result, or else for the caller.
    pub(super) fn tell_later(&mut self, text: Option<&str>) {
        let id = self.event.agent_id.clone();
        if self.event.client.facts().calls_for_caller && id.is_some() {
            self.record.untold = id.zip(text.map(str::to_owned));
        }
    }

    /// Notes that an agent ended with an error. Two events report that, in either order: the agent's own and its
    /// caller's. Returns whether the other one has already added it to the log.
    pub(super) fn note_failure(&mut self, is_own: bool) -> bool {
        let (name, at) = (self.event.agent.clone(), self.session.called);
        let key = self.own_key().map(str::to_owned);
        let waiting = &mut self.session.known.failures;
        // The agent's own event follows soon. In some versions there is none.
        let since = |it| at.duration_since(it).map_err(|error| error.duration());
        waiting.retain(|it| it.is_own || since(it.at).unwrap_or_else(|it| it) <= BEHIND_AT_MOST);
        let is_same = |it: &NotedFailure| it.key.is_some() && it.key == key;
        // An event of a caller that names no agent may belong to any. That of this very agent comes first.
        let is_other = |it: &NotedFailure| {
            let may_be = it.key.is_none() || key.is_none() || is_same(it);
            may_be && it.name == name && it.is_own != is_own
        };
        let known = waiting.iter().position(|it| is_other(it) && is_same(it));
        let known = known.or_else(|| waiting.iter().position(is_other));
        if let Some(known) = known {
            waiting.remove(known);
        } else {
            // It may have failed before.
            waiting.retain(|it| it.is_own != is_own || !is_same(it));
            waiting.push(NotedFailure { is_own, name, key, at });
        }
        known.is_some()
    }

    /// Adds an agent to the error log that left no return, or whose return was not checked.
    pub(super) fn record_lack(&mut self, message: &str, lack: ReturnLack) {
        let agent = FailedAgent {
            session: self.event.session.as_deref(),
            agent: self.event.agent.as_deref().unwrap_or_default(),
            message,
            action: match lack {
                ReturnLack::Unchecked => CORRECT,
                ReturnLack::Missing | ReturnLack::Failed => ACTION,
            },
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
            self.record.asked = Some(TimesAsked {
                in_task: asked.in_task.saturating_add(u64::from(!waits)),
                in_a_row: asked.in_a_row.saturating_add(1),
            });
        }
        if waits {
            return Asking::Wait;
        }
        let is_shared = asked.is_none() || !self.has_own_count();
        let can_go_on = is_shared || is_below(most.max(IN_A_ROW_AT_MOST));
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

    /// Notes that a return was accepted, valid or not.
    pub(super) fn settle_count(&mut self) {
        let is_same_task = self.has_own_count() && self.event.was_asked_again == Some(true);
        let asked = self.record.asked.filter(|_| is_same_task);
        self.record.asked = asked.map(|asked| TimesAsked { in_a_row: 0, ..asked });
    }

    /// Agents without an id or a transcript of their own share a count.
    fn has_own_count(&self) -> bool {
        self.event.agent_id.is_some() || self.event.agent_transcript.is_some()
    }

    /// How often the agent was asked again, as its record tells. None if that is unknown.
    fn asked(&self) -> Option<TimesAsked> {
        let was_asked = self.event.was_asked_again == Some(true);
        // The hook that asked it again may have been this one, and the count lost since.
        if !self.is_usable() || was_asked && self.session.is_lost {
            return None;
        }
        let mut asked = self.record.asked.unwrap_or_default();
        if self.event.was_asked_again == Some(false) {
            // A new task begins.
            asked.in_task = 0;
        }
        Some(asked)
    }

    /// How often the agent was asked again in its task. If that is unknown, its return is accepted.
    fn times(&self, most: u64, asked: Option<TimesAsked>) -> Option<u64> {
        let counted = asked.map(|asked| asked.in_task);
        let told = match (self.event.times_asked_again, self.event.was_asked_again) {
            (Some(times), _) => return Some(times),
            (None, Some(false)) => Some(0),
            (None, Some(true)) if most == 1 => Some(1),
            (None, _) => None,
        };
        // The client also tells that another hook asked the agent, so an own count comes first.
        let known = if self.has_own_count() { counted.or(told) } else { told.or(counted) };
        known.or_else(|| self.recorded_times())
    }

    /// How often the agent was asked again, as its transcript tells. None if the answer is not recorded yet.
    fn recorded_times(&self) -> Option<u64> {
        // No client records that a call was refused as it records that an agent was asked again.
        if self.event.moment == Moment::Call {
            return None;
        }
        std::thread::sleep(PATIENCE);
        let run = records::run_of(&self.event)?;
        // Else the last record is of an earlier answer.
        let lag = self.session.called.duration_since(run.ended?);
        let is_of_answer = lag.map_or(true, |lag| lag < PATIENCE);
        // If the client does not record the times, with zero the agent might be asked for ever.
        let is_told = run.times_asked_again > 0 || self.event.was_asked_again != Some(true);
        (is_of_answer && is_told).then_some(run.times_asked_again)
    }
}

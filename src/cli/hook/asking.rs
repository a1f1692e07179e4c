//! How often an agent is asked for its return again.
//!
//! The record of the agent has a count. It sets a limit even if the payload says something else each time,
//! because not every client ends an agent that its hook keeps asking. If the record cannot be used, the count
//! comes from the payload.

use crate::cli::hook::case::Case;
use crate::cli::hook::options::FailurePolicy;
use crate::cli::hook::session::TimesAsked;

/// Most times that an agent is asked again in a row, whatever the payload says; more retries raise it.
const IN_A_ROW_AT_MOST: u64 = 8;

/// What to do with an agent whose return is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    Again {
        is_last: bool,
    },
    /// It is asked again when an agent that it started has ended.
    Wait,
    Accept,
}

impl Case<'_> {
    /// Counts this time and decides what to do with the agent. If one that it started still runs, its end is
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
        self.record.asked = asked.map(|asked| TimesAsked {
            in_a_row: 0,
            ..asked
        });
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
        if self.has_own_count() {
            counted.or(told)
        } else {
            told.or(counted)
        }
    }
}

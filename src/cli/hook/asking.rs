//! How often an agent is asked for its return again.
//!
//! The record of the agent has a count. It sets a limit even if the payload says something else each time,
//! because not every client ends an agent that its hook keeps asking. If the record cannot be used, the count
//! comes from the payload or the client's transcript.

use std::time::Duration;

use crate::clients::Moment;

use crate::cli::hook::case::Case;
use crate::cli::hook::options::FailurePolicy;
use crate::cli::hook::records::run_of;
use crate::cli::hook::session::TimesAsked;

/// Most times that an agent is asked again in a row, whatever the payload says about earlier times. More
/// retries raise it.
const IN_A_ROW_AT_MOST: u64 = 8;

/// How long the hook waits before it counts in the transcript, because some clients write records late.
/// A record older than this at the call belongs to an earlier answer. The wait also makes the next
/// answer at least this much later, so a record made before this call is too old for the next one.
const PATIENCE: Duration = Duration::from_secs(1);

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
        match times {
            Some(times) if times < most && can_go_on => Asking::Again {
                is_last: times + 1 == most,
            },
            _ => {
                self.settle_count();
                Asking::Accept
            }
        }
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

    /// How often the agent was asked again in its task. None if that is unknown: its return is then accepted,
    /// because it might be asked for ever.
    fn times(&self, most: u64, asked: Option<TimesAsked>) -> Option<u64> {
        let counted = asked.map(|asked| asked.in_task);
        let told = match (self.event.times_asked_again, self.event.was_asked_again) {
            (Some(times), _) => return Some(times),
            (None, Some(false)) => Some(0),
            (None, Some(true)) if most == 1 => Some(1),
            (None, _) => None,
        };
        // The client also tells that another hook asked the agent, so an own count comes first.
        let known = if self.has_own_count() {
            counted.or(told)
        } else {
            told.or(counted)
        };
        known.or_else(|| self.recorded_times())
    }

    /// How often the agent was asked again, as its transcript tells. None if the answer is not recorded yet.
    fn recorded_times(&self) -> Option<u64> {
        if self.event.moment == Moment::Call {
            // No client records that a call was refused as it records that an agent was asked again.
            return None;
        }
        std::thread::sleep(PATIENCE);
        let run = run_of(&self.event)?;
        // The last record must be the current answer: it is then at most `PATIENCE` older than the call of
        // the hook, and may also be written while the hook runs.
        let lag = self.session.called.duration_since(run.ended?);
        if lag.is_ok_and(|lag| lag >= PATIENCE) {
            return None;
        }
        // If the client does not record the times, with zero the agent might be asked for ever.
        let is_first = self.event.was_asked_again != Some(true);
        (run.times_asked_again > 0 || is_first).then_some(run.times_asked_again)
    }
}

//! A run whose transcript is still being read.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use super::{Call, CallKind, Completeness, End, Gap, Outcome, Run, Tokens};

/// The kind of the agent's last record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::clients) enum LastRecord {
    #[default]
    Nothing,
    /// A message to the agent.
    Message,
    /// A text of the agent. It is the answer if nothing follows.
    Text,
    Call,
    End,
}

/// Where the agent's first message is, which is its task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::clients) enum FirstTask {
    #[default]
    Missing,
    Here,
    /// The agent was resumed, and its first task is not in this transcript.
    Elsewhere,
}

/// A run so far. `has_result` is as long as the list of calls. `pending` is the number of its false items,
/// and `open_commands` is how many of these are commands. No message and no result follows the run's final
/// message. Its times and its completeness are set by [`Draft::finish`] alone.
#[derive(Debug, Default)]
pub(in crate::clients) struct Draft {
    pub(in crate::clients) run: Run,
    pub(in crate::clients) last: LastRecord,
    /// The transcript has records of the agent itself, not only the caller's records about it.
    pub(in crate::clients) has_records: bool,
    pub(in crate::clients) first_task: FirstTask,
    /// Calls without a result.
    pub(in crate::clients) pending: usize,
    /// Commands without a result. Each may still change the working directory.
    pub(in crate::clients) open_commands: usize,
    has_result: Vec<bool>,
    /// The agent has answered at least once.
    pub(in crate::clients) has_answered: bool,
    /// The tokens of all messages, as the client added them up.
    pub(in crate::clients) reported_tokens: Option<u64>,
    /// The agent's answer as the caller's records have it.
    pub(in crate::clients) reported_answer: Option<String>,
    started: Option<SystemTime>,
    ended: Option<SystemTime>,
    /// When the agent last got a message.
    asked: Option<SystemTime>,
    usage: TokenCount,
}

/// Counts tokens once for each message. `tokens` are those of `message`, the last one, whose later
/// records may still replace them. Those of all earlier messages are in the run.
#[derive(Debug, Default)]
struct TokenCount {
    message: Option<u64>,
    counted: HashSet<u64>,
    tokens: Tokens,
}

/// The most messages of a transcript whose tokens are counted. Their ids are kept to count each message
/// once.
const MESSAGES_AT_MOST: usize = 16 << 10;

impl Draft {
    pub(in crate::clients) fn start(&mut self) {
        if self.first_task == FirstTask::Missing {
            self.first_task = FirstTask::Here;
        }
    }

    /// A record of the run is of this time.
    pub(in crate::clients) fn at(&mut self, time: Option<SystemTime>) {
        self.started = self.started.or(time);
        self.ended = time.or(self.ended);
    }

    pub(in crate::clients) const fn now(&self) -> Option<SystemTime> {
        self.ended
    }

    /// The agent gets a message with the last record.
    pub(in crate::clients) fn ask(&mut self) {
        self.asked = self.ended;
    }

    pub(in crate::clients) fn call(&mut self, call: Call) -> usize {
        self.last = LastRecord::Call;
        self.run.end = End::Unknown;
        self.pending += 1;
        self.open_commands += usize::from(call.kind == CallKind::Command);
        self.has_result.push(false);
        self.run.calls.push(call);
        self.run.calls.len() - 1
    }

    /// Sets the outcome of a call. Several records may have the result of the same call.
    pub(in crate::clients) fn result(&mut self, at: usize, outcome: Outcome) {
        self.last = LastRecord::Call;
        let call = &mut self.run.calls[at];
        call.outcome = outcome;
        if !std::mem::replace(&mut self.has_result[at], true) {
            self.pending -= 1;
            self.open_commands -= usize::from(call.kind == CallKind::Command);
        }
    }

    /// Counts the tokens of a message. Consecutive records of one message replace each other, because
    /// the last one has the final numbers. `remembered` is the number of messages counted in all runs.
    pub(in crate::clients) fn usage(
        &mut self,
        message: u64,
        tokens: Tokens,
        remembered: &mut usize,
    ) {
        let usage = &mut self.usage;
        if usage.message != Some(message) {
            if *remembered >= MESSAGES_AT_MOST || !usage.counted.insert(message) {
                return;
            }
            *remembered += 1;
            usage.message = Some(message);
            self.run.tokens.add(usage.tokens);
            usage.tokens = Tokens::default();
        }
        usage.tokens = tokens;
    }

    /// Returns the finished run. `lost` is a gap of the transcript that may belong to any of its runs.
    pub(in crate::clients) fn finish(mut self, lost: Option<Gap>) -> Run {
        if self.first_task == FirstTask::Elsewhere {
            // The client counted the calls of the later tasks alone.
            self.run.reported_calls = None;
        }
        self.run.tokens.add(self.usage.tokens);
        let tokens = &mut self.run.tokens;
        let sum = [tokens.input, tokens.output, tokens.cache];
        let sum = sum.into_iter().fold(0, u64::saturating_add);
        let counted = if sum == 0 { tokens.total } else { sum };
        tokens.total = self.reported_tokens.map_or(counted, |all| all.max(counted));
        self.run.is_recorded = self.has_records;
        self.run.ends_in_text &= self.pending == 0 && self.run.final_message.is_some();
        self.run.started = self.started;
        self.run.ended = self.ended;
        self.run.asked = self.asked;
        let is_over = match self.last {
            LastRecord::End => true,
            LastRecord::Text => self.pending == 0,
            LastRecord::Nothing | LastRecord::Message | LastRecord::Call => false,
        };
        if self.run.final_message.is_none() {
            self.run.final_message = self.reported_answer.take();
        }
        if self.run.end == End::Unknown && self.run.final_message.is_some() && is_over {
            self.run.end = End::Answered;
        }
        self.run.completeness = self.completeness(is_over, lost);
        self.run
    }

    fn completeness(&self, is_over: bool, lost: Option<Gap>) -> Completeness {
        let run = &self.run;
        let found = run.calls.len() as u64;
        // The count of calls proves nothing if some records may belong to another client.
        if let Some(gap @ Gap::OtherClient { .. }) = lost {
            return Completeness::Partial(gap);
        }
        if run.end == End::NotStarted {
            return Completeness::Complete;
        }
        if run.reported_calls == Some(found) {
            return Completeness::Complete;
        }
        if !self.has_records {
            return Completeness::Partial(Gap::Elsewhere);
        }
        let gap = match run.reported_calls {
            // The count was taken at the first answer. A resumed agent may have made more calls since.
            Some(reported) if reported > found || !run.resumed => {
                Some(Gap::Count { found, reported })
            }
            _ if self.first_task != FirstTask::Here => Some(Gap::NoStart),
            _ if !is_over => Some(Gap::NoEnd),
            _ => None,
        };
        let gap = lost.or(gap);
        gap.map_or(Completeness::Complete, Completeness::Partial)
    }
}

/// The time of a record. None if it is not a timestamp with an offset (RFC 3339).
pub(in crate::clients) fn time_of(timestamp: &str) -> Option<SystemTime> {
    let time: Timestamp = timestamp.trim_end().parse().ok()?;
    Some(time.into())
}

/// The time that lies so many milliseconds after 1970.
pub(in crate::clients) fn time_after(milliseconds: u64) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(milliseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_whatever_the_form_of_its_offset() {
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_342_393_618);
        for (text, expected) in [
            ("2026-11-22T10:13:13.618Z", Some(time)),
            ("2026-11-22T11:13:13.618+01:00", Some(time)),
            ("2026-11-22T24:00:00.000Z", None),
            ("2026-11-22T10:13:13.618Z x", None),
            ("2026-11-22T10:13:13.618", None),
        ] {
            assert_eq!(time_of(text), expected, "{text}");
        }
    }
}

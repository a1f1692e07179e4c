//! A run whose transcript is still being read, and what the caller's transcript says of a run.

use std::collections::HashMap;
use std::time::SystemTime;

use super::{Completeness, End, Gap, Run, Tokens, fill};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LastRecord {
    /// Nothing, or a message to the agent.
    #[default]
    Message,
    /// A text of the agent. It is the answer if nothing follows.
    Text,
    /// Reasoning alone. The agent has no answer if nothing follows.
    Reasoning,
    Call,
    End,
}

/// A run so far. No message and no result follows its final message.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct RunDraft {
    pub(crate) run: Run,
    pub(crate) last: LastRecord,
    /// Whether its first message is in the transcript, which is its task.
    pub(crate) has_start: bool,
    /// Whether a call gave it a further task, so that not all of its tasks are in the transcript.
    pub(crate) is_continued: bool,
    pub(crate) has_answered: bool,
    pub(crate) reported_tokens: Option<u64>,
    /// The agent's answer as the caller's records have it.
    pub(crate) reported_answer: Option<String>,
    /// The calls without a result.
    pub(super) open: Vec<usize>,
    /// The tokens of each message, by the hash of its id. Its last record has the final numbers.
    pub(super) tokens: HashMap<u64, Tokens>,
    /// Another run was found to be of the same agent, and has all that is known.
    pub(super) is_joined: bool,
}

impl RunDraft {
    /// A record of the agent itself is of this time.
    pub(crate) fn record(&mut self, time: Option<SystemTime>) {
        self.run.is_recorded = true;
        self.at(time);
    }

    pub(crate) fn at(&mut self, time: Option<SystemTime>) {
        self.run.started = self.run.started.or(time);
        self.run.ended = time.or(self.run.ended);
    }

    /// Takes what the call that started the agent, and its caller, say of it.
    pub(super) fn join(&mut self, called: Self) {
        fill!(self, called: reported_answer);
        self.is_continued |= called.is_continued;
        let (run, called) = (&mut self.run, called.run);
        run.fill_start(&called);
        fill!(run, called: reported_calls);
        run.resumed |= called.resumed;
        if run.end == End::Unknown {
            run.end = called.end;
        }
    }

    /// The finished run. `lost` is a gap of the transcript that may belong to any of its runs.
    pub(super) fn finish(mut self, lost: Option<Gap>) -> Run {
        let run = &mut self.run;
        if self.is_continued {
            // The client counted the calls of the later tasks alone.
            (self.has_start, run.reported_calls) = (false, None);
        }
        for tokens in self.tokens.values() {
            run.tokens.add(*tokens);
        }
        let tokens = &mut run.tokens;
        let sum = (tokens.input.saturating_add(tokens.output)).saturating_add(tokens.cache);
        let counted = if sum == 0 { tokens.total } else { sum };
        tokens.total = self.reported_tokens.unwrap_or_default().max(counted);
        let is_closed = self.open.is_empty();
        run.ends_in_message &= is_closed && run.final_message.is_some();
        let is_over = self.last == LastRecord::End || self.last == LastRecord::Text && is_closed;
        run.final_message = run.final_message.take().or(self.reported_answer.take());
        let is_reasoning = self.last == LastRecord::Reasoning && run.final_message.is_none();
        run.ends_in_message |= is_reasoning && is_closed;
        if run.end == End::Unknown && run.final_message.is_some() && is_over {
            run.end = End::Answered;
        }
        self.run.completeness = match self.gap(is_over, lost) {
            Some(gap) => Completeness::Partial(gap),
            None => Completeness::Complete,
        };
        self.run
    }

    fn gap(&self, is_over: bool, lost: Option<Gap>) -> Option<Gap> {
        let run = &self.run;
        let found = run.calls.len() as u64;
        match run.reported_calls {
            _ if run.end == End::NotStarted => None,
            Some(reported) if reported == found => None,
            _ if !run.is_recorded => Some(Gap::Elsewhere),
            _ if lost.is_some() => lost,
            // The count was taken at the first answer. A resumed agent may have made more calls since.
            Some(reported) if reported > found || !run.resumed => {
                Some(Gap::Count { found, reported })
            }
            _ if !self.has_start => Some(Gap::NoStart),
            _ if !is_over => Some(Gap::NoEnd),
            _ => None,
        }
    }
}

impl Run {
    /// Fills empty fields from the caller's transcript. `reported` is this agent's run in the
    /// [`Transcript::runs`](crate::clients::transcript::Transcript::runs) of the caller.
    ///
    /// The calls are complete if there are as many as the caller's transcript reports, and partial if
    /// there are fewer, or if the agent was resumed: the count may lack those of a later task.
    pub(crate) fn add_reported(&mut self, reported: &Self) {
        self.fill_start(reported);
        fill!(self, reported: reported_calls);
        if reported.end.is_error() && !self.end.is_error() && !self.outlasts(reported) {
            self.end = reported.end;
        }
        self.resumed |= reported.resumed;
        let found = self.calls.len() as u64;
        let (known, count) = (self.completeness, self.reported_calls);
        self.completeness = match count {
            Some(reported) if reported > found => {
                Completeness::Partial(Gap::Count { found, reported })
            }
            _ if reported.resumed && known == Completeness::Complete => {
                Completeness::Partial(Gap::NoEnd)
            }
            Some(count) if count == found && !reported.resumed => Completeness::Complete,
            _ => known,
        };
    }

    /// Fills what another record has about the agent and its start.
    pub(super) fn fill_start(&mut self, other: &Self) {
        fill!(self, other: agent_type, is_builtin, parent, depth, tool_call_id, prompt, session);
        self.details.fill(&other.details);
    }

    /// Whether the agent's own record goes on to an answer after the error that its caller got, not in place of it.
    fn outlasts(&self, reported: &Self) -> bool {
        let is_in_place = reported.final_message.is_some()
            && reported.final_message != self.final_message
            && !self.resumed;
        self.final_message.is_some() && !is_in_place
    }
}

//! A run whose transcript is still being read, and a call as one record describes it.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use super::{
    Call, CallKind, CallShell, Completeness, End, Gap, JsonNode, Outcome, Run, Tokens, WriteEffect,
};
use crate::clients::run::patch::of_apply_patch;

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

/// A call as one record describes it: what it is, and what it changes by its arguments.
#[derive(Debug)]
pub(in crate::clients) struct NewCall<'a> {
    pub(in crate::clients) id: &'a str,
    pub(in crate::clients) name: &'a str,
    pub(in crate::clients) kind: CallKind,
    pub(in crate::clients) paths: &'a [&'a str],
    pub(in crate::clients) effect: WriteEffect,
    pub(in crate::clients) command: Option<&'a str>,
    pub(in crate::clients) background: bool,
    pub(in crate::clients) cwd: Option<&'a str>,
    pub(in crate::clients) shell: CallShell,
    pub(in crate::clients) line: u64,
}

impl NewCall<'_> {
    /// Whether the record describes a call that is known already. A different call with the same id
    /// would have another tool, other files or another command. `has_own_paths`: the paths of the known
    /// call are those of its arguments.
    pub(in crate::clients) fn repeats(&self, known: &Call, has_own_paths: bool) -> bool {
        let command = known.command.as_deref();
        let has_same_command =
            command.is_none() || self.command.is_none() || command == self.command;
        let has_same_paths = !has_own_paths
            || known.paths.is_empty()
            || self.paths.is_empty()
            || known.paths == self.paths;
        *known.name == *self.name && has_same_command && has_same_paths
    }
}

/// What [`Runs::call`](super::Runs::call) did with a call.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::clients) struct EnteredCall {
    /// Whether no earlier record had the call.
    pub(in crate::clients) is_new: bool,
    /// Where the call is kept. None if it is not kept.
    pub(in crate::clients) place: Option<CallPlace>,
}

/// Where a call is kept while a transcript is read: the index of its run, and its index in that run.
pub(in crate::clients) type CallPlace = (usize, usize);

/// The effect of replacing a text by another one.
pub(in crate::clients) fn effect_of_edit(old: &JsonNode, new: &JsonNode) -> WriteEffect {
    if old == new && !old.is_nothing() {
        WriteEffect::Nothing
    } else {
        WriteEffect::Change
    }
}

/// The effect of several edits. The clients use different keys.
pub(in crate::clients) fn effect_of_edits(edits: &JsonNode) -> WriteEffect {
    let is_idle = |edit: &JsonNode| {
        let keys = [("old_string", "new_string"), ("oldString", "newString")];
        let effect = |(old, new)| effect_of_edit(edit.at(old), edit.at(new));
        keys.map(effect).contains(&WriteEffect::Nothing)
    };
    if matches!(edits, JsonNode::List(edits) if edits.iter().all(is_idle)) {
        WriteEffect::Nothing
    } else {
        WriteEffect::Change
    }
}

/// The effect of a patch in the format of `apply_patch`.
pub(in crate::clients) fn effect_of_patch(patch: &str) -> WriteEffect {
    let files = of_apply_patch(patch);
    let is_patch = !files.is_empty() || patch.trim_start().starts_with("*** Begin Patch");
    if is_patch && !files.iter().any(|file| file.is_changed) {
        WriteEffect::Nothing
    } else {
        WriteEffect::Change
    }
}

/// The paths of the files that such a patch changes, as it writes them. If it changes none, the paths of
/// all files in it.
pub(in crate::clients) fn paths_of_patch(patch: &str) -> Vec<&str> {
    let files = of_apply_patch(patch);
    let changes_any = files.iter().any(|file| file.is_changed);
    let named = files.iter().filter(|file| file.is_changed || !changes_any);
    named.map(|file| file.path).collect()
}

/// File extensions of code.
const CODE: &[&str] = &[
    "c", "cc", "clj", "cpp", "cs", "cxx", "dart", "erl", "ex", "exs", "go", "h", "hpp", "hs",
    "java", "js", "jsx", "kt", "lua", "ml", "mjs", "php", "py", "rb", "rs", "scala", "sh", "sql",
    "svelte", "swift", "ts", "tsx", "vue", "zig",
];

pub(crate) fn is_code(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    CODE.contains(&ending)
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

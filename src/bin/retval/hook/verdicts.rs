//! What became of each agent's return, for the caller of the agent.
//!
//! When an agent stops, nobody but the agent sees the hook's answer. Its caller is told when it gets
//! the result, from the verdict on the original message: the client may have rewritten the text.

use retval::harness::{Answer, Event, Harness, Moment};

use crate::hook::state::{HookState, key, key_of, key_of_id};

/// What is remembered of a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// There is nothing to tell.
    Silent,
    /// The return was accepted, and the caller should know this.
    Remark(String),
    /// An invalid return was let go: the text for the caller.
    LetGo(String),
}

/// The first line of a file with text for the caller.
const REMARK: &str = "remark\n";
const LET_GO: &str = "let go\n";

impl Verdict {
    fn to_text(&self) -> String {
        match self {
            Self::Silent => String::new(),
            Self::Remark(text) => format!("{REMARK}{text}"),
            Self::LetGo(text) => format!("{LET_GO}{text}"),
        }
    }

    fn of_text(text: &str) -> Self {
        let remark = text.strip_prefix(REMARK).map(str::to_owned);
        let let_go = || text.strip_prefix(LET_GO).map(str::to_owned);
        let known = remark.map(Self::Remark);
        known
            .or_else(|| let_go().map(Self::LetGo))
            .unwrap_or(Self::Silent)
    }
}

/// The verdicts on one agent.
pub(super) struct Verdicts<'e> {
    event: &'e Event,
    state: &'e HookState,
}

impl<'e> Verdicts<'e> {
    pub(super) fn of(event: &'e Event, state: &'e HookState) -> Self {
        Self { event, state }
    }

    fn file(&self, end: &str) -> Option<String> {
        key_of(self.event).map(|key| format!("{key}.{end}"))
    }

    /// Remembers a verdict until the caller gets the result. What cannot be kept is checked again
    /// then.
    pub(super) fn remember(&self, verdict: &Verdict) {
        // The other clients do not call the hook with the result.
        if self.event.harness != Harness::ClaudeCode {
            return;
        }
        if let Some(file) = self.file("verdict") {
            let _ = self.state.write(&file, verdict.to_text());
        }
    }

    /// The answer to the caller's event from the verdicts of the stop, if it is one and there are
    /// any.
    pub(super) fn answer(&self) -> Option<Answer> {
        let ids = match self.event.moment {
            Moment::Result => self.event.agent_id.as_slice(),
            Moment::Notification => &self.event.notified,
            _ => return None,
        };
        let mut found = ids.iter().filter_map(|id| self.take(id)).peekable();
        found.peek()?;
        let (mut let_go, mut remarks) = (Vec::new(), Vec::new());
        for verdict in found {
            match verdict {
                Verdict::Silent => {}
                Verdict::Remark(text) => remarks.push(text),
                Verdict::LetGo(text) => let_go.push(text),
            }
        }
        let is_only_remarks = let_go.is_empty();
        let text = [let_go, remarks].concat().join("\n");
        let moment = self.event.moment;
        Some(match moment {
            _ if text.is_empty() => Answer::Nothing,
            Moment::Notification => Answer::Tell { moment, text },
            _ if is_only_remarks => Answer::Tell { moment, text },
            _ => Answer::Block(text),
        })
    }

    /// The verdict on the agent with this id, once.
    fn take(&self, id: &str) -> Option<Verdict> {
        let text = self
            .state
            .take(&format!("{}.verdict", key_of_id(self.event, id)))?;
        Some(Verdict::of_text(&text))
    }

    /// Remembers for a day that a return of the agent was accepted.
    pub(super) fn accept(&self) {
        if let (Some(_), Some(file)) = (&self.event.agent_id, self.file("accepted")) {
            let _ = self.state.write(&file, String::new());
        }
    }

    /// Whether a return of the agent was accepted before.
    pub(super) fn was_accepted(&self) -> bool {
        let file = self.event.agent_id.as_ref().and(self.file("accepted"));
        file.is_some_and(|file| self.state.has(&file))
    }

    /// Remembers that an agent of this name ended by an error, which is in the log.
    pub(super) fn fail(&self) {
        let _ = self.state.write(&self.failure(), String::new());
    }

    /// Whether an agent of this name ended by an error that is in the log; asked once.
    pub(super) fn take_failure(&self) -> bool {
        self.state.take(&self.failure()).is_some()
    }

    fn failure(&self) -> String {
        format!("{}.failed", key((&self.event.session, &self.event.agent)))
    }
}

//! What became of each agent's return, for the caller of the agent.
//!
//! When an agent stops, no one but the agent sees the hook's answer. Its caller is told when it gets the
//! result. The verdict on the original message is kept until then, because the client may have rewritten
//! the text.

use retval::internal::clients::{Answer, Event, Moment};
use serde::{Deserialize, Serialize};

use crate::hook::state::{HookState, key_of, key_of_id};

/// What is stored when an agent stops.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(super) enum Verdict {
    /// There is nothing to tell.
    Silent,
    /// The return was accepted, and the caller should know this.
    Remark(String),
    /// An invalid return was accepted: the text for the caller.
    Invalid(String),
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

    /// Stores a verdict until the caller gets the result. If it cannot be stored, the result is checked
    /// again.
    pub(super) fn remember(&self, verdict: &Verdict) {
        // The other clients do not call the hook with the result.
        if !self.event.client.facts().result_follows_stop {
            return;
        }
        if let Some(file) = self.file("verdict") {
            let text = serde_json::to_string(verdict).unwrap_or_default();
            let kept = self.state.write(&file, text);
            if kept.is_err() {
                // Otherwise the verdict of an earlier stop would be used.
                self.state.remove(&file);
            }
        }
    }

    /// Stores that an agent stops whose returns are not checked. Its result must not be checked either,
    /// although the event of its caller may tell less about it.
    pub(super) fn let_pass(&self) {
        if self.event.moment == Moment::Stop {
            self.remember(&Verdict::Silent);
        }
    }

    /// The answer to an event of the caller, from the stored verdict. None for other events, or if there
    /// is not a verdict and the result must be checked.
    pub(super) fn answer(&self) -> Option<Answer> {
        let moment = self.event.moment;
        let verdict = match moment {
            Moment::Result | Moment::Notification => self.known(HookState::take)?,
            // The verdict stays: the caller can fetch the result several times, and a notification may
            // follow. If no verdict is left, the caller has already been told.
            Moment::Fetched if self.state.is_usable() => {
                self.known(HookState::read).unwrap_or(Verdict::Silent)
            }
            _ => return None,
        };
        Some(match verdict {
            Verdict::Silent => Answer::Nothing,
            Verdict::Invalid(text) if moment != Moment::Notification => Answer::Block(text),
            Verdict::Invalid(text) | Verdict::Remark(text) => Answer::Tell { moment, text },
        })
    }

    fn known(&self, read: impl Fn(&HookState, &str) -> Option<String>) -> Option<Verdict> {
        let id = self.event.agent_id.as_deref()?;
        let file = format!("{}.verdict", key_of_id(self.event, id));
        serde_json::from_str(&read(self.state, &file)?).ok()
    }

    /// Stores for a day that a return of the agent was accepted.
    pub(super) fn accept(&self) {
        if let (Some(_), Some(file)) = (&self.event.agent_id, self.file("accepted")) {
            let _ = self.state.write(&file, String::new());
        }
    }

    pub(super) fn was_accepted(&self) -> bool {
        let file = self.event.agent_id.as_ref().and(self.file("accepted"));
        file.is_some_and(|file| self.state.has(&file))
    }
}

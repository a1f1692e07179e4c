//! Agents that ended with an error: each gets one record in the log.
//!
//! Two events report an error: the agent's own and its caller's. They come in either order, or at the
//! same time. In some versions there is only one of them.

use std::time::{SystemTime, UNIX_EPOCH};

use retval::harness::Event;

use crate::hook::state::{HookState, key, key_of_id};

/// An event that reports an agent that ended with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureEvent {
    /// The agent's own event.
    Own,
    /// Its caller is told that it failed. The event does not say which agent of that name it was.
    OfCaller,
    /// Its caller got an invalid return, which may be the text of the error.
    Result,
}

/// Most seconds by which an agent's own event follows that of its caller.
const BEHIND_AT_MOST: u64 = 10;

/// Notes a failure. Returns whether the other event has already added it to the log.
pub(super) fn note(event: &Event, state: &HookState, kind: FailureEvent) -> bool {
    let file = format!("{}.failed", key((&event.session, &event.agent)));
    let id = event.agent_id.as_deref().map(|id| key_of_id(event, id));
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or_default().as_secs();
    let known = state.update(&file, |text| {
        let mut noted = text.and_then(NotedFailures::of_text).unwrap_or_default();
        let is_known = noted.note(kind, id, now);
        (noted.to_text(), is_known)
    });
    known.unwrap_or_default()
}

/// What is stored about the failed agents of one name. The first line of the file has `balance` and `at`,
/// each other line has one of `results`.
#[derive(Debug, Default)]
struct NotedFailures {
    /// The number of agents' own events minus that of callers' events.
    balance: i64,
    /// When `balance` last changed, in seconds since 1970.
    at: u64,
    /// Agents whose results are in the log, each with the time of the record in seconds since 1970.
    results: Vec<(String, u64)>,
}

impl NotedFailures {
    /// None if the text is not of this form.
    fn of_text(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(|line| line.split_once(' '));
        let (balance, at) = lines.next()??;
        let results = lines.map(|line| Some((line?.0.to_owned(), line?.1.parse().ok()?)));
        Some(Self {
            balance: balance.parse().ok()?,
            at: at.parse().ok()?,
            results: results.collect::<Option<_>>()?,
        })
    }

    fn to_text(&self) -> String {
        let first = format!("{} {}", self.balance, self.at);
        let results = self.results.iter();
        let lines = results.map(|(id, at)| format!("\n{id} {at}"));
        [first].into_iter().chain(lines).collect()
    }

    fn note(&mut self, event: FailureEvent, id: Option<String>, now: u64) -> bool {
        // The agent's own event follows soon. In some versions there is none.
        let is_over = |at: u64| now.abs_diff(at) > BEHIND_AT_MOST;
        self.results.retain(|(_, at)| !is_over(*at));
        if self.balance < 0 && is_over(self.at) {
            self.balance = 0;
        }
        let result = self
            .results
            .iter()
            .position(|(it, _)| Some(it) == id.as_ref());
        let is_known = match (event, result) {
            (FailureEvent::Own, Some(result)) => {
                self.results.remove(result);
                return true;
            }
            (FailureEvent::Result, _) if self.balance <= 0 => {
                self.results.extend(id.map(|id| (id, now)));
                return false;
            }
            (FailureEvent::Own, None) => self.balance < 0,
            (FailureEvent::OfCaller | FailureEvent::Result, _) => self.balance > 0,
        };
        let change = if event == FailureEvent::Own { 1 } else { -1 };
        self.balance = self.balance.saturating_add(change);
        self.at = now;
        is_known
    }
}

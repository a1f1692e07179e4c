//! Agents that ended by an error: the log has one record of each.
//!
//! Two events tell of one, the agent's own and that of its caller. They come in either order, or at
//! once, and in some versions there is only one.

use std::time::{SystemTime, UNIX_EPOCH};

use retval::harness::Event;

use crate::hook::state::{HookState, key, key_of_id};

/// An event of an agent that ended by an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureEvent {
    /// That of the agent.
    Own,
    /// Its caller is told that it failed. The event does not say which agent of that name it was.
    OfCaller,
    /// Its caller got a result which is no return, and may be the text of the error.
    Result,
}

/// Seconds by which an agent's own event comes after that of its caller.
const BEHIND_AT_MOST: u64 = 10;

/// Notes a failure. Whether it is in the log already, by the other event.
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

/// What is remembered of the agents of one name. The first line of the file has two numbers, each other
/// line has an agent and a time.
#[derive(Debug, Default)]
struct NotedFailures {
    /// Events of agents themselves, more than of callers.
    more: i64,
    /// When that last changed, in seconds.
    at: u64,
    /// Agents of whose results there are records, and since when.
    results: Vec<(String, u64)>,
}

impl NotedFailures {
    /// None for a text that tells nothing.
    fn of_text(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(|line| line.split_once(' '));
        let (more, at) = lines.next()??;
        let results = lines.map(|line| Some((line?.0.to_owned(), line?.1.parse().ok()?)));
        Some(Self {
            more: more.parse().ok()?,
            at: at.parse().ok()?,
            results: results.collect::<Option<_>>()?,
        })
    }

    fn to_text(&self) -> String {
        let first = format!("{} {}", self.more, self.at);
        let results = self.results.iter();
        let lines = results.map(|(id, at)| format!("\n{id} {at}"));
        [first].into_iter().chain(lines).collect()
    }

    fn note(&mut self, event: FailureEvent, id: Option<String>, now: u64) -> bool {
        // An agent's own event is not far behind. In some versions there is none.
        let is_over = |at: u64| now.abs_diff(at) > BEHIND_AT_MOST;
        self.results.retain(|(_, at)| !is_over(*at));
        if self.more < 0 && is_over(self.at) {
            self.more = 0;
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
            (FailureEvent::Result, _) if self.more <= 0 => {
                self.results.extend(id.map(|id| (id, now)));
                return false;
            }
            (FailureEvent::Own, None) => self.more < 0,
            (FailureEvent::OfCaller | FailureEvent::Result, _) => self.more > 0,
        };
        let more = if event == FailureEvent::Own { 1 } else { -1 };
        self.more = self.more.saturating_add(more);
        self.at = now;
        is_known
    }
}

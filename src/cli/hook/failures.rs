//! Agents that ended with an error: each gets one record in the log.
//!
//! Two events report an error: the agent's own and its caller's. They come in either order, or at the
//! same time. In some versions there is only one of them.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::clients::Event;
use serde::{Deserialize, Serialize};

use crate::cli::hook::state::name_of_id;
use crate::cli::hook::state_file;

/// An event that reports an agent that ended with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
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

/// Most events that wait for the other one.
const WAITING_AT_MOST: usize = 64;

/// Notes a failure. Returns whether the other event has already added it to the log.
pub(super) fn note(event: &Event, kind: FailureEvent) -> bool {
    let id = event.agent_id.as_deref().map(|id| name_of_id(event, id));
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let noted = NotedEvent {
        kind,
        id: id.unwrap_or_else(|| NO_ID.to_owned()),
        at: now.unwrap_or_default().as_secs(),
    };
    let name = state_file::name((&event.session, &event.agent), "failed");
    let paired = state_file::change(&name, |waiting: &mut WaitingEvents| waiting.pair(noted));
    paired.unwrap_or_default()
}

/// In place of an id where the event has none.
const NO_ID: &str = "-";

/// An event that added a record to the log.
#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct NotedEvent {
    kind: FailureEvent,
    id: String,
    /// When it came, in seconds since 1970.
    at: u64,
}

/// Events about the agents of one name that wait for the other event about the same agent.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
struct WaitingEvents(Vec<NotedEvent>);

impl WaitingEvents {
    /// Removes the event that `event` belongs to and returns true. If there is none, `event` waits.
    fn pair(&mut self, event: NotedEvent) -> bool {
        // The agent's own event follows soon. In some versions there is none.
        let is_over = |at: u64| event.at.abs_diff(at) > BEHIND_AT_MOST;
        (self.0).retain(|it| it.kind == FailureEvent::Own || !is_over(it.at));
        // An event of a caller that names no agent may belong to any.
        let is_same = |it: &NotedEvent| it.id == event.id && it.id != NO_ID;
        let may_be_same = |it: &NotedEvent| it.id == NO_ID || event.id == NO_ID;
        let other = self.other(&event, is_same);
        if let Some(other) = other.or_else(|| self.other(&event, may_be_same)) {
            self.0.remove(other);
            return true;
        }
        // It failed again.
        self.0
            .retain(|it| (it.kind, &it.id) != (event.kind, &event.id) || it.id == NO_ID);
        if self.0.len() == WAITING_AT_MOST {
            self.0.remove(0);
        }
        self.0.push(event);
        false
    }

    /// The first event that belongs to the agent of `event`: of both, one is the agent's own.
    fn other(
        &self,
        event: &NotedEvent,
        is_of_agent: impl Fn(&NotedEvent) -> bool,
    ) -> Option<usize> {
        let is_own = |it: &NotedEvent| it.kind == FailureEvent::Own;
        let mut events = self.0.iter();
        events.position(|it| is_own(it) != is_own(event) && is_of_agent(it))
    }
}

//! How often an agent was asked for its return again.
//!
//! A small file for each agent holds the count. It sets a limit even if the payload says something else
//! each time, because not every client ends an agent that its hook keeps asking. If no file can be
//! written, the count comes from the payload or the client's transcript.

use std::io;
use std::time::Duration;

use retval::internal::clients::transcript::Run;
use retval::internal::clients::{Client, Event};

use crate::hook::options::FailurePolicy;
use crate::hook::state::{HookState, key_of};
use crate::hook::trace;

/// Most times that an agent is asked again in a row, whatever the payload says about earlier times. More
/// retries raise it.
const IN_A_ROW_AT_MOST: u64 = 8;

/// How long the hook waits before it counts in the transcript, because some clients write records late.
/// A record older than this at the call belongs to an earlier answer. The wait also makes the next
/// answer at least this much later, so a record made before this call is too old for the next one.
const PATIENCE: Duration = Duration::from_secs(1);

/// What to do with an agent whose return is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    AskAgain { is_last: bool },
    Accept,
}

/// How often an agent was asked again.
struct Counted {
    /// Since its last task began, if the client tells when that is.
    before: u64,
    /// Since a return was last accepted, valid or not.
    in_a_row: u64,
}

impl Counted {
    fn of_text(text: &str) -> Option<Self> {
        let (before, in_a_row) = text.split_once(' ')?;
        Some(Self {
            before: before.parse().ok()?,
            in_a_row: in_a_row.parse().ok()?,
        })
    }
}

/// The attempts of one agent.
///
/// Each [`Self::decide`] adds one to both counts of the file, whatever it answers. [`Self::settle`] ends
/// the row; in the same task the first count stays, so that used retries stay used. No file means that
/// nothing was counted; a damaged one counts as one attempt if the client says that the agent was asked
/// before. `file` is None for an event that names no agent: then only the client tells how often.
pub(super) struct Attempts<'e> {
    event: &'e Event,
    state: &'e HookState,
    file: Option<String>,
}

impl<'e> Attempts<'e> {
    pub(super) fn of(event: &'e Event, state: &'e HookState) -> Self {
        Self {
            event,
            state,
            file: key_of(event).map(|key| format!("{key}.count")),
        }
    }

    pub(super) fn decide(&self, policy: FailurePolicy) -> Decision {
        let most = most(policy, self.event.client);
        if most == 0 {
            return Decision::Accept;
        }
        let counted = self.count().ok();
        let is_endless = counted
            .as_ref()
            .is_some_and(|counted| self.is_own() && counted.in_a_row >= most.max(IN_A_ROW_AT_MOST));
        let before = self.before(most, counted.as_ref());
        if let Some(before) = before.filter(|before| *before < most && !is_endless) {
            let is_last = before + 1 == most;
            return Decision::AskAgain { is_last };
        }
        self.settle();
        Decision::Accept
    }

    /// Agents without an id or a transcript of their own share a count.
    fn is_own(&self) -> bool {
        self.event.agent_id.is_some() || self.event.agent_transcript.is_some()
    }

    /// How often the agent was asked again before. None if that is unknown: its return is then accepted, because
    /// it might be asked for ever.
    fn before(&self, most: u64, counted: Option<&Counted>) -> Option<u64> {
        let counted = counted.map(|counted| counted.before);
        let told = match (self.event.times_sent_back, self.event.was_sent_back) {
            (Some(times), _) => return Some(times),
            (None, Some(false)) => Some(0),
            (None, Some(true)) if most == 1 => Some(1),
            (None, _) => None,
        };
        // The client also tells that another hook asked the agent, so an own count comes first.
        let known = if self.is_own() {
            counted.or(told)
        } else {
            told.or(counted)
        };
        known.or_else(|| self.recorded())
    }

    /// How often the agent was asked again, as its transcript tells. None if the answer is not recorded
    /// yet.
    fn recorded(&self) -> Option<u64> {
        std::thread::sleep(PATIENCE);
        let run = trace::run_of(self.event);
        let times = run.filter(|run| self.has_answer(run))?.times_sent_back;
        // If the client does not record the times, with zero the agent might be asked for ever.
        let is_first = self.event.was_sent_back != Some(true);
        (times > 0 || is_first).then_some(times)
    }

    /// Whether the last record of an agent is its current answer: it is then at most `PATIENCE` older
    /// than the call of the hook.
    fn has_answer(&self, run: &Run) -> bool {
        let lag = |last| self.state.opened().duration_since(last);
        run.ended.is_some_and(|last| {
            // A record may also be written while the hook runs.
            lag(last).map_or(true, |lag| lag < PATIENCE)
        })
    }

    /// Adds one attempt and returns the previous count.
    fn count(&self) -> io::Result<Counted> {
        if self.event.was_sent_back == Some(true) && HookState::is_new() {
            // The hook that asked it again may have been this one, and the folder lost since.
            return Err(io::ErrorKind::NotFound.into());
        }
        let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        self.state.update(file, |text| {
            // A lost count starts again, so there is still a limit.
            let lost = match text {
                Some("") => 0,
                _ => u64::from(self.event.was_sent_back == Some(true)),
            };
            let mut counted = text.and_then(Counted::of_text).unwrap_or(Counted {
                before: lost,
                in_a_row: lost,
            });
            if self.event.was_sent_back == Some(false) {
                counted.before = 0;
            }
            let next = |times: u64| times.saturating_add(1);
            let text = format!("{} {}", next(counted.before), next(counted.in_a_row));
            (text, counted)
        })
    }

    /// Notes that a return was accepted, valid or not. If the agent was asked again in this task, its retries
    /// stay used: two hooks that want different returns would otherwise ask it for ever.
    pub(super) fn settle(&self) {
        let is_same_task = self.is_own() && self.event.was_sent_back == Some(true);
        let file = self.file.as_deref().filter(|_| is_same_task);
        let text = file.and_then(|file| self.state.read(file));
        match (file, text.as_deref().and_then(Counted::of_text)) {
            (Some(file), Some(counted)) => {
                let _ = self.state.write(file, format!("{} 0", counted.before));
            }
            _ => self.forget(),
        }
    }

    pub(super) fn forget(&self) {
        if let Some(file) = &self.file {
            self.state.remove(file);
        }
    }
}

fn most(policy: FailurePolicy, client: Client) -> u64 {
    client
        .facts()
        .sent_back_at_most
        .map_or(policy.retries, |cap| policy.retries.min(cap))
}

/// The client's own limit, if that is lower than the retries: above it, the client ends the agent
/// without another call of the hook.
pub(super) fn lower_cap(policy: FailurePolicy, client: Client) -> Option<u64> {
    let cap = client.facts().sent_back_at_most;
    cap.filter(|cap| *cap < policy.retries)
}

/// What to tell a person who wants an agent of this client to be asked again more often than it can be.
pub(super) fn cap_note(policy: FailurePolicy, client: Client) -> Option<String> {
    let cap = lower_cap(policy, client)?;
    let (retries, client) = (policy.retries, client.as_str());
    Some(format!(
        "retries = {retries} is more than {client} allows: an agent is asked again {cap} times at most"
    ))
}

/// What to tell a person whose retries are more than some clients allow.
pub(crate) fn caps_note(retries: u64) -> Option<String> {
    let caps = Client::ALL.iter().copied();
    let caps = caps.filter_map(|client| Some((client, client.facts().sent_back_at_most?)));
    let lower: Vec<_> = caps
        .filter(|(_, cap)| *cap < retries)
        .map(|(client, cap)| format!("{} {cap}", client.as_str()))
        .collect();
    (!lower.is_empty()).then(|| {
        format!(
            "retries = {retries} is more than some clients allow: {}",
            lower.join(", ")
        )
    })
}

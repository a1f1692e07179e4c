//! How often an agent has been sent back.
//!
//! Where the payload says enough, nothing is stored. Otherwise a small file for each agent holds the
//! count. If there can be none, the client's transcript tells.

use std::io;
use std::time::Instant;

use retval::harness::{Event, Harness};

use crate::hook::options::FailurePolicy;
use crate::hook::state::{HookState, key_of};
use crate::hook::trace;
use crate::hook::work::{AGAIN, WAIT};

/// What to do with an agent whose return is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    SendBack { is_last: bool },
    LetGo,
}

/// The attempts of one agent.
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

    /// Whether the agent may be sent back once more; if so, that is counted.
    pub(super) fn next(&self, policy: FailurePolicy) -> Decision {
        let most = most(policy, self.event.harness);
        match self.before(most) {
            Some(before) if before < most => Decision::SendBack {
                is_last: before + 1 == most,
            },
            // The client itself ends an agent that is sent back too often.
            None if policy.is_closed && most > 0 && cap(self.event.harness).is_some() => {
                Decision::SendBack { is_last: true }
            }
            _ => Decision::LetGo,
        }
    }

    /// How often it was sent back before. None if that cannot be known.
    fn before(&self, most: u64) -> Option<u64> {
        match (self.event.times_sent_back, self.event.was_sent_back) {
            (Some(times), _) => Some(times),
            (None, Some(was_sent_back)) if most <= 1 => Some(u64::from(was_sent_back)),
            (None, was_sent_back) => {
                let is_first = was_sent_back == Some(false);
                let counted = self.count(is_first).ok();
                counted.or_else(|| if is_first { Some(0) } else { self.recorded() })
            }
        }
    }

    /// How often it was sent back by the client's transcript, which may not have the last record yet.
    fn recorded(&self) -> Option<u64> {
        let started = Instant::now();
        loop {
            let run = trace::run_of(self.event);
            let times = run.map(|run| run.times_sent_back);
            let is_missing = times.is_none_or(|times| times == 0);
            // A client that does not record it would be told for ever that this is the first time.
            if !is_missing || self.event.was_sent_back != Some(true) {
                return times;
            }
            if started.elapsed() + AGAIN > WAIT {
                return None;
            }
            std::thread::sleep(AGAIN);
        }
    }

    /// Adds one attempt and answers how many there were before.
    fn count(&self, is_first: bool) -> io::Result<u64> {
        let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        self.state.update(file, |text| {
            let counted = text.and_then(|text| match text {
                "" => Some(0),
                text => text.parse().ok(),
            });
            // A count that is lost begins again, so it still ends.
            let lost = || u64::from(self.event.was_sent_back == Some(true));
            let before = if is_first {
                0
            } else {
                counted.unwrap_or_else(lost)
            };
            (before.saturating_add(1).to_string(), before)
        })
    }

    /// Deletes the count of an agent that is done.
    pub(super) fn forget(&self) {
        if let Some(file) = &self.file {
            self.state.remove(file);
        }
    }
}

/// How often an agent is sent back at most.
fn most(policy: FailurePolicy, harness: Harness) -> u64 {
    cap(harness).map_or(policy.retries, |cap| policy.retries.min(cap))
}

/// The client's own limit, if that is lower than the retries: above it, the client ends the agent
/// without another call of the hook.
pub(super) fn lower_cap(policy: FailurePolicy, harness: Harness) -> Option<u64> {
    cap(harness).filter(|cap| *cap < policy.retries)
}

/// What to tell a person who wants an agent of this client to be sent back more often than it can be.
pub(super) fn cap_note(policy: FailurePolicy, harness: Harness) -> Option<String> {
    let cap = lower_cap(policy, harness)?;
    let (retries, client) = (policy.retries, harness.as_str());
    Some(format!(
        "retries = {retries} is more than {client} allows: an agent is sent back {cap} times at most"
    ))
}

/// What to tell a person whose retries are more than some clients allow.
pub(crate) fn caps_note(retries: u64) -> Option<String> {
    let caps = Harness::ALL.iter().copied();
    let caps = caps.filter_map(|harness| Some((harness, cap(harness)?)));
    let lower = caps.filter(|(_, cap)| *cap < retries);
    let lower: Vec<_> = lower
        .map(|(harness, cap)| format!("{} {cap}", harness.as_str()))
        .collect();
    (!lower.is_empty()).then(|| {
        format!(
            "retries = {retries} is more than some clients allow: {}",
            lower.join(", ")
        )
    })
}

fn cap(harness: Harness) -> Option<u64> {
    match harness {
        Harness::ClaudeCode | Harness::Copilot => Some(8),
        Harness::Cursor => Some(5),
        Harness::Codex | Harness::Gemini => None,
    }
}

//! How often an agent is asked for its return again.
//!
//! The record of the agent has a count. It sets a limit even if the payload says something else each time,
//! because not every client ends an agent that its hook keeps asking. If the record cannot be used, the count
//! comes from the payload or the client's transcript.

use std::time::Duration;

use crate::clients::transcript::Run;
use crate::clients::{Client, Event, Moment};

use crate::cli::hook::agent_files;
use crate::cli::hook::options::FailurePolicy;
use crate::cli::hook::state::{AgentState, Asked};
use crate::cli::hook::state_file::is_folder_new;

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
    AskAgain {
        is_last: bool,
    },
    /// It is asked again when an agent that it started has ended.
    Wait,
    Accept,
}

/// Counts this time and decides what to do with the agent. It is asked again only if the new count is on
/// disk, or if the client counts.
pub(super) fn decide(policy: FailurePolicy, event: &Event, state: &mut AgentState) -> Decision {
    let most = most(policy, event.client);
    if most == 0 {
        return Decision::Accept;
    }
    let ask = |times: u64| Decision::AskAgain {
        is_last: times + 1 == most,
    };
    let asked = asked(event, state);
    let is_endless = |it: Asked| is_own(event) && it.in_a_row >= most.max(IN_A_ROW_AT_MOST);
    if let Some(asked) = asked {
        state.record.asked = Some(Asked {
            in_task: asked.in_task.saturating_add(1),
            in_a_row: asked.in_a_row.saturating_add(1),
        });
    }
    let times = times(event, state, most, asked);
    state.trace.asked_again = times;
    if let Some(times) = times.filter(|times| *times < most && !asked.is_some_and(is_endless)) {
        if asked.is_none() || state.store() {
            return ask(times);
        }
        let times = self::times(event, state, most, None);
        if let Some(times) = times.filter(|times| *times < most) {
            return ask(times);
        }
    }
    settle(event, state);
    Decision::Accept
}

/// Counts this time for an agent that ends while one that it started still runs, which is not its last
/// word: none of its tries is used. None if it has waited too often, or if that is unknown.
pub(super) fn wait(
    policy: FailurePolicy,
    event: &Event,
    state: &mut AgentState,
) -> Option<Decision> {
    let most = most(policy, event.client);
    let asked =
        asked(event, state).filter(|asked| most > 0 && asked.in_a_row < IN_A_ROW_AT_MOST)?;
    state.record.asked = Some(Asked {
        in_a_row: asked.in_a_row.saturating_add(1),
        ..asked
    });
    state.store().then_some(Decision::Wait)
}

/// How often the agent was asked again in its task, as far as that is known.
pub(super) fn times_before(event: &Event, state: &AgentState) -> Option<u64> {
    let known = event.times_asked_again;
    known.or_else(|| asked(event, state).map(|asked| asked.in_task))
}

/// Notes that a return was accepted, valid or not.
pub(super) fn settle(event: &Event, state: &mut AgentState) {
    let is_same_task = is_own(event) && event.was_asked_again == Some(true);
    let asked = state.record.asked.filter(|_| is_same_task);
    state.record.asked = asked.map(|asked| Asked {
        in_a_row: 0,
        ..asked
    });
}

/// Agents without an id or a transcript of their own share a count.
fn is_own(event: &Event) -> bool {
    event.agent_id.is_some() || event.agent_transcript.is_some()
}

/// How often the agent was asked again, as its record tells. None if that is unknown.
fn asked(event: &Event, state: &AgentState) -> Option<Asked> {
    let was_asked = event.was_asked_again == Some(true);
    // The hook that asked it again may have been this one, and the folder lost since.
    if !state.is_usable() || was_asked && is_folder_new() {
        return None;
    }
    // A lost count starts again, so there is still a limit.
    let lost = u64::from(was_asked && state.is_damaged);
    let asked = state.record.asked.unwrap_or(Asked {
        in_task: lost,
        in_a_row: lost,
    });
    let is_new_task = event.was_asked_again == Some(false);
    Some(Asked {
        in_task: if is_new_task { 0 } else { asked.in_task },
        ..asked
    })
}

/// How often the agent was asked again in its task. None if that is unknown: its return is then accepted,
/// because it might be asked for ever.
fn times(event: &Event, state: &AgentState, most: u64, asked: Option<Asked>) -> Option<u64> {
    let counted = asked.map(|asked| asked.in_task);
    let told = match (event.times_asked_again, event.was_asked_again) {
        (Some(times), _) => return Some(times),
        (None, Some(false)) => Some(0),
        (None, Some(true)) if most == 1 => Some(1),
        (None, _) => None,
    };
    // The client also tells that another hook asked the agent, so an own count comes first.
    let known = if is_own(event) {
        counted.or(told)
    } else {
        told.or(counted)
    };
    known.or_else(|| recorded(event, state))
}

/// How often the agent was asked again, as its transcript tells. None if the answer is not recorded yet.
fn recorded(event: &Event, state: &AgentState) -> Option<u64> {
    if event.moment == Moment::Call {
        // No client records that a call was refused as it records that an agent was asked again.
        return None;
    }
    std::thread::sleep(PATIENCE);
    let run = agent_files::run_of(event);
    let times = run.filter(|run| has_answer(run, state))?.times_asked_again;
    // If the client does not record the times, with zero the agent might be asked for ever.
    let is_first = event.was_asked_again != Some(true);
    (times > 0 || is_first).then_some(times)
}

/// Whether the last record of an agent is its current answer: it is then at most `PATIENCE` older than the
/// call of the hook.
fn has_answer(run: &Run, state: &AgentState) -> bool {
    run.ended.is_some_and(|last| {
        let lag = state.called.duration_since(last);
        // A record may also be written while the hook runs.
        lag.map_or(true, |lag| lag < PATIENCE)
    })
}

fn most(policy: FailurePolicy, client: Client) -> u64 {
    client
        .facts()
        .asked_again_at_most
        .map_or(policy.retries, |cap| policy.retries.min(cap))
}

/// The client's own limit, if that is lower than the retries: above it, the client ends the agent
/// without another call of the hook.
pub(super) fn lower_cap(policy: FailurePolicy, client: Client) -> Option<u64> {
    let cap = client.facts().asked_again_at_most;
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
    let caps = caps.filter_map(|client| Some((client, client.facts().asked_again_at_most?)));
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

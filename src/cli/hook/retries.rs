//! How often an agent is asked for its return again.
//!
//! The record of the agent has a count. It sets a limit even if the payload says something else each time,
//! because not every client ends an agent that its hook keeps asking. If the record cannot be used, the count
//! comes from the payload or the client's transcript.

use std::time::Duration;

use crate::clients::transcript::Run;
use crate::clients::{Client, Event, Moment};

use crate::cli::hook::agent_files;
use crate::cli::hook::case::AgentCase;
use crate::cli::hook::options::FailurePolicy;
use crate::cli::hook::session::{AgentRecord, Asked};

/// Most times that an agent is asked again in a row, whatever the payload says about earlier times. More
/// retries raise it.
const IN_A_ROW_AT_MOST: u64 = 8;

/// How long the hook waits before it counts in the transcript, because some clients write records late.
/// A record older than this at the call belongs to an earlier answer. The wait also makes the next
/// answer at least this much later, so a record made before this call is too old for the next one.
const PATIENCE: Duration = Duration::from_secs(1);

/// What to do with an agent whose return is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asking {
    Again {
        is_last: bool,
    },
    /// It is asked again when an agent that it started has ended.
    Wait,
    Accept,
}

/// Counts this time and decides what to do with the agent.
pub(super) fn decide(policy: FailurePolicy, event: &Event, case: &mut AgentCase<'_>) -> Asking {
    let most = most(policy, event.client);
    if most == 0 {
        return Asking::Accept;
    }
    let asked = asked(event, case);
    let is_endless = |it: Asked| is_own(event) && it.in_a_row >= most.max(IN_A_ROW_AT_MOST);
    if let Some(asked) = asked {
        case.record.asked = Some(Asked {
            in_task: asked.in_task.saturating_add(1),
            in_a_row: asked.in_a_row.saturating_add(1),
        });
    }
    let times = times(event, case, most, asked);
    case.trace.asked_again = times;
    match times {
        Some(times) if times < most && !asked.is_some_and(is_endless) => Asking::Again {
            is_last: times + 1 == most,
        },
        _ => {
            settle(event, &mut case.record);
            Asking::Accept
        }
    }
}

/// Counts this time for an agent that ends while one that it started still runs, which is not its last
/// word: none of its tries is used. None if it has waited too often, or if that is unknown.
pub(super) fn wait(
    policy: FailurePolicy,
    event: &Event,
    case: &mut AgentCase<'_>,
) -> Option<Asking> {
    let most = most(policy, event.client);
    let asked = asked(event, case)?;
    let can_wait = most > 0 && asked.in_a_row < IN_A_ROW_AT_MOST;
    can_wait.then(|| {
        case.record.asked = Some(Asked {
            in_a_row: asked.in_a_row.saturating_add(1),
            ..asked
        });
        Asking::Wait
    })
}

/// How often the agent was asked again in its task, as far as that is known.
pub(super) fn times_before(event: &Event, case: &AgentCase<'_>) -> Option<u64> {
    let known = event.times_asked_again;
    known.or_else(|| asked(event, case).map(|asked| asked.in_task))
}

/// Notes that a return was accepted, valid or not.
pub(super) fn settle(event: &Event, record: &mut AgentRecord) {
    let is_same_task = is_own(event) && event.was_asked_again == Some(true);
    let asked = record.asked.filter(|_| is_same_task);
    record.asked = asked.map(|asked| Asked {
        in_a_row: 0,
        ..asked
    });
}

/// Agents without an id or a transcript of their own share a count.
fn is_own(event: &Event) -> bool {
    event.agent_id.is_some() || event.agent_transcript.is_some()
}

/// How often the agent was asked again, as its record tells. None if that is unknown.
fn asked(event: &Event, case: &AgentCase<'_>) -> Option<Asked> {
    let was_asked = event.was_asked_again == Some(true);
    // The hook that asked it again may have been this one, and the folder lost since.
    if !case.is_usable() || was_asked && case.session.is_new {
        return None;
    }
    // A lost count starts again, so there is still a limit.
    let lost = u64::from(was_asked && case.session.is_damaged);
    let asked = case.record.asked.unwrap_or(Asked {
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
fn times(event: &Event, case: &AgentCase<'_>, most: u64, asked: Option<Asked>) -> Option<u64> {
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
    known.or_else(|| recorded(event, case))
}

/// How often the agent was asked again, as its transcript tells. None if the answer is not recorded yet.
fn recorded(event: &Event, case: &AgentCase<'_>) -> Option<u64> {
    if event.moment == Moment::Call {
        // No client records that a call was refused as it records that an agent was asked again.
        return None;
    }
    std::thread::sleep(PATIENCE);
    // The last record must be the current answer: it is then at most `PATIENCE` older than the call of the
    // hook, and may also be written while the hook runs.
    let has_answer = |run: &Run| {
        run.ended.is_some_and(|last| {
            let lag = case.session.called.duration_since(last);
            lag.map_or(true, |lag| lag < PATIENCE)
        })
    };
    let times = agent_files::run_of(event)
        .filter(has_answer)?
        .times_asked_again;
    // If the client does not record the times, with zero the agent might be asked for ever.
    let is_first = event.was_asked_again != Some(true);
    (times > 0 || is_first).then_some(times)
}

fn most(policy: FailurePolicy, client: Client) -> u64 {
    let cap = client.facts().asked_again_at_most;
    cap.map_or(policy.retries, |cap| policy.retries.min(cap))
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

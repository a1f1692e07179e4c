//! What the caller of an agent has not been told yet, in clients that call the hook for the caller, but with
//! no result: kept for each session until its main agent, or a caller that waits, can be told.

use crate::clients::{Answer, Event, Moment};
use serde::{Deserialize, Serialize};

use crate::cli::hook::state_file;
use crate::cli::hook::{fan_in, notification};

/// Most agents of one session that are kept; the oldest are dropped.
const AGENTS_AT_MOST: usize = 64;

/// Texts for callers, by the ids of their agents.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
struct Untold(Vec<(String, String)>);

/// Keeps what the caller of an agent should know, in place of what was kept of that agent before.
pub(super) fn keep(event: &Event, text: Option<&str>) {
    let Some(id) = event.agent_id.as_deref() else {
        return;
    };
    let is_needed = event.client.facts().calls_for_caller;
    if !is_needed || text.is_none() && state_file::read::<Untold>(&name(event)).is_none() {
        return;
    }
    state_file::change(&name(event), |untold: &mut Untold| {
        untold.0.retain(|(other, _)| other != id);
        let new = text.map(|text| (id.to_owned(), text.to_owned()));
        untold.0.extend(new);
        let over = untold.0.len().saturating_sub(AGENTS_AT_MOST);
        untold.0.drain(..over);
    });
}

/// Tells the caller what it does not know yet, and the person in front of it which of several agents
/// brought nothing, each thing once.
pub(super) fn answer(event: &Event) -> Answer {
    let is_end = event.moment == Moment::MainStop;
    // The main agent goes on because of a hook: it must be able to end.
    let goes_on = is_end && event.was_asked_again == Some(true);
    // A subagent that waits for agents without their names may not be the one that started them.
    let is_other = event.agent_id.is_some() && event.notified.is_empty();
    if goes_on || is_other {
        return Answer::Nothing;
    }
    let summary = is_end.then(|| fan_in::summary(event)).flatten();
    match (untold(event), summary) {
        (Some(text), Some(summary)) => Answer::Block(format!("{summary}\n{text}")),
        (Some(text), None) if is_end => Answer::Block(text),
        (Some(text), None) => Answer::Tell(text),
        (None, Some(summary)) => Answer::Note(summary),
        (None, None) => Answer::Nothing,
    }
}

/// What the caller does not know yet. Nothing if that cannot be noted: the main agent might be told it for
/// ever.
fn untold(event: &Event) -> Option<String> {
    state_file::read::<Untold>(&name(event))?;
    let is_meant =
        |id: &String| event.notified.is_empty() || event.notified.iter().any(|it| it.id == *id);
    let told = state_file::change(&name(event), |untold: &mut Untold| {
        let (told, rest) = std::mem::take(&mut untold.0)
            .into_iter()
            .partition(|(id, _)| is_meant(id));
        untold.0 = rest;
        told
    });
    match &told?[..] {
        [] => None,
        [(_, text)] => Some(text.clone()),
        several => Some(notification::joined(
            several.iter().map(|(id, text)| (&**id, &**text)),
        )),
    }
}

fn name(event: &Event) -> String {
    state_file::name(&event.session, "untold")
}

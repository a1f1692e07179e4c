//! What the caller of an agent is told: by the verdict that is kept until the client calls the hook for it.

use std::collections::HashSet;

use crate::clients::{Answer, Ended, Event, Moment, NotifiedAgent};
use crate::text::escape;

use crate::cli::hook::case::{Case, Decision};
use crate::cli::hook::session::HookSession;

/// Most agents of one notification that are looked at.
const AGENTS_AT_MOST: usize = 64;

/// Most characters of the text about several agents together.
const LENGTH: usize = 8_000;

/// The answer from the verdict of an agent. If there is none for such an event, the result must be checked.
pub(super) fn by_verdict(case: &mut Case<'_>) -> Option<Answer> {
    let verdict = &mut case.record.verdict;
    let verdict = match case.event.moment {
        _ if matches!(verdict, Some(Err(_))) => return None,
        // Nobody gets the return that was accepted.
        _ if case.event.ended == Ended::Withheld
            && !matches!(verdict, Some(Ok(Answer::Block(_)))) =>
        {
            return None;
        }
        // The caller also gets a message with what was handed in.
        Moment::Result if case.event.is_handed_in => verdict.replace(Ok(Answer::Nothing))?,
        Moment::Result | Moment::Notification => verdict.take()?,
        _ => return None,
    };
    case.trace.why = Some("as decided when it stopped".to_owned());
    Some(match verdict {
        Ok(Answer::Block(text)) | Err(text) => case.for_caller(text),
        Ok(answer) => answer,
    })
}

/// Decides about each of the agents that have ended, for one caller.
pub(super) fn notified(event: &Event, mut one: impl FnMut(&Event) -> Decision) -> Decision {
    let mut ids = HashSet::new();
    let agents = event.notified.iter().filter(|it| ids.insert(&it.id));
    let agents: Vec<_> = agents.take(AGENTS_AT_MOST).collect();
    let mut one = |agent: &NotifiedAgent| {
        one(&Event {
            agent_id: Some(agent.id.clone()),
            ended: agent.ended,
            error: agent.error.clone(),
            notified: vec![agent.clone()],
            ..event.clone()
        })
    };
    if let [agent] = agents[..] {
        return one(agent);
    }
    let (mut told, mut traces) = (Vec::new(), Vec::new());
    for agent in agents {
        let decision = one(agent);
        traces.extend(decision.traces);
        let text = decision.answer.text();
        told.extend((!text.is_empty()).then(|| (&*agent.id, text.to_owned())));
    }
    let answer = if told.is_empty() { Answer::Nothing } else { Answer::Tell(joined(&told)) };
    Decision { answer, traces }
}

/// Joins the texts about several agents, which get equal parts of the length.
fn joined(texts: &[(impl AsRef<str>, String)]) -> String {
    let most = LENGTH / texts.len().max(1);
    let texts = texts.iter().map(|(id, text)| {
        let (id, text) = (escape::truncated(id.as_ref()), text.trim_end());
        let text = format!("Agent {id}: {text}");
        match text.char_indices().nth(most) {
            Some((end, _)) => format!("{} [cut]\n", &text[..end]),
            None => text + "\n",
        }
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Tells a caller that waits, or the main agent before it ends, what it does not know yet, each thing once.
pub(super) fn answer(event: &Event, session: &mut HookSession) -> Answer {
    let is_end = event.moment == Moment::MainStop;
    // The main agent goes on because of a hook: it must be able to end.
    let goes_on = is_end && event.was_asked_again == Some(true);
    // A subagent that waits for agents without their names may not be the one that started them.
    let is_other = event.agent_id.is_some() && event.notified.is_empty();
    // The main agent is woken when they end, and ends again.
    if goes_on || is_other || event.has_running_agents() {
        return Answer::Nothing;
    }
    match untold(event, session) {
        Some(text) if is_end => Answer::Block(text),
        Some(text) => Answer::Tell(text),
        None => Answer::Nothing,
    }
}

fn untold(event: &Event, session: &mut HookSession) -> Option<String> {
    // A warning is not worth that the main agent goes on, where its result is to come.
    let tells_warnings = !event.client.facts().result_follows_stop;
    let mut told = Vec::new();
    for agent in &mut session.known.agents {
        let key = agent.key.as_deref().unwrap_or_default();
        if !event.notified.is_empty() && event.notified.iter().all(|it| it.id != key) {
            continue;
        }
        let is_told = match &agent.verdict {
            Some(Ok(Answer::Block(_))) => true,
            Some(Ok(Answer::Tell(_))) => tells_warnings,
            _ => false,
        };
        if is_told {
            // The result may still come, and is then known.
            let verdict = agent.verdict.replace(Ok(Answer::Nothing));
            let text = verdict.and_then(Result::ok).map(|answer| answer.text().to_owned());
            told.extend(text.map(|text| (key.to_owned(), text)));
        }
        // Nobody is kept from ending by a receipt.
        let receipt = agent.receipt.take_if(|_| event.moment == Moment::Waited);
        told.extend(receipt.map(|text| (key.to_owned(), text)));
    }
    match &told[..] {
        [] => None,
        [(_, text)] => Some(text.clone()),
        several => Some(joined(several)),
    }
}

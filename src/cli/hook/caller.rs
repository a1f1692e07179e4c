//! What the caller of an agent is told, and the person in front of the main agent: by the verdict that is
//! kept until the client calls the hook for the caller.

use std::collections::HashSet;

use crate::clients::{Answer, Ended, Event, Moment, NotifiedAgent};
use crate::text::escape;

use crate::cli::hook::case::{Case, Decision};
use crate::cli::hook::session::{HookSession, Verdict};

/// Most agents of one notification that are looked at.
const AGENTS_AT_MOST: usize = 64;

/// Most characters of the text about several agents together.
const LENGTH: usize = 8_000;

/// Most agents that are named to a person.
const NAMED_AT_MOST: usize = 20;

/// The most bytes of the text about the agents of a workflow to which another one is added.
const HANDED_ON_AT_MOST: usize = 4_000;

const REFUSED: &str = "The task is not completed: your return was refused, and you have not returned again. \
                       Correct it first.\n";

/// The answer from the verdict of an agent. If there is none for such an event, the result must be checked.
pub(super) fn by_verdict(case: &mut Case<'_>) -> Option<Answer> {
    let record = &mut case.record;
    let is_refused = matches!(record.verdict, Some(Err(_)));
    let verdict = match case.event.moment {
        Moment::Task if is_refused => {
            case.trace.why = Some("the return of its agent was refused".to_owned());
            return Some(Answer::Block(REFUSED.to_owned()));
        }
        Moment::Task => {
            case.trace.why = Some("no return of its agent is refused".to_owned());
            return Some(Answer::Nothing);
        }
        _ if is_refused => return None,
        // Nobody gets the return that was accepted.
        _ if case.event.ended == Ended::Withheld
            && !matches!(record.verdict, Some(Ok(Answer::Block(_)))) =>
        {
            return None;
        }
        // The caller also gets a message with what was handed in.
        Moment::Result if case.event.is_handed_in => record.verdict.replace(Ok(Answer::Nothing))?,
        Moment::Result | Moment::Notification => record.verdict.take()?,
        // The verdict stays: the caller can fetch the result several times, and a notification may
        // follow. If no verdict is left, the caller has already been told.
        Moment::Fetched if case.is_usable() => {
            (case.record.verdict.clone()).unwrap_or(Ok(Answer::Nothing))
        }
        _ => return None,
    };
    case.record.untold = None;
    case.trace.why = Some("as decided when it stopped".to_owned());
    Some(match verdict {
        Ok(Answer::Block(text)) | Err(text) => case.for_caller(text),
        Ok(answer) => answer,
    })
}

/// Hands the verdict on an agent of a workflow on to the workflow: its caller is told of that alone.
pub(super) fn hand_on(case: &mut Case<'_>) {
    let is_text = |it: &mut Verdict| matches!(it, Ok(Answer::Block(_) | Answer::Tell(_)));
    let workflow = case.event.workflow.clone();
    let verdict = &mut case.record.verdict;
    let verdict = workflow.as_ref().and_then(|_| verdict.take_if(is_text));
    let Some(Ok(Answer::Block(text) | Answer::Tell(text))) = verdict else {
        return;
    };
    let mut record = case.session.agent(&Event { agent_id: workflow, ..case.event.clone() });
    let told = match record.verdict.take() {
        Some(Ok(Answer::Tell(before))) if before.len() > HANDED_ON_AT_MOST => before,
        Some(Ok(Answer::Tell(before))) => before + "\n" + &text,
        _ => text,
    };
    if case.record.untold.take().is_some() {
        record.untold = record.key.clone().map(|key| (key, told.clone()));
    }
    record.verdict = Some(Ok(Answer::Tell(told)));
    case.session.keep(record);
}

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
    let (mut told, mut noted, mut traces) = (Vec::new(), Vec::new(), Vec::new());
    for agent in agents {
        let decision = one(agent);
        traces.extend(decision.traces);
        match decision.answer {
            Answer::Tell(text) => told.push((&*agent.id, text)),
            Answer::Note(text) => noted.push((&*agent.id, text)),
            _ => {}
        }
    }
    let is_told = !told.is_empty();
    told.extend(noted);
    let answer = match &told[..] {
        [] => Answer::Nothing,
        told if is_told => Answer::Tell(joined(told)),
        noted => Answer::Note(joined(noted)),
    };
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

/// Tells a caller that waits, or the main agent before it ends, what it does not know yet, and the person
/// which of several agents brought nothing, each thing once.
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
    let summary = is_end.then(|| summary(session)).flatten();
    match (untold(event, session), summary) {
        (Some(text), Some(summary)) => Answer::Block(format!("{summary}\n{text}")),
        (Some(text), None) if is_end => Answer::Block(text),
        (Some(text), None) => Answer::Tell(text),
        (None, Some(summary)) => Answer::Note(summary),
        (None, None) => Answer::Nothing,
    }
}

fn untold(event: &Event, session: &mut HookSession) -> Option<String> {
    let is_meant = |(id, _): &mut (String, String)| {
        event.notified.is_empty() || event.notified.iter().any(|it| it.id == *id)
    };
    let mut told = Vec::new();
    for agent in &mut session.known.agents {
        let text = agent.untold.take_if(is_meant);
        // The result may still come, and is then known.
        if let (Some(_), Some(Ok(verdict))) = (&text, &mut agent.verdict) {
            *verdict = Answer::Nothing;
        }
        told.extend(text);
        // Nobody is kept from ending by a receipt.
        let is_told = |it: &mut _| event.moment == Moment::Waited && is_meant(it);
        told.extend(agent.receipt.take_if(is_told));
    }
    match &told[..] {
        [] => None,
        [(_, text)] => Some(text.clone()),
        several => Some(joined(several)),
    }
}

/// Says which of several agents brought nothing usable, once.
fn summary(session: &mut HookSession) -> Option<String> {
    let agents = session.known.agents.iter_mut();
    let agents: Vec<_> = agents.filter_map(|it| it.brought.as_mut()).collect();
    let of = agents.len();
    let (mut named, mut is_new) = (Vec::new(), false);
    for (agent, at) in agents.into_iter().zip(1..) {
        if agent.is_usable == Some(false) {
            is_new |= !std::mem::replace(&mut agent.is_told, true);
            named.push(format!("{at} ({})", escape::truncated(&agent.name)));
        }
    }
    if of < 2 || !is_new {
        return None;
    }
    let count = named.len();
    let more = match count.saturating_sub(NAMED_AT_MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    named.truncate(NAMED_AT_MOST);
    let named = named.join(", ");
    Some(format!(
        "retval: {count} of the {of} agents of this session brought nothing usable: {named}{more}, in \
         the order in which they started."
    ))
}

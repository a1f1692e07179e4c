//! What the caller of an agent is told, and the person in front of the main agent: by the verdict that is
//! kept until the client calls the hook for the caller.

use crate::clients::{Answer, Event, Moment, NotifiedAgent};
use crate::text::escape;

use crate::cli::hook::case::{AgentCase, Decision, failure};
use crate::cli::hook::session::{Brought, HookSession, Verdict};

/// Most agents of one notification that are looked at.
const AGENTS_AT_MOST: usize = 64;

/// Most characters of the text about several agents together.
const LENGTH: usize = 8_000;

/// Most agents that are named to a person.
const NAMED_AT_MOST: usize = 20;

/// The most bytes of the text about the agents of a workflow to which another one is added.
const HANDED_ON_AT_MOST: usize = 4_000;

/// The answer from the verdict of an agent. None if there is no verdict for such an event, so that the
/// result must be checked.
pub(super) fn by_verdict(event: &Event, case: &mut AgentCase<'_>) -> Option<Answer> {
    let record = &mut case.record;
    let is_refused = matches!(record.verdict, Some(Verdict::Refused(_)));
    let verdict = match event.moment {
        Moment::Task if is_refused => {
            case.trace.why = Some("the return of its agent was refused".to_owned());
            return Some(Answer::Block(
                "The task is not completed: your return was refused, and you have not returned again. Correct it first.\n".to_owned(),
            ));
        }
        Moment::Task => {
            case.trace.why = Some("no return of its agent is refused".to_owned());
            return Some(Answer::Nothing);
        }
        _ if is_refused => return None,
        // The caller also gets a message with what was handed in.
        Moment::Result if event.is_handed_in => record.verdict.replace(Verdict::Silent)?,
        Moment::Result | Moment::Notification => record.verdict.take()?,
        // The verdict stays: the caller can fetch the result several times, and a notification may
        // follow. If no verdict is left, the caller has already been told.
        Moment::Fetched if case.is_usable() => {
            case.record.verdict.clone().unwrap_or(Verdict::Silent)
        }
        _ => return None,
    };
    case.trace.why = Some("by what was decided when it stopped".to_owned());
    Some(match verdict {
        Verdict::Silent => Answer::Nothing,
        Verdict::Note(text) => Answer::Note(text),
        Verdict::Invalid(text) if event.moment != Moment::Notification => Answer::Block(text),
        Verdict::Invalid(text) | Verdict::Remark(text) | Verdict::Refused(text) => {
            Answer::Tell(text)
        }
    })
}

impl AgentCase<'_> {
    /// The text about a return that was refused, if its agent has ended since without another.
    pub(super) fn take_refused(&mut self) -> Option<String> {
        let is_refused = |verdict: &mut Verdict| matches!(verdict, Verdict::Refused(_));
        match self.record.verdict.take_if(is_refused)? {
            Verdict::Refused(text) => Some(text),
            _ => None,
        }
    }

    /// Notes that an agent started, or whether what it brought is usable, in a client that calls the hook
    /// before its main agent ends.
    pub(super) fn brought(&mut self, event: &Event, is_usable: Option<bool>) {
        let hook = event.client.facts().settings.as_ref();
        let is_called = hook.is_some_and(|hook| hook.events.iter().any(|it| it.0 == "Stop"));
        if event.agent_id.is_some() && is_called {
            let brought = self.record.brought.get_or_insert_with(|| Brought {
                name: event.agent.clone().unwrap_or_default(),
                ..Brought::default()
            });
            brought.is_usable = is_usable.or(brought.is_usable);
        }
    }

    /// Keeps what the caller should know, in place of what was kept of that agent before, in a client that
    /// calls the hook for the caller, but with no result.
    pub(super) fn tell_later(&mut self, event: &Event, text: Option<&str>) {
        if let Some(id) = &event.agent_id
            && event.client.facts().calls_for_caller
        {
            self.record.untold = text.map(|text| (id.clone(), text.to_owned()));
        }
    }
}

/// Hands the verdict on an agent of a workflow on to the workflow: its caller is told of that alone.
pub(super) fn hand_on(event: &Event, case: &mut AgentCase<'_>) {
    let is_text = |it: &mut Verdict| matches!(it, Verdict::Invalid(_) | Verdict::Remark(_));
    let Some(id) = &event.workflow else { return };
    let Some(Verdict::Invalid(text) | Verdict::Remark(text)) = case.record.verdict.take_if(is_text)
    else {
        return;
    };
    let mut of_workflow = event.clone();
    of_workflow.agent_id = Some(id.clone());
    let mut record = case.session.agent(&of_workflow);
    let told = match record.verdict.take() {
        Some(Verdict::Remark(before)) if before.len() > HANDED_ON_AT_MOST => before,
        Some(Verdict::Remark(before)) => before + "\n" + &text,
        _ => text,
    };
    record.verdict = Some(Verdict::Remark(told));
    case.session.keep(record);
}

/// One answer for all agents that a notification is about.
pub(super) fn notified(
    event: &Event,
    mut one: impl FnMut(&Event) -> Result<Decision, String>,
) -> Result<Decision, String> {
    let mut agents: Vec<&NotifiedAgent> = Vec::new();
    for agent in &event.notified {
        let is_new = agents.iter().all(|other| other.id != agent.id);
        if is_new && agents.len() < AGENTS_AT_MOST {
            agents.push(agent);
        }
    }
    let of_agent = |agent: &NotifiedAgent| Event {
        agent_id: Some(agent.id.clone()),
        is_at_limit: agent.is_at_limit,
        notified: vec![agent.clone()],
        ..event.clone()
    };
    if let [agent] = agents[..] {
        return one(&of_agent(agent));
    }
    let (mut told, mut noted) = (Vec::new(), Vec::new());
    let (mut traces, mut records) = (Vec::new(), Vec::new());
    for agent in agents {
        let id = &*agent.id;
        // A failure for one agent must not hide the others.
        let answer = one(&of_agent(agent)).map(|decision| {
            traces.extend(decision.traces);
            records.extend(decision.records);
            decision.answer
        });
        match answer {
            Ok(Answer::Tell(text)) => told.push((id, text)),
            Ok(Answer::Note(text)) => noted.push((id, text)),
            Ok(_) => {}
            Err(why) => noted.push((id, failure(&why))),
        }
    }
    let answer = match (told.is_empty(), noted.is_empty()) {
        (false, _) => Answer::Tell(joined(&[told, noted].concat())),
        (true, false) => Answer::Note(joined(&noted)),
        (true, true) => Answer::Nothing,
    };
    Ok(Decision {
        answer,
        traces,
        records,
    })
}

/// Joins the texts about several agents. Each gets an equal part of the length, so that all agents are
/// named.
fn joined(texts: &[(impl AsRef<str>, String)]) -> String {
    let most = LENGTH / texts.len().max(1);
    let texts = texts.iter().map(|(id, text)| {
        let text = format!(
            "Agent {}: {}",
            escape::truncated(id.as_ref()),
            text.trim_end()
        );
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
    if goes_on || is_other {
        return Answer::Nothing;
    }
    let summary = is_end.then(|| summary(event, session)).flatten();
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
    let agents = session.known.agents.iter_mut();
    let told: Vec<_> = agents
        .filter_map(|it| it.untold.take_if(is_meant))
        .collect();
    match &told[..] {
        [] => None,
        [(_, text)] => Some(text.clone()),
        several => Some(joined(several)),
    }
}

/// Says which of several agents brought nothing usable, if that was not said yet of one of them. It waits
/// until no agent runs in the background any more: the main agent ends again then.
fn summary(event: &Event, session: &mut HookSession) -> Option<String> {
    if !event.running.is_empty() {
        return None;
    }
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

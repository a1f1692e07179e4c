//! The notification that agents have ended in the background. It may be about several agents.

use crate::clients::{Answer, Event, NotifiedAgent};
use crate::text::escape;

use crate::cli::hook::failure;

/// Most agents of one notification that are looked at.
const AGENTS_AT_MOST: usize = 64;

/// Most characters of the text about all agents together.
const LENGTH: usize = 8_000;

/// One answer for all agents that a notification is about.
pub(super) fn answer(
    event: &Event,
    one: impl Fn(&Event) -> anyhow::Result<Answer>,
) -> anyhow::Result<Answer> {
    let mut agents: Vec<&NotifiedAgent> = Vec::new();
    for agent in &event.notified {
        let is_new = agents.iter().all(|other| other.id != agent.id);
        if is_new && agents.len() < AGENTS_AT_MOST {
            agents.push(agent);
        }
    }
    let mut bare = event.clone();
    bare.notified.clear();
    let of_agent = |agent: &NotifiedAgent| {
        let mut event = bare.clone();
        event.agent_id = Some(agent.id.clone());
        event.is_at_limit = agent.is_at_limit;
        event.notified = vec![agent.clone()];
        event
    };
    if let [agent] = agents[..] {
        return one(&of_agent(agent));
    }
    let (mut told, mut noted) = (Vec::new(), Vec::new());
    for agent in agents {
        let id = &agent.id;
        let text = match one(&of_agent(agent)) {
            Ok(Answer::Tell(text)) => {
                told.push((id, text));
                continue;
            }
            Ok(Answer::Note(text)) => text,
            Ok(_) => continue,
            // A failure for one agent must not hide the others.
            Err(error) => failure(&error),
        };
        noted.push((id, text));
    }
    let joined = |texts: &[(&String, String)]| {
        joined(texts.iter().map(|(id, text)| (id.as_str(), text.as_str())))
    };
    Ok(if !told.is_empty() {
        Answer::Tell(joined(&[told, noted].concat()))
    } else if !noted.is_empty() {
        Answer::Note(joined(&noted))
    } else {
        Answer::Nothing
    })
}

/// Joins the texts about several agents. Each gets an equal part of the length, so that all agents are
/// named.
pub(super) fn joined<'t>(texts: impl ExactSizeIterator<Item = (&'t str, &'t str)>) -> String {
    let most = LENGTH / texts.len().max(1);
    let texts = texts.map(|(id, text)| {
        let text = format!("Agent {}: {}", escape::truncated(id), text.trim_end());
        match text.char_indices().nth(most) {
            Some((end, _)) => format!("{} [cut]\n", &text[..end]),
            None => text + "\n",
        }
    });
    texts.collect::<Vec<_>>().join("\n")
}

//! What the agents of a session brought, for the person in front of its main agent: said when that ends.

use crate::clients::Event;
use crate::text::escape;
use serde::{Deserialize, Serialize};

use crate::cli::hook::state_file;

/// Most agents of one session that are kept. Later ones do not count.
const AGENTS_AT_MOST: usize = 4_096;

/// Most agents that are named.
const NAMED_AT_MOST: usize = 20;

/// The agents of a session, in the order in which they started.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
struct StartedAgents(Vec<StartedAgent>);

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
struct StartedAgent {
    id: String,
    name: String,
    /// Whether its caller can use what it brought. None as long as that is not known.
    has_brought: Option<bool>,
    is_told: bool,
}

/// Notes that an agent started, or what it brought, in a client that calls the hook before its main agent
/// ends.
pub(super) fn note(event: &Event, has_brought: Option<bool>) {
    let hook = event.client.facts().settings.as_ref();
    let is_called = hook.is_some_and(|hook| hook.events.iter().any(|(name, _)| *name == "Stop"));
    let Some(id) = event.agent_id.as_deref().filter(|_| is_called) else {
        return;
    };
    state_file::change(&name(event), |StartedAgents(agents)| {
        if let Some(agent) = agents.iter_mut().find(|agent| agent.id == id) {
            agent.has_brought = has_brought.or(agent.has_brought);
        } else if agents.len() < AGENTS_AT_MOST {
            agents.push(StartedAgent {
                id: id.to_owned(),
                name: event.agent.clone().unwrap_or_default(),
                has_brought,
                is_told: false,
            });
        }
    });
}

/// Says which of several agents brought nothing usable, if that was not said yet of one of them. It waits
/// until no agent runs in the background any more: the main agent ends again then. Nothing is said if it
/// cannot be noted: it might be said for ever.
pub(super) fn summary(event: &Event) -> Option<String> {
    if !event.running.is_empty() {
        return None;
    }
    state_file::read::<StartedAgents>(&name(event))?;
    state_file::change(&name(event), |StartedAgents(agents)| {
        let of = agents.len();
        let numbered = (1..=of).zip(agents);
        let without = numbered.filter(|(_, agent)| agent.has_brought == Some(false));
        let (mut named, mut is_new) = (Vec::new(), false);
        for (at, agent) in without {
            is_new |= !std::mem::replace(&mut agent.is_told, true);
            named.push(format!("{at} ({})", escape::truncated(&agent.name)));
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
    })
    .flatten()
}

fn name(event: &Event) -> String {
    state_file::name(&event.session, "agents")
}

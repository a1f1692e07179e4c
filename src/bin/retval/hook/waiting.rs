//! Agents that end while an agent that they have started still runs.

use retval::internal::clients::Event;
use retval::internal::clients::transcript::locate::candidates;
use retval::internal::escape;

use crate::session_file;

/// Most running agents of a session that are looked at.
const AGENTS_AT_MOST: usize = 64;

/// What to tell an agent that one which it has started still runs. None if there is no such agent.
pub(super) fn advice(event: &Event) -> Option<String> {
    let own = event.agent_id.as_deref()?;
    let transcript = event.transcript.as_deref()?;
    let is_child = |id: &str| {
        let mut files = candidates(transcript, event.session.as_deref(), id).into_iter();
        let sidecar = files.find_map(|files| session_file::read_sidecar(&files.sidecar?));
        sidecar.is_some_and(|sidecar| sidecar.parent.as_deref() == Some(own))
    };
    let running = event.running.iter().take(AGENTS_AT_MOST);
    let mut children = running.filter(|agent| is_child(&agent.id));
    let first = children.next()?;
    let (about, id) = (
        escape::truncated(&first.about),
        escape::truncated(&first.id),
    );
    let more = match children.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "An agent that you started still runs: {about} ({id}){more}. Do not end before it has ended, and \
         return then. This does not use up a try.\n"
    ))
}

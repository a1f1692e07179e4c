//! The session id that a return must have, and the group of its work.

use retval::Profile;
use retval::internal::clients::Event;

use crate::hook::options::HookOptions;
use crate::hook::prompt::{self, Named};
use crate::hook::state::{HookState, key_of};

/// The id that is expected at the end: the configured one, else the one in the prompt, else the one that
/// the agent was told at the start. None if the prompt is unknown, because it may name another, or if it
/// names several.
pub(super) fn expected(
    options: &HookOptions,
    event: &Event,
    profile: &Profile,
    state: &HookState,
) -> Option<String> {
    if let Some(session) = &options.checker.session {
        return Some(session.clone());
    }
    match prompt::session(event.prompt.as_deref()?, profile.handoff_path.as_deref()) {
        Named::One(id) => Some(id),
        Named::Several => None,
        Named::None => event.session.clone().filter(|_| was_told(event, state)),
    }
}

/// The ids for the instruction: the one to return, and the one to return if the task names none.
pub(super) fn to_tell(
    options: &HookOptions,
    event: &Event,
    profile: &Profile,
) -> (Option<String>, Option<String>) {
    let configured = options.checker.session.clone();
    let named = |prompt| prompt::session(prompt, profile.handoff_path.as_deref());
    match event.prompt.as_deref().map(named) {
        _ if configured.is_some() => (configured, None),
        Some(Named::One(id)) => (Some(id), None),
        Some(Named::None) => (event.session.clone(), None),
        Some(Named::Several) | None => (None, event.session.clone()),
    }
}

pub(super) fn group(options: &HookOptions, event: &Event, profile: &Profile) -> Option<String> {
    let configured = options.checker.group.clone();
    let named = |prompt| prompt::group(prompt, profile.handoff_path.as_deref()).one();
    configured.or_else(|| event.prompt.as_deref().and_then(named))
}

/// Remembers that the agent was told the client's own id.
pub(super) fn tell(event: &Event, state: &HookState) {
    if let Some(file) = told_file(event) {
        // If this fails, no return is refused for its session id.
        let _ = state.write(&file, String::new());
    }
}

fn was_told(event: &Event, state: &HookState) -> bool {
    told_file(event).is_some_and(|file| state.has(&file))
}

fn told_file(event: &Event) -> Option<String> {
    event.agent_id.as_ref()?;
    Some(format!("{}.told", key_of(event)?))
}

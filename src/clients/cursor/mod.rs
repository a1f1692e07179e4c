//! Cursor.

mod hook;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["cursor-agent", "cursor"],
    package: None,
    built_in_agents: &["bash", "browser", "explore", "generalPurpose", "shell"],
    asked_again_at_most: Some(5),
    result_follows_stop: false,
    calls_for_caller: false,
    is_instructed_by_prompt: false,
    context_mark: None,
    takes_replacement: false,
    return_tools: &[],
    hides_callers: false,
    has_sidecars: false,
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    output: None,
};

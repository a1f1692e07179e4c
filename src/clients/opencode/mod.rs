//! opencode.

pub(super) mod transcript;

use crate::clients::facts::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["opencode"],
    package: None,
    built_in_agents: &[],
    asked_again_at_most: None,
    result_follows_stop: false,
    calls_for_caller: false,
    is_instructed_by_prompt: false,
    takes_replacement: false,
    has_sidecars: false,
    settings: None,
    hook: None,
    output: None,
};

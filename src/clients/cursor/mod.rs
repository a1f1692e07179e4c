//! Cursor.

mod hook;

use crate::clients::ClientFacts;

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["cursor-agent", "cursor"],
    built_in_agents: &["bash", "browser", "explore", "generalPurpose", "shell"],
    asked_again_at_most: Some(5),
    settings: Some(hook::SETTINGS),
    hook: Some(hook::FORMAT),
    ..ClientFacts::BASE
};

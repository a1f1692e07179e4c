//! The part of the instruction about the delegation: the session id, the path and the depth.

use crate::instruction::Instruction;
use crate::profile::{Need, Profile};
use crate::text::escape::{self, full};

/// The members in which a return says how the agent was called.
pub(super) const DELEGATION_PATH: &str = "metadata.delegation_path";
pub(super) const DELEGATION_DEPTH: &str = "metadata.delegation_depth";

pub(super) fn is_required(profile: &Profile, path: &str) -> bool {
    profile
        .fields_with(Need::Required)
        .any(|field| field == path)
}

impl Instruction<'_> {
    pub(super) fn session_line(&self, say: &mut impl FnMut(String)) {
        if let (Some(place), Some(session)) = (&self.profile.session, self.session) {
            say(format!("{place} is \"{}\", exactly.", full(session)));
        } else if let (Some(place), Some(session)) = (&self.profile.session, self.fallback_session)
        {
            say(format!(
                "{place} is the session id that your task gives you; if it gives none, {place} is \"{}\".",
                full(session)
            ));
        }
    }

    /// The delegation path and depth to return. If the caller does not give them here, the agent takes
    /// them from its task.
    pub(super) fn delegation(&self, say: &mut impl FnMut(String)) {
        if !self.profile.has_field(DELEGATION_PATH) {
            return;
        }
        if self.delegation_path.is_empty() {
            let is_required = is_required(self.profile, DELEGATION_PATH);
            if is_required {
                say(format!(
                    "{DELEGATION_PATH}: every name from the orchestrator to you, as your task gives them."
                ));
                self.usual_delegation(say);
            }
        } else {
            let path = escape::list(self.delegation_path);
            say(format!("{DELEGATION_PATH} is {path}, exactly."));
        }
        match self.delegation_depth {
            Some(depth) => say(format!("{DELEGATION_DEPTH} is {depth}, exactly.")),
            None if is_required(self.profile, DELEGATION_DEPTH) => say(format!(
                "{DELEGATION_DEPTH}: a number, how many delegations led to you, as your task gives it."
            )),
            None => {}
        }
    }

    /// What to return if the task does not give the delegation.
    fn usual_delegation(&self, say: &mut impl FnMut(String)) {
        let names = self.fallback_path.iter();
        let names: Vec<_> = names.map(|name| format!("\"{}\"", full(name))).collect();
        let Some(depth) = names.len().checked_sub(1) else {
            return;
        };
        // Most agents are called by the main agent.
        say(format!(
            "If your task gives no delegation path: [{}] and a delegation_depth of {depth}, or more \
             if a subagent called you, with your callers between the two.",
            names.join(", ")
        ));
    }
}

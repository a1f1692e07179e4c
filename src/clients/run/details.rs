//! What a client records about a run beside its messages and calls.

use std::time::{Duration, SystemTime};

use crate::text::names;

/// Fills those of these members that are None from another record.
macro_rules! fill {
    ($own:expr, $other:ident: $($member:ident),+) => {
        $(if $own.$member.is_none() {
            $own.$member.clone_from(&$other.$member);
        })+
    };
}
pub(crate) use fill;

/// What a client records about a run beside its messages and calls. None: this client, or this version,
/// does not record it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RunDetails {
    /// The model of the first answer.
    pub model: Option<String>,
    /// The version of the client.
    pub client_version: Option<String>,
    /// The folder of the session, as the client writes it. Of an agent that only the caller's transcript
    /// has, the caller's.
    pub cwd: Option<String>,
    /// What the caller calls the task, in a few words.
    pub description: Option<String>,
    /// When the caller called the agent.
    pub called: Option<SystemTime>,
    /// How long the run took, as the client measured it.
    pub duration: Option<Duration>,
    /// The tokens in the context at the end of the run. Not the tokens that the run used: those are in
    /// [`Run::tokens`](super::Run::tokens), and are a multiple of this.
    pub context_tokens: Option<u64>,
    /// How the client says that the agent's task ended.
    pub status: Option<ClientStatus>,
}

names! {
    /// What a client told the caller about an agent's task.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub(crate) enum ClientStatus: "client status" {
        /// It runs in the background. Nothing later is recorded.
        Launched = "launched",
        /// It is completed.
        Completed = "completed",
        /// It failed, or its call did.
        Failed = "failed",
        /// It was stopped.
        Stopped = "stopped",
        /// The agent became a member of a team, which answers by messages and not by a return.
        Teammate = "teammate",
    }
}

impl RunDetails {
    /// Fills empty fields from another record of the same run.
    pub(in crate::clients) fn fill(&mut self, other: &Self) {
        fill!(self, other: model, client_version, cwd, description, called, duration, context_tokens);
        if matches!(self.status, None | Some(ClientStatus::Launched)) {
            self.status = other.status.or(self.status);
        }
    }
}

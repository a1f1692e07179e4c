//! Clients: the programs that run agents. Each has a folder with the payloads that it sends to hooks, the
//! answers that it takes, the output around its answers, and how it records runs.
//!
//! ```
//! use retval::internal::clients::{Answer, Client, Event, Moment};
//!
//! let payload = br#"{"hook_event_name": "SubagentStop", "agent_type": "planner", "last_assistant_message": "Done."}"#;
//! let event = Event::read(payload, None)?.expect("a payload that is not empty");
//! assert_eq!((event.client, event.moment), (Client::ClaudeCode, Moment::Stop));
//! let answer = Answer::Block("Return JSON.".to_owned()).reply(event.client, event.moment);
//! assert_eq!(answer.json.as_deref(), Some("{\"decision\":\"block\",\"reason\":\"Return JSON.\"}\n"));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod claude;
mod codex;
mod copilot;
mod cursor;
mod facts;
pub(crate) mod failure;
mod gemini;
mod hook;
mod opencode;
pub(crate) mod output;
mod qwen;
pub(crate) mod run;
pub mod transcript;

pub use facts::ClientFacts;
pub use failure::FailureKind;
pub use hook::{
    AgentCall, Answer, Event, HookEvent, HookLine, HookSettings, Moment, NotifiedAgent, Reply,
    RunningAgent,
};
pub use output::{Envelope, OutputKind, starts_stream};

use crate::text::names;

names! {
    /// A program that runs agents.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Client: "client" {
        /// Claude Code.
        ClaudeCode = "claude-code",
        /// Codex.
        Codex = "codex",
        /// Copilot CLI.
        Copilot = "copilot",
        /// Gemini CLI.
        Gemini = "gemini",
        /// Cursor.
        Cursor = "cursor",
        /// opencode.
        OpenCode = "opencode",
        /// Qwen Code.
        Qwen = "qwen",
    }
}

impl Client {
    /// What is known of the client.
    #[must_use]
    pub fn facts(self) -> &'static ClientFacts {
        match self {
            Self::ClaudeCode => &claude::FACTS,
            Self::Codex => &codex::FACTS,
            Self::Copilot => &copilot::FACTS,
            Self::Gemini => &gemini::FACTS,
            Self::Cursor => &cursor::FACTS,
            Self::OpenCode => &opencode::FACTS,
            Self::Qwen => &qwen::FACTS,
        }
    }

    /// The settings of each client that calls hooks.
    pub fn with_hooks() -> impl Iterator<Item = &'static HookSettings> {
        let clients = Self::ALL.into_iter();
        clients.filter_map(|client| client.facts().settings.as_ref())
    }
}

//! Clients: the programs that run agents. Each has a folder with the payloads that it sends to hooks, the
//! answers that it takes, the output around its answers, and how it records runs.

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
pub(crate) mod transcript;

pub(crate) use facts::ClientFacts;
pub(crate) use failure::FailureKind;
pub(crate) use hook::{AgentCall, Answer, Event, HookLine, HookSettings, Moment, NotifiedAgent};
pub(crate) use output::starts_stream;

use crate::text::names;

names! {
    /// A program that runs agents.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub(crate) enum Client: "client" {
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
    pub(crate) fn facts(self) -> &'static ClientFacts {
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
    pub(crate) fn with_hooks() -> impl Iterator<Item = &'static HookSettings> {
        let clients = Self::ALL.into_iter();
        clients.filter_map(|client| client.facts().settings.as_ref())
    }
}

//! Agent harnesses: the events they send to a hook, and the answers they accept.
//!
//! ```
//! use retval::harness::{Answer, Event, Harness, Moment};
//!
//! let payload = br#"{"hook_event_name": "SubagentStop", "agent_type": "planner", "last_assistant_message": "Done."}"#;
//! let event = Event::read(payload, None)?.expect("a payload that is not empty");
//! assert_eq!((event.harness, event.moment), (Harness::ClaudeCode, Moment::Stop));
//! let answer = Answer::Block("Return JSON.".to_owned()).reply(event.harness);
//! assert_eq!(answer.json.as_deref(), Some("{\"decision\":\"block\",\"reason\":\"Return JSON.\"}\n"));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod answer;
mod event;
mod pick;

pub use answer::{Answer, Reply};
pub use event::{Event, Moment};

use std::str::FromStr;

use crate::text::NameError;

/// An agent harness that calls hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harness {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Copilot CLI.
    Copilot,
    /// Gemini CLI.
    Gemini,
    /// Cursor.
    Cursor,
}

impl Harness {
    /// Every harness.
    pub const ALL: [Self; 5] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Copilot,
        Self::Gemini,
        Self::Cursor,
    ];

    /// Its name, as `--harness` takes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::Gemini => "gemini",
            Self::Cursor => "cursor",
        }
    }
}

impl FromStr for Harness {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        let mut all = Self::ALL.into_iter();
        all.find(|harness| harness.as_str() == name)
            .ok_or_else(|| NameError::new("harness", name))
    }
}

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
    /// Every harness, with its name on the command line.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("claude-code", Self::ClaudeCode),
        ("codex", Self::Codex),
        ("copilot", Self::Copilot),
        ("gemini", Self::Gemini),
        ("cursor", Self::Cursor),
    ];

    /// The harness of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, harness)| *harness)
    }
}

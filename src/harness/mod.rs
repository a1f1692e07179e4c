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
mod frame;
mod pick;
mod repair;

pub use answer::{Answer, Reply};
pub use event::{Event, Moment};

use crate::level::Level;
use crate::rule::Rule;
use crate::rules::{JSON_WRAPPED, JSON_WRAPPED_LONG, STILL_IN_PROGRESS};
use crate::text::names;

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

names! { pub Harness, "harness" {
    ClaudeCode = "claude-code",
    Codex = "codex",
    Copilot = "copilot",
    Gemini = "gemini",
    Cursor = "cursor",
} }

/// Levels that differ in a hook. A few lines around the JSON may come from the harness, so they are
/// ignored; many lines are an error. An agent that stops with work in progress was interrupted.
pub const HOOK_LEVELS: [(&Rule, Level); 3] = [
    (&JSON_WRAPPED, Level::Off),
    (&JSON_WRAPPED_LONG, Level::Error),
    (&STILL_IN_PROGRESS, Level::Error),
];

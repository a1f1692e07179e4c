//! What a hook answers, in the shape that each harness takes.

use serde_json::{Value, json};

use crate::cli::Harness;
use crate::complain;
use crate::output::Sink;
use retval::escape;

/// What is to happen.
pub(super) enum Answer {
    /// The agent goes on as it would have.
    Nothing,
    /// The agent is told something before it starts.
    Context(String),
    /// The agent is sent back, or its caller is warned, for this reason.
    Block(String),
    /// The agent goes; the user is told why that may be wrong.
    Note(String),
}

/// Characters of one text: harnesses cut at 10,000.
const LENGTH: usize = 9_000;

impl Answer {
    pub(super) fn give(self, harness: Harness) -> anyhow::Result<()> {
        match self.json(harness) {
            Some(value) => print(&(escape::json(&value.to_string()).into_owned() + "\n")),
            None => Ok(()),
        }
    }

    fn json(self, harness: Harness) -> Option<Value> {
        match (self, harness) {
            (Self::Context(text), Harness::ClaudeCode) => Some(json!({
                "hookSpecificOutput": { "hookEventName": "SubagentStart", "additionalContext": cut(text) }
            })),
            // No other harness is known to take a context.
            (Self::Nothing | Self::Context(_), _) => None,
            (Self::Block(reason), Harness::Cursor) => {
                Some(json!({ "followup_message": cut(reason) }))
            }
            (Self::Block(reason), Harness::Gemini) => {
                Some(json!({ "decision": "deny", "reason": cut(reason) }))
            }
            (Self::Block(reason), _) => Some(json!({ "decision": "block", "reason": cut(reason) })),
            (Self::Note(text), Harness::ClaudeCode | Harness::Codex | Harness::Gemini) => {
                Some(json!({ "systemMessage": cut(text) }))
            }
            // Neither has a place for it in its answer.
            (Self::Note(text), Harness::Copilot | Harness::Cursor) => {
                complain(&anyhow::Error::msg(text));
                None
            }
        }
    }
}

/// The beginning of a text.
fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LENGTH) {
        text.truncate(end);
    }
    text
}

pub(super) fn print(text: &str) -> anyhow::Result<()> {
    Sink::Stdout.write(text.as_bytes())
}

//! What a hook answers, in the shape that each harness takes.

use serde_json::{Value, json};

use crate::harness::Harness;
use crate::text::escape;

/// What is to happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The agent goes on as it would have.
    Nothing,
    /// The agent is told something before it starts.
    Context(String),
    /// The agent is sent back, or its caller is warned, for this reason.
    Block(String),
    /// The agent goes; the user is told why that may be wrong.
    Note(String),
}

/// An answer as its harness takes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// For standard output: JSON on one line, safe to print.
    pub json: Option<String>,
    /// For standard error: what the harness has no place for in its answers.
    pub aside: Option<String>,
}

/// Characters of one text: harnesses cut at 10,000.
const LENGTH: usize = 9_000;

impl Answer {
    /// The answer as this harness takes it.
    #[must_use]
    pub fn reply(self, harness: Harness) -> Reply {
        let json = match (self, harness) {
            (Self::Context(text), Harness::ClaudeCode) => json!({
                "hookSpecificOutput": { "hookEventName": "SubagentStart", "additionalContext": cut(text) }
            }),
            // No other harness is known to take a context.
            (Self::Nothing | Self::Context(_), _) => return Reply::default(),
            (Self::Block(reason), Harness::Cursor) => json!({ "followup_message": cut(reason) }),
            (Self::Block(reason), Harness::Gemini) => {
                json!({ "decision": "deny", "reason": cut(reason) })
            }
            (Self::Block(reason), _) => json!({ "decision": "block", "reason": cut(reason) }),
            (Self::Note(text), Harness::ClaudeCode | Harness::Codex | Harness::Gemini) => {
                json!({ "systemMessage": cut(text) })
            }
            (Self::Note(text), Harness::Copilot | Harness::Cursor) => {
                return Reply {
                    json: None,
                    aside: Some(text),
                };
            }
        };
        Reply {
            json: Some(line(&json)),
            aside: None,
        }
    }
}

fn line(value: &Value) -> String {
    escape::json(&value.to_string()).into_owned() + "\n"
}

/// The beginning of a text.
fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LENGTH) {
        text.truncate(end);
    }
    text
}

//! The answers of a hook, in the format of each harness.

use serde_json::{Value, json};

use crate::harness::{Harness, Moment};
use crate::text::escape;

/// The decision of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// Lets the agent continue.
    Nothing,
    /// Gives the agent this context before it starts.
    Context(String),
    /// Starts the agent with another prompt.
    Prompt {
        /// The name of the agent.
        agent: String,
        /// The whole new prompt.
        prompt: String,
    },
    /// Tells the agent's caller something in addition to the result or the notification.
    Tell {
        /// The event that is answered.
        moment: Moment,
        /// What the caller is told.
        text: String,
    },
    /// Gives the agent's caller this in place of the return.
    Replace(String),
    /// Sends the agent back, or warns its caller, for this reason.
    Block(String),
    /// Lets the agent end, and shows this note to the user.
    Note(String),
}

/// An answer in the format of a harness.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// For standard output: JSON on one line, safe to print.
    pub json: Option<String>,
    /// For standard error: a note, if the format of the harness has no member for it.
    pub aside: Option<String>,
}

/// The most characters of a text; harnesses truncate at 10,000.
const LENGTH: usize = 9_000;

impl Answer {
    /// The answer in the format of this harness.
    #[must_use]
    pub fn reply(self, harness: Harness) -> Reply {
        let json = match (self, harness) {
            (Self::Context(text), Harness::ClaudeCode | Harness::Codex) => {
                context("SubagentStart", text)
            }
            (Self::Context(text), Harness::Copilot) => json!({ "additionalContext": cut(text) }),
            // All arguments of the call, because they replace those that the model wrote.
            (Self::Prompt { agent, prompt }, Harness::Gemini) => json!({
                "hookSpecificOutput": {
                    "hookEventName": "BeforeTool",
                    "tool_input": { "agent_name": agent, "prompt": prompt }
                }
            }),
            (Self::Tell { moment, text }, Harness::ClaudeCode) => {
                let event = match moment {
                    Moment::Notification => "UserPromptSubmit",
                    _ => "PostToolUse",
                };
                context(event, text)
            }
            (Self::Tell { text, .. }, Harness::Gemini) => context("AfterTool", text),
            (Self::Replace(text), Harness::Copilot) => json!({ "modifiedResponse": text }),
            // The other harnesses have no member for these.
            (
                Self::Nothing
                | Self::Context(_)
                | Self::Prompt { .. }
                | Self::Tell { .. }
                | Self::Replace(_),
                _,
            ) => return Reply::default(),
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

fn context(event: &str, text: String) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": cut(text) } })
}

fn line(value: &Value) -> String {
    escape::json(&value.to_string()).into_owned() + "\n"
}

/// Truncates a text.
fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LENGTH) {
        text.truncate(end);
    }
    text
}

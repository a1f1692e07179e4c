//! Hooks: the events that clients call them with, and the answers that clients take.

mod event;
mod settings;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::clients::Client;
use crate::text::{escape, names};

pub(crate) use event::{Event, NotifiedAgent, RunningAgent};
pub(super) use event::{HookFormat, Payload};
pub(crate) use settings::{HookSettings, WantedHook};
pub(super) use settings::{TIMEOUT, item, quoted};

names! {
    /// When a hook is called.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Moment: "moment" {
        /// Before an agent's first turn.
        Start = "start",
        /// After the conversation of an agent was shortened, and what it was told at its start is gone.
        Compaction = "compaction",
        /// Before an agent calls a tool, which may be how it hands in its return; it can be asked again.
        Call = "call",
        Stop = "stop",
        /// Before a task of a team is completed, which can be refused.
        Task = "task",
        /// After an agent has ended, with the result for its caller.
        Result = "result",
        /// After the caller has asked for the result of an agent that has ended in the background.
        Fetched = "fetched",
        /// Before the caller reads that an agent has ended in the background.
        Notification = "notification",
        /// After a caller has waited for agents that it started.
        Waited = "waited",
        /// Before the main agent ends; it can be made to go on.
        MainStop = "main-stop",
        /// After an agent has ended by an error, without a return.
        Failure = "failure",
        Foreign = "other",
    }
}

impl Moment {
    /// Whether the payload has no member that names an agent, although it is about one or several.
    pub(crate) const fn names_no_agent(self) -> bool {
        matches!(
            self,
            Self::Notification | Self::Fetched | Self::Waited | Self::MainStop
        )
    }
}

/// The decision of a hook.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum Answer {
    Nothing,
    /// Gives the agent this context before it starts, or goes on.
    Context(String),
    /// Starts the agent with another prompt.
    Prompt {
        agent: String,
        prompt: String,
    },
    /// Tells the agent's caller something in addition to the result or the notification.
    Tell(String),
    /// Gives the agent's caller this in place of the return.
    Replace(String),
    /// Sends the agent back, or warns its caller, for this reason.
    Block(String),
    /// Lets the agent end, and shows this note to the user.
    Note(String),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reply {
    /// For standard output: JSON on one line, safe to print.
    pub json: Option<String>,
    /// For standard error: a note, if the format of the client has no member for it.
    pub aside: Option<String>,
}

/// The most characters of a text; clients truncate at 10,000.
const LENGTH: usize = 9_000;

impl Answer {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Nothing => "",
            Self::Prompt { prompt: text, .. }
            | Self::Context(text)
            | Self::Tell(text)
            | Self::Replace(text)
            | Self::Block(text)
            | Self::Note(text) => text,
        }
    }

    pub(crate) fn reply(self, client: Client, moment: Moment) -> Reply {
        let format = client.facts().hook.as_ref();
        format.map_or_else(Reply::default, |format| (format.answer)(self, moment))
    }
}

impl Reply {
    pub(crate) fn of(json: &Value) -> Self {
        let json = Some(escape::json(&json.to_string()).into_owned() + "\n");
        Self { json, aside: None }
    }

    pub(crate) fn aside(text: String) -> Self {
        Self {
            json: None,
            aside: Some(text),
        }
    }

    pub(crate) fn context(event: &str, text: String) -> Self {
        Self::of(
            &json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": cut(text) } }),
        )
    }

    pub(crate) fn block(decision: &str, reason: String) -> Self {
        Self::of(&json!({ "decision": decision, "reason": cut(reason) }))
    }

    /// Refuses a call of the agent, in the form that several clients have.
    pub(crate) fn deny(reason: String) -> Self {
        Self::of(&json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": cut(reason)
        } }))
    }

    pub(crate) fn note(text: String) -> Self {
        Self::of(&json!({ "systemMessage": cut(text) }))
    }
}

/// The form that several clients have.
pub(crate) fn usual(answer: Answer, moment: Moment) -> Reply {
    match answer {
        Answer::Context(text) => Reply::context("SubagentStart", text),
        Answer::Tell(text) => Reply::context("PostToolUse", text),
        Answer::Block(reason) if moment == Moment::Call => Reply::deny(reason),
        Answer::Block(reason) => Reply::block("block", reason),
        Answer::Note(text) => Reply::note(text),
        Answer::Nothing | Answer::Prompt { .. } | Answer::Replace(_) => Reply::default(),
    }
}

pub(crate) fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LENGTH) {
        text.truncate(end);
    }
    text
}

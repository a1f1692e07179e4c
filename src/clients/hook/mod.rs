//! Hooks: the events that clients call them with, the answers that clients take, and the settings that make a
//! client call them.

mod event;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::clients::Client;
use crate::text::{escape, names};

pub(crate) use event::{Ended, Event, NotifiedAgent, RunningTask};
pub(super) use event::{HookFormat, Payload};

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
        /// After an agent has ended, with the result for its caller.
        Result = "result",
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
        matches!(self, Self::Notification | Self::Waited | Self::MainStop)
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

/// What a client reads on standard output: JSON on one line, safe to print, or nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reply(pub(crate) String);

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
        Self(escape::json(&json.to_string()).into_owned() + "\n")
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

/// The settings that make a client call a hook.
#[derive(Debug)]
pub(crate) struct HookSettings {
    pub client: Client,
    /// The folder of a user's settings, in the home folder.
    pub folder: &'static str,
    pub project_folder: &'static str,
    /// Folders and files of a project that show that the client is used in it.
    pub marks: &'static [&'static str],
    /// The variable that names another folder for the settings of a user.
    pub folder_variable: Option<&'static str>,
    /// The variable that names another home folder.
    pub home_variable: Option<&'static str>,
    pub file: &'static str,
    /// Whether the file must say which version of the format it is.
    pub is_versioned: bool,
    pub takes_comments: bool,
    pub events: &'static [HookEvent],
    /// The event before a call of an agent, also for tools that a person names, and whether tools can be named in it.
    pub call: Option<(&'static str, bool)>,
    /// One item of an event's list, as JSON in one line.
    pub item: fn(Option<&str>, &WantedHook) -> String,
    /// The whole file, if it holds nothing but the hook. `item` is then its line with the command.
    pub whole: Option<fn(&WantedHook) -> String>,
    /// What follows the command. It keeps a client from taking a missing program for a refusal.
    pub command_end: &'static str,
    /// What the user has to do so that the client runs the hook.
    pub trust: Option<&'static str>,
    /// Another client that runs the hooks of both files in a project, or whose file this one also reads.
    pub read_with: Option<Client>,
    /// The programs that run the hooks of this file of a project and those of Claude Code's, and a verb.
    pub run_with_claude: Option<&'static str>,
    /// The payload of an agent, to try a hook.
    pub example: &'static str,
}

impl HookSettings {
    /// Settings in this file of this folder, with what most clients have.
    pub(crate) const fn new(
        client: Client,
        folder: &'static str,
        file: &'static str,
        example: &'static str,
    ) -> Self {
        Self {
            client,
            folder,
            project_folder: folder,
            marks: &[],
            folder_variable: None,
            home_variable: None,
            file,
            is_versioned: false,
            takes_comments: false,
            events: &[],
            call: None,
            item: |tools, line| item(tools, line, TIMEOUT),
            whole: None,
            command_end: "",
            trust: None,
            read_with: None,
            run_with_claude: None,
            example,
        }
    }

    /// All events, also before calls of the tools with these names, which are globs.
    #[must_use]
    pub(crate) fn events_with(&self, tools: &[String]) -> Vec<(&'static str, Option<String>)> {
        let own = |(event, matcher): &HookEvent| (*event, matcher.map(str::to_owned));
        let mut events: Vec<_> = self.events.iter().map(own).collect();
        let Some((event, can_be_named)) = self.call.filter(|_| !tools.is_empty()) else {
            return events;
        };
        let names: Vec<_> = tools.iter().map(|glob| expression(glob)).collect();
        let names = names.join("|");
        match events.iter_mut().find(|(other, _)| *other == event) {
            Some((_, Some(matcher))) => *matcher = format!("{matcher}|{names}"),
            Some(_) => {}
            None => events.push((event, can_be_named.then_some(names))),
        }
        events
    }
}

/// A regular expression for a glob. It may also match more: the hook looks at the name itself.
fn expression(glob: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || "*?_-".contains(it);
    if glob.chars().all(is_plain) {
        glob.replace('?', ".").replace('*', ".*")
    } else {
        ".*".to_owned()
    }
}

/// An event, with the tools that it is limited to.
pub(crate) type HookEvent = (&'static str, Option<&'static str>);

/// What a settings file should have: the command with its options, for each kind of shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WantedHook {
    pub shell: String,
    pub powershell: String,
    /// The names of tools by which agents hand in their return, as globs.
    pub tools: Vec<String>,
}

/// Seconds until a client stops waiting for the hook.
pub(crate) const TIMEOUT: u64 = 10;

/// An item with a list of handlers. The command is one line for a shell, with its arguments: a client
/// that does not know a separate list `args` would ignore it and run `retval` without arguments.
pub(crate) fn item(tools: Option<&str>, line: &WantedHook, timeout: u64) -> String {
    let matcher = tools.map(|tools| format!(r#""matcher": {}, "#, quoted(tools)));
    let matcher = matcher.unwrap_or_default();
    let shell = quoted(&line.shell);
    format!(
        r#"{{ {matcher}"hooks": [{{ "type": "command", "command": {shell}, "timeout": {timeout} }}] }}"#
    )
}

pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

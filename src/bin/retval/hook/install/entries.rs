//! The entries of the hook in each client's settings.
//!
//! The command is one line for a shell, with its arguments: a client that does not know a separate list
//! `args` would ignore it and run `retval` without arguments.

use retval::harness::Harness;

use super::command_line::WantedHook;
use super::layout::{FileLayout, NewValue};

/// Seconds until a client stops waiting for the hook.
const TIMEOUT: u64 = 10;

/// Tools that start a subagent in Claude Code.
const AGENT_TOOLS: Option<&str> = Some("Agent|Task");

/// Tools that give the caller a subagent's result. The last one is for agents in the background, in
/// versions that do not deliver the result by themselves.
const RESULT_TOOLS: Option<&str> = Some("Agent|Task|TaskOutput");

/// The tool that starts a subagent in Gemini CLI.
const INVOKE_AGENT: Option<&str> = Some("invoke_agent");

/// The event of an agent that ended with an error, also in the background.
pub(super) const STOP_FAILURE: &str = "StopFailure";

/// The events of a client, each with the tools that it is limited to.
///
/// Claude Code: the first two answer the agent, the next two its caller; the last records an agent that
/// ended with an error. The newer ones are only for versions that know them: a version ignores all
/// settings if they name an event that it does not know.
pub(super) fn events(
    client: Harness,
    is_newer: bool,
) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let newer: &[_] = match client {
        Harness::ClaudeCode if is_newer => &[(STOP_FAILURE, None)],
        _ => &[],
    };
    let events: &[_] = match client {
        Harness::ClaudeCode => &[
            ("SubagentStart", None),
            ("SubagentStop", None),
            ("PostToolUse", RESULT_TOOLS),
            ("UserPromptSubmit", None),
            ("PostToolUseFailure", AGENT_TOOLS),
        ],
        Harness::Codex => &[("SubagentStart", None), ("SubagentStop", None)],
        Harness::Copilot => &[("subagentStart", None), ("subagentStop", None)],
        Harness::Gemini => &[("BeforeTool", INVOKE_AGENT), ("AfterTool", INVOKE_AGENT)],
        Harness::Cursor => &[("subagentStop", None)],
    };
    events.iter().chain(newer).copied()
}

/// Whether the file must say which version of the format it is.
pub(super) fn is_versioned(client: Harness) -> bool {
    matches!(client, Harness::Copilot | Harness::Cursor)
}

/// Whether the client reads its settings with comments.
pub(super) fn takes_comments(client: Harness) -> bool {
    matches!(client, Harness::Gemini)
}

/// One item of an event's list.
pub(super) fn element(client: Harness, matcher: Option<&str>, line: &WantedHook) -> NewValue {
    let text = |text: &str| NewValue::Text(text.to_owned());
    let command = ("command", text(&line.shell));
    let typed = ("type", text("command"));
    let handler = match client {
        Harness::Copilot => {
            return NewValue::Map(vec![
                typed,
                ("bash", text(&line.shell)),
                ("powershell", text(&line.powershell)),
                ("timeoutSec", NewValue::Number(TIMEOUT)),
            ]);
        }
        Harness::Cursor => {
            return NewValue::Map(vec![command, ("loop_limit", NewValue::Number(5))]);
        }
        // In milliseconds.
        Harness::Gemini => vec![
            typed,
            command,
            ("timeout", NewValue::Number(TIMEOUT * 1000)),
        ],
        Harness::ClaudeCode | Harness::Codex => {
            vec![typed, command, ("timeout", NewValue::Number(TIMEOUT))]
        }
    };
    let hooks = ("hooks", NewValue::List(vec![NewValue::Map(handler)]));
    let matcher = matcher.map(|matcher| ("matcher", text(matcher)));
    NewValue::Map(matcher.into_iter().chain([hooks]).collect())
}

/// The value of `hooks`.
pub(super) fn hooks(client: Harness, line: &WantedHook) -> NewValue {
    let members = events(client, line.is_newer()).map(|(event, matcher)| {
        let list = NewValue::List(vec![element(client, matcher, line)]);
        (event, list)
    });
    NewValue::Map(members.collect())
}

/// How many levels of `hooks` have a line for each item.
pub(super) const LEVELS: usize = 2;

/// A file that has only the hook.
pub(super) fn whole_file(client: Harness, line: &WantedHook) -> String {
    let version = is_versioned(client).then_some(("version", NewValue::Number(1)));
    let hooks = ("hooks", hooks(client, line));
    let root = NewValue::Map(version.into_iter().chain([hooks]).collect());
    FileLayout::usual().render(&root, "", LEVELS + 1) + "\n"
}

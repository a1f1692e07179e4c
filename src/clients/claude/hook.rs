//! How Claude Code calls a hook.

use serde_json::json;

use super::START;
use super::details::{self, MESSAGE};
use crate::clients::Client;
use crate::clients::hook::{Answer, HookFormat, HookSettings, Moment, Payload, Reply, cut};

const TOOL_STATUS: &str = "/tool_response/status";
const SOURCE: &str = "/source";
const FETCHED_TYPE: &str = "/tool_response/task/task_type";
const FETCHED_STATUS: &str = "/tool_response/task/status";
const PROMPT: &str = "/prompt";
const TRANSCRIPT: &str = "/transcript_path";

pub(super) const FORMAT: HookFormat = HookFormat {
    members: &[TOOL_STATUS, SOURCE, FETCHED_TYPE, FETCHED_STATUS, PROMPT],
    // Its payloads have no mark of their own.
    is_own: |_| false,
    moment,
    details: details::add,
    unframed,
    answer,
};

/// The beginning of a session after a compaction, also of an agent's own.
const COMPACTION: Option<&str> = Some("compact");

/// Tools by which an agent hands in its return.
const HAND_IN_TOOLS: Option<&str> = Some("SubagentHandback|StructuredOutput");

const AGENT_TOOLS: Option<&str> = Some("Agent|Task");

/// Tools that give the caller a subagent's result. The last one is for agents in the background, in
/// versions that do not deliver the result by themselves.
const RESULT_TOOLS: Option<&str> = Some("Agent|Task|TaskOutput");

pub(super) const SETTINGS: HookSettings = HookSettings {
    marks: &[".claude", "CLAUDE.md"],
    folder_variable: Some("CLAUDE_CONFIG_DIR"),
    local_file: Some("settings.local.json"),
    // The first four answer the agent, the next two its caller. Then come the end of the main agent, an
    // agent that ended with an error, also in the background, and a task that a teammate completes.
    events: &[
        ("SubagentStart", None),
        ("SessionStart", COMPACTION),
        ("PreToolUse", HAND_IN_TOOLS),
        ("SubagentStop", None),
        ("PostToolUse", RESULT_TOOLS),
        ("UserPromptSubmit", None),
        ("PostToolUseFailure", AGENT_TOOLS),
        ("Stop", None),
        ("StopFailure", None),
        ("TaskCompleted", None),
    ],
    call: Some(("PreToolUse", true)),
    // It says nothing of a file that it ignores.
    trust: Some(
        "update Claude Code if it is older than 2.1.78, which ignores a file with StopFailure or TaskCompleted",
    ),
    read_with: Some(Client::Copilot),
    ..HookSettings::new(
        Client::ClaudeCode,
        ".claude",
        "settings.json",
        include_str!("../../../fixtures/hooks/claude-code-start.json"),
    )
};

fn moment(payload: &Payload) -> Moment {
    match (payload.name(), payload.tool()) {
        _ if is_of_droid(payload) => Moment::Foreign,
        ("StopFailure", _) | ("PostToolUseFailure", "Agent" | "Task") => Moment::Failure,
        ("PostToolUse", "Agent" | "Task") if !payload.differs(&[TOOL_STATUS], "completed") => {
            Moment::Result
        }
        ("PostToolUse", "TaskOutput") if is_fetched(payload) => Moment::Fetched,
        ("TaskCompleted", _) => Moment::Task,
        ("Stop", _) => Moment::MainStop,
        ("UserPromptSubmit", _) if is_notification(payload) => Moment::Notification,
        ("SessionStart", _) if payload.text(&[SOURCE]) == Some("compact") => Moment::Compaction,
        _ => payload.usual_moment(),
    }
}

/// Whether it comes from Factory droid, whose events have the same names. A result there may only say
/// that the agent was started.
fn is_of_droid(payload: &Payload) -> bool {
    let transcript = payload.text(&[TRANSCRIPT]).unwrap_or_default();
    transcript
        .split(['/', '\\'])
        .any(|folder| folder == ".factory")
}

/// Whether the payload has the result of an agent that the caller asked for, and not of a command.
fn is_fetched(payload: &Payload) -> bool {
    payload.text(&[FETCHED_TYPE]) == Some("local_agent")
        && payload.text(&[FETCHED_STATUS]) == Some("completed")
}

fn is_notification(payload: &Payload) -> bool {
    let prompt = payload.text(&[PROMPT]).unwrap_or_default().trim_start();
    prompt.starts_with(START) || prompt.starts_with(MESSAGE)
}

/// The beginning of the note before a result that the client has changed.
const NOTE: &str = "[harness: ";

/// Removes the notes of the client, and its changes: it writes `<\` for `<` in tags that look like its
/// own, and says so in a note.
fn unframed(text: &str) -> String {
    let mut rest = text;
    while let Some(note) = rest.strip_prefix(NOTE) {
        let Some((_, after)) = note.split_once("]\n") else {
            break;
        };
        rest = after;
    }
    if rest.len() == text.len() {
        return text.to_owned();
    }
    let mut parts = rest.split("<\\");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_tag = part.starts_with(|first: char| first == '/' || first.is_ascii_alphabetic());
        text += if is_tag { "<" } else { "<\\" };
        text += part;
    }
    text
}

/// What is for a model is also shown to the person where the client shows notes of hooks.
fn answer(answer: Answer, moment: Moment) -> Reply {
    match answer {
        Answer::Context(text) if moment == Moment::Compaction => {
            Reply::context("SessionStart", text)
        }
        Answer::Context(text) => Reply::context("SubagentStart", text),
        Answer::Tell(text) => {
            let event = match moment {
                Moment::Notification => "UserPromptSubmit",
                _ => "PostToolUse",
            };
            Reply::of(&json!({
                "systemMessage": shown(&text),
                "hookSpecificOutput": { "hookEventName": event, "additionalContext": cut(text) }
            }))
        }
        Answer::Block(reason) if moment == Moment::Call => Reply::deny(reason),
        Answer::Block(reason) if moment != Moment::Stop => Reply::of(&json!({
            "systemMessage": shown(&reason), "decision": "block", "reason": cut(reason)
        })),
        Answer::Block(reason) => Reply::block("block", reason),
        Answer::Note(text) => Reply::note(text),
        Answer::Nothing | Answer::Prompt { .. } | Answer::Replace(_) => Reply::default(),
    }
}

/// What a person sees of a text for a model.
fn shown(text: &str) -> String {
    let text = text.trim_end();
    let own = if text.starts_with("retval") {
        ""
    } else {
        "retval: "
    };
    cut(format!("{own}{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_of_the_client_are_taken_off() {
        let note =
            "[harness: subagent output matched instruction-shaped pattern(s): x. (`<` → `<\\`)]\n";
        for (text, own) in [
            (&*format!("{note}<\\b>x<\\/b> <\\\""), "<b>x</b> <\\\""),
            ("<\\b>", "<\\b>"),
            ("[harness: no end", "[harness: no end"),
        ] {
            assert_eq!(unframed(text), own, "{text}");
        }
    }
}

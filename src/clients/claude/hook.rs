//! How Claude Code calls a hook, and what only its payloads tell: what an agent handed in, what a
//! notification says of agents, and which agents still run.

use serde_json::json;

use super::{START, element};
use crate::clients::Client;
use crate::clients::hook::{
    Answer, Ended, Event, HookFormat, HookSettings, Moment, NotifiedAgent, Payload, Reply,
    RunningTask, cut, usual,
};
use crate::clients::raw::items_of;
use crate::clients::run::JsonNode;

const TOOL_STATUS: &str = "/tool_response/status";
const HANDBACK: &str = "/tool_response/inlineHandback";

pub(super) const FORMAT: HookFormat = HookFormat {
    // Its payloads have no mark of their own.
    is_own: |_| false,
    moment,
    details,
    unframed,
    answer,
};

pub(super) const SETTINGS: HookSettings = HookSettings {
    marks: &[".claude", "CLAUDE.md"],
    folder_variable: Some("CLAUDE_CONFIG_DIR"),
    // For the agent, its caller, the main agent, and agents that end with an error.
    events: &[
        ("SubagentStart", None),
        // Also after a compaction of an agent's own conversation.
        ("SessionStart", Some("compact")),
        // The tool by which an agent hands in its return.
        ("PreToolUse", Some("SubagentHandback")),
        ("SubagentStop", None),
        ("PostToolUse", Some("Agent|Task|Skill|SendMessage")),
        ("UserPromptSubmit", None),
        ("PostToolUseFailure", Some("Agent|Task")),
        ("Stop", None),
        ("StopFailure", None),
    ],
    call: Some(("PreToolUse", true)),
    // It says nothing of a file that it ignores.
    trust: Some(
        "update Claude Code if it is older than 2.1.78, which ignores a file with StopFailure",
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
        ("PostToolUse", "Agent" | "Task") if !payload.differs(TOOL_STATUS, "completed") => {
            Moment::Result
        }
        // A skill that an agent runs, and an agent that was resumed and not in the background.
        ("PostToolUse", "Skill") if payload.is(TOOL_STATUS, "forked") => Moment::Result,
        ("PostToolUse", "SendMessage") if payload.has_any(&[HANDBACK]) => Moment::Result,
        ("Stop", _) => Moment::MainStop,
        ("UserPromptSubmit", _) if is_notification(payload) => Moment::Notification,
        ("SessionStart", _) if payload.is("/source", "compact") => Moment::Compaction,
        _ => payload.usual_moment(),
    }
}

/// Whether it comes from Factory droid, whose result of the same name may only say that the agent was started.
fn is_of_droid(payload: &Payload) -> bool {
    let transcript = payload.text(&["/transcript_path"]).unwrap_or_default();
    let mut folders = transcript.split(['/', '\\']);
    folders.any(|folder| folder == ".factory")
}

fn is_notification(payload: &Payload) -> bool {
    let prompt = payload.text(&["/prompt"]).unwrap_or_default();
    let prompt = prompt.trim_start();
    prompt.starts_with(START) || prompt.starts_with(MESSAGE)
}

/// What the caller gets of an agent that did not hand in its report, in the mode in which it must.
const WITHHELD: &str = "The subagent ended without delivering a report through SubagentHandback";

/// Whether agents have to hand in their report, in a mode of the client, unless a variable turns that off.
fn is_auto(payload: &Payload) -> bool {
    payload.is("/permission_mode", "auto")
}

const MESSAGE: &str = "<agent-message from=\"";

/// What the client says of an agent that it ended after so many turns.
const AT_LIMIT: [&str; 2] = [" stopped at its ", "-turn limit"];

fn details(payload: &Payload, event: &mut Event) {
    match event.moment {
        Moment::Result => {
            let response = payload.at(HANDBACK).or(payload.at("/tool_response"));
            if let Some(response) = response.and_then(JsonNode::whole) {
                add_result(&response, event);
            }
        }
        Moment::Notification => {
            let prompt = payload.text(&["/prompt"]).unwrap_or_default();
            event.is_handed_in = prompt.trim_start().starts_with(MESSAGE);
            event.notified = notified(&prompt, is_auto(payload));
        }
        Moment::Stop | Moment::MainStop => {
            let tasks = payload.at("/background_tasks").into_iter().flat_map(items_of);
            for task in tasks.filter_map(JsonNode::whole) {
                let kind = task.word("type");
                if task.word("status") != "running"
                    || !matches!(kind, "workflow" | "subagent" | "shell")
                {
                    continue;
                }
                let mut words = ["description", "command"].map(|it| task.word(it)).into_iter();
                let about = words.find(|it| !it.is_empty()).unwrap_or_default();
                event.running.push(RunningTask {
                    id: task.word("id").to_owned(),
                    about: about.to_owned(),
                    is_command: kind == "shell",
                });
            }
            let is_by_call = event.moment == Moment::Stop && is_auto(payload);
            event.handover = is_by_call.then(|| "SubagentHandback".to_owned());
        }
        _ => {}
    }
}

/// What the agent handed in is its message. If all blocks are the client's own, it has none.
fn add_result(response: &JsonNode, event: &mut Event) {
    if let Some(report) = response.object("handbackReport") {
        event.is_handed_in = true;
        event.message = Some(report.word("text").to_owned());
        return;
    }
    let count = |name| usize::try_from(response.sum([name])).unwrap_or(usize::MAX);
    let (notes, tail) = (count("harnessNoteCount"), count("harnessTailCount"));
    let blocks = response.at("content").list();
    let texts = blocks.iter().map(|it| it.word("text"));
    let own = || texts.clone().skip(notes).collect();
    // That of a skill.
    let message = response.get("result").map_or_else(own, str::to_owned);
    event.message = event.message.take().or(Some(unframed(&message)));
    event.ended = match response.word("handback") {
        _ if texts.take(notes).any(is_at_limit) => Ended::AtTurnLimit,
        "withheld" => Ended::Withheld,
        _ => Ended::Unknown,
    };
    if notes > 0 && blocks.len() <= notes.saturating_add(tail) {
        event.message = None;
    }
}

fn is_at_limit(text: &str) -> bool {
    let after = text.split_once(AT_LIMIT[0]).map(|(_, after)| after);
    after.is_some_and(|after| after.contains(AT_LIMIT[1]))
}

fn notified(prompt: &str, is_auto: bool) -> Vec<NotifiedAgent> {
    let ended = prompt.split(START).skip(1).filter_map(|text| ended(text, is_auto));
    // Lines of a report are indented, so an agent cannot write the line that begins a message.
    let starts = prompt.lines().filter_map(|line| line.strip_prefix(MESSAGE)?.split_once('"'));
    ended.chain(starts.map(|(id, _)| NotifiedAgent::from(id.to_owned()))).collect()
}

fn ended(notification: &str, is_auto: bool) -> Option<NotifiedAgent> {
    // The result comes last, and the client writes `<` in it as an entity.
    let (head, result) = notification.split_once("<result>").unwrap_or((notification, ""));
    Some(NotifiedAgent {
        ended: match element(head, "status").unwrap_or_default() {
            _ if is_auto && result.contains(WITHHELD) => Ended::Withheld,
            _ if is_at_limit(element(head, "summary").unwrap_or_default()) => Ended::AtTurnLimit,
            "failed" => Ended::Failed,
            "killed" | "stopped" => Ended::Stopped,
            _ => Ended::Unknown,
        },
        ..NotifiedAgent::from(element(head, "task-id")?.to_owned())
    })
}

/// The beginning of the note before a result that the client has changed.
const NOTE: &str = "[harness: ";

/// Removes the notes of the client, and its changes: `<\` for `<` in tags that look like its own.
fn unframed(text: &str) -> String {
    let mut rest = text;
    while let Some((_, after)) = rest.strip_prefix(NOTE).and_then(|it| it.split_once("]\n")) {
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
        Answer::Block(reason) if !matches!(moment, Moment::Call | Moment::Stop) => {
            Reply::of(&json!({
                "systemMessage": shown(&reason), "decision": "block", "reason": cut(reason)
            }))
        }
        other => usual(other, moment),
    }
}

fn shown(text: &str) -> String {
    let own = text.strip_prefix("retval").map_or("retval: ", |_| "");
    cut(format!("{own}{}", text.trim_end()))
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

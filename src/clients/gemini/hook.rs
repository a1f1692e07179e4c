//! How Gemini CLI calls a hook.

use serde_json::json;

use crate::clients::Client;
use crate::clients::hook::{
    Answer, HookFormat, HookSettings, Moment, Payload, Reply, TIMEOUT, item,
};

const TERMINATED: &str = "/tool_response/returnDisplay/terminateReason";
/// The ids of the agent's last activities, the last of which is its answer.
const ACTIVITY: &str = "/tool_response/returnDisplay/recentActivity/-/id";

pub(super) const FORMAT: HookFormat = HookFormat {
    members: &[TERMINATED, ACTIVITY],
    is_own: |payload| matches!(payload.name(), "AfterTool" | "BeforeTool" | "AfterAgent"),
    moment,
    details: |payload, event| {
        let caller = payload.text(&[ACTIVITY]).and_then(caller_of);
        event.recorded_id = caller.map(str::to_owned);
    },
    unframed: |text| without_head(text).to_owned(),
    answer,
};

const INVOKE_AGENT: Option<&str> = Some("invoke_agent");

/// That tool, and the one by which an agent ends.
const BEFORE: Option<&str> = Some("invoke_agent|complete_task");

pub(super) const SETTINGS: HookSettings = HookSettings {
    marks: &[".gemini", "GEMINI.md"],
    home_variable: Some("GEMINI_CLI_HOME"),
    takes_comments: true,
    events: &[("BeforeTool", BEFORE), ("AfterTool", INVOKE_AGENT)],
    // In milliseconds.
    call: Some(("BeforeTool", true)),
    item: |tools, line| item(tools, line, TIMEOUT * 1000),
    // The client denies a tool if a hook ends with any code but 0 and 1, and a shell that does not find the
    // program ends with 127. On Windows the client takes PowerShell, which has no `||` before version 7,
    // and ends with 1 where it does not find the program.
    command_end: if cfg!(windows) { "" } else { " || exit 1" },
    trust: Some(
        "trust this folder when Gemini CLI asks; until then it skips the hooks of a project",
    ),
    ..HookSettings::new(
        Client::Gemini,
        ".gemini",
        "settings.json",
        include_str!("../../../fixtures/captured/gemini-start.json"),
    )
};

fn moment(payload: &Payload) -> Moment {
    match (payload.name(), payload.tool()) {
        ("BeforeTool", "invoke_agent") => Moment::Start,
        ("BeforeTool", _) => Moment::Call,
        ("AfterTool", "invoke_agent") if payload.differs(&[TERMINATED], "GOAL") => Moment::Failure,
        ("AfterTool", "invoke_agent") => Moment::Result,
        _ => payload.usual_moment(),
    }
}

/// The id of the agent that made calls, from the concatenated ids of its activities. The id of a call is
/// the id of the agent, `#`, and the numbers of the turn and of the call. Other activities may have
/// other ids. None if the agents of the calls differ.
fn caller_of(ids: &str) -> Option<&str> {
    const LENGTH: usize = 36;
    let (before, _) = ids.rsplit_once('#')?;
    let mut callers = before.split('#').map(|before| {
        let start = before.len().checked_sub(LENGTH)?;
        before.get(start..).filter(|id| is_uuid(id))
    });
    let last = callers.next_back()??;
    callers.all(|other| other == Some(last)).then_some(last)
}

fn is_uuid(text: &str) -> bool {
    let is_part = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.split('-').map(str::len).eq([8, 4, 4, 4, 12]) && text.split('-').all(is_part)
}

/// Removes the first lines, which say how the agent ended.
fn without_head(text: &str) -> &str {
    let head = text.strip_prefix("Subagent '");
    let result = head.and_then(|rest| rest.split_once("\nResult:\n"));
    result.map_or(text, |(_, result)| result)
}

fn answer(answer: Answer, _: Moment) -> Reply {
    match answer {
        // All arguments of the call, because they replace those that the model wrote.
        Answer::Prompt { agent, prompt } => Reply::of(&json!({
            "hookSpecificOutput": {
                "hookEventName": "BeforeTool",
                "tool_input": { "agent_name": agent, "prompt": prompt }
            }
        })),
        Answer::Tell(text) => Reply::context("AfterTool", text),
        Answer::Block(reason) => Reply::block("deny", reason),
        Answer::Note(text) => Reply::note(text),
        Answer::Nothing | Answer::Context(_) | Answer::Replace(_) => Reply::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_of_the_client_are_taken_off() {
        for (text, own) in [
            (
                "Subagent 'a' finished.\nTermination Reason: GOAL\nResult:\n{}",
                "{}",
            ),
            ("{\"x\":\"\\nResult:\\n\"}", "{\"x\":\"\\nResult:\\n\"}"),
        ] {
            assert_eq!(without_head(text), own, "{text}");
        }
    }
}

//! What only payloads of Claude Code tell: what an agent handed in, what a notification says of agents, and
//! which agents still run.

use serde::Deserialize;

use super::{START, decoded, element};
use crate::clients::hook::{Event, Moment, NotifiedAgent, Payload, RunningAgent};

/// The beginning of a message with what an agent handed in.
pub(super) const MESSAGE: &str = "<agent-message from=\"";
/// The beginning of the line before the return in such a message.
const FRAME: &str = "[Subagent hand-back]";

/// What the client says of an agent that it ended after so many turns.
const AT_LIMIT: [&str; 2] = [" stopped at its ", "-turn limit"];

#[derive(Deserialize)]
struct ResultPayload {
    tool_response: ToolResponse,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ToolResponse {
    content: Vec<ResultBlock>,
    /// How many blocks at the beginning, and at the end, are the client's own words.
    harness_note_count: usize,
    harness_tail_count: usize,
    handback_report: Option<HandbackReport>,
}

#[derive(Deserialize)]
struct ResultBlock {
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct HandbackReport {
    text: String,
}

#[derive(Deserialize)]
struct StopPayload {
    background_tasks: Vec<BackgroundTask>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BackgroundTask {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    status: String,
    description: String,
}

pub(super) fn add(payload: &Payload, event: &mut Event) {
    match event.moment {
        Moment::Result => {
            if let Some(ResultPayload { tool_response }) = payload.whole() {
                add_result(tool_response, event);
            }
        }
        Moment::Notification => {
            let prompt = payload.text(&["/prompt"]).unwrap_or_default();
            event.is_handed_in = prompt.trim_start().starts_with(MESSAGE);
            event.notified = notified(prompt);
        }
        Moment::Stop | Moment::MainStop => {
            let tasks = payload.whole().map(|it: StopPayload| it.background_tasks);
            let mut running = tasks.unwrap_or_default();
            running.retain(|task| task.status == "running");
            event.workflow = only_workflow(&running);
            event.running = running.into_iter().filter_map(agent).collect();
        }
        _ => {}
    }
}

/// What the agent handed in is its message. If all blocks are the client's own, it has none.
fn add_result(response: ToolResponse, event: &mut Event) {
    if let Some(report) = response.handback_report {
        event.is_handed_in = true;
        event.message = Some(report.text);
        return;
    }
    let blocks = response.content;
    let notes = response.harness_note_count;
    let is_note_of_limit = |note: &ResultBlock| is_at_limit(&note.text);
    event.is_at_limit = blocks.iter().take(notes).any(is_note_of_limit);
    if notes > 0 && blocks.len() <= notes + response.harness_tail_count {
        event.message = None;
    }
}

fn is_at_limit(text: &str) -> bool {
    let after = text.split_once(AT_LIMIT[0]).map(|(_, after)| after);
    after.is_some_and(|after| after.contains(AT_LIMIT[1]))
}

fn only_workflow(running: &[BackgroundTask]) -> Option<String> {
    let mut workflows = running.iter().filter(|task| task.kind == "workflow");
    let first = workflows.next()?;
    workflows.next().is_none().then(|| first.id.clone())
}

fn agent(task: BackgroundTask) -> Option<RunningAgent> {
    (task.kind == "subagent").then_some(RunningAgent {
        id: task.id,
        about: task.description,
    })
}

fn notified(prompt: &str) -> Vec<NotifiedAgent> {
    let ended = prompt.split(START).skip(1).filter_map(ended);
    // Lines of a report are indented, so an agent cannot write the line that begins a message.
    let is_start = |line: &&str| line.starts_with(MESSAGE);
    let starts = prompt
        .lines()
        .enumerate()
        .filter(|(_, line)| is_start(line));
    let handed_in = starts.map(|(at, line)| handed_in(line, prompt.lines().skip(at + 1)));
    ended.chain(handed_in.flatten()).collect()
}

fn ended(notification: &str) -> Option<NotifiedAgent> {
    // The result comes last, and the client writes `<` in it as an entity.
    let head = notification.split("<result>").next().unwrap_or_default();
    let status = element(head, "status").unwrap_or_default();
    Some(NotifiedAgent {
        id: element(head, "task-id")?.to_owned(),
        has_failed: status == "failed",
        was_stopped: matches!(status, "killed" | "stopped"),
        is_at_limit: is_at_limit(element(head, "summary").unwrap_or_default()),
        result: element(notification, "result").map(|text| decoded(text).into_owned()),
    })
}

/// A message begins with the agent's id. The lines after the frame are the return.
fn handed_in<'t>(start: &str, lines: impl Iterator<Item = &'t str>) -> Option<NotifiedAgent> {
    let (id, _) = start.strip_prefix(MESSAGE)?.split_once('"')?;
    let report = lines.skip_while(|line| !line.starts_with(FRAME)).skip(1);
    let report: Vec<_> = report.map_while(|line| line.strip_prefix("  ")).collect();
    Some(NotifiedAgent {
        result: (!report.is_empty()).then(|| report.join("\n")),
        ..NotifiedAgent::new(id.to_owned())
    })
}

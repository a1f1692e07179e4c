//! Agents whose records are in their caller's: resumed by a second call, or ended by an error that only
//! the caller got.

use serde_json::{Value, json};

use super::{TIDES, claiming, claims};
use crate::common::{World, piped, stdout};

/// The transcript of a caller of Claude Code, which has records of the agent `a1` as its progress.
#[derive(Default)]
struct Caller {
    lines: String,
    records: usize,
}

impl Caller {
    fn new() -> Self {
        Self::default().record(json!({ "type": "user", "message": { "content": "Plan it." } }))
    }

    fn record(mut self, mut record: Value) -> Self {
        record["sessionId"] = "7d3e0c1a".into();
        record["timestamp"] = "2026-01-28T11:00:00Z".into();
        self.lines += &record.to_string();
        self.lines.push('\n');
        self.records += 1;
        self
    }

    /// A call that gives the agent a task.
    fn task(self, call: &str, more: &Value) -> Self {
        let mut input = json!({ "prompt": "Plan the tide tables.", "subagent_type": "planner" });
        if let (Some(input), Some(more)) = (input.as_object_mut(), more.as_object()) {
            input.extend(more.clone());
        }
        let block = json!({ "type": "tool_use", "id": call, "name": "Task", "input": input });
        let message = json!({ "id": call, "content": [block] });
        let task = json!({ "type": "user", "message": { "content": "Plan the tide tables." } });
        self.record(json!({ "type": "assistant", "message": message })).progress(call, &task)
    }

    fn progress(self, call: &str, message: &Value) -> Self {
        let data = json!({ "type": "agent_progress", "agentId": "a1", "message": message });
        self.record(json!({ "type": "progress", "parentToolUseID": call, "data": data }))
    }

    /// A call of the agent during this task.
    fn uses(self, call: &str, tool: &str, path: &str) -> Self {
        let id = format!("r{}", self.records);
        let input = json!({ "file_path": path });
        let used = json!({ "type": "tool_use", "id": id, "name": tool, "input": input });
        let result = json!({ "type": "tool_result", "tool_use_id": id, "content": "ok" });
        let says = |role: &str, block: Value| json!({ "type": role, "message": { "id": id, "content": [block] } });
        self.progress(call, &says("assistant", used)).progress(call, &says("user", result))
    }

    /// The result of the call that gave the task, with the number of calls and tokens that it took.
    fn ends(self, call: &str, answer: &str, calls: u64, tokens: u64) -> Self {
        let content = json!([{ "type": "text", "text": answer }]);
        let block = json!({ "type": "tool_result", "tool_use_id": call, "content": content });
        let result = json!({ "status": "completed", "agentId": "a1", "content": content,
            "totalToolUseCount": calls, "totalTokens": tokens });
        let message = json!({ "content": [block] });
        self.record(json!({ "type": "user", "message": message, "toolUseResult": result }))
    }
}

fn resumes() -> Value {
    json!({ "resume": "a1" })
}

/// An agent that read a file for its first task.
fn read_first() -> Caller {
    let caller = Caller::new().task("t1", &json!({}));
    caller.uses("t1", "Read", "docs/notes.md").ends("t1", "Read.", 1, 900)
}

/// `value: reason` of the claim of a rule, by a transcript.
fn told(world: &World, transcript: &str, options: &str, rule: &str, returned: &str) -> String {
    let options =
        format!("--root project --transcript {transcript} --agent-id a1 --format jsonl {options}");
    let output = piped(world, &options, returned);
    let claims = claims(&output);
    let claim = claims.iter().find(|(id, ..)| id == rule);
    claim.map_or_else(String::new, |(_, value, reason)| format!("{value}: {reason}"))
}

fn written(world: &World, caller: &Caller) -> String {
    world.write("session.jsonl", &caller.lines);
    let returned = claiming(TIDES);
    told(world, "session.jsonl", "", "artifact-unwritten", &returned)
}

#[test]
fn the_tasks_of_a_resumed_agent_are_one_run() {
    let world = World::new();
    let second = read_first().task("t2", &resumes());
    let wrote = second.uses("t2", "Write", TIDES).ends("t2", "Done.", 1, 900);
    assert_eq!(written(&world, &wrote), "shown: Write call 2 of 2 wrote it");
    let output = piped(
        &world,
        "--root project --transcript session.jsonl --agent-id a1 -q",
        claiming(TIDES),
    );
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()));
}

#[test]
fn the_record_of_an_agent_that_a_call_resumed_is_not_complete() {
    let world = World::new();
    let second = |caller: Caller| caller.task("t2", &resumes()).uses("t2", "Read", TIDES);
    let open = read_first().task("t2", &resumes());
    let late = second(Caller::new()).ends("t2", "Done.", 1, 900);
    let lost = second(read_first()).ends("t2", "Done.", 2, 900);
    for caller in [open, late, lost] {
        assert_eq!(
            written(&world, &caller),
            "unknown: the record is not complete: its beginning is missing"
        );
    }
    // The agent's own record ends after its first task, or after its second one.
    let task = Caller::new().task("t1", &json!({})).ends("t1", "Read.", 1, 900);
    let task = task.task("t2", &resumes()).ends("t2", "Done.", 1, 900);
    let task = task.task("t3", &resumes()).ends("t3", "Done.", 1, 900);
    world.write("session.jsonl", &task.lines);
    let own = super::Session::of_one(|it| it.call("a1", "Read", json!({})));
    let second = super::Session { lines: own.lines.clone(), ..own };
    let second = second.task("a1", "Go on.").answer("a1");
    let transcript = "session/subagents/agent-a1.jsonl";
    for lines in [own.lines, second.lines] {
        world.write(transcript, &lines);
        let rule = "artifact-unwritten";
        let value = told(&world, transcript, "", rule, &claiming(TIDES));
        let expected = "unknown: the record is not complete";
        assert!(value.starts_with(expected), "{value}");
    }
}

#[test]
fn an_answer_without_tokens_is_an_error_in_place_of_a_return() {
    let world = World::new();
    let limit = "contradicted: a limit was reached";
    let failed = "contradicted: a request to the model failed";
    for (answer, tokens, expected) in [
        ("API Error: 500 Internal server error", 0, failed),
        ("Prompt is too long", 0, failed),
        ("You've hit your limit · resets 3am", 0, limit),
        ("API Error: 500 is what I found in the log.", 900, ""),
    ] {
        let caller = Caller::new().task("t1", &json!({}));
        let caller = caller.uses("t1", "Read", TIDES).ends("t1", answer, 1, tokens);
        world.write("session.jsonl", &caller.lines);
        let value = told(&world, "session.jsonl", "", "return-missing", answer);
        assert_eq!(value, expected, "{answer}");
    }
}

//! Tests which call a result belongs to, also for calls that run at the same time.

use serde_json::{Value, json};

use crate::clients::run::CallShell;
use crate::clients::transcript::{Completeness, Gap, Run, read};

fn last_run(records: &[Value]) -> Run {
    let lines = records.iter().map(|record| record.to_string() + "\n");
    let mut transcript = read(lines.collect::<String>().as_bytes()).expect("a transcript");
    transcript.runs.pop().expect("a run")
}

/// The run of an agent of Claude Code with these blocks between its task and its answer.
fn claude(blocks: &[Value]) -> Run {
    let record = |role: &str, content: Value| {
        json!({"type": role, "agentId": "a1", "isSidechain": true, "cwd": "/p",
            "message": {"role": role, "content": content}})
    };
    let mut records = vec![record("user", "Plan it.".into())];
    records.extend(blocks.iter().map(|block| {
        let is_result = block["type"] == "tool_result";
        let role = if is_result { "user" } else { "assistant" };
        record(role, json!([block]))
    }));
    let answer = json!([{"type": "text", "text": "Done."}]);
    let mut end = record("assistant", answer);
    end["message"]["stop_reason"] = "end_turn".into();
    records.push(end);
    last_run(&records)
}

fn tool_use(id: &str, tool: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": tool, "input": input})
}

fn write(id: &str, path: &str) -> Value {
    tool_use(id, "Write", &json!({"file_path": path}))
}

fn bash(id: &str, command: &str) -> Value {
    tool_use(id, "Bash", &json!({"command": command}))
}

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "ok"})
}

#[test]
fn two_calls_with_one_id_leave_a_gap() {
    let gap = Completeness::Partial(Gap::SameId);
    let both = |first: Value, second: Value| {
        let run = claude(&[first, result("c"), second, result("c")]);
        (run.calls.len(), run.completeness)
    };
    assert_eq!(both(write("c", "/p/a"), write("c", "/p/b")), (1, gap));
    assert_eq!(both(bash("c", "make"), bash("c", "make all")), (1, gap));
    assert_eq!(both(write("c", "/p/a"), bash("c", "make")), (1, gap));
    let repeated = both(write("c", "/p/a"), write("c", "/p/a"));
    assert_eq!(repeated, (1, Completeness::Complete));
}

#[test]
fn a_call_without_an_id_has_no_result() {
    let run = claude(&[write("", "/p/a"), result(""), write("", "/p/b"), result("")]);
    let paths: Vec<_> = run.calls.iter().flat_map(|call| &call.paths).collect();
    assert_eq!(paths, ["/p/a", "/p/b"]);
    assert_eq!(run.completeness, Completeness::Partial(Gap::NoEnd));
}

#[test]
fn a_command_is_open_until_its_own_result() {
    let read = tool_use("r", "Read", &json!({"file_path": "/p/a"}));
    let between = [read, result("r"), result("r")];
    let mut blocks = vec![bash("b1", "cd sub && make")];
    blocks.extend(between);
    blocks.extend([bash("b2", "make"), result("b1"), result("b2")]);
    blocks.extend([bash("b3", "make"), result("b3")]);
    let run = claude(&blocks);
    let shells: Vec<_> = run.calls.iter().map(|call| call.shell).collect();
    let (own, shared) = (CallShell::Own, CallShell::Shared);
    assert_eq!(shells, [own, shared, shared, own]);
    assert_eq!(run.completeness, Completeness::Complete);
}

fn codex(payloads: &[Value]) -> Run {
    let meta = json!({"id": "a1", "session_id": "s", "cwd": "/p"});
    let mut records = vec![json!({"type": "session_meta", "payload": meta})];
    records.extend(payloads.iter().map(|payload| {
        let is_event = payload["type"] == "item_completed";
        let kind = if is_event { "event_msg" } else { "response_item" };
        json!({"type": kind, "timestamp": "2026-11-22T10:26:37.683Z", "payload": payload})
    }));
    last_run(&records)
}

#[test]
fn a_list_of_words_is_a_script_only_for_a_shell() {
    let command = |words: Value| {
        let arguments = json!({"command": words}).to_string();
        let call = json!({"type": "function_call", "call_id": "c", "name": "shell", "arguments": arguments});
        codex(&[call]).calls.remove(0).command.unwrap_or_default()
    };
    assert_eq!(command(json!(["bash", "-lc", "make > a"])), "make > a");
    assert_eq!(command(json!(["/bin/sh", "-c", "make > a"])), "make > a");
    assert_eq!(command(json!(["python3", "-c", "print > a"])), "");
    assert_eq!(command(json!(["grep", "-n", "x > a", "b.md"])), "");
}

#[test]
fn two_changes_with_one_id_leave_a_gap() {
    let change = |path: &str| {
        let update = json!({path: {"type": "update", "unified_diff": "@@ -1 +1 @@\n-x\n+y\n"}});
        let item =
            json!({"type": "FileChange", "id": "c", "changes": update, "status": "completed"});
        json!({"type": "item_completed", "item": item})
    };
    let run = |paths: [&str; 2]| codex(&paths.map(change)).completeness;
    assert_eq!(run(["/p/a", "/p/b"]), Completeness::Partial(Gap::SameId));
    assert_ne!(run(["/p/a", "/p/a"]), Completeness::Partial(Gap::SameId));
}

#[test]
fn a_search_of_the_server_is_a_call_with_a_result() {
    let search =
        json!({"type": "web_search_call", "status": "completed", "action": {"type": "search"}});
    let answer = json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]});
    let run = codex(&[search.clone(), search, answer]);
    let names: Vec<_> = run.calls.iter().map(|call| &*call.name).collect();
    assert_eq!(names, ["web_search", "web_search"]);
    assert_eq!(run.completeness, Completeness::Partial(Gap::NoStart));
}

/// A caller of Claude Code that starts an agent, and progress of it with these ids.
fn progress(more: &[(&str, Value)]) -> String {
    let task = json!({"prompt": "Go.", "subagent_type": "planner"});
    let start = json!({"type": "assistant",
        "message": {"id": "m1", "content": [tool_use("t1", "Task", &task)]}});
    let records = more.iter().map(|(agent, block)| {
        let role = if block["type"] == "tool_result" { "user" } else { "assistant" };
        let message = json!({"type": role, "message": {"id": "m2", "content": [block]}});
        json!({"type": "progress", "parentToolUseID": "t1",
            "data": {"type": "agent_progress", "agentId": agent, "message": message}})
    });
    let lines = [start].into_iter().chain(records);
    let lines = lines.map(|mut record| {
        record["sessionId"] = "s".into();
        record.to_string() + "\n"
    });
    lines.collect()
}

#[test]
fn calls_of_an_agent_that_gets_its_id_late_stay() {
    let other = json!({"type": "user", "agentId": "a1", "message": {"content": "Go."}});
    let late = progress(&[(&"a".repeat(5000), bash("c", "make")), ("a1", result("c"))]);
    let text = format!("{other}\n{late}");
    let runs = read(text.as_bytes()).expect("a transcript").runs;
    let calls: usize = runs.iter().map(|run| run.calls.len()).sum();
    assert_eq!(calls, 2, "{runs:?}");
    assert!(!runs.iter().any(Run::is_complete));

    // With one of these lengths, so much is kept that the id does not fit, but the call does.
    let id = "a".repeat(4000);
    let late = progress(&[(&id, bash("c", "ls")), (&id, result("c"))]);
    let (start, rest) = late.split_once('\n').expect("two lines");
    let kept_alone = (2_093_000..2_097_000).step_by(1_000).filter(|length| {
        let text = "x".repeat(*length);
        let task = |id| {
            let task = json!([tool_use(id, "Task", &json!({"prompt": text}))]);
            json!({"type": "assistant", "sessionId": "s", "message": {"id": "m0", "content": task}})
        };
        let prompt = json!({"type": "user", "sessionId": "s", "message": {"content": text}});
        let large = [task("t0"), task("t9"), prompt].map(|record| record.to_string());
        let text = [&[start], &large.each_ref().map(String::as_str)[..], &[rest]].concat();
        let runs = read(text.join("\n").as_bytes()).expect("a transcript").runs;
        assert!(!runs.iter().any(Run::is_complete));
        let mut unnamed = runs.iter().filter(|run| run.agent_id.is_none());
        unnamed.any(|run| run.calls.len() == 1)
    });
    assert_ne!(kept_alone.count(), 0);
}

//! Tests how the records of each client are read: whether a call changed anything, and its working
//! directory.

use serde_json::{Value, json};

use crate::clients::run::{CallShell, End, Outcome, ReadFiles};
use crate::clients::transcript::{Call, Completeness, Gap, Run, read};

fn text(records: &[Value]) -> String {
    let lines = records.iter().map(|record| record.to_string() + "\n");
    lines.collect()
}

fn last_run(records: &[Value]) -> Run {
    let mut transcript = read(text(records).as_bytes()).expect("a transcript");
    transcript.runs.pop().expect("a run")
}

/// A call of Claude Code. `account` is the client's structured result.
fn claude(tool: &str, input: &Value, account: &Value) -> Call {
    let record = |role: &str, content: &Value| {
        json!({"type": role, "agentId": "a1", "isSidechain": true, "cwd": "/p",
            "message": {"id": "m1", "content": [content]}, "toolUseResult": account})
    };
    let call = json!({"type": "tool_use", "id": "t1", "name": tool, "input": input});
    let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": "ok"});
    last_run(&[record("assistant", &call), record("user", &result)]).calls.remove(0)
}

fn codex(payloads: &[Value]) -> Call {
    let record = |kind: &str, payload: &Value| json!({"type": kind, "timestamp": "2026-11-22T10:26:37.683Z", "payload": payload});
    let mut records = vec![
        record("session_meta", &json!({"id": "a1", "session_id": "s", "cwd": "/p"})),
        record("turn_context", &json!({"cwd": "/p"})),
    ];
    let items = payloads.iter().map(|payload| {
        let is_event = payload["type"] == "item_completed";
        let kind = if is_event { "event_msg" } else { "response_item" };
        record(kind, payload)
    });
    records.extend(items);
    last_run(&records).calls.remove(0)
}

fn copilot(calls: &[(&str, Value)]) -> Vec<Call> {
    let context = json!({"cwd": "/p"});
    let mut records = vec![
        json!({"type": "session.start", "data": {"sessionId": "s", "context": context, "copilotVersion": "1"}}),
    ];
    for (at, (tool, arguments)) in calls.iter().enumerate() {
        let id = format!("t{at}");
        let data = json!({"toolCallId": id, "toolName": tool, "arguments": arguments});
        records.push(json!({"type": "tool.execution_start", "data": data}));
        let data = json!({"toolCallId": id, "success": true});
        records.push(json!({"type": "tool.execution_complete", "data": data}));
    }
    last_run(&records).calls
}

#[test]
fn a_message_that_asks_for_a_call_is_no_answer() {
    let says = |requests: Value| {
        let context = json!({"cwd": "/p"});
        let start = json!({"type": "session.start", "data": {"sessionId": "s", "context": context, "copilotVersion": "1"}});
        let task = json!({"type": "user.message", "data": {"content": "Plan."}});
        let data = json!({"messageId": "m1", "content": "I look.", "toolRequests": requests});
        let message = json!({"type": "assistant.message", "data": data});
        last_run(&[start, task, message]).completeness
    };
    assert_eq!(says(json!([])), Completeness::Complete);
    let open = says(json!([{"toolCallId": "t1", "name": "bash"}]));
    assert_eq!(open, Completeness::Partial(Gap::NoEnd));
}

fn gemini(tool: &str, input: &Value, shown: &Value) -> Call {
    let head =
        json!({"sessionId": "a1", "projectHash": "h", "kind": "subagent", "directories": ["/p"]});
    let call = json!({"id": "t1", "name": tool, "args": input, "status": "success", "resultDisplay": shown});
    let message = json!({"id": "m1", "type": "gemini", "content": "", "toolCalls": [call]});
    last_run(&[head, message]).calls.remove(0)
}

fn opencode(tool: &str, input: &Value) -> Call {
    let state = json!({"status": "completed", "input": input});
    let part = json!({"type": "tool", "callID": "t1", "tool": tool, "state": state});
    let info = json!({"id": "m1", "role": "assistant", "path": {"cwd": "/p"}});
    let message = json!({"info": info, "parts": [part]});
    last_run(&[json!({"info": {"id": "a1"}, "messages": [message]})]).calls.remove(0)
}

#[test]
fn a_call_that_was_cancelled_may_have_been_running() {
    let ended = |response: Value| {
        let result = json!([{"functionResponse": {"id": "t1", "response": response}}]);
        let call = json!({"id": "t1", "name": "write_file", "args": {"file_path": "/p/a"}, "result": result, "status": "cancelled"});
        let head = json!({"sessionId": "a1", "projectHash": "h", "kind": "subagent"});
        let message = json!({"id": "m1", "type": "gemini", "content": "", "toolCalls": [call]});
        last_run(&[head, message]).calls.remove(0).outcome
    };
    let refused = "[Operation Cancelled] Reason: User did not allow tool call";
    assert_eq!(ended(json!({"error": refused})), Outcome::Rejected);
    let stopped = "[Operation Cancelled] Reason: User cancelled tool execution.";
    assert_eq!(ended(json!({"error": stopped})), Outcome::Unknown);
    assert_eq!(ended(json!({})), Outcome::Unknown);
}

#[test]
fn a_command_that_was_interrupted_has_no_known_end() {
    let account = json!({"stdout": "", "stderr": "", "interrupted": true});
    let call = claude("Bash", &json!({"command": "cargo test"}), &account);
    assert_eq!(call.outcome, Outcome::Unknown);
}

#[test]
fn the_path_that_the_client_shows_is_the_one_it_wrote() {
    let shown =
        json!({"filePath": "/p/b", "originalContent": "", "newContent": "x", "isNewFile": true});
    let asked = json!({"file_path": "a"});
    assert_eq!(gemini("write_file", &asked, &shown).paths, ["/p/b"]);
    assert_eq!(gemini("write_file", &asked, &Value::Null).paths, ["a"]);
    let cell = json!({"notebook_path": "/p/b.ipynb"});
    let asked = json!({"notebook_path": "/p/a.ipynb"});
    assert_eq!(claude("NotebookEdit", &asked, &cell).paths, ["/p/b.ipynb"]);
    assert_eq!(claude("Read", &asked, &cell).paths, [""; 0]);
}

#[test]
fn a_file_that_gets_the_content_that_it_had_is_a_rewrite() {
    let write = |account| claude("Write", &json!({"file_path": "a"}), &account).is_rewrite;
    assert!(write(json!({"type": "update", "structuredPatch": []})));
    assert!(!write(json!({"type": "create", "structuredPatch": []})));
    assert!(!write(json!({"type": "update", "structuredPatch": [{}]})));

    let write = |shown| gemini("write_file", &json!({"file_path": "/p/a"}), &shown).is_rewrite;
    let shown = |is_new: bool, new: &str| json!({"isNewFile": is_new, "originalContent": "", "newContent": new});
    assert!(write(shown(false, "")));
    assert!(!write(shown(true, "")), "an empty file was made");
    assert!(!write(shown(false, "x")));
}

#[test]
fn a_patch_names_the_files_that_it_changes() {
    let patch = |body: &str| {
        let input = format!("*** Begin Patch\n{body}*** End Patch\n");
        codex(&[
            json!({"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": input}),
        ])
        .paths
        .join(" ")
    };
    assert_eq!(patch("*** Update File: a\n@@\n x\n-y\n+z\n"), "a");
    assert_eq!(patch("*** Update File: a\n*** Move to: b\n*** Delete File: c\n"), "a b c");
    assert_eq!(patch(""), "");

    let changed = |diff: &str| {
        let change = json!({"/p/a": {"type": "update", "unified_diff": diff, "move_path": null}});
        let item =
            json!({"type": "FileChange", "id": "c1", "changes": change, "status": "completed"});
        codex(&[json!({"type": "item_completed", "item": item})])
    };
    assert_eq!(changed("@@ -1 +1 @@\n-x\n+y\n").paths, ["/p/a"]);
    assert!(changed("").is_rewrite);
}

#[test]
fn a_command_may_name_its_own_folder() {
    let cwd = |call: &Call| call.cwd.as_deref().unwrap_or_default().to_owned();
    let exec = |workdir: &str| {
        let arguments = json!({"cmd": "make", "workdir": workdir}).to_string();
        cwd(&codex(&[
            json!({"type": "function_call", "call_id": "c1", "name": "exec_command", "arguments": arguments}),
        ]))
    };
    assert_eq!((exec("sub"), exec("/q")), ("/p/sub".to_owned(), "/q".to_owned()));
    let run = |member: &str, folder: &str| {
        let input = json!({"command": "make", member: folder});
        cwd(&gemini("run_shell_command", &input, &Value::Null))
    };
    assert_eq!(run("dir_path", "sub"), "/p/sub");
    assert_eq!(run("directory", "/p/sub"), "/p/sub");
    let bash =
        |workdir: Value| cwd(&opencode("bash", &json!({"command": "make", "workdir": workdir})));
    assert_eq!((bash("sub".into()), bash(Value::Null)), ("/p/sub".to_owned(), "/p".to_owned()));
}

#[test]
fn some_clients_keep_a_shell() {
    let shells = |calls: &[Call]| calls.iter().map(|call| call.shell).collect::<Vec<_>>();
    let bash = |id: Value| ("bash", json!({"command": "make", "sessionId": id}));
    let create = ("create", json!({"path": "/p/a"}));
    let calls = copilot(&[bash(Value::Null), bash("one".into()), create]);
    let expected = [CallShell::Shared, CallShell::Shared, CallShell::Own];
    assert_eq!(shells(&calls), expected);

    let call = claude("Bash", &json!({"command": "make"}), &Value::Null);
    assert_eq!(call.shell, CallShell::Own, "its record has the folder");
    let call = |id: &str, cwd: Value| {
        let content =
            json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "make"}}]);
        json!({"type": "assistant", "agentId": "a1", "isSidechain": true, "cwd": cwd,
            "message": {"id": "m1", "content": content}})
    };
    let run =
        last_run(&[call("t1", "/p".into()), call("t2", "/p".into()), call("t3", Value::Null)]);
    assert_eq!(
        shells(&run.calls),
        [CallShell::Own, CallShell::Shared, CallShell::Shared],
        "the first one may still go elsewhere"
    );
}

#[test]
fn a_call_that_reads_names_what_it_may_show() {
    let below = |path: &str| ReadFiles::Below(path.into());
    let file = |path: &str| ReadFiles::File(path.into());
    let of = |tool, input: Value| claude(tool, &input, &Value::Null).reads;
    assert_eq!(of("Read", json!({"file_path": "/p/a"})), file("/p/a"));
    assert_eq!(of("Read", json!({"file_path": "../a"})), ReadFiles::Any);
    assert_eq!(of("Read", json!({})), ReadFiles::Any);
    assert_eq!(of("Grep", json!({"pattern": "x/y", "path": "src"})), below("src"));
    assert_eq!(of("Grep", json!({"pattern": "x/y"})), below(""));
    assert_eq!(of("Glob", json!({"pattern": "**/*.rs"})), below(""));
    assert_eq!(of("Glob", json!({"pattern": "docs/a*.md"})), below("docs"));
    let input = json!({"pattern": "a/*", "path": "/p/src"});
    assert_eq!(of("Glob", input), below("/p/src"));
    assert_eq!(of("TodoWrite", json!({})), ReadFiles::None);
    assert_eq!(of("LSP", json!({"filePath": "/p/a"})), ReadFiles::Any);
    assert_eq!(of("Write", json!({"file_path": "/p/a"})), ReadFiles::None);

    let view = json!({"command": "view", "path": "/p/a"});
    let paths = json!({"pattern": "x", "paths": ["src", "docs"]});
    let calls = copilot(&[("view", view.clone()), ("str_replace_editor", view), ("rg", paths)]);
    let reads: Vec<_> = calls.into_iter().map(|call| call.reads).collect();
    assert_eq!(reads, [below("/p/a"), below("/p/a"), ReadFiles::Any]);
    let read = json!({"absolute_path": "/p/a"});
    assert_eq!(gemini("read_file", &read, &Value::Null).reads, file("/p/a"));
    let read = json!({"filePath": "/p/a"});
    assert_eq!(opencode("read", &read).reads, below("/p/a"));
}

#[test]
fn a_run_ends_at_the_limit_of_output_if_nothing_follows() {
    let says = |kind: &str, content: Value, reason: Value| {
        let message = json!({"id": "m1", "role": kind, "stop_reason": reason, "content": content});
        json!({"type": kind, "agentId": "a1", "isSidechain": true, "message": message})
    };
    let (task, text) = (json!("Plan."), json!({"type": "text", "text": "The plan is"}));
    let call = json!({"type": "tool_use", "id": "t1", "name": "Read", "input": {}});
    let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": "ok"});
    let task = says("user", task, Value::Null);
    let cut = |content: Value| says("assistant", content, "max_tokens".into());
    let end = |records: &[Value]| last_run(records).end;
    assert_eq!(end(&[task.clone(), cut(json!([text]))]), End::OutputLimit);
    let thinks = json!([{"type": "thinking", "thinking": "Hm"}]);
    assert_eq!(end(&[task.clone(), cut(thinks)]), End::OutputLimit);
    for reason in ["end_turn", "refusal", "pause_turn", "stop_sequence"] {
        let ended = says("assistant", json!([text]), reason.into());
        assert_eq!(end(&[task.clone(), ended]), End::Answered, "{reason}");
    }
    let called = cut(json!([text, call]));
    assert_ne!(end(&[task.clone(), called.clone()]), End::OutputLimit);
    let result = says("user", json!([result]), Value::Null);
    assert_ne!(end(&[task.clone(), called, result]), End::OutputLimit);
    let whole = says("assistant", json!([text]), "end_turn".into());
    assert_eq!(end(&[task, cut(json!([text])), whole]), End::Answered);

    let message = |finish: &str| {
        let info =
            json!({"id": "m2", "role": "assistant", "finish": finish, "time": {"completed": 2}});
        json!({"info": info, "parts": [{"type": "text", "text": "The plan is"}]})
    };
    let end =
        |finish| last_run(&[json!({"info": {"id": "a1"}, "messages": [message(finish)]})]).end;
    assert_eq!([end("length"), end("stop")], [End::OutputLimit, End::Answered]);

    let event = |payload: Value| {
        let time = "2026-11-22T10:26:37.683Z";
        json!({"type": "event_msg", "timestamp": time, "payload": payload})
    };
    let meta = json!({"id": "a1", "session_id": "s", "cwd": "/p"});
    let meta =
        json!({"type": "session_meta", "timestamp": "2026-11-22T10:26:37Z", "payload": meta});
    let end = |reason: &str, text: &str| {
        let error = format!(
            "stream disconnected before completion: Incomplete response returned, reason: {reason}"
        );
        let task = event(json!({"type": "user_message", "message": "Plan."}));
        let content = json!([{"type": "output_text", "text": text}]);
        let says = json!({"type": "message", "role": "assistant", "content": content});
        let says =
            json!({"type": "response_item", "timestamp": "2026-11-22T10:26:38Z", "payload": says});
        let error = event(json!({"type": "error", "message": error}));
        let complete = event(json!({"type": "task_complete", "last_agent_message": null}));
        last_run(&[meta.clone(), task, says, error, complete]).end
    };
    assert_eq!(end("max_output_tokens", "The plan is"), End::OutputLimit);
    assert_eq!(end("max_output_tokens", ""), End::ApiError);
    assert_eq!(end("content_filter", "The plan is"), End::ApiError);
}

//! What the caller of an agent is told of its record, although nothing is configured.

use std::fs;
use std::slice;

use serde_json::{Value, json};

use super::{AGENT, call_with, record, said, stop, transcript};
use crate::common::{World, stdout};

const ANY: &str = "--profile any";

/// A tool call, and how it ended.
fn called(id: &str, tool: &str, input: &Value, error: Option<&str>) -> String {
    let call = json!([{ "type": "tool_use", "id": id, "name": tool, "input": input }]);
    let result = json!([{
        "type": "tool_result", "tool_use_id": id, "content": error.unwrap_or("ok"), "is_error": error.is_some(),
    }]);
    record(Some(AGENT), "assistant", call) + &record(Some(AGENT), "user", result)
}

fn wrote(world: &World, path: &str) -> String {
    world.write(&format!("project/{path}"), "x\n");
    let file = world.path("project").join(path);
    called(path, "Write", &json!({ "file_path": file, "content": "x\n" }), None)
}

fn read(path: &str) -> String {
    called(path, "Read", &json!({ "file_path": path }), None)
}

/// The event of the caller that gets the result.
fn result(report: &str) -> Value {
    json!({
        "hook_event_name": "PostToolUse", "tool_name": "Agent", "session_id": super::SESSION, "cwd": ".",
        "tool_input": { "subagent_type": "planner" },
        "tool_response": { "status": "completed", "agentId": AGENT, "agentType": "planner",
            "content": [{ "type": "text", "text": report }],
        },
    })
}

/// What the caller is told of an agent with these calls and this report.
fn told(world: &World, options: &str, calls: &[String], report: &str) -> Option<String> {
    fs::create_dir_all(world.path("project")).expect("a folder");
    // Nothing is known of an earlier agent.
    let _ = fs::remove_dir_all(world.path("run"));
    let mut records = vec![record(Some(AGENT), "user", "Plan.")];
    records.extend(calls.iter().cloned());
    records.push(said(AGENT, report));
    transcript(world, &records);
    assert_eq!(call_with(world, options, &stop(world, report)), None, "never for the agent");
    let answer = call_with(world, options, &result(report))?;
    let told = answer["hookSpecificOutput"]["additionalContext"].as_str();
    Some(told.unwrap_or_else(|| panic!("{answer}")).to_owned())
}

#[test]
fn a_caller_is_told_where_something_stands_out() {
    let world = World::new();
    let told = |calls: &[String], report: &str| told(&world, ANY, calls, report);
    let said = |text: &str| Some(format!("retval: planner: {text}\n"));
    assert_eq!(told(&[], "All three files agree."), said("0 tool calls."));
    let again = call_with(&world, ANY, &result("All three files agree."));
    assert_eq!(again, None, "told once");
    assert_eq!(
        told(&[read("a.md")], "The plan is in `docs/plan.md` and [here](docs/risks.md#one)."),
        said("1 call. Not there: docs/plan.md and docs/risks.md.")
    );
    let tests = json!({ "command": "cargo test" });
    let output = "Exit code 101\ntest result: FAILED. 39 passed; 3 failed; 0 ignored";
    let failed = called("t", "Bash", &tests, Some(output));
    let written =
        ["a.rs", "b.rs", "c.rs", "d.rs", "e.rs"].map(|name| wrote(&world, &format!("src/{name}")));
    assert_eq!(
        told(&[&written[..], slice::from_ref(&failed)].concat(), "All tests pass."),
        said(
            "6 calls; wrote src/a.rs, src/b.rs, src/c.rs and 2 more; tests: cargo test failed (3 of 42), no code \
             changed after it."
        )
    );
    // Where something else may have run tests since, nothing is said of them.
    let other = called("m", "Bash", &json!({ "command": "make check" }), None);
    assert_eq!(told(&[failed, other], "All tests pass."), None);
}

#[test]
fn nothing_is_said_of_a_run_in_which_nothing_stands_out() {
    let world = World::new();
    let calls =
        [wrote(&world, "docs/plan.md"), called("l", "Bash", &json!({ "command": "ls" }), None)];
    let report = "The plan is in `docs/plan.md`, as `plan.md:12` says; see `origin/main` and https://a.example/b.md.";
    assert_eq!(told(&world, ANY, &calls, report), None);
    assert_eq!(told(&world, &format!("{ANY} --receipt off"), &[], report), None);
    assert_eq!(told(&world, &format!("{ANY} --observe"), &[], report), None);
    let whole = told(&world, &format!("{ANY} --receipt always"), &calls, report);
    assert_eq!(
        whole.as_deref(),
        Some("retval: planner: 2 calls; wrote docs/plan.md; ran 1 command; took 0 seconds.\n")
    );
    let mut log = world.retval();
    log.args(["hook", "log"]).env("XDG_RUNTIME_DIR", world.path("run"));
    let log = log.output().expect("it runs");
    assert!(stdout(&log).contains("planner: 2 calls; wrote docs/plan.md"), "{}", stdout(&log));
}

#[test]
fn a_file_that_the_record_may_show_as_gone_or_that_is_in_another_folder_is_not_missing() {
    let world = World::new();
    world.write("project/packages/web/src/app.ts", "x");
    let remove = called("r", "Bash", &json!({ "command": "git rm docs/old.md" }), None);
    let report = "Removed `docs/old.md`; `src/app.ts` and `app.ts` stay. Run `node/`.\n\n```\n`no/such.md`\n```\n";
    assert_eq!(told(&world, ANY, &[remove], report), None);
    // JSON is checked by its profile.
    assert_eq!(told(&world, ANY, &[read("a")], r#"{"plan": "see `docs/plan.md`"}"#), None);
}

#[test]
fn what_a_call_names_or_may_have_removed_is_not_missing() {
    let shell = |command: &str| called("c", "Bash", &json!({ "command": command }), None);
    let missing = Some("retval: planner: 1 call. Not there: docs/no.md.\n".to_owned());
    for (call, expected) in [
        (read("/elsewhere/docs/no.md"), None),
        (shell("cd /elsewhere && cat docs/no.md"), None),
        (shell("rm -rf docs"), None),
        (shell("git clean -fd"), None),
        (shell("rm -rf doc"), missing.clone()),
        (read("docs/other.md"), missing),
    ] {
        let world = World::new();
        assert_eq!(
            told(&world, ANY, slice::from_ref(&call), "See `docs/no.md`."),
            expected,
            "{call}"
        );
    }
    // In a part of a repository, a path may be meant from its top.
    let world = World::new();
    world.write("project/docs/no.md", "x");
    world.commit_project();
    fs::create_dir_all(world.path("project/part")).expect("a folder");
    let root = format!("{ANY} --root {}", world.path("project/part").display());
    assert_eq!(told(&world, &root, &[read("a.md")], "See `docs/no.md`."), None);
}

#[test]
fn a_second_stop_and_a_second_result_change_nothing() {
    let world = World::new();
    let report = "See `docs/no.md`.";
    let records = [record(Some(AGENT), "user", "Plan."), said(AGENT, report)];
    transcript(&world, &records);
    fs::create_dir_all(world.path("project")).expect("a folder");
    let again = |payload: &Value| call_with(&world, ANY, payload);
    let stop = stop(&world, report);
    assert_eq!((again(&stop), again(&stop)), (None, None));
    assert!(
        again(&result(report)).expect("an answer").to_string().contains("Not there: docs/no.md")
    );
    assert_eq!(again(&result(report)), None);
}

#[test]
fn a_receipt_has_300_characters_at_most_and_drops_names_first() {
    let world = World::new();
    let names = ["a", "b", "c", "d"].map(|name| format!("{}/{name}.md", "long".repeat(20)));
    let report = format!("See `{}`.", names.join("` and `"));
    let line = told(&world, ANY, &[read("a.md")], &report).expect("a receipt");
    assert!(line.trim_end().chars().count() <= 300, "{line}");
    assert!(line.contains("a.md, ") && line.ends_with("b.md and 2 more.\n"), "{line}");
    let wide = report.replace("long", "very-long");
    let line = told(&world, ANY, &[read("a.md")], &wide).expect("a receipt");
    assert!(line.ends_with("a.md and 3 more.\n"), "{line}");
}

#[test]
fn work_that_is_only_in_a_working_tree_of_the_agent_is_told() {
    let world = World::new();
    world.commit_project();
    let tree = "project/.claude/worktrees/wt-7";
    world.git("project", &["worktree", "add", "-q", ".claude/worktrees/wt-7"]);
    let file = world.write(&format!("{tree}/src/tides.rs"), "fn tides() {}\n");
    let meta = json!({ "agentType": "planner", "worktreePath": world.path(tree) }).to_string();
    world.write(&super::own_file().replace(".jsonl", ".meta.json"), meta);
    let calls = [called("w", "Write", &json!({ "file_path": file, "content": "x" }), None)];
    // A busy machine may need longer than the hook waits for git.
    let expected = "not committed: 1 file, only in .claude/worktrees/wt-7.\n";
    let line = (0..8).find_map(|_| told(&world, ANY, &calls, "Done.")).expect("a receipt");
    assert!(
        line.starts_with("retval: planner: 1 call; wrote ") && line.ends_with(expected),
        "{line}"
    );
    world.git(tree, &["add", "."]);
    world.git(tree, &["commit", "-qm", "Tides"]);
    assert_eq!(told(&world, ANY, &calls, "Done."), None);
}

#[test]
fn an_agent_of_the_client_has_a_receipt_and_one_that_is_left_out_has_none() {
    let world = World::new();
    let meta = json!({ "agentType": "planner", "isBuiltIn": true }).to_string();
    world.write(&super::own_file().replace(".jsonl", ".meta.json"), meta);
    let line = told(&world, "", &[], "There are three files.");
    assert_eq!(line.as_deref(), Some("retval: planner: 0 tool calls.\n"));
    assert_eq!(told(&world, "--agents !planner", &[], "There are three files."), None);
}

#[test]
fn a_receipt_goes_with_a_verdict() {
    let world = World::new();
    let mut records = vec![record(Some(AGENT), "user", "Plan.")];
    records.push(said(AGENT, "The plan is written."));
    transcript(&world, &records);
    fs::create_dir_all(world.path("project")).expect("a folder");
    let stop = stop(&world, "The plan is written.");
    let options = "--retries 0";
    assert!(call_with(&world, options, &stop).is_some(), "it is let go with a note");
    let answer = call_with(&world, options, &result("The plan is written.")).expect("an answer");
    let reason = answer["reason"].as_str().expect("a reason");
    assert!(reason.ends_with("\nretval: planner: 0 tool calls.\n"), "{reason}");
}

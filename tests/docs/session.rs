//! A console session whose commands run one after the other in one folder.

use std::fs;
use std::path::Path;

use regex::Regex;
use serde_json::{Value, json};

use crate::{root, shell, text};

/// In place of the folder, which is another one in each run.
const FOLDER: &str = "/home/ana/tides";

/// What the last of these commands prints, after the others have run in a copy of a folder, or in a new one
/// with the payloads of a client.
pub(crate) fn run(commands: &[&str], copied: Option<&str>) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("it is there");
    match copied {
        Some(copied) => copy(&root().join(copied), &folder),
        None => prepare(&folder),
    }
    let (last, before) = commands.split_last().expect("a command");
    let before: String = before.iter().flat_map(|it| [it, "\n"]).collect();
    let script = format!(
        "export XDG_RUNTIME_DIR=\"$PWD/run\"\n{{ :\n{before}}} >/dev/null 2>&1\n{{ {last}\n}} 2>&1"
    );
    let printed = text(shell(&script, &folder).stdout);
    let printed = printed.replace(folder.to_str().expect("UTF-8"), FOLDER);
    let time = Regex::new(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d").expect("a pattern");
    let took = Regex::new(r"\d+ ms").expect("a pattern");
    let printed = time.replace_all(&printed, "2026-01-28 12:00:00");
    took.replace_all(&printed, "8 ms").into_owned()
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from).min_depth(1) {
        let entry = entry.expect("a folder to copy");
        let path = to.join(entry.path().strip_prefix(from).expect("a path below it"));
        if entry.file_type().is_dir() {
            fs::create_dir(path).expect("a folder");
        } else {
            fs::copy(entry.path(), path).expect("a file");
        }
    }
}

fn prepare(folder: &Path) {
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
    };
    put("run/none", "");
    put("docs/tides.md", "# Tides\n");
    put(".git/HEAD", "ref: refs/heads/main\n");
    put(".claude/agents/planner.md", "---\nname: planner\n---\nPlan.\n");
    let event = |name: &str, more: Value| {
        let mut event = json!({
            "session_id": "7d3e0c1a", "transcript_path": folder.join("none.jsonl"), "cwd": folder,
            "hook_event_name": name, "agent_id": "a91f03bc", "agent_type": "planner",
        });
        let members = event.as_object_mut().expect("an object");
        members.extend(more.as_object().expect("an object").clone());
        event.to_string()
    };
    let stop = |again: bool, path: &str| {
        let message = returned(path);
        let more = json!({ "stop_hook_active": again, "last_assistant_message": message });
        event("SubagentStop", more)
    };
    put("start.json", &event("SubagentStart", json!({})));
    put("stop.json", &stop(false, "docs/plan.md"));
    put("stop-again.json", &stop(true, "docs/plan.md"));
    put("valid.json", &stop(false, "docs/tides.md"));
    let response = json!({
        "status": "completed", "agentId": "a91f03bc", "agentType": "planner",
        "content": [{ "type": "text", "text": returned("docs/plan.md") }],
    });
    let more = json!({ "tool_name": "Agent", "tool_input": {}, "tool_response": response });
    put("result.json", &event("PostToolUse", more));
}

fn returned(path: &str) -> String {
    json!({
        "status": "completed",
        "summary": "The plan is made. It has three phases.",
        "artifacts": [{ "type": "plan", "path": path, "summary": "The plan" }],
        "metadata": {
            "session_id": "7d3e0c1a", "agent_type": "planner", "delegation_depth": 1,
            "delegation_path": ["orchestrator", "planner"],
        },
    })
    .to_string()
}

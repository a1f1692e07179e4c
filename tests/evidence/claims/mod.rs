//! Compares the claims of a return with transcripts, times and repositories, through the binary.

mod calls;
mod clients;
mod effects;
pub(crate) mod files;
mod handoffs;
mod ids;
mod many;
mod nested;
mod options;
mod removed;
mod repositories;
mod resumed;
#[cfg(target_os = "linux")]
mod scripts;
#[cfg(target_os = "linux")]
#[path = "../../generated/seeds.rs"]
mod seeds;
mod shells;
mod tasks;
mod tested;
#[cfg(target_os = "linux")]
mod typed;

use std::process::Output;

use crate::common::{SESSION, World, piped, stderr, stdout};
use serde_json::{Value, json};

/// The artifact of the returns.
const TIDES: &str = "docs/tides.md";

/// A transcript of Claude Code, written record by record. Agents are `main` and others.
#[derive(Default)]
struct Session {
    lines: String,
    calls: usize,
}

impl Session {
    fn record(mut self, agent: &str, role: &str, cwd: &str, content: &Value) -> Self {
        let mut record = json!({
            "type": role, "sessionId": "7d3e0c1a", "cwd": cwd, "timestamp": "2026-01-28T11:00:00Z",
            "message": { "id": format!("m{}", self.calls), "role": role, "content": content },
        });
        if agent != "main" {
            record["isSidechain"] = true.into();
            record["agentId"] = agent.into();
        }
        self.lines += &record.to_string();
        self.lines.push('\n');
        self
    }

    fn task(self, agent: &str, text: &str) -> Self {
        self.record(agent, "user", "", &text.into())
    }

    fn call_in(
        self,
        agent: &str,
        cwd: &str,
        tool: &str,
        input: impl Into<Value>,
        ok: bool,
    ) -> Self {
        self.told(agent, cwd, tool, input, ok, "")
    }

    /// A call, and what its result says.
    fn told(
        mut self,
        agent: &str,
        cwd: &str,
        tool: &str,
        input: impl Into<Value>,
        ok: bool,
        said: &str,
    ) -> Self {
        self.calls += 1;
        let input: Value = input.into();
        let id = format!("t{}", self.calls);
        let call = json!([{ "type": "tool_use", "id": id, "name": tool, "input": input }]);
        let result =
            json!([{ "type": "tool_result", "tool_use_id": id, "content": said, "is_error": !ok }]);
        self.record(agent, "assistant", cwd, &call)
            .record(agent, "user", cwd, &result)
    }

    fn call(self, agent: &str, tool: &str, input: impl Into<Value>) -> Self {
        self.call_in(agent, "", tool, input, true)
    }

    fn write(self, agent: &str, path: &str) -> Self {
        self.call(agent, "Write", json!({ "file_path": path }))
    }

    fn run(self, agent: &str, command: &str) -> Self {
        self.call(agent, "Bash", json!({ "command": command }))
    }

    /// A command of `a1` and its output.
    fn prints(self, command: &str, ok: bool, output: &str) -> Self {
        let input = json!({ "command": command });
        self.told("a1", "", "Bash", input, ok, output)
    }

    fn answer(mut self, agent: &str) -> Self {
        self.calls += 1;
        let content = json!([{ "type": "text", "text": "Done." }]);
        self.record(agent, "assistant", "", &content)
    }

    /// A task of `a1`, its calls, and its end.
    fn of_one(calls: impl FnOnce(Self) -> Self) -> Self {
        calls(Self::default().task("a1", "Plan the tide tables.")).answer("a1")
    }
}

/// A return that claims a file.
fn claiming(path: &str) -> String {
    json!({
        "status": "completed",
        "summary": "Planned the tide tables in three phases. The first reads the constants.",
        "artifacts": [{ "type": "plan", "path": path, "summary": "Plan" }],
        "metadata": {
            "session_id": SESSION, "agent_type": "planner", "delegation_depth": 1,
            "delegation_path": ["orchestrator", "planner"],
        },
    })
    .to_string()
}

/// `retval check` of a return of `a1`, with its transcript.
fn check(world: &World, session: &Session, options: &str, returned: &str) -> Output {
    world.write("session.jsonl", &session.lines);
    let options = format!("--root project --transcript session.jsonl --agent-id a1 {options}");
    piped(world, &options, returned)
}

/// The value of each claim, by rule, with its reason.
fn claims(output: &Output) -> Vec<(String, String, String)> {
    let record: Value = serde_json::from_str(&stdout(output))
        .unwrap_or_else(|_| panic!("{}{}", stdout(output), stderr(output)));
    let claims = record["evidence"].as_array().expect("claims").iter();
    let text = |claim: &Value, member: &str| claim[member].as_str().unwrap_or_default().to_owned();
    claims
        .map(|claim| {
            (
                text(claim, "rule"),
                text(claim, "value"),
                text(claim, "reason"),
            )
        })
        .collect()
}

/// The value of the claim of one rule, and its reason: `shown: Write call 1 of 1 wrote it`.
fn value_of(world: &World, session: &Session, rule: &str, options: &str, returned: &str) -> String {
    let output = check(
        world,
        session,
        &format!("--format jsonl {options}"),
        returned,
    );
    let claims = claims(&output);
    let claim = claims.iter().find(|(id, ..)| id == rule);
    claim.map_or_else(String::new, |(_, value, reason)| {
        format!("{value}: {reason}")
    })
}

/// Whether the agent wrote the file of [`TIDES`].
fn written(world: &World, session: &Session) -> String {
    value_of(world, session, "artifact-unwritten", "", &claiming(TIDES))
}

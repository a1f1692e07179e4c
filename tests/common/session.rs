//! Transcripts as a client writes them.
#![allow(dead_code, reason = "each test uses its part")]

use serde_json::{Value, json};

/// A transcript of Claude Code, written record by record. Agents are `main` and others.
#[derive(Default)]
pub(crate) struct Session {
    pub(crate) lines: String,
    pub(crate) calls: usize,
}

impl Session {
    pub(crate) fn record(mut self, agent: &str, role: &str, cwd: &str, content: &Value) -> Self {
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

    pub(crate) fn task(self, agent: &str, text: &str) -> Self {
        self.record(agent, "user", "", &text.into())
    }

    pub(crate) fn call_in(
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
    pub(crate) fn told(
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
        self.record(agent, "assistant", cwd, &call).record(agent, "user", cwd, &result)
    }

    pub(crate) fn call(self, agent: &str, tool: &str, input: impl Into<Value>) -> Self {
        self.call_in(agent, "", tool, input, true)
    }

    pub(crate) fn write(self, agent: &str, path: &str) -> Self {
        self.call(agent, "Write", json!({ "file_path": path }))
    }

    pub(crate) fn run(self, agent: &str, command: &str) -> Self {
        self.call(agent, "Bash", json!({ "command": command }))
    }

    /// A command of `a1` and its output.
    pub(crate) fn prints(self, command: &str, ok: bool, output: &str) -> Self {
        let input = json!({ "command": command });
        self.told("a1", "", "Bash", input, ok, output)
    }

    pub(crate) fn answer(mut self, agent: &str) -> Self {
        self.calls += 1;
        let content = json!([{ "type": "text", "text": "Done." }]);
        self.record(agent, "assistant", "", &content)
    }

    /// A task of `a1`, its calls, and its end.
    pub(crate) fn of_one(calls: impl FnOnce(Self) -> Self) -> Self {
        calls(Self::default().task("a1", "Plan the tide tables.")).answer("a1")
    }
}

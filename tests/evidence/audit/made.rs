//! Histories of Claude Code, made for a test.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A session with a main agent that calls others.
pub(crate) struct Session {
    folder: PathBuf,
    id: String,
    cwd: String,
    lines: Vec<Value>,
    day: u32,
}

/// One agent of a session.
pub(crate) struct Agent<'a> {
    pub(crate) id: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) answer: &'a str,
    /// What the client says of it.
    pub(crate) status: &'a str,
    pub(crate) total_tokens: u64,
}

impl<'a> Agent<'a> {
    pub(crate) fn new(id: &'a str, kind: &'a str, answer: &'a str) -> Self {
        Self { id, kind, answer, status: "completed", total_tokens: 900 }
    }
}

impl Session {
    /// A session that began on this day of November 2026.
    pub(crate) fn new(folder: &Path, id: &str, cwd: &str, day: u32) -> Self {
        let main = json!({
            "type": "user", "sessionId": id, "cwd": cwd, "version": "2.1.330", "isSidechain": false,
            "timestamp": format!("2026-11-{day:02}T10:00:00.000Z"), "message": {"content": "Begin."},
        });
        Self {
            folder: folder.to_owned(),
            id: id.to_owned(),
            cwd: cwd.to_owned(),
            lines: vec![main],
            day,
        }
    }

    /// The main agent calls an agent, and gets its result.
    pub(crate) fn call(&mut self, agent: &Agent<'_>) {
        self.begin(agent);
        let content = json!([{"type": "text", "text": agent.answer}]);
        let result = json!({
            "status": agent.status, "agentId": agent.id, "agentType": agent.kind,
            "content": content, "totalToolUseCount": 0, "totalTokens": agent.total_tokens,
            "totalDurationMs": 4000,
        });
        self.result(agent, &content, false, &result);
    }

    /// The call of an agent alone.
    pub(crate) fn begin(&mut self, agent: &Agent<'_>) {
        let input = json!({"subagent_type": agent.kind, "description": "Look around",
            "prompt": format!("Look at {}.", agent.id)});
        self.line(&json!({"id": format!("m-{}", agent.id), "content": [
            {"type": "tool_use", "id": format!("t-{}", agent.id), "name": "Agent", "input": input}]}),
            "assistant", &Value::Null);
    }

    /// The result of the call of an agent.
    pub(crate) fn result(
        &mut self,
        agent: &Agent<'_>,
        content: &Value,
        is_error: bool,
        result: &Value,
    ) {
        let block = json!({"type": "tool_result", "tool_use_id": format!("t-{}", agent.id),
            "content": content, "is_error": is_error});
        self.line(&json!({"content": [block]}), "user", result);
    }

    fn line(&mut self, message: &Value, kind: &str, result: &Value) {
        let seconds = self.lines.len();
        self.lines.push(json!({
            "type": kind, "sessionId": self.id, "cwd": self.cwd, "version": "2.1.330",
            "isSidechain": false, "timestamp": format!("2026-11-{:02}T10:01:{seconds:02}.000Z", self.day),
            "message": message, "toolUseResult": result,
        }));
    }

    /// The path of the session's transcript.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.jsonl", self.id))
    }

    pub(crate) fn write(&self) {
        fs::create_dir_all(&self.folder).expect("a folder");
        fs::write(self.path(), self.text()).expect("a file");
    }

    /// Its records as lines.
    pub(crate) fn text(&self) -> String {
        joined(&self.lines)
    }

    /// Writes the transcript of an agent, with records between its task and its answer.
    pub(crate) fn write_agent(&self, agent: &Agent<'_>, between: &[Value]) {
        let folder = self.folder.join(&self.id).join("subagents");
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join(format!("agent-{}.jsonl", agent.id));
        let sidecar = json!({"agentType": agent.kind}).to_string();
        fs::write(path.with_extension("meta.json"), sidecar).expect("a file");
        fs::write(path, joined(&self.records(agent, between))).expect("a file");
    }

    /// The records of an agent.
    pub(crate) fn records(&self, agent: &Agent<'_>, between: &[Value]) -> Vec<Value> {
        let task = json!({"content": format!("Look at {}.", agent.id)});
        let answer = json!({"id": format!("a-{}", agent.id), "model": "claude-opus-5-5",
            "stop_reason": "end_turn", "content": [{"type": "text", "text": agent.answer}],
            "usage": {"input_tokens": 100, "output_tokens": 50}});
        let mut records = vec![self.record(agent, "user", &task, 1)];
        for (at, message) in (2..).zip(between) {
            let kind = if message["role"] == "user" { "user" } else { "assistant" };
            records.push(self.record(agent, kind, message, at));
        }
        let end = records.len() + 1;
        records.push(self.record(agent, "assistant", &answer, end));
        records
    }

    fn record(&self, agent: &Agent<'_>, kind: &str, message: &Value, second: usize) -> Value {
        json!({
            "type": kind, "sessionId": self.id, "agentId": agent.id, "isSidechain": true,
            "cwd": self.cwd, "version": "2.1.330", "uuid": format!("{}-{second}", agent.id),
            "timestamp": format!("2026-11-{:02}T10:01:{second:02}.000Z", self.day), "message": message,
        })
    }
}

/// The records of a call of a file tool, and its result.
pub(crate) fn writes(path: &str) -> [Value; 2] {
    let id = format!("w-{path}");
    [
        json!({"id": id, "stop_reason": "tool_use", "content": [
            {"type": "tool_use", "id": id, "name": "Write", "input": {"file_path": path}}]}),
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "ok"}]}),
    ]
}

/// The records of a call that only reads, and its result.
pub(crate) fn reads(path: &str) -> [Value; 2] {
    let id = format!("r-{path}");
    [
        json!({"id": id, "stop_reason": "tool_use", "content": [
            {"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": path}}]}),
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "ok"}]}),
    ]
}

/// Records as lines.
pub(crate) fn joined(records: &[Value]) -> String {
    let lines = records.iter().map(ToString::to_string);
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

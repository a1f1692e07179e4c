//! Notifications with which Claude Code tells a caller about an agent that runs in the background.

use std::time::Duration;

use super::Claude;
use crate::clients::claude::output::{END, START, decoded};
use crate::clients::run::{ClientStatus, End, LastRecord, end_by, end_of_completed};

impl Claude {
    /// Reads the notifications in a message. A later one of the same agent replaces an earlier one.
    pub(super) fn on_notification(&mut self, text: &str) {
        let mut rest = text;
        while let Some(start) = memchr::memmem::find(rest.as_bytes(), START.as_bytes()) {
            rest = &rest[start + START.len()..];
            let end = memchr::memmem::find(rest.as_bytes(), END.as_bytes());
            let end = end.unwrap_or(rest.len());
            self.notification(&rest[..end]);
            rest = &rest[end..];
        }
    }

    fn notification(&mut self, text: &str) {
        // The id of an agent, or of a command in the background.
        let Some(agent) = element(text, "task-id") else {
            return;
        };
        let call = element(text, "tool-use-id").unwrap_or_default();
        let result = element(text, "result");
        let known = self.runs.started_by(call).or(self.runs.of_agent(agent));
        let run = match (known, result) {
            (Some(run), _) => run,
            (None, Some(_)) => self.runs.agent(agent),
            (None, None) => return,
        };
        self.runs.name_agent(run, agent);
        let answer = result.map(decoded);
        let tokens = count(text, "subagent_tokens").or(count(text, "total_tokens"));
        let end = end_of_completed(answer.as_deref().unwrap_or_default(), tokens);
        let answer = answer.and_then(|text| self.runs.store(&text));
        let draft = self.runs.draft(run);
        draft.run.reported_calls = count(text, "tool_uses").or(draft.run.reported_calls);
        let details = &mut draft.run.details;
        details.context_tokens = tokens.or(details.context_tokens);
        let duration = count(text, "duration_ms").map(Duration::from_millis);
        details.duration = duration.or(details.duration);
        let status = element(text, "status").unwrap_or_default();
        details.status = match status {
            "completed" => Some(ClientStatus::Completed),
            "failed" => Some(ClientStatus::Failed),
            "killed" | "stopped" => Some(ClientStatus::Stopped),
            _ => details.status,
        };
        match status {
            "completed" => {
                draft.reported_answer = answer;
                draft.run.end = end;
                draft.last = LastRecord::End;
            }
            "failed" => {
                let why = element(text, "summary").unwrap_or_default();
                self.runs.end(run, end_by(why));
            }
            "killed" | "stopped" => self.runs.end(run, End::Interrupted),
            _ => {}
        }
    }
}

/// The text between the first opening and the last closing tag of that name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let start = text.find(&format!("<{name}>"))? + name.len() + 2;
    let end = text.rfind(&format!("</{name}>"))?;
    text.get(start..end)
}

/// A number: `<tool_uses>4</tool_uses>`, or `tool_uses: 4` in older versions.
fn count(text: &str, name: &str) -> Option<u64> {
    let text = &text[text.rfind("<usage>")?..];
    let text = &text[text.find(name)? + name.len()..];
    let text = text.trim_start_matches(['>', ':', ' ']);
    let end = text.bytes().position(|byte| !byte.is_ascii_digit());
    text[..end.unwrap_or(text.len())].parse().ok()
}

//! Reads results of tools, among them the results of calls that start agents, and the notifications with
//! which Claude Code tells a caller about an agent that runs in the background.

use std::borrow::Cow;
use std::time::Duration;

use super::{Claude, INTERRUPTED, text_of};
use crate::clients::claude::{END, START, decoded, element};
use crate::clients::failure::{end_by, end_by_request};
use crate::clients::run::{
    CallKind, CallPlace, ClientStatus, End, JsonNode, LastRecord, Outcome, WriteEffect, leading,
    test_summary,
};

/// The beginnings of results of calls that the user or a rule did not allow.
const REJECTED: &[&str] = &[
    "The user has denied",
    "Permission to use",
    "Permission for this action",
    "Permission for this tool use",
    "Claude requested permissions",
];

/// The beginning of the result of a call that the user did not allow, or stopped while it was running.
/// For a file tool it also says that nothing was written.
const STOPPED: &str = "The user doesn't want to";

/// The beginnings of results of calls whose agent was not started: the arguments were refused, or there
/// was no such agent or no place for it.
const NOT_STARTED: [&str; 4] = [
    "<tool_use_error>",
    "InputValidationError",
    "Agent type '",
    "Failed to resolve base branch",
];

impl Claude {
    /// Reads a result. `result` is what the client records of it beside the block.
    pub(super) fn result(&mut self, block: &JsonNode, result: &JsonNode, is_rejected: bool) {
        let id = block.word("tool_use_id");
        let Some(place) = self.runs.call_place(id) else {
            return;
        };
        let kind = self.runs.call_at(place).kind;
        let error = block.is("is_error").then(|| text_of(block.at("content")));
        let outcome = match error {
            Some(_) if is_rejected => Outcome::Rejected,
            Some(text) => outcome_of_error(text, kind),
            None if result.is("interrupted") => Outcome::Unknown,
            None => Outcome::Succeeded,
        };
        self.runs.result_at(place, outcome);
        let path = result.get("filePath").or(result.get("notebook_path"));
        if let Some(path) = path.filter(|_| kind == CallKind::Write) {
            self.runs.report_path(place, path);
        }
        let call = self.runs.call_at(place);
        if kind == CallKind::Write && is_rewrite(result) {
            call.effect = call.effect.max(WriteEffect::Rewrite);
        }
        if kind == CallKind::Command {
            call.exit_code = error.and_then(|error| leading(error.strip_prefix("Exit code ")?));
            call.is_silent = is_silent(result);
            call.test_summary = test_summary::of_command(kind, block.at("content"));
        }
        if call.background || result.get("backgroundTaskId").is_some() {
            call.background = true;
            if outcome == Outcome::Succeeded && kind == CallKind::Command {
                call.outcome = Outcome::Unknown;
            }
        }
        let may_start = kind == CallKind::Delegate;
        let child = may_start.then(|| self.runs.started_by(id)).flatten();
        if let Some(child) = child {
            self.agent_result(child, place, result, error);
        }
    }

    fn agent_result(
        &mut self,
        child: usize,
        place: CallPlace,
        result: &JsonNode,
        error: Option<&str>,
    ) {
        if let Some(error) = error {
            self.runs.draft(child).run.details.status = Some(ClientStatus::Failed);
            let outcome = self.runs.call_at(place).outcome;
            let draft = self.runs.draft(child);
            let end = match outcome {
                // A request that was aborted looks like one that failed.
                Outcome::Unknown if draft.run.end == End::ApiError => End::Interrupted,
                // The agent's own records say more about its end.
                _ if draft.run.end.is_error() => draft.run.end,
                Outcome::Rejected if !draft.run.is_recorded => End::NotStarted,
                _ if !draft.run.is_recorded
                    && NOT_STARTED.iter().any(|it| error.starts_with(it)) =>
                {
                    End::NotStarted
                }
                Outcome::Rejected | Outcome::Unknown => End::Interrupted,
                _ => end_by(error),
            };
            self.runs.end(child, end);
        }
        if !result.is_object() {
            return;
        }
        if let Some(id) = result.get("agentId") {
            self.runs.name_called(place, child, id);
        }
        if let Some(name) = result.get("agentType") {
            let name = self.runs.store(name);
            self.runs.draft(child).run.agent_type = name;
        }
        // Older versions record no status, and their agents do not run in the background.
        let status = match result.get("status").unwrap_or("completed") {
            "completed" if error.is_none() => Some(ClientStatus::Completed),
            "completed" => Some(ClientStatus::Failed),
            "async_launched" => Some(ClientStatus::Launched),
            "teammate_spawned" => Some(ClientStatus::Teammate),
            _ => None,
        };
        let details = &mut self.runs.draft(child).run.details;
        details.status = status.or(details.status);
        if !matches!(status, Some(ClientStatus::Completed | ClientStatus::Failed)) {
            return;
        }
        let report = AgentReport {
            answer: answer(result).map(Cow::Borrowed),
            calls: result.count("totalToolUseCount"),
            tokens: result.count("totalTokens"),
            milliseconds: result.count("totalDurationMs"),
        };
        let end = self.report(child, report);
        let draft = self.runs.draft(child);
        if draft.run.end == End::Unknown {
            draft.run.end = end;
            draft.last = LastRecord::End;
        }
    }

    /// Notes what the caller's records say of an agent. Returns how it ended if it is completed.
    fn report(&mut self, run: usize, report: AgentReport) -> End {
        let end = match (report.tokens, &report.answer) {
            // The text of an error is in the place of the answer.
            (Some(0), answer) => end_by_request(answer.as_deref().unwrap_or_default()),
            _ => End::Answered,
        };
        let answer = report.answer.and_then(|text| self.runs.store(&text));
        let draft = self.runs.draft(run);
        draft.reported_answer = answer.or(draft.reported_answer.take());
        draft.run.reported_calls = report.calls.or(draft.run.reported_calls);
        let details = &mut draft.run.details;
        details.context_tokens = report.tokens.or(details.context_tokens);
        let duration = report.milliseconds.map(Duration::from_millis);
        details.duration = duration.or(details.duration);
        end
    }

    /// Reads the notifications in a message. A later one of the same agent replaces an earlier one.
    pub(super) fn notifications(&mut self, text: &str) {
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
        let status = element(text, "status").unwrap_or_default();
        let report = AgentReport {
            answer: result.filter(|_| status == "completed").map(decoded),
            calls: count(text, "tool_uses"),
            tokens: count(text, "subagent_tokens").or(count(text, "total_tokens")),
            milliseconds: count(text, "duration_ms"),
        };
        let completed = self.report(run, report);
        let why = element(text, "summary").unwrap_or_default();
        let (status, end) = match status {
            "completed" => (ClientStatus::Completed, completed),
            "failed" => (ClientStatus::Failed, end_by(why)),
            "killed" | "stopped" => (ClientStatus::Stopped, End::Interrupted),
            _ => return,
        };
        self.runs.draft(run).run.details.status = Some(status);
        self.runs.end(run, end);
    }
}

/// What the caller's records say of an agent that has ended.
struct AgentReport<'r> {
    answer: Option<Cow<'r, str>>,
    calls: Option<u64>,
    tokens: Option<u64>,
    milliseconds: Option<u64>,
}

/// How a call ended that has this error as its result.
fn outcome_of_error(text: &str, kind: CallKind) -> Outcome {
    let is_stopped = text.starts_with(STOPPED);
    if is_stopped && kind == CallKind::Write || REJECTED.iter().any(|it| text.starts_with(it)) {
        Outcome::Rejected
    } else if is_stopped || text.starts_with(INTERRUPTED) {
        Outcome::Unknown
    } else {
        Outcome::Failed
    }
}

/// Whether a command wrote no errors of a shell. Some versions record errors in the output, and leave
/// those of long outputs out.
fn is_silent(result: &JsonNode) -> bool {
    const SHELLS: [&str; 6] = ["bash", "sh", "zsh", "dash", "ksh", "(eval)"];
    const WHOLE: usize = 16 << 10;
    let is_of_shell = |line: &str| {
        let program = line.split(':').next().unwrap_or_default();
        let name = program.rsplit('/').next().unwrap_or_default();
        name.len() < line.len() && SHELLS.contains(&name)
    };
    let is_whole = |output: &str| output.len() < WHOLE && !output.lines().any(is_of_shell);
    result.get("stderr") == Some("") && result.get("stdout").is_some_and(is_whole)
}

/// Whether the file existed before and has the same content as before.
fn is_rewrite(result: &JsonNode) -> bool {
    let patch = result.at("structuredPatch");
    result.get("type") != Some("create") && matches!(patch, JsonNode::List(it) if it.is_empty())
}

/// The last text of an agent, without the notes that the client puts around it.
fn answer<'r>(result: &'r JsonNode) -> Option<&'r str> {
    let count = |name| usize::try_from(result.sum([name])).unwrap_or(usize::MAX);
    let blocks = result.at("content").list();
    let end = blocks.len().saturating_sub(count("harnessTailCount"));
    let mut own = blocks[..end].iter().skip(count("harnessNoteCount"));
    own.rfind(|block| block.word("type") == "text")?.get("text")
}

/// A number: `<tool_uses>4</tool_uses>`, or `tool_uses: 4` in older versions.
fn count(text: &str, name: &str) -> Option<u64> {
    let text = &text[text.rfind("<usage>")?..];
    let text = &text[text.find(name)? + name.len()..];
    leading(text.trim_start_matches(['>', ':', ' ']))
}

//! Reads results of tools, among them the results of calls that start agents.

use std::time::Duration;

use super::record::{ClaudeRecord, ContentBlock, ProgressRecord, Texts, ToolUseResult};
use super::{Claude, INTERRUPTED};
use crate::clients::run::{
    CallKind, CallPlace, ClientStatus, Content, End, LastRecord, LenientNumber, LenientText,
    Outcome, WriteEffect, effect, end_by, end_of_completed, test_summary,
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
    pub(super) fn result(&mut self, record: &ClaudeRecord, block: &ContentBlock) {
        let decision: LenientText = record.permission_decision.member("decision");
        let result = record.tool_use_result.as_deref();
        let is_rejected = matches!(decision.as_str(), "reject" | "deny");
        self.result_of(block, result, is_rejected);
    }

    pub(super) fn progress_result(&mut self, record: &ProgressRecord, block: &ContentBlock) {
        self.result_of(block, record.tool_use_result.as_deref(), false);
    }

    pub(super) fn result_of(
        &mut self,
        block: &ContentBlock,
        result: Option<&ToolUseResult>,
        is_rejected: bool,
    ) {
        let id = block.tool_use_id.as_str();
        let Some(place) = self.runs.call_place(id) else {
            return;
        };
        let kind = self.runs.call_at(place).kind;
        let error = block.is_error.is_true().then(|| first_text(block));
        let outcome = match &error {
            Some(_) if is_rejected => Outcome::Rejected,
            Some(text) => outcome_of_error(text, kind),
            None if result.is_some_and(|result| result.interrupted.is_true()) => Outcome::Unknown,
            None => Outcome::Succeeded,
        };
        self.runs.result_at(place, outcome);
        let path = result.and_then(|result| result.file_path.get());
        if let Some(path) = path.filter(|_| kind == CallKind::Write) {
            self.runs.report_path(place, path);
        }
        let call = self.runs.call_at(place);
        if kind == CallKind::Write && result.is_some_and(is_rewrite) {
            call.effect = call.effect.max(WriteEffect::Rewrite);
        }
        if kind == CallKind::Command {
            call.exit_code = error.as_deref().and_then(exit_code);
            call.is_silent = result.is_some_and(is_silent);
            call.test_summary = test_summary::of_command(kind, block.content);
        }
        if call.background || result.is_some_and(|result| result.background_task_id.get().is_some())
        {
            call.background = true;
            if outcome == Outcome::Succeeded && kind == CallKind::Command {
                call.outcome = Outcome::Unknown;
            }
        }
        let may_start = kind == CallKind::Delegate;
        let child = may_start.then(|| self.runs.started_by(id)).flatten();
        if let Some(child) = child {
            self.agent_result(child, place, result, error.as_deref());
        }
    }

    fn agent_result(
        &mut self,
        child: usize,
        place: CallPlace,
        result: Option<&ToolUseResult>,
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
                Outcome::Rejected if !draft.has_records => End::NotStarted,
                _ if !draft.has_records && NOT_STARTED.iter().any(|it| error.starts_with(it)) => {
                    End::NotStarted
                }
                Outcome::Rejected | Outcome::Unknown => End::Interrupted,
                _ => end_by(error),
            };
            self.runs.end(child, end);
        }
        let Some(result) = result else { return };
        if let Some(id) = result.agent_id.get() {
            self.runs.name_called(place, child, id);
        }
        if let Some(name) = result.agent_type.get() {
            let name = self.runs.store(name);
            self.runs.draft(child).run.agent_type = name;
        }
        // Older versions record no status, and their agents do not run in the background.
        let status = match result.status.get().unwrap_or("completed") {
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
        let answer = answer(result);
        let tokens = result.total_tokens.count();
        let end = end_of_completed(answer.as_str(), tokens);
        let answer = answer.get().and_then(|text| self.runs.store(text));
        let draft = self.runs.draft(child);
        draft.run.reported_calls = result.total_tool_use_count.count();
        draft.run.details.context_tokens = tokens;
        let milliseconds = result.total_duration_ms.count();
        draft.run.details.duration = milliseconds.map(Duration::from_millis);
        draft.reported_answer = answer;
        if draft.run.end == End::Unknown {
            draft.run.end = end;
            draft.last = LastRecord::End;
        }
    }
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
fn is_silent(result: &ToolUseResult) -> bool {
    const SHELLS: [&str; 6] = ["bash", "sh", "zsh", "dash", "ksh", "(eval)"];
    const WHOLE: usize = 16 << 10;
    let is_of_shell = |line: &str| {
        let program = line.split(':').next().unwrap_or_default();
        let name = program.rsplit('/').next().unwrap_or_default();
        name.len() < line.len() && SHELLS.contains(&name)
    };
    let is_whole = |output: &str| output.len() < WHOLE && !output.lines().any(is_of_shell);
    result.stderr.get() == Some("") && result.stdout.get().is_some_and(is_whole)
}

/// Whether the file existed before and has the same content as before.
fn is_rewrite(result: &ToolUseResult) -> bool {
    result.kind.get() != Some("create") && effect::is_empty_list(result.structured_patch)
}

/// The last text of an agent, without the notes that the client puts around it.
fn answer<'a>(result: &ToolUseResult<'a>) -> LenientText<'a> {
    let texts: Texts = result.content.parse();
    let count = |number: LenientNumber| {
        usize::try_from(number.count().unwrap_or_default()).unwrap_or(usize::MAX)
    };
    let notes = count(result.harness_note_count);
    let end = texts
        .objects
        .len()
        .saturating_sub(count(result.harness_tail_count));
    let mut own = texts.objects.iter().take(end).skip(notes);
    let last = own.rfind(|block| block.kind.as_str() == "text");
    last.map(|block| block.text).unwrap_or_default().parse()
}

/// The text of a result. If the result is a list, the text of its first text block.
fn first_text(block: &ContentBlock) -> String {
    let content: Content<ContentBlock> = block.content.parse();
    super::text_of(&content).into_owned()
}

/// The exit code, which Claude Code puts in front of the output of a failed command.
fn exit_code(text: &str) -> Option<i64> {
    let code = text.strip_prefix("Exit code ")?;
    let end = code.bytes().position(|byte| !byte.is_ascii_digit());
    code[..end.unwrap_or(code.len())].parse().ok()
}

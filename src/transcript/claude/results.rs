//! Reads results of tools, among them the results of calls that start agents.

use super::record::{ClaudeRecord, ContentBlock, ProgressRecord, Texts, ToolUseResult};
use super::{Claude, INTERRUPTED};
use crate::transcript::effect;
use crate::transcript::end::end_by;
use crate::transcript::lenient::{Content, LenientText};
use crate::transcript::new_call::CallPlace;
use crate::transcript::run::{CallKind, End, Outcome, WriteEffect};

/// The beginnings of results of calls that the user or a rule did not allow.
const REJECTED: &[&str] = &[
    "The user doesn't want to",
    "The user has denied",
    "Permission to use",
    "Permission for this action",
    "Claude requested permissions",
    INTERRUPTED,
];

impl Claude {
    pub(super) fn result(&mut self, record: &ClaudeRecord, block: &ContentBlock) {
        let decision = record.permission_decision.0.as_ref();
        let decision = decision.map_or("", |decision| decision.decision.or_empty());
        let result = record.tool_use_result.0.as_ref();
        let is_rejected = matches!(decision, "reject" | "deny");
        self.result_of(block, result, is_rejected);
    }

    pub(super) fn progress_result(&mut self, record: &ProgressRecord, block: &ContentBlock) {
        self.result_of(block, record.tool_use_result.0.as_ref(), false);
    }

    fn result_of(
        &mut self,
        block: &ContentBlock,
        result: Option<&ToolUseResult>,
        is_rejected: bool,
    ) {
        let error = block.is_error.is_true().then(|| first_text(block));
        let outcome = match &error {
            Some(text) if is_rejected || REJECTED.iter().any(|start| text.starts_with(start)) => {
                Outcome::Rejected
            }
            Some(_) => Outcome::Failed,
            None if result.is_some_and(|result| result.interrupted.is_true()) => Outcome::Failed,
            None => Outcome::Succeeded,
        };
        let id = block.tool_use_id.or_empty();
        let Some(place) = self.runs.result(id, outcome) else {
            return;
        };
        let call = self.runs.call_at(place);
        if call.kind == CallKind::Write && result.is_some_and(is_rewrite) {
            call.effect = call.effect.max(WriteEffect::Rewrite);
        }
        let may_start = call.kind == CallKind::Delegate;
        if call.kind == CallKind::Command {
            call.exit_code = error.as_deref().and_then(exit_code);
        }
        if call.background || result.is_some_and(|result| result.background_task_id.get().is_some())
        {
            call.background = true;
            if outcome == Outcome::Succeeded && call.kind == CallKind::Command {
                call.outcome = Outcome::Unknown;
            }
        }
        let child = may_start.then(|| self.runs.started_by(id)).flatten();
        if let Some(child) = child {
            self.agent_result(child, place, result, error.as_deref());
        }
    }

    /// Reads the result of a call that started an agent.
    fn agent_result(
        &mut self,
        child: usize,
        place: CallPlace,
        result: Option<&ToolUseResult>,
        error: Option<&str>,
    ) {
        if let Some(error) = error {
            let is_rejected = self.runs.call_at(place).outcome == Outcome::Rejected;
            let draft = self.runs.draft(child);
            let end = match (is_rejected, draft.has_records) {
                // The agent's own records say more about its end.
                _ if draft.run.end.is_error() => draft.run.end,
                (true, false) => End::NotStarted,
                (true, true) => End::Interrupted,
                (false, _) => end_by(error),
            };
            self.runs.end(child, end);
        }
        let Some(result) = result else { return };
        if let Some(id) = result.agent_id.get() {
            self.runs.name_agent(child, id);
            let agent = self.runs.draft(child).run.agent_id.clone();
            self.runs.call_at(place).agent_id = agent;
        }
        if let Some(name) = result.agent_type.get() {
            let name = self.runs.keep(name);
            self.runs.draft(child).run.agent_type = name;
        }
        // Older versions record no status, and their agents do not run in the background.
        if result.status.get().unwrap_or("completed") != "completed" {
            return;
        }
        let answer = answer(result);
        let answer = answer.get().and_then(|text| self.runs.keep(text));
        let draft = self.runs.draft(child);
        draft.run.reported_calls = result.total_tool_use_count.count();
        draft.run.tokens.total = result.total_tokens.count().unwrap_or_default();
        draft.reported_answer = answer;
        if draft.run.end == End::Unknown {
            draft.run.end = End::Answered;
            draft.last = crate::transcript::draft::LastRecord::End;
        }
    }
}

/// Whether the file existed before and has the same content as before.
fn is_rewrite(result: &ToolUseResult) -> bool {
    result.kind.get() != Some("create") && effect::is_empty_list(result.structured_patch)
}

/// The last text of an agent, without the notes that the client puts around it.
fn answer<'a>(result: &ToolUseResult<'a>) -> LenientText<'a> {
    let texts: Texts = result.content.later();
    let count = |number: crate::transcript::lenient::LenientNumber| {
        usize::try_from(number.count().unwrap_or_default()).unwrap_or(usize::MAX)
    };
    let notes = count(result.harness_note_count);
    let end = texts.len().saturating_sub(count(result.harness_tail_count));
    let own = texts.iter().take(end).skip(notes);
    let last = own.filter(|block| block.kind.or_empty() == "text").last();
    last.map(|block| block.text).unwrap_or_default().later()
}

/// The text of a result. If the result is a list, the text of its first text block.
fn first_text(block: &ContentBlock) -> String {
    let content: Content<ContentBlock> = block.content.later();
    super::text_of(&content).into_owned()
}

/// The exit code, which Claude Code puts in front of the output of a failed command.
fn exit_code(text: &str) -> Option<i64> {
    let code = text.strip_prefix("Exit code ")?;
    let end = code.bytes().position(|byte| !byte.is_ascii_digit());
    code[..end.unwrap_or(code.len())].parse().ok()
}

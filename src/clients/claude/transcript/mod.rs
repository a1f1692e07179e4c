//! Transcripts of Claude Code, in all its layouts.
//!
//! The records of an agent are in a file of its own, or among its caller's records (`isSidechain`), or
//! inside `progress` records of its caller. The caller's transcript also has the call that started the
//! agent, the result of the call, and notifications that the agent has ended. One reader handles all of
//! them, and collects for each run what a file has about it.

mod compact;
mod inline;
mod notification;
mod progress;
mod record;
mod results;

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use crate::clients::claude::FACTS;
use crate::clients::claude::output::START;
use crate::clients::run::{
    CallKind, CallShell, ClientStatus, Content, End, FirstTask, Gap, LastRecord, LenientNumber,
    LenientText, NewCall, Outcome, Reader, Run, Runs, Tokens, WriteEffect, each, effect,
    end_by_request,
};
use record::{ClaudeInput, ClaudeMessage, ClaudeRecord, ClaudeUsage, ContentBlock, StopReason};

/// The most records of inline agents whose run is kept.
const CHAINED_AT_MOST: usize = 32 << 10;

/// The most runs with the same prompt that may wait for their first record.
const DELEGATED_AT_MOST: usize = 256;

/// The tool with whose message an agent ends in some modes, in place of a text.
const HANDBACK: &str = "SubagentHandback";

/// The prompt of agents that Claude Code starts only to fill its cache.
const PREWARMING: &str = "Warmup";
/// The prefix of the ids of agents that summarise a conversation that has grown too long.
const COMPACTING: &str = "acompact-";

#[derive(Debug, Default)]
pub(in crate::clients) struct Claude {
    runs: Runs,
    main: Option<usize>,
    /// The run of each record that has no agent id, by the hash of the record's uuid.
    chain: HashMap<u64, usize>,
    inline: Option<usize>,
    has_stop_reasons: bool,
    /// The hash of the id of the last call that handed in a return, and its run.
    handed_in: Option<(u64, usize)>,
    /// Started runs that have no records yet, by the hashes of their prompts.
    delegated: HashMap<u64, VecDeque<usize>>,
}

/// The run that a record belongs to, and the record's own data that calls need.
struct RecordPlace<'a> {
    run: usize,
    cwd: Option<&'a str>,
    uuid: Option<&'a str>,
    line: u64,
}

impl Reader for Claude {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn read(&mut self, text: &str, line: u64) -> bool {
        each(text, |record: &ClaudeRecord| self.record(record, line))
    }

    fn finish(&mut self) -> Vec<Run> {
        if !self.has_stop_reasons {
            self.runs.mark_texts_at_end();
        }
        self.runs.finish()
    }
}

impl Claude {
    fn record(&mut self, record: &ClaudeRecord, line: u64) {
        match record.kind.as_str() {
            "user" | "assistant" if record.v.0.is_some() && record.message.is_none() => {
                self.on_compact(record, line);
            }
            "user" | "assistant" => self.on_message(record, line),
            "progress" => self.on_progress(record, line),
            "queue-operation" => {
                let content: LenientText = record.content.parse();
                self.on_notification(content.as_str());
            }
            _ if record.is_sidechain.is_true() && record.agent_id.0.is_none() => {
                self.inline_run(record);
            }
            _ if record.session_id.get().is_none() => self.runs.note_unknown_record(),
            // A message of an unknown kind may have calls. Copies of requests have no id.
            _ if record.message.is_some() && record.uuid.get().is_some() => {
                self.runs.record_gap(Gap::Unreadable { line });
            }
            "" => self.runs.note_unknown_record(),
            _ => {}
        }
    }

    fn on_message(&mut self, record: &ClaudeRecord, line: u64) {
        let run = self.run_of(record);
        let draft = self.runs.draft(run);
        draft.has_records = true;
        draft.at(record.timestamp.as_str());
        let session = record.session_id.get();
        self.runs.set(run, |it| &mut it.session, session);
        self.runs
            .set(run, |it| &mut it.details.cwd, record.cwd.get());
        let version = record.version.get();
        self.runs
            .set(run, |it| &mut it.details.client_version, version);
        let Some(message) = &record.message else {
            return;
        };
        if matches!(message.content, Content::Nothing) {
            // Those of Qwen Code have no content, but parts.
            self.runs.note_unknown_record();
        }
        if let Content::List(list) = &message.content
            && list.is_cut
        {
            self.runs.record_gap(Gap::TooMuch);
        }
        let place = RecordPlace {
            run,
            cwd: record.cwd.get(),
            uuid: record.uuid.get(),
            line,
        };
        if record.kind.as_str() == "user" {
            self.on_user(record, message, &place);
        } else if record.is_api_error_message.is_true() {
            let error = end_of(record.api_error_status.0, record.error.as_str(), message);
            self.runs.end(run, error);
        } else {
            self.on_assistant(message, &place);
        }
    }

    /// Reads a record of the user. Results of tools are in such records, too.
    fn on_user(&mut self, record: &ClaudeRecord, message: &ClaudeMessage, place: &RecordPlace) {
        let mut has_result = false;
        for block in message.content.list() {
            if block.kind.as_str() == "tool_result" {
                has_result = true;
                self.refused_return(block);
                self.result(record, block);
            }
        }
        if has_result {
            return;
        }
        let text = text_of(&message.content);
        if text.starts_with(INTERRUPTED) {
            self.runs.end(place.run, End::Interrupted);
            return;
        }
        let origin: LenientText = record.origin.member("kind");
        let is_notification = origin.get() == Some("task-notification");
        if text.trim_start().starts_with(START) || is_notification {
            self.on_notification(&text);
            self.runs.message(place.run);
        } else if record.is_meta.is_true() && text.starts_with(ASKED_AGAIN) {
            self.runs.ask_again(place.run);
        } else if record.is_meta.is_true() {
            self.runs.message(place.run);
        } else {
            self.task(place.run, &text);
        }
    }

    /// The agent gets a task. A member of a team gets its first one as a message.
    fn task(&mut self, run: usize, text: &str) {
        let sent = message_to_member(text);
        let known = &mut self.runs.draft(run).run;
        if sent.is_some() && known.prompt.is_none() {
            known.details.status = Some(ClientStatus::Teammate);
        }
        self.runs.task(run, sent.unwrap_or(text));
    }

    fn on_assistant(&mut self, message: &ClaudeMessage, place: &RecordPlace) {
        if message.model.as_str() == "<synthetic>" {
            return;
        }
        let model = message.model.get();
        self.runs.set(place.run, |it| &mut it.details.model, model);
        if let Some(usage) = &message.usage {
            let id = message.id.get().or(place.uuid);
            let id = id.unwrap_or_default();
            self.runs.usage(place.run, id, tokens(usage));
        }
        if let Content::Text(text) = &message.content {
            self.runs.text(place.run, text);
        }
        let mut is_handed_in = false;
        for block in message.content.list() {
            match block.kind.as_str() {
                "tool_use" if block.name.as_str() == HANDBACK => {
                    let message = block.input.as_ref().map_or("", |it| it.message.as_str());
                    self.runs.text(place.run, message);
                    self.handed_in = Some((self.runs.hash(block.id.as_str()), place.run));
                    is_handed_in = true;
                }
                "text" => {
                    let text: LenientText = block.text.parse();
                    if !text.as_str().trim().is_empty() {
                        self.runs.text(place.run, text.as_str());
                    }
                }
                "tool_use" => self.on_tool_use(block, place),
                // A tool of the server, or a call of a kind that is not known.
                _ if block.id.get().is_some() => self.on_tool_use(block, place),
                // The results of such calls may be in the same message.
                _ => {
                    self.runs
                        .result(block.tool_use_id.as_str(), Outcome::Unknown);
                }
            }
        }
        // A call of the same message may follow a text, unless the record says that the message ends.
        let reason = message.stop_reason;
        self.has_stop_reasons |= reason == StopReason::End || reason == StopReason::ToolUse;
        let may_go_on = match reason {
            StopReason::Absent => self.has_stop_reasons,
            StopReason::Open | StopReason::ToolUse => true,
            StopReason::End => false,
        };
        if may_go_on && !is_handed_in {
            self.runs.draft(place.run).last = LastRecord::Call;
        }
    }

    /// A return that was handed in and refused: the agent is asked again.
    fn refused_return(&mut self, block: &ContentBlock) {
        let id = self.runs.hash(block.tool_use_id.as_str());
        if let Some((_, run)) = self.handed_in.filter(|(last, _)| *last == id)
            && block.is_error.is_true()
        {
            self.runs.ask_again(run);
        }
    }

    fn on_tool_use(&mut self, block: &ContentBlock, place: &RecordPlace) {
        let name = block.name.as_str();
        let kind = match block.kind.as_str() {
            "tool_use" => FACTS.kind_of(name),
            _ => CallKind::Other,
        };
        let input = block.input.as_ref();
        let paths = input.filter(|_| kind == CallKind::Write);
        let paths = paths.and_then(|input| input.file_path.get().or(input.notebook_path.get()));
        // The client trims the path, too.
        let paths = paths.map(str::trim);
        let command = input.filter(|_| kind == CallKind::Command);
        let call = NewCall {
            id: block.id.as_str(),
            name,
            kind,
            paths: paths.as_slice(),
            effect: match (kind, input) {
                (CallKind::Write, Some(input)) => effect_of(input),
                _ => WriteEffect::Change,
            },
            command: command.and_then(|input| input.command.get()),
            background: input.is_some_and(|input| input.run_in_background.is_true()),
            cwd: place.cwd,
            shell: if place.cwd.is_none() || self.runs.has_open_command(place.run) {
                CallShell::Shared
            } else {
                CallShell::Own
            },
            line: place.line,
        };
        let is_new = self.runs.call(place.run, &call).is_new;
        let is_start = kind == CallKind::Delegate && matches!(name, "Task" | "Agent");
        if let (true, true, Some(input)) = (is_start, is_new, input) {
            let prompt = input.prompt.as_str();
            let agent_type = input.subagent_type.get();
            let child = (self.runs).start(place.run, call.id, Some(prompt), agent_type);
            let waiting = self
                .delegated
                .entry(self.runs.hash(prompt.trim()))
                .or_default();
            if waiting.len() < DELEGATED_AT_MOST {
                waiting.push_back(child);
            }
            let description = input.description.get();
            self.runs
                .set(child, |it| &mut it.details.description, description);
            if let Some(agent) = input.resume.get() {
                self.resumed(child, agent);
            }
        }
    }

    /// A call gives another task to an agent that has run before. `child` is the part of its run that
    /// begins with this task.
    fn resumed(&mut self, child: usize, agent: &str) {
        let is_known = self.runs.of_agent(agent).is_some();
        self.runs.name_agent(child, agent);
        let draft = self.runs.draft(child);
        draft.run.resumed = true;
        if !is_known {
            draft.first_task = FirstTask::Elsewhere;
        }
    }
}

/// The effect of a call of a file tool, by its arguments.
fn effect_of(input: &ClaudeInput) -> WriteEffect {
    if input.edits.0.is_some() {
        return effect::of_edits(input.edits);
    }
    effect::of_edit(input.old_string, input.new_string)
}

/// Whether Claude Code started the agent for its own purposes.
pub(in crate::clients) fn is_of_client(run: &Run) -> bool {
    let is_prewarming = run.prompt.as_deref().map(str::trim) == Some(PREWARMING);
    let id = run.agent_id.as_deref();
    let is_known = is_prewarming || id.is_some_and(|id| id.starts_with(COMPACTING));
    is_known && run.depth != Some(0)
}

fn tokens(usage: &ClaudeUsage) -> Tokens {
    let count = |number: LenientNumber| number.count().unwrap_or_default();
    Tokens {
        input: count(usage.input),
        output: count(usage.output),
        cache: count(usage.cache_creation).saturating_add(count(usage.cache_read)),
        total: 0,
    }
}

const INTERRUPTED: &str = "[Request interrupted by user";
/// The beginning of a message from a hook that does not let an agent stop.
const ASKED_AGAIN: &str = "Stop hook feedback:";

/// The text of a message. If the message is a list, the text of its first text block.
fn text_of<'a>(content: &Content<'a, ContentBlock<'a>>) -> Cow<'a, str> {
    match content {
        Content::Text(text) => text.clone(),
        Content::Nothing => Cow::Borrowed(""),
        Content::List(list) => {
            let block = list
                .objects
                .iter()
                .find(|block| block.kind.as_str() == "text");
            let text = block.map(|block| block.text).unwrap_or_default();
            let text: LenientText = text.parse();
            text.0.unwrap_or_default()
        }
    }
}

/// What another member of a team writes in a message.
fn message_to_member(text: &str) -> Option<&str> {
    let text = text.trim().strip_prefix("<teammate-message ")?;
    let (_, text) = text
        .strip_suffix("</teammate-message>")?
        .split_once(">\n")?;
    Some(text.trim_end())
}

/// How a run ended, by the client's error that is its last message.
fn end_of(status: Option<i64>, error: &str, message: &ClaudeMessage) -> End {
    if status == Some(429) || error == "rate_limit" {
        return End::Limit;
    }
    end_by_request(&text_of(&message.content))
}

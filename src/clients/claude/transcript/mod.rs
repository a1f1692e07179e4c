//! Transcripts of Claude Code, in all its layouts.
//!
//! The records of an agent are in a file of its own, or among its caller's records (`isSidechain`), or
//! inside `progress` records of its caller. The caller's transcript also has the call that started the
//! agent, the result of the call, and notifications that the agent has ended. One reader handles all of
//! them, and collects for each run what a file has about it.

mod results;

use std::collections::{HashMap, VecDeque};

use crate::clients::claude::{FACTS, START};
use crate::clients::failure::end_by_request;
use crate::clients::run::{
    CWD, CallKind, CallShell, ClientStatus, DESCRIPTION, End, FirstTask, Gap, JsonNode, LastRecord,
    MODEL, NewCall, Outcome, Reader, Run, Runs, SESSION, Tokens, VERSION, time_of,
};

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

const INTERRUPTED: &str = "[Request interrupted by user";
/// The beginning of a message from a hook that does not let an agent stop.
const ASKED_AGAIN: &str = "Stop hook feedback:";

#[derive(Debug, Default)]
pub(crate) struct Claude {
    runs: Runs,
    /// The run of each record that has no agent id, by the hash of the record's uuid.
    chain: HashMap<u64, usize>,
    inline: Option<usize>,
    has_stop_reasons: bool,
    /// The hash of the id of the last call that handed in a return, and its run.
    handed_in: Option<(u64, usize)>,
    /// Started runs that have no records yet, by the hashes of their prompts.
    delegated: HashMap<u64, VecDeque<usize>>,
}

/// A record, the run that it belongs to, its working directory, and its line.
#[derive(Clone, Copy)]
struct ClaudeRecord<'r> {
    run: usize,
    json: &'r JsonNode<'r>,
    cwd: Option<&'r str>,
    line: u64,
}

impl Reader for Claude {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn record(&mut self, record: &JsonNode, line: u64) {
        let is_inline = record.is("isSidechain") && record.get("agentId").is_none();
        match record.word("type") {
            "user" | "assistant" => {
                let run = self.run_of(record);
                self.runs.set(run, SESSION, record.get("sessionId"));
                let message = record.at("message");
                let content = message.at("content");
                if message.is_object() && content.text().is_none() && !content.is_list() {
                    // Those of Qwen Code have no content, but parts.
                    self.runs.note_unknown_record();
                }
                self.message(run, record, record, line);
            }
            "progress" => self.progress(record, line),
            "queue-operation" => self.notifications(record.word("content")),
            _ if is_inline => {
                self.inline_run(record);
            }
            _ if record.get("sessionId").is_none() => self.runs.note_unknown_record(),
            // A message of an unknown kind may have calls. Copies of requests have no id.
            _ if record.at("message").is_object() && record.get("uuid").is_some() => {
                self.runs.record_gap(Gap::Unreadable { line });
            }
            "" => self.runs.note_unknown_record(),
            _ => {}
        }
    }

    fn finish(&mut self) {
        if !self.has_stop_reasons {
            self.runs.mark_texts_at_end();
        }
    }
}

// Messages.
impl Claude {
    /// Reads a record of an agent inside a progress record of its caller.
    fn progress(&mut self, record: &JsonNode, line: u64) {
        let data = record.at("data");
        if let (Some(id), "agent_progress") = (data.get("agentId"), data.word("type")) {
            let run = self.runs.called_agent(record.word("parentToolUseID"), id);
            self.message(run, data.at("message"), record, line);
        }
    }

    /// Reads a message. `outer` is the record of the file that has it.
    fn message(&mut self, run: usize, record: &JsonNode, outer: &JsonNode, line: u64) {
        self.runs
            .draft(run)
            .record(time_of(record.word("timestamp")));
        let cwd = outer.get("cwd");
        let members = [(CWD, "cwd"), (VERSION, "version")];
        self.runs.set_all(run, outer, &members);
        let message = record.at("message");
        let place = ClaudeRecord {
            run,
            json: record,
            cwd,
            line,
        };
        match record.word("type") {
            _ if !message.is_object() => {}
            "user" => self.on_user(message, place),
            "assistant" if record.is("isApiErrorMessage") => self.on_error(message, place),
            "assistant" => self.on_assistant(message, place),
            _ => {}
        }
    }

    /// Reads a record of the user. Results of tools are in such records, too.
    fn on_user(&mut self, message: &JsonNode, record: ClaudeRecord) {
        let decision = record.json.at("permissionDecision").word("decision");
        let is_rejected = matches!(decision, "reject" | "deny");
        let blocks = message.at("content").list().iter();
        let results = blocks.filter(|block| block.word("type") == "tool_result");
        let mut has_result = false;
        for block in results {
            has_result = true;
            self.refused_return(block);
            self.result(block, record.json.at("toolUseResult"), is_rejected);
        }
        if has_result {
            return;
        }
        let text = text_of(message.at("content"));
        let is_meta = record.json.is("isMeta");
        let is_notification = record.json.at("origin").get("kind") == Some("task-notification");
        if text.starts_with(INTERRUPTED) {
            self.runs.end(record.run, End::Interrupted);
        } else if text.trim_start().starts_with(START) || is_notification {
            self.notifications(text);
            self.runs.message(record.run);
        } else if is_meta && text.starts_with(ASKED_AGAIN) {
            self.runs.ask_again(record.run);
        } else if is_meta {
            self.runs.message(record.run);
        } else {
            self.task(record.run, text);
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

    /// The message is an error of the client.
    fn on_error(&mut self, message: &JsonNode, record: ClaudeRecord) {
        let is_limit = record.json.number("apiErrorStatus") == Some(429)
            || record.json.word("error") == "rate_limit";
        let end = if is_limit {
            End::Limit
        } else {
            end_by_request(text_of(message.at("content")))
        };
        self.runs.end(record.run, end);
    }

    fn on_assistant(&mut self, message: &JsonNode, record: ClaudeRecord) {
        let run = record.run;
        if message.word("model") == "<synthetic>" {
            return;
        }
        self.runs.set(run, MODEL, message.get("model"));
        if let Some(usage) = message.object("usage") {
            let id = message.get("id").or(record.json.get("uuid"));
            let tokens = Tokens {
                input: usage.sum(["input_tokens"]),
                output: usage.sum(["output_tokens"]),
                cache: usage.sum(["cache_creation_input_tokens", "cache_read_input_tokens"]),
                total: 0,
            };
            self.runs.usage(run, id.unwrap_or_default(), tokens);
        }
        if let Some(text) = message.get("content") {
            self.runs.text(run, text);
        }
        let mut is_handed_in = false;
        for block in message.at("content").list() {
            match block.word("type") {
                "tool_use" if block.word("name") == HANDBACK => {
                    self.runs.text(run, block.at("input").word("message"));
                    self.handed_in = Some((self.runs.hash(block.word("id")), run));
                    is_handed_in = true;
                }
                "text" if !block.word("text").trim().is_empty() => {
                    self.runs.text(run, block.word("text"));
                }
                "text" => {}
                "tool_use" => self.on_tool_use(FACTS.kind_of(block.word("name")), block, record),
                // A tool of the server, or a call of a kind that is not known.
                _ if block.get("id").is_some() => {
                    self.on_tool_use(CallKind::Other, block, record);
                }
                // The results of such calls may be in the same message.
                _ => {
                    if let Some(place) = self.runs.call_place(block.word("tool_use_id")) {
                        self.runs.result_at(place, Outcome::Unknown);
                    }
                }
            }
        }
        // A call of the same message may follow a text, unless the record says that the message ends. A
        // reason of `null` says that it is not complete, or that this version never records it.
        let mut members = message.members().iter();
        let reason = members.find_map(|(name, it)| (name == "stop_reason").then(|| it.text()));
        self.has_stop_reasons |= matches!(reason, Some(Some(_)));
        let may_go_on = match reason {
            None => self.has_stop_reasons,
            Some(reason) => matches!(reason, None | Some("tool_use")),
        };
        if may_go_on && !is_handed_in {
            self.runs.draft(run).last = LastRecord::Call;
        }
    }

    /// A return that was handed in and refused: the agent is asked again.
    fn refused_return(&mut self, block: &JsonNode) {
        let id = self.runs.hash(block.word("tool_use_id"));
        if let Some((_, run)) = self.handed_in.filter(|(last, _)| *last == id)
            && block.is("is_error")
        {
            self.runs.ask_again(run);
        }
    }

    fn on_tool_use(&mut self, kind: CallKind, block: &JsonNode, record: ClaudeRecord) {
        let (name, input) = (block.word("name"), block.at("input"));
        let mut call = FACTS.call(kind, name, input, None, record.cwd);
        for path in &mut call.paths {
            // The client trims it, too.
            *path = path.trim();
        }
        let is_moved = record.cwd.is_none() || self.runs.has_open_command(record.run);
        let call = NewCall {
            id: block.word("id"),
            shell: if is_moved {
                CallShell::Shared
            } else {
                CallShell::Own
            },
            line: record.line,
            ..call
        };
        let is_start = matches!(name, "Task" | "Agent") && kind == CallKind::Delegate;
        if self.runs.call(record.run, &call).is_some() && is_start && input.is_object() {
            self.started(record.run, call.id, input);
        }
    }

    fn started(&mut self, caller: usize, call: &str, input: &JsonNode) {
        let prompt = input.word("prompt");
        let agent_type = input.get("subagent_type");
        let child = self.runs.start(caller, call, Some(prompt), agent_type);
        let prompt = self.runs.hash(prompt.trim());
        let waiting = self.delegated.entry(prompt).or_default();
        if waiting.len() < DELEGATED_AT_MOST {
            waiting.push_back(child);
        }
        self.runs.set(child, DESCRIPTION, input.get("description"));
        // The call may give another task to an agent that has run before. The child is the part of its run
        // that begins with this task.
        if let Some(agent) = input.get("resume") {
            let is_known = self.runs.of_agent(agent).is_some();
            self.runs.name_agent(child, agent);
            let draft = self.runs.draft(child);
            draft.run.resumed = true;
            if !is_known {
                draft.first_task = FirstTask::Elsewhere;
            }
        }
    }
}

// The runs of records.
impl Claude {
    fn run_of(&mut self, record: &JsonNode) -> usize {
        match record.get("agentId") {
            Some(id) => self.runs.agent(id),
            None if record.is("isSidechain") => self.inline_run(record),
            None => self.runs.main_agent(),
        }
    }

    /// The run of a record without an agent id: the run of its parent record, or the last such run if
    /// that is not known. Without a parent, a new run.
    fn inline_run(&mut self, record: &JsonNode) -> usize {
        let parent = record.get("parentUuid");
        let before = parent.and_then(|uuid| self.chain.get(&self.runs.hash(uuid)).copied());
        let run = match (before, parent, self.inline) {
            (Some(run), ..) | (None, Some(_), Some(run)) => run,
            _ => self.new_inline_run(record),
        };
        self.inline = Some(run);
        if let Some(uuid) = record.get("uuid")
            && self.chain.len() < CHAINED_AT_MOST
        {
            self.chain.insert(self.runs.hash(uuid), run);
        }
        run
    }

    /// The run of the first record of a chain: the run of a call with the same prompt, or else a new
    /// one.
    fn new_inline_run(&mut self, record: &JsonNode) -> usize {
        let prompt = text_of(record.at("message").at("content"));
        let mut waiting = self.delegated.get_mut(&self.runs.hash(prompt.trim()));
        while let Some(run) = waiting.as_mut().and_then(|runs| runs.pop_front()) {
            if !self.runs.draft(run).run.is_recorded {
                return run;
            }
        }
        self.runs.add()
    }
}

/// Whether Claude Code started the agent for its own purposes.
pub(crate) fn is_of_client(run: &Run) -> bool {
    let is_prewarming = run.prompt.as_deref().map(str::trim) == Some(PREWARMING);
    let id = run.agent_id.as_deref();
    let is_known = is_prewarming || id.is_some_and(|id| id.starts_with(COMPACTING));
    is_known && run.depth != Some(0)
}

/// A text. Of a list, the text of its first text block.
fn text_of<'r>(content: &'r JsonNode) -> &'r str {
    let mut blocks = content.list().iter();
    let first = blocks.find(|it| it.word("type") == "text");
    let first = first.map(|block| block.word("text"));
    content.text().or(first).unwrap_or_default()
}

/// What another member of a team writes in a message.
fn message_to_member(text: &str) -> Option<&str> {
    let text = text.trim().strip_prefix("<teammate-message ")?;
    let text = text.strip_suffix("</teammate-message>")?;
    Some(text.split_once(">\n")?.1.trim_end())
}

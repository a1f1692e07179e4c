//! Transcripts of Claude Code. The records of an agent are in a file of its own, or inside `progress` records
//! of its caller. The caller's transcript also has the call that started the agent, the result of the call,
//! and notifications that the agent has ended. One reader handles all of them, and collects for each run what
//! a file has about it.

use std::borrow::Cow;
use std::time::Duration;

use crate::clients::claude::{END, FACTS, START, decoded, element};
use crate::clients::failure::{begins_with, end_by, end_by_request};
use crate::clients::run::{
    CWD, CallKind, CallPlace, CallShell, ClientStatus, End, Gap, JsonNode, LastRecord, MODEL,
    Outcome, RunReader, Runs, SESSION, Tokens, VERSION, leading, test_summary, time_of,
};

/// The tool with whose message an agent ends in some modes, in place of a text.
const HANDBACK: &str = "SubagentHandback";

const INTERRUPTED: &str = "[Request interrupted by user";
/// The beginning of the result of a command that runs in the background. Its id follows.
const IN_BACKGROUND: &str = "Command running in background with ID: ";
/// The beginning of a message from a hook that does not let an agent stop.
const ASKED_AGAIN: &str = "Stop hook feedback:";

#[derive(Debug, Default)]
pub(crate) struct Claude {
    runs: Runs,
    has_stop_reasons: bool,
    /// The hash of the id of the last call that handed in a return, and its run.
    handed_in: Option<(u64, usize)>,
    /// Since the last call of an agent there were records of one without its name, as in old versions.
    has_unnamed: bool,
}

impl RunReader for Claude {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn record(&mut self, record: &JsonNode, line: u64) {
        let message = record.at("message");
        match record.word("type") {
            _ if record.is("isSidechain") && record.get("agentId").is_none() => {
                self.has_unnamed = true;
            }
            "user" | "assistant" => {
                let run = match record.get("agentId") {
                    Some(id) => self.runs.agent(id),
                    None => self.runs.main_agent(),
                };
                self.runs.set(run, SESSION, record.get("sessionId"));
                self.message(run, record, record, line);
            }
            "progress" => {
                let data = record.at("data");
                if let (Some(id), "agent_progress") = (data.get("agentId"), data.word("type")) {
                    let run = self.runs.called_agent(record.word("parentToolUseID"), id);
                    self.message(run, data.at("message"), record, line);
                }
            }
            "attachment" => {
                const ARE_NO_FILES: [&str; 4] = ["_delta", "_listing", "_reminder", "_permissions"];
                let kind = record.at("attachment").word("type");
                let is_file = !kind.starts_with("hook_")
                    && !ARE_NO_FILES.iter().any(|end| kind.ends_with(end));
                let run = match record.get("agentId") {
                    Some(id) => self.runs.of_agent(id),
                    None => self.runs.has_own().then(|| self.runs.own()),
                };
                if let Some(run) = run.filter(|_| is_file) {
                    self.runs.draft(run).run.was_told_more = true;
                }
            }
            "queue-operation" => self.notifications(record.word("content")),
            // A message of an unknown kind may have calls. Copies of requests have no id.
            _ if message.is_object() && record.get("uuid").is_some() => {
                self.runs.record_gap(Gap::Unreadable { line });
            }
            _ => {}
        }
    }

    fn finish(&mut self) {
        for draft in self.runs.drafts() {
            draft.run.ends_in_message = !self.has_stop_reasons;
        }
    }
}

impl Claude {
    /// Reads a message. `outer` is the record of the file that has it.
    fn message(&mut self, run: usize, record: &JsonNode, outer: &JsonNode, line: u64) {
        let time = time_of(record.word("timestamp"));
        self.runs.draft(run).record(time);
        let members = [(CWD, "cwd"), (VERSION, "version")];
        self.runs.set_all(run, outer, &members);
        let message = record.at("message");
        match record.word("type") {
            _ if !message.is_object() => {}
            "user" => self.on_user(run, message, record),
            "assistant" if record.is("isApiErrorMessage") => {
                let is_limit = record.number("apiErrorStatus") == Some(429)
                    || record.word("error") == "rate_limit";
                let end = end_by_request(message.at("content").first_text());
                self.runs.end(run, if is_limit { End::Limit } else { end });
            }
            "assistant" => {
                let place = (outer.get("cwd"), line);
                self.on_assistant(run, message, record.word("uuid"), place);
            }
            _ => {}
        }
    }

    fn on_user(&mut self, run: usize, message: &JsonNode, record: &JsonNode) {
        let blocks = message.at("content").list().iter();
        let results = blocks.filter(|block| block.word("type") == "tool_result");
        if results.map(|block| self.result(block, record)).count() > 0 {
            return;
        }
        let text = message.at("content").first_text();
        let is_meta = record.is("isMeta");
        let is_notification = record.at("origin").word("kind") == "task-notification";
        if text.starts_with(INTERRUPTED) {
            self.runs.end(run, End::Interrupted);
        } else if text.trim_start().starts_with(START) || is_notification {
            self.notifications(text);
            self.runs.message(run);
        } else if is_meta && text.starts_with(ASKED_AGAIN) {
            self.runs.ask_again(run);
        } else if is_meta {
            self.runs.message(run);
        } else {
            // A member of a team gets its first task as a message.
            let sent = message_to_member(text);
            let known = &mut self.runs.draft(run).run;
            if sent.is_some() && known.prompt.is_none() {
                known.details.status = Some(ClientStatus::Teammate);
            }
            self.runs.task(run, sent.unwrap_or(text));
            // Of several parts, only the first text is its prompt.
            let parts = message.at("content").list().len();
            self.runs.draft(run).run.was_told_more |= parts > 1;
        }
    }

    fn on_assistant(
        &mut self,
        run: usize,
        message: &JsonNode,
        uuid: &str,
        place: (Option<&str>, u64),
    ) {
        if message.word("model") == "<synthetic>" {
            return;
        }
        self.runs.set(run, MODEL, message.get("model"));
        if let Some(usage) = message.object("usage") {
            let tokens = Tokens {
                input: usage.sum(["input_tokens"]),
                output: usage.sum(["output_tokens"]),
                cache: usage.sum(["cache_creation_input_tokens", "cache_read_input_tokens"]),
                total: 0,
            };
            self.runs.usage(run, message.get("id").unwrap_or(uuid), tokens);
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
                "thinking" | "redacted_thinking" => self.runs.reasoning(run),
                "tool_use" => {
                    self.on_tool_use(run, FACTS.kind_of(block.word("name")), block, place);
                }
                // A tool of the server, or a call of a kind that is not known.
                _ if block.get("id").is_some() => {
                    self.on_tool_use(run, CallKind::Other, block, place);
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
        let reason = message.get("stop_reason");
        self.has_stop_reasons |= reason.is_some();
        let mut members = message.members().iter();
        let is_told = members.any(|(name, _)| name == "stop_reason");
        let may_go_on = reason.map_or(is_told || self.has_stop_reasons, |it| it == "tool_use");
        let draft = self.runs.draft(run);
        let may_end = !self.has_stop_reasons && draft.last == LastRecord::Reasoning;
        if may_go_on && !is_handed_in && !may_end {
            draft.last = LastRecord::Call;
        }
        if reason == Some("max_tokens") && !is_handed_in {
            self.runs.cut(run);
        }
    }

    fn on_tool_use(
        &mut self,
        run: usize,
        kind: CallKind,
        block: &JsonNode,
        place: (Option<&str>, u64),
    ) {
        let (id, name, input) = (block.word("id"), block.word("name"), block.at("input"));
        let mut call = FACTS.call((kind, name), input, None, place);
        for path in &mut call.paths {
            // The client trims it, too.
            *path = path.trim().to_owned();
        }
        if place.0.is_none() || self.runs.has_open_command(run) {
            call.shell = CallShell::Shared;
        }
        let is_start = matches!(name, "Task" | "Agent") && kind == CallKind::Delegate;
        if self.runs.call(run, id, call).is_some() && is_start && input.is_object() {
            let (prompt, agent_type) = (input.word("prompt"), input.get("subagent_type"));
            let child = self.runs.start(run, id, Some(prompt), agent_type);
            self.has_unnamed = false;
            // In old versions a call may give another task to an agent that has run before.
            if let Some(agent) = input.get("resume") {
                let child = self.runs.name_agent(child, agent);
                let draft = self.runs.draft(child);
                (draft.run.resumed, draft.is_continued) = (true, true);
            }
        }
    }
}

// Results of tools, and what the client says of agents that have ended.
impl Claude {
    /// Reads a result, and what the client records of it beside the block.
    fn result(&mut self, block: &JsonNode, record: &JsonNode) {
        let id = block.word("tool_use_id");
        // A return that was handed in and refused: the agent is asked again.
        if let Some((last, run)) = self.handed_in
            && last == self.runs.hash(id)
            && block.is("is_error")
        {
            self.runs.ask_again(run);
        }
        let Some(place) = self.runs.call_place(id) else {
            return;
        };
        let result = record.at("toolUseResult");
        let decision = record.at("permissionDecision").word("decision");
        let kind = self.runs.call_at(place).kind;
        let text = block.at("content").first_text();
        let error = block.is("is_error").then_some(text);
        let outcome = match error {
            Some(_) if matches!(decision, "reject" | "deny") => Outcome::Rejected,
            Some(text) => outcome_of_error(text, kind),
            None if result.is("interrupted") => Outcome::Unknown,
            None => Outcome::Succeeded,
        };
        self.runs.result_at(place, outcome);
        let path = result.get("filePath").or(result.get("notebook_path"));
        if let Some(path) = path.filter(|_| kind == CallKind::Write) {
            self.runs.report_paths(place, &[path]);
        }
        let call = self.runs.call_at(place);
        if kind == CallKind::Write && is_rewrite(result) {
            call.is_rewrite = true;
        }
        if kind == CallKind::Command {
            call.exit_code = error.and_then(|error| leading(error.strip_prefix("Exit code ")?));
            call.is_silent = is_silent(result);
            test_summary::note(call, block.at("content"));
        }
        let task = result.get("backgroundTaskId");
        if call.background || task.is_some() {
            call.background = true;
            // The agents' own records have it in the text alone.
            let told = || text.strip_prefix(IN_BACKGROUND)?.split_once('.');
            let task = task.or_else(|| Some(told()?.0));
            call.task_id = task.map(str::to_owned);
            if outcome == Outcome::Succeeded && kind == CallKind::Command {
                call.outcome = Outcome::Unknown;
            }
        }
        if kind == CallKind::Delegate
            && let Some(child) = self.runs.started_by(id)
        {
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
        let id = result.get("agentId");
        let child = id.map_or(child, |id| self.runs.name_called(place, child, id));
        let outcome = self.runs.call_at(place).outcome;
        if let Some(error) = error {
            let known = &mut self.runs.draft(child).run;
            let has_begun = known.is_recorded || self.has_unnamed;
            let end = match outcome {
                // A request that was aborted looks like one that failed.
                Outcome::Unknown if known.end == End::ApiError => End::Interrupted,
                // The agent's own records say more about its end.
                _ if known.end.is_error() => known.end,
                Outcome::Rejected if !has_begun => End::NotStarted,
                _ if !has_begun && begins_with("not-started", error) => End::NotStarted,
                Outcome::Rejected | Outcome::Unknown => End::Interrupted,
                _ => end_by(error),
            };
            known.details.status = Some(match end {
                End::Interrupted if self.has_unnamed => ClientStatus::Stopped,
                _ => ClientStatus::Failed,
            });
            self.runs.end(child, end);
        }
        if !result.is_object() {
            return;
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
        // A notification that came before says more.
        if status != Some(ClientStatus::Launched) || details.status.is_none() {
            details.status = status.or(details.status);
        }
        if !matches!(status, Some(ClientStatus::Completed | ClientStatus::Failed)) {
            return;
        }
        let counts = ["totalToolUseCount", "totalTokens", "totalDurationMs"];
        let counts = counts.map(|name| result.count(name));
        let end = self.report(child, answer(result).map(Cow::Borrowed), counts);
        let draft = self.runs.draft(child);
        if draft.run.end == End::Unknown {
            draft.run.end = end;
            draft.last = LastRecord::End;
        }
    }

    /// Notes what the caller's records say of an agent. Returns how it ended if it is completed.
    fn report(
        &mut self,
        run: usize,
        answer: Option<Cow<'_, str>>,
        [calls, tokens, milliseconds]: [Option<u64>; 3],
    ) -> End {
        let end = match tokens {
            // The text of an error is in the place of the answer.
            Some(0) => end_by_request(answer.as_deref().unwrap_or_default()),
            _ => End::Answered,
        };
        let answer = answer.and_then(|text| self.runs.store(&text));
        let draft = self.runs.draft(run);
        draft.reported_answer = answer.or(draft.reported_answer.take());
        draft.run.reported_calls = calls.or(draft.run.reported_calls);
        let details = &mut draft.run.details;
        details.context_tokens = tokens.or(details.context_tokens);
        details.duration = milliseconds.map(Duration::from_millis).or(details.duration);
        end
    }

    /// Reads the notifications in a message. A later one of the same agent replaces an earlier one.
    fn notifications(&mut self, text: &str) {
        let mut rest = text;
        // A result may quote the beginning of another one.
        while let Some((_, inside)) = rest.split_once(START) {
            let notification;
            (notification, rest) = inside.split_once(END).unwrap_or((inside, ""));
            self.notification(notification);
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
        let run = match known {
            Some(run) => self.runs.name_agent(run, agent),
            None if result.is_some() => self.runs.agent(agent),
            None => return,
        };
        let status = element(text, "status").unwrap_or_default();
        let answer = result.filter(|_| status == "completed").map(decoded);
        let tokens = count(text, "subagent_tokens").or(count(text, "total_tokens"));
        let counts = [count(text, "tool_uses"), tokens, count(text, "duration_ms")];
        let completed = self.report(run, answer, counts);
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

/// How a call ended that has this error as its result.
fn outcome_of_error(text: &str, kind: CallKind) -> Outcome {
    match begins_with("stopped", text) {
        // Nothing was written.
        true if kind == CallKind::Write => Outcome::Rejected,
        _ if begins_with("denied", text) => Outcome::Rejected,
        is_stopped if is_stopped || text.starts_with(INTERRUPTED) => Outcome::Unknown,
        _ => Outcome::Failed,
    }
}

/// Whether a command wrote no errors of a shell. Some versions record them in the output.
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

fn message_to_member(text: &str) -> Option<&str> {
    let text = text.trim().strip_prefix("<teammate-message ")?;
    let text = text.strip_suffix("</teammate-message>")?;
    Some(text.split_once(">\n")?.1.trim_end())
}

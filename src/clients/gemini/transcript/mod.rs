//! Sessions of Gemini CLI. A file has lines with records and changes to earlier records; in older
//! versions it is one document. An agent's session has its own file.

pub(in crate::clients) mod record;
pub(in crate::clients) use std::borrow::Cow;

use serde::de::IgnoredAny;

use crate::clients::gemini::FACTS;
use crate::clients::run::{
    CallKind, CallPlace, CallShell, ClientStatus, Content, End, EnteredCall, Gap, LastRecord,
    LenientText, LineCount, NewCall, Outcome, RawText, Reader, Run, Runs, Tokens, WriteEffect,
    each, effect, elements, end_by_request, joined, test_summary, texts,
};
use crate::json::reader::{JsonReader, ReadResult};
use crate::text::surrogates::without_halves;
use record::{
    GeminiArguments, GeminiPart, GeminiRecord, GeminiUsage, Response, ShownChange, ToolCall,
};

/// The client's message to an agent that stops without an answer. The agent gets one more turn.
const LAST_CHANCE: &str = "You have stopped calling tools without finishing";
/// The beginning of the client's own first message.
const CONTEXT: &str = "<session_context>";
/// The text before the exit code, which is on a line of its own. The newline is escaped in JSON.
const EXIT_CODE: &[u8] = b"\\nExit Code: ";
/// How many bytes at the end of an output are searched for its exit code.
const TAIL: usize = 1024;

#[derive(Debug, Default)]
pub(in crate::clients) struct Gemini {
    runs: Runs,
    run: Option<usize>,
    cwd: Option<String>,
    is_warned: bool,
    has_answer: bool,
    /// The hash of the id of the last message to the agent, which may be repeated as a change.
    last_message: Option<u64>,
}

impl Reader for Gemini {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn read(&mut self, text: &str, line: u64) -> bool {
        each(text, |record: &GeminiRecord| self.record(record, line))
    }

    fn finish(&mut self) -> Vec<Run> {
        if let (Some(run), true, false) = (self.run, self.is_warned, self.has_answer) {
            self.runs.draft(run).run.end = End::Failed;
        }
        self.runs.finish()
    }
}

pub(in crate::clients) fn read_document(document: &str) -> Vec<Run> {
    let mut session = Gemini::default();
    let mut place = LineCount::new(document);
    let mut json = JsonReader::new(document, &mut []);
    let result = session.document(&mut json, &mut place);
    if result.is_err() || !json.rest().is_empty() {
        let line = place.line(&mut json);
        session.runs.record_gap(Gap::Unreadable { line });
    }
    session.finish()
}

impl Gemini {
    fn document(&mut self, document: &mut JsonReader, place: &mut LineCount) -> ReadResult<()> {
        let mut head = GeminiRecord::default();
        document.members(|document, name| {
            match name {
                "sessionId" => head.session_id = document.value()?,
                "projectHash" => head.project_hash = document.value()?,
                "kind" => head.kind = document.value()?,
                "startTime" => head.start_time = document.value()?,
                "directories" => head.directories = document.value()?,
                "messages" => {
                    if head.project_hash.get().is_some() {
                        self.session(&head);
                    }
                    document.items(|message| {
                        let line = place.line(message);
                        if let Some(record) = &message.value::<Option<GeminiRecord>>()? {
                            self.message(record, line);
                        }
                        Ok(())
                    })?;
                }
                _ => {
                    document.value::<IgnoredAny>()?;
                }
            }
            Ok(())
        })
    }

    fn record(&mut self, record: &GeminiRecord, line: u64) {
        if record.project_hash.get().is_some() && self.run.is_none() {
            self.session(record);
        }
        if let Some(set) = &record.set {
            elements(set.messages, |message| {
                let message: Option<GeminiRecord> = message.parse();
                if let Some(message) = &message {
                    self.message(message, line);
                }
            });
        }
        // Records of other clients may have ids, too, but their types contain a dot.
        let is_message = !record.message_type.as_str().contains('.');
        if record.id.get().is_some() && is_message {
            self.message(record, line);
        } else if record.project_hash.get().is_none() && record.set.is_none() {
            self.runs.note_unknown_record();
        }
    }

    fn run(&mut self) -> usize {
        let run = *self.run.get_or_insert_with(|| self.runs.add());
        self.runs.draft(run).has_records = true;
        run
    }

    fn session(&mut self, record: &GeminiRecord) {
        let run = self.run();
        let id = record.session_id.as_str();
        if record.kind.get() == Some("subagent") {
            self.runs.name_agent(run, id);
        } else {
            let session = self.runs.store(id);
            let draft = self.runs.draft(run);
            draft.run.session = session;
            draft.run.depth = Some(0);
        }
        self.runs.draft(run).at(record.start_time.as_str());
        let mut first = true;
        elements(record.directories, |folder| {
            let folder: LenientText = folder.parse();
            if std::mem::take(&mut first) {
                self.cwd = folder.get().and_then(|folder| self.runs.store(folder));
                self.runs.set(run, |it| &mut it.details.cwd, folder.get());
            }
        });
    }

    fn message(&mut self, record: &GeminiRecord, line: u64) {
        let run = self.run();
        self.runs.draft(run).at(record.timestamp.as_str());
        match record.message_type.as_str() {
            "user" => self.on_user(run, record),
            "gemini" => self.on_assistant(run, record, line),
            "error" => self
                .runs
                .end(run, end_by_request(&text_of(&record.content))),
            "info" if text_of(&record.content).starts_with("Request cancelled") => {
                self.runs.end(run, End::Interrupted);
            }
            _ => {}
        }
    }

    fn on_user(&mut self, run: usize, record: &GeminiRecord) {
        let id = self.runs.hash(record.id.as_str());
        let text = text_of(&record.content);
        // Results of tools are messages of the user, too, but have no text.
        if self.last_message.replace(id) == Some(id) || text.is_empty() || text.starts_with(CONTEXT)
        {
            return;
        }
        if text.starts_with(LAST_CHANCE) {
            self.is_warned = true;
            self.runs.message(run);
        } else {
            self.runs.task(run, &text);
        }
    }

    fn on_assistant(&mut self, run: usize, record: &GeminiRecord, line: u64) {
        self.runs
            .set(run, |it| &mut it.details.model, record.model.get());
        if let Some(usage) = &record.tokens {
            self.runs.usage(run, record.id.as_str(), tokens(usage));
        }
        let calls = &record.tool_calls;
        if calls.is_cut {
            self.runs.record_gap(Gap::TooMuch);
        }
        for call in &calls.objects {
            self.on_tool_use(run, call, line);
        }
        if calls.objects.is_empty() {
            let text = text_of(&record.content);
            if !text.trim().is_empty() {
                self.runs.text(run, &text);
            }
        }
    }

    fn on_tool_use(&mut self, run: usize, call: &ToolCall, line: u64) {
        let name = call.name.as_str();
        let kind = FACTS.kind_of(name);
        let none = GeminiArguments::default();
        let arguments = call.args.as_deref().unwrap_or(&none);
        let path = arguments
            .file_path
            .get()
            .filter(|_| kind == CallKind::Write);
        let command = arguments.command.get();
        let id = call.id.as_str();
        let EnteredCall { is_new, place } = self.runs.call(
            run,
            &NewCall {
                id,
                name,
                kind,
                paths: path.as_slice(),
                effect: effect::of_edit(arguments.old_string, arguments.new_string),
                command: command.filter(|_| kind == CallKind::Command),
                background: arguments.is_background.is_true(),
                cwd: joined(self.cwd.as_deref(), arguments.folder.get()).as_deref(),
                shell: CallShell::Own,
                line,
            },
        );
        if is_new && kind == CallKind::Delegate {
            let (prompt, agent) = (arguments.prompt.get(), arguments.agent_name.get());
            self.runs.start(run, id, prompt, agent);
        }
        if let Some(place) = place {
            self.result(place, call, arguments);
        }
    }

    fn result(&mut self, place: CallPlace, call: &ToolCall, arguments: &GeminiArguments) {
        let is_command = self.runs.call_at(place).kind == CallKind::Command;
        let output = response(call).and_then(|response| response.output.0);
        let exit_code = output.filter(|_| is_command).and_then(exit_code);
        let outcome = match call.status.as_str() {
            "success" if exit_code.is_some_and(|code| code != 0) => Outcome::Failed,
            "success" if arguments.is_background.is_true() => Outcome::Unknown,
            "success" => Outcome::Succeeded,
            "error" => Outcome::Failed,
            "cancelled" if was_refused(call) => Outcome::Rejected,
            // It may have been running.
            "cancelled" => Outcome::Unknown,
            _ => return,
        };
        if self.runs.call_at(place).outcome != Outcome::Unknown {
            return;
        }
        self.runs.result_at(place, outcome);
        let child = self.runs.started_by(call.id.as_str());
        if let (Some(child), "success" | "error") = (child, call.status.as_str()) {
            let is_success = outcome == Outcome::Succeeded;
            let status = if is_success {
                ClientStatus::Completed
            } else {
                ClientStatus::Failed
            };
            self.runs.draft(child).run.details.status = Some(status);
        }
        let known = self.runs.call_at(place);
        known.exit_code = exit_code;
        known.test_summary = test_summary::of_command(known.kind, RawText(output));
        if known.kind == CallKind::Write {
            let shown: Option<ShownChange> = call.result_display.parse();
            let shown = shown.unwrap_or_default();
            known.effect = known.effect.max(effect_of(&shown));
            if let Some(path) = shown.file_path.get() {
                self.runs.report_path(place, path);
            }
        }
        if call.name.get() == Some("complete_task") && outcome == Outcome::Succeeded {
            let text: LenientText = arguments.result.parse();
            let raw = arguments.result.0.unwrap_or_default();
            let raw = without_halves(raw).map_or(Cow::Borrowed(raw), Cow::Owned);
            self.runs.text(place.0, text.get().unwrap_or(&raw));
            self.runs.draft(place.0).last = LastRecord::End;
            self.has_answer = true;
        }
    }
}

fn tokens(usage: &GeminiUsage) -> Tokens {
    let cache = usage.cached.count().unwrap_or_default();
    let output = usage.output.count().unwrap_or_default();
    let thoughts = usage.thoughts.count().unwrap_or_default();
    let input = usage.input.count().unwrap_or_default();
    Tokens {
        input: input.saturating_sub(cache),
        output: output.saturating_add(thoughts),
        cache,
        total: usage.total.count().unwrap_or_default(),
    }
}

fn text_of<'a>(content: &Content<'a, GeminiPart<'a>>) -> Cow<'a, str> {
    if let Content::Text(text) = content {
        return text.clone();
    }
    Cow::Owned(texts(content.list().iter().map(|part| part.text)))
}

/// The effect of a file tool, by the contents before and after that the client records.
fn effect_of(shown: &ShownChange) -> WriteEffect {
    if shown.is_new_file.is_true() {
        return WriteEffect::Change;
    }
    effect::of_contents(shown.original_content, shown.new_content)
}

fn response<'c, 'a>(call: &'c ToolCall<'a>) -> Option<&'c Response<'a>> {
    let part = call.result.objects.first()?;
    part.function_response.as_ref()?.response.as_ref()
}

/// Whether the user did not allow the call, so that it never ran.
fn was_refused(call: &ToolCall) -> bool {
    let error = response(call).and_then(|response| response.error.0);
    error.is_some_and(|error| error.contains("did not allow"))
}

/// The exit code at the end of a command's output. The client reports success for every exit code.
pub(in crate::clients) fn exit_code(output: &str) -> Option<i64> {
    let tail = &output[output.floor_char_boundary(output.len().saturating_sub(TAIL))..];
    let is_it = |at: &usize| tail.as_bytes()[*at..].starts_with(EXIT_CODE);
    let at = memchr::memrchr_iter(b'\\', tail.as_bytes()).find(is_it)?;
    let code = &tail[at + EXIT_CODE.len()..];
    let end = code.bytes().position(|byte| !byte.is_ascii_digit());
    code[..end?].parse().ok()
}

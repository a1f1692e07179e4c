//! Sessions of Qwen Code: lines with records. An agent's records are in a file of its own.

mod record;

use crate::clients::gemini;
use crate::clients::gemini::transcript::exit_code;
use crate::clients::gemini::transcript::record::GeminiArguments;
use crate::clients::qwen::FACTS;
use crate::clients::run::{
    CallKind, CallShell, Gap, NewCall, Outcome, RawText, Reader, Runs, Tokens, each, effect,
    joined, test_summary, texts,
};
use record::{FunctionCall, FunctionResult, QwenParts, QwenRecord, QwenUsage};

/// The tool that starts a subagent.
const AGENT: &str = "agent";

/// What the client says of a call that somebody stopped. It may have been running.
const CANCELLED: &str = "ancelled";

#[derive(Debug, Default)]
pub(in crate::clients) struct Qwen {
    runs: Runs,
    main: Option<usize>,
}

impl Reader for Qwen {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn read(&mut self, text: &str, line: u64) -> bool {
        each(text, |record: &QwenRecord| self.record(record, line))
    }
}

impl Qwen {
    fn record(&mut self, record: &QwenRecord, line: u64) {
        let kind = record.kind.as_str();
        let parts = record.message.as_ref().filter(|it| it.parts.0.is_some());
        let (Some(message), "user" | "assistant" | "tool_result") = (parts, kind) else {
            if kind != "system" {
                self.runs.note_unknown_record();
            }
            return;
        };
        let parts: QwenParts = message.parts.parse();
        let run = self.run_of(record);
        self.runs.draft(run).at(record.timestamp.as_str());
        self.runs
            .set(run, |it| &mut it.details.cwd, record.cwd.get());
        self.runs
            .set(run, |it| &mut it.details.model, record.model.get());
        let version = record.version.get();
        self.runs
            .set(run, |it| &mut it.details.client_version, version);
        if parts.is_cut {
            self.runs.record_gap(Gap::TooMuch);
        }
        match kind {
            "user" => self.on_user(run, record, &parts),
            "assistant" => self.on_assistant(run, record, &parts, line),
            _ => {
                let parts = parts.objects.iter();
                for result in parts.filter_map(|part| part.function_response.as_deref()) {
                    self.result(result);
                }
            }
        }
    }

    fn run_of(&mut self, record: &QwenRecord) -> usize {
        let run = match record.agent_id.get() {
            Some(id) => self.runs.agent(id),
            None => *self.main.get_or_insert_with(|| self.runs.add()),
        };
        if self.runs.draft(run).has_records {
            return run;
        }
        let session = record.session_id.get();
        self.runs.set(run, |it| &mut it.session, session);
        let name = record.agent_name.get();
        self.runs.set(run, |it| &mut it.agent_type, name);
        let draft = self.runs.draft(run);
        draft.has_records = true;
        if record.agent_id.get().is_none() {
            draft.run.depth = Some(0);
        }
        run
    }

    /// The first message of a user to an agent is its task. Later ones may be of a hook, or of its caller.
    fn on_user(&mut self, run: usize, record: &QwenRecord, parts: &QwenParts) {
        let is_first = self.runs.draft(run).run.prompt.is_none();
        let is_main = record.agent_id.get().is_none() && record.subtype.get().is_none();
        if is_first || is_main {
            self.runs.task(run, &text_of(parts));
        } else {
            self.runs.message(run);
        }
    }

    fn on_assistant(&mut self, run: usize, record: &QwenRecord, parts: &QwenParts, line: u64) {
        if let Some(usage) = &record.usage_metadata {
            self.runs.usage(run, record.uuid.as_str(), tokens(usage));
        }
        let text = text_of(parts);
        if !text.trim().is_empty() {
            self.runs.text(run, &text);
        }
        let parts = parts.objects.iter();
        for call in parts.filter_map(|part| part.function_call.as_deref()) {
            self.on_call(run, call, record.cwd.get(), line);
        }
    }

    fn on_call(&mut self, run: usize, call: &FunctionCall, cwd: Option<&str>, line: u64) {
        let (id, name) = (call.id.as_str(), call.name.as_str());
        let kind = match FACTS.kind_of(name) {
            CallKind::Other => gemini::FACTS.kind_of(name),
            kind => kind,
        };
        let none = GeminiArguments::default();
        let arguments = call.args.as_deref().unwrap_or(&none);
        let path = arguments.file_path.get();
        let path = path.filter(|_| kind == CallKind::Write);
        let command = arguments.command.get();
        let cwd = joined(cwd, arguments.folder.get());
        let new = NewCall {
            id,
            name,
            kind,
            paths: path.as_slice(),
            effect: effect::of_edit(arguments.old_string, arguments.new_string),
            command: command.filter(|_| kind == CallKind::Command),
            background: arguments.is_background.is_true(),
            cwd: cwd.as_deref(),
            shell: CallShell::Own,
            line,
        };
        let is_new = self.runs.call(run, &new).is_new;
        if let (true, AGENT, Some(agent)) = (is_new, name, arguments.agent_name.get()) {
            let prompt = arguments.prompt.get();
            let child = self.runs.start(run, id, prompt, Some(agent));
            self.runs.name_agent(child, &format!("{agent}-{id}"));
        }
    }

    fn result(&mut self, result: &FunctionResult) {
        let response = result.response.as_ref();
        let error = response.and_then(|response| response.error.0);
        let output = response.and_then(|response| response.output.0);
        let Some(place) = self.runs.call_place(result.id.as_str()) else {
            return;
        };
        let call = self.runs.call_at(place);
        let of_command = output.filter(|_| call.kind == CallKind::Command);
        let exit_code = of_command.and_then(exit_code);
        let outcome = match error {
            Some(error) if error.contains(CANCELLED) => Outcome::Unknown,
            Some(_) => Outcome::Failed,
            None if call.background || output.is_none() => Outcome::Unknown,
            None if exit_code.is_some_and(|code| code != 0) => Outcome::Failed,
            None => Outcome::Succeeded,
        };
        call.exit_code = exit_code;
        call.test_summary = test_summary::of_command(call.kind, RawText(output));
        self.runs.result_at(place, outcome);
    }
}

fn tokens(usage: &QwenUsage) -> Tokens {
    let cache = usage.cached.count().unwrap_or_default();
    let input = usage.input.count().unwrap_or_default();
    Tokens {
        input: input.saturating_sub(cache),
        output: usage.output.count().unwrap_or_default(),
        cache,
        total: usage.total.count().unwrap_or_default(),
    }
}

/// What a message says, without the thoughts.
fn text_of(parts: &QwenParts) -> String {
    let parts = parts.objects.iter();
    let said = parts.filter(|part| !part.thought.is_true());
    texts(said.map(|part| part.text))
}

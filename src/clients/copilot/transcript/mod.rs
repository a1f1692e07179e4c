//! Event logs of Copilot CLI. One file has a session with all its agents.

mod record;

use std::collections::HashMap;
use std::time::Duration;

use crate::clients::copilot::FACTS;
use crate::clients::run::{
    CallKind, CallShell, ClientStatus, End, LastRecord, LenientNumber, LenientText, NewCall,
    Outcome, Reader, Run, Runs, Tokens, WriteEffect, each, effect, hash, patch, revision,
    test_summary,
};
use record::{CopilotArguments, CopilotData, CopilotRecord};

/// The most agents that wait for a hook at the same time.
const STOPPING_AT_MOST: usize = 1024;

#[derive(Debug, Default)]
pub(in crate::clients) struct Copilot {
    runs: Runs,
    main: Option<usize>,
    /// The runs of agents that wait for a hook, by the hash of the hook's invocation id.
    stopping: HashMap<u64, usize>,
    cwd: Option<String>,
    revision: Option<String>,
}

impl Reader for Copilot {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn read(&mut self, text: &str, line: u64) -> bool {
        each(text, |record: &CopilotRecord| self.record(record, line))
    }

    fn finish(&mut self) -> Vec<Run> {
        let mut runs = self.runs.finish();
        let main = self.main.map(|main| runs[main].clone());
        for run in &mut runs {
            run.base_revision.clone_from(&self.revision);
            // All agents of the file are of one session.
            if let Some(main) = &main {
                run.session.clone_from(&main.session);
                run.details.cwd.clone_from(&main.details.cwd);
                let version = &main.details.client_version;
                run.details.client_version.clone_from(version);
            }
        }
        runs
    }
}

impl Copilot {
    fn record(&mut self, record: &CopilotRecord, line: u64) {
        let Some(data) = &record.data else {
            return self.runs.note_unknown_record();
        };
        let kind = record.kind.as_str();
        match kind {
            "hook.start" => return self.hook_started(data),
            "hook.end" => return self.hook_ended(data),
            _ => {}
        }
        let run = match record.agent_id.get() {
            Some(id) if kind == "subagent.started" => self.started(id, data),
            Some(id) => self.runs.agent(id),
            None => self.main(),
        };
        let draft = self.runs.draft(run);
        draft.has_records = true;
        draft.at(record.timestamp.as_str());
        match kind {
            "session.start" | "session.resume" => self.session(run, data),
            "user.message" => self.on_user(run, data),
            "assistant.message" => self.on_assistant(run, data),
            "tool.execution_start" => self.on_tool_use(run, data, line),
            "tool.execution_complete" => self.result(data),
            "session.error" => self.runs.end(run, End::ApiError),
            "abort" => self.runs.end(run, End::Interrupted),
            "subagent.completed" => self.completed(run, data),
            "subagent.failed" => {
                self.runs.draft(run).run.details.status = Some(ClientStatus::Failed);
                self.runs.end(run, End::Failed);
            }
            _ => {}
        }
    }

    fn main(&mut self) -> usize {
        *self.main.get_or_insert_with(|| {
            let run = self.runs.add();
            self.runs.draft(run).run.depth = Some(0);
            run
        })
    }

    fn session(&mut self, run: usize, data: &CopilotData) {
        let session = data.session_id.get();
        self.runs.set(run, |it| &mut it.session, session);
        let version = data.copilot_version.get();
        self.runs
            .set(run, |it| &mut it.details.client_version, version);
        if let Some(context) = &data.context {
            let cwd = context.cwd.get().and_then(|cwd| self.runs.store(cwd));
            self.cwd = cwd;
            self.runs
                .set(run, |it| &mut it.details.cwd, context.cwd.get());
            self.revision = revision(context.head_commit.as_str());
        }
    }

    /// The run of an agent that starts. It may be known already by the call that started it.
    fn started(&mut self, id: &str, data: &CopilotData) -> usize {
        let call = data.tool_call_id.as_str();
        let run = self.runs.called_agent(call, id);
        let name = data.agent_type.get().or(data.agent_name.get());
        let name = name.and_then(|name| self.runs.store(name));
        self.runs.draft(run).run.agent_type = name;
        self.runs
            .set(run, |it| &mut it.details.model, data.model.get());
        if let Some(place) = self.runs.call_place(call) {
            self.runs.name_called(place, run, id);
        }
        run
    }

    fn hook_started(&mut self, data: &CopilotData) {
        let Some(input) = &data.input else { return };
        let is_stop = input.stop_reason.get().is_some();
        if let (true, Some(id)) = (is_stop, input.agent_id.get())
            && self.stopping.len() < STOPPING_AT_MOST
        {
            let run = self.runs.agent(id);
            let invocation = hash(data.hook_invocation_id.as_str());
            self.stopping.insert(invocation, run);
        }
    }

    fn hook_ended(&mut self, data: &CopilotData) {
        let invocation = hash(data.hook_invocation_id.as_str());
        let run = self.stopping.remove(&invocation);
        let decision: LenientText = data.output.member("decision");
        if let (Some(run), "block") = (run, decision.as_str()) {
            self.runs.ask_again(run);
        }
    }

    fn on_user(&mut self, run: usize, data: &CopilotData) {
        // Messages of hooks to an agent have the system as their source.
        if data.source.get() == Some("system") {
            self.runs.message(run);
        } else {
            self.runs.task(run, data.content.as_str());
        }
    }

    fn on_assistant(&mut self, run: usize, data: &CopilotData) {
        let text = data.content.as_str();
        self.runs
            .set(run, |it| &mut it.details.model, data.model.get());
        if text.trim().is_empty() {
            self.runs.no_text(run);
        } else {
            self.runs.text(run, text);
        }
        // The calls have their own records, which follow this one.
        let requests = data.tool_requests.0.unwrap_or_default();
        if requests
            .bytes()
            .any(|byte| !matches!(byte, b'[' | b']' | b' '))
        {
            self.runs.draft(run).last = LastRecord::Call;
        }
        if let (Some(id), Some(output)) = (data.message_id.get(), data.output_tokens.count()) {
            let tokens = Tokens {
                output,
                ..Tokens::default()
            };
            self.runs.usage(run, id, tokens);
        }
    }

    fn on_tool_use(&mut self, run: usize, data: &CopilotData, line: u64) {
        let name = data.tool_name.as_str();
        let kind = FACTS.kind_of(name);
        let arguments: Option<CopilotArguments> = data.arguments.parse();
        let arguments = arguments.unwrap_or_default();
        let path = arguments.path.get().or(arguments.file_path.get());
        let written: LenientText = data.arguments.parse();
        let paths = match (kind, path) {
            (CallKind::Write, Some(path)) if arguments.command.get() != Some("view") => vec![path],
            (CallKind::Write, None) => patch::paths(written.as_str()),
            _ => Vec::new(),
        };
        let effect = match (kind, path) {
            (CallKind::Write, Some(_)) => effect::of_edit(arguments.old_str, arguments.new_str),
            (CallKind::Write, None) => effect::of_patch(written.as_str()),
            _ => WriteEffect::Change,
        };
        let call = NewCall {
            id: data.tool_call_id.as_str(),
            name,
            kind,
            paths: &paths,
            effect,
            command: arguments
                .command
                .get()
                .filter(|_| kind == CallKind::Command),
            background: arguments.mode.get() == Some("async"),
            cwd: self.cwd.as_deref(),
            shell: match (kind, arguments.shell_id.get()) {
                (CallKind::Command, Some(id)) => CallShell::Kept(hash(id)),
                (CallKind::Command, None) => CallShell::Shared,
                _ => CallShell::Own,
            },
            line,
        };
        let is_new = self.runs.call(run, &call).is_new;
        if is_new && name == "task" {
            let (prompt, agent_type) = (arguments.prompt.get(), arguments.agent_type.get());
            let child = self.runs.start(run, call.id, prompt, agent_type);
            let description = arguments.description.get();
            self.runs
                .set(child, |it| &mut it.details.description, description);
        }
    }

    fn result(&mut self, data: &CopilotData) {
        let code: LenientText = data.error.member("code");
        let LenientNumber(exit_code) = data.shell_execution.member("exitCode");
        let outcome = match (data.success.0, exit_code) {
            (Some(false), _) if matches!(code.as_str(), "rejected" | "denied") => Outcome::Rejected,
            (Some(false), _) => Outcome::Failed,
            (Some(true), Some(code)) if code != 0 => Outcome::Failed,
            (Some(true), _) => Outcome::Succeeded,
            (None, _) => Outcome::Unknown,
        };
        let Some(place) = self.runs.result(data.tool_call_id.as_str(), outcome) else {
            return;
        };
        let call = self.runs.call_at(place);
        call.exit_code = exit_code;
        let output = data.result.as_ref().map(|result| result.content);
        call.test_summary = test_summary::of_command(call.kind, output.unwrap_or_default());
        if call.background && exit_code.is_none() && outcome == Outcome::Succeeded {
            call.outcome = Outcome::Unknown;
        }
    }

    fn completed(&mut self, run: usize, data: &CopilotData) {
        let draft = self.runs.draft(run);
        draft.run.reported_calls = data.total_tool_calls.count();
        draft.reported_tokens = data.total_tokens.count();
        let details = &mut draft.run.details;
        details.duration = data.duration_ms.count().map(Duration::from_millis);
        details.status = Some(ClientStatus::Completed);
        draft.last = LastRecord::End;
    }
}

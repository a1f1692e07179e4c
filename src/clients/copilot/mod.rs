//! Copilot CLI: its hooks, its output, and its event logs.

use std::time::Duration;

use serde_json::json;

use crate::clients::hook::{
    Answer, Event, HookFormat, HookSettings, Moment, Payload, Reply, TIMEOUT, WantedHook, cut,
    quoted,
};
use crate::clients::output::{
    EventLine, Opened, OutputFacts, OutputKind, error_message, last_text,
};
use crate::clients::raw::at;
use crate::clients::run::{
    CWD, CallKind, CallShell, ClientStatus, End, JsonNode, LastRecord, MODEL, Outcome, RunReader,
    Runs, SESSION, Tokens, VERSION, revision, time_of,
};
use crate::clients::{Client, ClientFacts};

pub(super) static FACTS: ClientFacts = ClientFacts {
    programs: &["copilot"],
    asked_again_at_most: Some(8),
    takes_replacement: true,
    tells_of_failure: true,
    return_tools: &[("task_complete", "/summary")],
    tools: include_str!("tools.txt"),
    path_arguments: &["path", "file_path"],
    histories: &["session-state"],
    settings: Some(SETTINGS),
    hook: Some(HookFormat { is_own, moment, details, answer, ..HookFormat::BASE }),
    output: Some(OUTPUT),
    ..ClientFacts::BASE
};

const SETTINGS: HookSettings = HookSettings {
    // GitHub reads the same file.
    project_folder: ".github",
    marks: &[".github/hooks"],
    folder_variable: Some("COPILOT_HOME"),
    is_versioned: true,
    events: &[
        ("subagentStart", None),
        ("subagentStop", None),
        // For the caller of an agent that ends by an error.
        ("postToolUseFailure", None),
    ],
    call: Some(("preToolUse", false)),
    item,
    trust: Some("trust this folder when Copilot CLI asks, or start it with --trust-folder"),
    read_with: Some(Client::ClaudeCode),
    run_with_claude: Some("Copilot CLI and VS Code run"),
    ..HookSettings::new(
        Client::Copilot,
        ".copilot",
        "hooks/retval.json",
        include_str!("../../../fixtures/captured/copilot-start.json"),
    )
};

fn item(_: Option<&str>, line: &WantedHook) -> String {
    let (shell, powershell) = (quoted(&line.shell), quoted(&line.powershell));
    format!(
        r#"{{ "type": "command", "bash": {shell}, "powershell": {powershell}, "timeoutSec": {TIMEOUT} }}"#
    )
}

fn is_own(payload: &Payload) -> bool {
    payload.name().is_empty() && payload.has_any(&["/sessionId", "/agentName", "/agentType"])
        || payload.has_any(&["/agent_name", "/stop_reason"])
}

/// Its own payloads do not name the event.
fn moment(payload: &Payload) -> Moment {
    match payload.name() {
        "" if payload.has_any(&["/response", "/stopReason"]) => Moment::Stop,
        "" if payload.has_any(&["/toolResult"]) => Moment::Foreign,
        "" if payload.has_any(&["/error"]) => match payload.tool() {
            "task" => Moment::Failure,
            _ => Moment::Foreign,
        },
        "" if !payload.tool().is_empty() => Moment::Call,
        "" => Moment::Start,
        _ => payload.usual_moment(),
    }
}

/// Payloads about calls of an agent have the agent's id in place of the session's.
fn details(payload: &Payload, event: &mut Event) {
    let is_of_call = matches!(event.moment, Moment::Call | Moment::Failure);
    if is_of_call && event.session == event.agent_id {
        event.session = payload.owned(&["/parentAgentId"]);
    }
    // Of the agent that was called. The others are of its caller, if that is a subagent itself.
    if event.moment == Moment::Failure {
        event.agent = payload.owned(&["/toolArgs/agent_type"]);
        event.agent_id = None;
    }
}

fn answer(answer: Answer, moment: Moment) -> Reply {
    match answer {
        Answer::Block(reason) if moment == Moment::Call => Reply::of(
            &json!({ "permissionDecision": "deny", "permissionDecisionReason": cut(reason) }),
        ),
        Answer::Context(text) => Reply::of(&json!({ "additionalContext": cut(text) })),
        Answer::Tell(text) if moment == Moment::Failure => {
            Reply::of(&json!({ "additionalContext": cut(text) }))
        }
        Answer::Replace(text) => Reply::of(&json!({ "modifiedResponse": text })),
        Answer::Block(reason) => Reply::block("block", reason),
        _ => Reply::default(),
    }
}

const STREAM: OutputKind = OutputKind::new("copilot-stream", "the event stream of Copilot CLI");

const OUTPUT: OutputFacts = OutputFacts {
    kinds: &[STREAM],
    marks: &["\"sessionId\"", "\"session."],
    starts: |event| {
        let is_first = event.kind.starts_with("session.") || event.kind == "user.message";
        (is_first && event.members.has("data")).then_some(STREAM)
    },
    stream,
    ..OutputFacts::NONE
};

fn stream<'t>(text: &'t str, events: &[EventLine<'t>]) -> Option<Opened<'t>> {
    let last = events.last()?;
    if last.kind != "result" || !last.members.has("sessionId") {
        return None;
    }
    let opened = last_text(text, STREAM, "/data/content", events, |event| {
        let data = event.members.raw("data");
        let data = data.filter(|_| event.kind == "assistant.message")?;
        at(data, "/content").filter(|_| at(data, "/parentToolCallId").is_none())
    })?;
    let failed = last.members.raw("exitCode").filter(|code| *code != "0");
    let failure = failed.map(|code| {
        let mut errors = events.iter().rev().filter(|it| it.kind == "session.error");
        let error = errors.find_map(|event| error_message(event.members.raw("data")));
        error.unwrap_or_else(|| format!("exit code {code}"))
    });
    Some(opened.failed(failure))
}

/// Reads event logs. One file has a session with all its agents.
#[derive(Debug, Default)]
pub(crate) struct Copilot {
    runs: Runs,
    cwd: Option<String>,
    revision: Option<String>,
    /// The id of the last request whose answer reached the limit of output. Its message follows.
    cut: Option<String>,
}

impl RunReader for Copilot {
    fn runs(&mut self) -> &mut Runs {
        &mut self.runs
    }

    fn record(&mut self, record: &JsonNode, line: u64) {
        let Some(data) = record.object("data") else {
            return;
        };
        let kind = record.word("type");
        if kind.starts_with("hook.") {
            return;
        }
        let run = match record.get("agentId") {
            Some(id) if kind == "subagent.started" => self.started(id, data),
            Some(id) => self.runs.agent(id),
            None => self.runs.main_agent(),
        };
        let time = time_of(record.word("timestamp"));
        self.runs.draft(run).record(time);
        match kind {
            "session.start" | "session.resume" => self.session(run, data),
            "session.usage_record" => {
                let usage = data.at("usage");
                let id = usage.get("apiCallId").filter(|id| id.len() <= 256);
                let is_cut = usage.get("finishReason") == Some("length");
                self.cut = id.filter(|_| is_cut).map(str::to_owned);
            }
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

    fn finish(&mut self) {
        // All agents of the file are of one session.
        let drafts = self.runs.drafts();
        let main = drafts.iter().find(|it| it.run.depth == Some(0));
        let main = main.map(|draft| draft.run.clone());
        for draft in drafts {
            let run = &mut draft.run;
            run.base_revision.clone_from(&self.revision);
            if let Some(main) = &main {
                run.session.clone_from(&main.session);
                let (own, of_main) = (&mut run.details, &main.details);
                own.cwd.clone_from(&of_main.cwd);
                own.client_version.clone_from(&of_main.client_version);
            }
        }
    }
}

impl Copilot {
    fn session(&mut self, run: usize, data: &JsonNode) {
        let members = [(SESSION, "sessionId"), (VERSION, "copilotVersion")];
        self.runs.set_all(run, data, &members);
        if let Some(context) = data.object("context") {
            let cwd = context.get("cwd").and_then(|cwd| self.runs.store(cwd));
            self.cwd = cwd;
            self.runs.set(run, CWD, context.get("cwd"));
            self.revision = revision(context.word("headCommit"));
        }
    }

    /// The run of an agent that starts. It may be known already by the call that started it.
    fn started(&mut self, id: &str, data: &JsonNode) -> usize {
        let call = data.word("toolCallId");
        let mut run = self.runs.called_agent(call, id);
        if let Some(place) = self.runs.call_place(call) {
            run = self.runs.name_called(place, run, id);
        }
        let name = data.get("agentType").or(data.get("agentName"));
        let name = name.and_then(|name| self.runs.store(name));
        self.runs.draft(run).run.agent_type = name;
        self.runs.set(run, MODEL, data.get("model"));
        run
    }

    fn on_user(&mut self, run: usize, data: &JsonNode) {
        // What a hook sends an agent back with has the system as its source.
        if data.get("source") == Some("system") {
            self.runs.ask_again(run);
        } else {
            self.runs.task(run, data.word("content"));
        }
    }

    fn on_assistant(&mut self, run: usize, data: &JsonNode) {
        let text = data.word("content");
        self.runs.set(run, MODEL, data.get("model"));
        if text.trim().is_empty() {
            self.runs.no_text(run);
            if data.get("reasoningText").is_some() {
                self.runs.reasoning(run);
            }
        } else {
            self.runs.text(run, text);
        }
        // The calls have their own records, which follow this one.
        if !data.at("toolRequests").list().is_empty() {
            self.runs.draft(run).last = LastRecord::Call;
        }
        if self.cut.is_some() && data.get("apiCallId") == self.cut.as_deref() {
            self.runs.cut(run);
        }
        if let (Some(id), Some(output)) = (data.get("messageId"), data.count("outputTokens")) {
            let tokens = Tokens { output, ..Tokens::default() };
            self.runs.usage(run, id, tokens);
        }
    }

    fn on_tool_use(&mut self, run: usize, data: &JsonNode, line: u64) {
        let (name, arguments) = (data.word("toolName"), data.at("arguments"));
        let kind = FACTS.kind_of(name);
        // A patch takes the place of all arguments.
        let place = (self.cwd.as_deref(), line);
        let mut call = FACTS.call((kind, name), arguments, arguments.text(), place);
        if arguments.get("command") == Some("view") {
            call.paths.clear();
            call.reads = FACTS.reads("view", arguments);
        }
        if kind == CallKind::Command {
            call.shell = CallShell::Shared;
        }
        call.background = arguments.get("mode") == Some("async");
        let id = data.word("toolCallId");
        if self.runs.call(run, id, call).is_some() && name == "task" {
            let (prompt, agent_type) = (arguments.get("prompt"), arguments.get("agent_type"));
            self.runs.start(run, id, prompt, agent_type);
        }
    }

    fn result(&mut self, data: &JsonNode) {
        let code = data.at("error").word("code");
        let Some(place) = self.runs.call_place(data.word("toolCallId")) else {
            return;
        };
        let exit_code = data.at("shellExecution").number("exitCode");
        let outcome = match (data.at("success"), exit_code) {
            (JsonNode::Flag(false), _) if matches!(code, "rejected" | "denied") => {
                Outcome::Rejected
            }
            (JsonNode::Flag(true), Some(0)) => Outcome::Succeeded,
            (JsonNode::Flag(false), _) | (JsonNode::Flag(true), Some(_)) => Outcome::Failed,
            (JsonNode::Flag(true), None) if !self.runs.call_at(place).background => {
                Outcome::Succeeded
            }
            _ => Outcome::Unknown,
        };
        let output = data.at("result").at("content");
        self.runs.ended(place, outcome, exit_code, output);
    }

    fn completed(&mut self, run: usize, data: &JsonNode) {
        let draft = self.runs.draft(run);
        draft.run.reported_calls = data.count("totalToolCalls");
        draft.reported_tokens = data.count("totalTokens");
        let details = &mut draft.run.details;
        details.duration = data.count("durationMs").map(Duration::from_millis);
        details.status = Some(ClientStatus::Completed);
        draft.last = LastRecord::End;
    }
}

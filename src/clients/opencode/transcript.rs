//! Exports of opencode: one document for each session. Every agent has its own session.

use std::cell::RefCell;

use crate::clients::opencode::FACTS;
use crate::clients::run::{
    AGENT_TYPE, CWD, CallKind, CallPlace, CallShell, DESCRIPTION, End, Gap, JsonNode, LastRecord,
    MODEL, NewCall, Outcome, PARENT, Run, Runs, SESSION, Tokens, VERSION, WriteEffect,
    each_message, effect_of_edit, effect_of_edits, effect_of_patch, is_redacted, joined,
    paths_of_patch, test_summary, time_after,
};

/// The tool that writes each of its edits before the next one. If one fails, those before it are
/// written.
const STEPWISE: &str = "multiedit";

pub(in crate::clients) fn read(document: &str) -> Vec<Run> {
    let runs = RefCell::new(Runs::default());
    let run = runs.borrow_mut().add();
    let read = each_message(
        document,
        &mut |head| session(&mut runs.borrow_mut(), run, head.at("info")),
        &mut |message, line| read_message(&mut runs.borrow_mut(), run, message, line),
    );
    let mut runs = runs.into_inner();
    match read {
        // What is known of the session may come after its messages.
        Ok(head) => session(&mut runs, run, head.at("info")),
        Err(line) => runs.record_gap(Gap::Unreadable { line }),
    }
    runs.finish()
}

fn session(runs: &mut Runs, run: usize, info: &JsonNode) {
    runs.draft(run).has_records = true;
    if !info.is_object() {
        return;
    }
    if info.get("parentID").is_none() {
        runs.draft(run).run.depth = Some(0);
    }
    let (id, parent) = (known(info, "id"), known(info, "parentID"));
    runs.set(run, PARENT, parent);
    if let Some(id) = id {
        runs.name_agent(run, id);
    }
    runs.set(run, SESSION, parent.or(id));
    runs.set(run, CWD, info.get("directory"));
    runs.set(run, VERSION, info.get("version"));
    runs.set(run, DESCRIPTION, info.get("title"));
}

/// An id, unless a redaction tool replaced it.
fn known<'r>(json: &'r JsonNode, name: &str) -> Option<&'r str> {
    json.get(name).filter(|id| !is_redacted(id))
}

fn read_message(runs: &mut Runs, run: usize, message: &JsonNode, line: u64) {
    let info = message.at("info");
    if !info.is_object() {
        // It is not known whose message this is.
        return runs.record_gap(Gap::Unreadable { line });
    }
    begin(runs, run, info);
    for part in message.at("parts").list() {
        read_part(runs, run, info, part, line);
    }
    end(runs, run, info);
}

fn at(runs: &mut Runs, run: usize, milliseconds: Option<u64>) {
    runs.draft(run).at(milliseconds.and_then(time_after));
}

fn begin(runs: &mut Runs, run: usize, info: &JsonNode) {
    at(runs, run, info.at("time").count("created"));
    let name = info.get("agent").or(info.get("mode"));
    runs.set(run, AGENT_TYPE, name);
    if is_user(info) {
        runs.message(run);
    } else if let Some(usage) = info.object("tokens") {
        runs.set(run, MODEL, info.get("modelID"));
        runs.usage(run, info.word("id"), tokens(usage));
    }
}

fn is_user(info: &JsonNode) -> bool {
    info.get("role") == Some("user")
}

fn read_part(runs: &mut Runs, run: usize, info: &JsonNode, part: &JsonNode, line: u64) {
    let text = part.word("text");
    match part.word("type") {
        "text" if part.is("synthetic") || text.trim().is_empty() => {}
        "text" if is_user(info) => runs.task(run, text),
        "text" => runs.text(run, text),
        "tool" => on_tool_use(runs, run, info, part, line),
        _ => {}
    }
}

fn end(runs: &mut Runs, run: usize, info: &JsonNode) {
    let completed = info.at("time").count("completed");
    at(runs, run, completed);
    if let Some(error) = info.object("error") {
        let is_aborted = error.get("name") == Some("MessageAbortedError");
        runs.end(
            run,
            if is_aborted {
                End::Interrupted
            } else {
                End::ApiError
            },
        );
    } else if !is_user(info) && completed.is_none() && runs.draft(run).last == LastRecord::Text {
        // The message is not complete.
        runs.draft(run).last = LastRecord::Call;
    }
}

fn on_tool_use(runs: &mut Runs, run: usize, info: &JsonNode, part: &JsonNode, line: u64) {
    let state = part.at("state");
    if !state.is_object() {
        return;
    }
    let (input, metadata) = (state.at("input"), state.at("metadata"));
    let name = part.word("tool");
    let kind = FACTS.kind_of(name);
    // `write` has the file in its result, `edit` in the change.
    let written = metadata
        .get("filepath")
        .or(metadata.at("filediff").get("file"));
    let paths = match (kind, written.or(input.get("filePath"))) {
        (CallKind::Write, Some(path)) => vec![path],
        (CallKind::Write, None) => paths_of_patch(input.word("patchText")),
        _ => Vec::new(),
    };
    at(runs, run, state.at("time").count("start"));
    let cwd = joined(info.at("path").get("cwd"), input.get("workdir"));
    let call = NewCall {
        // A part has the call and its result. Ids may be redacted, so that all calls have the same.
        id: "",
        name,
        kind,
        paths: &paths,
        effect: match kind {
            CallKind::Write => effect_of(input),
            _ => WriteEffect::Change,
        },
        command: input.get("command").filter(|_| kind == CallKind::Command),
        background: false,
        cwd: cwd.as_deref(),
        shell: CallShell::Own,
        line,
    };
    let Some(place) = runs.call(run, &call).place else {
        return;
    };
    ended(runs, state, place);
    if kind == CallKind::Delegate {
        started(runs, part, input, place);
    }
}

/// The effect of a call of a file tool, by its arguments.
fn effect_of(input: &JsonNode) -> WriteEffect {
    let edits = input.at("edits");
    match input.get("patchText") {
        Some(patch) => effect_of_patch(patch),
        None if !edits.is_nothing() => effect_of_edits(edits),
        None => effect_of_edit(input.at("oldString"), input.at("newString")),
    }
}

fn ended(runs: &mut Runs, state: &JsonNode, place: CallPlace) {
    let error = state.word("error");
    let call = runs.call_at(place);
    let (is_stepwise, is_command) = (&*call.name == STEPWISE, call.kind == CallKind::Command);
    let exit_code = state.at("metadata").number("exit");
    let outcome = match (state.word("status"), exit_code) {
        ("completed", Some(code)) if code != 0 => Outcome::Failed,
        // A command that was stopped or took too long is completed, too, but has no exit code.
        ("completed", None) if is_command => Outcome::Unknown,
        ("completed", _) => Outcome::Succeeded,
        ("error", _) if is_stepwise || error.contains("aborted") => Outcome::Unknown,
        ("error", _) if error.contains("rejected permission") => Outcome::Rejected,
        ("error", _) => Outcome::Failed,
        _ => return,
    };
    runs.result_at(place, outcome);
    let call = runs.call_at(place);
    call.exit_code = exit_code;
    call.test_summary = test_summary::of_command(call.kind, state.at("output"));
}

fn started(runs: &mut Runs, part: &JsonNode, input: &JsonNode, place: CallPlace) {
    let call = known(part, "callID").unwrap_or_default();
    let (prompt, agent_type) = (input.get("prompt"), input.get("subagent_type"));
    let child = runs.start(place.0, call, prompt, agent_type);
    if let Some(agent) = known(part.at("state").at("metadata"), "sessionId") {
        runs.name_called(place, child, agent);
    }
}

fn tokens(usage: &JsonNode) -> Tokens {
    Tokens {
        input: usage.sum(["input"]),
        output: usage.sum(["output", "reasoning"]),
        cache: usage.at("cache").sum(["read", "write"]),
        total: 0,
    }
}

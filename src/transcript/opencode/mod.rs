//! Exports of opencode: one document for each session, and a session for each agent.

mod record;

use super::deferred::later;
use super::draft::LastRecord;
use super::lenient::{LenientNumber, Object};
use super::records::{LineCount, elements, hash};
use super::run::{CallKind, End, Outcome, Run, Tokens};
use super::runs::{NewCall, Runs};
use super::time::Stamp;
use super::{patch, tools};
use record::{
    Document, OpenCodeInfo, OpenCodeInput, OpenCodeMessage, OpenCodePart, OpenCodeState,
    OpenCodeUsage,
};

/// Reads a session.
pub(super) fn read(document: &str) -> Vec<Run> {
    let content: Object<Document> = serde_json::from_str(document).unwrap_or_default();
    let mut runs = Runs::default();
    let run = runs.add();
    if let Some(content) = &content.0 {
        session(&mut runs, run, content);
        let mut lines = LineCount::new(document);
        elements(content.messages, |message| {
            let line = lines.of(message.get());
            let message: Object<OpenCodeMessage> = later(Some(message));
            if let Some(message) = &message.0 {
                read_message(&mut runs, run, message, line);
            }
        });
    }
    runs.finish()
}

fn session(runs: &mut Runs, run: usize, document: &Document) {
    runs.draft(run).has_records = true;
    let Some(info) = &document.info.0 else { return };
    let parent = info.parent_id.get().and_then(|id| runs.keep(id));
    if parent.is_none() {
        runs.draft(run).run.depth = Some(0);
    }
    runs.draft(run).run.parent = parent;
    if let Some(id) = info.id.get() {
        runs.name_agent(run, id);
    }
}

fn read_message(runs: &mut Runs, run: usize, message: &OpenCodeMessage, line: u64) {
    let Some(info) = &message.info.0 else { return };
    let time = info.time.0.as_ref();
    let created = time.and_then(|time| time.created.count());
    let completed = time.and_then(|time| time.completed.count());
    runs.draft(run).at_stamp(Stamp::from_milliseconds(created));
    if runs.draft(run).run.agent_type.is_none() {
        let name = info.agent.get().or(info.mode.get());
        let name = name.and_then(|name| runs.keep(name));
        runs.draft(run).run.agent_type = name;
    }
    let is_user = info.role.get() == Some("user");
    if is_user {
        runs.message(run);
    } else if let Some(usage) = &info.tokens.0 {
        let id = hash(info.id.or_empty());
        runs.draft(run).usage(id, tokens(usage));
    }
    elements(message.parts, |part| {
        let part: Object<OpenCodePart> = later(Some(part));
        let Some(part) = &part.0 else { return };
        match part.kind.or_empty() {
            "text" if part.synthetic.is_true() || part.text.or_empty().trim().is_empty() => {}
            "text" if is_user => runs.task(run, part.text.or_empty()),
            "text" => runs.text(run, part.text.or_empty()),
            "tool" => called(runs, run, info, part, line),
            _ => {}
        }
    });
    runs.draft(run)
        .at_stamp(Stamp::from_milliseconds(completed));
    if let Some(error) = &info.error.0 {
        let is_aborted = error.name.get() == Some("MessageAbortedError");
        runs.end(
            run,
            if is_aborted {
                End::Interrupted
            } else {
                End::ApiError
            },
        );
    } else if !is_user && completed.is_none() && runs.draft(run).last == LastRecord::Text {
        // The message is still being written.
        runs.draft(run).last = LastRecord::Call;
    }
}

fn called(runs: &mut Runs, run: usize, info: &OpenCodeInfo, part: &OpenCodePart, line: u64) {
    let Some(state) = &part.state.0 else { return };
    let default = OpenCodeInput::default();
    let input = state.input.0.as_ref().unwrap_or(&default);
    let name = part.tool.or_empty();
    let kind = tools::kind(name);
    let paths = match (kind, input.file_path.get()) {
        (CallKind::Write, Some(path)) => vec![path],
        (CallKind::Write, None) => patch::paths(input.patch_text.or_empty()),
        _ => Vec::new(),
    };
    let id = part.call_id.or_empty();
    let start = state.time.0.as_ref().and_then(|time| time.start.count());
    runs.draft(run).at_stamp(Stamp::from_milliseconds(start));
    let place = info.path.0.as_ref();
    let call = NewCall {
        id,
        name,
        kind,
        paths,
        command: input.command.get().filter(|_| kind == CallKind::Command),
        background: false,
        cwd: place.and_then(|place| place.cwd.get()),
        line,
    };
    if runs.call(run, &call) {
        ended(runs, state, id);
        if name == "task" {
            started(runs, run, state, input, id);
        }
    }
}

fn ended(runs: &mut Runs, state: &OpenCodeState, id: &str) {
    let metadata = state.metadata.0.as_ref();
    let exit_code = metadata.and_then(|metadata| metadata.exit.0);
    let outcome = match (state.status.or_empty(), exit_code) {
        ("completed", Some(code)) if code != 0 => Outcome::Failed,
        ("completed", _) => Outcome::Succeeded,
        ("error", _) if state.error.or_empty().contains("rejected permission") => Outcome::Rejected,
        ("error", _) => Outcome::Failed,
        _ => return,
    };
    if let Some(place) = runs.result(id, outcome) {
        runs.call_at(place).exit_code = exit_code;
    }
}

fn started(runs: &mut Runs, run: usize, state: &OpenCodeState, input: &OpenCodeInput, id: &str) {
    let child = runs.start(run, id);
    let prompt = input.prompt.get().and_then(|text| runs.keep(text));
    let name = input.subagent_type.get().and_then(|text| runs.keep(text));
    let metadata = state.metadata.0.as_ref();
    if let Some(agent) = metadata.and_then(|metadata| metadata.session_id.get()) {
        runs.name_agent(child, agent);
        let agent = runs.draft(child).run.agent_id.clone();
        if let Some(place) = runs.call_place(id) {
            runs.call_at(place).agent_id = agent;
        }
    }
    let child = &mut runs.draft(child).run;
    child.prompt = prompt;
    child.agent_type = name;
}

fn tokens(usage: &OpenCodeUsage) -> Tokens {
    let count = |number: LenientNumber| number.count().unwrap_or_default();
    let cache = usage.cache.0.as_ref();
    let cache = cache.map_or(0, |cache| {
        count(cache.read).saturating_add(count(cache.write))
    });
    Tokens {
        input: count(usage.input),
        output: count(usage.output).saturating_add(count(usage.reasoning)),
        cache,
        total: 0,
    }
}

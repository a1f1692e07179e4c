//! Exports of opencode: one document for each session. Every agent has its own session.

mod record;

use super::cursor::JsonCursor;
use super::draft::LastRecord;
use super::lenient::{LenientNumber, Object};
use super::new_call::{CallPlace, NewCall};
use super::run::{CallKind, CallShell, End, Gap, Outcome, Run, Tokens, WriteEffect};
use super::runs::Runs;
use super::time::Stamp;
use super::{effect, patch, tools};
use record::{OpenCodeInfo, OpenCodeInput, OpenCodePart, OpenCodeState, OpenCodeUsage};

/// Reads a session.
pub(super) fn read(document: &str) -> Vec<Run> {
    let mut runs = Runs::default();
    let run = runs.add();
    let mut cursor = JsonCursor::new(document);
    if read_document(&mut runs, run, &mut cursor).is_none() || !cursor.is_at_end() {
        runs.lose(Gap::Unreadable {
            line: cursor.line(),
        });
    }
    runs.finish()
}

fn read_document(runs: &mut Runs, run: usize, document: &mut JsonCursor) -> Option<()> {
    document.members(|document, name| match name {
        "info" => {
            let info: Object<OpenCodeInfo> = document.value()?;
            session(runs, run, &info);
            Some(())
        }
        "messages" => document.elements(|message| read_message(runs, run, message)),
        _ => document.skip(),
    })
}

fn session(runs: &mut Runs, run: usize, info: &Object<OpenCodeInfo>) {
    runs.draft(run).has_records = true;
    let Some(info) = &info.0 else { return };
    let parent = info.parent_id.get().and_then(|id| runs.keep(id));
    if parent.is_none() {
        runs.draft(run).run.depth = Some(0);
    }
    runs.draft(run).run.parent = parent;
    if let Some(id) = info.id.get() {
        runs.name_agent(run, id);
    }
}

fn read_message(runs: &mut Runs, run: usize, message: &mut JsonCursor) -> Option<()> {
    let line = message.line();
    let mut known: Option<Box<OpenCodeInfo>> = None;
    message.members(|message, name| match name {
        "info" => {
            let info: Object<Box<OpenCodeInfo>> = message.value()?;
            known = info.0;
            if let Some(info) = &known {
                begin(runs, run, info);
            }
            Some(())
        }
        "parts" => message.elements(|part| {
            let part: Object<OpenCodePart> = part.value()?;
            match (&known, &part.0) {
                (Some(info), Some(part)) => read_part(runs, run, info, part, line),
                // The role of the message, which says whose part this is, comes only after it.
                _ => runs.lose(Gap::Unreadable { line }),
            }
            Some(())
        }),
        _ => message.skip(),
    })?;
    if let Some(info) = &known {
        end(runs, run, info);
    }
    Some(())
}

fn begin(runs: &mut Runs, run: usize, info: &OpenCodeInfo) {
    let time = info.time.0.as_ref();
    let created = time.and_then(|time| time.created.count());
    runs.draft(run).at_stamp(Stamp::from_milliseconds(created));
    if runs.draft(run).run.agent_type.is_none() {
        let name = info.agent.get().or(info.mode.get());
        let name = name.and_then(|name| runs.keep(name));
        runs.draft(run).run.agent_type = name;
    }
    if is_user(info) {
        runs.message(run);
    } else if let Some(usage) = &info.tokens.0 {
        runs.usage(run, info.id.or_empty(), tokens(usage));
    }
}

fn is_user(info: &OpenCodeInfo) -> bool {
    info.role.get() == Some("user")
}

fn read_part(runs: &mut Runs, run: usize, info: &OpenCodeInfo, part: &OpenCodePart, line: u64) {
    match part.kind.or_empty() {
        "text" if part.synthetic.is_true() || part.text.or_empty().trim().is_empty() => {}
        "text" if is_user(info) => runs.task(run, part.text.or_empty()),
        "text" => runs.text(run, part.text.or_empty()),
        "tool" => called(runs, run, info, part, line),
        _ => {}
    }
}

fn end(runs: &mut Runs, run: usize, info: &OpenCodeInfo) {
    let time = info.time.0.as_ref();
    let completed = time.and_then(|time| time.completed.count());
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
    } else if !is_user(info) && completed.is_none() && runs.draft(run).last == LastRecord::Text {
        // The message is not complete.
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
    let cwd = place.and_then(|place| place.cwd.get());
    let cwd = super::joined(cwd, input.workdir.get());
    let call = NewCall {
        id,
        name,
        kind,
        paths: &paths,
        effect: match kind {
            CallKind::Write => effect_of(input),
            _ => WriteEffect::Change,
        },
        command: input.command.get().filter(|_| kind == CallKind::Command),
        background: false,
        cwd: cwd.as_deref(),
        shell: CallShell::Own,
        line,
    };
    let entered = runs.call(run, &call);
    if entered.is_new {
        ended(runs, state, entered.place);
        if name == "task" {
            started(runs, run, state, input, id);
        }
    }
}

/// The effect of a call of a file tool, by its arguments.
fn effect_of(input: &OpenCodeInput) -> WriteEffect {
    if let Some(patch) = input.patch_text.get() {
        return effect::of_patch(patch);
    }
    if input.edits.0.is_some() {
        return effect::of_edits(input.edits);
    }
    effect::of_edit(input.old_string, input.new_string)
}

fn ended(runs: &mut Runs, state: &OpenCodeState, place: Option<CallPlace>) {
    let metadata = state.metadata.0.as_ref();
    let exit_code = metadata.and_then(|metadata| metadata.exit.0);
    let outcome = match (state.status.or_empty(), exit_code) {
        ("completed", Some(code)) if code != 0 => Outcome::Failed,
        ("completed", _) => Outcome::Succeeded,
        ("error", _) if state.error.or_empty().contains("rejected permission") => Outcome::Rejected,
        ("error", _) => Outcome::Failed,
        _ => return,
    };
    if let Some(place) = place {
        runs.result_at(place, outcome);
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

//! Exports of opencode: one document for each session. Every agent has its own session.

mod record;

use serde::de::IgnoredAny;

use crate::clients::opencode::FACTS;
use crate::clients::run::{
    CallKind, CallPlace, CallShell, End, Gap, LastRecord, LenientNumber, LenientText, LineCount,
    NewCall, Outcome, Run, Runs, Stamp, Tokens, WriteEffect, effect, is_redacted, joined, patch,
    test_summary,
};
use crate::json::reader::{JsonReader, ReadResult};
use record::{OpenCodeInfo, OpenCodeInput, OpenCodePart, OpenCodeState, OpenCodeUsage};

/// The tool that writes each of its edits before the next one. If one fails, those before it are
/// written.
const STEPWISE: &str = "multiedit";

pub(in crate::clients) fn read(document: &str) -> Vec<Run> {
    let mut runs = Runs::default();
    let run = runs.add();
    let mut place = LineCount::new(document);
    let mut json = JsonReader::new(document, &mut []);
    let result = read_document(&mut runs, run, &mut json, &mut place);
    if result.is_err() || !json.rest().is_empty() {
        let line = place.line(&mut json);
        runs.record_gap(Gap::Unreadable { line });
    }
    runs.finish()
}

fn read_document(
    runs: &mut Runs,
    run: usize,
    document: &mut JsonReader,
    place: &mut LineCount,
) -> ReadResult<()> {
    document.members(|document, name| match name {
        "info" => {
            session(runs, run, document.value()?);
            Ok(())
        }
        "messages" => document.items(|message| {
            let line = place.line(message);
            read_message(runs, run, message, line)
        }),
        _ => document.value::<IgnoredAny>().map(drop),
    })
}

fn session(runs: &mut Runs, run: usize, info: Option<OpenCodeInfo>) {
    runs.draft(run).has_records = true;
    let Some(info) = info else { return };
    if info.parent_id.get().is_none() {
        runs.draft(run).run.depth = Some(0);
    }
    let parent = known(&info.parent_id);
    runs.set(run, |it| &mut it.parent, parent);
    if let Some(id) = known(&info.id) {
        runs.name_agent(run, id);
    }
    let session = parent.or(known(&info.id));
    runs.set(run, |it| &mut it.session, session);
    runs.set(run, |it| &mut it.details.cwd, info.directory.get());
    runs.set(run, |it| &mut it.details.client_version, info.version.get());
    runs.set(run, |it| &mut it.details.description, info.title.get());
}

/// An id, unless a redaction tool replaced it.
fn known<'t>(id: &'t LenientText) -> Option<&'t str> {
    id.get().filter(|id| !is_redacted(id))
}

fn read_message(
    runs: &mut Runs,
    run: usize,
    message: &mut JsonReader,
    line: u64,
) -> ReadResult<()> {
    let mut known: Option<Box<OpenCodeInfo>> = None;
    message.members(|message, name| match name {
        "info" => {
            known = message.value()?;
            if let Some(info) = &known {
                begin(runs, run, info);
            }
            Ok(())
        }
        "parts" => message.items(|part| {
            let part: Option<OpenCodePart> = part.value()?;
            match (&known, &part) {
                (Some(info), Some(part)) => read_part(runs, run, info, part, line),
                // The role of the message, which says whose part this is, comes only after it.
                _ => runs.record_gap(Gap::Unreadable { line }),
            }
            Ok(())
        }),
        _ => message.value::<IgnoredAny>().map(drop),
    })?;
    if let Some(info) = &known {
        end(runs, run, info);
    }
    Ok(())
}

fn begin(runs: &mut Runs, run: usize, info: &OpenCodeInfo) {
    let time = info.time.as_ref();
    let created = time.and_then(|time| time.created.count());
    runs.draft(run).at_stamp(Stamp::from_milliseconds(created));
    let name = info.agent.get().or(info.mode.get());
    runs.set(run, |it| &mut it.agent_type, name);
    if is_user(info) {
        runs.message(run);
    } else if let Some(usage) = &info.tokens {
        runs.set(run, |it| &mut it.details.model, info.model_id.get());
        runs.usage(run, info.id.as_str(), tokens(usage));
    }
}

fn is_user(info: &OpenCodeInfo) -> bool {
    info.role.get() == Some("user")
}

fn read_part(runs: &mut Runs, run: usize, info: &OpenCodeInfo, part: &OpenCodePart, line: u64) {
    match part.kind.as_str() {
        "text" if part.synthetic.is_true() || part.text.as_str().trim().is_empty() => {}
        "text" if is_user(info) => runs.task(run, part.text.as_str()),
        "text" => runs.text(run, part.text.as_str()),
        "tool" => on_tool_use(runs, run, info, part, line),
        _ => {}
    }
}

fn end(runs: &mut Runs, run: usize, info: &OpenCodeInfo) {
    let time = info.time.as_ref();
    let completed = time.and_then(|time| time.completed.count());
    runs.draft(run)
        .at_stamp(Stamp::from_milliseconds(completed));
    if let Some(error) = &info.error {
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

fn on_tool_use(runs: &mut Runs, run: usize, info: &OpenCodeInfo, part: &OpenCodePart, line: u64) {
    let Some(state) = &part.state else { return };
    let default = OpenCodeInput::default();
    let input = state.input.as_ref().unwrap_or(&default);
    let name = part.tool.as_str();
    let kind = FACTS.kind_of(name);
    let metadata = state.metadata.as_ref();
    let change = metadata.and_then(|metadata| metadata.change.as_ref());
    let written = metadata.and_then(|metadata| metadata.file_path.get());
    let written = written.or(change.and_then(|change| change.file.get()));
    let paths = match (kind, written.or(input.file_path.get())) {
        (CallKind::Write, Some(path)) => vec![path],
        (CallKind::Write, None) => patch::paths(input.patch_text.as_str()),
        _ => Vec::new(),
    };
    let start = state.time.as_ref().and_then(|time| time.start.count());
    runs.draft(run).at_stamp(Stamp::from_milliseconds(start));
    let cwd: LenientText = info.path.member("cwd");
    let cwd = joined(cwd.get(), input.workdir.get());
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
        command: input.command.get().filter(|_| kind == CallKind::Command),
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
fn effect_of(input: &OpenCodeInput) -> WriteEffect {
    if let Some(patch) = input.patch_text.get() {
        return effect::of_patch(patch);
    }
    if input.edits.0.is_some() {
        return effect::of_edits(input.edits);
    }
    effect::of_edit(input.old_string, input.new_string)
}

fn ended(runs: &mut Runs, state: &OpenCodeState, place: CallPlace) {
    let error = state.error.as_str();
    let call = runs.call_at(place);
    let (is_stepwise, is_command) = (&*call.name == STEPWISE, call.kind == CallKind::Command);
    let metadata = state.metadata.as_ref();
    let exit_code = metadata.and_then(|metadata| metadata.exit.0);
    let outcome = match (state.status.as_str(), exit_code) {
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
    call.test_summary = test_summary::of_command(call.kind, state.output);
}

fn started(runs: &mut Runs, part: &OpenCodePart, input: &OpenCodeInput, place: CallPlace) {
    let call = known(&part.call_id).unwrap_or_default();
    let (prompt, agent_type) = (input.prompt.get(), input.subagent_type.get());
    let child = runs.start(place.0, call, prompt, agent_type);
    let state = part.state.as_ref();
    let metadata = state.and_then(|state| state.metadata.as_ref());
    if let Some(agent) = metadata.and_then(|metadata| known(&metadata.session_id)) {
        runs.name_called(place, child, agent);
    }
}

fn tokens(usage: &OpenCodeUsage) -> Tokens {
    let count = |number: LenientNumber| number.count().unwrap_or_default();
    let cache = usage.cache.as_ref();
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

//! What the client's own files tell about an agent, beyond the payload: its transcript, that of its caller,
//! and its metadata file; and the evidence that they are of its work.

use std::cell::LazyCell;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::clients::transcript::locate::{AgentFiles, beside, candidates, is_of_workflow};
use crate::clients::transcript::{Run, Transcript};
use crate::clients::{Event, Moment};
use crate::evidence::{EvidenceMode, WorkEvidence};
use crate::text::escape;

use crate::cli::evidence;
use crate::cli::files::folder_of;
use crate::cli::hook::options::HookOptions;
use crate::cli::hook::session::AgentRecord;

/// How long to wait for the end of a transcript, which the client may still be writing.
const WAIT: Duration = Duration::from_millis(250);

/// How long git may take for the questions of one event. The client waits for the hook.
pub(super) const GIT_AT_MOST: Duration = Duration::from_millis(300);

/// Most running agents of a session that are looked at.
const RUNNING_AT_MOST: usize = 64;

/// The pause before the transcript is read again.
const AGAIN: Duration = Duration::from_millis(50);

/// The agent's run, as far as it is recorded in its own file, or else in that of its caller.
pub(super) fn run_of(event: &Event) -> Option<Run> {
    let id = event.agent_id.as_deref();
    let own = files(event).find_map(|files| read_own(&files, id));
    own.or_else(|| read(event.transcript.as_deref()?)?.agent(id?).cloned())
}

/// Whether the agent is built into the client. Such agents answer in prose, so they are not checked by default.
pub(super) fn is_built_in(event: &Event) -> bool {
    let agent = event.agent.as_deref().unwrap_or_default();
    let is_listed = || event.client.facts().built_in_agents.contains(&agent);
    // The names are known from the start, the files only at the end.
    let sidecar = files(event).find_map(|files| evidence::read_sidecar(&files.sidecar?));
    sidecar.and_then(|it| it.is_builtin).unwrap_or_else(is_listed)
}

/// Whether the agent's transcript is among those of a workflow.
pub(super) fn is_by_workflow(event: &Event) -> bool {
    let own = event.agent_transcript.as_deref();
    own.is_some_and(is_of_workflow)
}

/// What to tell an agent that another one, or a command, which it has started still runs. None if there is none.
pub(super) fn waiting_advice(event: &Event) -> Option<String> {
    let own = event.agent_id.as_deref()?;
    let transcript = event.transcript.as_deref()?;
    let is_child = |id: &str| {
        let mut files = candidates(transcript, event.session.as_deref(), id).into_iter();
        let sidecar = files.find_map(|files| evidence::read_sidecar(&files.sidecar?));
        sidecar.is_some_and(|sidecar| sidecar.parent.as_deref() == Some(own))
    };
    let run = LazyCell::new(|| run_of(event));
    // The id of a command is in the result of the agent's own call alone.
    let is_call = |id: &str| {
        let calls = run.iter().flat_map(|run| &run.calls);
        calls.filter_map(|call| call.task_id.as_deref()).any(|it| it == id)
    };
    let running = event.running.iter().take(RUNNING_AT_MOST);
    let mut children =
        running.filter(|task| if task.is_command { is_call(&task.id) } else { is_child(&task.id) });
    let first = children.next()?;
    let [about, id] = [&first.about, &first.id].map(|text| escape::truncated(text));
    Some(format!(
        "What you started still runs: {about} ({id}). Wait until it has ended or stop it, and return then. \
         This does not use up a try.\n"
    ))
}

/// The files that the agent may have, the most likely first.
fn files(event: &Event) -> impl Iterator<Item = AgentFiles> {
    let own = event.agent_transcript.as_deref().map(beside);
    let named = event.transcript.as_deref().zip(event.agent_id.as_deref());
    let session = event.session.as_deref();
    let near = named.map(move |(parent, id)| candidates(parent, session, id));
    own.into_iter().chain(near.into_iter().flatten())
}

fn read_own(files: &AgentFiles, id: Option<&str>) -> Option<Run> {
    let transcript = read(&files.transcript)?;
    let by_id = id.and_then(|id| transcript.agent(id));
    let mut run = by_id.or(transcript.runs.first())?.clone();
    evidence::add_sidecar(&mut run, files);
    Some(run)
}

fn read(path: &Path) -> Option<Transcript> {
    evidence::read_transcript(path).ok()
}

/// Completes an event with what the transcripts tell about its agent where the payload lacks something.
pub(super) fn complete(event: &mut Event) {
    let is_without = matches!(event.moment, Moment::Start | Moment::Failure | Moment::Foreign);
    let Some(run) = (!is_without).then(|| run_of(event)).flatten() else {
        return;
    };
    // The client may rewrite a result; the transcript has what the agent wrote.
    if event.moment != Moment::Stop || event.has_no_message() {
        event.message = run.final_message.or(event.message.take());
    }
    event.agent = event.agent.take().or(run.agent_type);
    event.prompt = event.prompt.take().or(run.prompt);
}

/// The evidence when an agent stops, if it is on and there is a transcript.
pub(super) fn evidence(
    options: &HookOptions,
    event: &Event,
    record: &mut AgentRecord,
) -> Option<Arc<WorkEvidence>> {
    let mode = match options.checker.evidence_mode {
        EvidenceMode::Off => return None,
        // An agent is never asked again for what is unknown.
        EvidenceMode::Require => EvidenceMode::Fail,
        mode => mode,
    };
    // In some clients the agent has already ended when the hook is called, and cannot go on.
    let is_over = event.moment == Moment::Result && !event.client.facts().result_follows_stop;
    if !is_over && !matches!(event.moment, Moment::Stop | Moment::Call) {
        return None;
    }
    let id = event.agent_id.as_deref().or(event.recorded_id.as_deref());
    let path = event.agent_transcript.clone().or_else(|| {
        let parent = event.transcript.as_deref()?;
        let places = candidates(parent, event.session.as_deref(), id?).into_iter();
        let mut places = places.map(|files| files.transcript);
        let found = places.find(|path| path.is_file());
        Some(found.unwrap_or_else(|| parent.to_owned()))
    })?;
    let before = (!is_over).then(|| record.stopped.replace(SystemTime::now()));
    let before = before.flatten();
    let was_asked_again = event.was_asked_again == Some(true) || event.times_asked_again > Some(0);
    let evidence = if was_asked_again && before.is_none() {
        // The records of this answer cannot be told from those of the previous one.
        WorkEvidence::unread()
    } else {
        settled((&path, id), event, before, WAIT)
    };
    let evidence = WorkEvidence {
        mode,
        test_runners: options.checker.test_runners.clone(),
        // In Gemini CLI the noted time may be that of an earlier agent with the same name.
        stamp: record.started.filter(|_| !is_over),
        is_own_clone: true,
        ..evidence
    };
    let head = record.head.clone();
    Some(Arc::new(evidence.repository(options.folder(event), head, GIT_AT_MOST)))
}

/// Reads a transcript again and again until it has the message that the agent ended with. If it does not
/// have it within `wait`, the evidence is unread. An agent that already stopped at the time `before` may
/// end with the same message again, so it must also have got a message after that time. Some clients
/// record an answer only after they have called the hook with it.
fn settled(
    (path, id): (&Path, Option<&str>),
    event: &Event,
    before: Option<SystemTime>,
    wait: Duration,
) -> WorkEvidence {
    // Where there is not even its folder, no client is about to write it.
    if !folder_of(path).is_dir() {
        return WorkEvidence::unread();
    }
    let started = Instant::now();
    let is_new = |it: &WorkEvidence| {
        before.is_none_or(|before| it.last_asked().is_some_and(|asked| asked > before))
    };
    let message = event.message.as_deref();
    loop {
        // The file may be missing or empty, or have no record of this agent yet.
        match evidence::of_transcript(path, id.map(str::to_owned)) {
            Ok(it) if it.has_message(message) == Some(true) && is_new(&it) => return it,
            _ if started.elapsed() + AGAIN <= wait => std::thread::sleep(AGAIN),
            _ => return WorkEvidence::unread(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const STOP: &str = r#"{"hook_event_name": "SubagentStop", "session_id": "7d3e0c1a", "agent_id": "a1",
        "agent_type": "planner", "last_assistant_message": "Done."}"#;

    const RECORDS: &str = concat!(
        r#"{"type":"user","isSidechain":true,"agentId":"a1","sessionId":"7d3e0c1a","message":{"role":"user","content":"Plan."}}"#,
        "\n",
        r#"{"type":"assistant","isSidechain":true,"agentId":"a1","sessionId":"7d3e0c1a","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn"}}"#,
        "\n",
    );

    #[test]
    fn a_transcript_that_is_not_there_yet_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agent-a1.jsonl");
        let event = Event::read(STOP.as_bytes(), None).expect("JSON").expect("an event");
        let evidence = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(AGAIN * 2);
                // The client writes the file in two parts.
                let half = RECORDS.len() / 2;
                fs::write(&path, &RECORDS[..half]).expect("a file");
                std::thread::sleep(AGAIN * 2);
                fs::write(&path, RECORDS).expect("a file");
            });
            settled((&path, Some("a1")), &event, None, Duration::from_mins(1))
        });
        assert_eq!(evidence.has_message(Some("Done.")), Some(true));
    }
}

//! Evidence that the agent did the work that it returns: its transcript, the time of its start, and the
//! commit that was checked out then.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::clients::transcript::locate::candidates;
use crate::clients::{Event, Moment};
use crate::evidence::{EvidenceMode, WorkEvidence};

use crate::cli::evidence;
use crate::cli::hook::options::HookOptions;
use crate::cli::hook::state::AgentRecord;

/// How long to wait for the end of a transcript, which the client may still be writing.
const WAIT: Duration = Duration::from_millis(250);

/// The pause before the transcript is read again.
const AGAIN: Duration = Duration::from_millis(50);

/// The evidence when an agent stops. None if it is off, if the event is not the end of an agent, or if
/// there is no transcript.
pub(super) fn at_end(
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
    let path = transcript(event)?;
    let before = if is_over {
        None
    } else {
        record.stopped.replace(SystemTime::now())
    };
    let was_asked_again = event.was_asked_again == Some(true)
        || event.times_asked_again.is_some_and(|times| times > 0);
    let evidence = if was_asked_again && before.is_none() {
        // The records of this answer cannot be told from those of the previous one.
        WorkEvidence::new().unread()
    } else {
        settled(&path, event, before, WAIT)
    };
    let start = record.start.clone();
    let (started, head) = start.map(|start| (start.at, start.head)).unzip();
    let evidence = evidence::with_user(evidence)
        .mode(mode)
        .test_runners(&options.checker.test_runners)
        // In Gemini CLI the noted time may be that of an earlier agent with the same name.
        .stamp(started.filter(|_| !is_over))
        .repository(options.folder(event), head.flatten())
        .in_own_clone();
    Some(Arc::new(evidence))
}

fn transcript(event: &Event) -> Option<PathBuf> {
    if let Some(own) = &event.agent_transcript {
        return Some(own.clone());
    }
    let parent = event.transcript.as_deref()?;
    let id = id(event)?;
    let places = candidates(parent, event.session.as_deref(), id);
    let mut places = places.into_iter().map(|files| files.transcript);
    Some(
        places
            .find(|path| path.is_file())
            .unwrap_or_else(|| parent.to_owned()),
    )
}

fn id(event: &Event) -> Option<&str> {
    event.agent_id.as_deref().or(event.recorded_id.as_deref())
}

/// Reads a transcript again and again until it has the message that the agent ended with. If it does not
/// have it within `wait`, the evidence is unread. An agent that already stopped at the time `before` may
/// end with the same message again, so it must also have got a message after that time. Some clients
/// record an answer only after they have called the hook with it.
fn settled(path: &Path, event: &Event, before: Option<SystemTime>, wait: Duration) -> WorkEvidence {
    let started = Instant::now();
    let is_new = |it: &WorkEvidence| {
        before.is_none_or(|before| it.last_asked().is_some_and(|asked| asked > before))
    };
    loop {
        // The file may be missing or empty, or have no record of this agent yet.
        let evidence = evidence::of_transcript(path, id(event).map(str::to_owned))
            .ok()
            .filter(|it| it.has_message(event.message.as_deref()) == Some(true) && is_new(it));
        match evidence {
            Some(evidence) => return evidence,
            None if started.elapsed() + AGAIN <= wait => std::thread::sleep(AGAIN),
            None => return WorkEvidence::new().unread(),
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
        let event = Event::read(STOP.as_bytes(), None)
            .expect("JSON")
            .expect("an event");
        let evidence = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(AGAIN * 2);
                // The client writes the file in two parts.
                let half = RECORDS.len() / 2;
                fs::write(&path, &RECORDS[..half]).expect("a file");
                std::thread::sleep(AGAIN * 2);
                fs::write(&path, RECORDS).expect("a file");
            });
            settled(&path, &event, None, Duration::from_mins(1))
        });
        assert_eq!(evidence.has_message(Some("Done.")), Some(true));
    }
}

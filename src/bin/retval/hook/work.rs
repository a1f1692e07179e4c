//! What shows that the agent did the work that it returns: its transcript, the time of its start, and
//! the commit that was there then.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use retval::evidence::{EvidenceMode, WorkEvidence};
use retval::harness::{Event, Moment};
use retval::repository::Repository;
use retval::transcript::locate::candidates;

use crate::evidence;
use crate::hook::options::HookOptions;
use crate::hook::runs::StartedRun;
use crate::hook::state::HookState;

/// How long the end of a transcript is waited for: the client may still be writing it.
const WAIT: Duration = Duration::from_millis(250);

/// How often the transcript is read again meanwhile.
const AGAIN: Duration = Duration::from_millis(50);

/// Notes when an agent starts, and the commit that is checked out then.
pub(super) fn start(options: &HookOptions, event: &Event, state: &HookState) {
    let is_on = options.checker.evidence_mode != EvidenceMode::Off;
    if !is_on && options.return_file.is_none() {
        return;
    }
    let run = StartedRun::of(event, state);
    // A resumed agent has done its work since the first start.
    if options.return_file.is_none() && run.started().is_some() {
        return;
    }
    let folder = folder(options, event);
    let head = Repository::find(folder).and_then(|repository| repository.head());
    let head = head.ok().filter(|_| is_on).map(|commit| commit.to_string());
    run.start(head.as_deref());
}

/// The evidence at the end of an agent. None if there is no transcript of it.
pub(super) fn at_end(
    options: &HookOptions,
    event: &Event,
    state: &HookState,
) -> Option<Arc<WorkEvidence>> {
    let mode = match options.checker.evidence_mode {
        EvidenceMode::Off => return None,
        // An agent is never sent back for what is unknown.
        EvidenceMode::Require => EvidenceMode::Fail,
        mode => mode,
    };
    if event.moment != Moment::Stop {
        return None;
    }
    let run = StartedRun::of(event, state);
    let evidence = settled(&transcript(event)?, event);
    let evidence = evidence
        .mode(mode)
        .stamp(run.started())
        .repository(folder(options, event), run.head());
    Some(Arc::new(evidence))
}

/// The transcript in which the records of the agent are.
fn transcript(event: &Event) -> Option<PathBuf> {
    if let Some(own) = &event.agent_transcript {
        return Some(own.clone());
    }
    let parent = event.transcript.as_deref()?;
    let id = event.agent_id.as_deref()?;
    let places = candidates(parent, event.session.as_deref(), id);
    let mut places = places.into_iter().map(|files| files.transcript);
    Some(
        places
            .find(|path| path.is_file())
            .unwrap_or_else(|| parent.to_owned()),
    )
}

/// Reads a transcript until it has the message that the agent ended with. One that does not get it in
/// time is no evidence.
fn settled(path: &Path, event: &Event) -> WorkEvidence {
    let started = Instant::now();
    loop {
        let Ok(evidence) = evidence::of_transcript(path, event.agent_id.clone()) else {
            return WorkEvidence::new().unread();
        };
        match evidence.has_message(event.message.as_deref()) {
            Some(false) if started.elapsed() + AGAIN <= WAIT => std::thread::sleep(AGAIN),
            Some(false) => return WorkEvidence::new().unread(),
            Some(true) | None => return evidence,
        }
    }
}

fn folder<'e>(options: &'e HookOptions, event: &'e Event) -> &'e Path {
    let folder = options.root.as_deref().or(event.folder.as_deref());
    folder.unwrap_or(Path::new("."))
}

//! Failures of the hook itself, most of which are mistakes in its configuration. Each is told and recorded
//! once in a session, because the hook is called for each event of each agent.

use std::path::Path;

use crate::clients::{Answer, Event, Moment};
use serde::{Deserialize, Serialize};

use crate::cli::hook::log::record_unchecked;
use crate::cli::hook::state_file::{self, StateFile};

/// What one session was told of a failure.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct KnownFailure {
    is_told: bool,
    is_recorded: bool,
}

/// The answer to a failure: told to the caller if it is the first of this kind in the session, and recorded.
pub(super) fn told(
    answer: Answer,
    text: &str,
    event: &Event,
    errors_json: Option<&Path>,
) -> Answer {
    let file = StateFile::lock(&state_file::name((&event.session, text), "failure"));
    let mut known: KnownFailure = file.as_ref().and_then(StateFile::value).unwrap_or_default();
    let is_end = !matches!(event.moment, Moment::Start | Moment::Compaction);
    if let Some(path) = errors_json.filter(|_| is_end && !known.is_recorded) {
        record_unchecked(path, event, text);
        known.is_recorded = true;
    }
    let is_of_caller = matches!(
        event.moment,
        Moment::Result | Moment::Fetched | Moment::Notification | Moment::Waited
    );
    let answer = match answer {
        Answer::Note(text) if is_of_caller && !known.is_told => {
            known.is_told = true;
            Answer::Tell(text)
        }
        answer => answer,
    };
    if let Some(file) = file {
        let _ = file.replace(&known);
    }
    answer
}

//! The records of invalid returns, and of agents that left no return.

use std::path::Path;
use std::sync::LazyLock;

use crate::clients::Event;
use crate::error_log::{FailedAgent, HookCall, ReturnLack};
use crate::format::Source;

use crate::cli::hook::end::AgentEnd;
use crate::cli::hook::refusal::{ACTION, Rejected};
use crate::cli::output::error_log::LogFile;
use crate::cli::output::recorder::Recorder;
use crate::cli::stderr;

static SOURCE: LazyLock<Source<'static>> = LazyLock::new(|| Source::new("hook"));

/// What to do about a return that was not checked.
const CORRECT: &str = "Correct what the message names, then run the task again";

impl AgentEnd<'_> {
    pub(super) fn record(&self, rejected: &Rejected<'_>) {
        self.add_record(|recorder| match rejected.returned {
            Ok(bytes) => recorder.record(rejected.report, &SOURCE, Some(bytes)),
            Err(missing) => record_of_agent(self.event, missing, ReturnLack::Missing)(recorder),
        });
    }

    pub(super) fn record_lack(&self, message: &str, lack: ReturnLack) {
        self.add_record(record_of_agent(self.event, message, lack));
    }

    fn add_record(&self, record: impl Fn(&Recorder) -> String) {
        let Some(path) = &self.options.errors_json else {
            return;
        };
        let hook = HookCall {
            observed: self.options.on_failure.is_observing,
            asked_again: self.asked_again,
            ..hook_call(self.event)
        };
        add_record(path, hook, record);
    }
}

pub(super) fn record_unchecked(path: &Path, event: &Event, message: &str) {
    let record = record_of_agent(event, message, ReturnLack::Unchecked);
    add_record(path, hook_call(event), record);
}

fn hook_call(event: &Event) -> HookCall {
    HookCall {
        client: event.client.as_str(),
        agent_id: event.agent_id.clone(),
        client_session: event.session.clone(),
        observed: false,
        asked_again: None,
    }
}

fn record_of_agent(event: &Event, message: &str, lack: ReturnLack) -> impl Fn(&Recorder) -> String {
    move |recorder| {
        let agent = FailedAgent {
            session: event.session.as_deref(),
            agent: event.agent.as_deref().unwrap_or_default(),
            message,
            action: if lack == ReturnLack::Unchecked {
                CORRECT
            } else {
                ACTION
            },
            lack,
        };
        recorder.record_agent(&agent, &SOURCE)
    }
}

/// Adds a record to the log.
fn add_record(path: &Path, hook: HookCall, record: impl Fn(&Recorder) -> String) {
    let recorder = Recorder::default().in_hook(hook);
    let mut log = LogFile::new(path);
    let added = log.add(&mut vec![record(&recorder)]);
    // The verdict stands even if it could not be logged.
    if let Err(error) = added.and_then(|()| log.flush()) {
        stderr::error(&error);
    }
}

//! The records of invalid returns, and of agents that left no return.

use std::path::Path;
use std::sync::LazyLock;

use crate::clients::Event;
use crate::error_log::{FailedAgent, HookCall, ReturnLack};
use crate::format::Source;

use crate::cli::hook::end::AgentEnd;
use crate::cli::hook::refusal::{ACTION, Rejected};
use crate::cli::output::error_log::LogFile;
use crate::cli::output::invalid::Recorder;
use crate::cli::stderr;

static SOURCE: LazyLock<Source<'static>> = LazyLock::new(|| Source::new("hook"));

/// What to do about a return that was not checked.
const CORRECT: &str = "Correct what the message names, then run the task again";

impl AgentEnd<'_> {
    pub(super) fn record(&self, rejected: &Rejected<'_>) {
        self.add_records(|recorder, records| match rejected.returned {
            Ok(bytes) => recorder.add(rejected.report, &SOURCE, Some(bytes), records),
            Err(missing) => add_agent(self.event, missing, ReturnLack::Missing)(recorder, records),
        });
    }

    pub(super) fn record_lack(&self, message: &str, lack: ReturnLack) {
        self.add_records(add_agent(self.event, message, lack));
    }

    fn add_records(&self, add: impl Fn(&Recorder, &mut Vec<String>) -> anyhow::Result<()>) {
        let options = self.options;
        let path = options.errors_json.as_deref();
        let hook = HookCall {
            observed: options.on_failure.is_observing,
            asked_again: self.asked_again,
            ..hook_call(self.event)
        };
        add_records(path, hook, add);
    }
}

pub(super) fn record_unchecked(path: &Path, event: &Event, message: &str) {
    let add = add_agent(event, message, ReturnLack::Unchecked);
    add_records(Some(path), hook_call(event), add);
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

fn add_agent(
    event: &Event,
    message: &str,
    lack: ReturnLack,
) -> impl Fn(&Recorder, &mut Vec<String>) -> anyhow::Result<()> {
    move |recorder, records| {
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
        recorder.add_agent(&agent, &SOURCE, records);
        Ok(())
    }
}

/// Adds records to the log, if there is one.
fn add_records(
    path: Option<&Path>,
    hook: HookCall,
    add: impl Fn(&Recorder, &mut Vec<String>) -> anyhow::Result<()>,
) {
    let Some(recorder) = Recorder::new(path, None) else {
        return;
    };
    let mut records = Vec::new();
    let saved = add(&recorder.in_hook(hook), &mut records);
    let logged = path.map_or(Ok(()), |path| {
        let mut log = LogFile::new(path);
        log.add(&mut records)?;
        log.flush()
    });
    // The verdict stands even if it could not be logged.
    for error in [saved, logged].into_iter().filter_map(Result::err) {
        stderr::error(&error);
    }
}

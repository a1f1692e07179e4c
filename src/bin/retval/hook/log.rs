//! The records of invalid returns, and of agents that left no return.

use std::sync::LazyLock;

use retval::internal::error_log::FailedAgent;
use retval::internal::format::Source;

use crate::hook::end::AgentEnd;
use crate::hook::rejected::{ACTION, Rejected};
use crate::output::error_log::LogFile;
use crate::output::invalid::Recorder;
use crate::stderr;

/// What records name as their source.
static SOURCE: LazyLock<Source<'static>> = LazyLock::new(|| Source::new("hook"));

impl AgentEnd<'_> {
    pub(super) fn record(&self, rejected: &Rejected<'_>) {
        self.add_records(|recorder, records| match rejected.returned {
            Ok(bytes) => recorder.add(rejected.report, &SOURCE, Some(bytes), records),
            Err(missing) => {
                recorder.add_agent(&self.agent(missing, true), &SOURCE, records);
                Ok(())
            }
        });
    }

    /// Records that the agent ended with an error.
    pub(super) fn record_failure(&self, message: &str) {
        self.add_records(|recorder, records| {
            recorder.add_agent(&self.agent(message, false), &SOURCE, records);
            Ok(())
        });
    }

    fn agent<'m>(&'m self, message: &'m str, is_missing: bool) -> FailedAgent<'m> {
        let agent = self.event.agent.as_deref().unwrap_or_default();
        FailedAgent {
            session: self.event.session.as_deref(),
            agent,
            message,
            action: ACTION,
            is_missing,
        }
    }

    fn add_records(&self, add: impl Fn(&Recorder, &mut Vec<String>) -> anyhow::Result<()>) {
        let path = self.options.errors_json.as_deref();
        let Some(recorder) = Recorder::new(path, self.options.save_invalid.as_deref()) else {
            return;
        };
        let mut records = Vec::new();
        let saved = add(&recorder, &mut records);
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
}

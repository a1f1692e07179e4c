//! The records of invalid returns for the error log.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Report;
use crate::format::Source;
use crate::log::{self, FailedAgent, HookCall, Occurrence};

/// Records the invalid returns of a run. Workers share it.
#[derive(Default)]
pub(crate) struct Recorder {
    count: AtomicU64,
    /// The call of a hook that all of them are found in.
    hook: Option<HookCall>,
}

impl Recorder {
    pub(crate) fn in_hook(self, hook: HookCall) -> Self {
        Self {
            hook: Some(hook),
            ..self
        }
    }

    /// The record of an invalid return.
    pub(crate) fn record(
        &self,
        report: &Report<'_>,
        source: &Source<'_>,
        returned: Option<&[u8]>,
    ) -> String {
        log::record(report, &self.occurrence(source, returned))
    }

    /// The record of an agent that left no return.
    pub(crate) fn record_agent(&self, agent: &FailedAgent<'_>, source: &Source<'_>) -> String {
        agent.record(&self.occurrence(source, None))
    }

    fn occurrence<'r>(&self, source: &Source<'r>, returned: Option<&'r [u8]>) -> Occurrence<'r> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let found = jiff::Timestamp::now();
        let (milliseconds, process) = (found.as_millisecond(), std::process::id());
        Occurrence {
            id: format!("err_{milliseconds}_{process:x}_{number:x}"),
            timestamp: found.to_string(),
            source: *source,
            returned,
            hook: self.hook.clone(),
        }
    }
}

//! What is known and learned of the agent of an event while it is decided about, and what the decision is.

use std::sync::LazyLock;
use std::time::{Duration, UNIX_EPOCH};

use crate::Report;
use crate::clients::{Answer, Event, Moment};
use crate::log::{FailedAgent, HookCall, ReturnLack};
use crate::report::Source;
use crate::text::escape;

use crate::cli::hook::session::{AgentRecord, FailureEvent, HookSession, NotedFailure, Verdict};
use crate::cli::hook::trace::Trace;
use crate::cli::output::error_log::Recorder;

/// Most seconds by which an agent's own event follows that of its caller.
const BEHIND_AT_MOST: u64 = 10;

/// What the hook does about an event.
pub(super) struct Decision {
    pub(super) answer: Answer,
    /// Lines of the log, one for each agent that the event is about.
    pub(super) traces: Vec<Trace>,
    /// Records for the error log.
    pub(super) records: Vec<String>,
}

impl Decision {
    pub(super) fn new(answer: Answer, trace: Trace) -> Self {
        let (traces, records) = (vec![trace], Vec::new());
        Self {
            answer,
            traces,
            records,
        }
    }
}

/// A failure of the hook in one line. A configuration file may have several errors.
pub(super) fn failure(why: &str) -> String {
    let lines = why.lines().map(|line| line.trim_start_matches("error: "));
    let lines: Vec<_> = lines.collect();
    format!(
        "retval hook could not check the return: {}",
        escape::truncated(&lines.join("; "))
    )
}

/// The agent of an event, while it is decided about.
pub(super) struct AgentCase<'s> {
    pub(super) session: &'s mut HookSession,
    pub(super) record: AgentRecord,
    /// Whether the caller's event can be recognized, so that it can be told a verdict.
    keeps_verdict: bool,
    pub(super) trace: Trace,
    pub(super) records: Vec<String>,
}

impl<'s> AgentCase<'s> {
    pub(super) fn of(event: &Event, session: &'s mut HookSession) -> Self {
        Self {
            record: session.agent(event),
            session,
            keeps_verdict: event.agent_id.is_some() && event.client.facts().result_follows_stop,
            trace: Trace::of(event),
            records: Vec::new(),
        }
    }

    pub(super) fn decided(mut self, moment: Moment, answer: Answer) -> Decision {
        self.trace.answered(moment, &answer);
        self.session.keep(self.record);
        Decision {
            answer,
            traces: vec![self.trace],
            records: self.records,
        }
    }

    /// Whether what is known of the agent can be kept.
    pub(super) fn is_usable(&self) -> bool {
        self.session.is_usable && self.record.key.is_some()
    }

    /// Keeps a verdict until the caller gets the result.
    pub(super) fn remember(&mut self, verdict: Verdict) {
        self.record.is_awaited = false;
        if self.keeps_verdict {
            self.record.verdict = Some(verdict);
        }
    }

    /// Nothing is checked, for this reason.
    pub(super) fn unchecked(&mut self, why: &str) -> Answer {
        self.trace.unchecked(why);
        Answer::Nothing
    }

    /// Notes that an agent ended with an error. Two events report that: the agent's own and its caller's. They
    /// come in either order, and in some versions there is only one of them. Returns whether the other event has
    /// already added it to the log.
    pub(super) fn note_failure(&mut self, event: &Event, kind: FailureEvent) -> bool {
        let at = self.session.called.duration_since(UNIX_EPOCH);
        let noted = NotedFailure {
            kind,
            agent: event.agent.clone(),
            key: self.record.key.clone().filter(|_| event.agent_id.is_some()),
            at: at.as_ref().map_or(0, Duration::as_secs),
        };
        let waiting = &mut self.session.known.failures;
        // The agent's own event follows soon. In some versions there is none.
        let is_over = |at: u64| noted.at.abs_diff(at) > BEHIND_AT_MOST;
        waiting.retain(|it| it.kind == FailureEvent::Own || !is_over(it.at));
        let is_own = |it: &NotedFailure| it.kind == FailureEvent::Own;
        // Of both, one is the agent's own.
        let other = |is_of_agent: fn(&NotedFailure, &NotedFailure) -> bool| {
            let mut waiting = waiting.iter();
            waiting.position(|it| {
                it.agent == noted.agent && is_own(it) != is_own(&noted) && is_of_agent(it, &noted)
            })
        };
        let same = other(|it, noted| it.key.is_some() && it.key == noted.key);
        // An event of a caller that names no agent may belong to any.
        let found = same.or_else(|| other(|it, noted| it.key.is_none() || noted.key.is_none()));
        if let Some(at) = found {
            waiting.remove(at);
            return true;
        }
        // It failed again.
        waiting.retain(|it| (it.kind, &it.key) != (kind, &noted.key) || it.key.is_none());
        waiting.push(noted);
        false
    }
}

static SOURCE: LazyLock<Source<'static>> = LazyLock::new(|| Source::new("hook"));

/// What the caller of an agent without a return should do, and what to do about one that was not checked.
pub(super) const ACTION: &str = "Run the task again, or treat it as failed";
const CORRECT: &str = "Correct what the message names, then run the task again";

pub(super) fn hook_call(event: &Event) -> HookCall {
    HookCall {
        client: event.client.as_str(),
        agent_id: event.agent_id.clone(),
        client_session: event.session.clone(),
        observed: false,
        asked_again: None,
    }
}

/// The record of an invalid return.
pub(super) fn record_of_return(hook: HookCall, report: &Report<'_>, bytes: &[u8]) -> String {
    let recorder = Recorder::default().in_hook(hook);
    recorder.record(report, &SOURCE, Some(bytes))
}

/// The record of an agent that left no return, or whose return was not checked.
pub(super) fn record_of_agent(
    hook: HookCall,
    event: &Event,
    message: &str,
    lack: ReturnLack,
) -> String {
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
    let recorder = Recorder::default().in_hook(hook);
    recorder.record_agent(&agent, &SOURCE)
}

//! What is known of one agent from earlier events: one record for each agent, read when an event begins and
//! written when it is answered.

use std::time::SystemTime;

use crate::clients::{Answer, Event, Moment};
use serde::{Deserialize, Serialize};

use crate::cli::hook::state_file::{self, StateFile};
use crate::cli::hook::trace::Trace;

/// The most bytes of the text about the agents of a workflow to which another one is added.
const HANDED_ON_AT_MOST: usize = 4_000;

/// What is known of one agent.
///
/// A record is lost after a day, with the folder, or if it cannot be read or locked. So the default of each
/// member means that it is unknown, and what is unknown never counts against the agent: no file is too old
/// for it, no session id is expected of it, and it is asked again no more often than its client or its
/// transcript can tell. A result without a verdict is checked again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct AgentRecord {
    /// None as long as no return of the agent was refused, and after one was accepted, unless the client
    /// says that the agent was asked again in the same task: then its retries stay used, because two
    /// hooks that want different returns would otherwise ask it for ever.
    pub(super) asked: Option<Asked>,
    /// The start of the agent, until a file is accepted as its return: the first one, or the last one of an
    /// agent with an id that returns files. Never in the future.
    pub(super) start: Option<AgentStart>,
    /// When the agent last tried to end, if its transcript was looked at then.
    pub(super) stopped: Option<SystemTime>,
    /// Whether the instruction had the client's own session id. Always false without an agent id.
    pub(super) was_told_session: bool,
    /// Whether a return of the agent was ever accepted as valid, so that a further message may be a free
    /// answer. Always false without an agent id.
    pub(super) was_accepted: bool,
    /// What became of the return at the last stop, until the caller is told. Always None without an agent
    /// id, and for clients that do not call the hook with the result.
    pub(super) verdict: Option<Verdict>,
    /// The name of an agent that was told how to return, or whose return was refused. None without an id.
    pub(super) agent: Option<String>,
    /// Whether it was told how to return, and no return of it has been checked yet.
    pub(super) is_awaited: bool,
    /// The return that it has handed in by a call in its last turn.
    pub(super) handed_in: Option<HandedIn>,
}

/// A return that an agent has handed in by a call, and that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct HandedIn {
    /// What the caller gets in place of an invalid one, if the client takes that.
    pub(super) replacement: Option<String>,
}

/// How often an agent was asked for its return again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Asked {
    /// Since its last task began, if the client tells when that is.
    pub(super) in_task: u64,
    /// Since a return was last accepted, valid or not. Never less than in the task, but for a return that
    /// was accepted in it.
    pub(super) in_a_row: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct AgentStart {
    pub(super) at: SystemTime,
    /// The commit that was checked out, if evidence is collected.
    pub(super) head: Option<String>,
}

/// What became of an agent's return. No one but the agent sees the answer to its stop, so its caller is told
/// with the result. The client may have rewritten the text by then, so it is not checked again.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(super) enum Verdict {
    Silent,
    /// The return was accepted, and the person may know this.
    Note(String),
    /// The return was refused, and the agent has not returned again: the text for the caller.
    Refused(String),
    /// The return was accepted, and the caller should know this.
    Remark(String),
    /// An invalid return was accepted: the text for the caller.
    Invalid(String),
}

/// The record of the agent of one event. No other call of the hook changes it until it is stored, which
/// happens when this is dropped, if not before.
pub(super) struct AgentState {
    pub(super) record: AgentRecord,
    stored: AgentRecord,
    /// None for an event that names no agent.
    pub(super) name: Option<String>,
    /// None if there is no such file, and none can be made or locked: nothing can be stored then.
    file: Option<StateFile>,
    /// Whether something is on disk that cannot be read.
    pub(super) is_damaged: bool,
    /// Whether the caller's event can be recognized, so that it can be told a verdict.
    keeps_verdict: bool,
    /// About when the hook was called.
    pub(super) called: SystemTime,
    /// What is learned of the decision.
    pub(super) trace: Trace,
}

impl AgentState {
    /// Reads the record of the agent of an event, and locks it.
    pub(super) fn load(event: &Event) -> Self {
        let called = SystemTime::now();
        let name = name_of(event);
        let file = name.as_deref().and_then(StateFile::lock);
        let found = file.as_ref().and_then(StateFile::value::<AgentRecord>);
        let is_damaged = file.is_some() && found.is_none();
        let stored = found.unwrap_or_default();
        let mut record = stored.clone();
        // The clock was set back: the agent's own files would look older than its start.
        record.start = record.start.filter(|start| start.at <= called);
        Self {
            record,
            stored,
            name,
            file,
            is_damaged,
            keeps_verdict: event.agent_id.is_some() && event.client.facts().result_follows_stop,
            called,
            trace: Trace::default(),
        }
    }

    pub(super) fn is_usable(&self) -> bool {
        self.file.is_some()
    }

    /// Keeps a verdict until the caller gets the result.
    pub(super) fn remember(&mut self, verdict: Verdict) {
        self.record.is_awaited = false;
        if self.keeps_verdict {
            self.record.verdict = Some(verdict);
        }
    }

    /// The text about a return that was refused, if its agent has ended since without another.
    pub(super) fn take_refused(&mut self) -> Option<String> {
        let is_refused = |verdict: &mut Verdict| matches!(verdict, Verdict::Refused(_));
        match self.record.verdict.take_if(is_refused)? {
            Verdict::Refused(text) => Some(text),
            _ => None,
        }
    }

    /// The answer to an agent that completes a task: not as long as its return is refused.
    pub(super) fn refused_task(&mut self) -> Answer {
        let Some(Verdict::Refused(_)) = &self.record.verdict else {
            self.trace.why = Some("no return of its agent is refused".into());
            return Answer::Nothing;
        };
        self.trace.why = Some("the return of its agent was refused".into());
        let text = "The task is not completed: your return was refused, and you have not returned again. Correct it first.\n";
        Answer::Block(text.to_owned())
    }

    /// The answer to an event of the caller, from the verdict. None for other events, or if there is no
    /// verdict and the result must be checked.
    pub(super) fn tell(&mut self, event: &Event) -> Option<Answer> {
        let moment = event.moment;
        if matches!(self.record.verdict, Some(Verdict::Refused(_))) {
            return None;
        }
        let verdict = match moment {
            // The caller also gets a message with what was handed in.
            Moment::Result if event.is_handed_in => self.record.verdict.replace(Verdict::Silent)?,
            Moment::Result | Moment::Notification => self.record.verdict.take()?,
            // The verdict stays: the caller can fetch the result several times, and a notification may
            // follow. If no verdict is left, the caller has already been told.
            Moment::Fetched if self.is_usable() => {
                self.record.verdict.clone().unwrap_or(Verdict::Silent)
            }
            _ => return None,
        };
        self.trace.why = Some("by what was decided when it stopped".into());
        Some(match verdict {
            Verdict::Silent => Answer::Nothing,
            Verdict::Note(text) => Answer::Note(text),
            Verdict::Invalid(text) if moment != Moment::Notification => Answer::Block(text),
            Verdict::Invalid(text) | Verdict::Remark(text) | Verdict::Refused(text) => {
                Answer::Tell(text)
            }
        })
    }

    /// Hands the verdict on an agent of a workflow on to the workflow: its caller is told of that alone.
    pub(super) fn hand_on(&mut self, event: &Event) {
        let is_text = |it: &mut Verdict| matches!(it, Verdict::Invalid(_) | Verdict::Remark(_));
        let Some(id) = &event.workflow else { return };
        let Some(Verdict::Invalid(text) | Verdict::Remark(text)) =
            self.record.verdict.take_if(is_text)
        else {
            return;
        };
        let mut of_workflow = event.clone();
        of_workflow.agent_id = Some(id.clone());
        let mut state = Self::load(&of_workflow);
        let told = match state.record.verdict.take() {
            Some(Verdict::Remark(before)) if before.len() > HANDED_ON_AT_MOST => before,
            Some(Verdict::Remark(before)) => before + "\n" + &text,
            _ => text,
        };
        state.remember(Verdict::Remark(told));
    }

    /// Writes the record if it has changed. One that cannot be written is removed, because the old one would
    /// be wrong. Returns whether the record is on disk.
    pub(super) fn store(&mut self) -> bool {
        let is_empty = self.record == AgentRecord::default();
        let is_changed = self.record != self.stored;
        self.stored.clone_from(&self.record);
        let is_written = match &self.file {
            Some(file) if is_changed && !is_empty => file.replace(&self.record).is_ok(),
            file => !is_changed && (!is_empty || file.is_none()),
        };
        if let (false, Some(name)) = (is_written, &self.name) {
            state_file::remove(name);
        }
        is_written
    }
}

impl Drop for AgentState {
    fn drop(&mut self) {
        self.store();
    }
}

/// The name of the record. It differs for any two agents that the client tells apart, by an id or by their
/// transcripts.
fn name_of(event: &Event) -> Option<String> {
    let is_named = event.agent.is_some() || event.agent_transcript.is_some();
    let about = (&event.session, &event.agent, &event.agent_transcript);
    match &event.agent_id {
        Some(id) => Some(name_of_id(event, id)),
        None => is_named.then(|| state_file::name(about, "agent")),
    }
}

/// The name of the record of the agent with this id.
pub(super) fn name_of_id(event: &Event, id: &str) -> String {
    state_file::name((&event.session, id), "agent")
}

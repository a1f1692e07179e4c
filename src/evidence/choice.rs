//! Finds the run of a transcript that a return belongs to.

use std::time::SystemTime;

use serde_json::Value;

use crate::clients::run::Run;
use crate::document::extract::{Contents, ReturnShape, contents};
use crate::evidence::sources::{Record, WorkEvidence};

pub(super) const NO_SUCH_AGENT: &str = "the transcript has no agent with this id";
const SEVERAL_AGENTS: &str = "the transcript has several agents; --agent-id says which one";
const OTHER_MESSAGE: &str =
    "the last message of the agent is not this return; --agent-id says that it is its run";
const ONLY_AGENTS_OF_CLIENT: &str = "the client started every agent in the transcript for itself";

/// What identifies the run of a return.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReturnIdentity<'t> {
    pub(crate) text: &'t str,
    pub(crate) session: Option<&'t str>,
    /// Whether the return is a file. If so, the agent's last message is a different text.
    pub(crate) is_file: bool,
}

impl ReturnIdentity<'_> {
    /// The index of a run, unless it is known to be that of another return.
    fn run_at(&self, runs: &[Run], at: usize) -> Result<usize, &'static str> {
        let Run {
            prompt,
            final_message,
            ..
        } = &runs[at];
        let is_message = |message: &String| ReturnMatcher::new(self.text).is_in(message);
        let names = |session| {
            prompt
                .as_deref()
                .is_some_and(|prompt| prompt.contains(session))
        };
        let is_own = self.is_file
            || final_message.as_ref().is_none_or(is_message)
            || self.session.is_some_and(names);
        is_own.then_some(at).ok_or(OTHER_MESSAGE)
    }
}

impl WorkEvidence {
    /// The index of the run among all runs.
    pub(super) fn choose(&self, of: &ReturnIdentity<'_>) -> Result<usize, &'static str> {
        let runs = match &self.record {
            Some(Record::Runs(runs)) => runs,
            Some(Record::Unread) => return Err("the transcript could not be read"),
            None => return Err("no transcript was given"),
        };
        if let Some(id) = &self.agent_id {
            let mut ids = runs.iter().map(|run| run.agent_id.as_ref());
            let is_of_client = self.of_client.contains(id);
            let missing = || {
                if is_of_client {
                    "the client started this agent for itself"
                } else {
                    NO_SUCH_AGENT
                }
            };
            return ids.position(|it| it == Some(id)).ok_or_else(missing);
        }
        if let Some(own) = &self.own {
            let own = runs
                .iter()
                .position(|run| run.agent_id.as_ref() == Some(own));
            return of.run_at(runs, own.ok_or(NO_SUCH_AGENT)?);
        }
        if let Some(run) = by_message(runs, of.text) {
            return run;
        }
        if let Some(run) = of.session.and_then(|session| by_prompt(runs, session)) {
            return Ok(run);
        }
        match runs.len() {
            0 if !self.of_client.is_empty() => Err(ONLY_AGENTS_OF_CLIENT),
            0 => Err("the transcript has no agent"),
            1 => of.run_at(runs, 0),
            _ => Err(SEVERAL_AGENTS),
        }
    }

    /// Whether `message` is the last message of the named agent, or else of the agent that the
    /// transcript belongs to. If so, the transcript is written to its end. None if it has no records of
    /// that agent.
    pub(crate) fn has_message(&self, message: Option<&str>) -> Option<bool> {
        let own = self.named()?.final_message.as_deref().unwrap_or_default();
        Some(own.trim() == message.unwrap_or_default().trim())
    }

    /// When that agent last got a message. An answer that is recorded after it is a later one.
    pub(crate) fn last_asked(&self) -> Option<SystemTime> {
        self.named()?.asked
    }

    /// The run of the named agent, or else of the agent that the transcript belongs to, or else the
    /// first run.
    fn named(&self) -> Option<&Run> {
        let id = self.agent_id.as_ref().or(self.own.as_ref());
        let runs = self.all_runs();
        match id {
            Some(_) => runs.iter().find(|run| run.agent_id.as_ref() == id),
            None => runs.first(),
        }
    }

    pub(super) fn all_runs(&self) -> &[Run] {
        match &self.record {
            Some(Record::Runs(runs)) => runs,
            _ => &[],
        }
    }
}

/// The run whose last message contains the return. Other agents come before a main agent, which may pass
/// on what they returned.
fn by_message(runs: &[Run], text: &str) -> Option<Result<usize, &'static str>> {
    let wanted = ReturnMatcher::new(text);
    let holds = |run: &Run| {
        let message = run.final_message.as_deref();
        message.is_some_and(|message| wanted.is_in(message))
    };
    let mut found: Vec<usize> = (0..runs.len()).filter(|at| holds(&runs[*at])).collect();
    if found.len() > 1 {
        found.retain(|at| runs[*at].depth != Some(0));
    }
    match found.as_slice() {
        [] => None,
        [run] => Some(Ok(*run)),
        _ => Some(Err(SEVERAL_AGENTS)),
    }
}

/// The run whose task contains the session id. None if there is no such run, or more than one.
fn by_prompt(runs: &[Run], session: &str) -> Option<usize> {
    let names = |run: &Run| {
        let prompt = run.prompt.as_deref();
        run.depth != Some(0) && prompt.is_some_and(|prompt| prompt.contains(session))
    };
    let mut found = (0..runs.len()).filter(|at| names(&runs[*at]));
    found.next().filter(|_| found.next().is_none())
}

/// A return that is looked for in messages.
struct ReturnMatcher<'t> {
    text: &'t str,
    value: Option<Value>,
}

impl<'t> ReturnMatcher<'t> {
    fn new(text: &'t str) -> Self {
        let text = text.trim();
        Self {
            text,
            value: serde_json::from_str(text).ok(),
        }
    }

    /// Whether a message contains the return, as text or as the same JSON in another layout.
    fn is_in(&self, message: &str) -> bool {
        if self.text.is_empty() {
            return message.trim().is_empty();
        }
        if message.contains(self.text) {
            return true;
        }
        let Some(wanted) = &self.value else {
            return self.text.contains(message.trim()) && !message.trim().is_empty();
        };
        let text = match contents(message, &ReturnShape::default()) {
            Contents::One { place, .. } => &message[place.start..place.end],
            _ => message,
        };
        serde_json::from_str::<Value>(text).is_ok_and(|value| value == *wanted)
    }
}

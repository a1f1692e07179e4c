//! Returns that agents hand in by a call of a tool.

use std::str::FromStr;

use crate::clients::{AgentCall, Event, Moment};
use crate::text::escape;
use anyhow::Context as _;
use globset::{Glob, GlobMatcher};
use serde::{Deserialize, Serialize};

use crate::cli::hook::state_file::{self, StateFile};

/// The member of a call that is the return, where nothing else is said.
const MEMBER: &str = "/message";

/// The tool by which agents hand in their return: `GLOB` for its name, or `GLOB#POINTER`.
#[derive(Debug, Clone)]
pub(super) struct ReturnTool {
    names: GlobMatcher,
    /// The JSON pointer to the return in the arguments. Without one, it is the member `message`, or else
    /// all of them.
    pointer: Option<String>,
}

impl FromStr for ReturnTool {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (glob, pointer) = match text.split_once('#') {
            Some((glob, pointer)) => (glob, Some(pointer)),
            None => (text, None),
        };
        let shown = escape::truncated(text);
        if pointer.is_some_and(|pointer| !pointer.is_empty() && !pointer.starts_with('/')) {
            anyhow::bail!(
                "cannot use the tool {shown}: after # there is a JSON pointer, as in write_result#/report"
            );
        }
        let names = Glob::new(glob).with_context(|| format!("cannot use the tool {shown}"))?;
        Ok(Self {
            names: names.compile_matcher(),
            pointer: pointer.map(str::to_owned),
        })
    }
}

impl ReturnTool {
    pub(super) fn name(&self) -> &str {
        self.names.glob().glob()
    }

    fn of(&self, call: &AgentCall) -> Option<String> {
        let text = || match &self.pointer {
            Some(pointer) => call.value(pointer),
            None => call.value(MEMBER).or_else(|| call.value("")),
        };
        let is_own = self.names.is_match(&call.tool);
        is_own.then(|| text().unwrap_or_default())
    }
}

/// The return in a call. None if the agent does not hand one in by it.
pub(super) fn returned(tool: Option<&ReturnTool>, event: &Event) -> Option<String> {
    let call = event.call.as_ref()?;
    if let Some(tool) = tool {
        return tool.of(call);
    }
    let mut tools = event.client.facts().return_tools.iter();
    let (_, pointer) = tools.find(|(name, _)| *name == call.tool)?;
    let text = call.value(pointer).or_else(|| call.value(""));
    Some(text.unwrap_or_default())
}

/// The agents of one session that run, in a client that does not say who makes a call.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct RunningAgents {
    names: Vec<String>,
    /// Whether several ran at once since the last time that none did. A call may then be of any.
    were_several: bool,
}

/// Most agents of one session that are noted.
const RUNNING_AT_MOST: usize = 256;

/// Notes which agents run, and adds the name of the only one to a call that names none.
pub(super) fn attributed(mut event: Event) -> Event {
    let is_of_agent = matches!(
        event.moment,
        Moment::Start | Moment::Call | Moment::Result | Moment::Failure
    );
    if !is_of_agent || !event.client.facts().hides_callers {
        return event;
    }
    let Some(file) = StateFile::lock(&state_file::name(&event.session, "running")) else {
        return event;
    };
    let mut running: RunningAgents = file.value().unwrap_or_default();
    match (event.moment, &event.agent) {
        (Moment::Start, Some(agent)) if running.names.len() < RUNNING_AT_MOST => {
            running.names.push(agent.clone());
            running.were_several |= running.names.len() > 1;
        }
        (Moment::Start, _) => running.were_several = true,
        (Moment::Call, _) => {
            event.agent = running.names.pop().filter(|_| !running.were_several);
            return event;
        }
        (_, agent) => {
            let at = running
                .names
                .iter()
                .position(|name| Some(name) == agent.as_ref());
            at.map(|at| running.names.remove(at));
            running.were_several &= !running.names.is_empty();
        }
    }
    let _ = file.replace(&running);
    event
}

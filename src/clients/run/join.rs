//! Joins what several records have of one agent: several places of a transcript, the transcript of the
//! caller, and the metadata file that Claude Code writes next to the agent's own.

use std::collections::HashMap;

use serde::Deserialize;

use super::{Completeness, End, Gap, Run, Tokens, fill};

/// Joins the runs of each agent into the first of them. An agent that is resumed by a call has a run for
/// each call, and a notification may name an agent before the result of its call does.
pub(super) fn joined(runs: Vec<Run>) -> Vec<Run> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut joined: Vec<Run> = Vec::with_capacity(runs.len());
    for run in runs {
        let next = joined.len();
        let id = run.agent_id.clone();
        let place = id.map_or(next, |id| *places.entry(id).or_insert(next));
        match joined.get_mut(place) {
            Some(first) => first.join(run),
            None => joined.push(run),
        }
    }
    for run in &mut joined {
        run.calls.sort_by_key(|call| call.line);
        run.compare_counts();
    }
    joined
}

impl Run {
    /// Adds another run of the same agent, which begins later.
    fn join(&mut self, later: Self) {
        let is_task = self.tool_call_id.is_some() && later.tool_call_id.is_some();
        if is_task && later.end == End::NotStarted {
            return;
        }
        self.completeness = self.completeness_with(&later, is_task);
        self.fill_start(&later);
        fill!(self, later: started);
        self.ended = self.ended.max(later.ended);
        self.asked = self.asked.max(later.asked);
        self.calls.extend(later.calls);
        self.is_recorded |= later.is_recorded;
        self.ends_in_text = later.ends_in_text;
        if is_task {
            let (own, other) = (&mut self.details, later.details);
            let durations = own.duration.zip(other.duration);
            own.duration = durations.map(|(own, later)| own + later);
            own.context_tokens = other.context_tokens;
            own.status = other.status;
            let counts = self.reported_calls.zip(later.reported_calls);
            self.reported_calls = counts.map(|(own, later)| own.saturating_add(later));
            self.final_message = later.final_message;
            self.end = later.end;
            self.resumed = true;
            self.times_asked_again = later.times_asked_again;
            self.tokens.add(later.tokens);
        } else {
            fill!(self, later: reported_calls, final_message);
            if self.end == End::Unknown {
                self.end = later.end;
            }
            self.resumed |= later.resumed;
            self.times_asked_again = self.times_asked_again.max(later.times_asked_again);
            if self.tokens == Tokens::default() {
                self.tokens = later.tokens;
            }
        }
    }

    /// Whether both runs together have every call. `is_task`: each has a task of its own. Otherwise one
    /// may have only what the caller's records say.
    fn completeness_with(&self, later: &Self, is_task: bool) -> Completeness {
        const ELSEWHERE: Completeness = Completeness::Partial(Gap::Elsewhere);
        match (self.completeness, later.completeness) {
            (ELSEWHERE, of_later) if !is_task => of_later,
            (own, ELSEWHERE) if !is_task => own,
            (ELSEWHERE, _) | (_, ELSEWHERE) => ELSEWHERE,
            (Completeness::Complete, of_later) => of_later,
            (own, _) => own,
        }
    }

    /// Compares the number of all calls with the count of the client.
    fn compare_counts(&mut self) {
        let found = self.calls.len() as u64;
        let Some(reported) = self.reported_calls else {
            return;
        };
        self.completeness = match self.completeness {
            other @ Completeness::Partial(Gap::OtherClient { .. }) => other,
            _ if reported == found => Completeness::Complete,
            Completeness::Complete if reported < found => Completeness::Complete,
            Completeness::Partial(Gap::Count { .. }) | Completeness::Complete => {
                Completeness::Partial(Gap::Count { found, reported })
            }
            other @ Completeness::Partial(_) => other,
        };
    }

    /// Fills empty fields from the agent's sidecar. [`Sidecar::is_finished`] is not used: the end of the
    /// transcript may be written after it.
    pub(crate) fn add_sidecar(&mut self, sidecar: &Sidecar) {
        fill!(self, sidecar: agent_type, is_builtin, parent, depth, tool_call_id);
        fill!(self.details, sidecar: description, model);
    }

    /// Fills empty fields from the caller's transcript. `reported` is this agent's run in the
    /// [`Transcript::runs`](crate::clients::transcript::Transcript::runs) of the caller.
    ///
    /// The calls are complete if there are as many as the caller's transcript reports, and partial if
    /// there are fewer.
    pub(crate) fn add_reported(&mut self, reported: &Self) {
        self.fill_start(reported);
        fill!(self, reported: reported_calls);
        if reported.end.is_error() && !self.end.is_error() && !self.outlasts(reported) {
            self.end = reported.end;
        }
        let lacks_task = reported.resumed && !self.resumed;
        self.resumed |= reported.resumed;
        let found = self.calls.len() as u64;
        match self.reported_calls {
            Some(reported) if reported == found => self.completeness = Completeness::Complete,
            Some(reported) if reported > found => {
                self.completeness = Completeness::Partial(Gap::Count { found, reported });
            }
            None if lacks_task && self.is_complete() => {
                self.completeness = Completeness::Partial(Gap::NoEnd);
            }
            _ => {}
        }
    }

    /// Fills what another record has about the agent and its start.
    pub(super) fn fill_start(&mut self, other: &Self) {
        fill!(self, other: agent_type, is_builtin, parent, depth, tool_call_id, prompt, session);
        self.details.fill(&other.details);
    }

    /// Whether the agent's own record goes on to an answer after the error that its caller got. If the
    /// caller got the error in place of an answer, the last text of the record is none.
    fn outlasts(&self, reported: &Self) -> bool {
        let is_in_place = reported.final_message.is_some()
            && reported.final_message != self.final_message
            && !self.resumed;
        self.final_message.is_some() && !is_in_place
    }
}

/// The contents of `agent-ID.meta.json`, the metadata file that Claude Code writes next to an agent's
/// transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Sidecar {
    /// The type that the agent was called with. For a member of a team it is the agent's name.
    pub agent_type: Option<String>,
    /// The type of a member of a team.
    spawned_agent_type: Option<String>,
    /// Whether that type is built into Claude Code.
    #[serde(rename = "isBuiltIn")]
    pub is_builtin: Option<bool>,
    /// Whether the agent belongs to a run of a workflow.
    #[serde(rename = "inWorkflowRun")]
    pub is_in_workflow: Option<bool>,
    /// The id of the calling agent. None if that is the main agent.
    #[serde(rename = "parentAgentId")]
    pub parent: Option<String>,
    /// 1 for an agent that the main agent called, and so on.
    #[serde(rename = "spawnDepth")]
    pub depth: Option<u64>,
    #[serde(rename = "toolUseId")]
    pub tool_call_id: Option<String>,
    #[serde(rename = "finished")]
    pub is_finished: Option<bool>,
    pub description: Option<String>,
    pub model: Option<String>,
}

/// The size of the largest sidecar that is read, in bytes. Real ones are smaller than 1 KiB.
const SIDECAR_AT_MOST: usize = 64 << 10;

impl Sidecar {
    /// Reads a sidecar. None if it is not a JSON object, or too large.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let is_object = bytes.trim_ascii_start().starts_with(b"{");
        if bytes.len() > SIDECAR_AT_MOST || !is_object {
            return None;
        }
        let mut sidecar: Self = serde_json::from_slice(bytes).ok()?;
        let of_member = sidecar.spawned_agent_type.take();
        sidecar.agent_type = of_member.or(sidecar.agent_type);
        // A member of a team has 0, as if none had called it.
        sidecar.depth = sidecar.depth.map(|depth| depth.max(1));
        Some(sidecar)
    }
}

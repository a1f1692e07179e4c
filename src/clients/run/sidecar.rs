//! The metadata file that Claude Code writes next to an agent's transcript.

use super::{Completeness, Gap, JsonNode, Run, fill};

/// The contents of `agent-ID.meta.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sidecar {
    /// The type that the agent was called with.
    pub agent_type: Option<String>,
    /// Whether that type is built into Claude Code.
    pub is_builtin: Option<bool>,
    /// Whether the agent belongs to a run of a workflow.
    pub is_in_workflow: Option<bool>,
    /// The id of the calling agent. None if that is the main agent.
    pub parent: Option<String>,
    /// 1 for an agent that the main agent called, and so on.
    pub depth: Option<u64>,
    /// The id of the caller's tool call that started the agent.
    pub tool_call_id: Option<String>,
    /// Whether the agent has ended.
    pub is_finished: Option<bool>,
    /// What the caller calls the task, in a few words.
    pub description: Option<String>,
    /// The model that the agent was started with.
    pub model: Option<String>,
}

/// The size of the largest sidecar that is read, in bytes. Real ones are smaller than 1 KiB.
const SIDECAR_AT_MOST: usize = 64 << 10;

impl Sidecar {
    /// Reads a sidecar. None if it is not a JSON object, or too large.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > SIDECAR_AT_MOST {
            return None;
        }
        let content = JsonNode::whole(std::str::from_utf8(bytes).ok()?)?;
        let owned = |name| content.get(name).map(str::to_owned);
        Some(Self {
            // For a member of a team, the agent's type is its name.
            agent_type: owned("spawnedAgentType").or_else(|| owned("agentType")),
            is_builtin: content.flag("isBuiltIn"),
            is_in_workflow: content.flag("inWorkflowRun"),
            parent: owned("parentAgentId"),
            // A member of a team has 0, as if none had called it.
            depth: content.count("spawnDepth").map(|depth| depth.max(1)),
            tool_call_id: owned("toolUseId"),
            is_finished: content.flag("finished"),
            description: owned("description"),
            model: owned("model"),
        })
    }
}

impl Run {
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
    pub(in crate::clients) fn fill_start(&mut self, other: &Self) {
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

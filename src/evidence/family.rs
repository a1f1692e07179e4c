//! Sorts runs into those of an agent and the agents that it called, and all others.

use crate::clients::run::{Call, Run};

/// A run, the runs of agents that it called, directly or through others, and the remaining runs.
#[derive(Debug)]
pub(super) struct Family<'e> {
    pub(super) members: Vec<&'e Run>,
    pub(super) others: Vec<&'e Run>,
}

impl<'e> Family<'e> {
    pub(super) fn of(runs: &'e [Run], at: usize) -> Self {
        let mut members: Vec<&Run> = runs.get(at).into_iter().collect();
        let mut others: Vec<&Run> = Vec::new();
        let rest = runs.iter().enumerate().filter(|(index, _)| *index != at);
        others.extend(rest.map(|(_, run)| run));
        let mut next = 0;
        while let Some(caller) = members.get(next).copied() {
            members.extend(others.extract_if(.., |run| is_child(run, caller)));
            next += 1;
        }
        Self { members, others }
    }

    /// Whether all calls of the agent that a call started are known.
    pub(super) fn knows_agent_of(&self, call: &Call) -> bool {
        let Some(id) = &call.agent_id else {
            return false;
        };
        self.members.iter().any(|run| {
            let is_same = run.agent_id.as_ref() == Some(id);
            is_same && run.is_complete()
        })
    }
}

fn is_child(run: &Run, caller: &Run) -> bool {
    let is_named = caller.agent_id.is_some() && run.parent == caller.agent_id;
    let is_of_main = caller.depth == Some(0) && run.parent.is_none() && run.depth == Some(1);
    let is_started =
        run.agent_id.is_some() && (caller.calls.iter()).any(|call| call.agent_id == run.agent_id);
    is_named || is_of_main || is_started
}

//! The runs of a history, each once.
//!
//! One run stands in many files: in its own transcript, in that of its caller, in copies that checkpoints
//! make, and in the transcript of a session that was continued. The client's id of the agent says that
//! records are of the same run, or else the caller's tool call.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use crate::audit::{AuditedRun, RunOutcome};
use crate::clients::Client;
use crate::clients::run::{ClientStatus, fill};

/// The runs of a history, each once. `by_id` leads to runs that are there: one that was joined with
/// another is None, and no id leads to it.
#[derive(Debug, Default)]
pub(crate) struct RunIndex {
    runs: Vec<Option<AuditedRun>>,
    by_id: HashMap<Id, usize>,
}

/// The hash of what tells that records are of one run. Ids are long, and a history has many.
type Id = u64;

impl RunIndex {
    /// Adds what a file has of a run.
    pub(crate) fn add(&mut self, mut run: AuditedRun) {
        let ids = ids(&run);
        let known = ids.iter().filter_map(|id| self.by_id.get(id).copied());
        let mut known: Vec<usize> = known.collect();
        known.dedup();
        // Two were kept if until now nothing told that the agent and the call are of one run.
        for at in &known {
            if let Some(other) = self.runs[*at].take() {
                run = other.joined(run);
            }
        }
        let at = known.first().copied().unwrap_or(self.runs.len());
        let ids = [ids, self::ids(&run)].concat();
        self.by_id.extend(ids.into_iter().map(|id| (id, at)));
        match self.runs.get_mut(at) {
            Some(place) => *place = Some(run),
            None => self.runs.push(Some(run)),
        }
    }

    /// All runs, in the order in which they began.
    pub(crate) fn finish(mut self) -> Vec<AuditedRun> {
        self.pair_by_prompt();
        let mut runs: Vec<_> = self.runs.into_iter().flatten().collect();
        runs.iter_mut().for_each(AuditedRun::complete);
        runs.sort_unstable_by(|one, other| place(one).cmp(&place(other)));
        runs
    }

    /// Joins agents whose own records do not name the call with calls whose results do not name the agent:
    /// those of one session with the same prompt, in the order of the calls.
    fn pair_by_prompt(&mut self) {
        let place = |run: &AuditedRun| Some((run.client, run.session.clone()?, run.prompt?));
        let mut calls: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, run) in self.runs.iter().enumerate().rev() {
            let call = run.as_ref().filter(|run| run.agent_id.is_none() && !run.recorded);
            if let Some(place) = call.and_then(place) {
                calls.entry(place).or_default().push(at);
            }
        }
        for at in 0..self.runs.len() {
            let own = self.runs[at].as_ref();
            let own = own.filter(|run| run.recorded && run.call_id.is_none());
            let calls = own.and_then(place).and_then(|place| calls.get_mut(&place));
            let call = calls.and_then(Vec::pop);
            if let Some(call) = call.and_then(|call| self.runs[call].take()) {
                self.runs[at] = self.runs[at].take().map(|own| own.joined(call));
            }
        }
    }
}

/// The place of a run in a report.
fn place(run: &AuditedRun) -> impl Ord {
    (run.began(), run.call_id.as_deref(), run.agent_id.as_deref())
}

/// The ids of a run: the client's id of the agent and the caller's call. For records without either: the
/// session, the prompt and the time of the first record.
fn ids(run: &AuditedRun) -> Vec<Id> {
    let agent = run.agent_id.as_ref().map(|id| id_of(run.client, "agent", id));
    let call = run.call_id.as_ref().map(|id| id_of(run.client, "call", id));
    let mut ids: Vec<_> = agent.into_iter().chain(call).collect();
    if ids.is_empty() {
        let start = (&run.session, run.prompt, run.started);
        ids.push(id_of(run.client, "start", start));
    }
    ids
}

fn id_of(client: Client, kind: &str, id: impl Hash) -> Id {
    let mut hasher = DefaultHasher::new();
    (client, kind, id).hash(&mut hasher);
    hasher.finish()
}

impl AuditedRun {
    /// The run with what another file has of it. The fuller record counts, and the other fills its gaps.
    fn joined(self, other: Self) -> Self {
        let (mut fuller, mut other) =
            if other.fullness() > self.fullness() { (other, self) } else { (self, other) };
        fuller.outcome = fuller.outcome_with(&other);
        if fuller.returned.is_none() {
            fuller.returned = other.returned;
            fuller.check = other.check.take();
        }
        fuller.asked_again = fuller.asked_again.max(other.asked_again);
        if matches!(fuller.client_status, None | Some(ClientStatus::Launched)) {
            fuller.client_status = other.client_status.or(fuller.client_status);
        }
        fill!(fuller, other: session, agent_id, call_id, agent, model, folder, called, started, ended);
        fill!(fuller, other: milliseconds, counted_calls, tokens, context_tokens, prompt);
        fuller
    }

    /// How much a record has: first the agent's own records, then the most calls, then the latest end.
    fn fullness(&self) -> impl Ord + use<> {
        (self.recorded, self.calls, self.outcome != RunOutcome::NoEnd, self.ended)
    }

    /// What came back, by the fuller record and another one.
    fn outcome_with(&self, other: &Self) -> RunOutcome {
        let is_own = self.recorded;
        match (self.outcome, other.outcome) {
            (RunOutcome::NoEnd, RunOutcome::NeverRan) if is_own => RunOutcome::Interrupted,
            (RunOutcome::NoEnd, others) => others,
            (_, RunOutcome::Teammate) => RunOutcome::Teammate,
            // The caller got an error in place of the agent's answer.
            (
                RunOutcome::Returned | RunOutcome::Fragment,
                others @ (RunOutcome::Error | RunOutcome::Limit),
            ) if is_own && !other.recorded && self.differs_from(other) => others,
            (own, _) => own,
        }
    }

    /// Whether the other record has a text that is not this one's.
    fn differs_from(&self, other: &Self) -> bool {
        other.returned.is_some() && self.returned != other.returned
    }
}

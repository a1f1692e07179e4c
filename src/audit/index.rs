//! The runs of a history, each once.
//!
//! One run stands in many files: in its own transcript, in that of its caller, in copies that checkpoints
//! make, and in the transcript of a session that was continued. The client's id of the agent says that
//! records are of the same run, or else the caller's tool call.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::time::SystemTime;

use crate::audit::{AuditedRun, RunOutcome};
use crate::clients::Client;
use crate::clients::run::{Run, Tokens, fill};

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

    /// The types of agents, by the hash of the client and the agent's id.
    pub(crate) fn agent_types(&self) -> AgentTypes {
        let runs = self.runs.iter().flatten();
        let types = runs.filter_map(|run| {
            let id = run.recorded.agent_id.as_deref()?;
            let agent = run.recorded.agent_type.clone()?;
            Some((id_of(run.client, "agent", id), agent))
        });
        AgentTypes(types.collect())
    }

    /// All runs, in the order in which they began.
    pub(crate) fn finish(mut self) -> Vec<AuditedRun> {
        self.pair_by_prompt();
        let mut runs: Vec<_> = self.runs.into_iter().flatten().collect();
        runs.sort_by_cached_key(|run| {
            let recorded = &run.recorded;
            (run.began(), recorded.tool_call_id.clone(), recorded.agent_id.clone())
        });
        runs
    }

    /// Joins agents whose own records do not name the call with calls whose results do not name the agent:
    /// those of one session with the same prompt, in the order of the calls.
    fn pair_by_prompt(&mut self) {
        let place =
            |run: &AuditedRun| Some((run.client, run.recorded.session.clone()?, run.prompt?));
        let mut calls: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, run) in self.runs.iter().enumerate().rev() {
            let is_call = |run: &Run| run.agent_id.is_none() && !run.is_recorded;
            let call = run.as_ref().filter(|run| is_call(&run.recorded));
            if let Some(place) = call.and_then(place) {
                calls.entry(place).or_default().push(at);
            }
        }
        for at in 0..self.runs.len() {
            let is_own = |run: &Run| run.is_recorded && run.tool_call_id.is_none();
            let own = self.runs[at].as_ref();
            let own = own.filter(|run| is_own(&run.recorded));
            let calls = own.and_then(place).and_then(|place| calls.get_mut(&place));
            let call = calls.and_then(Vec::pop);
            if let Some(call) = call.and_then(|call| self.runs[call].take()) {
                self.runs[at] = self.runs[at].take().map(|own| own.joined(call));
            }
        }
    }
}

/// The types of agents that records of their callers name.
#[derive(Debug, Default)]
pub(crate) struct AgentTypes(HashMap<Id, String>);

impl AgentTypes {
    /// The type of an agent.
    pub(crate) fn of(&self, client: Client, agent_id: &str) -> Option<&str> {
        let found = self.0.get(&id_of(client, "agent", agent_id));
        found.map(String::as_str)
    }
}

/// The ids of a run: the client's id of the agent and the caller's call. For records without either: the
/// session, the prompt and the time of the first record.
fn ids(run: &AuditedRun) -> Vec<Id> {
    let agent = run.recorded.agent_id.as_deref();
    let call = run.recorded.tool_call_id.as_deref();
    let agent = agent.map(|id| id_of(run.client, "agent", id));
    let call = call.map(|id| id_of(run.client, "call", id));
    let mut ids: Vec<_> = agent.into_iter().chain(call).collect();
    if ids.is_empty() {
        let start = (&run.recorded.session, run.prompt, run.recorded.started);
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
        fuller.add_part(&other);
        if fuller.returned.is_none() {
            fuller.returned = other.returned;
            fuller.check = other.check.take();
        }
        fill!(fuller, other: prompt, prompt_characters);
        let (run, other) = (&mut fuller.recorded, &other.recorded);
        run.times_asked_again = run.times_asked_again.max(other.times_asked_again);
        run.details.fill(&other.details);
        fill!(run, other: agent_id, tool_call_id, agent_type, session, parent, started, ended);
        fill!(run, other: reported_calls);
        if run.tokens == Tokens::default() {
            run.tokens = other.tokens;
        }
        fuller
    }

    /// How much a record has: first the agent's own records, then the most calls, then the latest end.
    fn fullness(&self) -> impl Ord + use<> {
        let has_end = self.outcome != RunOutcome::NoEnd;
        let run = &self.recorded;
        (run.is_recorded, self.calls, has_end, run.ended)
    }

    /// Adds the calls and tokens of another part of the run, if its time shows that it is none of a copy:
    /// one ends before the other begins.
    fn add_part(&mut self, other: &Self) {
        let spans = self.recorded.is_recorded && other.recorded.is_recorded;
        let (Some(own), Some(others)) = (self.span(), other.span()) else {
            return;
        };
        if !spans || own.1 >= others.0 && others.1 >= own.0 {
            return;
        }
        if others.0 > own.1 {
            (self.outcome, self.recorded.ended) = (other.outcome, other.recorded.ended);
            (self.returned, self.check) = (other.returned, other.check.clone());
        } else {
            self.recorded.started = other.recorded.started;
        }
        self.calls += other.calls;
        self.recorded.tokens.add(other.recorded.tokens);
    }

    fn span(&self) -> Option<(SystemTime, SystemTime)> {
        self.recorded.started.zip(self.recorded.ended)
    }

    /// What came back, by the fuller record and another one.
    fn outcome_with(&self, other: &Self) -> RunOutcome {
        let is_own = self.recorded.is_recorded;
        match (self.outcome, other.outcome) {
            (RunOutcome::NoEnd, RunOutcome::NeverRan) if is_own => RunOutcome::Interrupted,
            (RunOutcome::NoEnd, others) => others,
            (_, RunOutcome::Teammate) => RunOutcome::Teammate,
            // The caller got an error in place of the agent's answer.
            (
                RunOutcome::Returned | RunOutcome::Fragment,
                others @ (RunOutcome::Error | RunOutcome::Limit),
            ) if is_own && !other.recorded.is_recorded && self.differs_from(other) => others,
            (own, _) => own,
        }
    }

    /// Whether the other record has a text that is not this one's.
    fn differs_from(&self, other: &Self) -> bool {
        let own = self.returned.map(|own| own.hash);
        other.returned.is_some_and(|text| own != Some(text.hash))
    }
}

//! The agent whose return is checked, with what is known about its run.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::clients::run::{Call, CallKind, End, Run};
use crate::evidence::assessment::{Assessment, CallLabel, EvidenceReason, error};
use crate::evidence::choice::{NO_SUCH_AGENT, ReturnIdentity};
use crate::evidence::place::ClaimedFile;
#[cfg(feature = "git")]
use crate::evidence::repository::{CommitId, Repository, RepositoryGap};
use crate::evidence::sources::{TrustedStart, WorkEvidence};
use crate::evidence::writes::{CallAt, WriteIndex, calls};

/// The agent whose return is checked.
#[derive(Debug)]
pub(crate) struct Subject<'e> {
    pub(super) evidence: &'e WorkEvidence,
    family: Result<Family<'e>, &'static str>,
    pub(super) start: Option<TrustedStart>,
    /// What the calls of the agent, and of agents that it called, did to files. Built when a claim first
    /// needs it.
    writes: OnceCell<WriteIndex>,
    others_writes: OnceCell<WriteIndex>,
    first_uncertainty: OnceCell<Option<(CallAt, EvidenceReason)>>,
    /// The reason for every file that no call wrote. It is the same for all.
    pub(super) unwritten: OnceCell<EvidenceReason>,
    /// The base commit. None if the caller named none and the client recorded none.
    #[cfg(feature = "git")]
    pub(super) base: Option<Result<(&'e Repository, CommitId), RepositoryGap>>,
}

impl<'e> Subject<'e> {
    /// Finds the agent of a return. `session` is the session id that its caller gave it.
    pub(crate) fn of(
        evidence: &'e WorkEvidence,
        identity: &ReturnIdentity<'_>,
        session: Option<&str>,
        now: impl FnOnce() -> SystemTime,
    ) -> Self {
        let at = evidence.choose(identity);
        let family = at.map(|at| Family::of(evidence.all_runs(), at));
        let run = family
            .as_ref()
            .ok()
            .and_then(|family| family.members.first());
        Self {
            start: evidence.start(run.copied(), session, now),
            #[cfg(feature = "git")]
            base: base(evidence, run.copied()),
            evidence,
            family,
            writes: OnceCell::new(),
            others_writes: OnceCell::new(),
            first_uncertainty: OnceCell::new(),
            unwritten: OnceCell::new(),
        }
    }

    /// Whether there is a transcript, even one that could not be read.
    pub(crate) fn has_transcript(&self) -> bool {
        self.evidence.record.is_some()
    }

    pub(crate) fn is_of_record_alone(&self) -> bool {
        self.evidence.is_of_record_alone()
    }

    pub(crate) fn has_start(&self) -> bool {
        self.start.is_some()
    }

    /// Whether a call of the agent was in another working tree of the repository, or named a file there.
    pub(super) fn is_in_work_tree(&self) -> bool {
        let is_there = |path: &str| {
            let mut trees = self.evidence.work_trees.iter();
            path.contains("/.claude/worktrees/") || trees.any(|it| Path::new(path).starts_with(it))
        };
        let calls = self.run().map_or(&[][..], |run| &run.calls);
        calls.iter().any(|call| {
            call.cwd.as_deref().is_some_and(is_there) || call.paths.iter().any(|it| is_there(it))
        })
    }

    /// A contradiction if the record is complete and has no call, except one that submits the answer.
    /// None otherwise.
    pub(crate) fn did_nothing(&self) -> Option<Assessment> {
        let run = self.run().ok()?;
        let is_idle = run.calls.iter().all(|call| call.kind == CallKind::Answer);
        let is_known = is_idle && run.is_complete() && !run.end.is_error();
        is_known.then(|| {
            let reason =
                EvidenceReason::from("the record of the agent is complete and has no tool call");
            Assessment::contradicted(reason.or_to_agent("the record of your run has no tool call"))
        })
    }

    /// Whether the run ended with an answer. None if that is not known. `has_return`: there is a return,
    /// which may have been written before the run failed.
    pub(crate) fn answered(&self, has_return: bool) -> Option<Assessment> {
        let run = self.run().ok()?;
        if run.end.is_error() && !has_return {
            return Some(Assessment::contradicted(error(run.end)));
        }
        let is_answer = run.end == End::Answered && has_return;
        is_answer.then(|| Assessment::shown("the agent ended with an answer"))
    }

    pub(super) fn run(&self) -> Result<&'e Run, &'static str> {
        let family = self.family.as_ref().map_err(|why| *why)?;
        family.members.first().copied().ok_or(NO_SUCH_AGENT)
    }

    pub(super) fn members(&self) -> &[&'e Run] {
        self.family.as_ref().map_or(&[], |family| &family.members)
    }

    pub(super) fn others(&self) -> &[&'e Run] {
        self.family.as_ref().map_or(&[], |family| &family.others)
    }

    /// What the calls of the agent, and of agents that it called, did to files.
    pub(super) fn writes(&self, file: &ClaimedFile<'_>) -> &WriteIndex {
        let read = || WriteIndex::new(self.members(), file.places(), true);
        self.writes.get_or_init(read)
    }

    /// What other agents of the session did to files.
    pub(super) fn others_writes(&self, file: &ClaimedFile<'_>) -> &WriteIndex {
        let read = || WriteIndex::new(self.others(), file.places(), false);
        self.others_writes.get_or_init(read)
    }

    /// The first call that may have written files that it does not name.
    pub(super) fn first_uncertainty(
        &self,
        writes: &WriteIndex,
    ) -> Option<(CallAt, EvidenceReason)> {
        let uncertainty = |(at, _)| Some((at, self.uncertainty(at, writes)?));
        let first = || calls(self.members()).find_map(uncertainty);
        self.first_uncertainty.get_or_init(first).clone()
    }

    pub(super) fn call_label(&self, (run, at): CallAt) -> CallLabel {
        CallLabel::new(self.members()[run], at)
    }

    pub(super) fn call(&self, (run, at): CallAt) -> &'e Call {
        &self.members()[run].calls[at]
    }

    pub(super) fn knows_agent_of(&self, call: &Call) -> bool {
        let family = self.family.as_ref();
        family.is_ok_and(|family| family.knows_agent_of(call))
    }

    /// The folders that correspond to the root in the other working trees of its repository.
    pub(crate) fn work_trees(&self) -> &'e [PathBuf] {
        &self.evidence.work_trees
    }
}

/// The commit that the caller named, or else the one that the client recorded.
#[cfg(feature = "git")]
fn base<'e>(
    evidence: &'e WorkEvidence,
    run: Option<&Run>,
) -> Option<Result<(&'e Repository, CommitId), RepositoryGap>> {
    let base = evidence.base.as_ref()?;
    if let Ok(repository) = &base.repository {
        repository.renew();
    }
    let recorded = || run.and_then(|run| run.base_revision.as_ref());
    let revision = base.revision.as_ref().or_else(recorded)?;
    let repository = match &base.repository {
        Ok(repository) => repository,
        Err(gap) => return Some(Err(*gap)),
    };
    let commit = repository.resolve(revision);
    Some(commit.map(|commit| (repository, commit)))
}

/// A run, the runs of agents that it called, directly or through others, and the remaining runs.
#[derive(Debug)]
struct Family<'e> {
    members: Vec<&'e Run>,
    others: Vec<&'e Run>,
}

impl<'e> Family<'e> {
    fn of(runs: &'e [Run], at: usize) -> Self {
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
    fn knows_agent_of(&self, call: &Call) -> bool {
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

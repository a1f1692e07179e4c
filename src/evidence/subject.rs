//! The agent whose return is checked, with what is known about its run.

use std::cell::OnceCell;
use std::path::Path;
use std::time::SystemTime;

use crate::clients::run::{Call, CallKind, End, Run};
use crate::evidence::assessment::{Assessment, CallLabel, EvidenceReason, error};
use crate::evidence::calls::{ReadCall, read_calls};
use crate::evidence::place::ClaimedFile;
use crate::evidence::repository::{CommitId, Repository, RepositoryGap};
use crate::evidence::sources::{NO_SUCH_AGENT, ReturnIdentity, TrustedStart, WorkEvidence};
use crate::evidence::writes::{CallAt, WriteIndex};
use crate::root::Root;

#[derive(Debug)]
pub(crate) struct Subject<'e> {
    pub(crate) evidence: &'e WorkEvidence,
    /// Its run, and those of agents that it called, directly or through others. An error says why none is known.
    members: Result<Vec<&'e Run>, &'static str>,
    pub(super) others: Vec<&'e Run>,
    pub(crate) start: Option<TrustedStart>,
    /// The calls of the members. These, and what follows, are built when a claim first needs them.
    calls: OnceCell<Vec<Vec<ReadCall<'e>>>>,
    /// What the calls of the members, and of the others, did to files.
    writes: OnceCell<WriteIndex>,
    others_writes: OnceCell<WriteIndex>,
    first_uncertainty: OnceCell<Option<(CallAt, EvidenceReason)>>,
    /// The base commit. None if the caller named none and the client recorded none.
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
        let mut others: Vec<&Run> = evidence.runs().iter().collect();
        let members = evidence.choose(identity).map(|at| {
            let mut members = vec![others.remove(at)];
            let mut next = 0;
            while let Some(caller) = members.get(next).copied() {
                members.extend(others.extract_if(.., |run| is_child(run, caller)));
                next += 1;
            }
            members
        });
        let run = members.as_ref().ok().and_then(|members| members.first());
        let run = run.copied();
        Self {
            start: evidence.start(run, session, now),
            base: base(evidence, run),
            evidence,
            others: members.as_ref().map_or_else(|_| Vec::new(), |_| others),
            members,
            calls: OnceCell::new(),
            writes: OnceCell::new(),
            others_writes: OnceCell::new(),
            first_uncertainty: OnceCell::new(),
        }
    }

    pub(crate) fn has_transcript(&self) -> bool {
        self.evidence.record.is_some()
    }

    /// Whether a call of the agent was in another working tree of the repository, or named a file there.
    pub(super) fn is_in_work_tree(&self) -> bool {
        let is_there = |path: &str| {
            let mut trees = self.evidence.work_trees.iter();
            path.contains("/.claude/worktrees/") || trees.any(|it| Path::new(path).starts_with(it))
        };
        self.run_calls().any(|call| {
            call.cwd.as_deref().is_some_and(is_there) || call.paths.iter().any(|it| is_there(it))
        })
    }

    /// A contradiction if the record is complete and has no call, except one that submits the answer.
    pub(crate) fn did_nothing(&self) -> Option<Assessment> {
        let run = self.run().ok()?;
        let is_idle = self.run_calls().all(|call| call.kind == CallKind::Answer);
        let is_known = is_idle && run.is_complete() && !run.end.is_error();
        let why = "the record of the agent is complete and has no tool call";
        is_known.then(|| Assessment::contradicted(why))
    }

    /// Whether the run ended with an answer. None if that is not known. `has_return`: there is a return,
    /// which may have been written before the run failed.
    pub(crate) fn answered(&self, has_return: bool) -> Option<Assessment> {
        let end = self.run().ok()?.end;
        match has_return {
            true if end == End::Answered => {
                Some(Assessment::shown("the agent ended with an answer"))
            }
            false if end.is_error() => Some(Assessment::contradicted(error(end))),
            _ => None,
        }
    }

    /// A contradiction if the last message ended at the limit of output.
    pub(crate) fn was_cut(&self) -> Option<Assessment> {
        let end = self.run().ok()?.end;
        (end == End::OutputLimit).then(|| Assessment::contradicted(error(end)))
    }

    pub(super) fn run(&self) -> Result<&'e Run, &'static str> {
        let members = self.members.as_ref().map_err(|why| *why)?;
        members.first().copied().ok_or(NO_SUCH_AGENT)
    }

    /// The calls of its run. None if that is not known.
    pub(super) fn run_calls(&self) -> impl Iterator<Item = &'e Call> + use<'e> {
        self.run().into_iter().flat_map(|run| &run.calls)
    }

    fn members(&self) -> &[&'e Run] {
        self.members.as_deref().unwrap_or_default()
    }

    fn calls(&self) -> &[Vec<ReadCall<'e>>] {
        let read = || self.read(self.members());
        self.calls.get_or_init(read)
    }

    fn read(&self, runs: &[&'e Run]) -> Vec<Vec<ReadCall<'e>>> {
        let runners = &self.evidence.test_runners;
        runs.iter().map(|run| read_calls(run, runners)).collect()
    }

    /// The calls of its run, with what their commands do.
    pub(super) fn own_calls(&self) -> &[ReadCall<'e>] {
        self.calls().first().map_or(&[], Vec::as_slice)
    }

    pub(crate) fn file<'f>(&'f self, root: &'f Root, relative: &'f str) -> ClaimedFile<'f> {
        ClaimedFile::new(root, &self.evidence.work_trees, relative)
    }

    /// What the calls of the agent, and of agents that it called, did to files.
    pub(super) fn writes(&self, file: &ClaimedFile<'_>) -> &WriteIndex {
        let read = || WriteIndex::new(self.calls(), file.places, true);
        self.writes.get_or_init(read)
    }

    /// What other agents of the session did to files.
    pub(super) fn others_writes(&self, file: &ClaimedFile<'_>) -> &WriteIndex {
        let read = || WriteIndex::new(&self.read(&self.others), file.places, false);
        self.others_writes.get_or_init(read)
    }

    /// The first call that may have written files that it does not name.
    pub(super) fn first_uncertainty(
        &self,
        writes: &WriteIndex,
    ) -> Option<(CallAt, EvidenceReason)> {
        let runs = self.members().iter().enumerate();
        let mut calls = runs.flat_map(|(run, of)| (0..of.calls.len()).map(move |at| (run, at)));
        let first = || calls.find_map(|at| Some((at, self.uncertainty(at, writes)?)));
        self.first_uncertainty.get_or_init(first).clone()
    }

    pub(super) fn call_label(&self, (run, at): CallAt) -> CallLabel {
        CallLabel::new(self.members()[run], at)
    }

    pub(super) fn call(&self, (run, at): CallAt) -> &'e Call {
        &self.members()[run].calls[at]
    }

    /// Whether all calls of the agent that a call started are known.
    pub(super) fn knows_agent_of(&self, call: &Call) -> bool {
        let is_it = |run: &&Run| run.agent_id == call.agent_id && run.is_complete();
        call.agent_id.is_some() && self.members().iter().any(is_it)
    }
}

/// The commit that the caller named, or else the one that the client recorded.
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
    let repository = base.repository.as_ref().map_err(|gap| *gap);
    Some(repository.and_then(|it| Ok((it, it.resolve(revision)?))))
}

fn is_child(run: &Run, caller: &Run) -> bool {
    let is_named = caller.agent_id.is_some() && run.parent == caller.agent_id;
    let is_of_main = caller.depth == Some(0) && run.parent.is_none() && run.depth == Some(1);
    let is_started =
        run.agent_id.is_some() && (caller.calls.iter()).any(|call| call.agent_id == run.agent_id);
    is_named || is_of_main || is_started
}

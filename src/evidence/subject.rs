//! The agent whose return is checked, as far as its record is known.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::SystemTime;

use crate::evidence::choice::ReturnIdentity;
use crate::evidence::family::Family;
use crate::evidence::place::{ClaimedFile, FoundPath};
use crate::evidence::reason::{Doubt, EvidenceReason};
use crate::evidence::sources::WorkEvidence;
use crate::evidence::start::TrustedStart;
use crate::evidence::value::Assessment;
#[cfg(feature = "git")]
use crate::repository::{CommitId, Repository, RepositoryGap};
use crate::shell::{self, FileChange, NamedChange};
use crate::transcript::{Call, CallKind, End, Run};

/// Paths of calls that are looked up before a claim is contradicted.
const PATHS_AT_MOST: usize = 4 << 10;

/// Bytes of these paths.
const BYTES_AT_MOST: usize = 1 << 20;

/// What commands wrote for certain, by the run and the call of each.
type WritesByCall = HashMap<(usize, usize), Rc<[NamedChange]>>;

/// A path that a call names.
pub(super) struct PathInCall<'e> {
    pub(super) index: usize,
    pub(super) run: &'e Run,
    pub(super) at: usize,
    pub(super) call: &'e Call,
    pub(super) path: &'e str,
}

/// The agent whose return is checked.
#[derive(Debug)]
pub(crate) struct Subject<'e> {
    family: Result<Family<'e>, Doubt>,
    start: Option<TrustedStart>,
    has_transcript: bool,
    /// What the root is in the other working trees of its repository.
    work_trees: &'e [PathBuf],
    test_runners: &'e [String],
    /// What the commands of calls wrote for certain, by run and call. A command is scanned when a claim
    /// first needs it, and once for all of them.
    writes: RefCell<WritesByCall>,
    /// The paths of all calls, as [`Subject::paths`] numbers them, when a claim first needs them.
    found_paths: OnceCell<Vec<FoundPath>>,
    #[cfg(feature = "git")]
    base: Option<Result<(&'e Repository, CommitId), RepositoryGap>>,
}

impl<'e> Subject<'e> {
    /// The agent of a return. `session` is the id that its caller gave it.
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
            family,
            has_transcript: evidence.record.is_some(),
            work_trees: &evidence.work_trees,
            test_runners: &evidence.test_runners,
            writes: RefCell::default(),
            found_paths: OnceCell::new(),
        }
    }

    /// Whether there is a transcript, whatever can be read of it.
    pub(crate) fn has_transcript(&self) -> bool {
        self.has_transcript
    }

    /// Whether it is known when the agent started.
    pub(crate) fn has_start(&self) -> bool {
        self.start.is_some()
    }

    /// Whether the record is complete and has no call but the one that hands in the answer.
    pub(crate) fn did_nothing(&self) -> Option<Assessment> {
        let run = self.run().ok()?;
        let mut calls = run.calls.iter();
        let is_idle = calls.all(|call| call.kind == CallKind::Answer);
        let is_known = is_idle && run.is_complete() && !run.end.is_error();
        is_known.then(|| Assessment::contradicted(EvidenceReason::NoCall))
    }

    /// Whether the run ended with an answer, if that is known. `has_return` says that there is a
    /// return, which may have been written before the run failed.
    pub(crate) fn answered(&self, has_return: bool) -> Option<Assessment> {
        let run = self.run().ok()?;
        if run.end.is_error() && !has_return {
            return Some(Assessment::contradicted(EvidenceReason::Ended(run.end)));
        }
        let is_answer = run.end == End::Answered && has_return;
        is_answer.then(|| Assessment::shown(EvidenceReason::Answered))
    }

    pub(super) fn run(&self) -> Result<&'e Run, &Doubt> {
        let family = self.family.as_ref()?;
        family.members.first().copied().ok_or(&Doubt::NoSuchAgent)
    }

    pub(super) fn members(&self) -> &[&'e Run] {
        self.family.as_ref().map_or(&[], |family| &family.members)
    }

    pub(super) fn others(&self) -> &[&'e Run] {
        self.family.as_ref().map_or(&[], |family| &family.others)
    }

    /// The paths that calls of the agent, or of one that it called, name. `index` counts the runs and
    /// `at` the calls of a run, both from 0.
    pub(super) fn paths(&self) -> impl Iterator<Item = PathInCall<'e>> {
        let runs = self.members().iter().enumerate();
        runs.flat_map(|(index, run)| {
            let calls = run.calls.iter().enumerate();
            calls.flat_map(move |(at, call)| {
                let paths = call.paths.iter();
                paths.map(move |path| PathInCall {
                    index,
                    run,
                    at,
                    call,
                    path,
                })
            })
        })
    }

    /// What the command of a call wrote for certain if it succeeded. `at` counts runs and calls as in
    /// [`paths`](Self::paths).
    pub(super) fn certain_writes(&self, at: (usize, usize), command: &str) -> Rc<[NamedChange]> {
        let scan = || {
            let changes = shell::scan(command).changes.into_iter();
            changes
                .filter(|it| it.is_certain && it.change == FileChange::Written)
                .collect()
        };
        let mut writes = self.writes.borrow_mut();
        Rc::clone(writes.entry(at).or_insert_with(scan))
    }

    /// Where these paths lead; none if they are too many to be looked up. One look serves all claims.
    pub(super) fn found_paths(&self, file: &ClaimedFile<'_>) -> Option<&[FoundPath]> {
        let look_up = || {
            let bytes: usize = self.paths().map(|it| it.path.len()).sum();
            if bytes > BYTES_AT_MOST || self.paths().count() > PATHS_AT_MOST {
                return Vec::new();
            }
            let look_up = |it: PathInCall<'_>| file.look_up(it.path, it.call.cwd.as_deref());
            self.paths().map(look_up).collect()
        };
        let found = self.found_paths.get_or_init(look_up);
        (!found.is_empty() || self.paths().next().is_none()).then_some(found)
    }

    pub(super) fn knows_agent_of(&self, call: &Call) -> bool {
        let family = self.family.as_ref();
        family.is_ok_and(|family| family.knows_agent_of(call))
    }

    /// What the root is in the other working trees of its repository.
    pub(crate) fn work_trees(&self) -> &'e [PathBuf] {
        self.work_trees
    }

    /// Test runners besides the known ones.
    pub(super) fn test_runners(&self) -> &'e [String] {
        self.test_runners
    }

    pub(super) fn start(&self) -> Option<TrustedStart> {
        self.start
    }

    /// The commit before the run, if somebody named it.
    #[cfg(feature = "git")]
    pub(super) fn base(&self) -> Option<Result<(&'e Repository, CommitId), RepositoryGap>> {
        self.base
    }
}

/// The commit that the caller named, else the one that the client recorded.
#[cfg(feature = "git")]
fn base<'e>(
    evidence: &'e WorkEvidence,
    run: Option<&Run>,
) -> Option<Result<(&'e Repository, CommitId), RepositoryGap>> {
    let base = evidence.base.as_ref()?;
    let recorded = || run.and_then(|run| run.base_revision.as_ref());
    let revision = base.revision.as_ref().or_else(recorded)?;
    let repository = match &base.repository {
        Ok(repository) => repository,
        Err(gap) => return Some(Err(*gap)),
    };
    let commit = repository.resolve(revision);
    Some(commit.map(|commit| (repository, commit)))
}

//! What the calls of several runs wrote, by file. Every call is read once for all claims.
//!
//! [`WriteIndex`] keeps [what calls did to a file](FileTraces) by the file's own path, [`LinkedFiles`] under
//! its other names, and [`RemovedFiles`] what commands may have undone since: a file that a call wrote
//! before such a command is not the file that is there now.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};

use crate::clients::run::{Call, CallKind, Outcome, Run, WriteEffect, is_redacted};
use crate::evidence::place::{
    CallFolder, CallFolders, ClaimedFile, NameKey, PathOfCall, ProjectPlaces, Surroundings,
    has_succeeded,
};
use crate::evidence::removed::{CallAt, CallMoment, RemovedFiles, UndoneFiles};
use crate::evidence::shell::{self, Certainty, FileChange, NamedChange};
use crate::root::FileIdentity;

/// The most paths of calls that are kept.
const PATHS_AT_MOST: usize = 16 << 10;

/// The most writes of commands that are kept.
const WRITES_AT_MOST: usize = 16 << 10;

/// A call that may have written a file with some name, and the hash of the file's path below the root.
/// None if the path is not known, or leads out of the project.
type NamedWrite = (CallAt, Option<u64>);

/// What calls did to files with the same name key.
#[derive(Debug, Default)]
struct NamedFiles<'e> {
    /// Calls of file tools, with their paths. They are resolved at the first claim of a file with this
    /// name.
    unresolved: Vec<(CallAt, &'e str)>,
    /// By the hashes of the paths below the root: the paths may be long.
    files: HashMap<u64, FileTraces>,
    /// The first calls that may have written a file with this name, for up to two different paths. Two
    /// are enough: at least one of them is not the path of the claim.
    same_names: Vec<NamedWrite>,
}

impl NamedFiles<'_> {
    fn add_same_name(&mut self, at: CallAt, place: Option<u64>) {
        let mut known = self.same_names.iter();
        if self.same_names.len() < 2 && known.all(|(_, known)| *known != place) {
            self.same_names.push((at, place));
        }
    }
}

/// What the calls of some runs did to files.
#[derive(Debug)]
pub(super) struct WriteIndex<'e> {
    runs: Vec<&'e Run>,
    folders: Vec<CallFolders<'e>>,
    names: HashMap<NameKey, NamedFiles<'e>>,
    hashes: RandomState,
    removed: RemovedFiles,
    /// Commands that are not scanned yet.
    commands: Vec<CallAt>,
    /// Scanned commands that certainly wrote no files but those that they name, which is none if they only
    /// read.
    pub(super) closed: HashSet<CallAt>,
    /// The first command that certainly wrote a file.
    pub(super) command_that_wrote: Option<CallAt>,
    writes: usize,
    /// Whether the calls have more paths than are kept.
    pub(super) is_cut: bool,
}

#[derive(Debug, Default)]
pub(super) struct WritesOfFile {
    pub(super) traces: FileTraces,
    /// The first call that may have written another file with the same name. That file may be the same
    /// one after all, if its path is not known.
    pub(super) same_name: Option<CallAt>,
}

/// A change that a command names, and the folder in which it was run.
struct ScannedChange<'s> {
    moment: CallMoment,
    change: &'s NamedChange,
    folder: &'s CallFolder<'s>,
    places: ProjectPlaces<'s>,
}

impl<'e> WriteIndex<'e> {
    pub(super) fn new(runs: &[&'e Run], with_commands: bool) -> Self {
        let mut index = Self {
            runs: runs.to_vec(),
            folders: runs.iter().map(|run| CallFolders::of(run)).collect(),
            names: HashMap::new(),
            hashes: RandomState::new(),
            removed: RemovedFiles::default(),
            commands: Vec::new(),
            closed: HashSet::new(),
            command_that_wrote: None,
            writes: 0,
            is_cut: false,
        };
        let mut paths = 0;
        for (at, call) in calls(runs) {
            // A command that failed may still have removed a file.
            let has_run = call.outcome != Outcome::Rejected;
            if with_commands && call.command.is_some() && has_run {
                index.commands.push(at);
            }
            for path in &call.paths {
                if paths == PATHS_AT_MOST {
                    index.is_cut = true;
                    return index;
                }
                paths += 1;
                let named = index.names.entry(NameKey::of(path)).or_default();
                named.unresolved.push((at, path));
            }
        }
        index
    }

    /// What calls did to a file under one of its names.
    pub(super) fn of_file(&mut self, file: &ClaimedFile<'_>) -> WritesOfFile {
        for at in std::mem::take(&mut self.commands) {
            self.scan(at, file.places());
        }
        let place = self.hash(file.place());
        let mut found = WritesOfFile::default();
        for name in file.name_keys() {
            self.resolve(&name, file.places());
            let Some(named) = self.names.get(&name) else {
                continue;
            };
            if let Some(traces) = named.files.get(&place) {
                found.traces.merge(*traces);
            }
            let mut same_names = named.same_names.iter();
            let same_name = same_names.find(|(_, other)| *other != Some(place));
            found.same_name = first(found.same_name, same_name.map(|(at, _)| *at));
        }
        found
    }

    fn call(&self, at: CallAt) -> &'e Call {
        &self.runs[at.0].calls[at.1]
    }

    /// The call that may have removed or moved the file after `write`. None if missing.
    pub(super) fn removed_after(
        &self,
        write: &KnownWrite,
        file: &ClaimedFile<'_>,
    ) -> Option<CallAt> {
        self.removed
            .after(&write.moment, write.in_work_tree, file)
            .map(|removal| removal.at)
    }

    fn find(&self, places: ProjectPlaces<'_>, at: CallAt, path: &str) -> Option<PathOfCall> {
        places.find(path, &self.folder(at))
    }

    fn folder(&self, at: CallAt) -> CallFolder<'e> {
        self.folders[at.0].get(at.1, self.call(at))
    }

    fn hash(&self, place: &Path) -> u64 {
        self.hashes.hash_one(place)
    }

    fn resolve(&mut self, name: &NameKey, places: ProjectPlaces<'_>) {
        let Some(named) = self.names.get_mut(name) else {
            return;
        };
        for (at, path) in std::mem::take(&mut named.unresolved) {
            let found = self.find(places, at, path);
            let call = self.call(at);
            let place = found.as_ref().map(|found| self.hash(&found.place));
            let Some(named) = self.names.get_mut(name) else {
                return;
            };
            if let (Some(found), Some(place)) = (found, place) {
                let traces = named.files.entry(place).or_default();
                traces.add(at, call, found.in_work_tree);
            }
            if may_write(call) {
                named.add_same_name(at, place);
            }
        }
    }

    fn scan(&mut self, at: CallAt, places: ProjectPlaces<'_>) {
        let folder = self.folder(at);
        let call = self.call(at);
        let command = call.command.as_deref().unwrap_or_default();
        let script = shell::scan(command);
        // PowerShell has another syntax than the one that is read.
        let is_read = !is_redacted(command) && !call.name.eq_ignore_ascii_case("powershell");
        let mut is_closed = is_read && !script.may_write && folder != CallFolder::Distrusted;
        for (index, change) in script.changes.iter().enumerate() {
            let scanned = ScannedChange {
                moment: CallMoment::new(at, self.call(at), index + 1),
                change,
                folder: &folder,
                places,
            };
            match change.change {
                FileChange::Written => is_closed &= self.add_written(&scanned),
                FileChange::Removed => self.add_removed(&scanned),
                FileChange::SomeUndone | FileChange::RepositoryUndone => self.add_undone(&scanned),
            }
        }
        if is_closed {
            self.closed.insert(at);
        }
    }

    /// Adds a file that a command wrote. False if it is not certain that it wrote this file and no other.
    fn add_written(&mut self, scanned: &ScannedChange<'_>) -> bool {
        let (change, folder, places) = (scanned.change, scanned.folder, scanned.places);
        let call = self.call(scanned.moment.at);
        let is_certain = match change.certainty {
            Certainty::Certain => true,
            Certainty::IfSilent => call.is_silent,
            Certainty::Open => false,
        };
        let is_trusted = is_certain && *folder != CallFolder::Distrusted;
        if !is_trusted || !has_succeeded(call) || self.writes == WRITES_AT_MOST {
            return false;
        }
        let at = scanned.moment.at;
        self.command_that_wrote = first(self.command_that_wrote, Some(at));
        let found = places.find(&change.path, folder);
        let place = found.as_ref().map(|found| self.hash(&found.place));
        let named = self.names.entry(NameKey::of(&change.path)).or_default();
        named.add_same_name(at, place);
        let (Some(found), Some(place)) = (found, place) else {
            return matches!(folder, CallFolder::Known(_));
        };
        self.writes += 1;
        named.files.entry(place).or_default().add_write(KnownWrite {
            moment: scanned.moment,
            by: Some(change.by),
            in_work_tree: found.in_work_tree,
        });
        true
    }

    /// Adds a file that a command removed or may have removed, unless its path is known to lead out of
    /// the project.
    fn add_removed(&mut self, scanned: &ScannedChange<'_>) {
        let path = &scanned.change.path;
        let found = scanned.places.find(path, scanned.folder);
        let is_whole = matches!(scanned.folder, CallFolder::Known(_)) || path.starts_with('/');
        let is_elsewhere = is_whole && !is_redacted(path);
        if found.is_some() || !is_elsewhere {
            self.removed.add(scanned.moment, path, found.as_ref());
        }
    }

    /// Adds files that a command may have undone and did not name, unless they are known to be out of
    /// the project.
    fn add_undone(&mut self, scanned: &ScannedChange<'_>) {
        let change = scanned.change;
        let is_repository = change.change == FileChange::RepositoryUndone;
        let (path, pattern) = match change.path.rsplit_once('/') {
            _ if is_repository => (Some(&*change.path), ""),
            Some((path, pattern)) => (Some(path), pattern),
            None => (None, &*change.path),
        };
        let around = path.map_or(Some(Surroundings::Unknown), |path| {
            scanned.places.around(path, scanned.folder)
        });
        let folder = match around {
            Some(Surroundings::Known(found)) if is_repository => Some(PathOfCall {
                place: PathBuf::from("."),
                ..found
            }),
            Some(Surroundings::Known(found)) => Some(found),
            Some(Surroundings::Unknown) => None,
            None => return,
        };
        self.removed.add_undone(UndoneFiles {
            moment: scanned.moment,
            folder,
            pattern: pattern.to_owned(),
        });
    }
}

/// All calls of the runs, in order.
pub(super) fn calls<'e>(runs: &[&'e Run]) -> impl Iterator<Item = (CallAt, &'e Call)> {
    runs.iter().enumerate().flat_map(|(index, run)| {
        let calls = run.calls.iter().enumerate();
        calls.map(move |(at, call)| ((index, at), call))
    })
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FileTraces {
    /// The first call that wrote it.
    pub(super) wrote: Option<KnownWrite>,
    /// The last call that wrote it.
    pub(super) wrote_last: Option<KnownWrite>,
    /// The last call that tried to write it and did not.
    pub(super) failed: Option<CallAt>,
    /// The first call that may have written it, without certainty.
    pub(super) uncertain: Option<CallAt>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct KnownWrite {
    pub(super) moment: CallMoment,
    /// The program or redirection of a command that wrote it. None for a file tool.
    pub(super) by: Option<&'static str>,
    pub(super) in_work_tree: bool,
}

impl FileTraces {
    fn add(&mut self, at: CallAt, call: &Call, in_work_tree: bool) {
        match (call.outcome, call.effect) {
            (Outcome::Succeeded, WriteEffect::Change) => self.add_write(KnownWrite {
                moment: CallMoment::new(at, call, 0),
                by: None,
                in_work_tree,
            }),
            _ if may_write(call) => {
                self.uncertain = first(self.uncertain, Some(at));
            }
            _ => self.failed = self.failed.max(Some(at)),
        }
    }

    fn add_write(&mut self, write: KnownWrite) {
        // Within one call, the report of the client (change 0) comes before its command line.
        let is_first = |known: KnownWrite| write.moment.order() < known.moment.order();
        if self.wrote.is_none_or(is_first) {
            self.wrote = Some(write);
        }
        let is_last = |known: KnownWrite| write.moment.may_follow(&known.moment);
        if self.wrote_last.is_none_or(is_last) {
            self.wrote_last = Some(write);
        }
    }

    /// Adds what calls did to the same file under another name.
    fn merge(&mut self, other: Self) {
        for write in [other.wrote, other.wrote_last].into_iter().flatten() {
            self.add_write(write);
        }
        self.failed = self.failed.max(other.failed);
        self.uncertain = first(self.uncertain, other.uncertain);
    }
}

/// Whether a call of a file tool may have written a file that it names. One that failed may have written
/// the first of several.
pub(super) fn may_write(call: &Call) -> bool {
    let is_done = match call.outcome {
        Outcome::Succeeded | Outcome::Unknown => true,
        Outcome::Failed => call.paths.len() > 1,
        Outcome::Rejected => false,
    };
    call.kind == CallKind::Write && is_done && call.effect != WriteEffect::Nothing
}

fn first(one: Option<CallAt>, other: Option<CallAt>) -> Option<CallAt> {
    one.into_iter().chain(other).min()
}

/// The most paths of calls that are looked up.
const LOOKED_UP_AT_MOST: usize = 4 << 10;

/// The most bytes of these paths together.
const LOOKED_UP_BYTES_AT_MOST: usize = 1 << 20;

/// What calls did to the files that they name, for claimed files with other names: symlinks, hard links, or
/// another spelling. This has to look up every path, so it is done last, and once for all claims.
#[derive(Debug)]
pub(super) struct LinkedFiles {
    files: HashMap<PathBuf, FileTraces>,
    by_identity: OnceCell<HashMap<(u64, u64), FileTraces>>,
    /// Whether a file outside the root may have been written.
    has_outside: bool,
    has_other_letters: bool,
}

/// What calls did to a file under other names.
#[derive(Debug)]
pub(super) struct OtherNames {
    pub(super) traces: FileTraces,
    /// Whether a path outside the root may be the same file.
    pub(super) may_be_outside: bool,
}

impl LinkedFiles {
    /// Looks up the paths of all calls. None if there are too many.
    pub(super) fn of(
        runs: &[&Run],
        index: &WriteIndex<'_>,
        places: ProjectPlaces<'_>,
    ) -> Option<Self> {
        let paths = || calls(runs).flat_map(|(_, call)| &call.paths);
        let bytes: usize = paths().map(String::len).sum();
        if bytes > LOOKED_UP_BYTES_AT_MOST || paths().count() > LOOKED_UP_AT_MOST {
            return None;
        }
        let mut found = Self {
            files: HashMap::new(),
            by_identity: OnceCell::new(),
            has_outside: false,
            has_other_letters: paths().any(|path| !path.is_ascii()),
        };
        for (at, call) in calls(runs) {
            for path in &call.paths {
                match index.find(places, at, path) {
                    Some(place) => {
                        let traces = found.files.entry(place.place).or_default();
                        traces.add(at, call, place.in_work_tree);
                    }
                    None => found.has_outside |= may_write(call),
                }
            }
        }
        Some(found)
    }

    /// What calls did to a file under any name.
    pub(super) fn of_file(&self, file: &ClaimedFile<'_>) -> OtherNames {
        let mut traces = self.files.get(file.place()).copied().unwrap_or_default();
        let identity = file.identity();
        if file.may_have_other_names() || self.has_other_letters {
            let same = identity.and_then(|own| self.by_identity(file).get(&own.place).copied());
            traces.merge(same.unwrap_or_default());
        }
        OtherNames {
            traces,
            may_be_outside: self.has_outside && identity.is_some_and(|own| own.names > 1),
        }
    }

    fn by_identity(&self, file: &ClaimedFile<'_>) -> &HashMap<(u64, u64), FileTraces> {
        self.by_identity.get_or_init(|| {
            let mut found: HashMap<_, FileTraces> = HashMap::new();
            for (place, traces) in &self.files {
                if let Some(FileIdentity { place, .. }) = file.root().identity(place) {
                    found.entry(place).or_default().merge(*traces);
                }
            }
            found
        })
    }
}

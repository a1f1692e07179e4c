//! An index of what the calls of several runs wrote, by file. Every call is read once for all claims.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};

use crate::clients::run::{Call, Outcome, Run, is_redacted};
use crate::evidence::folders::{CallFolder, CallFolders, has_succeeded};
use crate::evidence::place::{ClaimedFile, NameKey, PathOfCall, ProjectPlaces, Surroundings};
use crate::evidence::removals::{RemovedFiles, UndoneFiles};
use crate::evidence::shell::{self, FileChange, NamedChange};
use crate::evidence::traces::{CallAt, CallMoment, FileTraces, KnownWrite, first, may_write};

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

    pub(super) fn call(&self, at: CallAt) -> &'e Call {
        &self.runs[at.0].calls[at.1]
    }

    /// The call that may have removed or moved the file after `write`. None if missing.
    pub(super) fn removed_after(
        &self,
        write: &KnownWrite,
        file: &ClaimedFile<'_>,
    ) -> Option<CallAt> {
        self.removed.after(write, file).map(|removal| removal.at)
    }

    pub(super) fn find(
        &self,
        places: ProjectPlaces<'_>,
        at: CallAt,
        path: &str,
    ) -> Option<PathOfCall> {
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
            let is_new = named.same_names.len() < 2
                && named.same_names.iter().all(|(_, known)| *known != place);
            if is_new && may_write(call) {
                named.same_names.push((at, place));
            }
        }
    }

    fn scan(&mut self, at: CallAt, places: ProjectPlaces<'_>) {
        let folder = self.folder(at);
        let command = self.call(at).command.as_deref().unwrap_or_default();
        for (index, change) in shell::scan(command).changes.iter().enumerate() {
            let scanned = ScannedChange {
                moment: CallMoment::new(at, self.call(at), index + 1),
                change,
                folder: &folder,
                places,
            };
            match change.change {
                FileChange::Written => self.add_written(&scanned),
                FileChange::Removed | FileChange::Undone => self.add_removed(&scanned),
                FileChange::SomeUndone | FileChange::RepositoryUndone => self.add_undone(&scanned),
                FileChange::Touched | FileChange::FolderMade => {}
            }
        }
    }

    fn add_written(&mut self, scanned: &ScannedChange<'_>) {
        let (change, folder, places) = (scanned.change, scanned.folder, scanned.places);
        let call = self.call(scanned.moment.at);
        let is_certain = change.is_certain || change.is_certain_if_silent && call.is_silent;
        let is_trusted = is_certain && *folder != CallFolder::Distrusted;
        if !is_trusted || !has_succeeded(call) || self.writes == WRITES_AT_MOST {
            return;
        }
        let mut tops = change.top.iter();
        if !tops.all(|top| places.is_top_of_repository(top, folder)) {
            return;
        }
        let Some(found) = places.find(&change.path, folder) else {
            return;
        };
        self.writes += 1;
        let place = self.hash(&found.place);
        let named = self.names.entry(NameKey::of(&change.path)).or_default();
        named.files.entry(place).or_default().add_write(KnownWrite {
            moment: scanned.moment,
            by: Some(change.by),
            in_work_tree: found.in_work_tree,
        });
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

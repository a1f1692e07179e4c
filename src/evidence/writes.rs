//! What the calls of several runs did to files. Every call is read once for all claims.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::clients::run::is_redacted;
use crate::evidence::calls::{CallFolder, NamedWrite, ReadCall};
use crate::evidence::place::{ClaimedFile, PathOfCall, ProjectPlaces, name_key, outside};
use crate::evidence::shell::FileChange;

/// The most paths of calls that are looked up, those in commands among them.
const PATHS_AT_MOST: usize = 8 << 10;

const BYTES_AT_MOST: usize = 1 << 20;

/// Where a call is: the index of the run, of those that a claim is compared with, and that of the call in it.
pub(super) type CallAt = (usize, usize);

#[derive(Debug, Default)]
pub(super) struct WriteIndex {
    /// By the path below the root, with symlinks resolved.
    files: HashMap<PathBuf, FileTraces>,
    /// The calls that may have written a file, by the key of its name, and its path. None is a path that is not known,
    /// or leads out of the project.
    names: Vec<(CallAt, String, Option<PathBuf>)>,
    /// The last write of each file that is certainly outside of the project.
    outside: BTreeMap<PathBuf, KnownWrite>,
    undone: Vec<UndoneFiles>,
    /// Commands that certainly wrote no files but those that they name, which is none if they only read.
    pub(super) closed: HashSet<CallAt>,
    first_write: Option<CallAt>,
    paths: usize,
    bytes: usize,
}

/// What calls did to a file, by its own path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FileTraces {
    pub(super) wrote: Option<KnownWrite>,
    /// The last call that tried to write it and did not.
    pub(super) failed: Option<CallAt>,
    /// The first call that may have written it, without certainty.
    pub(super) uncertain: Option<CallAt>,
    /// The first call that wrote the file with this path in another working tree.
    pub(super) elsewhere: Option<CallAt>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct KnownWrite {
    pub(super) moment: CallMoment,
    /// Whether a redirection of a command wrote it, and no file tool.
    pub(super) is_by_command: bool,
}

/// A file that a command may have removed, moved away or given an earlier content back, or a folder of such files.
#[derive(Debug)]
struct UndoneFiles {
    moment: CallMoment,
    /// The path below the root. Empty for the root itself.
    place: PathBuf,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct CallMoment {
    pub(super) at: CallAt,
    /// The number of the change in the command of the call, from 1. 0 for a file tool.
    change: usize,
    time: Option<SystemTime>,
}

impl CallMoment {
    fn of(at: CallAt, change: usize, call: &ReadCall<'_>) -> Self {
        let time = call.call.time;
        Self { at, change, time }
    }

    /// Whether this change may have come after `other`. Calls of two runs have only their times.
    fn may_follow(&self, other: &Self) -> bool {
        if self.at.0 == other.at.0 {
            return (self.at, self.change) > (other.at, other.change);
        }
        let times = self.time.zip(other.time);
        times.is_none_or(|(own, other)| own >= other)
    }
}

impl WriteIndex {
    /// Reads the calls of several runs. Without `with_commands`, only those of file tools.
    pub(super) fn new(
        runs: &[Vec<ReadCall<'_>>],
        places: ProjectPlaces<'_>,
        with_commands: bool,
    ) -> Self {
        let mut index = Self::default();
        for (number, calls) in runs.iter().enumerate() {
            for (at, call) in calls.iter().enumerate() {
                index.add((number, at), call, places, with_commands);
                if index.is_cut() {
                    return index;
                }
            }
        }
        index
    }

    pub(super) fn is_cut(&self) -> bool {
        self.paths > PATHS_AT_MOST || self.bytes > BYTES_AT_MOST
    }

    pub(super) fn of_file(&self, file: &ClaimedFile<'_>) -> FileTraces {
        self.files.get(&file.place).copied().unwrap_or_default()
    }

    /// The files that the first run itself wrote last, each with its path below the root, sorted. None: it wrote the
    /// file in another working tree.
    pub(super) fn own(&self) -> impl Iterator<Item = (&Path, Option<KnownWrite>)> {
        self.sorted().filter_map(|(path, it)| {
            let run = it.wrote.map(|it| it.moment.at).or(it.elsewhere)?.0;
            (run == 0).then_some((path, it.wrote))
        })
    }

    fn sorted(&self) -> impl Iterator<Item = (&Path, &FileTraces)> {
        let files = self.files.iter().map(|(path, it)| (path.as_path(), it));
        let mut files: Vec<_> = files.collect();
        files.sort_unstable_by_key(|(path, _)| *path);
        files.into_iter()
    }

    /// The same of files that are certainly outside of the project, with whole paths.
    pub(super) fn own_outside(&self) -> impl Iterator<Item = (&Path, KnownWrite)> {
        let all = self.outside.iter().map(|(path, it)| (path.as_path(), *it));
        all.filter(|(_, it)| it.moment.at.0 == 0)
    }

    /// The first call that may have written another file with the same name. That file may be the same
    /// one after all, if its path is not known.
    pub(super) fn same_name(&self, file: &ClaimedFile<'_>) -> Option<CallAt> {
        let keys: Vec<_> = file.name_keys().collect();
        let others = self
            .names
            .iter()
            .filter(|(_, key, place)| keys.contains(key) && place.as_ref() != Some(&file.place));
        others.map(|(at, ..)| *at).min()
    }

    /// The first call that may have written the file under another name: the file has several, or the file
    /// system may treat two spellings of its name as equal.
    pub(super) fn other_name(&self, file: &ClaimedFile<'_>) -> Option<CallAt> {
        self.first_write.filter(|_| file.may_have_other_names())
    }

    /// Whether a call may have undone the file, at any time.
    pub(super) fn may_undo(&self, file: &ClaimedFile<'_>) -> bool {
        let mut undone = self.undone.iter();
        self.is_cut() || undone.any(|it| file.place.starts_with(&it.place))
    }

    /// The call that may have undone the file after `write`. None if there is none.
    pub(super) fn undone_after(
        &self,
        write: &KnownWrite,
        file: &ClaimedFile<'_>,
    ) -> Option<CallAt> {
        let undone = self
            .undone
            .iter()
            .find(|it| it.moment.may_follow(&write.moment) && file.place.starts_with(&it.place));
        undone.map(|it| it.moment.at)
    }

    fn add(
        &mut self,
        at: CallAt,
        call: &ReadCall<'_>,
        places: ProjectPlaces<'_>,
        with_commands: bool,
    ) {
        let mut names_outside = false;
        for write in call.writes().filter(|it| with_commands || !it.is_by_command) {
            let is_inside = self.add_write(at, call, write, places);
            names_outside |= write.is_by_command && !is_inside;
        }
        let Some(script) = call.script.as_ref().filter(|_| with_commands) else {
            return;
        };
        for (change, named) in call.changes() {
            if named.change != FileChange::Undone {
                continue;
            }
            self.count(&named.path);
            let found = places.around(&named.path, call.folder);
            self.undone.extend(found.map(|found| UndoneFiles {
                moment: CallMoment::of(at, change, call),
                place: if found.place == Path::new(".") { PathBuf::new() } else { found.place },
            }));
        }
        let command = call.call.command.as_deref().unwrap_or_default();
        // PowerShell has another syntax than the one that is read.
        let is_read = !is_redacted(command) && !call.call.name.eq_ignore_ascii_case("powershell");
        let is_known = match call.folder {
            CallFolder::Known(_) => true,
            CallFolder::Unknown => !names_outside,
            CallFolder::Distrusted => false,
        };
        if is_read && is_known && !script.may_write {
            self.closed.insert(at);
        }
    }

    /// Adds a file that a call names to write. Returns whether it is one of the project.
    fn add_write(
        &mut self,
        at: CallAt,
        call: &ReadCall<'_>,
        named: NamedWrite<'_>,
        places: ProjectPlaces<'_>,
    ) -> bool {
        self.count(named.path);
        let found = places.find(named.path, call.folder);
        let is_certain = named.is_done == Some(true);
        if named.is_done != Some(false) {
            keep_first(&mut self.first_write, at);
            let place = found.as_ref().map(|found| found.place.clone());
            self.names.push((at, name_key(named.path), place));
        }
        let write = KnownWrite {
            moment: CallMoment::of(at, named.change, call),
            is_by_command: named.is_by_command,
        };
        let Some(PathOfCall { place, elsewhere }) = found else {
            let outside = outside(named.path, call.folder).filter(|_| is_certain);
            self.outside.extend(outside.map(|it| (it, write)));
            return false;
        };
        let traces = self.files.entry(place).or_default();
        match named.is_done {
            Some(true) if elsewhere => keep_first(&mut traces.elsewhere, at),
            Some(true) => traces.add_write(write),
            Some(false) => traces.failed = traces.failed.max(Some(at)),
            None => keep_first(&mut traces.uncertain, at),
        }
        true
    }

    fn count(&mut self, path: &str) {
        self.paths += 1;
        self.bytes += path.len();
    }
}

impl FileTraces {
    fn add_write(&mut self, write: KnownWrite) {
        let is_last = |known: KnownWrite| write.moment.may_follow(&known.moment);
        if self.wrote.is_none_or(is_last) {
            self.wrote = Some(write);
        }
    }
}

fn keep_first(known: &mut Option<CallAt>, at: CallAt) {
    *known = Some(known.map_or(at, |known| known.min(at)));
}

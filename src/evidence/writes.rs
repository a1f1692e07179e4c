//! What the calls of several runs did to files. Every call is read once for all claims.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::clients::run::{Call, CallKind, Outcome, Run, WriteEffect, is_redacted};
use crate::evidence::place::{
    CallFolder, ClaimedFile, PathOfCall, ProjectPlaces, call_folders, has_succeeded, name_key,
    outside,
};
use crate::evidence::shell::{self, FileChange, WriteCertainty};

/// The most paths of calls that are looked up, those in commands among them.
const PATHS_AT_MOST: usize = 8 << 10;

const BYTES_AT_MOST: usize = 1 << 20;

/// Where a call is: the index of the run, of those that a claim is compared with, and that of the call in it.
pub(super) type CallAt = (usize, usize);

#[derive(Debug, Default)]
pub(super) struct WriteIndex {
    /// By the path below the root, with symlinks resolved.
    files: HashMap<PathBuf, FileTraces>,
    /// The first calls that may have written a file with this name, for up to two paths: one of them is not that of the
    /// claim. None is a path that is not known, or leads out of the project.
    names: HashMap<String, Vec<(CallAt, Option<PathBuf>)>>,
    /// The last write of each file that is certainly outside of the project.
    outside: BTreeMap<PathBuf, KnownWrite>,
    undone: Vec<UndoneFiles>,
    /// Commands that certainly wrote no files but those that they name, which is none if they only read.
    pub(super) closed: HashSet<CallAt>,
    first_write: Option<CallAt>,
    /// The first command that certainly wrote a file.
    pub(super) command_that_wrote: Option<CallAt>,
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
}

#[derive(Debug, Clone, Copy)]
pub(super) struct KnownWrite {
    pub(super) moment: CallMoment,
    /// The program or redirection of a command that wrote it. None for a file tool.
    pub(super) by: Option<&'static str>,
    pub(super) elsewhere: bool,
}

/// A file that a command may have removed, moved away or given an earlier content back, or a folder of such files.
#[derive(Debug)]
struct UndoneFiles {
    moment: CallMoment,
    /// The path below the root. Empty for the root itself.
    place: PathBuf,
    elsewhere: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct CallMoment {
    pub(super) at: CallAt,
    /// The number of the change in the command of the call, from 1. 0 for a file tool.
    change: usize,
    time: Option<SystemTime>,
}

impl CallMoment {
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
    pub(super) fn new(runs: &[&Run], places: ProjectPlaces<'_>, with_commands: bool) -> Self {
        let mut index = Self::default();
        for (number, run) in runs.iter().enumerate() {
            for (at, (call, folder)) in run.calls.iter().zip(call_folders(run)).enumerate() {
                let at = (number, at);
                for path in &call.paths {
                    index.add_path(at, call, (path, folder), places);
                }
                // A command that failed may still have removed a file.
                if with_commands && call.outcome != Outcome::Rejected {
                    index.add_command(at, call, folder, places);
                }
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

    /// The files that the first run itself wrote last, each with its path below the root, sorted.
    pub(super) fn own(&self) -> Vec<(&Path, KnownWrite)> {
        let own = self.files.iter();
        let own = own.filter_map(|(path, it)| Some((path.as_path(), it.wrote?)));
        let mut own: Vec<_> = own.filter(|(_, it)| it.moment.at.0 == 0).collect();
        own.sort_unstable_by_key(|(path, _)| *path);
        own
    }

    /// The same of files that are certainly outside of the project, with whole paths.
    pub(super) fn own_outside(&self) -> impl Iterator<Item = (&Path, KnownWrite)> {
        let all = self.outside.iter().map(|(path, it)| (path.as_path(), *it));
        all.filter(|(_, it)| it.moment.at.0 == 0)
    }

    /// The first call that may have written another file with the same name. That file may be the same
    /// one after all, if its path is not known.
    pub(super) fn same_name(&self, file: &ClaimedFile<'_>) -> Option<CallAt> {
        let named = file.name_keys().filter_map(|key| self.names.get(&key));
        let others = named.filter_map(|named| {
            let mut others = named.iter();
            others.find(|(_, place)| place.as_ref() != Some(&file.place))
        });
        others.map(|(at, _)| *at).min()
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
        let undone = self.undone.iter().find(|it| {
            it.moment.may_follow(&write.moment)
                && file.place.starts_with(&it.place)
                && (write.elsewhere || !it.elsewhere)
        });
        undone.map(|it| it.moment.at)
    }

    fn count(&mut self, path: &str) {
        self.paths += 1;
        self.bytes += path.len();
    }

    fn add_path(
        &mut self,
        at: CallAt,
        call: &Call,
        (path, folder): (&str, CallFolder<'_>),
        places: ProjectPlaces<'_>,
    ) {
        self.count(path);
        let found = places.find(path, folder);
        let is_certain = call.outcome == Outcome::Succeeded && call.effect == WriteEffect::Change;
        let (change, time) = (0, call.time);
        let write = |elsewhere| KnownWrite {
            moment: CallMoment { at, change, time },
            by: None,
            elsewhere,
        };
        if may_write(call) {
            self.add_name(at, path, found.as_ref());
        }
        let Some(PathOfCall { place, elsewhere }) = found else {
            if is_certain && call.kind == CallKind::Write {
                let outside = outside(path, folder);
                self.outside.extend(outside.map(|it| (it, write(false))));
            }
            return;
        };
        let traces = self.files.entry(place).or_default();
        if is_certain {
            traces.add_write(write(elsewhere));
        } else if may_write(call) {
            keep_first(&mut traces.uncertain, at);
        } else {
            traces.failed = traces.failed.max(Some(at));
        }
    }

    fn add_name(&mut self, at: CallAt, path: &str, found: Option<&PathOfCall>) {
        keep_first(&mut self.first_write, at);
        let place = found.map(|found| found.place.clone());
        let known = self.names.entry(name_key(path)).or_default();
        if known.len() < 2 && known.iter().all(|(_, known)| *known != place) {
            known.push((at, place));
        }
    }

    fn add_command(
        &mut self,
        at: CallAt,
        call: &Call,
        folder: CallFolder<'_>,
        places: ProjectPlaces<'_>,
    ) {
        let Some(command) = &call.command else { return };
        let script = shell::scan(command, &[]);
        // PowerShell has another syntax than the one that is read.
        let is_read = !is_redacted(command) && !call.name.eq_ignore_ascii_case("powershell");
        let is_trusted = folder != CallFolder::Distrusted;
        let mut is_closed = is_read && is_trusted && !script.may_write;
        for (change, named) in (1..).zip(&script.changes) {
            self.count(&named.path);
            let time = call.time;
            let moment = CallMoment { at, change, time };
            let FileChange::Written { by, certainty } = named.change else {
                let is_repository = named.change == FileChange::RepositoryUndone;
                let found = places.around(&named.path, folder);
                self.undone.extend(found.map(|found| UndoneFiles {
                    moment,
                    elsewhere: found.elsewhere,
                    place: match found.place {
                        place if is_repository || place == Path::new(".") => PathBuf::new(),
                        place => place,
                    },
                }));
                continue;
            };
            let found = places.find(&named.path, folder);
            self.add_name(at, &named.path, found.as_ref());
            let is_certain = match certainty {
                WriteCertainty::Certain => true,
                WriteCertainty::IfSilent => call.is_silent,
                WriteCertainty::Open => false,
            };
            let is_certain = is_certain && is_trusted && has_succeeded(call);
            if is_certain {
                keep_first(&mut self.command_that_wrote, at);
            }
            let write = |elsewhere| KnownWrite {
                moment,
                by: Some(by),
                elsewhere,
            };
            let Some(PathOfCall { place, elsewhere }) = found else {
                is_closed &= matches!(folder, CallFolder::Known(_));
                let outside = outside(&named.path, folder).filter(|_| is_certain);
                self.outside.extend(outside.map(|it| (it, write(false))));
                continue;
            };
            let traces = self.files.entry(place).or_default();
            if is_certain {
                traces.add_write(write(elsewhere));
            } else {
                keep_first(&mut traces.uncertain, at);
            }
        }
        if is_closed {
            self.closed.insert(at);
        }
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

pub(super) fn calls<'e>(runs: &[&'e Run]) -> impl Iterator<Item = (CallAt, &'e Call)> {
    runs.iter().enumerate().flat_map(|(index, run)| {
        let calls = run.calls.iter().enumerate();
        calls.map(move |(at, call)| ((index, at), call))
    })
}

/// Whether a call may have written a file that it names. One that failed may have written the first of several.
pub(super) fn may_write(call: &Call) -> bool {
    let is_done = match call.outcome {
        Outcome::Succeeded | Outcome::Unknown => true,
        Outcome::Failed => call.paths.len() > 1,
        Outcome::Rejected => false,
    };
    call.kind == CallKind::Write && is_done && call.effect != WriteEffect::Nothing
}

fn keep_first(known: &mut Option<CallAt>, at: CallAt) {
    *known = Some(known.map_or(at, |known| known.min(at)));
}

//! When calls wrote and removed files, and which of them commands may have removed, moved away or given an
//! earlier content back since.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::clients::run::Call;
use crate::evidence::place::{ClaimedFile, NameKey, PathOfCall};

/// Where a call is in the runs that a claim is compared with: the index of the run, and the index of the
/// call in [`Run::calls`](crate::clients::transcript::Run::calls). (While a transcript is read, calls have a
/// `CallPlace`.)
pub(super) type CallAt = (usize, usize);

#[derive(Debug, Clone, Copy)]
pub(super) struct CallMoment {
    pub(super) at: CallAt,
    /// The number of the change in the command of the call, from 1. 0 for a file tool.
    change: usize,
    time: Option<SystemTime>,
}

impl CallMoment {
    pub(super) fn new(at: CallAt, call: &Call, change: usize) -> Self {
        let time = call.time;
        Self { at, change, time }
    }

    /// Whether this change may have come after `other`. Calls of the same run have an order; calls of
    /// two runs have only their times.
    pub(super) fn may_follow(&self, other: &Self) -> bool {
        if self.at.0 == other.at.0 {
            return self.order() > other.order();
        }
        let times = self.time.zip(other.time);
        times.is_none_or(|(own, other)| own >= other)
    }

    pub(super) fn order(&self) -> (CallAt, usize) {
        (self.at, self.change)
    }
}

/// The place of the root itself.
const ROOT: &str = ".";

/// The most removed files that are kept.
const FILES_AT_MOST: usize = 16 << 10;

/// The most patterns of undone files that are kept.
const PATTERNS_AT_MOST: usize = 256;

/// Files in a folder that a command may have undone.
#[derive(Debug)]
pub(super) struct UndoneFiles {
    pub(super) moment: CallMoment,
    /// None if it is not known.
    pub(super) folder: Option<PathOfCall>,
    /// What the name of a file, or of a folder around it, begins and ends with: `*.log`. Without a `*`,
    /// it is any name.
    pub(super) pattern: String,
}

impl UndoneFiles {
    fn have(&self, place: &Path) -> bool {
        let folder = self.folder.as_ref().map(|folder| &folder.place);
        let below = match folder {
            Some(folder) if !is_root(folder) => place.strip_prefix(folder),
            _ => Ok(place),
        };
        let (start, end) = self.pattern.split_once('*').unwrap_or_default();
        let fits = |name: &OsStr| {
            let name = name.to_string_lossy();
            name.strip_prefix(start)
                .is_some_and(|rest| rest.ends_with(end))
        };
        below.is_ok_and(|below| below.iter().any(fits))
    }
}

/// The files that commands may have removed or moved, with the last such command of each run.
#[derive(Debug, Default)]
pub(super) struct RemovedFiles {
    hashes: RandomState,
    /// By the hash of the path below the root of a file or folder, and whether it is in another working
    /// tree.
    places: HashMap<(u64, bool), Vec<CallMoment>>,
    /// By name, for paths whose folder is not known.
    names: HashMap<NameKey, Vec<CallMoment>>,
    patterns: Vec<UndoneFiles>,
    /// Commands that may have removed any file, among them those whose files are too many to keep.
    anywhere: Vec<CallMoment>,
}

impl RemovedFiles {
    /// Adds a removed path. `found` is where it leads, if that is known.
    pub(super) fn add(&mut self, moment: CallMoment, path: &str, found: Option<&PathOfCall>) {
        let is_full = self.places.len() + self.names.len() >= FILES_AT_MOST;
        let moments = match found {
            _ if is_full => &mut self.anywhere,
            Some(found) => {
                let place = self.hashes.hash_one(&found.place);
                self.places.entry((place, found.in_work_tree)).or_default()
            }
            None => self.names.entry(NameKey::of(path)).or_default(),
        };
        keep_last(moments, moment);
    }

    /// Adds files that a command did not name.
    pub(super) fn add_undone(&mut self, files: UndoneFiles) {
        let is_any = !files.pattern.contains(|letter| letter != '*');
        match files.folder {
            Some(folder) if is_any => self.add(files.moment, "", Some(&folder)),
            None if is_any => keep_last(&mut self.anywhere, files.moment),
            _ if self.patterns.len() == PATTERNS_AT_MOST => {
                keep_last(&mut self.anywhere, files.moment);
            }
            _ => self.patterns.push(files),
        }
    }

    /// A command that may have removed the file, or a folder around it, after `write`. None if there is
    /// none.
    pub(super) fn after(
        &self,
        write: &CallMoment,
        in_work_tree: bool,
        file: &ClaimedFile<'_>,
    ) -> Option<CallMoment> {
        let trees: &[bool] = if in_work_tree {
            &[false, true]
        } else {
            &[false]
        };
        let places = file.place().ancestors().flat_map(|place| {
            let place = if is_root(place) {
                Path::new(ROOT)
            } else {
                place
            };
            let place = self.hashes.hash_one(PathBuf::from(place));
            trees
                .iter()
                .filter_map(move |tree| self.places.get(&(place, *tree)))
        });
        let names = file.name_keys().filter_map(|name| self.names.get(&name));
        let is_there = |files: &&UndoneFiles| {
            let tree = files.folder.as_ref().map(|folder| folder.in_work_tree);
            tree.is_none_or(|tree| trees.contains(&tree)) && files.have(file.place())
        };
        let patterns = self.patterns.iter().filter(is_there);
        let all = places.chain(names).chain([&self.anywhere]).flatten();
        let all = all.chain(patterns.map(|files| &files.moment));
        let mut later = all.filter(|removal| removal.may_follow(write));
        later.next().copied()
    }
}

fn is_root(place: &Path) -> bool {
    place.as_os_str().is_empty() || place == Path::new(ROOT)
}

/// Keeps the last moment of each run.
fn keep_last(moments: &mut Vec<CallMoment>, moment: CallMoment) {
    let mut known = moments.iter_mut();
    match known.find(|known| known.at.0 == moment.at.0) {
        Some(known) if known.may_follow(&moment) => {}
        Some(known) => *known = moment,
        None => moments.push(moment),
    }
}

//! Files that commands removed or moved, or may have.
//!
//! A file that a call wrote before such a command is not the file that is there now.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};

use memchr::memmem;

use crate::evidence::place::{ClaimedFile, NameKey, PathOfCall};
use crate::evidence::traces::{CallMoment, KnownWrite};

/// The most removed files that are kept.
const FILES_AT_MOST: usize = 16 << 10;

/// A command line that removes or moves files contains at least one of these texts.
const PROGRAMS: [&str; 5] = ["rm ", "mv ", "rm\t", "mv\t", "rmdir"];

/// Whether a command line may remove or move something. The claimed file need not be named there: a
/// folder around it may be.
pub(super) fn may_remove(command: &str) -> bool {
    let mut programs = PROGRAMS.iter();
    programs.any(|program| memmem::find(command.as_bytes(), program.as_bytes()).is_some())
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
    /// Commands whose removed files are too many to keep. They may have removed any file.
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

    /// A command that may have removed the file, or a folder around it, after `write`. None if there is
    /// none.
    pub(super) fn after(&self, write: &KnownWrite, file: &ClaimedFile<'_>) -> Option<CallMoment> {
        if self.places.is_empty() && self.names.is_empty() {
            return None;
        }
        let trees: &[bool] = if write.in_work_tree {
            &[false, true]
        } else {
            &[false]
        };
        let folders = file.place().ancestors().filter(|place| !is_root(place));
        let places = folders.flat_map(|place| {
            let place = self.hashes.hash_one(PathBuf::from(place));
            trees
                .iter()
                .filter_map(move |tree| self.places.get(&(place, *tree)))
        });
        let names = file.name_keys().filter_map(|name| self.names.get(&name));
        let all = places.chain(names).chain([&self.anywhere]).flatten();
        let mut later = all.filter(|removal| removal.may_follow(&write.moment));
        later.next().copied()
    }
}

fn is_root(place: &Path) -> bool {
    place.as_os_str().is_empty()
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

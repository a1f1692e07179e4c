//! Files that commands removed or moved away, or may have.
//!
//! What a call wrote before that is not the file that is there now.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::path::{Path, PathBuf};

use memchr::memmem;

use crate::evidence::place::{ClaimedFile, NameKey, PathOfCall};
use crate::evidence::traces::{CallMoment, KnownWrite};

/// Files of which it is kept that they were removed.
const FILES_AT_MOST: usize = 16 << 10;

/// What stands in a command line that removes or moves files.
const PROGRAMS: [&str; 5] = ["rm ", "mv ", "rm\t", "mv\t", "rmdir"];

/// Whether a command line may remove a folder, whichever files are in it.
pub(super) fn may_remove(command: &str) -> bool {
    let mut programs = PROGRAMS.iter();
    programs.any(|program| memmem::find(command.as_bytes(), program.as_bytes()).is_some())
}

/// The files that commands may have removed or moved away, with the last such command of each run.
#[derive(Debug, Default)]
pub(super) struct RemovedFiles {
    hashes: RandomState,
    /// Files and folders by the hashes of their places, and whether these are in another working tree.
    places: HashMap<(u64, bool), Vec<CallMoment>>,
    /// Files whose folder is not known.
    names: HashMap<NameKey, Vec<CallMoment>>,
    /// Commands that may have removed any file, because there are too many to keep.
    anywhere: Vec<CallMoment>,
}

impl RemovedFiles {
    /// Adds a path that was removed. `found` is where it leads, if that is known.
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

    /// The commands that may have removed a file, or a folder in which it is, after a call wrote it.
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

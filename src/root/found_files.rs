//! The files that were found, for as long as a run lasts.
//!
//! A table that threads read and write side by side without waiting for each other. In place of a
//! path it holds a hash, under a key that is drawn for each run: nobody can choose two paths that
//! are taken for one, and by chance it happens once in 2^64 comparisons.

use std::array;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use siphasher::sip128::SipHasher13;

/// Sets of places. With [`PLACES`] in each, 16,384 files are remembered in 256 KiB.
const SETS: usize = 4096;

/// Places that one path may take: as many as stand in one line of the processor's cache.
const PLACES: usize = 4;

/// Files with content, by path.
#[derive(Debug)]
pub(super) struct FoundFiles {
    hasher: SipHasher13,
    sets: Box<[SlotSet]>,
}

#[derive(Debug)]
#[repr(align(64))]
struct SlotSet([Slot; PLACES]);

/// One file, or zeros. The words are written one after the other, so that a thread may read one
/// file's mark with another's size: it then knows neither.
#[derive(Debug)]
struct Slot {
    /// A part of the path's hash and `bytes`, one exclusive or the other.
    mark: AtomicU64,
    /// The file's size, more than 0.
    bytes: AtomicU64,
}

/// What stands for a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathHash {
    set: usize,
    rest: u64,
}

impl FoundFiles {
    pub(super) fn new() -> Self {
        let random = || RandomState::new().hash_one(());
        let place = |_| Slot {
            mark: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        };
        Self {
            hasher: SipHasher13::new_with_keys(random(), random()),
            sets: (0..SETS).map(|_| SlotSet(array::from_fn(place))).collect(),
        }
    }

    pub(super) fn key(&self, path: &[u8]) -> PathHash {
        let (number, rest) = self.hasher.hash(path).as_u64();
        let [low, high, ..] = number.to_le_bytes();
        PathHash {
            set: usize::from(u16::from_le_bytes([low, high])) % SETS,
            rest,
        }
    }

    /// The size that was noted, in bytes, unless others have taken its place.
    pub(super) fn recall(&self, key: PathHash) -> Option<u64> {
        self.sets[key.set].0.iter().find_map(|place| {
            let bytes = place.bytes.load(Ordering::Relaxed);
            let is_it = place.mark.load(Ordering::Relaxed) ^ bytes == key.rest;
            (bytes > 0 && is_it).then_some(bytes)
        })
    }

    /// Notes the size of a file, in bytes, more than 0.
    pub(super) fn note(&self, key: PathHash, bytes: u64) {
        let places = &self.sets[key.set].0;
        let is_free = |place: &&Slot| place.bytes.load(Ordering::Relaxed) == 0;
        let any = usize::from(key.rest.to_le_bytes()[0]) % PLACES;
        let place = places.iter().find(is_free).unwrap_or(&places[any]);
        place.mark.store(key.rest ^ bytes, Ordering::Relaxed);
        place.bytes.store(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(set: usize, rest: u64) -> PathHash {
        PathHash { set, rest }
    }

    #[test]
    fn a_path_has_its_own_key_and_the_same_each_time() {
        let files = FoundFiles::new();
        let (one, other) = (files.key(b"plan.md"), files.key(b"plan.mD"));
        files.note(one, 5);
        assert_eq!(files.recall(files.key(b"plan.md")), Some(5));
        assert_eq!(files.recall(other), None);
        files.note(other, 7);
        assert_eq!((files.recall(one), files.recall(other)), (Some(5), Some(7)));
    }

    #[test]
    fn each_run_has_keys_of_its_own() {
        let keys = [(); 2].map(|()| FoundFiles::new().key(b"plan.md").rest);
        assert_ne!(keys[0], keys[1]);
    }

    #[test]
    fn keys_fall_into_all_sets() {
        let files = FoundFiles::new();
        let mut sets: Vec<_> = (0..SETS * 16)
            .map(|number| files.key(&number.to_le_bytes()).set)
            .collect();
        sets.sort_unstable();
        sets.dedup();
        assert_eq!(sets.len(), SETS);
    }

    #[test]
    fn a_set_that_is_full_gives_one_place_away() {
        let files = FoundFiles::new();
        for rest in 1..=5 {
            files.note(key(9, rest), rest * 10);
        }
        let known = [1, 2, 3, 4, 5].map(|rest| files.recall(key(9, rest)));
        assert_eq!(known, [Some(10), None, Some(30), Some(40), Some(50)]);
        assert_eq!(files.recall(key(8, 1)), None);
    }

    #[test]
    fn nothing_is_known_of_a_key_that_looks_like_a_free_place() {
        assert_eq!(FoundFiles::new().recall(key(0, 0)), None);
    }

    #[test]
    fn one_files_mark_beside_anothers_size_is_neither() {
        let files = FoundFiles::new();
        files.note(key(0, 77), 5);
        files.sets[0].0[0].bytes.store(9, Ordering::Relaxed);
        assert_eq!(files.recall(key(0, 77)), None);
    }
}

//! A table with a number for each path, for the duration of a run. The number is the size of a file that
//! was found, or the moment at which a file was missing.
//!
//! The table is lock-free. It holds the hashes of paths instead of the paths. Each run has its own
//! random key, so nobody can construct collisions; by chance one occurs in 2^64 comparisons.

use std::array;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use siphasher::sip128::SipHasher13;

/// The number of sets. With [`SLOTS`] in each, 16,384 paths are held in 256 KiB.
const SETS: usize = 4096;

/// The number of sets that can hold a path. With two, a few thousand paths do not displace each other.
const CHOICES: usize = 2;

/// The number of slots in a set: as many as fit into one cache line.
const SLOTS: usize = 4;

/// A number, more than 0, for each path.
#[derive(Debug)]
pub(super) struct PathTable {
    hasher: SipHasher13,
    sets: Box<[SlotSet]>,
}

#[derive(Debug)]
#[repr(align(64))]
struct SlotSet([PathSlot; SLOTS]);

/// One path, or zeros if the slot is free. The two words are not written in one atomic step. A thread
/// that reads the mark of one path with the number of another finds neither path, because the mark
/// includes the number.
#[derive(Debug)]
struct PathSlot {
    /// A part of the path's hash, XOR `number`.
    mark: AtomicU64,
    number: AtomicU64,
}

/// The hash of a path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathHash {
    sets: [usize; CHOICES],
    rest: u64,
}

impl PathTable {
    pub(super) fn new() -> Self {
        let random = || RandomState::new().hash_one(());
        let place = |_| PathSlot {
            mark: AtomicU64::new(0),
            number: AtomicU64::new(0),
        };
        Self {
            hasher: SipHasher13::new_with_keys(random(), random()),
            sets: (0..SETS).map(|_| SlotSet(array::from_fn(place))).collect(),
        }
    }

    pub(super) fn key(&self, path: &[u8]) -> PathHash {
        let (number, rest) = self.hasher.hash(path).as_u64();
        let [a, b, c, d, ..] = number.to_le_bytes();
        let set = |bytes| usize::from(u16::from_le_bytes(bytes)) % SETS;
        PathHash {
            sets: [set([a, b]), set([c, d])],
            rest,
        }
    }

    /// Returns the slots of both sets of a path.
    fn slots(&self, key: PathHash) -> impl Iterator<Item = &PathSlot> {
        let slots = key.sets.into_iter().map(|set| &self.sets[set].0);
        slots.flatten()
    }

    /// Returns the number of a path. None if the path was not noted or was displaced. Every slot is
    /// read: the processor then waits for both sets at once and has no branch to predict.
    pub(super) fn recall(&self, key: PathHash) -> Option<u64> {
        let numbers = self.slots(key).map(|slot| slot.number_of(key.rest));
        numbers.max().filter(|number| *number > 0)
    }

    /// Sets the number of a path, more than 0.
    pub(super) fn note(&self, key: PathHash, number: u64) {
        let free = |set: &SlotSet| set.0.iter().filter(|slot| slot.is_free()).count();
        let [one, other] = key.sets.map(|set| &self.sets[set]);
        let emptier = if free(one) < free(other) { other } else { one };
        let any = usize::from(key.rest.to_le_bytes()[0]) % SLOTS;
        let own = (self.slots(key)).find(|slot| slot.number_of(key.rest) > 0);
        let slot = own.or_else(|| emptier.0.iter().find(|slot| slot.is_free()));
        let slot = slot.unwrap_or(&one.0[any]);
        slot.mark.store(key.rest ^ number, Ordering::Relaxed);
        slot.number.store(number, Ordering::Relaxed);
    }
}

impl PathSlot {
    /// Returns the number if it belongs to the path with this hash, otherwise 0.
    fn number_of(&self, rest: u64) -> u64 {
        let number = self.number.load(Ordering::Relaxed);
        let is_it = self.mark.load(Ordering::Relaxed) ^ number == rest;
        number * u64::from(is_it)
    }

    fn is_free(&self) -> bool {
        self.number.load(Ordering::Relaxed) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(sets: [usize; CHOICES], rest: u64) -> PathHash {
        PathHash { sets, rest }
    }

    #[test]
    fn each_path_has_its_own_stable_key() {
        let files = PathTable::new();
        let (one, other) = (files.key(b"plan.md"), files.key(b"plan.mD"));
        files.note(one, 5);
        assert_eq!(files.recall(files.key(b"plan.md")), Some(5));
        assert_eq!(files.recall(other), None);
        files.note(other, 7);
        assert_eq!((files.recall(one), files.recall(other)), (Some(5), Some(7)));
        files.note(one, 6);
        assert_eq!((files.recall(one), files.recall(other)), (Some(6), Some(7)));
    }

    #[test]
    fn each_run_has_keys_of_its_own() {
        let keys = [(); 2].map(|()| PathTable::new().key(b"plan.md").rest);
        assert_ne!(keys[0], keys[1]);
    }

    #[test]
    fn keys_fall_into_all_sets() {
        let files = PathTable::new();
        for choice in 0..CHOICES {
            let mut sets: Vec<_> = (0..SETS * 16)
                .map(|number| files.key(&number.to_le_bytes()).sets[choice])
                .collect();
            sets.sort_unstable();
            sets.dedup();
            assert_eq!(sets.len(), SETS);
        }
    }

    #[test]
    fn thousands_of_paths_do_not_displace_each_other() {
        let files = PathTable {
            hasher: SipHasher13::new_with_keys(3, 5),
            ..PathTable::new()
        };
        let paths = || (1_u64..=6000).map(|number| (files.key(&number.to_le_bytes()), number));
        for (key, number) in paths() {
            files.note(key, number);
        }
        assert!(paths().all(|(key, number)| files.recall(key) == Some(number)));
    }

    #[test]
    fn the_emptier_set_is_filled_first() {
        let files = PathTable::new();
        for rest in 1..=8 {
            files.note(key([9, 3], rest), rest * 10);
        }
        assert!((1..=8).all(|rest| files.recall(key([9, 3], rest)) == Some(rest * 10)));
        assert_eq!(files.recall(key([9, 9], 2)), None);
        assert_eq!(files.recall(key([3, 3], 2)), Some(20));
    }

    #[test]
    fn full_sets_replace_one_slot() {
        let files = PathTable::new();
        for rest in 1..=5 {
            files.note(key([9, 9], rest), rest * 10);
        }
        let known = [1, 2, 3, 4, 5].map(|rest| files.recall(key([9, 9], rest)));
        assert_eq!(known, [Some(10), None, Some(30), Some(40), Some(50)]);
        assert_eq!(files.recall(key([8, 8], 1)), None);
    }

    #[test]
    fn a_key_of_zeros_is_not_found_in_free_slots() {
        assert_eq!(PathTable::new().recall(key([0, 0], 0)), None);
    }

    #[test]
    fn a_path_is_not_found_with_the_number_of_another() {
        let files = PathTable::new();
        files.note(key([0, 0], 77), 5);
        files.sets[0].0[0].number.store(9, Ordering::Relaxed);
        assert_eq!(files.recall(key([0, 0], 77)), None);
    }
}

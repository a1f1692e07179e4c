//! Maps and sets of ids. They keep only hashes, because ids may be long and there may be many.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, BuildHasherDefault, Hasher, RandomState};

/// Hashes ids with a random key, so that no one can choose ids with the same hash.
#[derive(Debug, Default)]
pub(in crate::clients) struct IdHashes(RandomState);

impl IdHashes {
    pub(in crate::clients) fn of(&self, id: &str) -> u64 {
        let mut hasher = self.0.build_hasher();
        hasher.write(id.as_bytes());
        hasher.finish()
    }
}

/// A map from hashes of ids. The hashes are not hashed again.
pub(in crate::clients) type IdMap<V> = HashMap<u64, V, BuildHasherDefault<HashedId>>;
/// A set of hashes of ids. The hashes are not hashed again.
pub(in crate::clients) type IdSet = HashSet<u64, BuildHasherDefault<HashedId>>;

/// A hasher that returns the hash it is given.
#[derive(Debug, Default)]
pub(in crate::clients) struct HashedId(u64);

impl Hasher for HashedId {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

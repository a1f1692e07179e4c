//! A cache of commits and folders: the files of one return share most of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::id::ObjectId;
use super::{StoredKind, StoredObject};

/// Most bytes of all objects that are kept.
const BYTES_AT_MOST: usize = 4 << 20;
/// Bytes that each object takes besides its content.
const ENTRY: usize = 128;

#[derive(Debug, Default)]
pub(super) struct RecentObjects(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    objects: HashMap<ObjectId, Arc<StoredObject>>,
    bytes: usize,
}

impl RecentObjects {
    pub(super) fn clear(&self) {
        *self.kept() = Kept::default();
    }

    pub(super) fn get(&self, id: ObjectId) -> Option<Arc<StoredObject>> {
        self.kept().objects.get(&id).cloned()
    }

    /// Keeps an object if it may be read again, as long as there is room.
    pub(super) fn add(&self, id: ObjectId, object: &Arc<StoredObject>) {
        let size = object.bytes.len() + ENTRY;
        let mut kept = self.kept();
        let is_shared = matches!(object.kind, StoredKind::Commit | StoredKind::Tree);
        if is_shared && kept.bytes + size <= BYTES_AT_MOST {
            kept.bytes += size;
            kept.objects.insert(id, Arc::clone(object));
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

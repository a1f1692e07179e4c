//! The state of decoding one document.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;

use serde::de::Error;

use crate::json::ITEMS_AT_MOST;

/// The state that all deserializers of one document share.
#[derive(Debug, Default)]
pub(crate) struct DecodeState {
    duplicate: Cell<bool>,
    wrong: Cell<bool>,
    /// How many items and keys were counted so far.
    items: Cell<usize>,
    keep_unknown: bool,
}

impl DecodeState {
    /// `keep_unknown`: whether a rule needs unknown members.
    pub(crate) fn new(keep_unknown: bool) -> Self {
        Self {
            keep_unknown,
            ..Self::default()
        }
    }

    pub(crate) fn keeps_unknown(&self) -> bool {
        self.keep_unknown
    }

    pub(crate) fn saw_duplicate(&self) {
        self.duplicate.set(true);
    }

    pub(crate) fn note<'t, E: Error>(
        &self,
        keys: &mut HashSet<Cow<'t, str>>,
        key: Cow<'t, str>,
    ) -> Result<(), E> {
        if !keys.insert(key) {
            self.saw_duplicate();
        }
        self.count()
    }

    /// Counts an item or a key. Exceeding the limit is the only error that does not come from the
    /// parser.
    pub(crate) fn count<E: Error>(&self) -> Result<(), E> {
        let items = self.items.get() + 1;
        self.items.set(items);
        if items > ITEMS_AT_MOST {
            return Err(too_many());
        }
        Ok(())
    }

    pub(crate) fn saw_wrong(&self) {
        self.wrong.set(true);
    }

    pub(crate) fn has_wrong(&self) -> bool {
        self.wrong.get()
    }

    pub(crate) fn has_duplicate(&self) -> bool {
        self.duplicate.get()
    }
}

#[cold]
fn too_many<E: Error>() -> E {
    E::custom("too many items and keys")
}

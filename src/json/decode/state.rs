//! What readers notice on the way.

use std::borrow::Cow;
use std::cell::Cell;

use serde::de::Error;

use crate::text::string_set::Seen;

/// Items of lists that a standard names, and keys that none names, which one return may have: each
/// takes up to some hundred bytes while the return is checked, were it written in two. No return
/// lists a thousandth of them.
pub const ITEMS_AT_MOST: usize = 100_000;

/// What readers notice on the way, shared by all of one document's.
#[derive(Debug, Default)]
pub(crate) struct DecodeState {
    duplicate: Cell<bool>,
    wrong: Cell<bool>,
    /// Items and keys that are remembered so far.
    items: Cell<usize>,
    keep_unknown: bool,
}

impl DecodeState {
    /// `keep_unknown`: whether a rule will ask for members that no record names.
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
        keys: &mut Seen<'t>,
        key: Cow<'t, str>,
    ) -> Result<(), E> {
        if keys.stands_already(key) {
            self.saw_duplicate();
        }
        self.count()
    }

    /// Counts an item or a key that is remembered. The only error that is of a reader's own making.
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

    /// Whether some field was of another type than its record asks.
    pub(crate) fn has_wrong(&self) -> bool {
        self.wrong.get()
    }

    /// Whether some key stood twice in one object, at any depth.
    pub(crate) fn has_duplicate(&self) -> bool {
        self.duplicate.get()
    }
}

#[cold]
fn too_many<E: Error>() -> E {
    E::custom("too many items and keys")
}

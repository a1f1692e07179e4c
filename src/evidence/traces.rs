//! What calls did to one file.

use crate::transcript::{Call, Outcome, WriteEffect};

/// Where a call is: its run and its place there, both from 0.
pub(super) type CallAt = (usize, usize);

/// What calls did to one file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FileTraces {
    /// The first call that wrote it.
    pub(super) wrote: Option<KnownWrite>,
    /// The last call that was to write it, and did not.
    pub(super) failed: Option<CallAt>,
    /// The first call that may have written it.
    pub(super) open: Option<CallAt>,
}

/// A call that wrote a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownWrite {
    pub(super) at: CallAt,
    /// What in a command did it; none for a file tool.
    pub(super) by: Option<&'static str>,
    pub(super) in_work_tree: bool,
}

impl FileTraces {
    /// Adds what a call of a file tool did.
    pub(super) fn add(&mut self, at: CallAt, call: &Call, in_work_tree: bool) {
        match (call.outcome, call.effect) {
            (Outcome::Succeeded, WriteEffect::Change) => self.add_write(KnownWrite {
                at,
                by: None,
                in_work_tree,
            }),
            (Outcome::Succeeded | Outcome::Unknown, WriteEffect::Change | WriteEffect::Rewrite) => {
                self.open = first(self.open, Some(at));
            }
            _ => self.failed = self.failed.max(Some(at)),
        }
    }

    pub(super) fn add_write(&mut self, write: KnownWrite) {
        // Of one call, what the client says counts more than its command line.
        let order = |write: &KnownWrite| (write.at, write.by.is_some());
        if self.wrote.is_none_or(|known| order(&write) < order(&known)) {
            self.wrote = Some(write);
        }
    }

    /// Adds what calls did to the same file under another name.
    pub(super) fn merge(&mut self, other: Self) {
        if let Some(write) = other.wrote {
            self.add_write(write);
        }
        self.failed = self.failed.max(other.failed);
        self.open = first(self.open, other.open);
    }
}

/// The earlier one of two calls.
pub(super) fn first(one: Option<CallAt>, other: Option<CallAt>) -> Option<CallAt> {
    one.into_iter().chain(other).min()
}

//! What calls did to one file.

use std::time::SystemTime;

use crate::clients::run::{Call, CallKind, Outcome, WriteEffect};

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

    fn order(&self) -> (CallAt, usize) {
        (self.at, self.change)
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FileTraces {
    /// The first call that wrote it.
    pub(super) wrote: Option<KnownWrite>,
    /// The last call that wrote it.
    pub(super) wrote_last: Option<KnownWrite>,
    /// The last call that tried to write it and did not.
    pub(super) failed: Option<CallAt>,
    /// The first call that may have written it, without certainty.
    pub(super) uncertain: Option<CallAt>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct KnownWrite {
    pub(super) moment: CallMoment,
    /// The program or redirection of a command that wrote it. None for a file tool.
    pub(super) by: Option<&'static str>,
    pub(super) in_work_tree: bool,
}

impl FileTraces {
    pub(super) fn add(&mut self, at: CallAt, call: &Call, in_work_tree: bool) {
        match (call.outcome, call.effect) {
            (Outcome::Succeeded, WriteEffect::Change) => self.add_write(KnownWrite {
                moment: CallMoment::new(at, call, 0),
                by: None,
                in_work_tree,
            }),
            _ if may_write(call) => {
                self.uncertain = first(self.uncertain, Some(at));
            }
            _ => self.failed = self.failed.max(Some(at)),
        }
    }

    pub(super) fn add_write(&mut self, write: KnownWrite) {
        // Within one call, the report of the client (change 0) comes before its command line.
        let is_first = |known: KnownWrite| write.moment.order() < known.moment.order();
        if self.wrote.is_none_or(is_first) {
            self.wrote = Some(write);
        }
        let is_last = |known: KnownWrite| write.moment.may_follow(&known.moment);
        if self.wrote_last.is_none_or(is_last) {
            self.wrote_last = Some(write);
        }
    }

    /// Adds what calls did to the same file under another name.
    pub(super) fn merge(&mut self, other: Self) {
        for write in [other.wrote, other.wrote_last].into_iter().flatten() {
            self.add_write(write);
        }
        self.failed = self.failed.max(other.failed);
        self.uncertain = first(self.uncertain, other.uncertain);
    }
}

/// Whether a call of a file tool may have written a file that it names. One that failed may have written
/// the first of several.
pub(super) fn may_write(call: &Call) -> bool {
    let is_done = match call.outcome {
        Outcome::Succeeded | Outcome::Unknown => true,
        Outcome::Failed => call.paths.len() > 1,
        Outcome::Rejected => false,
    };
    call.kind == CallKind::Write && is_done && call.effect != WriteEffect::Nothing
}

pub(super) fn first(one: Option<CallAt>, other: Option<CallAt>) -> Option<CallAt> {
    one.into_iter().chain(other).min()
}

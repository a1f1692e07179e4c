//! A call as one record describes it.

use super::run::{Call, CallKind, CallShell, WriteEffect};

/// The description of a call in one record.
#[derive(Debug)]
pub(super) struct NewCall<'a> {
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) kind: CallKind,
    pub(super) paths: &'a [&'a str],
    pub(super) effect: WriteEffect,
    pub(super) command: Option<&'a str>,
    pub(super) background: bool,
    pub(super) cwd: Option<&'a str>,
    pub(super) shell: CallShell,
    pub(super) line: u64,
}

impl NewCall<'_> {
    /// Whether the record describes a call that is known already. A different call with the same id
    /// would have another tool, other files or another command.
    pub(super) fn repeats(&self, known: &Call) -> bool {
        let command = known.command.as_deref();
        let has_same_command =
            command.is_none() || self.command.is_none() || command == self.command;
        let has_same_paths =
            known.paths.is_empty() || self.paths.is_empty() || known.paths == self.paths;
        *known.name == *self.name && has_same_command && has_same_paths
    }
}

/// What [`Runs::call`](super::runs::Runs::call) did with a call.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct EnteredCall {
    /// Whether no earlier record had the call.
    pub(super) is_new: bool,
    /// Where the call is kept. None if it is not kept, or has no id by which its result could be found.
    pub(super) place: Option<CallPlace>,
}

/// Where a call is kept while a transcript is read: the index of its run, and its index in that run.
pub(super) type CallPlace = (usize, usize);

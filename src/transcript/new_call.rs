//! A call as a record tells of it.

use super::run::{Call, CallKind, CallShell, WriteEffect};

/// What a record says of a call.
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
    /// Whether a record repeats a call: another call with its id would name other files or another
    /// command.
    pub(super) fn repeats(&self, known: &Call) -> bool {
        let command = known.command.as_deref();
        let has_same_command =
            command.is_none() || self.command.is_none() || command == self.command;
        let has_same_paths =
            known.paths.is_empty() || self.paths.is_empty() || known.paths == self.paths;
        *known.name == *self.name && has_same_command && has_same_paths
    }
}

/// What became of a call that a record told of.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct EnteredCall {
    /// No record told of it before.
    pub(super) is_new: bool,
    /// Where it is, if it is kept and has an id for its result.
    pub(super) place: Option<CallPlace>,
}

/// Where a call is: its run, and its place there.
pub(super) type CallPlace = (usize, usize);

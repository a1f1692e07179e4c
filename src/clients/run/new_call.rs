//! A call as one record describes it.

use super::{Call, CallKind, CallShell, WriteEffect};

#[derive(Debug)]
pub(in crate::clients) struct NewCall<'a> {
    pub(in crate::clients) id: &'a str,
    pub(in crate::clients) name: &'a str,
    pub(in crate::clients) kind: CallKind,
    pub(in crate::clients) paths: &'a [&'a str],
    pub(in crate::clients) effect: WriteEffect,
    pub(in crate::clients) command: Option<&'a str>,
    pub(in crate::clients) background: bool,
    pub(in crate::clients) cwd: Option<&'a str>,
    pub(in crate::clients) shell: CallShell,
    pub(in crate::clients) line: u64,
}

impl NewCall<'_> {
    /// Whether the record describes a call that is known already. A different call with the same id
    /// would have another tool, other files or another command. `has_own_paths`: the paths of the known
    /// call are those of its arguments.
    pub(in crate::clients) fn repeats(&self, known: &Call, has_own_paths: bool) -> bool {
        let command = known.command.as_deref();
        let has_same_command =
            command.is_none() || self.command.is_none() || command == self.command;
        let has_same_paths = !has_own_paths
            || known.paths.is_empty()
            || self.paths.is_empty()
            || known.paths == self.paths;
        *known.name == *self.name && has_same_command && has_same_paths
    }
}

/// What [`Runs::call`](super::runs::Runs::call) did with a call.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::clients) struct EnteredCall {
    /// Whether no earlier record had the call.
    pub(in crate::clients) is_new: bool,
    /// Where the call is kept. None if it is not kept.
    pub(in crate::clients) place: Option<CallPlace>,
}

/// Where a call is kept while a transcript is read: the index of its run, and its index in that run.
pub(in crate::clients) type CallPlace = (usize, usize);

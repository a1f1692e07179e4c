//! The calls of a run as evidence reads them: each with its working directory, what its command does, and the
//! files that it names to write.

use crate::clients::run::{Call, CallKind, CallShell, Outcome, Run};
use crate::evidence::shell::{self, FileChange, NamedChange, Script, ShellEnd, WriteCertainty};

/// A call, read once for all questions about it.
#[derive(Debug)]
pub(super) struct ReadCall<'e> {
    pub(super) call: &'e Call,
    pub(super) folder: CallFolder<'e>,
    /// What its command does. None if it has none, or one that was too long to keep.
    pub(super) script: Option<Script>,
}

/// The working directory of a call, which its relative paths are relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallFolder<'e> {
    /// Empty if the client does not record it. Then the root is taken.
    Known(&'e str),
    /// An earlier command may have changed the directory.
    Unknown,
    /// An earlier command may have changed what commands do, for example by an alias.
    Distrusted,
}

/// Reads the calls of a run. Some clients keep a shell, and do not record its directory: there it is known until
/// a command may have changed it. `test_runners` are those of the project.
pub(super) fn read_calls<'e>(run: &'e Run, test_runners: &[String]) -> Vec<ReadCall<'e>> {
    let mut end = ShellEnd::Same;
    let calls = run.calls.iter().map(|call| {
        let is_own = call.shell == CallShell::Own;
        let folder = match end {
            ShellEnd::Elsewhere if !is_own => CallFolder::Unknown,
            ShellEnd::Changed if !is_own => CallFolder::Distrusted,
            _ => CallFolder::Known(call.cwd.as_deref().unwrap_or_default()),
        };
        let command = call.command.as_deref();
        let script = command.map(|it| shell::scan(it, test_runners));
        if !is_own && call.kind == CallKind::Command && call.outcome != Outcome::Rejected {
            end = end.max(script.as_ref().map_or(ShellEnd::Changed, |it| it.end));
        }
        ReadCall { call, folder, script }
    });
    calls.collect()
}

/// A file that a call names to write.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedWrite<'c> {
    pub(super) path: &'c str,
    /// The number of the change in the command of the call, from 1. 0 for a file tool.
    pub(super) change: usize,
    /// Whether a redirection of a command writes it, and no file tool.
    pub(super) is_by_command: bool,
    /// Whether the call wrote it. None if it may have.
    pub(super) is_done: Option<bool>,
}

impl ReadCall<'_> {
    pub(super) fn writes(&self) -> impl Iterator<Item = NamedWrite<'_>> {
        let call = self.call;
        let tool_is_done = match may_write(call) {
            _ if has_changed(call) => Some(true),
            true => None,
            false => Some(false),
        };
        let by_tool = call.paths.iter().map(move |path| NamedWrite {
            path,
            change: 0,
            is_by_command: false,
            is_done: tool_is_done,
        });
        let is_trusted = self.folder != CallFolder::Distrusted && has_succeeded(call);
        let by_command = self.changes().filter_map(move |(change, named)| {
            let FileChange::Written(certainty) = named.change else {
                return None;
            };
            let is_certain = match certainty {
                WriteCertainty::Certain => true,
                WriteCertainty::IfSilent => call.is_silent,
                WriteCertainty::Open => false,
            };
            Some(NamedWrite {
                path: &named.path,
                change,
                is_by_command: true,
                is_done: (is_certain && is_trusted).then_some(true),
            })
        });
        by_tool.chain(by_command)
    }

    /// The changes of its command, numbered from 1. One that failed may still have removed a file.
    pub(super) fn changes(&self) -> impl Iterator<Item = (usize, &NamedChange)> {
        let is_run = self.call.outcome != Outcome::Rejected;
        let script = self.script.iter().filter(move |_| is_run);
        (1..).zip(script.flat_map(|it| &it.changes))
    }
}

/// Whether a call certainly changed files that it names, be it a command of which the client reports that.
pub(super) fn has_changed(call: &Call) -> bool {
    let is_done = call.outcome == Outcome::Succeeded && !call.is_rewrite;
    is_done && !call.paths.is_empty()
}

/// Whether a call may have written a file that it names. One that failed may have written the first of several.
pub(super) fn may_write(call: &Call) -> bool {
    let is_done = match call.outcome {
        Outcome::Succeeded | Outcome::Unknown => true,
        Outcome::Failed => call.paths.len() > 1,
        Outcome::Rejected => false,
    };
    call.kind == CallKind::Write && is_done
}

pub(super) fn has_succeeded(call: &Call) -> bool {
    let is_zero = call.exit_code.is_none_or(|code| code == 0);
    call.outcome == Outcome::Succeeded && !call.background && is_zero
}

//! The working directories of calls, for clients that keep a shell and do not record its directory.

use std::collections::HashMap;

use crate::clients::run::{Call, CallKind, CallShell, Outcome, Run};
use crate::evidence::shell::{self, ShellEnd};

/// The working directory of a call, which its relative paths are relative to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CallFolder<'e> {
    /// None if the client does not record it. Then the root is taken.
    Known(Option<std::borrow::Cow<'e, str>>),
    /// An earlier command may have changed the directory.
    Unknown,
    /// An earlier command may have changed what commands do, for example by an alias.
    Distrusted,
}

impl<'e> CallFolder<'e> {
    fn recorded(call: &'e Call) -> Self {
        Self::Known(call.cwd.as_deref().map(Into::into))
    }

    fn after(self, end: ShellEnd) -> Self {
        match (self, end) {
            (Self::Distrusted, _) | (_, ShellEnd::Changed) => Self::Distrusted,
            (folder, ShellEnd::Folder(path)) if path.is_empty() => folder,
            (_, ShellEnd::Folder(path)) if path.starts_with('/') => Self::Known(Some(path.into())),
            (Self::Known(Some(folder)), ShellEnd::Folder(path)) => {
                let folder = format!("{}/{path}", folder.trim_end_matches('/'));
                Self::bounded(folder)
            }
            (Self::Known(None), ShellEnd::Folder(path)) => Self::bounded(path),
            (Self::Unknown, _) | (_, ShellEnd::Elsewhere) => Self::Unknown,
        }
    }

    /// Unknown if the path is too long. Otherwise commands that keep entering folders would make ever
    /// longer paths.
    fn bounded(folder: String) -> Self {
        const BYTES_AT_MOST: usize = 4 << 10;
        if folder.len() > BYTES_AT_MOST {
            return Self::Unknown;
        }
        Self::Known(Some(folder.into()))
    }
}

/// The directories of calls that differ from their records, by the index of the call.
#[derive(Debug, Default)]
pub(super) struct CallFolders<'e>(HashMap<usize, CallFolder<'e>>);

impl<'e> CallFolders<'e> {
    pub(super) fn of(run: &'e Run) -> Self {
        let mut folders = HashMap::new();
        if run.calls.iter().all(|call| call.shell == CallShell::Own) {
            return Self(folders);
        }
        let mut shells = Shells::default();
        for (at, call) in run.calls.iter().enumerate() {
            let folder = shells.folder(call);
            if call.kind == CallKind::Command && call.outcome != Outcome::Rejected {
                shells.enter(call, next_folder(call, folder.clone()));
            }
            if folder != CallFolder::recorded(call) {
                folders.insert(at, folder);
            }
        }
        Self(folders)
    }

    pub(super) fn get(&self, at: usize, call: &'e Call) -> CallFolder<'e> {
        let known = self.0.get(&at).cloned();
        known.unwrap_or_else(|| CallFolder::recorded(call))
    }
}

/// The shells of a run, at one point in the sequence of its calls.
#[derive(Default)]
struct Shells<'e> {
    /// Shells with a number, and their directories.
    kept: HashMap<u64, CallFolder<'e>>,
    /// The directory of all other shells. None if no command has changed it.
    shared: Option<CallFolder<'e>>,
}

impl<'e> Shells<'e> {
    fn folder(&self, call: &'e Call) -> CallFolder<'e> {
        let recorded = || CallFolder::recorded(call);
        let shared = || self.shared.clone().unwrap_or_else(recorded);
        match call.shell {
            CallShell::Own => recorded(),
            CallShell::Shared => shared(),
            CallShell::Kept(number) => self.kept.get(&number).cloned().unwrap_or_else(shared),
        }
    }

    /// Sets the directory in which a command leaves its shell.
    fn enter(&mut self, call: &'e Call, folder: CallFolder<'e>) {
        let is_moved = folder != CallFolder::recorded(call);
        if let CallShell::Kept(number) = call.shell {
            self.kept.insert(number, folder.clone());
        }
        // It is not known whether a later command without a number runs in the same shell.
        if is_moved && self.shared != Some(CallFolder::Distrusted) {
            let is_distrusted = folder == CallFolder::Distrusted;
            self.shared = Some(if is_distrusted {
                folder
            } else {
                CallFolder::Unknown
            });
        }
    }
}

fn next_folder<'e>(call: &'e Call, folder: CallFolder<'e>) -> CallFolder<'e> {
    let command = call.command.as_deref();
    let end = command.map_or(ShellEnd::Changed, |command| shell::scan(command).end);
    if has_succeeded(call) || end == ShellEnd::Changed {
        return folder.after(end);
    }
    // The command may have failed before it changed the directory, or ended the shell. A new shell
    // starts in the directory of the session.
    let stays = end == ShellEnd::default() && folder == CallFolder::recorded(call);
    folder.after(if stays { end } else { ShellEnd::Elsewhere })
}

pub(super) fn has_succeeded(call: &Call) -> bool {
    let is_zero = call.exit_code.is_none_or(|code| code == 0);
    call.outcome == Outcome::Succeeded && !call.background && is_zero
}

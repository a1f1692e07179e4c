//! Where the calls of a run began, in clients that keep a shell and do not record where it is.

use std::collections::HashMap;

use crate::shell::{self, ShellEnd};
use crate::transcript::{Call, CallKind, CallShell, Outcome, Run};

/// The folder in which a call was made, as the paths of its arguments see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CallFolder<'e> {
    /// None for one that the client does not record: then it is the root.
    Known(Option<std::borrow::Cow<'e, str>>),
    /// An earlier command may have gone elsewhere.
    Unknown,
    /// An earlier command may have changed what commands do.
    Distrusted,
}

impl<'e> CallFolder<'e> {
    /// The folder that the record of a call has.
    fn recorded(call: &'e Call) -> Self {
        Self::Known(call.cwd.as_deref().map(Into::into))
    }

    /// Where a shell is after a command that began here.
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

    /// Commands that go down for ever would make each folder longer than the one before it.
    fn bounded(folder: String) -> Self {
        const BYTES_AT_MOST: usize = 4 << 10;
        if folder.len() > BYTES_AT_MOST {
            return Self::Unknown;
        }
        Self::Known(Some(folder.into()))
    }
}

/// The folders of those calls of a run that are not where their records say.
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

    /// The folder of the call at this place.
    pub(super) fn get(&self, at: usize, call: &'e Call) -> CallFolder<'e> {
        let known = self.0.get(&at).cloned();
        known.unwrap_or_else(|| CallFolder::recorded(call))
    }
}

/// The shells of a run, while its calls are gone through.
#[derive(Default)]
struct Shells<'e> {
    /// Those with a number.
    kept: HashMap<u64, CallFolder<'e>>,
    /// What is known of any other shell, if a command has changed something.
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

    /// A command leaves its shell in a folder.
    fn enter(&mut self, call: &'e Call, folder: CallFolder<'e>) {
        let is_moved = folder != CallFolder::recorded(call);
        if let CallShell::Kept(number) = call.shell {
            self.kept.insert(number, folder.clone());
        }
        // Nobody knows whether the next command runs in the same shell.
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

/// Where a shell is after a command that began in this folder.
fn next_folder<'e>(call: &'e Call, folder: CallFolder<'e>) -> CallFolder<'e> {
    let command = call.command.as_deref();
    let end = command.map_or(ShellEnd::Changed, |command| shell::scan(command).end);
    if has_succeeded(call) || end == ShellEnd::Changed {
        return folder.after(end);
    }
    // A failure may have ended the shell: the next one begins where the session did.
    let stays = end == ShellEnd::default() && folder == CallFolder::recorded(call);
    folder.after(if stays { end } else { ShellEnd::Elsewhere })
}

/// Whether a command has ended, and with success.
pub(super) fn has_succeeded(call: &Call) -> bool {
    let is_zero = call.exit_code.is_none_or(|code| code == 0);
    call.outcome == Outcome::Succeeded && !call.background && is_zero
}

//! The changes of files, and how certain they are.

use super::super::state::Certainty;
use super::super::syntax::ShellWord;
use super::super::trust::ShellTrust;
use super::super::undone;
use super::super::{CHANGES_AT_MOST, FileChange, Mask, NamedChange};
use super::ScriptWalker;

impl ScriptWalker<'_> {
    /// How certain it is that a command with this mask ran, and that the shell did what it was to do.
    pub(super) fn certainty(&self, mask: Option<Mask>) -> Certainty {
        match mask {
            None => Certainty::Certain,
            Some(Mask::Followed) if !self.place.may_be_skipped && !self.state.is_muted => {
                Certainty::IfSilent
            }
            Some(_) => Certainty::Open,
        }
    }

    /// Doubts the changes from an index on if one of them undoes others. The commands of a pipeline run at the same
    /// time.
    pub(super) fn doubt_if_undone(&mut self, start: usize) {
        let Some(changes) = self.script.changes.get_mut(start..) else {
            return;
        };
        if changes.iter().any(|it| it.change.undoes()) {
            for change in changes {
                change.is_certain = false;
                change.is_certain_if_silent = false;
            }
        }
    }

    pub(super) fn output(&mut self, word: &ShellWord, certainty: Certainty) {
        match word.literal() {
            Some("/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty") => {}
            Some(path) if path.starts_with("/dev/fd/") => {}
            Some(path) => {
                self.fallible += 1;
                let certainty = certainty.only_if(self.state.trust > ShellTrust::Nothing);
                self.change(FileChange::Written, path, "a redirection", certainty);
            }
            None => self.unknown(),
        }
    }

    pub(super) fn change(
        &mut self,
        change: FileChange,
        path: &str,
        by: &'static str,
        certainty: Certainty,
    ) {
        let is_known = change != FileChange::SomeUndone || path != undone::ANY;
        let resolved = is_known.then(|| self.state.folder.resolve(path)).flatten();
        let resolved = resolved.map(|(path, is_there)| NamedChange {
            path,
            change,
            by,
            is_certain: certainty.min(is_there) == Certainty::Certain,
            is_certain_if_silent: certainty.min(is_there) >= Certainty::IfSilent,
            top: None,
        });
        self.script.may_write |= resolved.is_none();
        let changes = &mut self.script.changes;
        let is_full = changes.len() == CHANGES_AT_MOST;
        self.script.may_write |= is_full;
        match resolved {
            Some(change) if !is_full => changes.push(change),
            _ if !change.undoes() => {}
            _ => {
                changes.truncate(CHANGES_AT_MOST - 1);
                changes.push(undone::anywhere());
            }
        }
    }
}

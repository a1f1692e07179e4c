//! Commands of the shell that change the shell itself.

use super::super::Mask;
use super::super::programs;
use super::super::syntax::ShellWord;
use super::super::trust::ShellTrust;
use super::ScriptWalker;

impl ScriptWalker<'_> {
    /// Applies a command that changes the shell. Returns whether it is one.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        arguments: &[ShellWord],
        mask: Option<Mask>,
    ) -> bool {
        match name {
            "cd" | "pushd" | "popd" => {
                let path = match arguments {
                    [path] if name != "popd" => path.literal(),
                    _ => None,
                };
                let is_absolute = path.is_some_and(|path| path.starts_with('/'));
                self.fallible += usize::from(!is_absolute);
                // `CDPATH` changes only where relative paths lead.
                let is_trusted = is_absolute || self.state.trust == ShellTrust::Programs;
                let certainty = self.certainty(mask).only_if(is_trusted);
                self.state.folder.enter(path, certainty);
            }
            "set" => {
                let words: Option<Vec<&str>> = arguments.iter().map(ShellWord::literal).collect();
                let set = words.and_then(|words| self.state.set(&words));
                if set.is_none() {
                    (self.state.errexit, self.state.pipefail) = (false, false);
                    // With some options no command runs any more.
                    self.limit_trust(ShellTrust::Nothing);
                    self.has_ended = true;
                }
            }
            "exit" | "return" | "break" | "continue" => {
                self.fallible += 1;
                self.has_ended |= !programs::is_failing(name, arguments);
            }
            "trap" => {
                // At the end it may set another status.
                let action = arguments.first().and_then(ShellWord::literal);
                let ends = |action: &str| action.contains("exit") || action.contains("exec");
                self.has_ended |= action.is_none_or(ends);
                return false;
            }
            _ => return false,
        }
        true
    }
}

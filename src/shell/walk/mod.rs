//! Walks the structure of a command line to find what it does.

mod builtins;
mod simple;

use super::distrust::{self, Distrust};
use super::masks::{fails_loudly, is_failure, masks_of};
use super::state::{Folder, ShellState};
use super::syntax::{Chain, CommandKind, Link, Sequence, ShellCommand};
use super::word::{RedirectedTo, ShellWord, Unclear};
use super::{CHANGES_AT_MOST, FileChange, Mask, NamedChange, Script, ShellEnd};
use super::{lexer, parser};
use super::{printed, programs};

/// How deeply command lines may be nested in each other.
const DEPTH_AT_MOST: usize = 8;

pub(super) fn walk(command: &str, test_runners: &[String]) -> Result<Script, Unclear> {
    let mut walker = ScriptWalker {
        test_runners,
        script: Script::default(),
        state: ShellState::default(),
        has_ended: false,
        is_exempt: false,
        is_fed: false,
        fallible: 0,
        depth: 0,
    };
    walker.text(command, None)?;
    let end = walker.end();
    let mut script = walker.script;
    script.end = end;
    for test in &mut script.tests {
        test.failure_shows = test.mask.is_none() && walker.fallible == 1;
    }
    Ok(script)
}

struct ScriptWalker<'r> {
    test_runners: &'r [String],
    script: Script,
    state: ShellState,
    /// Whether the shell may have ended, so that what follows may not run.
    has_ended: bool,
    /// Whether a command that fails does not end the shell, even with `set -e`.
    is_exempt: bool,
    /// Whether the next command certainly reads something from a pipe.
    is_fed: bool,
    /// How many commands may fail.
    fallible: usize,
    depth: usize,
}

impl ScriptWalker<'_> {
    /// Where the shell is after the whole command line.
    fn end(&self) -> ShellEnd {
        match &self.state.folder {
            _ if self.state.distrust > Distrust::Nothing => ShellEnd::Changed,
            Folder::Known { path, is_certain } if !self.has_ended && *is_certain => {
                ShellEnd::Folder(path.clone())
            }
            _ => ShellEnd::Elsewhere,
        }
    }

    /// Walks a command line, and those in its substitutions.
    fn text(&mut self, text: &str, mask: Option<Mask>) -> Result<(), Unclear> {
        if self.depth >= DEPTH_AT_MOST {
            return Err(Unclear);
        }
        self.depth += 1;
        let before = self.state.clone();
        let lexed = lexer::lex(text)?;
        self.script.may_write |= lexed.is_opaque;
        if lexed.may_set {
            self.distrust(Distrust::Programs);
        }
        let sequence = parser::parse(lexed.lexemes)?;
        self.sequence(&sequence, mask)?;
        let after = std::mem::replace(&mut self.state, before);
        if after.folder != self.state.folder {
            self.state.folder = Folder::Unknown;
        }
        for substitution in &lexed.substitutions {
            self.apart(|walker| walker.text(substitution, Some(Mask::Conditional)))?;
        }
        self.state = after;
        self.depth -= 1;
        Ok(())
    }

    /// Walks a part that runs in a subshell: the state of this shell stays.
    fn apart(&mut self, act: impl FnOnce(&mut Self) -> Result<(), Unclear>) -> Result<(), Unclear> {
        let (state, has_ended) = (self.state.clone(), self.has_ended);
        act(self)?;
        (self.state, self.has_ended) = (state, has_ended);
        Ok(())
    }

    fn sequence(&mut self, sequence: &Sequence, mask: Option<Mask>) -> Result<(), Unclear> {
        for (index, chain) in sequence.0.iter().enumerate() {
            let is_last = index + 1 == sequence.0.len();
            let mask = match mask {
                None if !is_last && !self.ends_on_failure(chain) => Some(Mask::Followed),
                mask => mask,
            };
            if chain.is_background {
                self.apart(|walker| walker.chain(chain, Some(Mask::Background)))?;
            } else {
                self.chain(chain, mask)?;
            }
        }
        Ok(())
    }

    /// Whether the shell ends, and fails, if the chain fails.
    fn ends_on_failure(&self, chain: &Chain) -> bool {
        match &chain.links[..] {
            [link] => self.state.errexit && !self.is_exempt && fails_loudly(link),
            [.., last] => last.is_alternative && is_failure(last, &["exit"]),
            [] => false,
        }
    }

    fn chain(&mut self, chain: &Chain, mask: Option<Mask>) -> Result<(), Unclear> {
        let masks = masks_of(chain, mask);
        let is_exempt = self.is_exempt;
        for (index, (link, mask)) in chain.links.iter().zip(masks).enumerate() {
            let is_last = index + 1 == chain.links.len();
            let before = self.state.clone();
            // A failure on the left of `&&` and `||` does not end the shell.
            self.is_exempt = is_exempt || !is_last;
            self.link(link, mask)?;
            if index > 0 && mask.is_some() {
                self.unless_skipped(&before);
            }
        }
        self.is_exempt = is_exempt;
        Ok(())
    }

    /// Keeps what is known about the shell whether or not the last commands ran. `before` is its state
    /// before them.
    fn unless_skipped(&mut self, before: &ShellState) {
        if self.state.folder != before.folder {
            self.state.folder = Folder::Unknown;
        }
        self.state.errexit &= before.errexit;
        self.state.pipefail &= before.pipefail;
    }

    fn link(&mut self, link: &Link, mask: Option<Mask>) -> Result<(), Unclear> {
        let mask = if link.is_negated {
            mask.or(Some(Mask::Negated))
        } else {
            mask
        };
        let is_exempt = self.is_exempt;
        self.is_exempt |= link.is_negated;
        if let [command] = &link.commands[..] {
            self.command(command, mask)?;
        } else {
            let last = link.commands.len() - 1;
            for (index, command) in link.commands.iter().enumerate() {
                let is_shown = index == last || self.state.pipefail;
                let mask = if is_shown {
                    mask
                } else {
                    mask.or(Some(Mask::Pipe))
                };
                self.is_fed = index > 0
                    && self.state.distrust == Distrust::Nothing
                    && printed::prints(&link.commands[index - 1]);
                self.piped(command, mask, index == last)?;
            }
        }
        self.is_exempt = is_exempt;
        Ok(())
    }

    /// Walks a command of a pipeline. Some shells run the last one in a subshell, others in the shell
    /// itself.
    fn piped(
        &mut self,
        command: &ShellCommand,
        mask: Option<Mask>,
        is_last: bool,
    ) -> Result<(), Unclear> {
        if !is_last {
            return self.apart(|walker| walker.command(command, mask));
        }
        let (before, had_ended) = (self.state.clone(), self.has_ended);
        self.command(command, mask)?;
        if self.has_ended && !had_ended {
            self.distrust(Distrust::Everything);
        }
        self.has_ended = had_ended;
        self.unless_skipped(&before);
        Ok(())
    }

    fn command(&mut self, command: &ShellCommand, mask: Option<Mask>) -> Result<(), Unclear> {
        let mask = if self.has_ended {
            Some(Mask::Conditional)
        } else {
            mask
        };
        let is_fed = std::mem::take(&mut self.is_fed);
        for redirection in &command.redirections {
            match &redirection.stream {
                RedirectedTo::Output(word) => self.output(word, mask.is_none()),
                RedirectedTo::Append(word) => {
                    let is_filled = self.state.distrust == Distrust::Nothing
                        && printed::fills(command, redirection, is_fed);
                    self.output(word, mask.is_none() && is_filled);
                }
                RedirectedTo::Harmless | RedirectedTo::Text { .. } => {}
            }
        }
        match &command.kind {
            CommandKind::Simple { variables, words } => {
                let are_known = variables
                    .iter()
                    .all(|name| programs::is_harmless_variable(name));
                self.script.may_write |= !are_known;
                for name in variables {
                    self.distrust(distrust::after_setting(name));
                }
                let is_fed = printed::is_fed(&command.redirections, is_fed);
                self.simple(words, &command.redirections, is_fed, mask)
            }
            CommandKind::Group(body) => self.sequence(body, mask),
            CommandKind::Subshell(body) => self.apart(|walker| walker.sequence(body, mask)),
            CommandKind::Branches(branches) => {
                for branch in branches {
                    self.conditional(|walker| walker.sequence(branch, Some(Mask::Conditional)))?;
                }
                self.fallible += 1;
                Ok(())
            }
            CommandKind::Function(body) => {
                // The function may have the name of a known program.
                self.script.may_write = true;
                self.distrust(Distrust::Everything);
                self.conditional(|walker| walker.command(body, Some(Mask::Conditional)))
            }
            CommandKind::Test => {
                self.fallible += 1;
                Ok(())
            }
            CommandKind::Arithmetic => {
                self.script.may_write = true;
                self.distrust(Distrust::Programs);
                self.fallible += 1;
                Ok(())
            }
        }
    }

    /// Walks a part that may not run.
    fn conditional(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<(), Unclear>,
    ) -> Result<(), Unclear> {
        let before = self.state.clone();
        act(self)?;
        self.unless_skipped(&before);
        Ok(())
    }

    fn output(&mut self, word: &ShellWord, is_certain: bool) {
        match word.literal() {
            Some("/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty") => {}
            Some(path) if path.starts_with("/dev/fd/") => {}
            Some(path) => {
                self.fallible += 1;
                let is_certain = is_certain && self.state.distrust < Distrust::Everything;
                self.change(FileChange::Written, path, "a redirection", is_certain);
            }
            None => self.unknown(),
        }
    }

    fn change(&mut self, change: FileChange, path: &str, by: &'static str, is_certain: bool) {
        match self.state.folder.resolve(path) {
            Some((path, is_there)) if self.script.changes.len() < CHANGES_AT_MOST => {
                let is_certain = is_certain && is_there;
                self.script.changes.push(NamedChange {
                    path,
                    change,
                    by,
                    is_certain,
                });
            }
            _ => self.script.may_write = true,
        }
    }

    fn distrust(&mut self, more: Distrust) {
        self.state.distrust = self.state.distrust.max(more);
    }

    /// Notes a command about which nothing is known.
    fn unknown(&mut self) {
        self.script.may_write = true;
        self.fallible += 1;
    }
}

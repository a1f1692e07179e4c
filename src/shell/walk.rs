//! What a command line does, from its structure.

use super::masks::{FAILING, is_failure, masks_of};
use super::programs::wrapper::Wrapped;
use super::programs::{self, Conduct, shells, wrapper};
use super::runners;
use super::state::{Folder, ShellState};
use super::syntax::{Chain, CommandKind, Link, Sequence, ShellCommand};
use super::word::{Redirection, ShellWord, Unclear};
use super::{CHANGES_AT_MOST, FileChange, Mask, NamedChange, Script, TestRun};
use super::{lexer, parser};

/// The most that command lines may be nested in one another.
const DEPTH_AT_MOST: usize = 8;

pub(super) fn walk(command: &str, test_runners: &[String]) -> Result<Script, Unclear> {
    let mut walker = ScriptWalker {
        test_runners,
        script: Script::default(),
        state: ShellState::default(),
        has_ended: false,
        fallible: 0,
        depth: 0,
    };
    walker.text(command, None)?;
    let mut script = walker.script;
    for test in &mut script.tests {
        test.failure_shows = test.mask.is_none() && walker.fallible == 1;
    }
    Ok(script)
}

struct ScriptWalker<'r> {
    test_runners: &'r [String],
    script: Script,
    state: ShellState,
    /// What comes now may not run: the shell may have ended.
    has_ended: bool,
    /// Commands that may fail.
    fallible: usize,
    depth: usize,
}

impl ScriptWalker<'_> {
    /// A command line, and those of its substitutions.
    fn text(&mut self, text: &str, mask: Option<Mask>) -> Result<(), Unclear> {
        if self.depth >= DEPTH_AT_MOST {
            return Err(Unclear);
        }
        self.depth += 1;
        let before = self.state.clone();
        let lexed = lexer::lex(text)?;
        self.script.may_write |= lexed.is_opaque;
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

    /// Does something in a shell of its own.
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
                _ if self.has_ended => Some(Mask::Conditional),
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
            [_] => self.state.errexit,
            [.., last] => last.is_alternative && is_failure(last, &["exit"]),
            [] => false,
        }
    }

    fn chain(&mut self, chain: &Chain, mask: Option<Mask>) -> Result<(), Unclear> {
        let masks = masks_of(chain, mask);
        let errexit = self.state.errexit;
        for (index, (link, mask)) in chain.links.iter().zip(masks).enumerate() {
            let is_last = index + 1 == chain.links.len();
            let before = self.state.folder.clone();
            // A failure on the left of `&&` and `||` does not end the shell.
            self.state.errexit &= is_last;
            let had_ended = self.has_ended;
            self.link(link, mask)?;
            if is_failure(link, FAILING) {
                self.has_ended = had_ended;
            }
            if index > 0 && mask.is_some() && self.state.folder != before {
                self.state.folder = Folder::Unknown;
            }
            if !is_last {
                self.state.errexit = errexit;
            }
        }
        Ok(())
    }

    fn link(&mut self, link: &Link, mask: Option<Mask>) -> Result<(), Unclear> {
        let mask = if link.is_negated {
            mask.or(Some(Mask::Negated))
        } else {
            mask
        };
        let errexit = self.state.errexit;
        self.state.errexit &= !link.is_negated;
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
                self.apart(|walker| walker.command(command, mask))?;
            }
        }
        if link.is_negated {
            self.state.errexit = errexit;
        }
        Ok(())
    }

    fn command(&mut self, command: &ShellCommand, mask: Option<Mask>) -> Result<(), Unclear> {
        for redirection in &command.redirections {
            if let Redirection::Output(word) = redirection {
                self.output(word, mask);
            }
        }
        match &command.kind {
            CommandKind::Simple { variables, words } => {
                let are_known = variables
                    .iter()
                    .all(|name| programs::is_harmless_variable(name));
                self.script.may_write |= !are_known;
                self.simple(words, &command.redirections, mask)
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
                // It may have the name of a program that is known.
                self.script.may_write = true;
                self.conditional(|walker| walker.command(body, Some(Mask::Conditional)))
            }
            CommandKind::Test => {
                self.fallible += 1;
                Ok(())
            }
            CommandKind::Arithmetic => {
                self.script.may_write = true;
                self.fallible += 1;
                Ok(())
            }
        }
    }

    /// Does something that may not be done at all.
    fn conditional(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<(), Unclear>,
    ) -> Result<(), Unclear> {
        let before = self.state.clone();
        act(self)?;
        if self.state.folder != before.folder {
            self.state.folder = Folder::Unknown;
        }
        self.state.errexit &= before.errexit;
        self.state.pipefail &= before.pipefail;
        Ok(())
    }

    fn output(&mut self, word: &ShellWord, mask: Option<Mask>) {
        match word.literal() {
            Some("/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty") => {}
            Some(path) if path.starts_with("/dev/fd/") => {}
            Some(path) => {
                self.fallible += 1;
                self.change(FileChange::Written, path, "a redirection", mask.is_none());
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

    /// A command of which nothing is known.
    fn unknown(&mut self) {
        self.script.may_write = true;
        self.fallible += 1;
    }

    fn simple(
        &mut self,
        words: &[ShellWord],
        redirections: &[Redirection],
        mask: Option<Mask>,
    ) -> Result<(), Unclear> {
        let Some(first) = words.first() else {
            return Ok(());
        };
        let (words, is_wrapped) = match wrapper::unwrap(words) {
            Wrapped::Command(inner) => (inner, inner.len() < words.len()),
            Wrapped::Nothing => return Ok(()),
            Wrapped::Unknown => {
                self.has_ended |= first.is("exec");
                self.unknown();
                return Ok(());
            }
        };
        self.has_ended |= first.is("exec");
        self.fallible += usize::from(is_wrapped);
        let [program, arguments @ ..] = words else {
            return Ok(());
        };
        let Some(name) = program.literal() else {
            self.unknown();
            return Ok(());
        };
        if shells::is_shell(name) {
            return self.shell(arguments, mask);
        }
        if self.builtin(name, arguments, mask) {
            return Ok(());
        }
        self.fallible += usize::from(!programs::is_infallible(name));
        if let Some(runner) = runners::runner(words, self.test_runners) {
            self.script.may_write = true;
            self.script.tests.push(TestRun {
                runner,
                mask,
                failure_shows: false,
            });
            return Ok(());
        }
        let conduct = programs::conduct(name, arguments, redirections);
        self.conduct(&conduct, mask);
        Ok(())
    }

    fn conduct(&mut self, conduct: &Conduct, mask: Option<Mask>) {
        self.script.may_write |= conduct.may_write;
        self.script.commits |= conduct.commits;
        for (change, path) in &conduct.changes {
            self.change(
                *change,
                path,
                conduct.by,
                mask.is_none() && conduct.is_certain,
            );
        }
    }

    fn shell(&mut self, arguments: &[ShellWord], mask: Option<Mask>) -> Result<(), Unclear> {
        let Some((options, script)) = shells::script(arguments) else {
            self.unknown();
            return Ok(());
        };
        self.apart(|walker| {
            walker.state.errexit = options.errexit;
            walker.state.pipefail = options.pipefail;
            walker.text(script, mask)
        })
    }

    /// Commands of the shell that change the shell itself.
    fn builtin(&mut self, name: &str, arguments: &[ShellWord], mask: Option<Mask>) -> bool {
        match name {
            "cd" | "pushd" | "popd" => {
                let path = match arguments {
                    [path] if name != "popd" => path.literal(),
                    _ => None,
                };
                let is_absolute = path.is_some_and(|path| path.starts_with('/'));
                self.fallible += usize::from(!is_absolute);
                self.state.folder.enter(path, mask.is_none());
            }
            "set" => {
                let words: Option<Vec<&str>> = arguments.iter().map(ShellWord::literal).collect();
                let set = words.and_then(|words| self.state.set(&words));
                if set.is_none() {
                    (self.state.errexit, self.state.pipefail) = (false, false);
                }
            }
            "exit" | "return" | "break" | "continue" => {
                self.fallible += 1;
                self.has_ended |= !programs::is_failing(name, arguments);
            }
            _ => return false,
        }
        true
    }
}

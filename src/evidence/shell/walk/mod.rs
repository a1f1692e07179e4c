//! Walks the structure of a command line to find what it does.

mod builtins;
mod changes;
mod simple;

use super::hidden_status::{fails_loudly, fails_with_words, hidden_by, is_failure, masks_of};
use super::state::{Certainty, Folder, ShellState};
use super::syntax::{Chain, CommandKind, Link, RedirectedTo, Sequence, ShellCommand, Unparsed};
use super::trust::{self, ShellTrust};
use super::{Mask, Script, ShellEnd};
use super::{lexer, parser};
use super::{printed, programs, runners};

/// How deeply command lines may be nested in each other.
const DEPTH_AT_MOST: usize = 8;

pub(super) fn walk(command: &str, test_runners: &[String]) -> Result<Script, Unparsed> {
    let mut walker = ScriptWalker {
        test_runners,
        script: Script::default(),
        state: ShellState::default(),
        has_ended: false,
        is_fed: false,
        is_piped: false,
        is_cut: false,
        place: ChainPlace::default(),
        fallible: 0,
        printing: 0,
        depth: 0,
    };
    walker.text(command, None)?;
    let end = walker.end();
    let mut script = walker.script;
    script.end = end;
    for test in &mut script.tests {
        test.failure_shows = test.mask.is_none() && walker.fallible == 1;
        test.is_alone = walker.printing == 1;
        test.is_cut = walker.is_cut;
    }
    Ok(script)
}

/// What is known after the commands so far. `state` and `has_ended` are about the shell in which the next
/// command runs: a subshell starts with a copy. Nothing is ever removed from `script`, and the trust in a
/// shell only gets less. `depth` is the number of command lines around the next command.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct ScriptWalker<'r> {
    test_runners: &'r [String],
    script: Script,
    state: ShellState,
    /// Whether the shell may have ended, so that what follows may not run.
    has_ended: bool,
    /// Whether the next command certainly reads something from a pipe.
    is_fed: bool,
    /// Whether the next command reads the output of another one.
    is_piped: bool,
    /// Whether a filter may have left out a part of the output.
    is_cut: bool,
    place: ChainPlace,
    /// How many commands may fail.
    fallible: usize,
    /// How many commands may print.
    printing: usize,
    depth: usize,
}

/// Where a command is in its chain, and in the chains around it.
#[derive(Clone, Copy, Default)]
struct ChainPlace {
    /// Whether a command that fails does not end the shell, even with `set -e`.
    is_exempt: bool,
    /// Whether the next command is skipped if one before it fails without a word.
    may_be_skipped: bool,
}

impl ScriptWalker<'_> {
    fn end(&self) -> ShellEnd {
        match &self.state.folder {
            _ if self.state.trust < ShellTrust::Programs => ShellEnd::Changed,
            Folder::Known { path, certainty }
                if !self.has_ended && *certainty == Certainty::Certain =>
            {
                ShellEnd::Folder(path.clone())
            }
            _ => ShellEnd::Elsewhere,
        }
    }

    /// Walks a command line, and those in its substitutions.
    fn text(&mut self, text: &str, mask: Option<Mask>) -> Result<(), Unparsed> {
        if self.depth >= DEPTH_AT_MOST {
            return Err(Unparsed);
        }
        self.depth += 1;
        let before = self.state.clone();
        let lexed = lexer::lex(text)?;
        self.script.may_write |= lexed.is_opaque;
        if lexed.may_set {
            self.limit_trust(ShellTrust::Shell);
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
    fn apart(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<(), Unparsed>,
    ) -> Result<(), Unparsed> {
        let (state, has_ended) = (self.state.clone(), self.has_ended);
        act(self)?;
        (self.state, self.has_ended) = (state, has_ended);
        Ok(())
    }

    fn sequence(&mut self, sequence: &Sequence, mask: Option<Mask>) -> Result<(), Unparsed> {
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
            [link] => self.state.errexit && !self.place.is_exempt && fails_loudly(link),
            [.., last] => last.is_alternative && is_failure(last, &["exit"]),
            [] => false,
        }
    }

    fn chain(&mut self, chain: &Chain, mask: Option<Mask>) -> Result<(), Unparsed> {
        let masks = masks_of(chain, mask);
        let before_chain = self.place;
        for (index, (link, mask)) in chain.links.iter().zip(masks).enumerate() {
            let is_last = index + 1 == chain.links.len();
            let before = self.state.clone();
            // A failure on the left of `&&` and `||` does not end the shell.
            self.place.is_exempt = before_chain.is_exempt || !is_last;
            self.link(link, mask)?;
            if index > 0 && mask.is_some() {
                self.unless_skipped(&before);
            }
            self.place.may_be_skipped |= !fails_with_words(link);
        }
        self.place = before_chain;
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

    fn link(&mut self, link: &Link, mask: Option<Mask>) -> Result<(), Unparsed> {
        let mask = if link.is_negated {
            hidden_by(mask, Mask::Negated)
        } else {
            mask
        };
        let is_exempt = self.place.is_exempt;
        self.place.is_exempt |= link.is_negated;
        if let [command] = &link.commands[..] {
            self.command(command, mask)?;
        } else {
            let last = link.commands.len() - 1;
            // `|&` sends errors through the pipe.
            let was_muted = std::mem::replace(&mut self.state.is_muted, true);
            let before = self.script.changes.len();
            for (index, command) in link.commands.iter().enumerate() {
                let is_shown = index == last || self.state.pipefail;
                let mask = if is_shown {
                    mask
                } else {
                    hidden_by(mask, Mask::Pipe)
                };
                self.is_fed = index > 0
                    && self.state.trust == ShellTrust::Programs
                    && printed::prints(&link.commands[index - 1]);
                self.is_piped = index > 0 && matches!(command.kind, CommandKind::Simple { .. });
                self.piped(command, mask, index == last)?;
            }
            self.state.is_muted = was_muted;
            self.doubt_if_undone(before);
        }
        self.place.is_exempt = is_exempt;
        Ok(())
    }

    /// Walks a command of a pipeline. Some shells run the last one in a subshell, others in the shell
    /// itself.
    fn piped(
        &mut self,
        command: &ShellCommand,
        mask: Option<Mask>,
        is_last: bool,
    ) -> Result<(), Unparsed> {
        if !is_last {
            return self.apart(|walker| walker.command(command, mask));
        }
        let (before, had_ended) = (self.state.clone(), self.has_ended);
        self.command(command, mask)?;
        if self.has_ended && !had_ended {
            self.limit_trust(ShellTrust::Nothing);
        }
        self.has_ended = had_ended;
        self.unless_skipped(&before);
        Ok(())
    }

    fn command(&mut self, command: &ShellCommand, mask: Option<Mask>) -> Result<(), Unparsed> {
        let mask = if self.has_ended {
            Some(Mask::Conditional)
        } else {
            mask
        };
        let is_fed = std::mem::take(&mut self.is_fed);
        let was_muted = self.state.is_muted;
        let moved = command
            .redirections
            .iter()
            .filter(|it| it.moves_output())
            .count();
        self.state.is_muted |= moved > 1;
        let certainty = self.certainty(mask);
        for redirection in &command.redirections {
            match &redirection.stream {
                RedirectedTo::Output(word) => self.output(word, certainty),
                RedirectedTo::Append(word) => {
                    let is_filled = self.state.trust == ShellTrust::Programs
                        && printed::fills(command, redirection, is_fed);
                    self.output(word, certainty.only_if(is_filled));
                }
                RedirectedTo::Harmless | RedirectedTo::Text { .. } => {}
            }
        }
        self.state.is_muted |= moved > 0;
        self.kind(command, is_fed, mask)?;
        if moved > 0 && !command.may_leave_redirections() {
            self.state.is_muted = was_muted;
        }
        Ok(())
    }

    fn kind(
        &mut self,
        command: &ShellCommand,
        is_fed: bool,
        mask: Option<Mask>,
    ) -> Result<(), Unparsed> {
        match &command.kind {
            CommandKind::Simple { variables, words } => {
                for name in variables {
                    self.set_variable(name);
                }
                let is_fed = printed::is_fed(&command.redirections, is_fed);
                let tests = self.script.tests.len();
                self.simple(words, &command.redirections, is_fed, mask)?;
                if variables.iter().any(|name| runners::passes_options(name)) {
                    let tests = self.script.tests.iter_mut().skip(tests);
                    tests.for_each(|test| test.needs_summary = true);
                }
                Ok(())
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
                self.limit_trust(ShellTrust::Nothing);
                self.conditional(|walker| walker.command(body, Some(Mask::Conditional)))
            }
            CommandKind::Test => {
                self.fallible += 1;
                Ok(())
            }
            CommandKind::Arithmetic => {
                self.script.may_write = true;
                self.limit_trust(ShellTrust::Shell);
                self.fallible += 1;
                Ok(())
            }
        }
    }

    fn conditional(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<(), Unparsed>,
    ) -> Result<(), Unparsed> {
        let before = self.state.clone();
        act(self)?;
        self.unless_skipped(&before);
        Ok(())
    }

    fn set_variable(&mut self, name: &str) {
        self.script.may_write |= !programs::is_harmless_variable(name);
        if trust::decides(name) {
            self.limit_trust(ShellTrust::Shell);
        }
    }

    fn limit_trust(&mut self, trust: ShellTrust) {
        self.state.trust = self.state.trust.min(trust);
    }

    fn unknown(&mut self) {
        self.script.may_write = true;
        self.fallible += 1;
        self.printing += 1;
    }
}

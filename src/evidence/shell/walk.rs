//! Walks the structure of a command line to find what it does.

use super::certain::{self, fails_loudly, fails_with_words, hidden_by, is_failure, masks_of};
use super::programs::wrapper::{self, Wrapped};
use super::programs::{self, Effects, WriteMode};
use super::state::{Certainty, Folder, ShellState, ShellTrust, decides, trust_after};
use super::syntax::{
    Chain, CommandKind, Link, RedirectedTo, Redirection, Sequence, ShellCommand, ShellWord,
    Unparsed, variable,
};
use super::{CHANGES_AT_MOST, FileChange, Mask, NamedChange, Script, ShellEnd, TestRun};
use super::{lexer, parser, runners, undone};

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
                    && certain::prints(&link.commands[index - 1]);
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
                        && certain::fills(command, redirection, is_fed);
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
                let is_fed = certain::is_fed(&command.redirections, is_fed);
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
        if decides(name) {
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

/// Simple commands: a program and its arguments.
impl ScriptWalker<'_> {
    fn simple(
        &mut self,
        words: &[ShellWord],
        redirections: &[Redirection],
        is_fed: bool,
        mask: Option<Mask>,
    ) -> Result<(), Unparsed> {
        let is_piped = std::mem::take(&mut self.is_piped);
        if words.is_empty() {
            return Ok(());
        }
        let (inner, wrappers) = match wrapper::unwrap(words) {
            Wrapped::Command(inner) => (inner, &words[..words.len() - inner.len()]),
            Wrapped::Nothing => return Ok(()),
            Wrapped::Unknown => {
                self.has_ended |= words[0].is("exec");
                if wrapper::is_in_shell(&words[..1]) {
                    self.limit_trust(ShellTrust::Nothing);
                }
                self.unknown();
                return Ok(());
            }
        };
        for name in wrappers.iter().filter_map(variable) {
            self.set_variable(name);
        }
        let is_exec = |word: &ShellWord| word.literal() == Some("exec");
        self.has_ended |= wrappers.iter().any(is_exec);
        self.fallible += usize::from(!wrappers.is_empty());
        let [program, arguments @ ..] = inner else {
            return Ok(());
        };
        let is_in_shell = wrapper::is_in_shell(wrappers);
        let Some(name) = program.literal() else {
            if is_in_shell {
                self.limit_trust(ShellTrust::Nothing);
            }
            self.unknown();
            return Ok(());
        };
        if wrapper::is_shell(name) {
            return self.shell(arguments, mask);
        }
        if is_in_shell {
            self.limit_trust(trust_after(name, arguments));
            if self.builtin(name, arguments, mask) {
                return Ok(());
            }
        }
        self.fallible += usize::from(!programs::is_infallible(name));
        match programs::filter(name, arguments).filter(|_| is_piped) {
            Some(is_cutting) => self.is_cut |= is_cutting,
            None => self.printing += usize::from(!programs::is_silent(name)),
        }
        if let Some(found) = runners::runner(inner, self.test_runners) {
            self.script.may_write = true;
            let mut set = wrappers.iter().filter_map(variable);
            self.script.tests.push(TestRun {
                runner: found.name,
                mask,
                failure_shows: false,
                needs_summary: found.needs_summary || set.any(runners::passes_options),
                is_alone: false,
                is_cut: false,
            });
            return Ok(());
        }
        let mut effects = programs::effects(name, arguments, redirections);
        effects.is_certain &= is_fed || effects.mode != WriteMode::Append;
        self.effects(&effects, mask);
        Ok(())
    }

    fn effects(&mut self, effects: &Effects, mask: Option<Mask>) {
        self.script.may_write |= effects.may_write;
        self.script.commits |= effects.commits;
        for (change, path) in &effects.changes {
            let is_trusted = self.state.trust == ShellTrust::Programs;
            let is_certain = mask.is_none() && effects.is_certain && is_trusted;
            let certainty = Certainty::Certain.only_if(is_certain);
            self.change(*change, path, effects.by, certainty);
            let top = (effects.mode == WriteMode::FromTop).then(|| self.state.folder.resolve("."));
            if let (Some(top), Some(change)) = (top, self.script.changes.last_mut()) {
                change.top = top.map(|(path, _)| path);
            }
        }
    }

    fn shell(&mut self, arguments: &[ShellWord], mask: Option<Mask>) -> Result<(), Unparsed> {
        let Some((options, script)) = wrapper::script(arguments) else {
            self.unknown();
            return Ok(());
        };
        let is_exempt = std::mem::take(&mut self.place.is_exempt);
        self.apart(|walker| {
            walker.state.errexit = options.errexit;
            walker.state.pipefail = options.pipefail;
            if walker.state.trust < ShellTrust::Programs {
                walker.limit_trust(ShellTrust::Nothing);
            }
            walker.text(script, mask)
        })?;
        self.place.is_exempt = is_exempt;
        Ok(())
    }
}

/// Commands of the shell that change the shell itself.
impl ScriptWalker<'_> {
    /// Applies a command that changes the shell. Returns whether it is one.
    fn builtin(&mut self, name: &str, arguments: &[ShellWord], mask: Option<Mask>) -> bool {
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

/// The changes of files, and how certain they are.
impl ScriptWalker<'_> {
    /// How certain it is that a command with this mask ran, and that the shell did what it was to do.
    fn certainty(&self, mask: Option<Mask>) -> Certainty {
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
    fn doubt_if_undone(&mut self, start: usize) {
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

    fn output(&mut self, word: &ShellWord, certainty: Certainty) {
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

    fn change(&mut self, change: FileChange, path: &str, by: &'static str, certainty: Certainty) {
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

//! Walks the structure of a command line to find what it does.

use super::certain::{self, hidden_by};
use super::state::{self, ShellState, ShellTrust, Wrapped, decides, trust_after};
use super::syntax::{
    Chain, CommandKind, CommandLine, HereDocument, Link, RedirectedTo, Redirection, Sequence,
    ShellCommand, ShellWord, UnreadShell, is_listed,
};
use super::{CHANGES_AT_MOST, Certainty, FileChange, Mask, NamedChange, Script, ShellEnd, TestRun};
use super::{anywhere, programs, reader, runners};

/// How deeply command lines may be nested in each other.
const DEPTH_AT_MOST: usize = 8;

pub(super) fn walk(command: &str, test_runners: &[String]) -> Result<Script, UnreadShell> {
    let mut walker = ScriptWalker {
        test_runners,
        script: Script::default(),
        state: ShellState::default(),
        documents: Vec::new(),
        has_ended: false,
        is_piped: false,
        is_cut: false,
        may_be_skipped: false,
        fallible: 0,
        printing: 0,
        depth: 0,
    };
    walker.line(reader::read(command)?, None)?;
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
    /// The here-documents of the command line.
    documents: Vec<HereDocument>,
    /// Whether the shell may have ended, so that what follows may not run.
    has_ended: bool,
    /// Whether the next command reads the output of another one.
    is_piped: bool,
    /// Whether a filter may have left out a part of the output.
    is_cut: bool,
    /// Whether the next command is skipped if one before it fails without a word.
    may_be_skipped: bool,
    /// How many commands may fail.
    fallible: usize,
    /// How many commands may print.
    printing: usize,
    depth: usize,
}

type Walked = Result<(), UnreadShell>;

impl ScriptWalker<'_> {
    fn end(&self) -> ShellEnd {
        match &self.state.folder {
            _ if self.state.trust < ShellTrust::Programs => ShellEnd::Changed,
            Some((path, Certainty::Certain)) if !self.has_ended => ShellEnd::Folder(path.clone()),
            _ => ShellEnd::Elsewhere,
        }
    }

    /// Walks a command line, and those in its substitutions.
    fn line(&mut self, line: CommandLine, mask: Option<Mask>) -> Walked {
        if self.depth >= DEPTH_AT_MOST {
            return Err(UnreadShell);
        }
        self.depth += 1;
        let documents = std::mem::replace(&mut self.documents, line.documents);
        let before = self.state.clone();
        self.may_do_anything(line.is_opaque);
        self.sequence(&line.sequence, mask)?;
        let after = std::mem::replace(&mut self.state, before);
        if after.folder != self.state.folder {
            self.state.folder = None;
        }
        for substitution in &line.substitutions {
            self.apart(|walker| walker.sequence(substitution, Some(Mask::Conditional)))?;
        }
        (self.state, self.documents) = (after, documents);
        self.depth -= 1;
        Ok(())
    }

    /// Walks a part that runs in a subshell: the state of this shell stays.
    fn apart(&mut self, act: impl FnOnce(&mut Self) -> Walked) -> Walked {
        let (state, has_ended) = (self.state.clone(), self.has_ended);
        act(self)?;
        (self.state, self.has_ended) = (state, has_ended);
        Ok(())
    }

    fn sequence(&mut self, sequence: &Sequence, mask: Option<Mask>) -> Walked {
        for (index, chain) in sequence.0.iter().enumerate() {
            let is_last = index + 1 == sequence.0.len();
            let mask = match mask {
                None if !is_last => Some(Mask::Followed),
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

    fn chain(&mut self, chain: &Chain, mask: Option<Mask>) -> Walked {
        let may_be_skipped = self.may_be_skipped;
        for (index, link) in chain.links.iter().enumerate() {
            let is_alternative = |link: &Link| link.is_alternative;
            let is_side =
                link.is_alternative || chain.links[index + 1..].iter().any(is_alternative);
            let mask = match mask {
                mask if is_side => hidden_by(mask, Mask::Or),
                mask => mask,
            };
            let before = self.state.clone();
            self.link(link, mask)?;
            if index > 0 && mask.is_some() {
                self.unless_skipped(&before);
            }
            self.may_be_skipped |= !certain::fails_with_words(link);
        }
        self.may_be_skipped = may_be_skipped;
        Ok(())
    }

    /// Keeps what is known about the shell whether or not the last commands ran. `before` is its state
    /// before them.
    fn unless_skipped(&mut self, before: &ShellState) {
        if self.state.folder != before.folder {
            self.state.folder = None;
        }
    }

    fn link(&mut self, link: &Link, mask: Option<Mask>) -> Walked {
        let mask = match mask {
            mask if link.is_negated => hidden_by(mask, Mask::Negated),
            mask => mask,
        };
        match &link.commands[..] {
            [command] => self.command(command, mask),
            commands => self.pipeline(commands, mask),
        }
    }

    fn pipeline(&mut self, commands: &[ShellCommand], mask: Option<Mask>) -> Walked {
        // `|&` sends errors through the pipe.
        let was_muted = std::mem::replace(&mut self.state.is_muted, true);
        let before = self.script.changes.len();
        for (index, command) in commands.iter().enumerate() {
            let is_last = index + 1 == commands.len();
            let mask = match mask {
                mask if is_last => mask,
                mask => hidden_by(mask, Mask::Pipe),
            };
            self.is_piped = index > 0 && matches!(command.kind, CommandKind::Simple { .. });
            if !is_last {
                self.apart(|walker| walker.command(command, mask))?;
                continue;
            }
            // Some shells run the last one in a subshell, others in the shell itself.
            let (before, had_ended) = (self.state.clone(), self.has_ended);
            self.command(command, mask)?;
            if self.has_ended && !had_ended {
                self.limit_trust(ShellTrust::Nothing);
            }
            self.has_ended = had_ended;
            self.unless_skipped(&before);
        }
        self.state.is_muted = was_muted;
        // They run at the same time.
        let changes = &mut self.script.changes[before..];
        if changes.iter().any(|it| it.change.undoes()) {
            for change in changes {
                change.certainty = Certainty::Open;
            }
        }
        Ok(())
    }

    fn command(&mut self, command: &ShellCommand, mask: Option<Mask>) -> Walked {
        let mask = if self.has_ended {
            Some(Mask::Conditional)
        } else {
            mask
        };
        let was_muted = self.state.is_muted;
        let moving = command
            .redirections
            .iter()
            .filter(|it| it.moves_output())
            .count();
        self.state.is_muted |= moving > 1;
        let certainty = self.certainty(mask);
        let is_fed = certain::is_fed(&command.redirections, &self.documents);
        for redirection in &command.redirections {
            match &redirection.stream {
                RedirectedTo::Output(word) => self.output(word, certainty),
                RedirectedTo::Append(word) => {
                    let is_filled = certain::fills(command, redirection, is_fed);
                    self.output(word, certainty.only_if(is_filled && self.is_trusted()));
                }
                _ => {}
            }
        }
        self.state.is_muted |= moving > 0;
        let mut stays_muted = false;
        match &command.kind {
            CommandKind::Simple { variables, words } => {
                for name in variables {
                    self.set_variable(name);
                }
                stays_muted = words.iter().any(|word| word.literal() == Some("exec"));
                let tests = self.script.tests.len();
                self.simple(words, &command.redirections, is_fed, mask)?;
                if variables.iter().any(|name| runners::passes_options(name)) {
                    let tests = self.script.tests.iter_mut().skip(tests);
                    tests.for_each(|test| test.needs_summary = true);
                }
            }
            CommandKind::Group(body) => {
                self.sequence(body, mask)?;
                stays_muted = true;
            }
            CommandKind::Subshell(body) => self.apart(|walker| walker.sequence(body, mask))?,
            CommandKind::Branches(branches) => {
                for branch in branches {
                    let before = self.state.clone();
                    self.sequence(branch, Some(Mask::Conditional))?;
                    self.unless_skipped(&before);
                }
                self.fallible += 1;
                stays_muted = true;
            }
        }
        if moving > 0 && !stays_muted {
            self.state.is_muted = was_muted;
        }
        Ok(())
    }

    fn is_trusted(&self) -> bool {
        self.state.trust == ShellTrust::Programs
    }

    fn limit_trust(&mut self, trust: ShellTrust) {
        self.state.trust = self.state.trust.min(trust);
        // What follows may not be what it says.
        self.may_do_anything(!self.is_trusted());
    }

    fn may_do_anything(&mut self, it_may: bool) {
        self.script.may_write |= it_may;
        self.script.may_run |= it_may;
    }

    fn set_variable(&mut self, name: &str) {
        self.may_do_anything(!state::is_harmless_variable(name));
        if decides(name) {
            self.limit_trust(ShellTrust::Shell);
        }
    }

    fn unknown(&mut self) {
        self.may_do_anything(true);
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
    ) -> Walked {
        let is_piped = std::mem::take(&mut self.is_piped);
        let inner = match state::unwrap(words) {
            Wrapped::Command(inner) => inner,
            Wrapped::Nothing => return Ok(()),
            Wrapped::Unknown => {
                self.has_ended |= words[0].is("exec");
                if state::is_in_shell(&words[..1]) {
                    self.limit_trust(ShellTrust::Nothing);
                }
                self.unknown();
                return Ok(());
            }
        };
        let wrappers = &words[..words.len() - inner.len()];
        for name in wrappers.iter().filter_map(ShellWord::variable) {
            self.set_variable(name);
        }
        self.has_ended |= wrappers.iter().any(|word| word.literal() == Some("exec"));
        self.fallible += usize::from(!wrappers.is_empty());
        let [program, arguments @ ..] = inner else {
            return Ok(());
        };
        let is_in_shell = state::is_in_shell(wrappers);
        let Some(name) = program.literal() else {
            if is_in_shell {
                self.limit_trust(ShellTrust::Nothing);
            }
            self.unknown();
            return Ok(());
        };
        if state::is_shell(name) {
            return self.shell(arguments, mask);
        }
        if is_in_shell {
            self.limit_trust(trust_after(name, arguments));
            if self.builtin(name, arguments, mask) {
                return Ok(());
            }
        }
        self.fallible += usize::from(!certain::is_infallible(name));
        match certain::filter(name, arguments).filter(|_| is_piped) {
            Some(is_cutting) => self.is_cut |= is_cutting,
            None => self.printing += usize::from(!is_listed(name, "true : export unset")),
        }
        if let Some(found) = runners::runner(inner, self.test_runners) {
            self.script.may_write = true;
            let mut set = wrappers.iter().filter_map(ShellWord::variable);
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
        if let Some(found) = certain::changes(name, arguments, redirections, &self.documents) {
            let is_certain = mask.is_none() && self.is_trusted() && (is_fed || !found.needs_input);
            for (change, path) in &found.files {
                let certainty = Certainty::Certain.only_if(is_certain);
                self.change(*change, path, found.by, certainty);
            }
        } else {
            let deed = programs::deed(name, arguments);
            self.script.may_write |= deed.may_write;
            self.script.may_run |= deed.may_run;
            for (change, path) in &deed.changes {
                self.change(*change, path, "", Certainty::Open);
            }
        }
        Ok(())
    }

    /// Walks the command line of a shell that is called as a program.
    fn shell(&mut self, arguments: &[ShellWord], mask: Option<Mask>) -> Walked {
        let Some(script) = state::script_of(arguments) else {
            self.unknown();
            return Ok(());
        };
        self.apart(|walker| {
            if !walker.is_trusted() {
                walker.limit_trust(ShellTrust::Nothing);
            }
            walker.line(reader::read(script)?, mask)
        })
    }

    /// Applies a command that changes the shell itself. Returns whether it is one.
    fn builtin(&mut self, name: &str, arguments: &[ShellWord], mask: Option<Mask>) -> bool {
        match name {
            "cd" | "pushd" | "popd" => {
                let path = match arguments {
                    [path] if name != "popd" => path.literal(),
                    _ => None,
                };
                let path = path.filter(|path| !path.starts_with(['-', '+']));
                let is_absolute = path.is_some_and(|path| path.starts_with('/'));
                self.fallible += usize::from(!is_absolute);
                // `CDPATH` changes only where relative paths lead.
                let certainty = self
                    .certainty(mask)
                    .only_if(is_absolute || self.is_trusted());
                let entered = path.and_then(|path| self.state.resolve(path));
                self.state.folder = entered.map(|(path, known)| (path, certainty.min(known)));
            }
            "set" => {
                let words: Option<Vec<&str>> = arguments.iter().map(ShellWord::literal).collect();
                if !words.is_some_and(|words| state::are_harmless(&words)) {
                    self.limit_trust(ShellTrust::Nothing);
                    self.has_ended = true;
                }
            }
            "exit" | "return" | "break" | "continue" => {
                self.fallible += 1;
                self.has_ended |= !certain::is_failing(name, arguments);
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
            Some(Mask::Followed) if !self.may_be_skipped && !self.state.is_muted => {
                Certainty::IfSilent
            }
            Some(_) => Certainty::Open,
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
        let is_known = change != FileChange::SomeUndone || path != programs::ANY;
        let resolved = is_known.then(|| self.state.resolve(path)).flatten();
        let is_full = self.script.changes.len() == CHANGES_AT_MOST;
        self.script.may_write |= resolved.is_none() || is_full;
        match resolved {
            Some((path, is_there)) if !is_full => self.script.changes.push(NamedChange {
                path,
                change,
                by,
                certainty: certainty.min(is_there),
            }),
            _ if change.undoes() => {
                self.script.changes.truncate(CHANGES_AT_MOST - 1);
                self.script.changes.push(anywhere());
            }
            _ => {}
        }
    }
}

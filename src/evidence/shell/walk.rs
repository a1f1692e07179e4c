//! Walks the commands of a command line to find what it does.

use super::programs::{self, ShellDeed};
use super::reader::{ShellCommand, ShellWord, below};
use super::{
    CHANGES_AT_MOST, FileChange, Mask, NamedChange, Script, ShellEnd, TestRun, WriteCertainty,
    decides, is_listed, runners,
};

const DEVICES: &str = "/dev/null /dev/stdout /dev/stderr /dev/tty";

/// What is known after the commands so far. Trust that is lost does not come back.
#[derive(Default)]
pub(super) struct ScriptWalker {
    script: Script,
    /// What commands undo that may run after others that come later.
    late: Vec<NamedChange>,
    /// Whether the names of commands may no longer mean what they say.
    is_distrusted: bool,
    /// Whether the shell may have ended, so that what follows may not run.
    has_ended: bool,
    /// Whether a filter may have left out a part of the output.
    is_cut: bool,
    fallible: usize,
    printing: usize,
}

impl ScriptWalker {
    pub(super) fn finish(self, end: ShellEnd) -> Script {
        let mut script = self.script;
        script.changes.extend(self.late);
        if script.changes.len() > CHANGES_AT_MOST {
            script.changes = vec![NamedChange::anywhere()];
            script.may_write = true;
        }
        script.end = match end {
            _ if self.is_distrusted => ShellEnd::Changed,
            _ if self.has_ended => ShellEnd::Elsewhere,
            end => end,
        };
        for test in &mut script.tests {
            test.failure_shows = test.mask.is_none() && self.fallible == 1;
            test.is_alone = self.printing == 1;
            test.is_cut = self.is_cut;
        }
        script
    }

    pub(super) fn command(&mut self, command: &ShellCommand, test_runners: &[String]) {
        for (file, appends) in &command.outputs {
            match file.literal() {
                Some(path) if is_listed(path, DEVICES) => {}
                Some(path) => {
                    self.fallible += 1;
                    self.write(command, path, "a redirection", !appends);
                }
                None => self.unknown(),
            }
        }
        let variables = command.variables.iter().map(String::as_str);
        self.set_variables(variables.clone());
        let [program, arguments @ ..] = &command.words[..] else {
            return;
        };
        let Some(name) = program.literal().map(programs::bare) else {
            self.distrust();
            return self.unknown();
        };
        match programs::of_shell(name, arguments) {
            ShellDeed::Nothing => {}
            ShellDeed::Enters => {
                let first = arguments.first().map(ShellWord::beginning);
                let is_absolute = first.is_some_and(|path| path.starts_with('/'));
                self.fallible += usize::from(!is_absolute);
                return;
            }
            ShellDeed::Sets => {
                self.set_variables(arguments.iter().filter_map(ShellWord::variable));
            }
            ShellDeed::Ends => self.has_ended = true,
            ShellDeed::Changes => self.distrust(),
        }
        self.fallible += usize::from(!is_listed(name, "echo printf true : export pwd set"));
        match filter(name, arguments).filter(|_| command.is_piped) {
            Some(is_cutting) => self.is_cut |= is_cutting,
            None => self.printing += usize::from(!is_listed(name, "true : export unset set")),
        }
        if let Some(found) = runners::runner(&command.words, test_runners) {
            let mut variables = variables;
            self.script.may_write = true;
            self.fallible += usize::from(found.is_wrapped);
            let mask = if self.has_ended { Some(Mask::Conditional) } else { command.mask };
            self.script.tests.push(TestRun {
                runner: found.name,
                mask,
                needs_summary: found.needs_summary || variables.any(runners::passes_options),
                ..TestRun::default()
            });
        } else if name != "tee" || !self.tee(command, arguments) {
            let is_certain = command.mask.is_none() && !self.is_distrusted && !self.has_ended;
            let commits = is_certain && name == "git" && programs::commits(arguments);
            self.script.commits += usize::from(commits);
            let deed = programs::deed(name, arguments);
            self.script.may_write |= deed.may_write;
            self.script.may_run |= deed.may_run;
            for (change, path) in deed.undone {
                self.undo(command, change, &path);
            }
        }
    }

    /// Adds what `tee` writes. Returns whether all its arguments are known.
    fn tee(&mut self, command: &ShellCommand, arguments: &[ShellWord]) -> bool {
        let words: Option<Vec<&str>> = arguments.iter().map(ShellWord::literal).collect();
        let words = words.unwrap_or_else(|| vec!["--"]).into_iter();
        let (options, files): (Vec<_>, Vec<_>) = words.partition(|word| word.starts_with('-'));
        for file in files.iter().filter(|file| !is_listed(file, DEVICES)) {
            self.write(command, file, "tee", options.is_empty());
        }
        options.iter().all(|it| is_listed(it, "-a --append"))
    }

    fn set_variables<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        for name in names {
            if decides(name) {
                self.distrust();
            }
            self.may_do_anything(!programs::is_harmless_variable(name));
        }
    }

    fn distrust(&mut self) {
        self.is_distrusted = true;
        self.may_do_anything(true);
    }

    fn may_do_anything(&mut self, it_may: bool) {
        self.script.may_write |= it_may;
        self.script.may_run |= it_may;
    }

    fn unknown(&mut self) {
        self.may_do_anything(true);
        self.fallible += 1;
        self.printing += 1;
    }

    /// Adds a file that a command writes if it runs. `is_certain`: no file stays as it was then.
    fn write(&mut self, command: &ShellCommand, path: &str, by: &'static str, is_certain: bool) {
        let certainty = match command.mask {
            _ if !is_certain || self.is_distrusted || self.has_ended => WriteCertainty::Open,
            None => WriteCertainty::Certain,
            Some(Mask::Followed) if !command.is_mute => WriteCertainty::IfSilent,
            Some(_) => WriteCertainty::Open,
        };
        let change = FileChange::Written { by, certainty };
        match below(command.folder.as_deref(), path) {
            Some(path) => self.script.changes.push(NamedChange { path, change }),
            None => self.script.may_write = true,
        }
    }

    fn undo(&mut self, command: &ShellCommand, change: FileChange, path: &str) {
        let path = below(command.folder.as_deref(), path);
        let undone = path.map(|path| NamedChange { path, change });
        let undone = undone.unwrap_or_else(NamedChange::anywhere);
        match command.mask {
            None | Some(Mask::Followed | Mask::Or | Mask::Negated) => {
                self.script.changes.push(undone);
            }
            Some(Mask::Pipe | Mask::Background | Mask::Conditional) => self.late.push(undone),
        }
    }
}

/// Whether a program that prints what it reads from a pipe may leave out single lines. None for another
/// program, and for one that may read files instead.
fn filter(name: &str, arguments: &[ShellWord]) -> Option<bool> {
    let is_count = |text: &str| text.trim_start_matches('+').bytes().all(|it| it.is_ascii_digit());
    let is_operand = |text: &str| !text.starts_with('-') && !is_count(text);
    let literals = arguments.iter().map(ShellWord::literal);
    let operands = literals.filter(|it| it.is_none_or(is_operand)).count();
    match name {
        "tail" | "cat" if operands == 0 => Some(false),
        "tee" => Some(false),
        "head" if operands == 0 => Some(true),
        "grep" | "egrep" if operands <= 1 => Some(true),
        _ => None,
    }
}

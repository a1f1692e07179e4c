//! What the commands of a command line do. Most known programs only read; of any other one nothing is known.

use std::sync::LazyLock;

use regex::Regex;

use super::reader::{ShellCommand, ShellWord, below, is_name};
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
            test.is_alone = self.printing == 1;
            test.is_cut = self.is_cut;
        }
        script
    }

    pub(super) fn command(&mut self, command: &ShellCommand, test_runners: &[String]) {
        for (file, appends) in &command.outputs {
            match file.literal() {
                Some(path) if is_listed(path, DEVICES) => {}
                Some(path) => self.write(command, path, !appends),
                None => self.unknown(),
            }
        }
        self.set_variables(command.variables.iter().map(String::as_str));
        let [program, arguments @ ..] = &command.words[..] else {
            return;
        };
        let Some(name) = program.literal().map(bare) else {
            self.is_distrusted = true;
            return self.unknown();
        };
        match of_shell(name, arguments) {
            ShellDeed::Nothing => {}
            ShellDeed::Enters => return,
            ShellDeed::Sets => {
                self.set_variables(arguments.iter().filter_map(ShellWord::variable));
            }
            ShellDeed::Ends => self.has_ended = true,
            ShellDeed::Changes => {
                self.is_distrusted = true;
                self.may_do_anything();
            }
        }
        match filter(name, arguments).filter(|_| command.is_piped) {
            Some(is_cutting) => self.is_cut |= is_cutting,
            None => self.printing += usize::from(!is_listed(name, "true : export unset set")),
        }
        if let Some((runner, needs_summary)) = runners::runner(&command.words, test_runners) {
            self.script.may_write = true;
            self.script.tests.push(TestRun {
                runner,
                mask: if self.has_ended { Some(Mask::Open) } else { command.mask },
                needs_summary: needs_summary
                    || !command.variables.iter().all(|it| is_harmless_variable(it)),
                ..TestRun::default()
            });
        } else {
            let is_certain = command.mask.is_none() && !self.is_distrusted && !self.has_ended;
            let commits = is_certain && name == "git" && commits(arguments);
            self.script.commits += usize::from(commits);
            self.run(command, name, arguments);
        }
    }

    fn set_variables<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        for name in names {
            self.is_distrusted |= decides(name);
            if decides(name) || !is_harmless_variable(name) {
                self.may_do_anything();
            }
        }
    }

    fn may_do_anything(&mut self) {
        (self.script.may_write, self.script.may_run) = (true, true);
    }

    fn unknown(&mut self) {
        self.may_do_anything();
        self.printing += 1;
    }

    /// Adds a file that a command writes if it runs. `is_whole`: nothing of it stays as it was then.
    fn write(&mut self, command: &ShellCommand, path: &str, is_whole: bool) {
        let certainty = match command.mask {
            _ if !is_whole || self.is_distrusted || self.has_ended => WriteCertainty::Open,
            None => WriteCertainty::Certain,
            Some(Mask::Followed) if !command.is_mute => WriteCertainty::IfSilent,
            Some(_) => WriteCertainty::Open,
        };
        let change = FileChange::Written(certainty);
        match below(command.folder.as_deref(), path) {
            Some(path) => self.script.changes.push(NamedChange { path, change }),
            None => self.script.may_write = true,
        }
    }

    /// Adds that a file, or all in a folder, may be undone.
    fn undo(&mut self, command: &ShellCommand, path: Option<&str>) {
        let path = path.and_then(|path| below(command.folder.as_deref(), path));
        let undone = path.map(|path| NamedChange { path, change: FileChange::Undone });
        let undone = undone.unwrap_or_else(NamedChange::anywhere);
        match command.mask {
            None | Some(Mask::Followed) => self.script.changes.push(undone),
            Some(_) => self.late.push(undone),
        }
    }

    /// Adds what a program does that is no test runner.
    fn run(&mut self, command: &ShellCommand, name: &str, arguments: &[ShellWord]) {
        let words: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
        let is_fixed = arguments.iter().all(ShellWord::is_fixed);
        let is_sed = name == "sed" || name == "gsed";
        let is_in_place = is_sed && words.iter().any(|it| it.starts_with('-') && it.contains('i'));
        let edits = (is_sed && is_fixed).then(|| sed(&words)).flatten();
        let git = (name == "git").then(|| git(arguments));
        if is_listed(name, READERS)
            || is_fixed && only_reads(name, &words)
            || edits.is_some() && !is_in_place
            || git.is_some_and(|(only_reads, _)| only_reads)
        {
            return;
        }
        self.script.may_write |= !is_listed(name, REMOVERS);
        let is_writer = is_listed(name, WRITERS) || is_listed(name, REMOVERS) || edits.is_some();
        self.script.may_run |= !is_writer;
        // Without the lines that were added before, a file may have its earlier content again.
        let may_delete = is_in_place && edits.is_none_or(|may_delete| may_delete);
        if is_listed(name, REMOVERS) || name == "mv" || may_delete {
            let is_operand =
                |it: &&ShellWord| !it.text.starts_with('-') && it.literal() != Some("");
            let operands = arguments.iter().filter(is_operand);
            // The first operand of `sed` is its script.
            for word in operands.skip(usize::from(is_sed)) {
                self.undo(command, word.literal().or_else(|| word.folder()));
            }
        } else if match git {
            Some((_, undoes)) => undoes,
            None if is_listed(name, TOLD) => words.iter().any(|it| may_undo(it)),
            None => name.split('-').any(may_undo),
        } {
            self.undo(command, None);
        }
    }
}

/// What a command does to the shell that runs it.
enum ShellDeed {
    Nothing,
    Enters,
    Sets,
    /// What follows may not run.
    Ends,
    /// It runs a text that is not known, or changes what the names of commands mean.
    Changes,
}

/// Commands that run text that is not known, or change what names mean, unless [`of_shell`] knows their
/// arguments. The last ones are those of zsh.
const CHANGING: &str = "export local declare typeset readonly read unset printf eval . source alias \
    unalias enable disable coproc bye bind shopt let mapfile readarray getopts hash rehash wait jobs \
    unsetopt emulate zmodload autoload functions noglob nocorrect -";

/// Commands after which the shell may have ended, unless [`of_shell`] knows their arguments.
const ENDING: &str = "exit return set command builtin exec time trap logout setopt";

fn of_shell(name: &str, arguments: &[ShellWord]) -> ShellDeed {
    let first = arguments.first().and_then(ShellWord::literal);
    let first = first.unwrap_or_default();
    let are_listed = |list| {
        let mut literals = arguments.iter().map(ShellWord::literal);
        literals.all(|it| it.is_some_and(|it| is_listed(it, list)))
    };
    let is_plain_variable = |word: &ShellWord| {
        let literal = word.literal().unwrap_or_default();
        word.variable().is_some() || is_name(literal) && !decides(literal) || literal == "-r"
    };
    match name {
        "cd" | "pushd" | "popd" => ShellDeed::Enters,
        // The status of the whole command line tells that it ended here.
        "exit" | "return" if matches!(first.parse(), Ok(1..=u8::MAX)) => ShellDeed::Nothing,
        "command" if is_listed(first, "-v -V") => ShellDeed::Nothing,
        // With other options, such as `-n`, no command may run any more.
        "set" if are_listed("-e -u -x -o pipefail -ex -eu -eux -euo -exo -euxo") => {
            ShellDeed::Nothing
        }
        "printf" if !first.is_empty() && !first.starts_with("-v") => ShellDeed::Nothing,
        // With these options they evaluate a name.
        "test" | "[" if arguments.iter().any(|it| is_listed(&it.text, "-v -R")) => {
            ShellDeed::Changes
        }
        "export" | "local" | "read" | "unset" if arguments.iter().all(is_plain_variable) => {
            ShellDeed::Sets
        }
        _ if is_listed(name, ENDING) => ShellDeed::Ends,
        _ if is_listed(name, CHANGING) => ShellDeed::Changes,
        _ => ShellDeed::Nothing,
    }
}

/// Whether a variable can hardly change what known programs do.
fn is_harmless_variable(name: &str) -> bool {
    const HARMLESS: &str = "LANG LC_ALL TZ TERM CI NO_COLOR FORCE_COLOR COLUMNS DEBUG NODE_ENV RUST_LOG \
        RUST_BACKTRACE";
    is_listed(name, HARMLESS) || name.bytes().all(|byte| !byte.is_ascii_uppercase())
}

/// Programs that write no file, whatever their arguments.
const READERS: &str = "cat tac nl head tail wc ls dir vdir stat du df pwd basename dirname \
    realpath readlink grep egrep fgrep zgrep cut tr rev paste join comm diff cmp column fold expand \
    unexpand od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum \
    sum echo printf test [ true false : expr seq yes sleep wait which type whereis whoami id groups \
    uname uptime ps pgrep free nproc lscpu lsof printenv locale getconf tput jq unset shift read \
    ulimit jobs date mkdir chmod chown chgrp export local declare typeset readonly set exit return break \
    continue";

/// Programs that write, or run others, only with some options: the beginnings of long ones, and letters.
const MOSTLY_READERS: &[(&str, &[&str], &[char])] = &[
    ("find", &["-exec", "-ok", "-delete", "-fprint", "-fls"], &[]),
    ("fd fdfind", &["--exec"], &['x', 'X']),
    ("rg", &["--pre", "--hostname-bin"], &[]),
    ("sort", &["--o", "--c"], &['o']),
    ("tree", &[], &['o', 'R']),
    ("file", &["--c"], &['C']),
];

const REMOVERS: &str = "rm unlink rmdir shred trash";

/// Programs that write files and run no others.
const WRITERS: &str = "cp mv ln install touch truncate dd tee";

/// Programs that may undo files whose names come from elsewhere, or run others that do, if they are told to.
const TOLD: &str = "find xargs parallel patch gh sudo doas env timeout nohup nice ionice stdbuf setsid \
    busybox npx time command exec bash sh zsh";

/// Whether a text that is not read has a word that often undoes work.
pub(super) fn may_undo(text: &str) -> bool {
    const WORDS: &str = "rm mv rmdir unlink shred rimraf trash trash-put -delete xargs checkout restore \
        stash reset clean switch revert undo abandon abort -R --reverse jj hg svn sl bzr fossil";
    let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '-');
    words.any(|word| is_listed(word, WORDS))
}

/// The name of a program in a folder of the system. Of another one with that name nothing is known.
pub(super) fn bare(path: &str) -> &str {
    const FOLDERS: &str = "/bin /usr/bin /usr/local/bin /opt/homebrew/bin";
    let parts = path.rsplit_once('/');
    let known = parts.filter(|(folder, _)| is_listed(folder, FOLDERS));
    known.map_or(path, |(_, name)| name)
}

fn only_reads(name: &str, words: &[&str]) -> bool {
    match name {
        "command" => matches!(words, ["-v" | "-V", ..]),
        "uniq" => words.iter().filter(|it| !it.starts_with('-') || **it == "-").count() <= 1,
        // It writes no file, runs no program, and has no other script.
        "awk" | "gawk" | "mawk" => words.iter().all(|word| {
            let is_value = word.len() == 1 || word.starts_with("-F") || *word == "-v";
            let is_script = !word.contains(['>', '|', '@']) && !word.contains("system");
            is_value || is_script && !word.starts_with('-')
        }),
        "xargs" => xargs(words),
        _ => {
            let mut rows = MOSTLY_READERS.iter();
            let row = rows.find(|row| is_listed(name, row.0));
            row.is_some_and(|(_, options, letters)| {
                !words.iter().any(|word| {
                    let is_short = word.starts_with('-') && !word.starts_with("--");
                    let writes = options.iter().any(|option| word.starts_with(option));
                    writes || is_short && word.contains(*letters)
                })
            })
        }
    }
}

/// Whether `xargs` runs a program that writes nothing, whatever its arguments.
fn xargs(mut words: &[&str]) -> bool {
    while let [option, rest @ ..] = words
        && let Some(letters) = option.strip_prefix('-')
    {
        // The last letter may have a value, which is the next word if nothing follows.
        let value = letters.trim_start_matches(['0', 'r', 't', 'x']);
        if !value.is_empty() && !value.starts_with(['d', 'I', 'L', 'n', 'P', 's']) {
            return false;
        }
        words = rest.get(usize::from(value.len() == 1)..).unwrap_or_default();
    }
    words.first().is_none_or(|name| is_listed(bare(name), READERS))
}

/// A script of sed that only prints, deletes and replaces: it neither writes another file nor runs a program.
static EDITS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const ADDRESS: &str = r"(\d+|\$|/(\\.|[^/\\])*/)";
    let replaced = ["/", "\\|", "#", ","].map(|mark| {
        let part = format!(r"(\\.|[^{mark}\\])*{mark}");
        format!("s{mark}{part}{part}[gpI0-9]*")
    });
    let command = format!(r"\s*({ADDRESS}(,{ADDRESS})?)?\s*([pdq=]|{})?\s*", replaced.join("|"));
    Regex::new(&format!("^{command}([;\n]{command})*$")).ok()
});

/// Whether `sed` may delete lines. None if it may do more than to print, to replace and to delete them.
fn sed(words: &[&str]) -> Option<bool> {
    let edits = EDITS.as_ref()?;
    let (mut is_script, mut may_delete) = (!words.contains(&"-e"), false);
    // The `sed` of BSD takes the extension of a backup as a separate, empty word.
    for word in words.iter().filter(|word| !word.is_empty()) {
        match *word {
            "-e" => is_script = true,
            option if option.starts_with('-') => {
                is_listed(option, "-n -E -r -nE -i -i.bak").then_some(())?;
            }
            script if std::mem::take(&mut is_script) => {
                edits.is_match(script).then_some(())?;
                may_delete |= script.split([';', '\n']).any(|it| it.trim_end().ends_with('d'));
            }
            _ => {}
        }
    }
    (!is_script).then_some(may_delete)
}

/// Commands of git that only read, unless they have an option of `GIT_DANGEROUS`.
const GIT_READING: &str = "status log diff show blame annotate rev-parse rev-list ls-files ls-tree \
    cat-file describe shortlog grep merge-base name-rev for-each-ref show-ref show-branch diff-tree \
    diff-index diff-files count-objects whatchanged check-ignore check-attr version";

/// Commands of git that leave the files of the work tree as they are, or give them a later content.
const GIT_SPARING: &str = "add commit push fetch pull tag branch remote init clone config notes gc lfs \
    reflog fsck prune repack bundle archive format-patch ls-remote range-diff update-ref update-index \
    hash-object write-tree commit-tree symbolic-ref maintenance help var";

/// The beginnings of options that write a file or run a program. Git accepts shortened options.
const GIT_DANGEROUS: &[&str] = &["--ou", "--ext", "--te", "-O", "--filt"];

/// Commands that only read with exactly these arguments.
const GIT_LISTING: &str = "branch, branch -a, branch -r, branch -v, branch -vv, branch --list, \
    branch --show-current, remote, remote -v, stash list, tag, tag -l, worktree list, config --list, \
    config -l, submodule status, reflog";

/// Whether a command of git only reads, and whether it may remove files or give them an earlier content back.
fn git(mut arguments: &[ShellWord]) -> (bool, bool) {
    // Other options may have another folder, or other settings, decide what it does.
    let mut is_known = true;
    while let [option, rest @ ..] = arguments
        && option.text.starts_with('-')
    {
        is_known &= is_listed(&option.text, "-C --no-pager -P");
        let values = usize::from(is_listed(&option.text, "-C -c --git-dir --work-tree"));
        is_known &= rest.iter().take(values).all(ShellWord::is_fixed);
        arguments = rest.get(values..).unwrap_or_default();
    }
    // A word that is not known may be any file.
    let words = arguments.iter().map(|word| word.literal().unwrap_or("*"));
    let words: Vec<&str> = words.collect();
    let command = words.first().copied().unwrap_or_default();
    let is_safe = |word: &ShellWord| {
        let mut options = GIT_DANGEROUS.iter();
        word.is_fixed() && !options.any(|option| word.text.starts_with(option))
    };
    let only_reads = is_listed(command, GIT_READING) && arguments.iter().all(is_safe)
        // The index is not a file of the project.
        || command == "add" && arguments.iter().all(|word| word.literal().is_some())
        || GIT_LISTING.split(", ").any(|listed| listed == words.join(" "));
    let is_new_branch = matches!(words[..], ["checkout", "-b", _] | ["switch", "-c", _]);
    // Another command may be an alias.
    let is_sparing = is_listed(command, GIT_SPARING) || is_listed(command, GIT_READING);
    let spares = only_reads || is_sparing || is_new_branch;
    (only_reads && is_known, !spares && !command.is_empty())
}

/// Whether git makes a commit with these arguments, unless it fails.
fn commits(arguments: &[ShellWord]) -> bool {
    let mut has_value = false;
    // A shortened option, or a word of an expansion, may be the one that makes none. A message is no option.
    let is_known = |word: &ShellWord| {
        let option = word.literal().filter(|it| it.starts_with('-') && it.ends_with(['m', 'F']));
        let is_value = std::mem::replace(&mut has_value, option.is_some());
        is_value || word.literal().is_some_and(|it| !it.starts_with("--d"))
    };
    let command = arguments.first().and_then(ShellWord::literal);
    command == Some("commit") && arguments[1..].iter().all(is_known)
}

/// Whether a program that prints what it reads from a pipe may leave out single lines. None for another
/// program, and for one that may read files instead.
fn filter(name: &str, arguments: &[ShellWord]) -> Option<bool> {
    let is_option = |it: &str| it.starts_with(['-', '+']) || it.parse::<u64>().is_ok();
    let operands = arguments.iter().filter(|it| !it.literal().is_some_and(is_option)).count();
    match (name, operands) {
        ("tail" | "cat", 0) | ("tee", _) => Some(false),
        ("head", 0) | ("grep" | "egrep", 0..=1) => Some(true),
        _ => None,
    }
}

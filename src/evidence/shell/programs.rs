//! What known programs do with files: most of them only read. Of any other program nothing is known.

use std::sync::LazyLock;

use regex::Regex;

use super::FileChange::{self, RepositoryUndone, Undone};
use super::reader::{ShellWord, is_name};
use super::{ANYWHERE, decides, is_listed};

#[derive(Debug, Default)]
pub(super) struct Deed {
    /// Files that it may remove, or give an earlier content back.
    pub(super) undone: Undoings,
    pub(super) may_write: bool,
    pub(super) may_run: bool,
}

type Undoings = Vec<(FileChange, String)>;

impl Deed {
    /// That of a program that may write files, and undoes these.
    fn writes(undone: Undoings) -> Self {
        let (may_write, may_run) = (true, false);
        Self { undone, may_write, may_run }
    }

    /// That of a program that may do anything, and undoes these files.
    fn unknown(undone: Undoings) -> Self {
        let (may_write, may_run) = (true, true);
        Self { undone, may_write, may_run }
    }
}

/// What a command does to the shell that runs it.
pub(super) enum ShellDeed {
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
    unalias enable disable coproc bye bind shopt let mapfile readarray getopts hash rehash unsetopt \
    emulate zmodload autoload functions noglob nocorrect -";

/// Commands after which the shell may have ended, unless [`of_shell`] knows their arguments.
const ENDING: &str = "exit return set command builtin exec time trap logout setopt";

pub(super) fn of_shell(name: &str, arguments: &[ShellWord]) -> ShellDeed {
    let first = arguments.first().and_then(ShellWord::literal);
    let first = first.unwrap_or_default();
    // With other options, such as `-n`, no command may run any more.
    let is_plain_option = |word: &ShellWord| {
        let letters = word.text.strip_prefix(['-', '+']);
        let are_known = letters.is_some_and(|it| it.chars().all(|it| "euxEo".contains(it)));
        word.literal().is_some() && (are_known || word.text == "pipefail")
    };
    let is_plain_variable = |word: &ShellWord| {
        let literal = word.literal().unwrap_or_default();
        word.variable().is_some()
            || is_name(literal) && !decides(literal)
            || is_listed(literal, "-x -r -g -p -s")
    };
    // With these options they evaluate a name, set a variable, or run a command.
    let evaluates = |word: &ShellWord| is_listed(&word.text, "-v -R -p -x");
    match name {
        "cd" | "pushd" | "popd" => ShellDeed::Enters,
        // The status of the whole command line tells that it ended here.
        "exit" | "return" if matches!(first.parse(), Ok(1..=u8::MAX)) => ShellDeed::Nothing,
        "command" if is_listed(first, "-v -V") => ShellDeed::Nothing,
        "set" if arguments.iter().all(is_plain_option) => ShellDeed::Nothing,
        "printf" if !first.is_empty() && !first.starts_with("-v") => ShellDeed::Nothing,
        "test" | "[" | "wait" | "jobs" if arguments.iter().any(evaluates) => ShellDeed::Changes,
        "export" | "local" | "declare" | "typeset" | "readonly" | "read" | "unset"
            if arguments.iter().all(is_plain_variable) =>
        {
            ShellDeed::Sets
        }
        _ if is_listed(name, ENDING) => ShellDeed::Ends,
        _ if is_listed(name, CHANGING) => ShellDeed::Changes,
        _ => ShellDeed::Nothing,
    }
}

/// Whether a variable can hardly change what known programs do.
pub(super) fn is_harmless_variable(name: &str) -> bool {
    const HARMLESS: &str = "LANG LANGUAGE TZ TERM CI NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE \
        COLUMNS DEBUG NODE_ENV RUST_LOG RUST_BACKTRACE";
    is_listed(name, HARMLESS)
        || name.starts_with("LC_")
        || name.bytes().all(|byte| !byte.is_ascii_uppercase())
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

/// Programs that write files and run no others.
const WRITERS: &str = "cp ln install touch truncate dd tee";

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

pub(super) fn deed(name: &str, arguments: &[ShellWord]) -> Deed {
    let is_fixed = arguments.iter().all(ShellWord::is_fixed);
    let words: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    if name == "git" {
        return git(arguments);
    }
    if is_listed(name, READERS) || is_fixed && only_reads(name, &words) {
        return Deed::default();
    }
    match name {
        "rm" | "unlink" | "rmdir" | "shred" | "trash" => {
            let may_write = false;
            Deed { may_write, ..Deed::writes(undone(arguments)) }
        }
        "mv" => {
            // With `-t`, the last word is a source, too.
            let takes_target = |word: &&str| word.starts_with('-') && word.contains('t');
            let others = usize::from(!words.iter().any(takes_target));
            Deed::writes(undone(arguments.iter().rev().skip(others)))
        }
        "sed" | "gsed" => sed(arguments, is_fixed),
        _ if is_listed(name, WRITERS) => Deed::writes(Vec::new()),
        _ => {
            let undoes = if is_listed(name, TOLD) {
                words.iter().any(|words| may_undo(words))
            } else {
                name.split('-').any(may_undo)
            };
            Deed::unknown(anything(undoes))
        }
    }
}

/// That anything is undone, if it is.
fn anything(is_undone: bool) -> Undoings {
    let undone = is_undone.then(|| (Undone, ANYWHERE.to_owned()));
    undone.into_iter().collect()
}

fn only_reads(name: &str, words: &[&str]) -> bool {
    match name {
        "hostname" => words.is_empty(),
        "command" => matches!(words, ["-v" | "-V", ..]),
        "uniq" => {
            let is_option = |word: &&&str| is_listed(word, "-c -d -u -i -z --count --repeated");
            words.iter().filter(|word| !is_option(word)).count() <= 1
        }
        // It writes no file, runs no program, and has no other script.
        "awk" | "gawk" | "mawk" => words.iter().all(|word| {
            let is_value = word.len() == 1 || word.starts_with("-F") || *word == "-v";
            is_value
                || !word.contains(['>', '|', '@'])
                    && !word.contains("system")
                    && !word.starts_with('-')
        }),
        "xargs" => xargs(words),
        _ => {
            let mut rows = MOSTLY_READERS.iter();
            let Some((_, options, letters)) = rows.find(|row| is_listed(name, row.0)) else {
                return false;
            };
            !words.iter().any(|word| {
                let is_short = word.starts_with('-') && !word.starts_with("--");
                let writes = options.iter().any(|option| word.starts_with(option));
                writes || is_short && word.contains(*letters)
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
        if !value.is_empty() && !value.starts_with(['a', 'd', 'E', 'I', 'L', 'n', 'P', 's']) {
            return false;
        }
        let values = usize::from(value.len() == 1);
        words = rest.get(values..).unwrap_or_default();
    }
    let program = words.first();
    program.is_none_or(|name| is_listed(bare(name), READERS))
}

/// A script of sed that only prints, deletes and replaces: it neither writes another file nor runs a program.
static EDITS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const ADDRESS: &str = r"(\d+|\$|/(\\.|[^/\\])*/[IM]?)";
    let replaced = ["/", "\\|", "#", ","].map(|mark| {
        let part = format!(r"(\\.|[^{mark}\\])*{mark}");
        format!("[sy]{mark}{part}{part}[gpiIm0-9]*")
    });
    let command = format!(
        r"(({ADDRESS}([,~]\+?{ADDRESS})?)?\s*!?\s*([pdDPnNgGhHxl=q]|{})\s*)?",
        replaced.join("|")
    );
    Regex::new(&format!(r"^\s*{command}([;\n]\s*{command})*$")).ok()
});

fn sed(arguments: &[ShellWord], is_fixed: bool) -> Deed {
    const OPTIONS: &str = "-n -E -r -nE -nr -En -Ei -ri";
    let (mut scripts, mut files) = (Vec::new(), Vec::new());
    let (mut are_known, mut is_in_place) = (true, false);
    // The `sed` of BSD takes the extension of a backup as a separate, empty word.
    let mut words = arguments.iter().filter(|word| word.literal() != Some(""));
    while let Some(word) = words.next() {
        match &*word.text {
            "-e" => scripts.extend(words.next()),
            option if option.starts_with('-') => {
                let is_backup = option.starts_with("-i") || option.starts_with("--in-place");
                are_known &= is_backup || is_listed(option, OPTIONS);
                is_in_place |= option.contains('i');
            }
            _ => files.push(word),
        }
    }
    if scripts.is_empty() && !files.is_empty() {
        scripts.push(files.remove(0));
    }
    let edits = EDITS.as_ref();
    let is_edit = |script: &&ShellWord| edits.is_some_and(|edits| edits.is_match(&script.text));
    let is_read = is_fixed && are_known && !scripts.is_empty() && scripts.iter().all(is_edit);
    // Without the lines that were added before, a file may have its earlier content again.
    let may_delete = |script: &&ShellWord| {
        let mut commands = script.text.split([';', '\n', '}']);
        script.text.is_empty() || commands.any(|it| it.trim_end().ends_with(['d', 'D']))
    };
    let deletes = !are_known || scripts.iter().any(may_delete);
    let undone = undone(files.into_iter().filter(|_| is_in_place && deletes));
    match (is_read, is_in_place) {
        (true, false) => Deed::default(),
        (true, true) => Deed::writes(undone),
        (false, _) => Deed::unknown(undone),
    }
}

/// What is undone if these words are files, or stand for some.
fn undone<'w>(words: impl IntoIterator<Item = &'w ShellWord>) -> Undoings {
    let files = words.into_iter().filter(|word| !word.text.starts_with('-'));
    let place = |word: &'w ShellWord| match (word.literal(), word.beginning().rsplit_once('/')) {
        (Some(path), _) => path,
        (None, Some(("", _))) => ANYWHERE,
        (None, Some((folder, _))) => folder,
        (None, None) if word.expands => ANYWHERE,
        (None, None) => ".",
    };
    files.map(|word| (Undone, place(word).to_owned())).collect()
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
    branch --show-current, remote, remote -v, stash list, tag, tag -l, tag --list, worktree list, \
    config --list, config -l, submodule status, reflog";

/// Whether git makes a commit with these arguments, unless it fails.
pub(super) fn commits(mut arguments: &[ShellWord]) -> bool {
    while let [option, _, rest @ ..] = arguments
        && matches!(option.literal(), Some("-C" | "-c"))
    {
        arguments = rest;
    }
    let Some((command, rest)) = arguments.split_first() else {
        return false;
    };
    let is_short = |it: &str| it.starts_with('-') && !it.starts_with("--");
    let mut has_value = false;
    // A shortened option, or a word of an expansion, may be the one that makes none. A message is no option.
    let is_known = |word: &ShellWord| {
        let option = word.literal().filter(|it| is_short(it) && it.ends_with(['m', 'F']));
        let is_value = std::mem::replace(&mut has_value, option.is_some());
        let start = word.beginning();
        is_value || !start.is_empty() && !start.starts_with("--d")
    };
    command.literal() == Some("commit") && rest.iter().all(is_known)
}

fn git(mut arguments: &[ShellWord]) -> Deed {
    const WITH_VALUE: &str = "-C -c --git-dir --work-tree --namespace --config-env --attr-source";
    let (mut folder, mut is_known) = (None, true);
    while let [option, rest @ ..] = arguments
        && option.text.starts_with('-')
    {
        match option.literal() {
            Some("--no-pager" | "-P") => {}
            Some("-C") if folder.is_none() => folder = rest.first(),
            _ => is_known = false,
        }
        let values = usize::from(is_listed(&option.text, WITH_VALUE));
        arguments = rest.get(values..).unwrap_or_default();
    }
    let mut deed = git_command(arguments);
    if let Some(folder) = folder {
        deed.may_write |= !folder.is_fixed();
        if !deed.undone.is_empty() {
            let folder = folder.literal().unwrap_or(ANYWHERE);
            deed.undone = vec![(RepositoryUndone, folder.to_owned())];
        }
    }
    if is_known {
        return deed;
    }
    // Another folder, or other settings, decide what it does.
    Deed::unknown(anything(!deed.undone.is_empty()))
}

fn git_command(arguments: &[ShellWord]) -> Deed {
    // A word that is not known may be any file.
    let words = arguments.iter().map(|word| word.literal().unwrap_or("*"));
    let words: Vec<&str> = words.collect();
    let Some((&command, rest)) = words.split_first() else {
        return Deed::unknown(Vec::new());
    };
    let is_literal = arguments.iter().all(|word| word.literal().is_some());
    let is_safe = |word: &ShellWord| {
        let mut options = GIT_DANGEROUS.iter();
        word.is_fixed() && !options.any(|option| word.text.starts_with(option))
    };
    let is_reading = match command {
        // The index is not a file of the project.
        "add" => is_literal,
        "rm" if rest.contains(&"--cached") => is_literal,
        "config" => is_literal && matches!(rest, ["--get", _]),
        _ => {
            let all = words.join(" ");
            is_listed(command, GIT_READING) && arguments.iter().all(is_safe)
                || GIT_LISTING.split(", ").any(|listed| listed == all)
        }
    };
    if is_reading {
        return Deed::default();
    }
    // Hooks may write.
    Deed::unknown(undone_by_git(command, rest))
}

/// What a command of git may remove, or give an earlier content back.
fn undone_by_git(command: &str, arguments: &[&str]) -> Undoings {
    let has = |list: &str| arguments.iter().any(|it| is_listed(it, list));
    let is_dry = |it: &&str| {
        *it == "--dry-run" || it.starts_with('-') && !it.starts_with("--") && it.contains('n')
    };
    let undoes = match command {
        "checkout" | "switch" => !matches!(arguments, ["-b" | "-c" | "--create" | "--orphan", _]),
        "stash" => {
            let sparing = "pop apply list show drop clear create store";
            !arguments.first().is_some_and(|it| is_listed(it, sparing))
        }
        "restore" => !has("--staged -S") || has("--worktree -W"),
        "clean" => !arguments.iter().any(is_dry),
        "reset" => has("--hard --merge --keep"),
        "apply" => has("-R --reverse"),
        "merge" | "rebase" | "cherry-pick" | "am" => has("--abort --skip"),
        "worktree" => has("remove"),
        // Another command may be an alias.
        _ => !is_listed(command, GIT_SPARING) && !is_listed(command, GIT_READING),
    };
    if !undoes {
        return Vec::new();
    }
    let (options, named) = match arguments.iter().position(|it| *it == "--") {
        Some(end) => (&[][..], &arguments[end + 1..]),
        None => (arguments, &[][..]),
    };
    // An operand that is none names a file that is not there.
    let takes_files = is_listed(command, "rm mv restore clean");
    let operands = options.iter();
    let operands = operands.filter(|it| takes_files && !it.starts_with('-'));
    let files: Vec<&&str> = operands.chain(named).collect();
    // Which files a pattern of git names is not known.
    let is_plain = |file: &&&str| !file.starts_with(':') && !file.contains(['*', '?', '[', '\\']);
    if files.is_empty() || !files.iter().all(is_plain) {
        return vec![(RepositoryUndone, ".".to_owned())];
    }
    let files = files.into_iter();
    files.map(|file| (Undone, (*file).to_owned())).collect()
}

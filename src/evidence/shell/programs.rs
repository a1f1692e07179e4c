//! What known programs do with files: most of them only read. Of any other program nothing is known.

use std::sync::LazyLock;

use regex::Regex;

use super::FileChange::{self, Removed, RepositoryUndone, SomeUndone, Written};
use super::state::is_harmless_variable;
use super::syntax::{ShellWord, is_listed};

/// What a command does to files, as its arguments have them.
#[derive(Debug, Default)]
pub(super) struct Deed {
    /// Files that it may write, remove or give an earlier content back.
    pub(super) changes: Vec<(FileChange, String)>,
    /// Whether it may write others.
    pub(super) may_write: bool,
    /// Whether it may run other programs.
    pub(super) may_run: bool,
}

impl Deed {
    pub(super) fn unknown() -> Self {
        Self {
            may_write: true,
            may_run: true,
            ..Self::default()
        }
    }

    fn of(changes: Vec<(FileChange, String)>) -> Self {
        Self {
            changes,
            ..Self::default()
        }
    }
}

/// Programs that write no file, whatever their arguments.
const READERS: &str = "cat tac nl head tail wc ls dir vdir stat du df pwd basename dirname \
    realpath readlink grep egrep fgrep zgrep cut tr rev paste join comm diff cmp column fold expand \
    unexpand od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum \
    sum echo printf test [ [[ true false : expr seq yes sleep wait which type whereis whoami id groups \
    uname uptime ps pgrep free nproc lscpu lsof printenv locale getconf tput jq unset shift read \
    ulimit jobs mkdir chmod chown chgrp cd pushd popd";

/// Programs that write, or run others, only with some options: the beginnings of these, and their letters
/// among options of one letter.
const MOSTLY_READERS: &[(&str, &[&str], &[char])] = &[
    ("find", &["-exec", "-ok", "-delete", "-fprint", "-fls"], &[]),
    ("fd fdfind", &["--exec"], &['x', 'X']),
    ("rg", &["--pre", "--hostname-bin"], &[]),
    ("sort", &["--o", "--c"], &['o']),
    ("tree", &["-o", "-R"], &[]),
    ("file", &["-C", "--c"], &[]),
    ("date", &["-s", "--s"], &[]),
];

const REMOVERS: &str = "rm unlink rmdir shred trash trash-put";

/// Programs that write files, and only under a name that they are given or the same name in another folder.
const COPIERS: &str = "cp mv ln install";

/// Commands of other version controls that give files an earlier content back.
const UNDOING: &str = "hg revert, hg update, hg checkout, hg shelve, hg purge, svn revert, jj restore, \
    jj undo, jj abandon, jj edit, jj new, gh pr checkout";

/// What stands for any file.
pub(super) const ANY: &str = "*";

pub(super) fn deed(name: &str, arguments: &[ShellWord]) -> Deed {
    if name == "git" {
        return git(arguments);
    }
    match (name, closed(arguments)) {
        _ if is_listed(name, READERS) || is_reading(name, arguments) => Deed::default(),
        _ if is_listed(name, REMOVERS) => Deed::of(removed(arguments)),
        _ if is_listed(name, COPIERS) => {
            let sources = arguments.split_last().filter(|_| name == "mv");
            Deed {
                changes: sources
                    .map(|(_, sources)| removed(sources))
                    .unwrap_or_default(),
                may_write: true,
                may_run: false,
            }
        }
        ("touch" | "truncate", Some(words)) => Deed::of(written(&words)),
        ("dd", Some(words)) => {
            let files = words.iter().filter_map(|it| it.strip_prefix("of="));
            Deed::of(written(&files.collect::<Vec<_>>()))
        }
        ("sed" | "gsed", Some(words)) => sed(&words),
        _ => Deed {
            changes: by_search(name, arguments).into_iter().collect(),
            ..Deed::unknown()
        },
    }
}

/// The arguments. None if the shell could turn one of them into an option, or another one.
pub(super) fn closed(arguments: &[ShellWord]) -> Option<Vec<&str>> {
    let closed = |word: &ShellWord| word.literal().is_some() || !word.is_open();
    let words = arguments.iter().map(|word| word.text.as_str()).collect();
    arguments.iter().all(closed).then_some(words)
}

fn is_reading(name: &str, arguments: &[ShellWord]) -> bool {
    match (name, closed(arguments)) {
        ("export" | "local" | "declare", _) => arguments.iter().all(|word| {
            let name = word.text.split('=').next().unwrap_or_default();
            !name.is_empty() && is_harmless_variable(name)
        }),
        ("xargs", _) => xargs(arguments),
        ("hostname", Some(words)) => words.is_empty(),
        ("uniq", Some(words)) => words.iter().filter(|word| !word.starts_with('-')).count() <= 1,
        ("awk" | "gawk" | "mawk", Some(words)) => awk(&words),
        (_, Some(words)) => {
            let mut rows = MOSTLY_READERS.iter();
            rows.find(|row| is_listed(name, row.0))
                .is_some_and(|(_, options, letters)| {
                    let is_short = |word: &str| word.starts_with('-') && !word.starts_with("--");
                    !words.iter().any(|word| {
                        let mut options = options.iter();
                        options.any(|option| word.starts_with(option))
                            || is_short(word) && word.contains(*letters)
                    })
                })
        }
        (_, None) => false,
    }
}

/// Whether a program of awk has no output to files or pipes, and runs no other programs.
fn awk(mut words: &[&str]) -> bool {
    loop {
        match words {
            ["-F" | "-v", _, rest @ ..] => words = rest,
            [option, rest @ ..] if option.len() > 2 && option.starts_with("-F") => words = rest,
            [program, ..] if !program.starts_with('-') => {
                return !program.contains(['>', '|', '@']) && !program.contains("system");
            }
            _ => return false,
        }
    }
}

/// Whether `xargs` runs a program that writes nothing, whatever its arguments.
fn xargs(arguments: &[ShellWord]) -> bool {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        match word.literal() {
            Some("-0" | "-r" | "-t" | "--null" | "--no-run-if-empty") => {}
            Some("-n" | "-I" | "-P" | "-L" | "-d") => {
                rest.next();
            }
            Some(program) => return is_listed(program, READERS),
            None => return false,
        }
    }
    true
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

/// A command that deletes lines.
static DELETES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[dD]\s*(;|\n|\}|$)").ok());

fn sed(words: &[&str]) -> Deed {
    let (mut scripts, mut files) = (Vec::new(), Vec::new());
    let (mut is_in_place, mut has_script) = (false, false);
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        match word {
            "-e" | "--expression" => {
                scripts.extend(rest.next());
                has_script = true;
            }
            "-i" | "-Ei" | "-ri" | "--in-place" => {
                is_in_place = true;
                // The `sed` of BSD takes the extension of the backup as a separate word.
                rest.next_if(|next| next.is_empty());
            }
            "--quiet" | "--silent" | "--regexp-extended" | "--posix" => {}
            _ if word.len() > 1 && word.starts_with('-') => {
                if !word[1..].chars().all(|it| "nErszu".contains(it)) {
                    return Deed::unknown();
                }
            }
            _ if !has_script => {
                scripts.push(word);
                has_script = true;
            }
            _ => files.push(word),
        }
    }
    let fits =
        |regex: &Option<Regex>, script: &str| regex.as_ref().is_some_and(|it| it.is_match(script));
    let is_plain = scripts.iter().all(|script| fits(&EDITS, script));
    // Without the lines that were added before, a file may have its earlier content again.
    let deletes = scripts.iter().any(|script| fits(&DELETES, script));
    let files = files.iter().copied().filter(|_| is_in_place);
    let changes = |change| files.clone().map(move |it| (change, it.to_owned()));
    let undone = changes(Removed).filter(|_| deletes);
    Deed {
        changes: changes(Written).chain(undone).collect(),
        may_write: !is_plain,
        may_run: !is_plain,
    }
}

/// The files that are written if these words are files.
fn written(words: &[&str]) -> Vec<(FileChange, String)> {
    let files = words
        .iter()
        .filter(|word| !word.starts_with('-') && !word.starts_with("/dev/"));
    files.map(|file| (Written, (*file).to_owned())).collect()
}

/// The files that are removed if these words are files, or may stand for some.
fn removed(words: &[ShellWord]) -> Vec<(FileChange, String)> {
    let files = words.iter().filter(|word| !word.text.starts_with('-'));
    let removed = files.map(|word| match word.literal() {
        Some(path) => (Removed, path.to_owned()),
        None => (SomeUndone, files_of(word)),
    });
    removed.collect()
}

/// The files that a word may stand for: a path whose last part is a pattern. What comes before the first
/// expansion is literal, and so is the end of a pattern without expansions.
pub(super) fn files_of(word: &ShellWord) -> String {
    let text = word.beginning();
    if text.is_empty() {
        return ANY.to_owned();
    }
    let (start, pattern) = text.split_at(text.find(['*', '?', '[', '{']).unwrap_or(text.len()));
    let (folder, name) = start
        .rsplit_once('/')
        .map_or((".", start), |(folder, name)| {
            (if folder.is_empty() { "/" } else { folder }, name)
        });
    let is_whole = !word.expands && !pattern.contains(['{', '/']);
    let end = pattern.rsplit(['*', '?', ']']).next().filter(|_| is_whole);
    format!("{folder}/{name}{ANY}{}", end.unwrap_or_default())
}

/// The files that a program undoes whose names come from other programs or from searches.
fn by_search(name: &str, arguments: &[ShellWord]) -> Option<(FileChange, String)> {
    let words = || arguments.iter().filter_map(ShellWord::literal);
    let has = |names: &str| words().any(|word| is_listed(word, names));
    let is_begun_by = |command: &str| {
        let mut known = command.split(' ');
        known.next() == Some(name) && known.eq(words().take(command.split(' ').count() - 1))
    };
    if UNDOING.split(", ").any(is_begun_by) {
        return Some((RepositoryUndone, ".".to_owned()));
    }
    let removes = || has(REMOVERS) || has("mv");
    let undoes = || removes() || has("git") && has("checkout restore clean");
    let files = match name {
        "find" if has("-delete") || undoes() => found(arguments),
        "xargs" | "parallel" if undoes() => ANY.to_owned(),
        "patch" if has("-R --reverse") => format!("./{ANY}"),
        _ => return None,
    };
    Some((SomeUndone, files))
}

/// The files that `find` finds.
fn found(arguments: &[ShellWord]) -> String {
    let words: Option<Vec<&str>> = arguments.iter().map(ShellWord::literal).collect();
    let words = words.unwrap_or_default();
    let after = |option: &str| words.iter().skip_while(|word| **word != option).nth(1);
    let is_other = |word: &&str| is_listed(word, "-o -or ! -not , -iname");
    let name = after("-name").filter(|_| !words.iter().any(is_other));
    match &words[..] {
        [folder, second, ..] if !folder.starts_with('-') && second.starts_with('-') => {
            let name = name.copied().unwrap_or(ANY);
            files_of(&ShellWord {
                text: format!("{folder}/{name}"),
                ..ShellWord::default()
            })
        }
        _ => ANY.to_owned(),
    }
}

/// Commands that only read, unless they have an option of `GIT_DANGEROUS`.
const GIT_READING: &str = "status log diff show blame annotate rev-parse rev-list ls-files ls-tree \
    cat-file describe shortlog grep merge-base name-rev for-each-ref show-ref show-branch diff-tree \
    diff-index diff-files count-objects whatchanged check-ignore check-attr version";

/// The beginnings of options that write a file or run a program. Git accepts shortened options.
const GIT_DANGEROUS: &[&str] = &["--ou", "--ext", "--te", "-O", "--filt"];

/// Commands that only read with exactly these arguments.
const GIT_LISTING: &str = "branch, branch -a, branch -r, branch -v, branch -vv, branch --list, \
    branch --show-current, remote, remote -v, stash list, tag, tag -l, tag --list, worktree list, \
    config --list, config -l, submodule status, reflog";

/// Other commands that may give files an earlier content back, or remove them, whatever their arguments.
const GIT_UNDOING: &str = "revert mv bisect read-tree checkout-index sparse-checkout";

fn git(arguments: &[ShellWord]) -> Deed {
    let is_quiet = |word: &&ShellWord| word.is("--no-pager") || word.is("-P");
    let arguments = &arguments[arguments.iter().take_while(is_quiet).count()..];
    let [option, folder, rest @ ..] = arguments else {
        return git_command(arguments);
    };
    if !option.is("-C") {
        return git_command(arguments);
    }
    let mut deed = git_command(rest);
    if let Some(folder) = folder.literal() {
        for (_, path) in &mut deed.changes {
            if !path.starts_with('/') {
                *path = format!("{}/{path}", folder.trim_end_matches('/'));
            }
        }
    } else if !deed.changes.is_empty() {
        deed.changes = vec![(SomeUndone, ANY.to_owned())];
    } else if folder.is_open() {
        deed.may_write = true;
    }
    deed
}

fn git_command(arguments: &[ShellWord]) -> Deed {
    let Some(command) = arguments.first().and_then(ShellWord::literal) else {
        return Deed::unknown();
    };
    let is_read = |word: &ShellWord| {
        let mut options = GIT_DANGEROUS.iter();
        !word.is_open() && !options.any(|option| word.text.starts_with(option))
    };
    let is_literal = arguments.iter().all(|word| word.literal().is_some());
    // A word that is not known may be any file.
    let words = arguments.iter().map(|word| word.literal().unwrap_or(ANY));
    let words: Vec<&str> = words.collect();
    let rest = &words[1..];
    let is_reading = match command {
        // The index is not a file of the project.
        "add" => is_literal,
        "rm" => is_literal && rest.contains(&"--cached"),
        "config" => is_literal && matches!(rest, ["--get", _]),
        _ => {
            is_listed(command, GIT_READING) && arguments.iter().all(is_read)
                || GIT_LISTING
                    .split(", ")
                    .any(|listed| listed == words.join(" "))
        }
    };
    if is_reading {
        return Deed::default();
    }
    // Hooks may write.
    undoing(command, rest).unwrap_or_else(Deed::unknown)
}

/// What a command does that may give files an earlier content back, or remove them. None if it does not.
fn undoing(command: &str, arguments: &[&str]) -> Option<Deed> {
    let end = arguments.iter().position(|it| *it == "--");
    let (before, after) = arguments.split_at(end.unwrap_or(arguments.len()));
    let is_option = |it: &&&str| it.len() > 1 && it.starts_with('-');
    let options = || before.iter().filter(is_option);
    let operands = before
        .iter()
        .filter(|it| !is_option(it))
        .chain(after.iter().skip(1));
    let operands: Vec<&str> = operands.copied().collect();
    let has = |list: &str| arguments.iter().any(|it| is_listed(it, list));
    let is_known = |letters: &str, known: &str| {
        options().all(|it| {
            let mut short = it.chars().skip(1);
            is_listed(it, known) || !it.starts_with("--") && short.all(|it| letters.contains(it))
        })
    };
    let is_dry = |it: &&str| *it == "--dry-run" || !it.starts_with("--") && it.contains('n');
    let undoes = match command {
        "checkout" | "switch" => !matches!(arguments, ["-b" | "-c" | "--create" | "--orphan", _]),
        "stash" => {
            let sparing = "pop apply list show drop clear create store";
            !arguments.first().is_some_and(|it| is_listed(it, sparing))
        }
        "restore" => !has("--staged -S") || has("--worktree -W"),
        "rm" => true,
        "clean" => !options().any(is_dry),
        "reset" => has("--hard --merge --keep"),
        "apply" => has("-R --reverse"),
        "merge" | "rebase" | "cherry-pick" | "am" => has("--abort --skip"),
        _ => is_listed(command, GIT_UNDOING),
    };
    let files = match (command, end) {
        _ if !undoes => return None,
        ("checkout" | "stash", Some(at)) => arguments[at + 1..].to_vec(),
        // The first operand may be a commit.
        ("checkout", _) if operands.len() > 1 && is_known("fq", "") => operands,
        ("restore", _) if is_known("sSWq", "--staged --worktree --source") => operands,
        ("clean", _) if is_known("fdxXq", "--force") && operands.is_empty() => vec!["."],
        ("clean", _) if is_known("fdxXq", "--force") => operands,
        ("rm", _) if is_known("rfq", "") => operands,
        ("mv", _) if is_known("fv", "") => operands,
        _ => Vec::new(),
    };
    // Which files a pattern of git names is not known.
    let is_plain = |file: &&str| !file.starts_with(':') && !file.contains(['*', '?', '[', '\\']);
    let changes = if files.is_empty() || !files.iter().all(is_plain) {
        vec![(RepositoryUndone, ".".to_owned())]
    } else {
        files
            .iter()
            .map(|file| (Removed, (*file).to_owned()))
            .collect()
    };
    Some(Deed {
        changes,
        ..Deed::unknown()
    })
}

//! What the commands of git write.

use super::super::FileChange;
use super::super::undone;
use super::super::word::{Redirection, ShellWord};
use super::files::transfer;
use super::{Conduct, WriteMode, are_among, diffs, literals, split};

/// Commands that only read, unless they have an option of `DANGEROUS`.
const READING: &[&str] = &[
    "status",
    "log",
    "diff",
    "show",
    "blame",
    "annotate",
    "rev-parse",
    "rev-list",
    "ls-files",
    "ls-tree",
    "cat-file",
    "describe",
    "shortlog",
    "grep",
    "merge-base",
    "name-rev",
    "for-each-ref",
    "show-ref",
    "show-branch",
    "diff-tree",
    "diff-index",
    "diff-files",
    "count-objects",
    "whatchanged",
    "check-ignore",
    "check-attr",
    "version",
];

/// The beginnings of options that write a file or run a program. Git accepts shortened options.
const DANGEROUS: &[&str] = &["--ou", "--ext", "--te", "-O", "--filt"];

/// Commands that only read with exactly these arguments.
const LISTING: &[&[&str]] = &[
    &["branch"],
    &["branch", "-a"],
    &["branch", "-r"],
    &["branch", "-v"],
    &["branch", "-vv"],
    &["branch", "--list"],
    &["branch", "--show-current"],
    &["remote"],
    &["remote", "-v"],
    &["stash", "list"],
    &["tag"],
    &["tag", "-l"],
    &["tag", "--list"],
    &["worktree", "list"],
    &["config", "--list"],
    &["config", "-l"],
    &["submodule", "status"],
    &["reflog"],
];

/// Commands that may give files an earlier content back, or remove them.
const UNDOING: &[&str] = &[
    "checkout",
    "restore",
    "stash",
    "reset",
    "clean",
    "switch",
    "revert",
    "apply",
    "rm",
    "mv",
    "bisect",
    "merge",
    "rebase",
    "cherry-pick",
    "am",
    "read-tree",
    "checkout-index",
    "sparse-checkout",
];

pub(super) fn conduct(
    name: &str,
    arguments: &[ShellWord],
    redirections: &[Redirection],
) -> Option<Conduct> {
    if name != "git" {
        return None;
    }
    let quiet = ["--no-pager", "-P"];
    let skipped = arguments
        .iter()
        .take_while(|word| quiet.iter().any(|option| word.is(option)));
    let arguments = &arguments[skipped.count()..];
    let (folder, arguments) = match arguments {
        [option, folder, rest @ ..] if option.is("-C") => (Some(folder), rest),
        _ => (None, arguments),
    };
    let mut conduct = command(arguments, redirections);
    if let Some(folder) = folder {
        if let Some(folder) = folder.literal() {
            enter(&mut conduct, folder);
        } else {
            let changes = std::mem::take(&mut conduct.changes);
            conduct.may_write |= !changes.is_empty() || folder.is_open();
            let mut changes = changes.into_iter();
            if changes.any(|(change, _)| change.undoes()) {
                let any = (FileChange::SomeUndone, undone::ANY.to_owned());
                conduct.changes.push(any);
            }
        }
    }
    Some(conduct)
}

/// Moves the paths of the changes into this folder.
fn enter(conduct: &mut Conduct, folder: &str) {
    conduct.is_certain &= conduct.mode != WriteMode::FromTop;
    for (_, path) in &mut conduct.changes {
        if !path.starts_with('/') {
            *path = format!("{}/{path}", folder.trim_end_matches('/'));
        }
    }
}

fn command(arguments: &[ShellWord], redirections: &[Redirection]) -> Conduct {
    let Some(command) = arguments.first().and_then(ShellWord::literal) else {
        return Conduct::unknown();
    };
    if command == "commit" {
        // The hooks of a commit may write.
        return Conduct {
            commits: true,
            is_certain: true,
            ..Conduct::unknown()
        };
    }
    let Some(words) = literals(arguments) else {
        let is_read = READING.contains(&command) && !arguments.iter().any(ShellWord::is_open);
        return if is_read && !is_dangerous(arguments.iter().map(|word| word.text.as_str())) {
            Conduct::nothing()
        } else {
            // A word that is not known may be any file.
            let words: Vec<&str> = arguments[1..]
                .iter()
                .map(|word| word.literal().unwrap_or(undone::ANY))
                .collect();
            undoing(command, &words).unwrap_or_else(Conduct::unknown)
        };
    };
    if READING.contains(&command) && !is_dangerous(words.iter().copied())
        || LISTING.contains(&&words[..])
    {
        return Conduct::nothing();
    }
    let rest = &words[1..];
    match command {
        // The index is not a file of the project.
        "add" => Conduct::nothing(),
        "config" if matches!(rest, ["--get", _]) => Conduct::nothing(),
        "mv" => mv(rest),
        "rm" => rm(rest),
        "apply" => undoing(command, rest).unwrap_or_else(|| diffs::git_apply(rest, redirections)),
        _ => undoing(command, rest).unwrap_or_else(Conduct::unknown),
    }
}

/// What a command does that may give files an earlier content back, or remove them. None if it does not.
fn undoing(command: &str, arguments: &[&str]) -> Option<Conduct> {
    let has = |names: &[&str]| names.iter().any(|name| arguments.contains(name));
    let (options, operands) = split(arguments);
    let files = match (command, arguments) {
        ("checkout" | "switch", ["-b" | "-c" | "--create" | "--orphan", _])
        | (
            "stash",
            [
                "pop" | "apply" | "list" | "show" | "drop" | "clear" | "create" | "store",
                ..,
            ],
        ) => {
            return None;
        }
        ("restore", _) if has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]) => return None,
        ("rm", _) if has(&["--cached"]) => return None,
        ("clean", _) if options.iter().any(|it| is_dry(it)) => return None,
        ("reset", _) if !has(&["--hard", "--merge", "--keep"]) => return None,
        ("apply", _) if !has(&["-R", "--reverse"]) => return None,
        ("merge" | "rebase" | "cherry-pick" | "am", _) if !has(&["--abort", "--skip"]) => {
            return None;
        }
        ("checkout" | "stash", _) if has(&["--"]) => after_dashes(arguments),
        // The first operand may be a commit.
        ("checkout", _) if operands.len() > 1 && are_among(&options, "fq", &[]) => operands,
        ("restore", _) if are_among(&options, "sSWq", &["--staged", "--worktree", "--source"]) => {
            operands
        }
        ("clean", _) if are_among(&options, "fdxXq", &["--force"]) && operands.is_empty() => {
            vec!["."]
        }
        ("clean", _) if are_among(&options, "fdxXq", &["--force"]) => operands,
        _ if UNDOING.contains(&command) => Vec::new(),
        _ => return None,
    };
    // Which files a pattern of git names is not known.
    let is_plain = |file: &&str| !file.starts_with(':') && !file.contains(['*', '?', '[', '\\']);
    Some(if files.is_empty() || !files.iter().all(is_plain) {
        Conduct::files("git", FileChange::RepositoryUndone, ["."]).perhaps()
    } else {
        Conduct::files("git", FileChange::Undone, files).perhaps()
    })
}

/// Whether an option of `git clean` leaves all files there.
fn is_dry(option: &str) -> bool {
    option == "--dry-run" || !option.starts_with("--") && option.contains('n')
}

/// The files after `--`.
fn after_dashes<'t>(arguments: &[&'t str]) -> Vec<&'t str> {
    let after = arguments.iter().skip_while(|argument| **argument != "--");
    after.skip(1).copied().collect()
}

fn is_dangerous<'t>(mut words: impl Iterator<Item = &'t str>) -> bool {
    words.any(|word| DANGEROUS.iter().any(|option| word.starts_with(option)))
}

fn mv(arguments: &[&str]) -> Conduct {
    let (options, files) = split(arguments);
    let conduct = transfer("git mv", &files, true);
    if are_among(&options, "fv", &[]) {
        conduct
    } else {
        conduct.perhaps()
    }
}

fn rm(arguments: &[&str]) -> Conduct {
    let (options, files) = split(arguments);
    if options.contains(&"--cached") {
        return Conduct::nothing();
    }
    let conduct = Conduct::files("git rm", FileChange::Removed, files);
    if are_among(&options, "rfq", &[]) {
        conduct
    } else {
        conduct.perhaps()
    }
}

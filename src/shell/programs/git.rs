//! What the commands of git write.

use super::super::FileChange;
use super::super::word::{Redirection, ShellWord};
use super::files::transfer;
use super::{Conduct, are_among, diffs, literals, split};

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
        match folder.literal() {
            Some(folder) => enter(&mut conduct, folder),
            None => {
                conduct.may_write |=
                    !std::mem::take(&mut conduct.changes).is_empty() || folder.is_open();
            }
        }
    }
    Some(conduct)
}

/// Moves the paths of the changes into this folder.
fn enter(conduct: &mut Conduct, folder: &str) {
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
            Conduct::unknown()
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
        "apply" => diffs::git_apply(rest, redirections),
        "checkout" | "restore" => restored(rest),
        _ => Conduct::unknown(),
    }
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

/// Files that get their content from a commit. None is certain: a file that has this content already is
/// not written.
fn restored(arguments: &[&str]) -> Conduct {
    let files = arguments
        .iter()
        .position(|argument| *argument == "--")
        .map(|at| &arguments[at + 1..]);
    let conduct = Conduct::files(
        "git checkout",
        FileChange::Written,
        files.unwrap_or_default().iter().copied(),
    );
    conduct.perhaps()
}

//! What the commands of git write.

use super::super::FileChange;
use super::super::syntax::{Redirection, ShellWord, is_listed};
use super::super::undone;
use super::{Effects, WriteMode, are_known, files, split};

/// Commands that only read, unless they have an option of `DANGEROUS`.
const READING: &str = "status log diff show blame annotate rev-parse rev-list ls-files ls-tree \
    cat-file describe shortlog grep merge-base name-rev for-each-ref show-ref show-branch diff-tree \
    diff-index diff-files count-objects whatchanged check-ignore check-attr version";

/// The beginnings of options that write a file or run a program. Git accepts shortened options.
const DANGEROUS: &[&str] = &["--ou", "--ext", "--te", "-O", "--filt"];

/// Commands that only read with exactly these arguments.
const LISTING: &str = "branch, branch -a, branch -r, branch -v, branch -vv, branch --list, \
    branch --show-current, remote, remote -v, stash list, tag, tag -l, tag --list, worktree list, \
    config --list, config -l, submodule status, reflog";

/// Other commands that may give files an earlier content back, or remove them, whatever their arguments.
const UNDOING: &str = "revert mv bisect read-tree checkout-index sparse-checkout";

pub(super) fn effects(
    name: &str,
    arguments: &[ShellWord],
    redirections: &[Redirection],
) -> Option<Effects> {
    if name != "git" {
        return None;
    }
    let is_quiet = |word: &&ShellWord| word.is("--no-pager") || word.is("-P");
    let arguments = &arguments[arguments.iter().take_while(is_quiet).count()..];
    let (folder, rest) = match arguments {
        [option, folder, rest @ ..] if option.is("-C") => (folder, rest),
        _ => return Some(command(arguments, redirections)),
    };
    let mut effects = command(rest, redirections);
    if let Some(folder) = folder.literal() {
        // `git apply` takes paths from the top of the repository.
        effects.is_certain &= effects.mode != WriteMode::FromTop;
        for (_, path) in &mut effects.changes {
            if !path.starts_with('/') {
                *path = format!("{}/{path}", folder.trim_end_matches('/'));
            }
        }
    } else {
        let changes = std::mem::take(&mut effects.changes);
        effects.may_write |= !changes.is_empty() || folder.is_open();
        if changes.iter().any(|(change, _)| change.undoes()) {
            let any = (FileChange::SomeUndone, undone::ANY.to_owned());
            effects.changes.push(any);
        }
    }
    Some(effects)
}

fn command(arguments: &[ShellWord], redirections: &[Redirection]) -> Effects {
    let Some(command) = arguments.first().and_then(ShellWord::literal) else {
        return Effects::unknown();
    };
    let is_read = |word: &ShellWord| {
        !word.is_open() && !DANGEROUS.iter().any(|option| word.text.starts_with(option))
    };
    let is_literal = arguments.iter().all(|word| word.literal().is_some());
    // A word that is not known may be any file.
    let words: Vec<&str> = arguments
        .iter()
        .map(|word| word.literal().unwrap_or(undone::ANY))
        .collect();
    let rest = &words[1..];
    let undoing = || undoing(command, rest);
    match command {
        // The hooks of a commit may write.
        "commit" => Effects {
            commits: true,
            is_certain: true,
            ..Effects::unknown()
        },
        _ if is_listed(command, READING) && arguments.iter().all(is_read) => Effects::nothing(),
        _ if LISTING.split(", ").any(|listed| listed == words.join(" ")) => Effects::nothing(),
        // The index is not a file of the project.
        "add" if is_literal => Effects::nothing(),
        "config" if is_literal && matches!(rest, ["--get", _]) => Effects::nothing(),
        "rm" if is_literal && rest.contains(&"--cached") => Effects::nothing(),
        "rm" | "mv" if is_literal => files::named(&format!("git {command}"), rest),
        "apply" if is_literal => undoing().unwrap_or_else(|| files::git_apply(rest, redirections)),
        _ => undoing().unwrap_or_else(Effects::unknown),
    }
}

/// What a command does that may give files an earlier content back, or remove them. None if it does not.
fn undoing(command: &str, arguments: &[&str]) -> Option<Effects> {
    let (options, operands) = split(arguments);
    let has = |list: &str| arguments.iter().any(|it| is_listed(it, list));
    let is_known = |known: &str| are_known(&options, known);
    let is_dry = |it: &&str| *it == "--dry-run" || !it.starts_with("--") && it.contains('n');
    let undoes = match command {
        "checkout" | "switch" => !matches!(arguments, ["-b" | "-c" | "--create" | "--orphan", _]),
        "stash" => {
            let sparing = "pop apply list show drop clear create store";
            !arguments.first().is_some_and(|it| is_listed(it, sparing))
        }
        "restore" => !has("--staged -S") || has("--worktree -W"),
        "rm" => !has("--cached"),
        "clean" => !options.iter().any(is_dry),
        "reset" => has("--hard --merge --keep"),
        "apply" => has("-R --reverse"),
        "merge" | "rebase" | "cherry-pick" | "am" => has("--abort --skip"),
        _ => is_listed(command, UNDOING),
    };
    let dashes = arguments.iter().position(|argument| *argument == "--");
    let files = match (command, dashes) {
        _ if !undoes => return None,
        ("checkout" | "stash", Some(at)) => arguments[at + 1..].to_vec(),
        // The first operand may be a commit.
        ("checkout", _) if operands.len() > 1 && is_known("-fq") => operands,
        ("restore", _) if is_known("-sSWq --staged --worktree --source") => operands,
        ("clean", _) if is_known("-fdxXq --force") && operands.is_empty() => vec!["."],
        ("clean", _) if is_known("-fdxXq --force") => operands,
        _ => Vec::new(),
    };
    // Which files a pattern of git names is not known.
    let is_plain = |file: &&str| !file.starts_with(':') && !file.contains(['*', '?', '[', '\\']);
    Some(if files.is_empty() || !files.iter().all(is_plain) {
        Effects::files("git", FileChange::RepositoryUndone, ["."]).perhaps()
    } else {
        Effects::files("git", FileChange::Undone, files).perhaps()
    })
}

//! Work on files that a command line undoes, where the files are not named.

use memchr::memmem;

use super::syntax::ShellWord;
use super::{FileChange, NamedChange};

/// Names of the commands that most often undo work.
const NAMES: [&str; 18] = [
    "rm ", "mv ", "rm\t", "mv\t", "rmdir", "unlink", "shred", "-delete", "xargs", "checkout",
    "restore", "stash", "reset", "clean", "switch", "revert", "abort", " -R",
];

pub(super) const ANY: &str = "*";

pub(super) fn has_name(command: &str) -> bool {
    let mut names = NAMES.iter();
    names.any(|name| memmem::find(command.as_bytes(), name.as_bytes()).is_some())
}

pub(super) fn anywhere() -> NamedChange {
    NamedChange {
        path: ANY.to_owned(),
        change: FileChange::SomeUndone,
        by: "a command",
        is_certain: false,
        is_certain_if_silent: false,
        top: None,
    }
}

/// The files that a word may stand for: a path whose last part is a pattern. What comes before the first
/// expansion is literal, and so is the end of a pattern without expansions.
pub(super) fn files_of(word: &ShellWord) -> String {
    if word.literal_bytes == Some(0) {
        return ANY.to_owned();
    }
    let text = &word.text[..word.literal_bytes.unwrap_or(word.text.len())];
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

/// Commands of other version controls that give files an earlier content back.
const UNDOING: &str = "hg revert, hg update, hg checkout, hg shelve, hg purge, svn revert, jj restore, \
    jj undo, jj abandon, jj edit, jj new, gh pr checkout";

/// The files that a program undoes whose names come from other programs or from searches.
pub(super) fn by_search(name: &str, arguments: &[ShellWord]) -> Option<(FileChange, String)> {
    let words = || arguments.iter().filter_map(ShellWord::literal);
    let has = |names: &[&str]| words().any(|word| names.contains(&word));
    let is_begun_by = |command: &str| {
        let mut known = command.split(' ');
        known.next() == Some(name) && known.eq(words().take(command.split(' ').count() - 1))
    };
    if UNDOING.split(", ").any(is_begun_by) {
        return Some((FileChange::RepositoryUndone, ".".to_owned()));
    }
    let removes = || has(&["rm", "mv", "unlink", "rmdir", "shred"]);
    let undoes = || removes() || has(&["git"]) && has(&["checkout", "restore", "clean"]);
    let files = match name {
        "find" if has(&["-delete"]) || undoes() => found(arguments),
        "xargs" | "parallel" if undoes() => ANY.to_owned(),
        "patch" if has(&["-R", "--reverse"]) => format!("./{ANY}"),
        _ => return None,
    };
    Some((FileChange::SomeUndone, files))
}

fn found(arguments: &[ShellWord]) -> String {
    let words: Option<Vec<&str>> = arguments.iter().map(ShellWord::literal).collect();
    let words = words.unwrap_or_default();
    let after = |option: &str| words.iter().skip_while(|word| **word != option).nth(1);
    let is_other = |word: &&str| matches!(*word, "-o" | "-or" | "!" | "-not" | "," | "-iname");
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

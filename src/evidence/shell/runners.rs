//! Test runners, by the words with which their commands begin.

use std::iter;

use super::is_listed;
use super::reader::{ShellWord, is_name};

/// Programs that run the command after them, and an empty line. Then test runners. All words of a command are the name
/// of the runner; `*` stands for any beginning of a word.
const PROGRAMS: &str = include_str!("runners.txt");

/// Arguments with which no test runs, even if the output has a summary.
const NO_RUN: &str = "--no-run --help -h --version --list -list --list-tests --listTests \
    --collect-only --co --dry-run";

const LAUNCHERS_AT_MOST: usize = 3;
const SKIPPED_AT_MOST: usize = 12;

/// The runner that a command runs, and whether only its summary shows that tests ran: with an option it may run none.
/// None if it is unknown, or certainly runs no tests. `more` are others to know.
pub(super) fn runner(words: &[ShellWord], more: &[String]) -> Option<(String, bool)> {
    let fixed = words.iter().map(|it| it.is_fixed().then_some(it.text.as_str()));
    let words: Vec<&str> = fixed.collect::<Option<_>>()?;
    let is_dry = words.iter().any(|word| is_listed(word, NO_RUN));
    if is_dry { None } else { find(&words, more, LAUNCHERS_AT_MOST) }
}

fn find(words: &[&str], more: &[String], launchers: usize) -> Option<(String, bool)> {
    let (all_launchers, known) = PROGRAMS.split_once("\n\n")?;
    (0..=skipped(words)).find_map(|at| {
        let words = &words[at..];
        let name = program(words.first()?);
        let begin = |entry: &str| beginning(entry, name, words);
        let listed = |list: &'static str| {
            let entries = list.lines().flat_map(|line| line.split(", "));
            let mut entries = entries.filter(|entry| entry.starts_with(name));
            entries.find_map(|entry| Some((entry, begin(entry)?)))
        };
        if let Some((own, (_, is_open))) = more.iter().find_map(|it| Some((it, begin(it)?))) {
            return Some((own.clone(), is_open || at > 0));
        }
        if let Some((known, (taken, is_open))) = listed(known) {
            let is_open = is_open || at > 0 || !words[taken..].iter().all(is_file);
            return Some((known.to_owned(), is_open));
        }
        let (_, (taken, is_open)) = listed(all_launchers)?;
        let (runner, needs_summary) = find(&words[taken..], more, launchers.checked_sub(1)?)?;
        Some((runner, needs_summary || is_open || at > 0))
    })
}

/// How many words may be options, with a value each, variables and numbers.
fn skipped(words: &[&str]) -> usize {
    let is_option = |word: &str| word.starts_with(['-', '+']);
    let before = iter::once("").chain(words.iter().copied());
    let may_be = |(before, word): &(&str, &&str)| {
        let variable = word.split_once('=').is_some_and(|(name, _)| is_name(name));
        is_option(word) || is_option(before) || variable || word.parse::<u64>().is_ok()
    };
    before.zip(words).take(SKIPPED_AT_MOST).take_while(may_be).count()
}

/// Whether an operand names what to test, and no task that may run nothing.
fn is_file(word: &&str) -> bool {
    let is_option = word.starts_with(['-', '+']) || word.contains('=');
    !is_option && (word.contains(['/', '\\', '.']) || **word == *"run")
}

/// How many words the beginning of a command takes, and whether an option or a variant may keep tests from running,
/// if it matches an entry. `name` is that of the program.
fn beginning(entry: &str, name: &str, words: &[&str]) -> Option<(usize, bool)> {
    let (mut taken, mut is_open) = (1, false);
    let mut wanted = entry.split(' ');
    is_program(words[0], name, wanted.next()?).then_some(())?;
    for wanted in wanted {
        let rest = &words[taken..];
        let next = |at: usize| Some((at, is_variant(rest.get(at)?, wanted)?));
        let (skipped, is_variant) = (0..=skipped(rest)).find_map(next)?;
        is_open |= is_variant || skipped > 0;
        taken += skipped + 1;
    }
    Some((taken, is_open))
}

/// Whether a word runs the wanted program, which has that name. If the wanted one has a folder, as in
/// `./run-tests.sh`, the word must end with the same path.
fn is_program(word: &str, name: &str, wanted: &str) -> bool {
    if !wanted.contains('/') {
        return name == wanted;
    }
    let rest = word.strip_suffix(wanted.trim_start_matches("./"));
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// Whether a word is a variant of the wanted task, as `test:unit` of `test`. None if it is another task.
fn is_variant(word: &str, wanted: &str) -> Option<bool> {
    if let Some(ending) = wanted.strip_prefix('*') {
        return (word.ends_with(ending) && !word.starts_with('-')).then_some(false);
    }
    let rest = word.strip_prefix(wanted)?;
    let is_variant = rest.starts_with(':') && wanted == "test";
    (rest.is_empty() || is_variant).then_some(is_variant)
}

/// The name of a program, without its folder and extension. That of Python has no version either.
fn program(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let endings = [".exe", ".cmd", ".bat"];
    let name = endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    let version = name.strip_prefix("python").unwrap_or("-");
    let is_python = version.chars().all(|it| it.is_ascii_digit() || it == '.');
    if is_python { "python" } else { name }
}

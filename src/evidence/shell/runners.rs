//! Test runners, by the words with which their commands begin, and the options that leave their tests running.

use std::sync::LazyLock;

use super::is_listed;
use super::reader::{ShellWord, is_name};

/// Programs that take the same options: the first words of their commands, with a comma or a line break
/// between commands, and the options. All words of a command are the name of the runner. `*` stands for any word
/// or beginning of a word.
type Family = (&'static str, Options);

/// A paragraph for each family, with its commands and, indented, its options. First come programs that run the
/// command after them and may fail by themselves, then tools of projects that run it, then the test runners.
static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let families = include_str!("runners.txt").trim_end().split("\n\n");
    let families = families.map(|it| it.split_once("\n ").unwrap_or((it, "")));
    let families = families.map(|(commands, options)| (commands, Options(options)));
    families.collect()
});

/// Runners whose first operand must look like a path or be `run`: other words are tasks that may run no tests.
const WITH_TASKS: [&str; 5] = ["swift test", "tox", "nox", "vitest", "ava"];

/// Arguments with which no test runs, even if the output has a summary.
const NO_RUN: &str = "--no-run --help -h --version --list -list --list-tests --listTests \
    --collect-only --co --dry-run -n -N";

const LAUNCHERS_AT_MOST: usize = 4;

#[derive(Default)]
pub(super) struct FoundRunner {
    pub(super) name: String,
    /// Whether it has arguments with which it may run no tests.
    pub(super) needs_summary: bool,
    /// Whether a program runs it that may fail by itself.
    pub(super) is_wrapped: bool,
}

/// How many words the beginning of a command takes with its options, and whether one may keep tests from running.
type Beginning = (usize, bool);

/// The runner that a command runs. None if it is unknown, or certainly runs no tests. `more` are others to know.
pub(super) fn runner(words: &[ShellWord], more: &[String]) -> Option<FoundRunner> {
    if !words.iter().all(ShellWord::is_fixed) {
        return None;
    }
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let (mut rest, mut found) = (&words[..], FoundRunner::default());
    for _ in 0..=LAUNCHERS_AT_MOST {
        while let Some((variable, _)) = rest.first()?.split_once('=').filter(|it| is_name(it.0)) {
            found.needs_summary |= passes_options(variable);
            rest = &rest[1..];
        }
        if let Some((name, is_open)) = known(rest, more) {
            found.needs_summary |= is_open;
            found.name = name;
            return Some(found);
        }
        let name = program(rest.first()?);
        let of = |(commands, options): &Family| {
            Some((entry(commands, options, name, rest)?.1, options.0))
        };
        let wrapper = of(FAMILIES.first()?);
        found.is_wrapped |= wrapper.is_some();
        let ((words, is_open), options) = wrapper.or_else(|| of(FAMILIES.get(1)?))?;
        let (skipped, are_open) = skip_options(rest.get(words..)?, &Options(options));
        found.needs_summary |= is_open || are_open;
        rest = rest.get(words + skipped..)?;
    }
    None
}

/// The runner with which a command begins, and whether it may run no tests.
fn known(words: &[&str], more: &[String]) -> Option<(String, bool)> {
    let name = program(words.first()?);
    let mut own = more.iter();
    let own = own.find_map(|it| Some((it, beginning(it, name, words, &Options(""))?)));
    let mut families = FAMILIES.iter().skip(2);
    let of_family = families.find_map(|(commands, options)| {
        let (runner, start) = entry(commands, options, name, words)?;
        Some((options, runner, start))
    });
    let none = Options("");
    let options = of_family.map_or(&none, |(options, ..)| options);
    let is_dry = |word: &&str| is_listed(word, NO_RUN) && !options.of(word).1;
    if words[1..].iter().any(is_dry) {
        return None;
    }
    let is_open_own = own.is_none_or(|(_, (_, is_open))| is_open);
    match (of_family, own) {
        (Some((options, runner, (start, is_open))), _) => {
            let is_open = is_open || !runs_with(runner, options, &words[start..]);
            Some((runner.to_owned(), is_open && is_open_own))
        }
        (None, Some((runner, _))) => Some((runner.clone(), is_open_own)),
        (None, None) => None,
    }
}

/// The entry of a family with which the words begin. `name` is that of the program.
fn entry<'f>(
    commands: &'f str,
    options: &Options,
    name: &str,
    words: &[&str],
) -> Option<(&'f str, Beginning)> {
    let entries = commands.lines().flat_map(|line| line.split(", "));
    let mut entries = entries.filter(|entry| entry.starts_with(name));
    entries.find_map(|entry| Some((entry, beginning(entry, name, words, options)?)))
}

fn runs_with(runner: &str, options: &Options, mut words: &[&str]) -> bool {
    let mut may_be_task = WITH_TASKS.contains(&runner);
    loop {
        let (skipped, is_open) = skip_options(words, options);
        let Some([operand, rest @ ..]) = words.get(skipped..) else {
            return !is_open;
        };
        let is_known = !may_be_task || operand.contains(['/', '\\', '.']) || *operand == "run";
        // Tasks may pass the value of a variable on as options.
        if is_open || !is_known || operand.contains('=') {
            return false;
        }
        (words, may_be_task) = (rest, false);
    }
}

/// The beginning of a command, if it matches an entry. `name` is that of the program.
fn beginning(entry: &str, name: &str, words: &[&str], options: &Options) -> Option<Beginning> {
    let (mut taken, mut is_open) = (0, false);
    for (index, wanted) in entry.split(' ').enumerate() {
        if index > 0 && !wanted.starts_with('-') {
            let (skipped, are_open) = skip_options(words.get(taken..)?, options);
            taken += skipped;
            is_open |= are_open;
        }
        let word = words.get(taken)?;
        match index {
            0 => is_program(word, name, wanted).then_some(())?,
            _ => is_open |= is_variant(word, wanted)?,
        }
        taken += 1;
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

fn skip_options(words: &[&str], options: &Options) -> Beginning {
    let (mut skipped, mut is_open) = (0, false);
    while let Some(word) = words.get(skipped)
        && word.starts_with(['-', '+'])
    {
        let (has_value, is_harmless) = options.of(word);
        skipped += 1 + usize::from(has_value);
        // `make -j 4` and `make -j` are both right.
        let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        skipped += usize::from(words.get(skipped).is_some_and(is_number));
        is_open |= !is_harmless;
    }
    (skipped, is_open)
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

/// Whether a variable passes options to programs, as `PYTEST_ADDOPTS` does, or has them run by others.
pub(super) fn passes_options(variable: &str) -> bool {
    const PARTS: &str = "FLAGS OPTS OPTIONS ARGS CONFIG SKIP DRY WRAPPER RUNNER";
    let name = variable.to_ascii_uppercase();
    PARTS.split(' ').any(|part| name.contains(part))
}

/// The name of a program, without its folder and extension. That of Python has no version either.
fn program(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let endings = [".exe", ".cmd", ".bat"];
    let bare = endings.iter().find_map(|ending| name.strip_suffix(ending));
    let name = bare.unwrap_or(name);
    let is_version = |version: &str| version.chars().all(|it| it.is_ascii_digit() || it == '.');
    match name.strip_prefix("python") {
        Some(version) if is_version(version) => "python",
        _ => name,
    }
}

/// Options of commands, as a table of words. After a `:`, the value is the next word, unless it is given after
/// `=`. With a `?`, the option may leave nothing to run. An entry with `=` has that value only.
struct Options(&'static str);

/// Options that all runners take, and with which tests run.
const COMMON: Options =
    Options("-- --verbose --quiet --color: --colors --colour: --no-color --no-colors");

impl Options {
    /// Whether the next word is the value of the option in a word, and whether tests run with it. Nothing is known
    /// of most options, so that tests may not run with them.
    fn of(&self, word: &str) -> (bool, bool) {
        let known = self.find(word).or_else(|| COMMON.find(word));
        known.unwrap_or_else(|| (false, word.starts_with('+') || self.is_cluster(word)))
    }

    fn find(&self, word: &str) -> Option<(bool, bool)> {
        let (name, value) = word.split_once('=').unzip();
        self.0.split_ascii_whitespace().find_map(|entry| {
            let bare = entry.trim_end_matches([':', '?']);
            let is_it = bare == word || name == Some(bare);
            is_it.then(|| (value.is_none() && entry.contains(':'), !entry.ends_with('?')))
        })
    }

    /// Whether a word is several options of one letter each, the last one maybe with a number: `-vv`, `-j4`.
    fn is_cluster(&self, word: &str) -> bool {
        let letters = word.strip_prefix('-').unwrap_or_default();
        let letters = letters.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let is_known = |letter: char| {
            let known = self.find(&format!("-{letter}"));
            let known = known.filter(|_| letter.is_ascii_alphabetic());
            known.is_some_and(|(_, is_harmless)| is_harmless)
        };
        !letters.is_empty() && letters.chars().all(is_known)
    }
}

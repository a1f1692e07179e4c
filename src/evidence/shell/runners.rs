//! Test runners, by the words with which their commands begin, and the options that leave their tests
//! running.

use std::sync::LazyLock;

use super::is_listed;
use super::reader::{ShellWord, is_name};

/// Test runners that take the same options.
struct RunnerFamily {
    /// The first words of their commands, with a comma or a line break between commands. All words of a
    /// command are the name of the runner. `*` stands for any word or beginning of a word.
    commands: &'static str,
    options: Options,
}

const fn family(commands: &'static str, options: &'static str) -> RunnerFamily {
    let options = Options(options);
    RunnerFamily { commands, options }
}

/// Runners whose first operand must look like a path or be `run`, because other words are tasks that may
/// run no tests.
const WITH_TASKS: [&str; 5] = ["swift test", "tox", "nox", "vitest", "ava"];

/// The known test runners: a paragraph for each family, with its commands and, indented, its options.
static FAMILIES: LazyLock<Vec<RunnerFamily>> = LazyLock::new(|| {
    let families = include_str!("runners.txt").trim_end().split("\n\n");
    let families = families.map(|it| it.split_once("\n ").unwrap_or((it, "")));
    let families = families.map(|(commands, options)| family(commands, options));
    families.collect()
});

/// Programs that run the command after them, and may fail by themselves.
const WRAPPERS: RunnerFamily = family(
    "env, nohup, nice, stdbuf, sudo, doas, timeout *",
    "-i -E -H -S -n -u: -g: -k: -s: -oL -o0 -eL -e0",
);

/// Tools of projects that run the command after them.
const LAUNCHERS: RunnerFamily = family(
    "npx, pnpx, bunx, npm exec, pnpm exec, pnpm dlx, yarn exec, yarn dlx, uv run, poetry run, \
     pipenv run, pdm run, rye run, hatch run, pixi run, bundle exec, mise exec, mise x, \
     coverage run -m, php, yarn, pnpm",
    "-y -q -p: -e: -d: -C: -F:? -w -r --yes --no-install --filter:? --prefix: --dir: --cwd: \
     --workspace-root --recursive --with: --python: --package: --project: --directory: --group: \
     --extra: --all-extras --all-groups --dev --frozen --locked --no-sync --offline --isolated \
     --environment: --cd: --manifest-path:",
);

/// Arguments with which no test runs, even if the output has a summary.
const NO_RUN: &str = "--no-run --help -h --version --list -list --list-tests --listTests \
    --collect-only --co --dry-run -n -N";

/// Most programs before a runner that run it.
const LAUNCHERS_AT_MOST: usize = 4;

pub(super) struct FoundRunner {
    pub(super) name: String,
    /// Whether it has arguments with which it may run no tests.
    pub(super) needs_summary: bool,
    /// Whether a program runs it that may fail by itself.
    pub(super) is_wrapped: bool,
}

/// The beginning of a command that matches an entry of a table.
#[derive(Clone, Copy)]
struct Beginning {
    /// How many words it takes, options between them included.
    words: usize,
    /// Whether none of these options keeps tests from running.
    is_plain: bool,
}

/// The runner that a command runs. None if it is unknown, or if it is certain that it runs no tests.
/// `more` are runners besides the known ones.
pub(super) fn runner(words: &[ShellWord], more: &[String]) -> Option<FoundRunner> {
    if !words.iter().all(ShellWord::is_fixed) {
        return None;
    }
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let mut rest = &words[..];
    let (mut needs_summary, mut is_wrapped) = (false, false);
    for _ in 0..=LAUNCHERS_AT_MOST {
        while let Some((variable, _)) = rest.first()?.split_once('=').filter(|it| is_name(it.0)) {
            needs_summary |= passes_options(variable);
            rest = &rest[1..];
        }
        if let Some((name, is_plain)) = known(rest, more) {
            needs_summary |= !is_plain;
            return Some(FoundRunner {
                name: name.to_owned(),
                needs_summary,
                is_wrapped,
            });
        }
        let name = program(rest.first()?);
        let wrapper = WRAPPERS.beginning(name, rest);
        is_wrapped |= wrapper.is_some();
        let (_, launcher) = wrapper.or_else(|| LAUNCHERS.beginning(name, rest))?;
        let options = if wrapper.is_some() {
            &WRAPPERS.options
        } else {
            &LAUNCHERS.options
        };
        let skipped = skip_options(rest.get(launcher.words..)?, options);
        needs_summary |= !launcher.is_plain || !skipped.is_plain;
        rest = rest.get(launcher.words + skipped.words..)?;
    }
    None
}

/// The runner with which a command begins, and whether it certainly runs its tests.
fn known<'w>(words: &[&str], more: &'w [String]) -> Option<(&'w str, bool)> {
    let name = program(words.first()?);
    let mut families = FAMILIES.iter();
    let of_family = families.find_map(|it| Some((&it.options, it.beginning(name, words)?)));
    let mut own = more.iter();
    let own = own.find_map(|it| Some((it.as_str(), beginning(it, name, words, &Options(""))?)));
    let none = &Options("");
    let (options, (runner, _)) = of_family.or_else(|| Some((none, own?)))?;
    let is_dry = |word: &&str| is_listed(word, NO_RUN) && !options.of(word).is_harmless;
    if words[1..].iter().any(is_dry) {
        return None;
    }
    let is_plain = own.is_some_and(|(_, own)| own.is_plain)
        || of_family.is_some_and(|(options, (_, start))| {
            start.is_plain && runs_with(runner, options, &words[start.words..])
        });
    Some((runner, is_plain))
}

impl RunnerFamily {
    /// The entry with which the words begin. `name` is that of the program.
    fn beginning(&self, name: &str, words: &[&str]) -> Option<(&'static str, Beginning)> {
        let commands = self.commands.lines().flat_map(|line| line.split(", "));
        let mut found = commands
            .filter(|entry| entry.starts_with(name))
            .map(|entry| Some((entry, beginning(entry, name, words, &self.options)?)));
        found.find_map(|found| found)
    }
}

/// Whether the tests of a runner run with these arguments.
fn runs_with(runner: &str, options: &Options, mut words: &[&str]) -> bool {
    let mut may_be_task = WITH_TASKS.contains(&runner);
    loop {
        let skipped = skip_options(words, options);
        let Some([operand, rest @ ..]) = words.get(skipped.words..) else {
            return skipped.is_plain;
        };
        let is_known = !may_be_task || operand.contains(['/', '\\', '.']) || *operand == "run";
        // Tasks may pass the value of a variable on as options.
        if !skipped.is_plain || !is_known || operand.contains('=') {
            return false;
        }
        (words, may_be_task) = (rest, false);
    }
}

/// The beginning of a command, if it matches an entry. `name` is that of the program.
fn beginning(entry: &str, name: &str, words: &[&str], options: &Options) -> Option<Beginning> {
    let mut found = Beginning {
        words: 0,
        is_plain: true,
    };
    for (index, wanted) in entry.split(' ').enumerate() {
        if index > 0 && !wanted.starts_with('-') {
            let skipped = skip_options(words.get(found.words..)?, options);
            found.words += skipped.words;
            found.is_plain &= skipped.is_plain;
        }
        let word = words.get(found.words)?;
        if index == 0 {
            is_program(word, name, wanted).then_some(())?;
        } else {
            found.is_plain &= is_task(word, wanted)?;
        }
        found.words += 1;
    }
    Some(found)
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

/// The options at the beginning, with their values.
fn skip_options(words: &[&str], options: &Options) -> Beginning {
    let mut skipped = Beginning {
        words: 0,
        is_plain: true,
    };
    while let Some(word) = words
        .get(skipped.words)
        .filter(|word| word.starts_with(['-', '+']))
    {
        let option = options.of(word);
        skipped.words += 1 + option.values;
        // `make -j 4` and `make -j` are both right.
        let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        skipped.words += usize::from(words.get(skipped.words).is_some_and(is_number));
        skipped.is_plain &= option.is_harmless;
    }
    skipped
}

/// Whether a word is the wanted task. For `test`, `test:unit` is one too, but who knows what it runs:
/// false then. None if it is another task.
fn is_task(word: &str, wanted: &str) -> Option<bool> {
    if let Some(ending) = wanted.strip_prefix('*') {
        return (word.ends_with(ending) && !word.starts_with('-')).then_some(true);
    }
    let rest = word.strip_prefix(wanted)?;
    let is_variant = rest.starts_with(':') && wanted == "test";
    (rest.is_empty() || is_variant).then_some(!is_variant)
}

/// Whether a variable passes options to programs, as `PYTEST_ADDOPTS` does, or has them run by others.
pub(super) fn passes_options(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    let parts = [
        "FLAGS", "OPTS", "OPTIONS", "ARGS", "CONFIG", "SKIP", "DRY", "WRAPPER", "RUNNER",
    ];
    parts.iter().any(|part| name.contains(part))
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

/// Options of commands, as a table of words, separated by spaces. After a `:`, the value is the next word, unless it is given after
/// `=`. With a `?`, the option may leave nothing to run. An entry with `=` has that value only.
struct Options(&'static str);

/// Options that all runners take, and with which tests run.
const COMMON: Options =
    Options("-- --verbose --quiet --color: --colors --colour: --no-color --no-colors");

#[derive(Clone, Copy)]
struct KnownOption {
    /// How many of the next words are its value.
    values: usize,
    /// Whether tests run with it.
    is_harmless: bool,
}

impl Options {
    /// What is known of the option in a word. Nothing is known of most options, so that tests may not run
    /// with them.
    fn of(&self, word: &str) -> KnownOption {
        let known = self.find(word).or_else(|| COMMON.find(word));
        known.unwrap_or(KnownOption {
            values: 0,
            is_harmless: word.starts_with('+') || self.is_cluster(word),
        })
    }

    fn find(&self, word: &str) -> Option<KnownOption> {
        let (name, has_value) = match word.split_once('=') {
            Some((name, _)) => (name, true),
            None => (word, false),
        };
        self.0.split_ascii_whitespace().find_map(|entry| {
            let bare = entry.trim_end_matches([':', '?']);
            (bare == word || bare == name).then(|| KnownOption {
                values: usize::from(!has_value && entry.contains(':')),
                is_harmless: !entry.ends_with('?'),
            })
        })
    }

    /// Whether a word is several options of one letter each, the last one maybe with a number: `-vv`,
    /// `-j4`.
    fn is_cluster(&self, word: &str) -> bool {
        let letters = word.strip_prefix('-').unwrap_or_default();
        let letters = letters.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let is_known = |letter: char| {
            let known = letter.is_ascii_alphabetic().then(|| format!("-{letter}"));
            known.is_some_and(|option| self.find(&option).is_some_and(|it| it.is_harmless))
        };
        !letters.is_empty() && letters.chars().all(is_known)
    }
}

//! Test runners, by the words with which their commands begin.

use super::word::ShellWord;

/// Commands that run tests. Options may stand between their words. The whole entry is the name of the
/// runner.
const RUNNERS: &[&str] = &[
    // Rust, C, C++, Zig, Go, Swift
    "cargo test",
    "cargo t",
    "cargo nextest run",
    "ctest",
    "make test",
    "make check",
    "ninja test",
    "meson test",
    "bazel test",
    "zig build test",
    "zig test",
    "go test",
    "gotestsum",
    "swift test",
    // Python
    "pytest",
    "py.test",
    "python -m pytest",
    "python -m unittest",
    "python manage.py test",
    "tox",
    "nox",
    "hatch test",
    // JavaScript
    "npm test",
    "npm t",
    "npm run test",
    "pnpm test",
    "pnpm t",
    "pnpm run test",
    "yarn test",
    "yarn run test",
    "bun test",
    "bun run test",
    "deno test",
    "deno task test",
    "node --test",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "playwright test",
    "cypress run",
    "ng test",
    "nx test",
    "turbo test",
    "turbo run test",
    // JVM, .NET
    "mvn test",
    "mvn verify",
    "mvnw test",
    "mvnw verify",
    "gradle test",
    "gradle check",
    "gradlew test",
    "gradlew check",
    "sbt test",
    "lein test",
    "dotnet test",
    // Ruby, PHP, Perl, Elixir, Dart, Haskell
    "rspec",
    "rake test",
    "rake spec",
    "rails test",
    "phpunit",
    "pest",
    "composer test",
    "prove",
    "mix test",
    "dart test",
    "flutter test",
    "stack test",
    "cabal test",
    // Shell, task runners
    "bats",
    "shellspec",
    "just test",
    "task test",
];

/// Programs that run the command after them.
const LAUNCHERS: &[&str] = &[
    "npx",
    "pnpx",
    "bunx",
    "npm exec",
    "pnpm exec",
    "pnpm dlx",
    "yarn exec",
    "yarn dlx",
    "uv run",
    "poetry run",
    "pipenv run",
    "pdm run",
    "rye run",
    "hatch run",
    "bundle exec",
    "mise exec",
    "coverage run -m",
    "yarn",
    "pnpm",
];

/// Options whose value is the next word.
const WITH_VALUE: &[&str] = &[
    "-C",
    "-F",
    "-f",
    "-p",
    "-j",
    "--prefix",
    "--dir",
    "--cwd",
    "--filter",
    "--workspace",
    "--manifest-path",
    "--package",
    "--features",
    "--target-dir",
    "--project",
    "--with",
    "--python",
];

/// Arguments with which no tests may be run.
const NO_RUN: &[&str] = &[
    "--no-run",
    "--help",
    "-h",
    "help",
    "--version",
    "--list",
    "-list",
    "--list-tests",
    "--listTests",
    "--collect-only",
    "--co",
    "--dry-run",
    "-n",
    "-N",
    "--show-only",
    "--if-present",
    "--passWithNoTests",
    "--watch",
    "-DskipTests",
    "-Dmaven.test.skip=true",
];

/// Most launchers before a runner.
const LAUNCHERS_AT_MOST: usize = 4;

/// The runner that a command runs. None if it is unknown, or if it is not certain that it runs tests.
pub(super) fn runner(words: &[ShellWord], more: &[String]) -> Option<String> {
    let is_open = words.iter().any(ShellWord::is_open);
    let no_run = |word: &ShellWord| NO_RUN.contains(&word.text.as_str());
    // `pytest -n 4` runs tests on four processors.
    let dry = words
        .iter()
        .skip(1)
        .position(no_run)
        .map(|at| words[at + 1].text.as_str());
    let mut words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    if is_open {
        return None;
    }
    for _ in 0..LAUNCHERS_AT_MOST {
        let known = RUNNERS
            .iter()
            .copied()
            .chain(more.iter().map(String::as_str));
        let found = known
            .into_iter()
            .find(|entry| after(entry, &words).is_some());
        if let Some(found) = found {
            let is_dry = dry.is_some_and(|word| word != "-n" || !found.ends_with("pytest"));
            return (!is_dry).then(|| found.to_owned());
        }
        let launched = LAUNCHERS
            .iter()
            .find_map(|launcher| after(launcher, &words))?;
        words.drain(..launched + skip_options(&words[launched..]));
    }
    None
}

/// How many words an entry takes, options between them included. None if the words do not begin with it.
fn after(entry: &str, words: &[&str]) -> Option<usize> {
    let mut at = 0;
    for (index, wanted) in entry.split(' ').enumerate() {
        if index > 0 && !wanted.starts_with('-') {
            at += skip_options(words.get(at..)?);
        }
        let word = words.get(at)?;
        let is_it = if index == 0 {
            is_program(word, wanted)
        } else {
            is_task(word, wanted)
        };
        if !is_it {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// Whether a word runs the wanted program. If that has a folder, as in `./run-tests.sh`, the word must
/// end with the same path.
fn is_program(word: &str, wanted: &str) -> bool {
    if !wanted.contains('/') {
        return program(word) == wanted;
    }
    let rest = word.strip_suffix(wanted.trim_start_matches("./"));
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// How many words at the beginning are options and their values.
fn skip_options(words: &[&str]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with(['-', '+'])) {
        at += 1 + usize::from(WITH_VALUE.contains(word));
    }
    at
}

/// Whether a word is the wanted task. For `test`, `test:unit` is one too.
fn is_task(word: &str, wanted: &str) -> bool {
    let rest = word.strip_prefix(wanted);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':') && wanted == "test")
}

/// The name of a program, without its folder and extension. That of Python has no version either.
fn program(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let endings = [".exe", ".cmd", ".bat"];
    let name = endings
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name);
    match name.strip_prefix("python") {
        Some(version)
            if version
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.') =>
        {
            "python"
        }
        _ => name,
    }
}

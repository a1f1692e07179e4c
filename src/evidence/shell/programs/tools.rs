//! Formatters and package managers: they write, but it is uncertain what.

use super::super::FileChange;
use super::super::syntax::ShellWord;
use super::Effects;

/// Formatters that rewrite the files in their arguments: the first words of the command. A last word that is
/// an option may stand anywhere after them, and without it they only read.
const FORMATTERS: &str = "prettier --write, prettier -w, eslint --fix, biome format --write, \
    biome check --write, dprint fmt, black, isort, autopep8 -i, yapf -i, ruff format, \
    ruff check --fix, rustfmt, gofmt -w, goimports -w, clang-format -i, shfmt -w, terraform fmt, \
    rubocop -a, rubocop -A, stylua, taplo fmt, mdformat";

/// Package managers, and the files in which they record what they did.
const MANAGERS: &[(&str, &str)] = &[
    ("cargo add", "Cargo.toml Cargo.lock"),
    ("cargo remove", "Cargo.toml Cargo.lock"),
    ("cargo update", "Cargo.lock"),
    ("npm install", "package.json package-lock.json"),
    ("npm i", "package.json package-lock.json"),
    ("npm uninstall", "package.json package-lock.json"),
    ("npm init", "package.json"),
    ("pnpm add", "package.json pnpm-lock.yaml"),
    ("pnpm install", "package.json pnpm-lock.yaml"),
    ("yarn add", "package.json yarn.lock"),
    ("yarn install", "package.json yarn.lock"),
    ("bun add", "package.json bun.lock"),
    ("bun install", "package.json bun.lock"),
    ("uv add", "pyproject.toml uv.lock"),
    ("uv lock", "uv.lock"),
    ("poetry add", "pyproject.toml poetry.lock"),
    ("poetry lock", "poetry.lock"),
    ("go get", "go.mod go.sum"),
    ("go mod tidy", "go.mod go.sum"),
    ("bundle install", "Gemfile.lock"),
    ("bundle add", "Gemfile Gemfile.lock"),
    ("composer require", "composer.json composer.lock"),
    ("composer install", "composer.lock"),
];

/// Programs that run the tool after them.
const LAUNCHERS: &[&str] = &["npx", "pnpm exec", "bunx", "uv run", "uvx", "poetry run"];

pub(super) fn effects(name: &str, arguments: &[ShellWord]) -> Option<Effects> {
    let mut words = vec![name];
    words.extend(arguments.iter().map(|word| word.literal().unwrap_or("-")));
    let words = LAUNCHERS
        .iter()
        .find_map(|it| after(it, &words))
        .unwrap_or(&words);
    let formatter = || FORMATTERS.split(", ").find_map(|it| formatted(it, words));
    let files = formatter().map(|files| ("a formatter", files)).or_else(|| {
        let mut managers = MANAGERS.iter();
        let (_, files) = managers.find(|(command, _)| after(command, words).is_some())?;
        Some(("a package manager", files.split(' ').collect()))
    });
    files.map(|(by, files)| Effects::files(by, FileChange::Written, files).perhaps())
}

fn formatted<'w>(entry: &str, words: &[&'w str]) -> Option<Vec<&'w str>> {
    let (command, option) = match entry.rsplit_once(' ') {
        Some((command, option)) if option.starts_with('-') => (command, Some(option)),
        _ => (entry, None),
    };
    let files = after(command, words)?;
    let is_written = option.is_none_or(|option| words.contains(&option));
    let files = files.iter().copied().filter(|word| !word.starts_with('-'));
    is_written.then(|| files.collect())
}

fn after<'w, 't>(command: &str, words: &'w [&'t str]) -> Option<&'w [&'t str]> {
    let count = command.split(' ').count();
    let start = words.get(..count)?;
    command
        .split(' ')
        .eq(start.iter().copied())
        .then(|| &words[count..])
}

//! Formatters and package managers: they write, but it is uncertain what.

use super::super::FileChange;
use super::super::word::ShellWord;
use super::Conduct;

/// Formatters that rewrite the files in their arguments: the first words of the command, and the option
/// without which they only read. That is empty if they always write.
const FORMATTERS: &[(&[&str], &str)] = &[
    (&["prettier"], "--write"),
    (&["prettier"], "-w"),
    (&["eslint"], "--fix"),
    (&["biome", "format"], "--write"),
    (&["biome", "check"], "--write"),
    (&["dprint", "fmt"], ""),
    (&["black"], ""),
    (&["isort"], ""),
    (&["autopep8"], "-i"),
    (&["yapf"], "-i"),
    (&["ruff", "format"], ""),
    (&["ruff", "check"], "--fix"),
    (&["rustfmt"], ""),
    (&["gofmt"], "-w"),
    (&["goimports"], "-w"),
    (&["clang-format"], "-i"),
    (&["shfmt"], "-w"),
    (&["terraform", "fmt"], ""),
    (&["rubocop"], "-a"),
    (&["rubocop"], "-A"),
    (&["stylua"], ""),
    (&["taplo", "fmt"], ""),
    (&["mdformat"], ""),
];

/// Package managers, and the files in which they record what they did.
const MANAGERS: &[(&[&str], &[&str])] = &[
    (&["cargo", "add"], &["Cargo.toml", "Cargo.lock"]),
    (&["cargo", "remove"], &["Cargo.toml", "Cargo.lock"]),
    (&["cargo", "update"], &["Cargo.lock"]),
    (&["npm", "install"], &["package.json", "package-lock.json"]),
    (&["npm", "i"], &["package.json", "package-lock.json"]),
    (
        &["npm", "uninstall"],
        &["package.json", "package-lock.json"],
    ),
    (&["npm", "init"], &["package.json"]),
    (&["pnpm", "add"], &["package.json", "pnpm-lock.yaml"]),
    (&["pnpm", "install"], &["package.json", "pnpm-lock.yaml"]),
    (&["yarn", "add"], &["package.json", "yarn.lock"]),
    (&["yarn", "install"], &["package.json", "yarn.lock"]),
    (&["bun", "add"], &["package.json", "bun.lock"]),
    (&["bun", "install"], &["package.json", "bun.lock"]),
    (&["uv", "add"], &["pyproject.toml", "uv.lock"]),
    (&["uv", "lock"], &["uv.lock"]),
    (&["poetry", "add"], &["pyproject.toml", "poetry.lock"]),
    (&["poetry", "lock"], &["poetry.lock"]),
    (&["go", "get"], &["go.mod", "go.sum"]),
    (&["go", "mod", "tidy"], &["go.mod", "go.sum"]),
    (&["bundle", "install"], &["Gemfile.lock"]),
    (&["bundle", "add"], &["Gemfile", "Gemfile.lock"]),
    (
        &["composer", "require"],
        &["composer.json", "composer.lock"],
    ),
    (&["composer", "install"], &["composer.lock"]),
];

/// Programs that run the tool after them.
const LAUNCHERS: &[&[&str]] = &[
    &["npx"],
    &["pnpm", "exec"],
    &["bunx"],
    &["uv", "run"],
    &["uvx"],
    &["poetry", "run"],
];

pub(super) fn conduct(name: &str, arguments: &[ShellWord]) -> Option<Conduct> {
    let mut words = vec![name];
    words.extend(arguments.iter().map(|word| word.literal().unwrap_or("-")));
    let launcher = LAUNCHERS
        .iter()
        .find(|launcher| words.starts_with(launcher));
    let words = &words[launcher.map_or(0, |launcher| launcher.len())..];
    formatter(words)
        .or_else(|| manager(words))
        .map(Conduct::perhaps)
}

fn formatter(words: &[&str]) -> Option<Conduct> {
    let is_it = |(command, option): &&(&[&str], &str)| {
        words.starts_with(command) && (option.is_empty() || words.contains(option))
    };
    let (command, _) = FORMATTERS.iter().find(is_it)?;
    let files = words[command.len()..]
        .iter()
        .copied()
        .filter(|word| !word.starts_with('-'));
    Some(Conduct::files("a formatter", FileChange::Written, files))
}

fn manager(words: &[&str]) -> Option<Conduct> {
    let (_, files) = MANAGERS
        .iter()
        .find(|(command, _)| words.starts_with(command))?;
    Some(Conduct::files(
        "a package manager",
        FileChange::Written,
        files.iter().copied(),
    ))
}

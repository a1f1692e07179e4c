//! Programs that write files: those that they name, those of a patch, and what formatters and package
//! managers may write.

use super::super::FileChange::{self, FolderMade, Removed, SomeUndone, Touched, Undone, Written};
use super::super::syntax::{RedirectedTo, Redirection, ShellWord};
use super::super::undone;
use super::{Effects, WriteMode, are_known, literals, split};
use crate::clients::run::patch::{self, UnifiedDiff};

#[derive(Clone, Copy)]
enum Act {
    /// All of them are changed.
    All(FileChange),
    /// The last one of two is written.
    Link,
    /// All but the last one are copied to it.
    Copy,
    /// The same, and they are removed.
    Move,
}

/// The names of programs that do the same, the options with which their operands are the only files that they
/// change, and what they do to them.
const PROGRAMS: &[(&[&str], &str, Act)] = &[
    (&["tee"], "-ai --append", Act::All(Written)),
    (&["touch"], "-am", Act::All(Touched)),
    (&["mkdir"], "-pv --parents --verbose", Act::All(FolderMade)),
    (
        &["rm", "unlink", "rmdir", "trash", "trash-put"],
        "-rRfvd --recursive --force --verbose",
        Act::All(Removed),
    ),
    (&["ln"], "-sfnv", Act::Link),
    (&["mv"], "-fv --force --verbose", Act::Move),
    (&["cp"], "-fpvLPH --force --verbose", Act::Copy),
    (&["git mv"], "-fv", Act::Move),
    (&["git rm"], "-rfq", Act::All(Removed)),
];

/// What a program does that writes, copies, moves or removes the files that it names.
pub(super) fn effects(name: &str, arguments: &[ShellWord]) -> Option<Effects> {
    let act = match name {
        "dd" => dd,
        "truncate" => truncate,
        // They change no content.
        "chmod" | "chown" | "chgrp" => return Some(Effects::nothing()),
        _ if !name.contains(' ') && PROGRAMS.iter().any(|row| row.0.contains(&name)) => named,
        _ => return None,
    };
    let known = literals(arguments).map(|arguments| act(name, &arguments));
    Some(known.unwrap_or_else(|| {
        let words: Vec<&str> = arguments.iter().filter_map(ShellWord::literal).collect();
        let mut effects = act(name, &words).perhaps();
        effects.changes.extend(undone_files(name, arguments));
        effects
    }))
}

/// The files that a program may remove or move away if not all of its arguments are literal.
fn undone_files(name: &str, arguments: &[ShellWord]) -> Vec<(FileChange, String)> {
    let sources = match (name, arguments) {
        ("rm" | "unlink" | "rmdir" | "trash" | "trash-put", _) => arguments,
        ("mv", [sources @ .., _]) => sources,
        _ => &[],
    };
    let undone = |word: &ShellWord| match word.literal() {
        Some(path) => (Undone, path.to_owned()),
        None => (SomeUndone, undone::files_of(word)),
    };
    sources.iter().map(undone).collect()
}

pub(super) fn named(name: &str, arguments: &[&str]) -> Effects {
    let mut programs = PROGRAMS.iter();
    let Some(([by, ..], known, act)) = programs.find(|row| row.0.contains(&name)) else {
        return Effects::unknown();
    };
    let by = *by;
    let (options, files) = split(arguments);
    let effects = match act {
        Act::All(change) => {
            let files = files.into_iter();
            // The output of `tee` may be a device.
            let files = files.filter(|file| by != "tee" || !file.starts_with("/dev/"));
            Effects::files(by, *change, files)
        }
        Act::Link => match files[..] {
            [_, link] => Effects::files(by, Written, [link]),
            _ => return Effects::unknown(),
        },
        Act::Copy => transfer(by, &files, false),
        Act::Move => transfer(by, &files, true),
    };
    let appends = |option: &&str| *option == "--append" || option.contains('a');
    let is_appended = by == "tee" && options.iter().any(appends);
    let mode = if is_appended {
        WriteMode::Append
    } else {
        WriteMode::Replace
    };
    Effects { mode, ..effects }.only_if(are_known(&options, known))
}

fn dd(_: &str, arguments: &[&str]) -> Effects {
    let files = arguments
        .iter()
        .filter_map(|argument| argument.strip_prefix("of="))
        .filter(|file| !file.starts_with("/dev/"));
    let effects = Effects::files("dd", Written, files);
    // With `conv=notrunc` or `count=0` it may write nothing.
    let plain = ["if=", "of=", "bs=", "status="];
    let is_plain = |argument: &&str| plain.iter().any(|name| argument.starts_with(name));
    let is_known = arguments.iter().all(is_plain) && effects.changes.len() == 1;
    effects.only_if(is_known)
}

fn truncate(_: &str, arguments: &[&str]) -> Effects {
    match arguments {
        ["-s", size, files @ ..] if files.iter().all(|file| !file.starts_with('-')) => {
            let files = files.iter().copied();
            // With another size, the file may stay as it is.
            Effects::files("truncate", Written, files).only_if(*size == "0")
        }
        _ => Effects::unknown(),
    }
}

fn transfer(by: &'static str, files: &[&str], removes: bool) -> Effects {
    let [sources @ .., target] = files else {
        return Effects::unknown();
    };
    let mut effects = Effects::files(by, Written, []);
    let is_dots = |path: &str| matches!(path, "." | "..");
    let is_folder = sources.len() > 1 || target.ends_with('/') || is_dots(target);
    for source in sources {
        if removes {
            effects.changes.push((Removed, (*source).to_owned()));
        }
        let path = if is_folder {
            let name = source.trim_end_matches('/').rsplit('/').next();
            format!(
                "{}/{}",
                target.trim_end_matches('/'),
                name.unwrap_or(source)
            )
        } else {
            (*target).to_owned()
        };
        // If the target is a folder, another file is written: one in that folder.
        effects.may_write |= !is_folder && !is_dots(source);
        effects.changes.push((Written, path));
    }
    effects
}

/// How many folders git removes from the paths of a diff.
const OF_GIT: usize = 1;

/// What a program does that applies a patch from the command line.
pub(super) fn patch_effects(
    name: &str,
    arguments: &[ShellWord],
    redirections: &[Redirection],
) -> Option<Effects> {
    let by = match name {
        "apply_patch" | "applypatch" => "apply_patch",
        "patch" => "patch",
        _ => return None,
    };
    let known = if by == "patch" {
        diff(arguments, redirections)
    } else {
        let text = match arguments {
            [] => text_of(redirections),
            [text] => text.literal(),
            _ => None,
        };
        let files = text.map(patch::of_apply_patch);
        files.map(|files| {
            let changed = files.into_iter().filter(|file| file.is_changed);
            let files = changed.map(|file| (file.is_removed, file.path)).collect();
            changes(
                by,
                UnifiedDiff {
                    files,
                    is_certain: true,
                    is_of_git: false,
                },
            )
        })
    };
    Some(known.unwrap_or_else(Effects::unknown))
}

pub(super) fn git_apply(arguments: &[&str], redirections: &[Redirection]) -> Effects {
    let text = match arguments {
        [] | ["-"] => text_of(redirections),
        _ => None,
    };
    let known = text.map(|text| {
        let diff = patch::of_diff(text, OF_GIT);
        // In a folder of the repository, git takes such paths from its top, or passes over them.
        let is_from_top = diff.is_of_git || diff.files.iter().any(|(_, path)| path.contains('/'));
        Effects {
            mode: if is_from_top {
                WriteMode::FromTop
            } else {
                WriteMode::Replace
            },
            ..changes("git apply", diff)
        }
    });
    known.unwrap_or_else(Effects::unknown)
}

fn diff(arguments: &[ShellWord], redirections: &[Redirection]) -> Option<Effects> {
    let [option] = arguments else { return None };
    let folders = option.literal()?.strip_prefix("-p")?.parse::<u8>().ok()?;
    let text = text_of(redirections)?;
    Some(changes("patch", patch::of_diff(text, folders.into())))
}

fn changes(by: &'static str, diff: UnifiedDiff<'_>) -> Effects {
    let files = diff.files.into_iter();
    Effects {
        changes: files
            .map(|(is_removed, path)| {
                let change = if is_removed { Removed } else { Written };
                (change, path.to_owned())
            })
            .collect(),
        by,
        is_certain: diff.is_certain,
        may_write: !diff.is_certain,
        ..Effects::default()
    }
}

/// The text in the command line that a command reads. None if missing, if there are several, or if
/// it has expansions.
fn text_of(redirections: &[Redirection]) -> Option<&str> {
    let mut texts = redirections
        .iter()
        .filter_map(|redirection| match &redirection.stream {
            RedirectedTo::Text { text, .. } => Some(text.as_deref()),
            _ => None,
        });
    let text = texts.next()?;
    if texts.next().is_some() { None } else { text }
}

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

/// What a formatter or a package manager does: it writes, but it is uncertain what.
pub(super) fn tool_effects(name: &str, arguments: &[ShellWord]) -> Option<Effects> {
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
    files.map(|(by, files)| Effects::files(by, Written, files).perhaps())
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

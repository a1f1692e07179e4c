//! Programs that write, copy, move and remove the files that they name.

use super::super::FileChange::{self, FolderMade, Removed, SomeUndone, Touched, Undone, Written};
use super::super::syntax::ShellWord;
use super::super::undone;
use super::{Effects, WriteMode, are_known, literals, split};

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

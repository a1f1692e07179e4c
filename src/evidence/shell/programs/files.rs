//! Programs that write, copy, move and remove the files that they name.

use super::super::FileChange;
use super::super::undone;
use super::super::word::ShellWord;
use super::{Conduct, WriteMode, are_among, literals, split};

pub(super) fn conduct(name: &str, arguments: &[ShellWord]) -> Option<Conduct> {
    let act = match name {
        "tee" => tee,
        "touch" => touch,
        "mkdir" => mkdir,
        "rm" | "unlink" | "rmdir" => rm,
        "mv" => mv,
        "cp" => cp,
        "ln" => ln,
        "dd" => dd,
        "truncate" => truncate,
        // They change no content.
        "chmod" | "chown" | "chgrp" => return Some(Conduct::nothing()),
        _ => return None,
    };
    let known = literals(arguments).map(|arguments| act(&arguments));
    Some(known.unwrap_or_else(|| {
        let words: Vec<&str> = arguments.iter().filter_map(ShellWord::literal).collect();
        let mut conduct = act(&words).perhaps();
        conduct.changes.extend(undone_files(name, arguments));
        conduct
    }))
}

/// The files that a program may remove or move away if not all of its arguments are literal.
fn undone_files(name: &str, arguments: &[ShellWord]) -> Vec<(FileChange, String)> {
    let sources = match (name, arguments) {
        ("rm" | "unlink" | "rmdir", _) => arguments,
        ("mv", [sources @ .., _]) => sources,
        _ => &[],
    };
    let undone = |word: &ShellWord| match word.literal() {
        Some(path) => (FileChange::Undone, path.to_owned()),
        None => (FileChange::SomeUndone, undone::files_of(word)),
    };
    sources.iter().map(undone).collect()
}

/// Makes changes uncertain unless all options are known.
fn with(conduct: Conduct, is_known: bool) -> Conduct {
    if is_known { conduct } else { conduct.perhaps() }
}

fn tee(arguments: &[&str]) -> Conduct {
    let (options, files) = split(arguments);
    let files = files.into_iter().filter(|file| !file.starts_with("/dev/"));
    let appends = |option: &&str| *option == "--append" || option.contains('a');
    let conduct = Conduct {
        mode: if options.iter().any(appends) {
            WriteMode::Append
        } else {
            WriteMode::Replace
        },
        ..Conduct::files("tee", FileChange::Written, files)
    };
    with(conduct, are_among(&options, "ai", &["--append"]))
}

fn touch(arguments: &[&str]) -> Conduct {
    let (options, files) = split(arguments);
    with(
        Conduct::files("touch", FileChange::Touched, files),
        are_among(&options, "am", &[]),
    )
}

fn mkdir(arguments: &[&str]) -> Conduct {
    let (options, folders) = split(arguments);
    let conduct = Conduct::files("mkdir", FileChange::FolderMade, folders);
    with(
        conduct,
        are_among(&options, "pv", &["--parents", "--verbose"]),
    )
}

fn rm(arguments: &[&str]) -> Conduct {
    let (options, files) = split(arguments);
    let conduct = Conduct::files("rm", FileChange::Removed, files);
    with(
        conduct,
        are_among(&options, "rRfvd", &["--recursive", "--force", "--verbose"]),
    )
}

fn ln(arguments: &[&str]) -> Conduct {
    let (options, files) = split(arguments);
    let [_, link] = files[..] else {
        return Conduct::unknown();
    };
    with(
        Conduct::files("ln", FileChange::Written, [link]),
        are_among(&options, "sfnv", &[]),
    )
}

fn dd(arguments: &[&str]) -> Conduct {
    let files = arguments
        .iter()
        .filter_map(|argument| argument.strip_prefix("of="));
    let conduct = Conduct::files(
        "dd",
        FileChange::Written,
        files.filter(|file| !file.starts_with("/dev/")),
    );
    // With `conv=notrunc` or `count=0` it may write nothing.
    let plain = ["if=", "of=", "bs=", "status="];
    let is_plain = |argument: &&str| plain.iter().any(|name| argument.starts_with(name));
    let is_known = arguments.iter().all(is_plain) && conduct.changes.len() == 1;
    with(conduct, is_known)
}

fn truncate(arguments: &[&str]) -> Conduct {
    match arguments {
        ["-s", size, files @ ..] if files.iter().all(|file| !file.starts_with('-')) => {
            let files = files.iter().copied();
            let conduct = Conduct::files("truncate", FileChange::Written, files);
            // With another size, the file may stay as it is.
            with(conduct, *size == "0")
        }
        _ => Conduct::unknown(),
    }
}

fn mv(arguments: &[&str]) -> Conduct {
    let (options, files) = split(arguments);
    with(
        transfer("mv", &files, true),
        are_among(&options, "fv", &["--force", "--verbose"]),
    )
}

fn cp(arguments: &[&str]) -> Conduct {
    let (options, files) = split(arguments);
    with(
        transfer("cp", &files, false),
        are_among(&options, "fpvLPH", &["--force", "--verbose"]),
    )
}

/// What `mv`, `cp` and `git mv` do.
pub(super) fn transfer(by: &'static str, files: &[&str], removes: bool) -> Conduct {
    let [sources @ .., target] = files else {
        return Conduct::unknown();
    };
    let mut conduct = Conduct {
        by,
        is_certain: true,
        ..Conduct::default()
    };
    let into = |source: &str| {
        let name = source
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or(source);
        format!("{}/{name}", target.trim_end_matches('/'))
    };
    for source in sources {
        if removes {
            conduct
                .changes
                .push((FileChange::Removed, (*source).to_owned()));
        }
        let is_folder = sources.len() > 1 || target.ends_with('/') || matches!(*target, "." | "..");
        let is_listed = is_folder || matches!(*source, "." | "..");
        let path = if is_folder {
            into(source)
        } else {
            (*target).to_owned()
        };
        // If the target is a folder, another file is written: one in that folder.
        conduct.may_write |= !is_listed;
        conduct.changes.push((FileChange::Written, path));
    }
    conduct
}

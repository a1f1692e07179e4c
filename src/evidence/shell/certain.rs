//! What is certain about commands by their text alone: what hides their status, whether they print, and
//! whether they fail.

use super::syntax::{
    CommandKind, HereDocument, Link, RedirectedTo, Redirection, ShellCommand, ShellWord, is_listed,
};
use super::{FileChange, Mask};
use crate::clients::run::patch::of_apply_patch;

/// What hides the status of a part of a command with this mask. That another command comes after it says least,
/// because the part may still be known to have run.
pub(super) fn hidden_by(mask: Option<Mask>, by: Mask) -> Option<Mask> {
    mask.filter(|mask| *mask != Mask::Followed).or(Some(by))
}

/// Whether the shell writes to standard error if this link fails.
pub(super) fn fails_with_words(link: &Link) -> bool {
    let [command] = &link.commands[..] else {
        return false;
    };
    let CommandKind::Simple { words, .. } = &command.kind else {
        return false;
    };
    let program = words
        .first()
        .and_then(ShellWord::literal)
        .unwrap_or_default();
    let is_cat_of_text = program == "cat" && words.len() == 1;
    !link.is_negated && (is_cat_of_text || program == "cd" || is_infallible(program))
}

/// Whether a command certainly ends with a status other than 0.
pub(super) fn is_failing(name: &str, arguments: &[ShellWord]) -> bool {
    let status = |word: &ShellWord| word.literal().and_then(|text| text.parse::<u8>().ok());
    match (name, arguments) {
        ("false", _) => true,
        ("exit" | "return", [word]) => status(word).is_some_and(|status| status != 0),
        _ => false,
    }
}

pub(super) fn is_infallible(name: &str) -> bool {
    is_listed(name, "echo printf true : export pwd")
}

/// Standard error, which is neither read nor part of the output.
const ERRORS: Option<u8> = Some(2);

/// Whether a command certainly prints something to the file of `appended`, one of its redirections.
/// `is_fed`: whether it reads something.
pub(super) fn fills(command: &ShellCommand, appended: &Redirection, is_fed: bool) -> bool {
    let is_output = matches!(appended.descriptor, None | Some(1));
    let mut others = command.redirections.iter();
    is_output
        && others.all(|it| std::ptr::eq(it, appended) || is_apart(it))
        && says(command, is_fed)
}

/// Whether a command certainly reads a text of the command line. A pipe or a file may be empty.
pub(super) fn is_fed(redirections: &[Redirection], documents: &[HereDocument]) -> bool {
    let inputs = redirections.iter().filter(|it| it.descriptor != ERRORS);
    inputs.fold(false, |is_fed, input| {
        let is_input = matches!(input.descriptor, None | Some(0));
        match input.stream {
            RedirectedTo::Output(_) | RedirectedTo::Append(_) => is_fed,
            RedirectedTo::Harmless => false,
            RedirectedTo::Text => is_input,
            RedirectedTo::HereDocument(index) => {
                is_input && documents.get(index).is_some_and(|it| it.is_filled)
            }
        }
    })
}

/// Whether a redirection leaves the standard output unchanged.
fn is_apart(redirection: &Redirection) -> bool {
    let is_text = matches!(
        redirection.stream,
        RedirectedTo::Text | RedirectedTo::HereDocument(_)
    );
    redirection.descriptor == ERRORS || is_text
}

fn says(command: &ShellCommand, is_fed: bool) -> bool {
    let CommandKind::Simple { words, .. } = &command.kind else {
        return false;
    };
    let [program, arguments @ ..] = &words[..] else {
        return false;
    };
    match (program.literal(), arguments) {
        (Some("echo"), [first, ..]) => begins_plainly(first, &['-', '\\']),
        (Some("printf"), [format, ..]) => {
            begins_plainly(format, &['-', '\\', '%']) || format.literal().is_some_and(has_text)
        }
        (Some("cat"), []) => is_fed,
        (Some("cat"), [word]) => is_fed && word.is("-"),
        _ => false,
    }
}

/// Whether a word begins with a literal character that is not one of these.
fn begins_plainly(word: &ShellWord, others: &[char]) -> bool {
    !word.globs && !word.beginning().is_empty() && !word.text.starts_with(others)
}

/// Whether a format of `printf` prints something, even if its arguments are empty.
fn has_text(format: &str) -> bool {
    let rest = format.replace("%s", "").replace("%d", "");
    !rest.is_empty() && !format.starts_with('-') && !rest.contains('%') && !rest.contains("\\c")
}

/// The changes that a program certainly makes if it succeeds.
pub(super) struct CertainChanges {
    pub(super) by: &'static str,
    pub(super) files: Vec<(FileChange, String)>,
    /// Whether it writes nothing if it reads nothing.
    pub(super) needs_input: bool,
}

/// The changes of `tee` and of `apply_patch`. None for other programs, for options that are not known, and
/// for a patch that is not in the command line.
pub(super) fn changes(
    name: &str,
    arguments: &[ShellWord],
    redirections: &[Redirection],
    documents: &[HereDocument],
) -> Option<CertainChanges> {
    let words: Option<Vec<&str>> = arguments.iter().map(ShellWord::literal).collect();
    let words = words?;
    if name == "tee" {
        let is_option = |word: &&str| word.starts_with('-');
        let (options, files): (Vec<&str>, Vec<&str>) = words.into_iter().partition(is_option);
        let are_known = options
            .iter()
            .all(|it| is_listed(it, "-a -i -ai -ia --append"));
        // Its output may be a device.
        let files = files.into_iter().filter(|file| !file.starts_with("/dev/"));
        return are_known.then(|| CertainChanges {
            by: "tee",
            files: files
                .map(|it| (FileChange::Written, it.to_owned()))
                .collect(),
            needs_input: options.iter().any(|it| *it != "-i"),
        });
    }
    let text = match (&words[..], redirections) {
        _ if !matches!(name, "apply_patch" | "applypatch") => return None,
        ([text], []) => Some(*text),
        ([], [input]) => match input.stream {
            RedirectedTo::HereDocument(index) => documents.get(index)?.text.as_deref(),
            _ => None,
        },
        _ => None,
    };
    let files = of_apply_patch(text?)
        .into_iter()
        .filter(|file| file.is_changed);
    let files = files.map(|file| {
        let change = if file.is_removed {
            FileChange::Removed
        } else {
            FileChange::Written
        };
        (change, file.path.to_owned())
    });
    Some(CertainChanges {
        by: "apply_patch",
        files: files.collect(),
        needs_input: false,
    })
}

/// Whether a program that prints what it reads from a pipe may leave out single lines. None for another
/// program, and for one that may read files instead.
pub(super) fn filter(name: &str, arguments: &[ShellWord]) -> Option<bool> {
    let is_operand = |word: &&ShellWord| {
        let is_count = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let literal = word.literal();
        literal.is_none_or(|text| !text.starts_with('-') && !is_count(text.trim_start_matches('+')))
    };
    let operands = arguments.iter().filter(is_operand).count();
    match name {
        "tail" | "cat" if operands == 0 => Some(false),
        "tee" => Some(false),
        "head" if operands == 0 => Some(true),
        "grep" | "egrep" if operands <= 1 => Some(true),
        _ => None,
    }
}

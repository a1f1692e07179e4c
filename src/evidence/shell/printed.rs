//! Whether a command certainly prints or reads something.

use super::syntax::{
    CommandKind, Link, RedirectedTo, Redirection, Sequence, ShellCommand, ShellWord,
};

/// Standard error, which is neither read nor part of the output.
const ERRORS: Option<u8> = Some(2);

/// Whether a command certainly prints something to the file of `appended`, one of its redirections.
/// `is_fed`: whether it reads something from a pipe.
pub(super) fn fills(command: &ShellCommand, appended: &Redirection, is_fed: bool) -> bool {
    let is_output = matches!(appended.descriptor, None | Some(1));
    let are_others_apart = command
        .redirections
        .iter()
        .all(|it| std::ptr::eq(it, appended) || is_apart(it));
    is_output && are_others_apart && says(command, is_fed)
}

pub(super) fn prints(command: &ShellCommand) -> bool {
    command.redirections.iter().all(is_apart) && says(command, false)
}

/// Whether a command certainly reads some input: from a pipe that is not empty, or a text in the command
/// line. A file does not count, because it may be empty.
pub(super) fn is_fed(redirections: &[Redirection], by_pipe: bool) -> bool {
    let mut is_fed = by_pipe;
    let inputs = redirections.iter().filter(|it| it.descriptor != ERRORS);
    for input in inputs {
        match &input.stream {
            RedirectedTo::Output(_) | RedirectedTo::Append(_) => {}
            RedirectedTo::Harmless => is_fed = false,
            RedirectedTo::Text { is_filled, .. } => {
                is_fed = *is_filled && matches!(input.descriptor, None | Some(0));
            }
        }
    }
    is_fed
}

/// Whether a redirection leaves the standard output unchanged.
fn is_apart(redirection: &Redirection) -> bool {
    redirection.descriptor == ERRORS || matches!(redirection.stream, RedirectedTo::Text { .. })
}

fn says(command: &ShellCommand, by_pipe: bool) -> bool {
    match &command.kind {
        CommandKind::Simple { words, .. } => {
            program_says(words, is_fed(&command.redirections, by_pipe))
        }
        CommandKind::Group(body) | CommandKind::Subshell(body) => begins_with_print(body),
        _ => false,
    }
}

fn begins_with_print(body: &Sequence) -> bool {
    let first = body.0.first().filter(|chain| !chain.is_background);
    let link = first.and_then(|chain| chain.links.first());
    matches!(link, Some(Link { commands, .. }) if matches!(&commands[..], [command] if prints(command)))
}

fn program_says(words: &[ShellWord], is_fed: bool) -> bool {
    let [program, arguments @ ..] = words else {
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
    !word.text.is_empty() && word.begins_with(1) && !word.text.starts_with(others)
}

/// Whether a format of `printf` prints something, even if its arguments are empty.
fn has_text(format: &str) -> bool {
    let rest = format.replace("%s", "").replace("%d", "");
    !rest.is_empty() && !format.starts_with('-') && !rest.contains('%') && !rest.contains("\\c")
}

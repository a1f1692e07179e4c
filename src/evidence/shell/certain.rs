//! What is certain about commands by their text alone: what hides their status, and whether they print.

use super::syntax::{
    Chain, CommandKind, Link, RedirectedTo, Redirection, Sequence, ShellCommand, ShellWord,
};
use super::{Mask, programs};

/// For each link of a chain, what hides its status. `mask` is what hides the status of the whole chain.
pub(super) fn masks_of(chain: &Chain, mask: Option<Mask>) -> Vec<Option<Mask>> {
    let mut masks = vec![mask; chain.links.len()];
    let mut is_hidden = false;
    for (index, link) in chain.links.iter().enumerate().rev() {
        if is_hidden {
            masks[index] = hidden_by(mask, Mask::Or);
        }
        if index > 0 && link.is_alternative {
            masks[index] = hidden_by(mask, Mask::Or);
            // `|| exit 1` hides nothing: if the chain succeeds, the links before it did.
            is_hidden |= !is_failure(link, FAILING);
        }
    }
    masks
}

/// What hides the status of a part of a command with this mask. That another command comes after it says least,
/// because the part may still be known to have run.
pub(super) fn hidden_by(mask: Option<Mask>, by: Mask) -> Option<Mask> {
    mask.filter(|mask| *mask != Mask::Followed).or(Some(by))
}

/// Whether `set -e` ends the shell whenever this link, the only one of its chain, fails. A group does
/// not end it if a command on the left of `&&` fails in it.
pub(super) fn fails_loudly(link: &Link) -> bool {
    link.commands.iter().all(|command| match &command.kind {
        CommandKind::Group(body) => {
            let last = body.0.last().map(|chain| &chain.links[..]);
            matches!(last, Some([link]) if fails_loudly(link))
        }
        CommandKind::Branches(_) | CommandKind::Function(_) => false,
        _ => true,
    })
}

/// Whether the shell writes to standard error if this link fails.
pub(super) fn fails_with_words(link: &Link) -> bool {
    let [command] = &link.commands[..] else {
        return false;
    };
    let CommandKind::Simple { words, .. } = &command.kind else {
        return false;
    };
    let is_cat_of_text = matches!(&words[..], [program] if program.is("cat"));
    let program = words.first().and_then(ShellWord::literal);
    let fails_so = |name| name == "cd" || programs::is_infallible(name);
    !link.is_negated && (is_cat_of_text || program.is_some_and(fails_so))
}

/// Commands that fail: `exit` and `return` only with a status other than 0.
const FAILING: &[&str] = &["exit", "return", "false"];

/// Whether a link certainly fails because of one of these commands.
pub(super) fn is_failure(link: &Link, by: &[&str]) -> bool {
    let [command] = &link.commands[..] else {
        return false;
    };
    let is_failing = |words: &[ShellWord]| match words {
        [program, arguments @ ..] => program
            .literal()
            .is_some_and(|name| by.contains(&name) && programs::is_failing(name, arguments)),
        [] => false,
    };
    match &command.kind {
        _ if link.is_negated => false,
        CommandKind::Simple { words, .. } => is_failing(words),
        CommandKind::Group(body) => match &body.0[..] {
            [before @ .., last] => {
                before.iter().all(is_message)
                    && matches!(&last.links[..], [link] if is_failure(link, by))
            }
            [] => false,
        },
        _ => false,
    }
}

/// Whether a chain only prints something.
fn is_message(chain: &Chain) -> bool {
    let is_message = |command: &ShellCommand| match &command.kind {
        CommandKind::Simple { words, .. } => words
            .first()
            .is_some_and(|program| program.is("echo") || program.is("printf")),
        _ => false,
    };
    chain
        .links
        .iter()
        .flat_map(|link| &link.commands)
        .all(is_message)
}

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

//! `sed`: in place or not, and whether its script writes.

use super::super::FileChange;
use super::super::syntax::ShellWord;
use super::{Effects, literals};

#[derive(Default)]
struct Sed<'t> {
    scripts: Vec<&'t str>,
    files: Vec<&'t str>,
    is_in_place: bool,
    /// Whether there is an unknown option, a script file or a backup.
    is_unknown: bool,
}

/// What stands for a word that is not literal.
const OPEN: &str = "\0";

pub(super) fn effects(name: &str, arguments: &[ShellWord]) -> Option<Effects> {
    if !matches!(name, "sed" | "gsed") {
        return None;
    }
    let words = arguments.iter().map(|word| word.literal().unwrap_or(OPEN));
    let sed = read(&words.collect::<Vec<_>>());
    let (mut is_plain, mut deletes) = (!sed.is_unknown, false);
    for script in &sed.scripts {
        let edits = edits(script);
        is_plain &= edits.is_all;
        deletes |= edits.deletes;
    }
    let files: Vec<&str> = sed
        .files
        .into_iter()
        .filter(|file| sed.is_in_place && *file != OPEN)
        .collect();
    let mut effects = Effects::files("sed -i", FileChange::Written, files.iter().copied());
    // A script that fits no line changes nothing, and `sed` succeeds all the same.
    effects.is_certain = false;
    if deletes {
        // Without the lines that were added before, a file may have its earlier content again.
        let undone = files
            .iter()
            .map(|file| (FileChange::Undone, (*file).to_owned()));
        effects.changes.extend(undone);
    }
    Some(effects.only_if(is_plain && literals(arguments).is_some()))
}

fn read<'t>(words: &[&'t str]) -> Sed<'t> {
    let mut sed = Sed::default();
    let mut rest = words.iter().copied().peekable();
    let mut has_script = false;
    while let Some(word) = rest.next() {
        match word {
            "-e" | "--expression" => {
                sed.scripts.extend(rest.next());
                has_script = true;
            }
            "-n" | "-E" | "-r" | "-s" | "-z" | "-u" | "-nE" | "-En" | "-nr" | "--quiet"
            | "--silent" | "--regexp-extended" | "--posix" => {}
            "-i" | "-Ei" | "-ri" | "--in-place" => {
                sed.is_in_place = true;
                // The `sed` of BSD takes the extension of the backup as a separate word.
                if rest.peek().is_some_and(|next| next.is_empty()) {
                    rest.next();
                }
            }
            _ if word.starts_with("-i") || word.starts_with("--in-place=") => {
                sed.is_in_place = true;
                // The backup is another file.
                sed.is_unknown = true;
            }
            _ if word.len() > 1 && word.starts_with('-') => sed.is_unknown = true,
            _ if !has_script => {
                sed.scripts.push(word);
                has_script = true;
            }
            _ => sed.files.push(word),
        }
    }
    sed
}

/// What a script does with the lines of a file.
struct Edits {
    /// Whether it does nothing else: it neither writes another file nor runs a program.
    is_all: bool,
    /// Whether it has a command that deletes lines, as far as it is understood.
    deletes: bool,
}

fn edits(script: &str) -> Edits {
    let mut rest = script;
    let mut deletes = false;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', ';', '}']);
        let command = start(rest);
        let after = command.and_then(|(letter, rest)| arguments_end(letter, rest));
        let Some(after) = after else {
            let is_all = rest.is_empty();
            return Edits { is_all, deletes };
        };
        deletes |= command.is_some_and(|(letter, _)| matches!(letter, "d" | "D"));
        rest = after;
    }
}

/// The letter of the first command of a script, and the rest after it. None if there is no command.
fn start(text: &str) -> Option<(&str, &str)> {
    let text = address(text)?.trim_start_matches(' ');
    let text = match text.strip_prefix(',') {
        Some(second) => address(second.trim_start_matches(' '))?,
        None => text,
    };
    text.trim_start_matches([' ', '!']).split_at_checked(1)
}

/// The rest of a script after the arguments of a command. None if the command is not harmless.
fn arguments_end<'t>(letter: &str, rest: &'t str) -> Option<&'t str> {
    match letter {
        "p" | "d" | "=" | "n" | "N" | "g" | "G" | "h" | "H" | "x" | "D" | "P" | "l" | "{" | "q" => {
            Some(rest)
        }
        "#" => Some(rest.split_once('\n').map_or("", |(_, after)| after)),
        "a" | "i" | "c" => Some(after_text(rest)),
        "s" => {
            let rest = delimited(rest, 2)?;
            let flags = rest.find(|letter: char| {
                !matches!(letter, 'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9')
            });
            let rest = &rest[flags.unwrap_or(rest.len())..];
            (!rest.starts_with(['w', 'e'])).then_some(rest)
        }
        "y" => delimited(rest, 2),
        _ => None,
    }
}

/// The rest of the script after an address, if it begins with one. None if the address is not closed.
fn address(text: &str) -> Option<&str> {
    if text.starts_with('/') {
        return Some(delimited(text, 1)?.trim_start_matches(['I', 'M']));
    }
    Some(text.trim_start_matches(|letter: char| {
        letter.is_ascii_digit() || matches!(letter, '$' | '~' | '+')
    }))
}

/// The rest of the text after this many parts. The first character is the delimiter, which also ends
/// each part. None if there are fewer parts.
fn delimited(text: &str, parts: usize) -> Option<&str> {
    let delimiter = text.bytes().next().filter(u8::is_ascii_punctuation)?;
    let mut left = parts;
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            byte if byte == delimiter => left -= 1,
            _ => {}
        }
        if left == 0 {
            return text.get(at + 1..);
        }
    }
    None
}

/// What comes after the text of a command. The text goes to the first newline without a backslash before
/// it.
fn after_text(text: &str) -> &str {
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'\n' => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}

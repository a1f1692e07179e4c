//! Reads a command line as the simple commands that it is made of, in order, each with what is around it.
//!
//! `case`, `[[`, functions, arithmetic, backquotes, `<(…)`, most forms of `${…}` and here-documents with commands are
//! not read: of such a command line nothing is known.

use std::rc::Rc;

use super::{Mask, ShellEnd, decides, is_listed};

const DEPTH_AT_MOST: usize = 16;
const COMMANDS_AT_MOST: usize = 4 << 10;
const PATH_AT_MOST: usize = 4 << 10;
const ENDS: &[char] = &[' ', '\t', '\r', '\n', ';', '&', '|', '(', ')', '<', '>'];

/// Programs that write an error if they fail.
const LOUD: &str = "cd mkdir touch cat echo printf export set true :";

/// Words that end a part of a compound command.
const CLOSING: &[&str] = &["then", "elif", "else", "fi", "do", "done", "}", "esac"];

/// A simple command: variables, a program with its arguments, redirections. Redirections of several commands
/// together are a command without words, after these.
#[derive(Debug, Default)]
pub(super) struct ShellCommand {
    /// The names of the variables that are set before the program.
    pub(super) variables: Vec<String>,
    pub(super) words: Vec<ShellWord>,
    /// The files that redirections write, and whether each is `>>`.
    pub(super) outputs: Vec<(ShellWord, bool)>,
    /// Whether it reads the output of another command.
    pub(super) is_piped: bool,
    pub(super) mask: Option<Mask>,
    /// Whether the shell may write no error if it cannot do its redirections, or does not run it.
    pub(super) is_mute: bool,
    /// The folder in which it runs, relative to the one in which the command line started. None if it is not known.
    pub(super) folder: Option<Rc<str>>,
}

#[derive(Debug, Default)]
pub(super) struct ShellWord {
    /// Its text without quotes. Expansions are left out.
    pub(super) text: String,
    /// How many bytes of `text` are before the first expansion or pattern. None if it has none.
    literal_bytes: Option<usize>,
    /// Whether a part of it is a variable, a substitution or a home folder.
    expands: bool,
}

impl ShellWord {
    /// The word, if the shell takes it literally.
    pub(super) fn literal(&self) -> Option<&str> {
        self.literal_bytes.is_none().then_some(&self.text)
    }

    /// The folder of all files that it may stand for, as far as it is certain.
    pub(super) fn folder(&self) -> Option<&str> {
        Some(self.text[..self.literal_bytes?].rsplit_once('/')?.0)
    }

    /// Whether it stays the option, or the operand, that it is.
    pub(super) fn is_fixed(&self) -> bool {
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "/._".contains(it);
        self.literal_bytes.is_none() || !self.expands && self.text.starts_with(is_plain)
    }

    /// The name of the variable that it sets, if it is an assignment.
    pub(super) fn variable(&self) -> Option<&str> {
        let (name, _) = self.text.split_once('=')?;
        let is_literal = self.literal_bytes.is_none_or(|it| it > name.len());
        Some(name.strip_suffix('+').unwrap_or(name)).filter(|name| is_literal && is_name(name))
    }

    fn opens(&mut self, expands: bool) {
        self.expands |= expands;
        self.literal_bytes.get_or_insert(self.text.len());
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

pub(super) fn is_name(name: &str) -> bool {
    name.chars().all(is_of_name) && name.starts_with(|it: char| !it.is_ascii_digit())
}

/// Whether an expansion in braces neither sets a variable nor runs a command.
fn is_plain(braced: &str) -> bool {
    let rest = braced.trim_start_matches(is_of_name);
    let is_known = [":-", "-", "#", "%", "/"].iter().any(|it| rest.starts_with(it));
    let is_odd = rest.contains(['$', '`', '"', '\'', '\\', '{', '=', '(', '[']);
    rest.len() < braced.len() && (rest.is_empty() || is_known && !is_odd)
}

/// The commands of a command line, and whether the shell may be in another folder after them.
pub(super) fn read(text: &str) -> Option<(Vec<ShellCommand>, ShellEnd)> {
    let folder = Some("".into());
    let mut reader = ShellReader { rest: text, folder, ..ShellReader::default() };
    reader.list()?;
    let is_same = reader.folder.as_deref() == Some("");
    let end = if is_same { ShellEnd::Same } else { ShellEnd::Elsewhere };
    (reader.rest.is_empty()).then_some((reader.found, end))
}

/// What ends a here-document.
struct Delimiter {
    word: String,
    is_quoted: bool,
    /// Whether tabs at the beginning of lines are removed (`<<-`).
    strips: bool,
}

#[derive(Default)]
struct ShellReader<'t> {
    rest: &'t str,
    found: Vec<ShellCommand>,
    waiting: Vec<Delimiter>,
    folder: Option<Rc<str>>,
    depth: usize,
}

impl<'t> ShellReader<'t> {
    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn skip_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            if self.rest.starts_with('#') {
                self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..];
            }
            if !self.eat("\\\n") {
                return;
            }
        }
    }

    /// Skips the ends of commands and lines, and reads the here-documents that follow. Returns whether there was any.
    fn skip_ends(&mut self) -> Option<bool> {
        let mut is_any = false;
        loop {
            self.skip_blanks();
            if self.eat("\n") {
                self.documents()?;
            } else if self.rest.starts_with(";;") || !self.eat(";") {
                return Some(is_any);
            }
            is_any = true;
        }
    }

    fn next_word(&mut self) -> &'t str {
        self.skip_blanks();
        &self.rest[..self.rest.find(ENDS).unwrap_or(self.rest.len())]
    }

    /// The one of these reserved words that comes next, which is then skipped.
    fn reserved(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let word = self.next_word();
        let found = words.iter().find(|reserved| **reserved == word)?;
        self.rest = &self.rest[word.len()..];
        Some(found)
    }

    fn is_closed(&mut self) -> bool {
        let word = self.next_word();
        CLOSING.contains(&word) || self.rest.is_empty() || self.rest.starts_with(')')
    }

    /// Hides the status of the commands from an index on. With a status that is hidden, a `cd` may not have worked.
    fn hide(&mut self, from: usize, before: Option<&Rc<str>>, by: Mask) {
        for command in &mut self.found[from..] {
            command.mask = command.mask.max(Some(by));
        }
        if self.folder.as_ref() != before {
            self.folder = None;
        }
    }

    /// Reads commands up to what closes them, which is left.
    fn list(&mut self) -> Option<()> {
        if self.depth >= DEPTH_AT_MOST {
            return None;
        }
        self.depth += 1;
        self.skip_ends()?;
        while !self.is_closed() {
            let (start, folder) = (self.found.len(), self.folder.clone());
            self.chain()?;
            let is_background = self.eat("&");
            if is_background {
                self.hide(start, folder.as_ref(), Mask::Open);
            }
            if !self.skip_ends()? && !is_background {
                break;
            }
            if !self.is_closed() {
                self.hide(start, folder.as_ref(), Mask::Followed);
            }
        }
        self.depth -= 1;
        Some(())
    }

    /// Reads commands that are joined by `&&`, `||` and pipes.
    fn chain(&mut self) -> Option<()> {
        let (start, folder) = (self.found.len(), self.folder.clone());
        let (mut mask, mut is_piped) = (None, false);
        loop {
            if self.reserved(&["!"]).is_some() {
                mask = Some(Mask::Open);
            }
            let (at, before) = (self.found.len(), self.folder.clone());
            self.command()?;
            self.found[at].is_piped = is_piped;
            self.skip_blanks();
            let joint = ["&&", "||", "|&", "|"].into_iter().find(|it| self.eat(it));
            let was_piped = is_piped;
            is_piped = matches!(joint, Some("|&" | "|"));
            if is_piped {
                self.hide(at, before.as_ref(), Mask::Joined);
            } else if was_piped && self.folder != before {
                // Some shells run the last command in a shell of its own.
                self.folder = None;
            }
            if joint == Some("||") {
                mask = mask.max(Some(Mask::Joined));
            }
            if joint.is_none() {
                break;
            }
            self.skip_ends()?;
        }
        if let Some(mask) = mask {
            self.hide(start, folder.as_ref(), mask);
        }
        // What comes after a command that fails in silence may be left out in silence.
        let mut is_mute = false;
        for command in &mut self.found[start..] {
            let name = command.words.first().map(ShellWord::literal);
            let is_loud = name.is_none_or(|it| it.is_some_and(|it| is_listed(it, LOUD)));
            let fails_in_silence = command.is_mute || command.mask.is_some() || !is_loud;
            command.is_mute |= is_mute;
            is_mute |= fails_in_silence;
        }
        Some(())
    }

    /// Begins a command, and returns its index.
    fn begin(&mut self) -> usize {
        let folder = self.folder.clone();
        self.found.push(ShellCommand { folder, ..ShellCommand::default() });
        self.found.len() - 1
    }

    fn command(&mut self) -> Option<()> {
        (self.found.len() < COMMANDS_AT_MOST).then_some(())?;
        let opening = self.reserved(&["{", "if", "while", "until", "for"]);
        let is_subshell = opening.is_none() && self.eat("(");
        if opening.is_none() && !is_subshell {
            return self.simple();
        }
        let (start, folder) = (self.found.len(), self.folder.clone());
        if opening == Some("for") {
            self.skip_blanks();
            let variable = self.word()?;
            variable.literal().filter(|name| is_name(name) && !decides(name))?;
            while self.reserved(&["do"]).is_none() {
                if !self.skip_ends()? {
                    self.word()?;
                }
            }
        }
        loop {
            self.list()?;
            match opening {
                None => self.eat(")").then_some(())?,
                Some("{") => _ = self.reserved(&["}"])?,
                Some(_) => match self.reserved(CLOSING)? {
                    "fi" | "done" => {}
                    "then" | "elif" | "else" | "do" => continue,
                    _ => return None,
                },
            }
            break;
        }
        if is_subshell {
            self.folder.clone_from(&folder);
        }
        let is_group = is_subshell || opening == Some("{");
        let mask = if is_group { Mask::Joined } else { Mask::Open };
        self.hide(start, folder.as_ref(), mask);
        let at = self.begin();
        self.skip_blanks();
        while self.redirection(at)? {
            self.skip_blanks();
        }
        Some(())
    }

    fn simple(&mut self) -> Option<()> {
        const OTHERS: &[&str] = &["[[", "case", "function", "select", "coproc"];
        if self.reserved(OTHERS).is_some() {
            return None;
        }
        let (at, start) = (self.begin(), self.rest.len());
        loop {
            self.skip_blanks();
            if self.redirection(at)? {
                continue;
            }
            if self.rest.is_empty() || self.rest.starts_with(['\n', ';', '&', '|', ')']) {
                break;
            }
            let word = self.word()?;
            let command = &mut self.found[at];
            match word.variable() {
                Some(name) if command.words.is_empty() => command.variables.push(name.to_owned()),
                _ => command.words.push(word),
            }
        }
        let mut words = self.found[at].words.iter().map(ShellWord::literal);
        let program = words.next().flatten();
        if let Some("cd" | "pushd" | "popd") = program {
            let (path, more) = (words.next().flatten(), words.next());
            let path = path.filter(|it| more.is_none() && !it.starts_with(['-', '+']));
            let folder = path.and_then(|path| below(self.folder.as_deref(), path));
            self.folder = folder.map(Into::into);
        }
        (self.rest.len() < start).then_some(())
    }

    /// Reads a redirection of a command. Returns whether there is one.
    fn redirection(&mut self, command: usize) -> Option<bool> {
        const FORMS: &[&str] = &["<<<", "<<-", "<<", "<&", ">&", "<", "&>>", ">>", "&>", ">|", ">"];
        let digits = self.rest.trim_start_matches(|it: char| it.is_ascii_digit());
        let number = &self.rest[..self.rest.len() - digits.len()];
        let is_one =
            digits.starts_with(['<', '>']) || number.is_empty() && digits.starts_with("&>");
        if !is_one {
            return Some(false);
        }
        self.rest = digits;
        let form = *FORMS.iter().find(|form| self.eat(form))?;
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let is_quoted = self.rest.starts_with(['\'', '"', '\\']);
        let word = self.word()?;
        let is_input = form.starts_with('<');
        let own = &mut self.found[command];
        own.is_mute |= !is_input && (number.parse() == Ok(2) || form.starts_with("&>"));
        let is_descriptor = |text: &str| text.bytes().all(|it| it.is_ascii_digit() || it == b'-');
        match form {
            "<<" | "<<-" => self.waiting.push(Delimiter {
                word: word.literal().filter(|_| number.is_empty())?.to_owned(),
                is_quoted,
                strips: form == "<<-",
            }),
            ">&" if word.literal().is_some_and(is_descriptor) => {}
            _ if is_input => {}
            _ => own.outputs.push((word, form.ends_with(">>"))),
        }
        Some(true)
    }

    /// Reads the here-documents that begin on this line.
    fn documents(&mut self) -> Option<()> {
        for document in std::mem::take(&mut self.waiting) {
            loop {
                let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                let tabs: &[char] = if document.strips { &['\t'] } else { &[] };
                let is_end = line.trim_start_matches(tabs) == document.word;
                let expands = ["$(", "${", "$[", "`"].iter().any(|it| line.contains(it));
                if !is_end && (rest.is_empty() || expands && !document.is_quoted) {
                    return None;
                }
                self.rest = rest;
                if is_end {
                    break;
                }
            }
        }
        Some(())
    }

    fn word(&mut self) -> Option<ShellWord> {
        let mut word = ShellWord::default();
        let start = self.rest.len();
        if self.eat("~") {
            word.opens(true);
        }
        while let Some(letter) = self.rest.chars().next().filter(|it| !ENDS.contains(it)) {
            self.rest = &self.rest[letter.len_utf8()..];
            match letter {
                '`' => return None,
                '$' if self.rest.starts_with(['\'', '"']) => return None,
                '$' => self.dollar(&mut word)?,
                '\'' => {
                    let (text, rest) = self.rest.split_once('\'')?;
                    word.text += text;
                    self.rest = rest;
                }
                '"' => self.double_quotes(&mut word)?,
                '\\' => self.escaped(&mut word),
                _ => {
                    // A bracket alone is the command `[`, and an empty pair stays as it is.
                    let is_empty = letter == '{' && self.rest.starts_with('}');
                    let is_alone = is_empty || self.rest.is_empty() || self.rest.starts_with(ENDS);
                    if matches!(letter, '*' | '?') || matches!(letter, '[' | '{') && !is_alone {
                        word.opens(false);
                    }
                    word.text.push(letter);
                }
            }
        }
        // Part of a function, a character that shells read otherwise, or a name for a descriptor.
        let is_named = word.text.starts_with('{') && self.rest.starts_with(['<', '>']);
        let is_unread = is_named || self.rest.starts_with(['(', '\r']);
        (self.rest.len() < start && !is_unread).then_some(word)
    }

    fn double_quotes(&mut self, word: &mut ShellWord) -> Option<()> {
        loop {
            let (text, rest) = self.rest.split_at(self.rest.find(['"', '$', '`', '\\'])?);
            word.text += text;
            self.rest = &rest[1..];
            match rest.as_bytes()[0] {
                b'"' => return Some(()),
                b'$' => self.dollar(word)?,
                b'`' => return None,
                _ if self.rest.starts_with(['\n', '$', '`', '"', '\\']) => self.escaped(word),
                _ => word.text.push('\\'),
            }
        }
    }

    fn escaped(&mut self, word: &mut ShellWord) {
        let mut letters = self.rest.chars();
        word.text.extend(letters.next().filter(|it| *it != '\n'));
        self.rest = letters.as_str();
    }

    fn dollar(&mut self, word: &mut ShellWord) -> Option<()> {
        if self.rest.starts_with("((") || self.rest.starts_with('[') {
            return None;
        } else if self.eat("(") {
            self.substitution()?;
        } else if self.eat("{") {
            let (inner, rest) = self.rest.split_once('}')?;
            self.rest = is_plain(inner).then_some(rest)?;
        } else if self.rest.starts_with(['@', '*', '#', '?', '$', '!', '-']) {
            self.rest = &self.rest[1..];
        } else if self.rest.starts_with(is_of_name) {
            self.rest = self.rest.trim_start_matches(is_of_name);
        } else {
            word.text.push('$');
            return Some(());
        }
        word.opens(true);
        Some(())
    }

    /// Reads the commands of a substitution, whose bracket is open.
    fn substitution(&mut self) -> Option<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let (start, folder) = (self.found.len(), self.folder.clone());
        self.list()?;
        self.hide(start, None, Mask::Open);
        (self.waiting, self.folder) = (waiting, folder);
        self.eat(")").then_some(())
    }
}

/// A path relative to the folder in which the command line started, from one that is relative to `folder`.
pub(super) fn below(folder: Option<&str>, path: &str) -> Option<String> {
    let path = match folder {
        _ if path.is_empty() => return None,
        _ if path.starts_with('/') => path.to_owned(),
        Some("") => path.to_owned(),
        folder => format!("{}/{path}", folder?.trim_end_matches('/')),
    };
    Some(path).filter(|path| path.len() <= PATH_AT_MOST)
}

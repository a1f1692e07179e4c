//! Reads a command line as the simple commands that it is made of, in order, each with what is around it.
//!
//! `case`, `[[`, functions, arithmetic, backquotes, most forms of `${…}` and here-documents with commands
//! are not read: of such a command line nothing is known.

use std::rc::Rc;
use std::sync::LazyLock;

use regex::Regex;

use super::{Mask, ShellEnd, decides, is_listed};

const DEPTH_AT_MOST: usize = 16;
const COMMANDS_AT_MOST: usize = 4 << 10;

/// Programs that write an error if they fail.
const LOUD: &str = "cd mkdir touch cat echo printf tee export set true :";

const PATH_AT_MOST: usize = 4 << 10;
const ENDS: &[char] = &[' ', '\t', '\r', '\n', ';', '&', '|', '(', ')', '<', '>'];

/// Words that end a part of a compound command.
const CLOSING: &[&str] = &["then", "elif", "else", "fi", "do", "done", "}", "esac"];

/// A simple command: variables, a program with its arguments, redirections. Redirections of several commands
/// together are a command without words, before these.
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
    pub(super) expands: bool,
}

impl ShellWord {
    /// The word, if the shell takes it literally.
    pub(super) fn literal(&self) -> Option<&str> {
        self.literal_bytes.is_none().then_some(&self.text)
    }

    /// Its text before the first expansion or pattern.
    pub(super) fn beginning(&self) -> &str {
        &self.text[..self.literal_bytes.unwrap_or(self.text.len())]
    }

    /// Whether it stays the option, or the operand, that it is.
    pub(super) fn is_fixed(&self) -> bool {
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "/._".contains(it);
        self.literal_bytes.is_none() || !self.expands && self.text.starts_with(is_plain)
    }

    /// The name of the variable that it sets, if it is an assignment.
    pub(super) fn variable(&self) -> Option<&str> {
        let (name, _) = self.beginning().split_once('=')?;
        Some(name.strip_suffix('+').unwrap_or(name)).filter(|name| is_name(name))
    }

    fn opens(&mut self, expands: bool) {
        self.expands |= expands;
        self.literal_bytes.get_or_insert(self.text.len());
    }
}

pub(super) fn is_name(name: &str) -> bool {
    let is_of_name = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    !name.is_empty() && name.bytes().all(is_of_name) && !name.as_bytes()[0].is_ascii_digit()
}

/// What is between the braces of an expansion that neither sets a variable nor runs a command.
static PLAIN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const OPERATION: &str = "[#%/^,]|:?[-+?]";
    const WORD: &str = r#"[^=`({"'\\\[]*"#;
    let pattern = format!(r"^#?(?-u:\w+)(\[([@*]|\d+)\])?(({OPERATION}){WORD}|(: ?-?\d+)+)?$");
    Regex::new(&pattern).ok()
});

fn is_plain(braced: &str) -> bool {
    PLAIN.as_ref().is_some_and(|plain| plain.is_match(braced))
}

/// Whether the expansions in a text neither set a variable nor run a command.
fn only_names_variables(text: &str) -> bool {
    let mut braced = text.split("${").skip(1);
    !["$(", "$[", "`"].iter().any(|it| text.contains(it))
        && braced.all(|rest| rest.split_once('}').is_some_and(|(it, _)| is_plain(it)))
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
    /// Whether the next command reads the output of another one.
    is_piped: bool,
    depth: usize,
}

impl ShellReader<'_> {
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

    /// The one of these reserved words that comes next, which is then skipped.
    fn reserved(&mut self, words: &[&'static str]) -> Option<&'static str> {
        self.skip_blanks();
        let word = &self.rest[..self.rest.find(ENDS).unwrap_or(self.rest.len())];
        let found = words.iter().find(|reserved| **reserved == word)?;
        self.rest = &self.rest[word.len()..];
        Some(found)
    }

    fn is_closed(&mut self) -> bool {
        let before = self.rest;
        let is_closed = self.reserved(CLOSING).is_some();
        self.rest = before;
        is_closed || self.rest.is_empty() || self.rest.starts_with(')')
    }

    /// Hides the status of the commands from an index on. What hides it already says more, but for that
    /// another command comes after it. With a status that is hidden, a `cd` may not have worked.
    fn hide(&mut self, from: usize, before: Option<&Rc<str>>, by: Mask) {
        for command in &mut self.found[from..] {
            let mask = command.mask.filter(|mask| *mask != Mask::Followed);
            command.mask = mask.or(Some(by));
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
                self.hide(start, folder.as_ref(), Mask::Background);
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

    /// Reads pipelines that are joined by `&&` and `||`.
    fn chain(&mut self) -> Option<()> {
        let (start, folder) = (self.found.len(), self.folder.clone());
        let (mut is_side, mut shown) = (false, start);
        loop {
            self.pipeline()?;
            let is_side_of_next = self.eat("||");
            if is_side || is_side_of_next {
                self.hide(shown, folder.as_ref(), Mask::Or);
                shown = self.found.len();
            }
            if !is_side_of_next && !self.eat("&&") {
                break;
            }
            is_side = is_side_of_next;
            self.skip_ends()?;
        }
        // What comes after a command that fails in silence may be left out in silence.
        let mut is_mute = false;
        for command in &mut self.found[start..] {
            is_mute |= command.is_mute || command.mask == Some(Mask::Negated);
            command.is_mute = is_mute;
            let name = command.words.first().map(ShellWord::literal);
            is_mute |= name.is_some_and(|name| name.is_none_or(|it| !is_listed(it, LOUD)));
        }
        Some(())
    }

    fn pipeline(&mut self) -> Option<()> {
        let (start, folder) = (self.found.len(), self.folder.clone());
        let is_negated = self.reserved(&["!"]).is_some();
        let mut last = start;
        loop {
            self.command()?;
            self.skip_blanks();
            let takes_errors = self.eat("|&");
            if self.rest.starts_with("||") || !(takes_errors || self.eat("|")) {
                break;
            }
            for command in &mut self.found[last..] {
                command.is_mute |= takes_errors;
            }
            self.hide(last, folder.as_ref(), Mask::Pipe);
            last = self.found.len();
            self.is_piped = true;
            self.skip_ends()?;
        }
        if is_negated {
            self.hide(start, folder.as_ref(), Mask::Negated);
        } else if last > start && self.folder != folder {
            // Some shells run the last command in a shell of its own.
            self.folder = None;
        }
        Some(())
    }

    /// Begins a command, and returns its index.
    fn begin(&mut self) -> usize {
        self.found.push(ShellCommand {
            is_piped: std::mem::take(&mut self.is_piped),
            folder: self.folder.clone(),
            ..ShellCommand::default()
        });
        self.found.len() - 1
    }

    fn command(&mut self) -> Option<()> {
        if self.found.len() >= COMMANDS_AT_MOST {
            return None;
        }
        let opening = self.reserved(&["{", "if", "while", "until", "for"]);
        if opening.is_none() && !self.rest.starts_with('(') {
            return self.simple();
        }
        let (at, folder) = (self.begin(), self.folder.clone());
        match opening {
            None => {
                self.eat("(");
                self.list()?;
                self.folder = folder;
                self.eat(")").then_some(())?;
            }
            Some("{") => {
                self.list()?;
                self.reserved(&["}"])?;
            }
            Some(opening) => {
                self.branches(opening)?;
                self.hide(at + 1, folder.as_ref(), Mask::Conditional);
            }
        }
        self.skip_blanks();
        while self.redirection(at)? {
            self.skip_blanks();
        }
        let is_mute = self.found[at].is_mute;
        let found = self.found[at..].iter_mut();
        found.for_each(|command| command.is_mute |= is_mute);
        Some(())
    }

    fn branches(&mut self, opening: &str) -> Option<()> {
        if opening == "for" {
            self.skip_blanks();
            let variable = self.word()?;
            let is_plain = |name: &&str| is_name(name) && !decides(name);
            variable.literal().filter(is_plain)?;
            while self.reserved(&["do"]).is_none() {
                if !self.skip_ends()? {
                    self.word()?;
                }
            }
        }
        loop {
            self.list()?;
            match self.reserved(CLOSING)? {
                "fi" | "done" => return Some(()),
                "then" | "elif" | "else" | "do" => {}
                _ => return None,
            }
        }
    }

    fn simple(&mut self) -> Option<()> {
        const OTHERS: &[&str] = &["[[", "case", "function", "select", "coproc"];
        if self.reserved(OTHERS).is_some() {
            return None;
        }
        let at = self.begin();
        let start = self.rest.len();
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
        let [program, arguments @ ..] = &self.found[at].words[..] else {
            return (self.rest.len() < start).then_some(());
        };
        if let Some("cd" | "pushd" | "popd") = program.literal() {
            let path = match arguments {
                [path] if program.text != "popd" => path.literal(),
                _ => None,
            };
            let path = path.filter(|path| !path.starts_with(['-', '+']));
            let folder = path.and_then(|path| below(self.folder.as_deref(), path));
            self.folder = folder.map(Into::into);
        }
        Some(())
    }

    /// Reads a redirection of a command. Returns whether there is one.
    fn redirection(&mut self, command: usize) -> Option<bool> {
        const FORMS: &[&str] = &["<<<", "<<-", "<<", "<&", ">&", "<", "&>>", ">>", "&>", ">|", ">"];
        let digits = self.rest.trim_start_matches(|it: char| it.is_ascii_digit());
        let number = &self.rest[..self.rest.len() - digits.len()];
        let is_one =
            digits.starts_with(['<', '>']) || number.is_empty() && digits.starts_with("&>");
        if !is_one || digits.starts_with("<(") || digits.starts_with(">(") {
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

    /// Reads the here-documents that begin on this line. Without its delimiter, a text goes to the end, as in shells.
    fn documents(&mut self) -> Option<()> {
        for document in std::mem::take(&mut self.waiting) {
            let start = self.rest;
            let mut length = 0;
            for line in start.split_inclusive('\n') {
                self.rest = &start[length + line.len()..];
                let bare = line.strip_suffix('\n').unwrap_or(line);
                let tabs: &[char] = if document.strips { &['\t'] } else { &[] };
                if bare.trim_start_matches(tabs) == document.word {
                    break;
                }
                length += line.len();
            }
            let text = &start[..length];
            if !document.is_quoted && !only_names_variables(text) {
                return None;
            }
        }
        Some(())
    }

    fn word(&mut self) -> Option<ShellWord> {
        let mut word = ShellWord::default();
        let start = self.rest;
        if self.eat("<(") || self.eat(">(") {
            self.commands(&mut word)?;
        } else if self.eat("~") {
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
                '\\' if self.eat("\n") => {}
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
        // Part of a function, or a character that shells read otherwise.
        let is_unread = self.rest.starts_with(['(', '\r']);
        // A name for a descriptor.
        let is_named = word.text.starts_with('{') && self.rest.starts_with(['<', '>']);
        (self.rest.len() < start.len() && !is_unread && !is_named).then_some(word)
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
                _ if self.eat("\n") => {}
                _ if self.rest.starts_with(['$', '`', '"', '\\']) => self.escaped(word),
                _ => word.text.push('\\'),
            }
        }
    }

    fn escaped(&mut self, word: &mut ShellWord) {
        let mut letters = self.rest.chars();
        word.text.extend(letters.next());
        self.rest = letters.as_str();
    }

    fn dollar(&mut self, word: &mut ShellWord) -> Option<()> {
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
        if self.rest.starts_with("((") || self.rest.starts_with('[') {
            return None;
        } else if self.eat("(") {
            return self.commands(word);
        } else if self.eat("{") {
            let (inner, rest) = self.rest.split_once('}')?;
            self.rest = is_plain(inner).then_some(rest)?;
        } else if self.rest.starts_with(['@', '*', '#', '?', '$', '!', '-']) {
            self.rest = &self.rest[1..];
        } else if self.rest.starts_with(is_part) {
            self.rest = self.rest.trim_start_matches(is_part);
        } else {
            word.text.push('$');
            return Some(());
        }
        word.opens(true);
        Some(())
    }

    /// Reads the commands of a substitution, whose bracket is open.
    fn commands(&mut self, word: &mut ShellWord) -> Option<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let (start, folder) = (self.found.len(), self.folder.clone());
        self.list()?;
        self.hide(start, None, Mask::Conditional);
        (self.waiting, self.folder) = (waiting, folder);
        word.opens(true);
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

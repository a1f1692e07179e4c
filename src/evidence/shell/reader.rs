//! Reads the structure of a command line: lists of pipelines of commands, with their words, redirections and
//! substitutions.
//!
//! `case`, functions, arithmetic that sets variables and most forms of `${…}` are not read: such a command
//! line is [`UnreadShell`], and nothing is known of it.

use super::state::decides;
use super::syntax::{
    Chain, CommandKind, CommandLine, HereDocument, Link, RedirectedTo, Redirection, Sequence,
    ShellCommand, ShellWord, UnreadShell,
};

/// How deeply groups and substitutions may be nested.
const DEPTH_AT_MOST: usize = 32;

pub(super) fn read(text: &str) -> Result<CommandLine, UnreadShell> {
    let mut reader = ShellReader {
        rest: text,
        waiting: Vec::new(),
        line: CommandLine::default(),
        depth: 0,
    };
    reader.line.sequence = reader.sequence()?;
    reader
        .rest
        .is_empty()
        .then_some(reader.line)
        .ok_or(UnreadShell)
}

/// A here-document whose text comes after the line.
struct Delimiter {
    word: String,
    /// Whether tabs at the beginning of lines are removed (`<<-`).
    strips: bool,
    /// Whether the text is literal: a delimiter with quotes turns expansions off.
    pub(super) is_quoted: bool,
    index: usize,
}

struct ShellReader<'t> {
    rest: &'t str,
    waiting: Vec<Delimiter>,
    line: CommandLine,
    depth: usize,
}

/// Characters that end a word.
const ENDS: &[char] = &[' ', '\t', '\r', '\n', ';', '&', '|', '(', ')', '<', '>'];

/// Words that end a part of a compound command.
const CLOSING: &[&str] = &["then", "elif", "else", "fi", "do", "done", "}", "esac"];

/// The structure: sequences, chains, and compound commands.
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

    /// Skips the ends of commands and of lines, and the here-documents that follow.
    fn skip_ends(&mut self) -> bool {
        let mut is_any = false;
        loop {
            self.skip_blanks();
            if self.eat("\n") {
                self.documents();
            } else if self.rest.starts_with(";;") || !self.eat(";") {
                return is_any;
            }
            is_any = true;
        }
    }

    /// Whether one of these reserved words comes next, which is then skipped.
    fn reserved(&mut self, words: &[&'static str]) -> Option<&'static str> {
        self.skip_blanks();
        let word = &self.rest[..self.rest.find(ENDS).unwrap_or(self.rest.len())];
        let found = words.iter().find(|reserved| **reserved == word)?;
        self.eat(found);
        Some(found)
    }

    fn expect(&mut self, words: &[&'static str]) -> Result<&'static str, UnreadShell> {
        self.reserved(words).ok_or(UnreadShell)
    }

    fn is_closed(&mut self) -> bool {
        let before = self.rest;
        let is_closed = self.reserved(CLOSING).is_some();
        self.rest = before;
        is_closed || self.rest.is_empty() || self.rest.starts_with(')')
    }

    /// Reads commands up to what closes them, which is left.
    fn sequence(&mut self) -> Result<Sequence, UnreadShell> {
        if self.depth >= DEPTH_AT_MOST {
            return Err(UnreadShell);
        }
        self.depth += 1;
        let mut chains = Vec::new();
        loop {
            self.skip_ends();
            if self.is_closed() {
                break;
            }
            let mut chain = self.chain()?;
            self.skip_blanks();
            chain.is_background = !self.rest.starts_with("&&") && self.eat("&");
            let is_ended = chain.is_background || self.skip_ends();
            chains.push(chain);
            if !is_ended {
                break;
            }
        }
        self.depth -= 1;
        Ok(Sequence(chains))
    }

    fn chain(&mut self) -> Result<Chain, UnreadShell> {
        let mut links = vec![self.link(false)?];
        loop {
            self.skip_blanks();
            let is_alternative = self.eat("||");
            if !is_alternative && !self.eat("&&") {
                let is_background = false;
                return Ok(Chain {
                    links,
                    is_background,
                });
            }
            self.skip_ends();
            links.push(self.link(is_alternative)?);
        }
    }

    fn link(&mut self, is_alternative: bool) -> Result<Link, UnreadShell> {
        let mut is_negated = false;
        while self.reserved(&["!"]).is_some() {
            is_negated = true;
        }
        let mut commands = vec![self.command()?];
        loop {
            self.skip_blanks();
            if self.rest.starts_with("||") || !(self.eat("|&") || self.eat("|")) {
                break;
            }
            self.skip_ends();
            commands.push(self.command()?);
        }
        Ok(Link {
            is_alternative,
            is_negated,
            commands,
        })
    }

    fn command(&mut self) -> Result<ShellCommand, UnreadShell> {
        const OPENING: &[&str] = &[
            "{", "if", "while", "until", "for", "select", "[[", "case", "function", "coproc",
        ];
        self.skip_blanks();
        let kind = if self.rest.starts_with("((") {
            return Err(UnreadShell);
        } else if self.eat("(") {
            let body = self.sequence()?;
            self.eat(")")
                .then_some(CommandKind::Subshell(body))
                .ok_or(UnreadShell)?
        } else {
            match self.reserved(OPENING) {
                Some(opening) => self.compound(opening)?,
                None => return self.simple(),
            }
        };
        let mut redirections = Vec::new();
        loop {
            self.skip_blanks();
            let Some(redirection) = self.redirection()? else {
                return Ok(ShellCommand { kind, redirections });
            };
            redirections.push(redirection);
        }
    }

    fn compound(&mut self, opening: &str) -> Result<CommandKind, UnreadShell> {
        let mut branches = Vec::new();
        match opening {
            "{" => {
                let body = self.sequence()?;
                self.expect(&["}"])?;
                return Ok(CommandKind::Group(body));
            }
            "if" => loop {
                branches.push(self.sequence()?);
                if self.expect(&["then", "elif", "else", "fi"])? == "fi" {
                    return Ok(CommandKind::Branches(branches));
                }
            },
            "while" | "until" => {
                branches.push(self.sequence()?);
                self.expect(&["do"])?;
            }
            "for" | "select" => self.loop_header()?,
            "[[" => return self.test(),
            _ => return Err(UnreadShell),
        }
        branches.push(self.sequence()?);
        self.expect(&["done"])?;
        Ok(CommandKind::Branches(branches))
    }

    /// Skips the variable and the words of a loop. Fails if the variable decides what commands do, as `PATH`
    /// does.
    fn loop_header(&mut self) -> Result<(), UnreadShell> {
        self.skip_blanks();
        let variable = self.word()?;
        if decides(&variable.text) {
            return Err(UnreadShell);
        }
        while self.reserved(&["do"]).is_none() {
            if !self.skip_ends() {
                self.word()?;
            }
        }
        Ok(())
    }

    /// Skips the words of `[[`, in which the operators of other commands compare.
    fn test(&mut self) -> Result<CommandKind, UnreadShell> {
        while self.reserved(&["]]"]).is_none() {
            self.rest = self.rest.trim_start_matches('\n');
            let operator = self.rest.starts_with(['<', '>', '(', ')', '&', '|']);
            if operator && !self.rest[1..].starts_with('(') {
                self.rest = &self.rest[1..];
            } else {
                self.word()?;
            }
        }
        let variables = Vec::new();
        let words = vec![ShellWord {
            text: "[[".to_owned(),
            ..ShellWord::default()
        }];
        Ok(CommandKind::Simple { variables, words })
    }

    fn simple(&mut self) -> Result<ShellCommand, UnreadShell> {
        let (mut variables, mut words) = (Vec::new(), Vec::new());
        let mut redirections = Vec::new();
        loop {
            self.skip_blanks();
            if let Some(redirection) = self.redirection()? {
                redirections.push(redirection);
                continue;
            }
            if self.rest.is_empty() || self.rest.starts_with(['\n', ';', '&', '|', ')']) {
                break;
            }
            let word: ShellWord = self.word()?;
            match word.variable() {
                Some(name) if words.is_empty() => variables.push(name.to_owned()),
                _ => words.push(word),
            }
        }
        if words.is_empty() && variables.is_empty() && redirections.is_empty() {
            return Err(UnreadShell);
        }
        Ok(ShellCommand {
            kind: CommandKind::Simple { variables, words },
            redirections,
        })
    }
}

/// Redirections and here-documents.
impl ShellReader<'_> {
    fn redirection(&mut self) -> Result<Option<Redirection>, UnreadShell> {
        let digits = self.rest.trim_start_matches(|it: char| it.is_ascii_digit());
        let number = &self.rest[..self.rest.len() - digits.len()];
        let is_one =
            digits.starts_with(['<', '>']) || number.is_empty() && digits.starts_with("&>");
        if !is_one || digits.starts_with("<(") || digits.starts_with(">(") {
            return Ok(None);
        }
        self.rest = digits;
        let descriptor = (!number.is_empty()).then(|| number.parse().unwrap_or(u8::MAX));
        let mut forms = [
            "<<<", "<<-", "<<", "<>", "<&", ">&", "<", "&>>", ">>", "&>", ">|", ">",
        ]
        .iter();
        let form = *forms.find(|form| self.eat(form)).ok_or(UnreadShell)?;
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let mut target = self.word()?;
        let is_descriptor = |text: &str| text.bytes().all(|it| it.is_ascii_digit() || it == b'-');
        // It is unknown whether a file is written that is open for both reading and writing.
        target.expands |= form == "<>";
        let stream = match form {
            "<<" | "<<-" => {
                let index = self.line.documents.len();
                self.line.documents.push(HereDocument::default());
                self.waiting.push(Delimiter {
                    word: target.literal().ok_or(UnreadShell)?.to_owned(),
                    strips: form == "<<-",
                    is_quoted: target.is_quoted,
                    index,
                });
                RedirectedTo::HereDocument(index)
            }
            "<<<" => RedirectedTo::Text,
            "<" => RedirectedTo::Harmless,
            "<&" | ">&" if target.literal().is_some_and(is_descriptor) => RedirectedTo::Harmless,
            "&>>" | ">>" => RedirectedTo::Append(target),
            _ => RedirectedTo::Output(target),
        };
        Ok(Some(Redirection { descriptor, stream }))
    }

    /// Skips the here-documents that begin on this line. Without its delimiter, a text goes to the end of
    /// the command line, as in shells.
    fn documents(&mut self) {
        for delimiter in std::mem::take(&mut self.waiting) {
            let start = self.rest;
            let mut length = 0;
            for line in start.split_inclusive('\n') {
                self.rest = &start[length + line.len()..];
                let bare = line.strip_suffix('\n').unwrap_or(line);
                let tabs: &[char] = if delimiter.strips { &['\t'] } else { &[] };
                if bare.trim_start_matches(tabs) == delimiter.word {
                    break;
                }
                length += line.len();
            }
            let document = HereDocument::of(&start[..length], delimiter.is_quoted);
            self.line.is_opaque |= document.is_opaque;
            self.line.documents[delimiter.index] = document;
        }
    }
}

/// Words, with their quotes and expansions.
impl ShellReader<'_> {
    fn word(&mut self) -> Result<ShellWord, UnreadShell> {
        let mut word = ShellWord::default();
        let start = self.rest;
        if self.eat("<(") || self.eat(">(") {
            self.commands(&mut word)?;
        } else if self.eat("~") {
            expand(&mut word);
        }
        while let Some(letter) = self.rest.chars().next().filter(|it| !ENDS.contains(it)) {
            self.rest = &self.rest[letter.len_utf8()..];
            match letter {
                '\'' => self.single_quotes(&mut word)?,
                '"' => self.double_quotes(&mut word)?,
                '\\' if self.eat("\n") => {}
                '\\' => self.escaped(&mut word),
                '$' if self.rest.starts_with('"') => {}
                '$' => self.dollar(&mut word)?,
                '`' => self.backquotes(&mut word)?,
                _ => {
                    word.globs |= matches!(letter, '*' | '?') || self.is_pattern(letter);
                    word.text.push(letter);
                }
            }
        }
        let is_variable = word.text.starts_with('{') && word.text.ends_with('}');
        let is_named = is_variable && self.rest.starts_with(['<', '>']);
        // A name for a descriptor, part of a function, or a character that shells read otherwise.
        let is_unread = is_named || self.rest.starts_with(['(', '\r']);
        let is_empty = self.rest.len() == start.len();
        (!is_empty && !is_unread).then_some(word).ok_or(UnreadShell)
    }

    /// Whether a bracket begins a pattern. Alone it is the command `[` or the word `{`.
    fn is_pattern(&self, letter: char) -> bool {
        let mut more = self
            .rest
            .chars()
            .take_while(|it| !ENDS.contains(it))
            .take(64);
        matches!(letter, '[' | '{') && more.any(|it| it != letter)
    }

    fn single_quotes(&mut self, word: &mut ShellWord) -> Result<(), UnreadShell> {
        let (text, rest) = self.rest.split_once('\'').ok_or(UnreadShell)?;
        word.text += text;
        word.is_quoted = true;
        self.rest = rest;
        Ok(())
    }

    fn double_quotes(&mut self, word: &mut ShellWord) -> Result<(), UnreadShell> {
        word.is_quoted = true;
        loop {
            let end = self.rest.find(['"', '$', '`', '\\']).ok_or(UnreadShell)?;
            let (text, rest) = self.rest.split_at(end);
            word.text += text;
            self.rest = &rest[1..];
            match rest.as_bytes()[0] {
                b'"' => return Ok(()),
                b'$' => self.dollar(word)?,
                b'`' => self.backquotes(word)?,
                _ if self.eat("\n") => {}
                _ if self.rest.starts_with(['$', '`', '"', '\\']) => self.escaped(word),
                _ => word.text.push('\\'),
            }
        }
    }

    fn escaped(&mut self, word: &mut ShellWord) {
        word.is_quoted = true;
        let letter = self.rest.chars().next();
        word.text.extend(letter);
        self.rest = &self.rest[letter.map_or(0, char::len_utf8)..];
    }

    /// Reads what follows a `$`.
    fn dollar(&mut self, word: &mut ShellWord) -> Result<(), UnreadShell> {
        if self.eat("((") {
            let (inner, rest) = self.rest.split_once("))").ok_or(UnreadShell)?;
            // It may set a variable, or be commands in a subshell.
            let is_plain = !inner.contains(['=', '`', '(', ')']) && !inner.contains("++");
            self.rest = Some(rest)
                .filter(|_| is_plain && !inner.contains("--"))
                .ok_or(UnreadShell)?;
        } else if self.eat("(") {
            return self.commands(word);
        } else if self.eat("{") {
            let (inner, rest) = self.rest.split_once('}').ok_or(UnreadShell)?;
            let is_plain = !inner.contains(['=', '`', '(', '{', '"', '\'', '\\']);
            self.rest = Some(rest).filter(|_| is_plain).ok_or(UnreadShell)?;
        } else if self.eat("'") {
            let before = word.text.len();
            self.single_quotes(word)?;
            return if word.text[before..].contains('\\') {
                Err(UnreadShell)
            } else {
                Ok(())
            };
        } else if self.rest.starts_with(['@', '*', '#', '?', '$', '!', '-']) {
            self.rest = &self.rest[1..];
        } else {
            let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
            let rest = self.rest.trim_start_matches(is_part);
            if rest.len() == self.rest.len() {
                word.text.push('$');
                return Ok(());
            }
            self.rest = rest;
        }
        expand(word);
        Ok(())
    }

    /// Reads the commands of a substitution, whose bracket is open.
    fn commands(&mut self, word: &mut ShellWord) -> Result<(), UnreadShell> {
        let waiting = std::mem::take(&mut self.waiting);
        let sequence = self.sequence()?;
        self.waiting = waiting;
        self.line.substitutions.push(sequence);
        expand(word);
        self.eat(")").then_some(()).ok_or(UnreadShell)
    }

    fn backquotes(&mut self, word: &mut ShellWord) -> Result<(), UnreadShell> {
        let (inner, rest) = self.rest.split_once('`').ok_or(UnreadShell)?;
        self.rest = inner;
        let waiting = std::mem::take(&mut self.waiting);
        let sequence = self.sequence()?;
        // Backslashes are for the commands inside.
        if inner.contains('\\') || !self.rest.is_empty() {
            return Err(UnreadShell);
        }
        (self.rest, self.waiting) = (rest, waiting);
        self.line.substitutions.push(sequence);
        expand(word);
        Ok(())
    }
}

fn expand(word: &mut ShellWord) {
    word.expands = true;
    word.literal_bytes.get_or_insert(word.text.len());
}

//! Splits a command line into lexemes.

mod words;

use super::span::{self, Delimiter};
use super::word::{Lexeme, Operator, RedirectedTo, Redirection, ShellWord, Unparsed, is_name};

#[derive(Default)]
pub(super) struct Lexed {
    pub(super) lexemes: Vec<Lexeme>,
    /// The command lines in its substitutions.
    pub(super) substitutions: Vec<String>,
    /// Whether commands may run that are not in `substitutions`.
    pub(super) is_opaque: bool,
    /// Whether expansions may set variables.
    pub(super) may_set: bool,
}

pub(super) fn lex(text: &str) -> Result<Lexed, Unparsed> {
    let mut lexer = Lexer {
        text,
        at: 0,
        documents: Vec::new(),
        lexed: Lexed::default(),
    };
    while let Some(byte) = lexer.byte() {
        lexer.lexeme(byte)?;
    }
    Ok(lexer.lexed)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Here-documents whose text comes after this line, each with the index of its lexeme.
    documents: Vec<(Delimiter, usize)>,
    lexed: Lexed,
}

impl Lexer<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn starts(&self, with: &str) -> bool {
        self.text.as_bytes()[self.at..].starts_with(with.as_bytes())
    }

    fn push(&mut self, operator: Operator, length: usize) {
        self.lexed.lexemes.push(Lexeme::Operator(operator));
        self.at += length;
    }

    fn lexeme(&mut self, byte: u8) -> Result<(), Unparsed> {
        match byte {
            b' ' | b'\t' => self.at += 1,
            // Shells read it as part of a word.
            b'\r' => return Err(Unparsed),
            b'\\' if self.starts("\\\n") => self.at += 2,
            b'#' => {
                let rest = &self.text.as_bytes()[self.at..];
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            }
            b'\n' => self.line_feed(),
            b'<' | b'>' => self.redirection(None)?,
            b'&' if self.starts("&>") => self.redirection(None)?,
            b'&' if self.starts("&&") => self.push(Operator::And, 2),
            b'&' => self.push(Operator::Background, 1),
            b'|' if self.starts("||") => self.push(Operator::Or, 2),
            b'|' if self.starts("|&") => self.push(Operator::Pipe, 2),
            b'|' => self.push(Operator::Pipe, 1),
            // Only `case` uses it.
            b';' if self.starts(";;") => return Err(Unparsed),
            b';' => self.push(Operator::End, 1),
            b'(' if self.starts("((") => {
                self.at = span::of_arithmetic(self.text, self.at + 2)? + 2;
                self.lexed.lexemes.push(Lexeme::Arithmetic);
            }
            b'(' => self.push(Operator::Open, 1),
            b')' => self.push(Operator::Close, 1),
            _ => self.word_or_descriptor()?,
        }
        Ok(())
    }

    /// Reads a word, or a redirection that begins with the number of its descriptor.
    fn word_or_descriptor(&mut self) -> Result<(), Unparsed> {
        let rest = &self.text.as_bytes()[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits > 0 && matches!(rest.get(digits), Some(b'<' | b'>')) {
            let number = self.text[self.at..self.at + digits].parse();
            self.at += digits;
            return self.redirection(Some(number.unwrap_or(u8::MAX)));
        }
        let word = self.word()?;
        if matches!(self.byte(), Some(b'<' | b'>')) && is_descriptor_variable(&word) {
            return Err(Unparsed);
        }
        self.lexed.lexemes.push(Lexeme::Word(word));
        Ok(())
    }

    fn line_feed(&mut self) {
        self.push(Operator::End, 1);
        for (delimiter, index) in std::mem::take(&mut self.documents) {
            let (end, after) = delimiter.find(self.text, self.at);
            let document = &self.text[self.at..end];
            let runs = !delimiter.is_quoted && (document.contains("$(") || document.contains('`'));
            self.lexed.is_opaque |= runs;
            let is_literal = delimiter.is_quoted || !document.contains(['$', '`', '\\']);
            if let Lexeme::Redirection(redirection) = &mut self.lexed.lexemes[index] {
                redirection.stream = RedirectedTo::Text {
                    text: is_literal.then(|| document.to_owned()),
                    is_filled: if is_literal {
                        !document.is_empty()
                    } else {
                        is_filled(document)
                    },
                };
            }
            self.at = after;
        }
    }

    fn redirection(&mut self, descriptor: Option<u8>) -> Result<(), Unparsed> {
        if self.starts("<(") || self.starts(">(") {
            let word = self.word()?;
            self.lexed.lexemes.push(Lexeme::Word(word));
            return Ok(());
        }
        if self.starts("<<") && !self.starts("<<<") {
            let (delimiter, at) = span::delimiter(self.text, self.at + 2)?;
            self.at = at;
            self.documents.push((delimiter, self.lexed.lexemes.len()));
            // Its text comes after the line.
            let stream = RedirectedTo::Text {
                text: None,
                is_filled: false,
            };
            self.redirect(descriptor, stream);
            return Ok(());
        }
        let form = ["<<<", "<>", "<&", ">&", "<", "&>>", ">>", "&>", ">|", ">"]
            .into_iter()
            .find(|form| self.starts(form))
            .ok_or(Unparsed)?;
        self.at += form.len();
        while matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let mut target = self.word()?;
        let is_descriptor = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-')
        };
        // It is unknown whether a file is written that is open for both reading and writing.
        target.expands |= form == "<>";
        let stream = match form {
            "<<<" => RedirectedTo::Text {
                text: target.literal().map(str::to_owned),
                is_filled: true,
            },
            "<" => RedirectedTo::Harmless,
            "<&" | ">&" if target.literal().is_some_and(is_descriptor) => RedirectedTo::Harmless,
            "&>>" | ">>" => RedirectedTo::Append(target),
            _ => RedirectedTo::Output(target),
        };
        self.redirect(descriptor, stream);
        Ok(())
    }

    fn redirect(&mut self, descriptor: Option<u8>, stream: RedirectedTo) {
        let redirection = Redirection { descriptor, stream };
        self.lexed.lexemes.push(Lexeme::Redirection(redirection));
    }
}

/// `{name}` before a redirection: the shell chooses a descriptor and sets the variable to it.
fn is_descriptor_variable(word: &ShellWord) -> bool {
    word.text
        .strip_prefix('{')
        .and_then(|it| it.strip_suffix('}'))
        .is_some_and(is_name)
}

/// Whether a here-document is certainly not empty, whatever its expansions give: it has a newline that
/// is not part of an expansion.
fn is_filled(document: &str) -> bool {
    let first = document.split('\n').next().unwrap_or_default();
    let is_plain = document.contains('\n') && !first.contains(['$', '`', '\\']);
    let last = document.strip_suffix('\n');
    is_plain
        || !document.contains(['(', '{', '[', '`'])
            && last.is_some_and(|document| !document.ends_with('\\'))
}

//! From a command line to lexemes.

mod words;

use super::span::{self, Delimiter};
use super::word::{Lexeme, Operator, Redirection, Unclear};

/// A command line in parts.
#[derive(Default)]
pub(super) struct Lexed {
    pub(super) lexemes: Vec<Lexeme>,
    /// The commands of its substitutions.
    pub(super) substitutions: Vec<String>,
    /// Commands may run that are not among them.
    pub(super) is_opaque: bool,
    /// Expansions may set variables.
    pub(super) may_set: bool,
}

pub(super) fn lex(text: &str) -> Result<Lexed, Unclear> {
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
    /// Here-documents whose text comes after this line, and the lexeme that each belongs to.
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

    fn skip(&mut self, prefix: &str) -> bool {
        let starts = self.starts(prefix);
        self.at += if starts { prefix.len() } else { 0 };
        starts
    }

    fn push(&mut self, operator: Operator, length: usize) {
        self.lexed.lexemes.push(Lexeme::Operator(operator));
        self.at += length;
    }

    fn lexeme(&mut self, byte: u8) -> Result<(), Unclear> {
        match byte {
            b' ' | b'\t' => self.at += 1,
            // Shells take it as part of a word.
            b'\r' => return Err(Unclear),
            b'\\' if self.starts("\\\n") => self.at += 2,
            b'#' => {
                let rest = &self.text.as_bytes()[self.at..];
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            }
            b'\n' => self.line_feed(),
            b'<' | b'>' => self.redirection()?,
            b'&' if self.starts("&>") => self.redirection()?,
            b'&' if self.starts("&&") => self.push(Operator::And, 2),
            b'&' => self.push(Operator::Background, 1),
            b'|' if self.starts("||") => self.push(Operator::Or, 2),
            b'|' if self.starts("|&") => self.push(Operator::Pipe, 2),
            b'|' => self.push(Operator::Pipe, 1),
            // Only `case` has it.
            b';' if self.starts(";;") => return Err(Unclear),
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

    /// A word, unless it is the number of a descriptor before a redirection.
    fn word_or_descriptor(&mut self) -> Result<(), Unclear> {
        let rest = &self.text.as_bytes()[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits > 0 && matches!(rest.get(digits), Some(b'<' | b'>')) {
            self.at += digits;
            return self.redirection();
        }
        let word = self.word()?;
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
            let text = is_literal.then(|| document.to_owned());
            self.lexed.lexemes[index] = Lexeme::Redirection(Redirection::Text(text));
            self.at = after;
        }
    }

    fn redirection(&mut self) -> Result<(), Unclear> {
        if self.starts("<(") || self.starts(">(") {
            let word = self.word()?;
            self.lexed.lexemes.push(Lexeme::Word(word));
            return Ok(());
        }
        if self.starts("<<") && !self.starts("<<<") {
            let (delimiter, at) = span::delimiter(self.text, self.at + 2)?;
            self.at = at;
            self.documents.push((delimiter, self.lexed.lexemes.len()));
            self.lexed
                .lexemes
                .push(Lexeme::Redirection(Redirection::Text(None)));
            return Ok(());
        }
        let is_text = self.skip("<<<");
        let reads_and_writes = !is_text && self.skip("<>");
        let is_copy = self.skip("<&") || self.skip(">&");
        let reads = !is_copy && self.skip("<");
        let forms = ["&>>", "&>", ">>", ">|", ">"];
        if !(is_text || reads_and_writes || is_copy || reads) {
            let _ = forms.iter().any(|form| self.skip(form));
        }
        while matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let mut target = self.word()?;
        let is_descriptor = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-')
        };
        // What it writes of a file that it opens for both is not known.
        target.expands |= reads_and_writes;
        let redirection = if is_text {
            Redirection::Text(target.literal().map(str::to_owned))
        } else if reads || is_copy && target.literal().is_some_and(is_descriptor) {
            Redirection::Harmless
        } else {
            Redirection::Output(target)
        };
        self.lexed.lexemes.push(Lexeme::Redirection(redirection));
        Ok(())
    }
}

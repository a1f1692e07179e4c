//! Splits a command line into lexemes.

use super::span::{self, Delimiter};
use super::syntax::{Lexeme, Operator, RedirectedTo, Redirection, ShellWord, Unparsed, is_name};

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

/// Words, with their quotes and expansions.
impl Lexer<'_> {
    fn word(&mut self) -> Result<ShellWord, Unparsed> {
        let start = self.at;
        let mut word = ShellWord::default();
        while let Some(byte) = self.byte() {
            match byte {
                // A process substitution is not a redirection.
                b'<' | b'>'
                    if self.at == start && self.text.as_bytes().get(start + 1) == Some(&b'(') =>
                {
                    self.at += 1;
                    self.commands(&mut word)?;
                }
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b')' | b'<' | b'>' | b'(' => {
                    break;
                }
                b'\'' => self.single_quotes(&mut word)?,
                b'"' => self.double_quotes(&mut word)?,
                b'\\' => self.escaped(&mut word),
                b'$' if self.starts("$\"") => self.at += 1,
                b'$' => self.dollar(&mut word)?,
                b'`' => self.backquotes(&mut word)?,
                b'~' if self.at == start => self.expansion(&mut word, 1),
                b'*' | b'?' | b'[' | b'{' => {
                    word.globs |= self.is_pattern(byte);
                    self.literal(&mut word, 1);
                }
                _ => self.plain(&mut word),
            }
        }
        if self.at == start {
            Err(Unparsed)
        } else {
            Ok(word)
        }
    }

    /// Whether a character may be part of a pattern. A bracket alone is the command `[` or the word `{`.
    fn is_pattern(&self, byte: u8) -> bool {
        let rest = self.text.as_bytes()[self.at + 1..]
            .iter()
            .take_while(|byte| !byte.is_ascii_whitespace() && !b";&|()<>".contains(byte));
        match byte {
            b'[' | b'{' => rest.take(64).any(|other| *other != byte),
            _ => true,
        }
    }

    fn literal(&mut self, word: &mut ShellWord, length: usize) {
        word.text.push_str(&self.text[self.at..self.at + length]);
        self.at += length;
    }

    fn plain(&mut self, word: &mut ShellWord) {
        let special = |byte: &u8| b" \t\r\n;&|()<>'\"\\$`*?[{".contains(byte);
        let rest = &self.text.as_bytes()[self.at..];
        self.literal(
            word,
            rest.iter().position(special).unwrap_or(rest.len()).max(1),
        );
    }

    fn expansion(&mut self, word: &mut ShellWord, length: usize) {
        word.expands = true;
        word.literal_bytes.get_or_insert(word.text.len());
        self.at += length;
    }

    fn single_quotes(&mut self, word: &mut ShellWord) -> Result<(), Unparsed> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        let length = memchr::memchr(b'\'', rest).ok_or(Unparsed)?;
        self.at += 1;
        self.literal(word, length);
        self.at += 1;
        word.is_quoted = true;
        Ok(())
    }

    fn double_quotes(&mut self, word: &mut ShellWord) -> Result<(), Unparsed> {
        self.at += 1;
        word.is_quoted = true;
        loop {
            match self.byte().ok_or(Unparsed)? {
                b'"' => break,
                b'$' => self.dollar(word)?,
                b'`' => self.backquotes(word)?,
                b'\\' => {
                    let next = self.text.as_bytes().get(self.at + 1);
                    match next {
                        Some(b'\n') => self.at += 2,
                        Some(b'$' | b'`' | b'"' | b'\\') => {
                            self.at += 1;
                            self.literal(word, 1);
                        }
                        _ => self.literal(word, 1),
                    }
                }
                _ => {
                    let rest = &self.text.as_bytes()[self.at..];
                    let end = rest.iter().position(|byte| b"\"$`\\".contains(byte));
                    self.literal(word, end.unwrap_or(rest.len()));
                }
            }
        }
        self.at += 1;
        Ok(())
    }

    fn escaped(&mut self, word: &mut ShellWord) {
        self.at += 1;
        match self.text[self.at..].chars().next() {
            Some('\n') => self.at += 1,
            Some(letter) => {
                word.is_quoted = true;
                self.literal(word, letter.len_utf8());
            }
            None => {}
        }
    }

    fn dollar(&mut self, word: &mut ShellWord) -> Result<(), Unparsed> {
        if self.starts("$((") {
            let end = span::of_arithmetic(self.text, self.at + 3)?;
            let inner = &self.text[self.at + 3..end];
            self.lexed.is_opaque |= inner.contains(['$', '`', '(', ')']);
            self.lexed.may_set |= inner.contains(['=', '+', '-']);
            self.expansion(word, end + 2 - self.at);
            return Ok(());
        }
        match self.text.as_bytes().get(self.at + 1) {
            Some(b'(') => {
                self.at += 1;
                return self.commands(word);
            }
            Some(b'{') => {
                let end = span::of_parameter(self.text, self.at + 2)?;
                let inner = &self.text[self.at + 2..end];
                self.lexed.is_opaque |= inner.contains(['(', '`']);
                self.lexed.may_set |= inner.contains('=');
                self.expansion(word, end + 1 - self.at);
            }
            Some(b'\'') => {
                let rest = &self.text.as_bytes()[self.at + 2..];
                let end = rest.iter().position(|byte| matches!(byte, b'\'' | b'\\'));
                let length = end.filter(|end| rest[*end] == b'\'').ok_or(Unparsed)?;
                self.at += 2;
                self.literal(word, length);
                self.at += 1;
                word.is_quoted = true;
            }
            Some(byte) if byte.is_ascii_alphanumeric() || b"_@*#?$!-".contains(byte) => {
                let rest = &self.text.as_bytes()[self.at + 1..];
                let name = rest
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
                self.expansion(word, 1 + name.count().max(1));
            }
            _ => self.literal(word, 1),
        }
        Ok(())
    }

    fn commands(&mut self, word: &mut ShellWord) -> Result<(), Unparsed> {
        let end = span::of_commands(self.text, self.at + 1)?;
        self.lexed
            .substitutions
            .push(self.text[self.at + 1..end].to_owned());
        self.expansion(word, end + 1 - self.at);
        Ok(())
    }

    fn backquotes(&mut self, word: &mut ShellWord) -> Result<(), Unparsed> {
        let end = span::of_backquotes(self.text, self.at + 1)?;
        let commands = &self.text[self.at + 1..end];
        self.lexed.is_opaque |= commands.contains('\\');
        self.lexed.substitutions.push(commands.to_owned());
        self.expansion(word, end + 1 - self.at);
        Ok(())
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

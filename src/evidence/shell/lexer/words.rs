//! Reads words, with their quotes and expansions.

use super::super::span;
use super::super::word::{ShellWord, Unparsed};
use super::Lexer;

impl Lexer<'_> {
    pub(super) fn word(&mut self) -> Result<ShellWord, Unparsed> {
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

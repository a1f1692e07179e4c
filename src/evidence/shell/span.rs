//! Where a substitution ends.

use super::syntax::Unparsed;

/// How deeply quotes and brackets may be nested in one substitution.
const DEPTH_AT_MOST: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Nest {
    /// `(...)` around commands.
    Commands,
    /// `"..."`
    Quotes,
    /// `${...}`
    Braces,
}

/// The byte offset of the `)` that ends the commands from `start`, which is after `$(`.
pub(super) fn of_commands(text: &str, start: usize) -> Result<usize, Unparsed> {
    end(text, start, Nest::Commands)
}

/// The byte offset of the `}` that ends the parameter from `start`, which is after `${`.
pub(super) fn of_parameter(text: &str, start: usize) -> Result<usize, Unparsed> {
    end(text, start, Nest::Braces)
}

fn end(text: &str, at: usize, nest: Nest) -> Result<usize, Unparsed> {
    let mut span = SubstitutionSpan {
        text,
        at,
        open: vec![nest],
        documents: Vec::new(),
    };
    while let (Some(byte), Some(nest)) = (text.as_bytes().get(span.at), span.open.last()) {
        span.step(*nest, *byte)?;
        if span.open.is_empty() {
            return Ok(span.at - 1);
        }
    }
    Err(Unparsed)
}

/// The byte offset of the `))` that ends the arithmetic from `start`, which is after `((`.
pub(super) fn of_arithmetic(text: &str, start: usize) -> Result<usize, Unparsed> {
    let mut open = 2_usize;
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            // If the byte before the last `)` is not another one, these are commands in a subshell.
            let end = text.as_bytes().get(at - 1);
            return end
                .filter(|byte| **byte == b')')
                .map(|_| at - 1)
                .ok_or(Unparsed);
        }
    }
    Err(Unparsed)
}

/// The byte offset of the backquote that ends the commands from `start`.
pub(super) fn of_backquotes(text: &str, start: usize) -> Result<usize, Unparsed> {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'`' => return Ok(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    Err(Unparsed)
}

/// The delimiter of a here-document, and the byte offset after it. `at` is the byte offset after `<<`.
pub(super) fn delimiter(text: &str, at: usize) -> Result<(Delimiter, usize), Unparsed> {
    let bytes = text.as_bytes();
    let strips = bytes.get(at) == Some(&b'-');
    let mut at = at + usize::from(strips);
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    let mut word = Vec::new();
    let mut is_quoted = false;
    let mut quote = None;
    while let Some(byte) = bytes.get(at) {
        match (quote, byte) {
            (Some(open), byte) if open == *byte => quote = None,
            (None, b'\'' | b'"') => (quote, is_quoted) = (Some(*byte), true),
            (None, b'\\') => is_quoted = true,
            (
                None,
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')',
            ) => break,
            (_, byte) => word.push(*byte),
        }
        at += 1;
    }
    if quote.is_some() || !is_quoted && word.is_empty() {
        return Err(Unparsed);
    }
    let word = String::from_utf8(word).map_err(|_| Unparsed)?;
    Ok((
        Delimiter {
            word,
            strips,
            is_quoted,
        },
        at,
    ))
}

pub(super) struct Delimiter {
    word: String,
    /// Whether tabs at the beginning of lines are removed (`<<-`).
    strips: bool,
    /// Whether the text is literal: a delimiter with quotes turns expansions off.
    pub(super) is_quoted: bool,
}

impl Delimiter {
    /// The byte offset of the end of the text from `start`, and that after its delimiter. Without a
    /// delimiter, the text goes to the end of the command line, as in shells.
    pub(super) fn find(&self, text: &str, start: usize) -> (usize, usize) {
        let mut at = start;
        for line in text[start..].split_inclusive('\n') {
            let bare = line.strip_suffix('\n').unwrap_or(line);
            let bare = if self.strips {
                bare.trim_start_matches('\t')
            } else {
                bare
            };
            if bare == self.word {
                return (at, at + line.len());
            }
            at += line.len();
        }
        (text.len(), text.len())
    }
}

struct SubstitutionSpan<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Nest>,
    documents: Vec<Delimiter>,
}

impl SubstitutionSpan<'_> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at + 1).copied()
    }

    fn push(&mut self, nest: Nest, length: usize) -> Result<(), Unparsed> {
        if self.open.len() >= DEPTH_AT_MOST {
            return Err(Unparsed);
        }
        self.open.push(nest);
        self.at += length;
        Ok(())
    }

    fn step(&mut self, nest: Nest, byte: u8) -> Result<(), Unparsed> {
        match (nest, byte) {
            (Nest::Commands, b')') | (Nest::Quotes, b'"') | (Nest::Braces, b'}') => {
                self.open.pop();
                self.at += 1;
            }
            (Nest::Commands, b'(') => self.push(Nest::Commands, 1)?,
            (Nest::Commands | Nest::Braces, b'"') => self.push(Nest::Quotes, 1)?,
            (_, b'$') if self.next() == Some(b'(') => self.push(Nest::Commands, 2)?,
            (_, b'$') if self.next() == Some(b'{') => self.push(Nest::Braces, 2)?,
            (Nest::Commands, b'\'') => {
                let rest = &self.text.as_bytes()[self.at + 1..];
                self.at += memchr::memchr(b'\'', rest).ok_or(Unparsed)? + 2;
            }
            // Whether this is a quote depends on the quotes around the braces.
            (Nest::Braces, b'\'') => return Err(Unparsed),
            (Nest::Commands, b'#') if self.is_comment() => {
                let rest = &self.text.as_bytes()[self.at..];
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            }
            (Nest::Commands, b'<') if self.next() == Some(b'<') => self.here_document()?,
            (Nest::Commands, b'\n') => {
                self.at += 1;
                for delimiter in std::mem::take(&mut self.documents) {
                    self.at = delimiter.find(self.text, self.at).1;
                }
            }
            (_, b'`') => self.at = of_backquotes(self.text, self.at + 1)? + 1,
            (_, b'\\') => self.at += 2,
            _ => self.at += 1,
        }
        Ok(())
    }

    fn is_comment(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.text.as_bytes()[at]);
        matches!(
            before,
            None | Some(b' ' | b'\t' | b'\n' | b';' | b'(' | b'&' | b'|')
        )
    }

    fn here_document(&mut self) -> Result<(), Unparsed> {
        if self.text.as_bytes().get(self.at + 2) == Some(&b'<') {
            self.at += 3;
            return Ok(());
        }
        let (delimiter, at) = delimiter(self.text, self.at + 2)?;
        self.documents.push(delimiter);
        self.at = at;
        Ok(())
    }
}

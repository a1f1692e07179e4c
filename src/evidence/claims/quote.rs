//! Whether a file has a text that a return quotes.
//!
//! Agents quote with other white space, quotation marks, escapes and line numbers than the file has, and
//! leave parts out. So only letters and digits are compared, each part between two ellipses on its own.

use std::borrow::Cow;
use std::cell::OnceCell;

use memchr::memmem;

use crate::profile::paths::LineRange;

/// Fewest letters and digits of a part that is looked for.
const LETTERS_AT_LEAST: usize = 4;

/// How far from the cited lines a quote may be.
const LINES_NEAR: u64 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QuotePlace {
    /// In the cited lines, or a few lines from them.
    Near,
    /// It begins in this line, from 1.
    At(u64),
}

pub(super) struct SearchedText {
    bytes: Vec<u8>,
    letters: OnceCell<Letters>,
    decoded: OnceCell<Letters>,
}

#[derive(Debug, Default)]
struct Letters {
    letters: Vec<u8>,
    /// How many of these bytes come before each line.
    lines: Vec<usize>,
}

impl SearchedText {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, letters: OnceCell::new(), decoded: OnceCell::new() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the file has a quote. None if it does not have it.
    pub(super) fn find(
        &self,
        quote: &str,
        lines: Option<LineRange>,
    ) -> Result<Option<QuotePlace>, &'static str> {
        let text = || String::from_utf8_lossy(&self.bytes);
        let letters = self.letters.get_or_init(|| Letters::of(&text(), false));
        let quotes = [quote.into(), decoded(quote), unnumbered(quote).into()];
        let quotes = quotes.map(|quote: Cow<'_, str>| parts(&quote, false));
        if let Some(place) = quotes.iter().find_map(|parts| letters.find(parts, lines)) {
            return Ok(Some(place));
        }
        if quotes.iter().all(Vec::is_empty) {
            return Err("the quote has too little text to look for");
        }
        if memchr::memchr2(b'&', b'\\', &self.bytes).is_some() {
            let letters = || Letters::of(&decoded(&text()), false);
            let letters = self.decoded.get_or_init(letters);
            let found = letters.find(&quotes[1], lines);
            if found.is_some() {
                return Ok(found);
            }
        }
        if !quote.is_ascii() || std::str::from_utf8(&self.bytes).is_err() {
            // A letter with an accent may be one character or two.
            let parts = parts(quote, true);
            if parts.is_empty() || Letters::of(&text(), true).find(&parts, None).is_some() {
                return Err("the letters of the quote can be written in several ways");
            }
        }
        Ok(None)
    }
}

impl Letters {
    fn of(text: &str, only_ascii: bool) -> Self {
        let mut own = Self::default();
        for line in text.split('\n') {
            own.lines.push(own.letters.len());
            push_letters(&mut own.letters, line, only_ascii);
        }
        own
    }

    /// Where all parts are. The place is that of the first one.
    fn find(&self, parts: &[Vec<u8>], lines: Option<LineRange>) -> Option<QuotePlace> {
        let (first, rest) = parts.split_first()?;
        let at = memmem::find(&self.letters, first)?;
        let is_there = |part: &Vec<u8>| memmem::find(&self.letters, part).is_some();
        if !rest.iter().all(is_there) {
            return None;
        }
        let Some([from, to]) = lines else {
            return Some(QuotePlace::Near);
        };
        let start = self.before(from.saturating_sub(LINES_NEAR));
        let end = self.before(to.saturating_add(LINES_NEAR + 1));
        let near = &self.letters[start..self.letters.len().min(end + first.len())];
        if memmem::find(near, first).is_some_and(|at| start + at < end) {
            return Some(QuotePlace::Near);
        }
        let line = self.lines.partition_point(|start| *start <= at);
        Some(QuotePlace::At(line as u64))
    }

    /// How many bytes come before a line, from 1.
    fn before(&self, line: u64) -> usize {
        let index = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
        self.lines.get(index).copied().unwrap_or(self.letters.len())
    }
}

/// The parts of a quote between ellipses that are long enough to be looked for, as their letters. In a
/// text with code in backticks, only the code is quoted.
fn parts(quote: &str, only_ascii: bool) -> Vec<Vec<u8>> {
    let pieces: Vec<&str> = match quote.matches('`').count() {
        2.. if !quote.contains("```") => quote.split('`').skip(1).step_by(2).collect(),
        _ => vec![quote],
    };
    let pieces = pieces.into_iter().flat_map(|piece| piece.split('\u{2026}'));
    let letters = pieces.flat_map(|piece| piece.split("...")).map(|piece| {
        let mut letters = Vec::new();
        push_letters(&mut letters, piece, only_ascii);
        letters
    });
    letters.filter(|it| it.len() >= LETTERS_AT_LEAST).collect()
}

fn push_letters(letters: &mut Vec<u8>, text: &str, only_ascii: bool) {
    if text.is_ascii() {
        let bytes = text.bytes().filter(u8::is_ascii_alphanumeric);
        return letters.extend(bytes.map(|it| it.to_ascii_lowercase()));
    }
    let mut buffer = [0; 4];
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        // A letter with a mark of its own, of Latin, Greek or Cyrillic, may as well be one character.
        let is_mark = |it: &char| matches!(it, '\u{300}'..='\u{36f}');
        let is_marked = only_ascii && rest.next_if(is_mark).is_some();
        let counts = letter.is_ascii_alphanumeric() || !only_ascii && letter.is_alphanumeric();
        for letter in letter.to_lowercase().filter(|_| counts && !is_marked) {
            letters.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
        }
    }
}

/// A text without the escapes of HTML and of strings.
fn decoded(text: &str) -> Cow<'_, str> {
    const ESCAPES: [(&str, &str); 9] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("\\n", " "),
        ("\\t", " "),
        ("\\r", " "),
    ];
    if !text.contains(['&', '\\']) {
        return Cow::Borrowed(text);
    }
    let decode = |text: String, (escape, plain): &(&str, &str)| text.replace(escape, plain);
    Cow::Owned(ESCAPES.iter().fold(text.to_owned(), decode))
}

/// A text without the numbers and marks that programs print in front of lines.
fn unnumbered(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let line = line.trim_start().trim_start_matches(['+', '-', '>', 'L']);
        line.trim_start().trim_start_matches(|it: char| it.is_ascii_digit())
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "fn main() {\n    let tide = \"high\";\n    println!(\"{tide} &lt;3\");\n}\n\n\n\n\n\n\nfn last_one() {}\n";

    fn find(quote: &str, line: u64) -> Result<Option<QuotePlace>, &'static str> {
        SearchedText::new(FILE.into()).find(quote, Some([line, line]))
    }

    #[test]
    fn a_quote_is_found_however_it_is_spelled() {
        for quote in [
            "let tide = \"high\";",
            "let tide = \u{201c}high\u{201d}",
            "`let tide` is never used",
            "2: let tide = \"high\";\n3:     println!",
            "    2\u{2192}    let tide",
            "+    let tide",
            "fn main() {\\n    let tide",
            "fn main() { ... println!",
            "println!(\"{tide} <3\")",
            "Let Tide = \"HIGH\"",
        ] {
            assert_eq!(find(quote, 2), Ok(Some(QuotePlace::Near)), "{quote}");
        }
        assert_eq!(find("fn last_one", 2), Ok(Some(QuotePlace::At(11))));
        assert_eq!(find("fn last_one", 8), Ok(Some(QuotePlace::Near)));
    }

    #[test]
    fn another_text_is_not_found() {
        for quote in ["let tides = 1", "fn main() { ... printf", "`let tidy`"] {
            assert_eq!(find(quote, 2), Ok(None), "{quote}");
        }
        assert_eq!(find("...", 2), Err("the quote has too little text to look for"));
        assert_eq!(find("}", 2), Err("the quote has too little text to look for"));
        assert_eq!(find("l\u{eb}t tide", 2), Ok(None));
        let several = Err("the letters of the quote can be written in several ways");
        for (file, quote) in [
            ("le cafe\u{301} ferme\u{301}", "caf\u{e9} ferm\u{e9}"),
            ("le caf\u{e9} ferm\u{e9}", "cafe\u{301} ferme\u{301}"),
        ] {
            let file = SearchedText::new(file.into());
            assert_eq!(file.find(quote, None), several, "{quote}");
            assert_eq!(file.find(&quote.replace("ferm", "plag"), None), Ok(None));
        }
        assert_eq!(
            find("潮の高さ", 2),
            Err("the letters of the quote can be written in several ways")
        );
    }
}

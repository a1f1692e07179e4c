//! Whether a file has a text that a return quotes.
//!
//! Agents quote with other white space, quotation marks, escapes and line numbers than the file has, and
//! leave parts out. So only letters and digits are compared, each part between two ellipses on its own.

use std::borrow::Cow;
use std::cell::OnceCell;

use memchr::memmem;

/// Fewest letters and digits of a part that is looked for, in bytes.
const LETTERS_AT_LEAST: usize = 4;

pub(super) struct SearchedText {
    bytes: Vec<u8>,
    letters: OnceCell<String>,
}

impl SearchedText {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, letters: OnceCell::new() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the file has a quote. An error says why that is not certain.
    pub(super) fn has(&self, quote: &str) -> Result<bool, &'static str> {
        let letters = || letters(&decoded(&String::from_utf8_lossy(&self.bytes)));
        let letters = self.letters.get_or_init(letters);
        let quote = decoded(quote);
        let quotes = [parts(&quote), parts(&unnumbered(&quote))];
        if quotes.iter().all(Vec::is_empty) {
            return Err("the quote has too little text to look for");
        }
        let has = |part: &String| memmem::find(letters.as_bytes(), part.as_bytes()).is_some();
        if quotes.iter().any(|parts| !parts.is_empty() && parts.iter().all(has)) {
            return Ok(true);
        }
        // A letter with an accent may be one character or two.
        let is_one = |it: char| it.is_alphanumeric() || matches!(it, '\u{300}'..='\u{36f}');
        let has_accents = quote.chars().any(|it| !it.is_ascii() && is_one(it));
        if has_accents || std::str::from_utf8(&self.bytes).is_err() {
            return Err("the letters of the quote can be written in several ways");
        }
        Ok(false)
    }
}

/// The parts of a quote between ellipses that are long enough to be looked for, as their letters. In a
/// text with code in backticks, only the code is quoted.
fn parts(quote: &str) -> Vec<String> {
    let pieces: Vec<&str> = match quote.matches('`').count() {
        2.. if !quote.contains("```") => quote.split('`').skip(1).step_by(2).collect(),
        _ => vec![quote],
    };
    let pieces = pieces.into_iter().flat_map(|piece| piece.split('\u{2026}'));
    let parts = pieces.flat_map(|piece| piece.split("...")).map(letters);
    parts.filter(|it| it.len() >= LETTERS_AT_LEAST).collect()
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(|it| it.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
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

    fn has(quote: &str) -> Result<bool, &'static str> {
        SearchedText::new(FILE.into()).has(quote)
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
            assert_eq!(has(quote), Ok(true), "{quote}");
        }
    }

    #[test]
    fn another_text_is_not_found() {
        for quote in ["let tides = 1", "fn main() { ... printf", "`let tidy`"] {
            assert_eq!(has(quote), Ok(false), "{quote}");
        }
        for quote in ["...", "}"] {
            assert_eq!(has(quote), Err("the quote has too little text to look for"));
        }
        let several = Err("the letters of the quote can be written in several ways");
        for quote in ["l\u{eb}t tide", "潮の高さ"] {
            assert_eq!(has(quote), several, "{quote}");
        }
        for (file, quote) in [
            ("le cafe\u{301} ferme\u{301}", "caf\u{e9} ferm\u{e9}"),
            ("le caf\u{e9} ferm\u{e9}", "cafe\u{301} ferme\u{301}"),
        ] {
            assert_eq!(SearchedText::new(file.into()).has(quote), several, "{quote}");
        }
    }
}

//! JSON with strings of a limited length.
//!
//! A message that is too large is refused in any case, so its end need not be kept.

use std::io::{self, Read};

/// Reads JSON and cuts each string that is longer than a limit, so that the result is still valid JSON.
/// Invalid JSON stays invalid.
pub(super) struct ShortStrings<R> {
    input: R,
    /// Most bytes of a string. An escape counts as one byte.
    longest: usize,
    place: StringPlace,
    /// Whether the current character is kept. It may have several bytes.
    is_kept: bool,
}

/// Where in the JSON the next byte is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StringPlace {
    Outside,
    /// In a string, after this many bytes.
    Inside(usize),
    /// After a backslash. The number is again that of the bytes before.
    Escape(usize),
    /// In a `\u` escape after this many bytes, with this many digits left.
    Digits(usize, u8),
}

impl<R: Read> ShortStrings<R> {
    pub(super) fn new(input: R, longest: usize) -> Self {
        Self {
            input,
            longest,
            place: StringPlace::Outside,
            is_kept: true,
        }
    }

    /// Moves on by one byte. Returns whether to keep it.
    fn step(&mut self, byte: u8) -> bool {
        let (place, is_first) = match (self.place, byte) {
            (StringPlace::Outside, b'"') => (StringPlace::Inside(0), true),
            (StringPlace::Outside, _) => return true,
            (StringPlace::Inside(_), b'"') => {
                self.place = StringPlace::Outside;
                return true;
            }
            (StringPlace::Inside(length), b'\\') => (StringPlace::Escape(length), true),
            (StringPlace::Inside(length), 0x80..=0xbf) => (StringPlace::Inside(length + 1), false),
            (StringPlace::Inside(length), _) => (StringPlace::Inside(length + 1), true),
            (StringPlace::Escape(length), b'u') => (StringPlace::Digits(length, 4), false),
            (StringPlace::Escape(length) | StringPlace::Digits(length, 1), _) => {
                (StringPlace::Inside(length + 1), false)
            }
            (StringPlace::Digits(length, left), _) => {
                (StringPlace::Digits(length, left - 1), false)
            }
        };
        if is_first {
            self.is_kept = match self.place {
                StringPlace::Inside(length) => length < self.longest,
                _ => true,
            };
        }
        self.place = place;
        self.is_kept
    }
}

impl<R: Read> Read for ShortStrings<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.input.read(buffer)?;
            let mut kept = 0;
            for at in 0..read {
                let byte = buffer[at];
                if self.step(byte) {
                    buffer[kept] = byte;
                    kept += 1;
                }
            }
            // A result of 0 would mean the end of the input.
            if kept > 0 || read == 0 {
                return Ok(kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortened(text: &str, longest: usize) -> String {
        let mut short = String::new();
        let mut reader = ShortStrings::new(text.as_bytes(), longest);
        reader.read_to_string(&mut short).expect("UTF-8");
        short
    }

    #[test]
    fn only_the_ends_of_long_strings_are_left_out() {
        for (text, expected) in [
            (
                r#"{"abcd": [12345, "abc", "abcd"]}"#,
                r#"{"abc": [12345, "abc", "abc"]}"#,
            ),
            (r#""a\"b\"c""#, r#""a\"b""#),
            (r#""ab\\" , 1"#, r#""ab\\" , 1"#),
            (r#""ab\u00e4\u00e4c""#, r#""ab\u00e4""#),
            ("\"abü\"", "\"abü\""),
            ("\"abcü\"", "\"abc\""),
            ("\"😀😀\"", "\"😀\""),
            ("\"abcdef", "\"abc"),
            ("abcdef\\\"", "abcdef\\\""),
        ] {
            assert_eq!(shortened(text, 3), expected, "{text}");
        }
    }

    #[test]
    fn a_text_of_short_strings_is_passed_on_as_it_is() {
        let text = std::fs::read_to_string("fixtures/captured/background-notification.json")
            .expect("a fixture");
        assert_eq!(shortened(&text, text.len()), text);
    }
}

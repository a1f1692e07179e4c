//! Reads JSON numbers, `true`, `false` and `null`.

use super::cursor::JsonCursor;

impl JsonCursor<'_> {
    /// Reads an integer of up to 18 digits without a sign. Returns None for anything else, and then does
    /// not move.
    pub(in crate::clients) fn small_number(&mut self) -> Option<i64> {
        /// Numbers with this many digits always fit into 64 bits.
        const DIGITS: usize = 18;
        let rest = self.text.as_bytes().get(self.at..)?;
        let mut value = 0;
        for (count, byte) in rest.iter().enumerate() {
            match byte {
                b'0'..=b'9' if count < DIGITS => value = value * 10 + i64::from(byte - b'0'),
                b'0'..=b'9' | b'.' | b'e' | b'E' => return None,
                _ if count == 0 || count > 1 && rest[0] == b'0' => return None,
                _ => {
                    self.at += count;
                    return Some(value);
                }
            }
        }
        None
    }

    /// Skips a number, `true`, `false` or `null`.
    pub(in crate::clients) fn pass_scalar(&mut self) -> Option<()> {
        let first = self.peek()?;
        let rest = &self.text.as_bytes()[self.at..];
        let word: &[u8] = match first {
            b't' => b"true",
            b'f' => b"false",
            b'n' => b"null",
            _ => {
                self.at += number(rest)?;
                return Some(());
            }
        };
        self.at += word.len();
        rest.starts_with(word).then_some(())
    }
}

/// The length of the number at the start of the bytes. None if missing.
fn number(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let digits = bytes.get(from..).unwrap_or_default().iter();
        digits.take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut end = usize::from(bytes.first() == Some(&b'-'));
    end += match bytes.get(end)? {
        b'0' => 1,
        b'1'..=b'9' => digits(end),
        _ => return None,
    };
    if bytes.get(end) == Some(&b'.') {
        end += 1 + at_least_one(digits(end + 1))?;
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        end += 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end += at_least_one(digits(end))?;
    }
    Some(end)
}

fn at_least_one(count: usize) -> Option<usize> {
    (count > 0).then_some(count)
}

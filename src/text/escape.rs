//! The escaper: every text of a return, a path or an argument is escaped here before it is shown.
//!
//! Escaped text stays on one line. It cannot move a cursor, hide or reorder other text, or start a
//! workflow command. It has no tag, because what models read is often structured by tags. Escapes are
//! written as in Rust (`\n`, `\u{1b}`). A backslash is doubled, so escapes are unambiguous. Spaces at either end
//! are escaped, because they would be invisible. JSON text is escaped in its own way.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::path::Path;

use crate::text::{cut, is_ignorable};

/// The most characters that are shown of a truncated value.
const SHOWN: usize = 200;

/// Returns `value` for display: escaped, and truncated after 200 characters.
pub(crate) fn truncated(value: &str) -> Untrusted<'_> {
    Untrusted { value, limit: SHOWN }
}

/// Returns `value` for display: escaped, not truncated.
pub(crate) fn full(value: &str) -> Untrusted<'_> {
    Untrusted { value, limit: usize::MAX }
}

/// Returns `path` for display: escaped, with U+FFFD for bytes that are not UTF-8.
pub(crate) fn path(path: &Path) -> String {
    full(&path.to_string_lossy()).to_string()
}

/// Returns names for display, separated by commas. Each is escaped and not truncated.
pub(crate) fn list(words: impl IntoIterator<Item: AsRef<str>>) -> String {
    let words = words.into_iter();
    let words = words.map(|word| full(word.as_ref()).to_string());
    words.collect::<Vec<_>>().join(", ")
}

/// Returns text of several lines for display: escaped, except for newlines.
pub(crate) fn multiline(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) && character != '\n' {
            safe.extend(character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// Untrusted text; made by [`truncated`] and [`full`]. It can only be displayed, which escapes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Untrusted<'a> {
    value: &'a str,
    limit: usize,
}

impl<'a> Untrusted<'a> {
    /// Most texts need no escapes, and are then neither formatted nor copied.
    pub(crate) fn shown(&self) -> Cow<'a, str> {
        if self.value.len() <= self.limit && is_plain(self.value) {
            Cow::Borrowed(self.value)
        } else {
            Cow::Owned(self.to_string())
        }
    }
}

impl Display for Untrusted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = cut(self.value, self.limit);
        if is_plain(kept) {
            out.write_str(kept)?;
        } else {
            write_escaped(kept, out)?;
        }
        if kept.len() < self.value.len() {
            write!(out, "… ({} characters)", self.value.chars().count())?;
        }
        Ok(())
    }
}

/// Whether a text certainly needs no escapes. This is the case for most texts.
fn is_plain(text: &str) -> bool {
    let is_plain = |byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'#' | b'<' | b'\\');
    // Without an early exit, so that the compiler can compare many bytes at once.
    let are_plain = text.bytes().fold(true, |all, byte| all & is_plain(byte));
    are_plain && !text.starts_with([' ', ':']) && !text.ends_with(' ')
}

fn write_escaped(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut previous = None;
    let inner = text.len() - text.trim_start_matches(' ').len()..text.trim_end_matches(' ').len();
    for (at, character) in text.char_indices() {
        let misleads = match character {
            ' ' => !inner.contains(&at),
            // This would be a workflow command if the output starts a line with this text.
            ':' => at == 0 && text.starts_with("::"),
            _ => misleads(&text[at..], previous),
        };
        match character {
            '\n' | '\r' | '\t' | '\\' => write!(out, "{}", character.escape_default())?,
            _ if misleads => write!(out, "{}", character.escape_unicode())?,
            plain => out.write_char(plain)?,
        }
        previous = Some(character);
    }
    Ok(())
}

/// Whether the first character of the rest of a text may not be shown as it is, wherever it stands: it is hidden,
/// may begin a tag, or is the second `#` of an older workflow command (`##[…]`, `##vso[…]`), which can start
/// anywhere in a line; what follows the text may complete one. `previous` is the character before it.
pub(crate) fn misleads(rest: &str, previous: Option<char>) -> bool {
    match rest.chars().next() {
        Some('#') => {
            let command = rest[1..].trim_start_matches(|it: char| it.is_ascii_alphabetic());
            previous == Some('#') && (command.is_empty() || command.starts_with('['))
        }
        Some('<') => rest[1..].starts_with(|it: char| it == '/' || it.is_alphabetic()),
        first => first.is_some_and(is_hidden),
    }
}

/// Returns the first character of the rest of a source line for display. `previous` is the character before
/// it. A backslash is not doubled here, unlike in other texts, because the line is shown as it is in its file.
pub(crate) fn in_source(rest: &str, previous: Option<char>) -> String {
    let Some(first) = rest.chars().next() else {
        return String::new();
    };
    // What follows a less-than sign at the end may be in the next part of the line.
    if rest == "<" || misleads(rest, previous) {
        first.escape_unicode().to_string()
    } else {
        first.to_string()
    }
}

/// Appends the JSON text that `write` appends, [escaped](json).
pub(crate) fn push_json(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    write(out);
    if !is_safe_json(&out[start..]) {
        let safe = String::from_utf8_lossy(&out[start..]);
        let safe = json(&safe).into_owned();
        out.truncate(start);
        out.extend_from_slice(safe.as_bytes());
    }
}

fn is_safe_json(text: &[u8]) -> bool {
    text.is_ascii() && memchr::memchr3(b'\x7f', b'#', b'<', text).is_none()
}

/// Returns JSON text in which hidden characters, every `#` of an older workflow command, and every `<` that may
/// begin a tag are written as `\u` escapes. A parser reads the same value, and the text is harmless in a terminal,
/// in a build log and to a model.
pub(crate) fn json(text: &str) -> Cow<'_, str> {
    if is_safe_json(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    let is_special = |byte| matches!(byte, b'#' | b'<') || !matches!(byte, b' '..=b'~');
    let (mut rest, mut previous) = (text, None);
    // Most of a text is plain, and copied in pieces.
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, special) = rest.split_at(at);
        safe.push_str(plain);
        previous = plain.chars().next_back().or(previous);
        let Some(character) = special.chars().next() else {
            break;
        };
        // serde_json has escaped the C0 controls in strings. Outside strings they are only white space.
        let is_white = matches!(character, '\n' | '\t' | '\r');
        if !is_white && misleads(special, previous) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(character);
        }
        previous = Some(character);
        rest = &special[character.len_utf8()..];
    }
    safe.push_str(rest);
    Cow::Owned(safe)
}

/// Whether a character is invisible or misleads: all white space, too, but the ordinary space.
pub(crate) fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    if character.is_whitespace() {
        return true;
    }
    is_ignorable(character)
        || matches!(character,
            '\u{80}'..='\u{9f}' // C1 controls
            | '\u{2800}' // a blank pattern
            | '\u{fdd0}'..='\u{fdef}' // noncharacters
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{13430}'..='\u{1343f}' // hieroglyph controls
            | '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}' // marks that
            | '\u{110bd}' | '\u{110cd}' // enclose what follows
            | '\u{16fe4}' | '\u{1d159}' // blank letter and note
            | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10fffd}' // private: any font's picture
        )
        || u32::from(character) & 0xfffe == 0xfffe // noncharacters of the other planes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_hidden_characters_are_shown_as_escapes() {
        assert_eq!(truncated("a\x1b[31mb").to_string(), "a\\u{1b}[31mb");
        assert_eq!(truncated("a\r\n\tb\\").to_string(), "a\\r\\n\\tb\\\\");
        assert_eq!(
            truncated("\u{202e}\u{2028}\u{200b}\u{9b}\u{e0041}").to_string(),
            "\\u{202e}\\u{2028}\\u{200b}\\u{9b}\\u{e0041}"
        );
        assert_eq!(truncated("naïve ✅ 表").to_string(), "naïve ✅ 表");
    }

    /// `Default_Ignorable_Code_Point` of Unicode 16, private use, and the last two code points of every
    /// plane.
    #[test]
    fn invisible_characters_are_hidden() {
        let ignorable = [
            0xad..=0xad,
            0x34f..=0x34f,
            0x61c..=0x61c,
            0x115f..=0x1160,
            0x17b4..=0x17b5,
            0x180b..=0x180f,
            0x200b..=0x200f,
            0x202a..=0x202e,
            0x2060..=0x206f,
            0x3164..=0x3164,
            0xfe00..=0xfe0f,
            0xfeff..=0xfeff,
            0xffa0..=0xffa0,
            0xfff0..=0xfff8,
            0xe000..=0xf8ff,
            0x1_bca0..=0x1_bca3,
            0x1_d173..=0x1_d17a,
            0xe_0000..=0xe_0fff,
        ];
        let planes = (0..=0x10).flat_map(|plane| [plane << 16 | 0xfffe, plane << 16 | 0xffff]);
        for code in ignorable.into_iter().flatten().chain(planes) {
            let character = char::from_u32(code).expect("no surrogate");
            assert!(is_hidden(character), "{code:x}");
        }
    }

    #[test]
    fn spaces_at_the_ends_are_escaped() {
        assert_eq!(truncated(" a b  ").to_string(), "\\u{20}a b\\u{20}\\u{20}");
        assert_eq!(truncated("  ").to_string(), "\\u{20}\\u{20}");
    }

    #[test]
    fn older_workflow_commands_are_escaped() {
        assert_eq!(truncated("x##[set-env]#[y]").to_string(), "x#\\u{23}[set-env]#[y]");
        assert_eq!(truncated("##").to_string(), "#\\u{23}");
        assert_eq!(truncated("## Result").to_string(), "## Result");
    }

    #[test]
    fn tags_are_escaped() {
        assert_eq!(truncated("a</x><b c>").to_string(), "a\\u{3c}/x>\\u{3c}b c>");
        assert_eq!(truncated("a < b <= 1 <3 <").to_string(), "a < b <= 1 <3 <");
    }

    #[test]
    fn a_workflow_command_at_the_start_is_escaped() {
        assert_eq!(truncated("::error::x").to_string(), "\\u{3a}:error::x");
        assert_eq!(truncated(":x a::b").to_string(), ":x a::b");
    }

    #[test]
    fn a_long_value_is_truncated_and_its_length_shown() {
        let text = truncated(&"é".repeat(1_000)).to_string();
        assert_eq!(text, format!("{}… (1000 characters)", "é".repeat(200)));
        assert_eq!(truncated(&"é".repeat(200)).to_string(), "é".repeat(200));
    }

    #[test]
    fn text_of_several_lines_keeps_only_its_line_feeds() {
        assert_eq!(
            multiline("a\n\u{1b}b\tc\r\n\u{202e}d\n"),
            "a\n\\u{1b}b\\u{9}c\\u{d}\n\\u{202e}d\n"
        );
    }

    #[test]
    fn json_controls_and_workflow_commands_are_escaped() {
        assert_eq!(json("[\"##[x]\", \"\u{7f}\"]"), "[\"#\\u0023[x]\", \"\\u007f\"]");
        assert_eq!(json("[\"</x><b> 1 < 2\"]"), "[\"\\u003c/x>\\u003cb> 1 < 2\"]");
        assert_eq!(json("###[#é#"), "##\\u0023[#é#");
        assert_eq!(json("[\n\t\"é\"\r\n]"), "[\n\t\"é\"\r\n]");
    }

    #[test]
    fn what_is_appended_is_escaped_alone() {
        for (text, expected) in [("[1]", "# [1]"), ("\"##[\"", "# \"#\\u0023[\"")] {
            let mut out = b"# ".to_vec();
            push_json(&mut out, |out| out.extend_from_slice(text.as_bytes()));
            assert_eq!(String::from_utf8_lossy(&out), expected);
        }
    }

    #[test]
    fn json_keeps_its_value() {
        let value = "\u{1b}\u{9b}\u{202e}\u{e0041}é\n##[x]";
        let text = json(&serde_json::to_string(value).expect("a string is JSON")).into_owned();
        assert_eq!(text, "\"\\u001b\\u009b\\u202e\\udb40\\udc41é\\n#\\u0023[x]\"");
        assert_eq!(serde_json::from_str::<String>(&text).expect("still JSON"), value);
    }
}

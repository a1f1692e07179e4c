//! JSON text that is safe to print.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{is_hidden, opens_tag};

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

/// Whether nothing in a JSON text needs to be escaped.
fn is_safe_json(text: &[u8]) -> bool {
    text.is_ascii() && memchr::memchr3(b'\x7f', b'#', b'<', text).is_none()
}

/// Returns JSON text in which hidden characters, every `#` after another one, and every `<` that may begin
/// a tag are written as `\u` escapes. A parser reads the same value, and the text is harmless in a terminal,
/// in a build log and to a model.
pub(crate) fn json(text: &str) -> Cow<'_, str> {
    if is_safe_json(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    let mut after_hash = false;
    let mut rest = text;
    let is_special = |byte| matches!(byte, b'#' | b'<') || !matches!(byte, b' '..=b'~');
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, special) = rest.split_at(at);
        safe.push_str(plain);
        after_hash &= plain.is_empty();
        let is_tag = opens_tag(special);
        let mut special = special.chars();
        let Some(character) = special.next() else {
            break;
        };
        // serde_json has escaped the C0 controls in strings. Outside strings they are only white space.
        let is_hidden = is_hidden(character) && !matches!(character, '\n' | '\t' | '\r');
        if is_hidden || is_tag || (after_hash && character == '#') {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(character);
        }
        after_hash = character == '#';
        rest = special.as_str();
    }
    safe.push_str(rest);
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_controls_and_workflow_commands_are_escaped() {
        assert_eq!(
            json("[\"##[x]\", \"\u{7f}\"]"),
            "[\"#\\u0023[x]\", \"\\u007f\"]"
        );
        assert_eq!(
            json("[\"</x><b> 1 < 2\"]"),
            "[\"\\u003c/x>\\u003cb> 1 < 2\"]"
        );
        assert_eq!(json("###a#é#"), "#\\u0023\\u0023a#é#");
        assert_eq!(json("[\n\t\"é\"\r\n]"), "[\n\t\"é\"\r\n]");
    }

    #[test]
    fn what_is_appended_is_escaped_alone() {
        for (text, expected) in [("[1]", "# [1]"), ("\"##é\"", "# \"#\\u0023é\"")] {
            let mut out = b"# ".to_vec();
            push_json(&mut out, |out| out.extend_from_slice(text.as_bytes()));
            assert_eq!(String::from_utf8_lossy(&out), expected);
        }
    }

    #[test]
    fn json_keeps_its_value() {
        let value = "\u{1b}\u{9b}\u{202e}\u{e0041}é\n##[x]";
        let text = json(&serde_json::to_string(value).expect("a string is JSON")).into_owned();
        assert_eq!(
            text,
            "\"\\u001b\\u009b\\u202e\\udb40\\udc41é\\n#\\u0023[x]\""
        );
        assert_eq!(
            serde_json::from_str::<String>(&text).expect("still JSON"),
            value
        );
    }
}

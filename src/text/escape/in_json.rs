//! JSON text that is safe to print.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::is_hidden;

/// JSON text with hidden characters, and every second `#` in a row, as `\u` escapes: the same value
/// to a parser, and harmless in a terminal or a build log.
#[must_use]
pub fn json(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.contains(['\u{7f}', '#']) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    let mut after_hash = false;
    for character in text.chars() {
        // serde_json has escaped the C0 controls in strings; elsewhere they are only layout.
        let is_hidden = is_hidden(character) && !matches!(character, '\n' | '\t' | '\r');
        if is_hidden || (after_hash && character == '#') {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(character);
        }
        after_hash = character == '#';
    }
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
        assert_eq!(json("[\n\t\"é\"\r\n]"), "[\n\t\"é\"\r\n]");
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

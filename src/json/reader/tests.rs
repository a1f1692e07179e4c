use serde::Deserialize as _;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::*;
use crate::text::variants;

fn read(text: &str, buffer: &mut [u8]) -> Option<Value> {
    let mut reader = JsonReader::new(text, buffer);
    let value = Value::deserialize(&mut reader).ok()?;
    reader.end().ok().map(|()| value)
}

/// Whether the whole text is a value that the reader passes over.
fn is_passed(text: &str) -> bool {
    let mut reader = JsonReader::new(text, &mut []);
    IgnoredAny::deserialize(&mut reader).is_ok() && reader.end().is_ok()
}

/// Compares the readers on a text, and on the text with so much white space after it that all of it is
/// read in blocks; each with no buffer, with a buffer for some strings, and with one for all.
#[track_caller]
fn compare(text: &str) {
    for text in [text, &format!("{text}{:40}", "")] {
        let expected = serde_json::from_str::<Value>(text).ok();
        for room in [0, text.len() / 4, text.len()] {
            let read = read(text, &mut vec![0; room]);
            assert_eq!(read, expected, "{text:?}");
        }
        let expected = serde_json::from_str::<IgnoredAny>(text).is_ok();
        assert_eq!(is_passed(text), expected, "{text:?}");
    }
}

const TEXTS: [&str; 8] = [
    r#" {"a": [1, -2, 0.5, 1e3, 2E-1, true, false, null], "b": {}, "c": []} "#,
    r#"{"k\u0065y": "v\n\"\\\/\b\f\r\t\ud83d\ude80 é", "key": "\ud83d"}"#,
    "[\n\t\"a\",\r\n {\"b\":\"c\"}]",
    r"[0,-0,-1,10,999999999999999999,1000000000000000000,18446744073709551616,1E400]",
    r#"[[[[]]],{"":{"":[""]}}]"#,
    "\"\"",
    r#"{"k":"v","a key as long as a block":"a value of two blocks, é and more","l":["",{"m":"w"}]}"#,
    "{\n  \"key\": \"value\",\n  \"n\" : [\"a\", \"b\" , \"c\"],\n  \"o\": {\"p\": {}, \"q\": 0}\n}\n",
];

/// What is inserted at every position, and put in place of every character.
const PIECES: [&str; 26] = [
    "", "\"", "\\", "\\u", "\\x", "\r", "\u{1f}", "tru", "{", "}", "[", "]", ",", ":", "0", "1",
    "-", ".", "e", "+", " ", "\n", "\0", "\u{7f}", "é", "null",
];

#[test]
fn texts_are_read_as_by_serde_json_whatever_is_changed_in_them() {
    for text in TEXTS {
        variants::each(text, &PIECES, compare);
    }
}

#[test]
fn texts_are_read_down_to_the_level_of_serde_json() {
    for levels in [1, LEVELS - 1, LEVELS, LEVELS + 1] {
        compare(&format!("{}{}", "[".repeat(levels), "]".repeat(levels)));
        let objects = format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
        compare(&objects);
    }
}

#[test]
fn values_are_passed_over_however_deep_they_are() {
    for levels in [1, 63, 64, 65, 127, 128, 129, 5_000] {
        // Objects and lists are mixed, so that a wrong order of closing brackets is noticed.
        let is_list = |level: &usize| level.is_multiple_of(3) || level.is_multiple_of(7);
        let open = |level| if is_list(&level) { "[" } else { r#"{"a":"# };
        let close = |level| if is_list(&level) { "]" } else { "}" };
        let begin: String = (0..levels).map(open).collect();
        let end: String = (0..levels).rev().map(close).collect();
        assert!(is_passed(&format!("{begin}1{end}")), "{levels}");
        let other = if end.starts_with(']') { '}' } else { ']' };
        let mixed = format!("{begin}1{other}{}", &end[1..]);
        assert!(!is_passed(&mixed), "{levels}");
        assert!(!is_passed(&format!("{begin}1{}", &end[1..])), "{levels}");
        assert!(!is_passed(&format!("{begin}1{end}{end}")), "{levels}");
    }
}

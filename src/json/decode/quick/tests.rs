use serde::Deserialize as _;
use serde_json::Value;

use super::*;
use crate::text::variants;

fn read(text: &str, buffer: &mut [u8]) -> Option<Value> {
    let mut reader = QuickReader::new(text, buffer);
    let value = Value::deserialize(&mut reader).ok()?;
    reader.end().ok().map(|()| value)
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
    }
}

const TEXTS: [&str; 8] = [
    r#" {"a": [1, -2, 0.5, 1e3, true, false, null], "b": {}, "c": []} "#,
    r#"{"k\u0065y": "v\n\"\\\ud83d\ude80 é", "key": "\ud83d"}"#,
    "[\n\t\"a\",\r\n {\"b\":\"c\"}]",
    r"[0,-0,-1,10,999999999999999999,1000000000000000000,18446744073709551616,1E400]",
    r#"[[[[]]],{"":{"":[""]}}]"#,
    "\"\"",
    r#"{"k":"v","a key as long as a block":"a value of two blocks, é and more","l":["",{"m":"w"}]}"#,
    "{\n  \"key\": \"value\",\n  \"n\" : [\"a\", \"b\" , \"c\"],\n  \"o\": {\"p\": {}, \"q\": 0}\n}\n",
];

/// What is inserted at every position, and put in place of every character.
const PIECES: [&str; 22] = [
    "", "\"", "\\", "\\u", "{", "}", "[", "]", ",", ":", "0", "1", "-", ".", "e", "+", " ", "\n",
    "\0", "\u{7f}", "é", "null",
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

//! Tests that the reader accepts the same JSON as `serde_json`, and reads the same strings and numbers.

use serde::de::IgnoredAny;

use crate::clients::run::cursor::JsonCursor;
use crate::clients::run::lenient::{LenientNumber, LenientText, Object, whole};
use crate::clients::run::record::record;
use crate::text::variants;

const TEXTS: [&str; 7] = [
    r#" {"a": [1, -2, 0.5, 1e3, 2E-1, true, false, null], "b": {}, "c": []} "#,
    r#"{"k\u0065y": "v\n\"\\\/\b\f\r\t\ud83d\ude80 é", "key": "\u00e9"}"#,
    "[\n\t\"a\",\r\n {\"b\":\"c\"}]",
    "[0,-0,-1,10,999999999999999999,1000000000000000000,18446744073709551616,1E400]",
    r#"[[[[]]],{"":{"":[""]}}]"#,
    r#""a text that is longer than what is looked at in one go, with one \" and one \u0041 in it""#,
    "-12.50e+10",
];

/// Texts that are inserted at every position, and that replace every character.
const PIECES: [&str; 26] = [
    "", "\"", "\\", "\\u", "\\x", "{", "}", "[", "]", ",", ":", "0", "1", "-", "+", ".", "e", " ",
    "\n", "\r", "\0", "\u{1f}", "\u{7f}", "é", "null", "tru",
];

/// Calls `check` with every text and with every variant of it that has one change.
fn each_text(mut check: impl FnMut(&str)) {
    for text in TEXTS {
        variants::each(text, &PIECES, &mut check);
    }
}

fn is_json(text: &str) -> bool {
    let mut json = JsonCursor::new(text);
    json.skip().is_some() && json.is_at_end()
}

#[track_caller]
fn compare(text: &str) {
    let expected = serde_json::from_str::<IgnoredAny>(text).is_ok();
    assert_eq!(is_json(text), expected, "{text:?}");
}

#[test]
fn a_text_is_json_if_serde_json_takes_it_for_it() {
    each_text(compare);
}

#[test]
fn values_are_skipped_however_deep_they_are() {
    for levels in [1, 63, 64, 65, 127, 128, 129, 5_000] {
        // Objects and lists are mixed, so that a wrong order of closing brackets is noticed.
        let is_list = |level: &usize| level.is_multiple_of(3) || level.is_multiple_of(7);
        let open = |level| if is_list(&level) { "[" } else { r#"{"a":"# };
        let close = |level| if is_list(&level) { "]" } else { "}" };
        let begin: String = (0..levels).map(open).collect();
        let end: String = (0..levels).rev().map(close).collect();
        assert!(is_json(&format!("{begin}1{end}")), "{levels}");
        let other = if end.starts_with(']') { '}' } else { ']' };
        let mixed = format!("{begin}1{other}{}", &end[1..]);
        assert!(!is_json(&mixed), "{levels}");
        assert!(!is_json(&format!("{begin}1{}", &end[1..])), "{levels}");
        assert!(!is_json(&format!("{begin}1{end}{end}")), "{levels}");
    }
}

#[test]
fn strings_are_read_as_by_serde_json() {
    each_text(|text| {
        let Some(text) = text.trim_start().strip_prefix('"') else {
            return;
        };
        let text = format!("\"{text}");
        let Ok(expected) = serde_json::from_str::<String>(&text) else {
            return;
        };
        let read: Option<LenientText> = whole(&text);
        assert_eq!(read.and_then(|text| text.0).as_deref(), Some(&*expected));
    });
}

#[test]
fn numbers_are_read_as_by_serde_json() {
    each_text(|text| {
        for number in text.split([',', ' ', '[', ']']) {
            let Ok(expected) = serde_json::from_str::<serde_json::Number>(number) else {
                continue;
            };
            let read: Option<LenientNumber> = whole(number);
            let read = read.expect("it is a number").0;
            // `serde_json` reads -0 as a float. The reader may read 0, because no count is negative.
            let expected = expected.as_i64().or((number.trim() == "-0").then_some(0));
            assert_eq!(read, expected, "{number}");
        }
    });
}

record! {
    struct Pair<'a> {
        text: LenientText<'a> = "text",
        number: LenientNumber = "a number",
    }
}

#[test]
fn members_are_known_by_their_names_in_any_order_and_form() {
    let pair = |text: &str| {
        let pair: Option<Object<Pair>> = whole(text);
        let pair = pair?.0?;
        Some((pair.text.get().map(str::to_owned), pair.number.0))
    };
    let both = Some((Some("a".to_owned()), Some(7)));
    for text in [
        r#"{"text":"a","a number":7}"#,
        r#"{"a number":7,"text":"a"}"#,
        r#" { "te\u0078t" : "\u0061" , "x" : [ { "text" : 1 } ] , "a\u0020number" : 7 } "#,
    ] {
        assert_eq!(pair(text), both, "{text}");
    }
    assert_eq!(pair(r#"{"text":[],"a number":"7"}"#), Some((None, None)));
    for text in [
        r#"{"text":"a","text":"a"}"#,
        r#"{"text":null,"te\u0078t":"a"}"#,
        r#"{"text":"a"} x"#,
        r#"{"text":"a\x"}"#,
        "{\"text\":\"a\tb\"}",
        r#"{"text":"a"#,
        "7",
    ] {
        assert_eq!(pair(text), None, "{text}");
    }
}

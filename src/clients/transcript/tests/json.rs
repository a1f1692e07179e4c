//! Tests that the values of records are read as by `serde_json`.

use serde::Deserialize;

use crate::clients::run::{LenientNumber, LenientText, whole};
use crate::text::variants;

const TEXTS: [&str; 4] = [
    r#""v\n\"\\\/\b\f\r\t\ud83d\ude80 é \u00e9""#,
    "[0,-0,-1,10,999999999999999999,1000000000000000000,18446744073709551616,1E400]",
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

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Pair<'a> {
    #[serde(borrow)]
    text: LenientText<'a>,
    #[serde(rename = "a number")]
    number: LenientNumber,
}

#[test]
fn members_are_known_by_their_names_in_any_order_and_form() {
    let pair = |text: &str| {
        let pair: Option<Option<Pair>> = whole(text);
        let pair = pair??;
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

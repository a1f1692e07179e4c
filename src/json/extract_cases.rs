//! What is found in a text that is not JSON.

use super::extract::{Contents, contents};
use crate::text::Span;

fn one(text: &str) -> (String, String) {
    match contents(text) {
        Contents::One { place, wrapping } => {
            (text[place.start..place.end].to_owned(), wrapping.name())
        }
        other => panic!("{other:?}"),
    }
}

const RETURN: &str = r#"{"status":"partial","summary":"a ``` and a <think> in it"}"#;

#[test]
fn the_return_is_found_and_what_is_around_it_named() {
    for (text, name) in [
        (format!("```json\n{RETURN}\n```"), "a Markdown fence"),
        (format!("~~~\r\n{RETURN}\r\n~~~\r\n"), "a Markdown fence"),
        (format!("Done.\n{RETURN}"), "prose"),
        (
            format!("Done:\n```json\n{RETURN}\n```\nBye"),
            "a Markdown fence and prose",
        ),
        (
            format!("<think>{{\"status\":\"failed\"}}</think>\n{RETURN}"),
            "a think block",
        ),
        (
            format!("it may be {{\"status\":1}} or\n</think>{RETURN}"),
            "a think block",
        ),
        (format!("Use {{x}} and {{\"port\": 80}}. {RETURN}"), "prose"),
        (format!("Use {{\"x\"}} or {{1: 2}}. {RETURN}"), "prose"),
        (format!("{RETURN}\nBye"), "prose"),
        (format!("<result>{RETURN}</result>"), "prose"),
        (format!("a < b <th {RETURN}"), "prose"),
        (format!("```json\n{RETURN}"), "prose"),
        (format!("{RETURN}\n```"), "prose"),
        (
            format!("Hm <thinking>{{\"status\":1}}</thinking>\n{RETURN}"),
            "a think block and prose",
        ),
        (
            format!("<think>a</think> so <think>b</think>\n{RETURN}"),
            "a think block and prose",
        ),
        (
            format!("<think>a</think>\n<think>b</think>\n{RETURN}"),
            "a think block",
        ),
        (format!("{RETURN}\n<think>a</think>\n"), "a think block"),
        (
            format!("<think>a</think>```\n{RETURN}\n```"),
            "a think block and prose",
        ),
        (
            format!("<think>a</think>\n```\n{RETURN}\n```"),
            "a Markdown fence and a think block",
        ),
    ] {
        assert_eq!(one(&text), (RETURN.to_owned(), name.to_owned()), "{text}");
    }
}

#[test]
fn two_returns_are_none() {
    let text = format!("draft {RETURN} final {RETURN}");
    let start = text.rfind(RETURN).expect("it is there");
    assert_eq!(
        contents(&text),
        Contents::Several {
            second: Span::new(start, RETURN.len())
        }
    );
}

#[test]
fn what_is_cut_off_or_broken_is_never_guessed() {
    assert_eq!(
        contents("x {\"status\":\"completed\",\"summ"),
        Contents::Truncated { start: 2 }
    );
    let broken = |start| Contents::Broken { start };
    assert_eq!(
        contents("x {\"a\":{\"status\":\"completed\"} broken"),
        broken(2)
    );
    assert_eq!(
        contents(&format!("{{\"status\":\"failed\",, \"last\": {RETURN}}}")),
        broken(0)
    );
    assert_eq!(
        contents(&format!("{{\"a\": \"C:\\work\", \"last\": {RETURN}}}")),
        broken(0)
    );
    assert_eq!(
        contents("<think>{\"status\":\"completed\"}"),
        Contents::Nothing
    );
    assert_eq!(contents("no object at all"), Contents::Nothing);
}

//! JSON that is truncated anywhere, with and without text around it.

use crate::json::extract::{Contents, contents};
use crate::json::syntax::tests::{inside, is};
use crate::json::syntax::{diagnose_inside, not_utf8};
use crate::text::Span;

const WHOLE: &str = r#"{"status":"failed","summary":"no"}"#;

#[test]
fn truncated_returns_stay_truncated_whatever_follows() {
    let returned = format!(
        "{{\"status\":\"completed\",\"n\":[1.5e3,true],\"s\":\"\\u00e9\",\"last\":{WHOLE}}}"
    );
    for before in [
        "",
        "Done: ",
        "```json\n",
        "<think>{x}</think>\n",
        "[x] {1: 2} ",
        "[",
        "[1, ",
    ] {
        for after in [
            "",
            "\n",
            "\r\n",
            " \u{a0}\n",
            "\n```",
            "```\n",
            "\n~~~\n\n",
            "\n</result>\n",
            "\0\0\0",
            "\n``",
        ] {
            for end in 1..returned.len() {
                let text = format!("{before}{}{after}", &returned[..end]);
                let found = contents(&text);
                assert!(
                    matches!(found, Contents::Truncated { .. }),
                    "{text}: {found:?}"
                );
            }
        }
    }
    for text in [
        format!("[{WHOLE}"),
        format!("[{WHOLE},"),
        format!("Done: [{WHOLE}, {WHOLE}"),
        format!("{WHOLE} [\"a\", \"b"),
        format!("{WHOLE} {{"),
        format!("{WHOLE} [1, -"),
        format!("{{\"results\": [{WHOLE}"),
    ] {
        let found = contents(&text);
        assert!(
            matches!(found, Contents::Truncated { .. }),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn truncated_returns_are_truncated_with_any_line_ending() {
    const AFTER: [&str; 9] = [
        "",
        "\n",
        "\r\n",
        " \t\u{a0}\n",
        "\u{2028}",
        "\n```",
        "```\n",
        "\n</result>",
        "\n\n",
    ];
    for cut in [
        "{",
        "{\"status",
        "{\"status\"",
        "{\"status\":",
        "{\"status\": \"completed\"",
        "{\"status\": \"completed\",",
        "{\"status\": \"completed\", \"summ",
        "{\"summary\": \"Done",
        "{\"summary\": \"Done\\",
        "{\"summary\": \"Done\\u",
        "{\"summary\": \"Done\\u12",
        "{\"summary\": \"Done\\ud83d",
        "{\"summary\": \"Done\\ud83d\\u",
        "{\"summary\": \"run `make`",
        "{\"n\": -",
        "{\"n\": 1",
        "{\"n\": 1.",
        "{\"n\": 1e",
        "{\"ok\": tru",
        "{\"ok\": fals",
        "{\"ok\": nul",
        "{\"artifacts\": [",
        "{\"artifacts\": [{\"path\": \"a\"}",
        "[\"a\", \"b",
    ] {
        for after in AFTER {
            is(
                &format!("{cut}{after}"),
                "is truncated: it ends before the JSON is complete",
                "",
            );
            is(
                &format!("```json\n{cut}{after}"),
                "truncated JSON in a Markdown fence",
                "```json",
            );
            is(
                &format!("<think>x</think>{cut}{after}"),
                "truncated JSON after a think block",
                "<think",
            );
            is(
                &format!("Done: {cut}{after}"),
                "prose with truncated JSON",
                "Done:",
            );
            for before in [
                "```json\n",
                "~~~\n",
                "<think>x</think>\n",
                "Done: ",
                "[x] {y}: ",
            ] {
                inside(
                    &format!("{before}{cut}{after}"),
                    "is truncated: it ends before the JSON is complete",
                    "",
                );
            }
        }
    }
    is(
        "{\"a\": \"Done\0\0\0",
        "is truncated: it ends before the JSON is complete",
        "",
    );
    is("<think>I wonder", "it ends inside a think block", "<think");
    is(
        "<thinking>\n{\"status\": 1}\n",
        "it ends inside a think block",
        "<think",
    );
}

#[test]
fn the_position_of_a_truncated_return_is_its_end() {
    let text = "Done:\n```json\n{\"status\": \"comp\n```\n";
    let error = serde_json::from_str::<serde_json::Value>(text).expect_err("no JSON");
    let fault = diagnose_inside(text, &contents(text), &error);
    assert_eq!(
        fault.place,
        Span::new(text.find("\n```\n").expect("a fence"), 0)
    );
}

#[test]
fn a_return_that_is_cut_inside_a_character_is_truncated() {
    let told = |bytes: &[u8]| {
        let error = std::str::from_utf8(bytes).expect_err("not UTF-8");
        not_utf8(bytes, error).what
    };
    for cut in [
        &b"{\"a\": \"b\xe2\x82"[..],
        b"{\"a\": \"b\xf0\x9f\x98\r\n",
        b"```json\n{\"a\": \"b\xc3\n```\n",
        b"Done: [\"a\xc3",
    ] {
        assert_eq!(
            told(cut),
            "is truncated: it ends before the JSON is complete",
            "{cut:?}"
        );
    }
    for other in [
        &b"{\"a\": \"b\xe2\x82\"}"[..],
        b"{\"a\": \"b\xff",
        b"{\"a\": 1}\xe2\x82",
        b"{\"a\": \"b\xe2\x82\xe2\x82",
        b"Done \xe2\x82",
    ] {
        assert_eq!(told(other), "is not valid UTF-8", "{other:?}");
    }
}

#[test]
fn an_unclosed_object_is_truncated_even_if_text_follows() {
    for after in [
        "\n```\nThat is all.",
        "\n\nThat is all.",
        "\nagentId: a1 (to go on, say so)\n<usage>total_tokens: 5</usage>\n",
        "\nline two\n",
    ] {
        for cut in [
            "{\"status\": \"comp",
            "{\"status\": \"completed\"",
            "{\"artifacts\": [{\"a\": 1",
        ] {
            let text = format!("{cut}{after}");
            is(
                &text,
                "is truncated: it ends before the JSON is complete",
                "",
            );
            inside(
                &text,
                "is truncated: it ends before the JSON is complete",
                "",
            );
            is(
                &format!("Done: {text}"),
                "prose with truncated JSON",
                "Done:",
            );
        }
    }
    is("{} done", "text after", "done");
    is("{\"a\": ]", "broken JSON", "]");
}

#[test]
fn a_fence_that_ends_where_it_begins_is_truncated() {
    is("```json\n", "truncated JSON in a Markdown fence", "```json");
    inside(
        "```json\n \n",
        "is truncated: it ends before the JSON is complete",
        "",
    );
    is("```json\n```", "is inside a Markdown fence", "```json");
    inside("```json\n```", "contains no JSON object", "```json");
}

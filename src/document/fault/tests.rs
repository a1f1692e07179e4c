//! The diagnosis of each kind of text that is not JSON, and of JSON that is truncated anywhere, with and
//! without text around it.

use crate::document::extract::{Contents, ReturnShape, contents};
use crate::document::fault::{diagnose, diagnose_inside, half_pair, not_utf8};
use crate::text::Span;

fn fault(text: &str) -> (String, &str) {
    let fault = match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Err(error) => diagnose(text, &error, &ReturnShape::default()),
        Ok(_) => half_pair(text),
    };
    assert_ne!(fault.fix, "", "{text:?}");
    (fault.what, &text[fault.place.start..fault.place.end])
}

#[track_caller]
fn is(text: &str, what: &str, place: &str) {
    let found = fault(text);
    assert!(found.0.contains(what), "{text:?}: {}", found.0);
    assert_eq!(found.1, place, "{text:?}");
}

#[test]
fn an_io_error_says_what_and_where() {
    is("", "is empty", "");
    is(" \n", "is empty", "");
    is("I am done.\n", "plain text", "I am done.");
    is("# Report\n\n- done", "plain text", "# Report\n\n- done");
    is("3 files changed", "plain text", "3 files changed");
    is("- one\n- two", "plain text", "- one\n- two");
    is("[INFO] Research is done.", "plain text", "[INFO] Research is done.");
    is("[x] wrote the plan", "plain text", "[x] wrote the plan");
    is("1. did a", "plain text", "1. did a");
    is("None. It failed", "plain text", "None. It failed");
    is("“Done” she said", "plain text", "“Done” she said");
    is("\"Done\" she said", "plain text", "\"Done\" she said");
    is("'Tis done.", "plain text", "'Tis done.");
    is("{\"a\": 1}}", "text after", "}");
    is("{\"a\": \"he said \"hi\" there\"}", "not escaped", "h");
    is("{\"a\": \"\\u12\"}", "broken JSON (invalid escape)", "}");
    is("{\"a\": \"über\nx\"}", "control character", "r");
    is("{\"a\": \"✅\nx\"}", "control character", "✅");
    is("None of it worked", "plain text", "None of it worked");
    is("[None, None]", "plain text", "[None, None]");
    is("[NaN]", "a number that JSON does not allow", "NaN");
    is("[None of it]", "plain text", "[None of it]");
    is("```json\n{}\n```", "Markdown fence", "```json");
    is("Here: {\"status\": \"partial\"} ok", "prose around", "Here:");
    is("Two: {} {}", "prose around", "{}");
    is("Cut: {\"status\": ", "truncated", "");
    is("<think>x</think>{}", "think block", "<think");
    is("{\"a\": \"b", "truncated", "");
    is("{\"a\": [1, {", "truncated", "");
    is("{} {}", "several JSON values", "{}");
    is("{}\n{}\n", "several JSON values", "{}");
    is("{} done", "text after", "done");
    is("{}\n```\n", "text after", "```");
    is("\u{feff}{}", "byte-order mark", "\u{feff}");
    is("{\"a\": 1, // no\n\"b\": 2}", "comment", "/");
    is("{\"a\": 1 /* no */}", "comment", "/");
    is("{\"a\": 1}\n// no", "comment", "// no");
    is("// no\n{}", "comment", "/");
    is("{\"a\": 1,}", "trailing comma", ",");
    is("[1, 2 , \n]", "trailing comma", ",");
    is("{'a': 1}", "single quotes", "'");
    is("{“a”: 1}", "typographic quotes", "“");
    is("{\"a\": NaN}", "NaN", "NaN");
    is("{\"a\": -Infinity}", "Infinity", "-Infinity");
    is("{\"a\": None}", "broken JSON (expected value)", "N");
    is("{\"a\": \"\\ud800\"}", "surrogate", "\\");
    is("{\"a\": \"\\ud800\\u0041\"}", "surrogate", "\\");
    is("{\"a\": \"\\udc00\"}", "surrogate", "\\");
    is("{\"a\": [1e999, \"\\udc00\"]}", "surrogate", "\\");
    is("{\"\\udc00\": 1}", "surrogate", "\\");
    is("{a: 1}", "broken JSON (key must be a string)", "a");
    is("{\"a\": \"C:\\work\"}", "broken JSON (invalid escape)", "w");
    is("{\"a\": 1 \"b\": 2}", "broken JSON (expected `,` or `}`)", "\"");
    is("{\"a\" 1}", "broken JSON (expected `:`)", "1");
}

#[test]
fn leading_white_space_moves_only_the_position() {
    is(" \n```json\n{}\n```", "Markdown fence", "```json");
    is("~~~ \n{}\n~~~", "Markdown fence", "~~~");
    is("\n<think>x</think>{}", "think block", "<think");
    is("  Here: {\"status\": \"partial\"} ok", "prose around", "Here:");
    is("\n I am done. ", "plain text", "I am done.");
    is(" \"Done\" she said", "plain text", "\"Done\" she said");
    is("{\n\"a\": 1,\n\"b\": x}", "broken JSON (expected value)", "x");
}

#[test]
fn lists_are_distinguished_from_tags() {
    is("[", "truncated", "");
    is("[ {", "truncated", "");
    is("[true", "truncated", "");
    is("[null,", "truncated", "");
    is("[1,", "truncated", "");
    is("/* no */ {}", "comment", "/");
}

#[test]
fn a_syntax_error_is_named_only_if_all_of_it_is_there() {
    is("{\"a\": 1, # no\n\"b\": 2}", "comment", "#");
    is("{} /* no */", "comment", "/* no */");
    is("{} # no", "comment", "# no");
    is("{} {x}", "text after", "{x}");
    is("{} 1", "text after", "1");
    is("[] \"a\"", "several JSON values", "\"a\"");
    is("{} ]", "text after", "]");
    is("{-a: 1}", "broken JSON (key must be a string)", "-");
    is("{\"a\": 1 x}", "broken JSON", "x");
    is("{\"a\": \"b\" : 1}", "broken JSON", ":");
    is("{\"a\" \"b\"}", "broken JSON (expected `:`)", "\"");
    is("{\"a\": ]", "broken JSON", "]");
    is("Use: {\"a\": 1,, \"b\": 2} ok", "prose around", "Use:");
}

#[test]
fn bytes_that_are_not_utf_8_are_told() {
    let told = |bytes: &[u8]| not_utf8(std::str::from_utf8(bytes).expect_err("not UTF-8"));
    for (bytes, place) in [
        (&b"\xff\xfe{\0"[..], Span::new(0, 1)),
        (b"{\"a\xff", Span::new(3, 1)),
        (b"ab\xe2\x82", Span::new(2, 1)),
    ] {
        assert_eq!(told(bytes).what, "is not valid UTF-8");
        assert_eq!(told(bytes).place, place);
    }
}

#[test]
fn a_control_character_inside_a_closed_string_is_not_truncation() {
    is("{\"a\": \"x\n\"}", "control character", "x");
    is("{\"a\": \"x\n, \"b\": 1}\n", "control character", "x");
    is("{\"a\": \"x\u{1}\"}", "control character", "x");
}

#[track_caller]
fn inside(text: &str, what: &str, place: &str) {
    let error = serde_json::from_str::<serde_json::Value>(text).expect_err(text);
    let shape = &ReturnShape::default();
    let fault = diagnose_inside(text, &contents(text, shape), &error, shape);
    assert_ne!(fault.fix, "", "{text:?}");
    assert!(fault.what.contains(what), "{text:?}: {}", fault.what);
    assert_eq!(&text[fault.place.start..fault.place.end], place, "{text:?}");
}

#[test]
fn wrapping_is_no_failure_with_extract() {
    inside("```json\n{\"a\": 1,}\n```", "trailing comma", ",");
    inside("Done: {\"a\": \"C:\\work\"} ok", "broken JSON (invalid escape)", "w");
    inside("```\n{status: \"failed\"}\n```", "broken JSON", "s");
    inside("<think>x</think>{\"a\": None}", "broken JSON", "N");
    inside("x {\"a\": 1}}", "an object only inside other JSON", "{\"a\": 1}");
    inside("x [{\"a\": 1}]", "an object only inside other JSON", "[{\"a\": 1}]");
    inside("{\"status\": 1} {\"status\": 2}", "more than one return", "{\"status\": 2}");
    inside("```json\n[\"done\"]\n```", "contains no JSON object", "```json");
    inside("<think>x</think> Done.", "contains no JSON object", "<think");
    inside("<think>I wonder", "contains no JSON object", "<think");
    inside("I am done.", "plain text", "I am done.");
}

const WHOLE: &str = r#"{"status":"failed","summary":"no"}"#;

#[test]
fn truncated_returns_stay_truncated_whatever_follows() {
    let returned = format!(
        "{{\"status\":\"completed\",\"n\":[1.5e3,true],\"s\":\"\\u00e9\",\"last\":{WHOLE}}}"
    );
    for before in ["", "Done: ", "```json\n", "<think>{x}</think>\n", "[x] {1: 2} ", "[", "[1, "] {
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
                let found = contents(&text, &ReturnShape::default());
                assert!(matches!(found, Contents::Truncated { .. }), "{text}: {found:?}");
            }
        }
    }
    for text in [
        format!("[{WHOLE}"),
        format!("[{WHOLE},"),
        format!("Done: [{WHOLE}, {WHOLE}"),
        format!("{WHOLE} {{\"a"),
        format!("{{\"results\": [{WHOLE}"),
    ] {
        let found = contents(&text, &ReturnShape::default());
        assert!(matches!(found, Contents::Truncated { .. }), "{text}: {found:?}");
    }
}

#[test]
fn truncated_returns_are_truncated_with_any_line_ending() {
    const AFTER: [&str; 9] =
        ["", "\n", "\r\n", " \t\u{a0}\n", "\u{2028}", "\n```", "```\n", "\n</result>", "\n\n"];
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
    ] {
        for after in AFTER {
            is(&format!("{cut}{after}"), "is truncated: it ends before the JSON is complete", "");
            for before in ["```json\n", "~~~\n", "<think>x</think>\n", "Done: ", "[x] {y}: "] {
                let text = format!("{before}{cut}{after}");
                is(&text, "is truncated: it ends before the JSON is complete", "");
                inside(&text, "is truncated: it ends before the JSON is complete", "");
            }
        }
    }
    is("{\"a\": \"Done\0\0\0", "is truncated: it ends before the JSON is complete", "");
    is("<think>I wonder", "think block", "<think");
    is("<thinking>\n{\"status\": 1}\n", "think block", "<think");
}

#[test]
fn the_position_of_a_truncated_return_is_its_end() {
    let text = "Done:\n```json\n{\"status\": \"comp\n```\n";
    let error = serde_json::from_str::<serde_json::Value>(text).expect_err("no JSON");
    let shape = &ReturnShape::default();
    let fault = diagnose_inside(text, &contents(text, shape), &error, shape);
    assert_eq!(fault.place, Span::new(text.find("\n```\n").expect("a fence"), 0));
}

#[test]
fn an_unclosed_object_is_truncated_even_if_text_follows() {
    for after in [
        "\n```\nThat is all.",
        "\n\nThat is all.",
        "\nagentId: a1 (to go on, say so)\n<usage>total_tokens: 5</usage>\n",
        "\nline two\n",
    ] {
        for cut in
            ["{\"status\": \"comp", "{\"status\": \"completed\"", "{\"artifacts\": [{\"a\": 1"]
        {
            let text = format!("{cut}{after}");
            is(&text, "is truncated: it ends before the JSON is complete", "");
            inside(&text, "is truncated: it ends before the JSON is complete", "");
            is(&format!("Done: {text}"), "is truncated: it ends before the JSON is complete", "");
        }
    }
    is("{} done", "text after", "done");
    is("{\"a\": ]", "broken JSON", "]");
}

//! `retval.toml` with TOML syntax errors: the position, the error, and the correction.

use crate::common::World;
use crate::refused_file;

/// What is said of a text for which several words are missing or too many.
const NO_TEXT: &str = "a text stands in quotes, a switch is true or false";

fn told(text: &str, expected: &[&str]) {
    let world = World::new();
    let lines = expected.iter();
    let lines: Vec<_> = lines
        .map(|it| format!("error: retval.toml:{it}\n"))
        .collect();
    assert_eq!(refused_file(&world, text), lines.concat(), "{text}");
}

#[test]
fn an_invalid_toml_value_is_reported_with_its_key() {
    for (text, place, word, key) in [
        ("strict = yes\n", "1:10", "yes", " for `strict`"),
        ("strict = True\n", "1:10", "True", " for `strict`"),
        (
            "[rules]\nartifact-none = off # for now\n",
            "2:17",
            "off",
            " for `artifact-none`",
        ),
        ("stale-after = 2h\n", "1:15", "2h", " for `stale-after`"),
        ("max-bytes = 16MiB\n", "1:13", "16MiB", " for `max-bytes`"),
        ("profile = “return”\n", "1:11", "“return”", " for `profile`"),
        (
            "profile = 2026-13-01\n",
            "1:11",
            "2026-13-01",
            " for `profile`",
        ),
        (
            "strict = true strict = false\n",
            "1:10",
            "true strict",
            " for `strict`",
        ),
        ("strict = true\0\n", "1:10", "true\\u{0}", " for `strict`"),
        ("include = [a]\n", "1:12", "a", ""),
    ] {
        told(
            text,
            &[&format!("{place}: `{word}` is no value{key}: {NO_TEXT}")],
        );
    }
}

#[test]
fn errors_in_one_line_are_reported_one_by_one() {
    told(
        "hook = { retries = two, observe = }\n",
        &[
            &format!("1:20: `two` is no value for `retries`: {NO_TEXT}"),
            "1:35: `observe` has no value",
        ],
    );
}

#[test]
fn what_is_missing_or_too_much_is_named() {
    for (text, expected) in [
        ("strict =\n", "1:9: `strict` has no value"),
        ("jobs = # all\n", "1:8: `jobs` has no value"),
        (
            "strict\n",
            "1:7: `strict` has no value: a line has the form KEY = VALUE",
        ),
        (
            "strict true\n",
            "1:8: `strict` has no value: a line has the form KEY = VALUE",
        ),
        (
            "strict = true\nstrict = false\n",
            "2:1: `strict` is set twice",
        ),
        ("[hook]\nretries = 1\n[hook]\n", "3:2: `hook` is set twice"),
        (
            "rules = 1\nrules.a = 2\n",
            "2:1: `rules` has a value already, so it is no table",
        ),
        ("[rules\n", "1:7: `[rules` needs a `]` after its name"),
        (
            "[[overrides]\n",
            "1:13: `[[overrides]` needs `]]` after its name",
        ),
        ("[hook]]\n", "1:7: there is one `]` too many"),
        ("[]\n", "1:2: a name is missing here"),
        ("= 1\n", "1:1: a name is missing here"),
        ("strict == true\n", "1:9: there is one `=` too many"),
        (
            "strict = true,\n",
            "1:14: no comma stands at the end of a line KEY = VALUE",
        ),
        (
            "[hook] retries = 1\n",
            "1:8: a line ends before `retries`: begin a new one",
        ),
        (
            "include = [\"a\" \"b\"]\n",
            "1:16: a comma or a `]` is missing before `\"b\"`",
        ),
        (
            "include = [\"a\",,\"b\"]\n",
            "1:16: there is one comma too many",
        ),
        ("include = [\"a\"", "1:15: the list needs a `]` at its end"),
        (
            "hook = { retries = 1",
            "1:21: the table needs a `}` at its end",
        ),
        (
            "profile = \"return\n",
            "1:18: the text needs a `\"` at its end",
        ),
        (
            "profile = 'return\n",
            "1:18: the text needs a `'` at its end",
        ),
        (
            "profile = \"\"\"return",
            "1:20: the text needs a `\"\"\"` at its end",
        ),
        (
            "\"strict = true\n",
            "1:15: the text needs a `\"` at its end",
        ),
        ("jobs = 08\n", "1:8: a number does not begin with 0"),
        ("jobs = 1.\n", "1:10: the number lacks digits here"),
        ("jobs = .5\n", "1:8: the number lacks digits here"),
        ("jobs = 1_\n", "1:9: `_` may only go between digits"),
    ] {
        told(text, &[expected]);
    }
}

#[test]
fn syntax_of_other_formats_is_explained() {
    let colon = "a key and its value have a `=` between them, no `:`";
    for (text, expected) in [
        ("strict: true\n", format!("1:7: {colon}")),
        ("profile := \"return\"\n", format!("1:9: {colon}")),
        ("// strict\n", "1:1: a comment begins with `#`".to_owned()),
        ("; strict\n", "1:1: a comment begins with `#`".to_owned()),
        (
            "{ \"strict\": true }\n",
            "1:1: a line has the form KEY = VALUE, without braces around all lines".to_owned(),
        ),
        ("a b = 1\n", "1:3: a key with spaces stands in quotes".to_owned()),
        ("clé = 1\n", "1:3: `é` stands in a key only if the key is in quotes".to_owned()),
        (
            "root = \"C:\\Users\"\n",
            "1:13: this is no escape: write `\\\\` for a backslash, or put the text in single quotes"
                .to_owned(),
        ),
        (
            "root = \"a\u{1}\"\n",
            "1:10: a control character stands in a text only as an escape, such as \\u0007".to_owned(),
        ),
        ("strict = true\r", "1:15: a line feed is missing after the carriage return".to_owned()),
    ] {
        told(text, &[&expected]);
    }
    told(
        "rules:\n  work-none: off\n",
        &[&format!("1:6: {colon}"), &format!("2:14: {colon}")],
    );
}

#[test]
fn errors_that_result_from_another_in_the_line_are_not_reported() {
    told(
        "profile = \"return\nstrict = yes\n[hook\n",
        &[
            "1:18: the text needs a `\"` at its end",
            &format!("2:10: `yes` is no value for `strict`: {NO_TEXT}"),
            "3:6: `[hook` needs a `]` after its name",
        ],
    );
    let long = "x".repeat(100_000);
    let world = World::new();
    let said = refused_file(&world, &long);
    assert!(
        said.contains("… (100000 characters)` has no value"),
        "{said}"
    );
    assert!(said.len() < 1000, "{said}");
}

//! `retval.toml` with TOML syntax errors: one error for each line, in the words of the TOML parser.

use super::refused_file;
use crate::common::World;

fn told(text: &str, expected: &[&str]) {
    let world = World::new();
    let lines = expected.iter();
    let lines: Vec<_> = lines.map(|it| format!("error: retval.toml:{it}\n")).collect();
    assert_eq!(refused_file(&world, text), lines.concat(), "{text}");
}

#[test]
fn each_line_that_is_not_toml_is_reported_once_with_its_place() {
    for (text, expected) in [
        ("strict = yes\n", "1:10: string values must be quoted, expected literal string"),
        ("strict = True\n", "1:10: invalid boolean, expected `true`"),
        ("strict\n", "1:7: key with no value, expected `=`"),
        ("strict = true\nstrict = false\n", "2:1: duplicate key"),
        ("rules = 1\nrules.a = 2\n", "2:1: cannot extend value of type integer with a dotted key"),
        ("[rules\n", "1:7: unclosed table, expected `]`"),
        ("hook = { retries = two, observe = }\n", "1:20: invalid boolean, expected `true`"),
        ("include = [\"a\"", "1:15: unclosed array, expected `]`"),
        ("profile = \"return\n", "1:18: invalid basic string, expected `\"`"),
        ("clé = 1\n", "1:3: invalid unquoted key, expected letters, numbers, `-`, `_`"),
    ] {
        told(text, &[expected]);
    }
    told(
        "profile = \"return\nstrict = yes\n[hook\n",
        &[
            "1:18: invalid basic string, expected `\"`",
            "2:10: string values must be quoted, expected literal string",
            "3:6: unclosed table, expected `]`",
        ],
    );
}

#[test]
fn an_error_does_not_repeat_a_long_text() {
    let world = World::new();
    let said = refused_file(&world, &"x".repeat(100_000));
    assert_eq!(said, "error: retval.toml:1:100001: key with no value, expected `=`\n");
}

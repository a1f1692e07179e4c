//! Options: names and values.

use super::refused;
use crate::common::World;

#[test]
fn the_first_wrong_option_is_reported() {
    let world = World::new();
    let first = "\
error: invalid value 'loud' for '--color <WHEN>': expected one of auto, always, never

For more information, try '--help'.
";
    let arguments = "check --color loud --rule none=off -j 0 --frmat=x return.json";
    assert_eq!(refused(&world, &[("RETVAL_JOBS", "many")], arguments), first);
    let format = "\
error: invalid value 'jsn=out' for '--format <FORMAT[=FILE]>': did you mean `json`?

For more information, try '--help'.
";
    assert_eq!(refused(&world, &[], "check --format jsn=out -jx"), format);
    let unknown = "error: unexpected argument '--frmat' found\n\n  tip: a similar argument exists: '--format'\n";
    let said = refused(&world, &[], "check --frmat json");
    assert!(said.starts_with(unknown), "{said}");
}

#[test]
fn an_argument_of_a_usage_error_is_escaped() {
    let world = World::new();
    for (argument, shown) in
        [("--x\u{1b}[31m", "'--x\\u{1b}[31m'"), ("--color=a\n::error::b", "'a\\n::error::b'")]
    {
        let said = refused(&world, &[], &format!("check {argument}"));
        assert!(said.contains(shown), "{said}");
    }
}

#[test]
fn an_invalid_value_is_reported_with_the_valid_ones_or_a_hint_at_them() {
    let world = World::new();
    let formats = "text, concise, json, jsonl, github, sarif, junit, markdown, feedback, next, return, failed-return";
    let values = |list: &str| format!("\n  [possible values: {list}]\n");
    let one_of = |list: &str| format!(": expected one of {list}\n");
    for (arguments, expected) in [
        ("check --format z", one_of(formats)),
        ("check --format", values(formats)),
        ("check --format z=report.json", one_of(formats)),
        ("check --format jsn", ": did you mean `json`?\n".to_owned()),
        ("explain --format z", values("text, json")),
        ("check --filter z", values("valid, invalid")),
        ("check --rule z", ": `retval explain` lists the rules\n".to_owned()),
        ("check --rule json-wrapped=loud", one_of("off, warning, error")),
        ("check --rule json-wrapped", one_of("off, warning, error")),
    ] {
        let said = refused(&world, &[], arguments);
        let expected = expected + "\nFor more information, try '--help'.\n";
        assert!(said.ends_with(&expected), "{said}\nends otherwise than\n{expected}");
    }
}

#[test]
fn an_invalid_number_is_reported_once_with_its_range() {
    let world = World::new();
    for (arguments, expected) in [
        ("check -j -1", "'-1' for '--jobs <N>': expected a number from 1 to 1024"),
        (
            "check --max-bytes -1",
            "'-1' for '--max-bytes <SIZE>': expected a number of bytes, such as 16777216, 1MB or 16MiB",
        ),
    ] {
        let expected =
            format!("error: invalid value {expected}\n\nFor more information, try '--help'.\n");
        assert_eq!(refused(&world, &[], arguments), expected);
    }
}

#[test]
fn an_empty_value_may_be_that_of_a_variable_that_is_not_set() {
    let world = World::new();
    for (arguments, option) in [
        ("check --session=", "--session <ID>"),
        ("check --agent ", "--agent <NAME>"),
        ("check --root ", "--root <DIR>"),
        ("check --rule=", "--rule <RULE=LEVEL>"),
        ("instruct --profile ", "--profile <PROFILE>"),
        ("check ", "[PATHS]..."),
    ] {
        assert_eq!(
            refused(&world, &[], arguments),
            format!(
                "error: {option} is empty: is the variable set?\n\nFor more information, try '--help'.\n"
            )
        );
    }
    let missing = refused(&world, &[], "check --agent");
    let first = "error: a value is required for '--agent <NAME>' but none was supplied\n";
    assert!(missing.starts_with(first), "{missing}");
}

#[test]
fn what_is_meant_for_check_is_shown_as_such() {
    let world = World::new();
    world.write("good.json", "{}");
    let usage = "\n\nUsage: retval <COMMAND>\n\nFor more information, try '--help'.\n";
    for (arguments, first, meant) in [
        ("good.json", "good.json", "good.json"),
        ("validate good.json", "validate", "good.json"),
        ("lint good.json more.json", "lint", "good.json more.json"),
    ] {
        assert_eq!(
            refused(&world, &[], arguments),
            format!(
                "error: unrecognized subcommand '{first}'\n\n  tip: to check it: retval check {meant}{usage}"
            )
        );
    }
    assert_eq!(
        refused(&world, &[], "none.json"),
        format!("error: unrecognized subcommand 'none.json'{usage}")
    );
}

#[test]
fn a_return_as_an_argument_is_to_be_piped_in() {
    let world = World::new();
    assert_eq!(
        refused(&world, &[], "check {\"status\":\"completed\"}"),
        "error: the return was given as an argument: pipe it in, as with printf '%s' \"$RETURN\" | retval check\n"
    );
}

#[test]
fn rules_are_found_by_a_word_of_their_message() {
    let world = World::new();
    for (word, meant) in [
        ("phantom", "did you mean `artifact-none`?"),
        ("artifact", "`retval explain` lists the rules, 21 with this word"),
        ("artifact-nnoe", "did you mean `artifact-none`?"),
    ] {
        let tail = "\n\nFor more information, try '--help'.\n";
        assert_eq!(
            refused(&world, &[], &format!("check --rule {word}=off")),
            format!("error: invalid value '{word}=off' for '--rule <RULE=LEVEL>': {meant}{tail}")
        );
        world.write("retval.toml", format!("[rules]\n{word} = \"off\"\n"));
        assert_eq!(
            refused(&world, &[], "config"),
            format!("error: retval.toml:2:1: unknown rule `{word}`; {meant}\n")
        );
        world.write("retval.toml", "");
    }
}

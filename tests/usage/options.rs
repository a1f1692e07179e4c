//! Options: names and values.

use crate::common::{World, run, stdout};
use crate::refused;

#[test]
fn every_wrong_option_and_variable_is_reported() {
    let world = World::new();
    let arguments = "check --color loud --ignore none --ignore=nothing -j 0 --jobs=x --frmat=x return.json --format text";
    let expected = "\
error: invalid value 'loud' for '--color <WHEN>'
  [possible values: auto, always, never]

error: invalid value 'none' for '--off <RULE>'

  tip: `retval explain` lists the rules

error: invalid value 'nothing' for '--off <RULE>'

  tip: `retval explain` lists the rules

error: invalid value '0' for '--jobs <N>': expected a number from 1 to 1024

error: invalid value 'x' for '--jobs <N>': expected a number from 1 to 1024

error: unexpected argument '--frmat' found

  tip: a similar argument exists: '--format'

error: the environment variable RETVAL_JOBS: `many` is no number between 1 and 1024

Usage: retval check [OPTIONS] [PATHS]...

For more information, try '--help'.
";
    let variables = [("RETVAL_JOBS", "many")];
    assert_eq!(refused(&world, &variables, arguments), expected);
    // Of a format with a file, clap names the format. The variable is ignored.
    let expected = "\
error: invalid value 'jsn' for '--format <FORMAT>'
  [possible values: text, concise, json, jsonl, github, sarif, junit, gitlab, markdown, return, feedback, next]

  tip: a similar value exists: 'json'

error: invalid value 'x' for '--jobs <N>': expected a number from 1 to 1024

For more information, try '--help'.
";
    let arguments = "check --format jsn=out --unset=jobs -jx";
    assert_eq!(refused(&world, &variables, arguments), expected);
}

#[test]
fn a_repeated_mistake_is_reported_once() {
    let world = World::new();
    let expected = "\
error: invalid value 'x' for '--format <FORMAT>'
  [possible values: text, concise, json, jsonl, github, sarif, junit, gitlab, markdown, return, feedback, next]

error: invalid value 'zz' for '--off <RULE>'

  tip: `retval explain` lists the rules

error: invalid value '0' for '--jobs <N>': expected a number from 1 to 1024

error: unexpected argument '--frmat' found

  tip: a similar argument exists: '--format'

Usage: retval check [OPTIONS] [PATHS]...

For more information, try '--help'.
";
    let once = "check --format x --off zz -j0 --frmat";
    let twice = "check --format x --format=x --format x=out --off zz --ignore zz --ignore=zz -j0 --jobs 0 \
                 -j=0 --frmat --frmat=json a.json -- --format x --jobs 0";
    for arguments in [once, twice] {
        assert_eq!(refused(&world, &[], arguments), expected, "{arguments}");
    }
}

#[test]
fn a_wrong_profile_hides_no_other_mistake_of_a_conversion() {
    let world = World::new();
    let from = "error: invalid value 'z' for '--from <PROFILE>'\n  [possible values: return, return-v1]\n\n";
    let to = "error: invalid value 'z' for '--to <PROFILE>'\n  [possible values: return, return-v1, return-meta]\n\n";
    let root = "error: cannot use gone as the root: No such file or directory (os error 2)\n\n";
    let seconds =
        "error: invalid value 'z' for '--duration-seconds <SECONDS>': not a number of seconds\n\n";
    let end = "For more information, try '--help'.\n";
    for (profiles, told) in [
        ("--from z --to return", vec![from]),
        ("--from=z --to return --from z", vec![from]),
        ("--from return --to z", vec![to]),
        ("--from z --to=z", vec![from, to]),
        ("--from return --to return-v1", vec![]),
    ] {
        let told = told.concat();
        let line = format!("convert {profiles} --root gone --duration-seconds z");
        let expected = format!("{told}{seconds}{root}{end}");
        assert_eq!(refused(&world, &[], &line), expected, "{line}");
    }
}

#[test]
fn an_unknown_option_gets_advice_only_if_it_helps() {
    let world = World::new();
    let of_hook = |option: &str| format!("\n\n  tip: '{option}' is an option of `retval hook`");
    let similar = |option: &str| format!("\n\n  tip: a similar argument exists: '{option}'");
    for (arguments, tips) in [
        ("check --client codex", of_hook("--harness")),
        ("instruct --client=codex", of_hook("--harness")),
        ("check --harness codex", of_hook("--harness")),
        ("demo --frmat", String::new()),
        (
            "hook install codex --client",
            "\n\n  tip: <CLIENT> is given without an option".to_owned(),
        ),
        ("check --jsonl", similar("--ndjson")),
        (
            "check --agents",
            similar("--agent") + &of_hook("--agents")[1..],
        ),
        (
            "schema --strict",
            "\n\n  tip: '--strict' is an option of `retval check` and `retval hook`".to_owned(),
        ),
        ("config --profile", String::new()),
    ] {
        let said = refused(&world, &[], arguments);
        let option = arguments.split([' ', '=']).find(|it| it.starts_with("--"));
        let option = option.expect("an option");
        let expected = format!("error: unexpected argument '{option}' found{tips}\n\nUsage: ");
        assert!(said.starts_with(&expected), "{said}");
    }
    let event = serde_json::json!({"hook_event_name": "SubagentStop"});
    let answer = world.hook("--client codex", &event).expect("a note");
    let note = answer["systemMessage"].as_str().expect("a text");
    let expected = format!(
        "unexpected argument '--client' found{}\n\nUsage",
        similar("--harness")
    );
    assert!(note.contains(&expected), "{note}");
}

#[test]
fn mistakes_that_result_from_another_are_not_reported() {
    let world = World::new();
    // Without its value, the option would lack one; the word after an unknown option is none of its own.
    for (arguments, expected) in [
        (
            "explain --frmat json artifact-none more",
            "\
error: unexpected argument '--frmat' found

  tip: a similar argument exists: '--format'

Usage: retval explain [OPTIONS] [RULE]

For more information, try '--help'.
",
        ),
        (
            "check --list-leftovers . --profile return --color loud",
            "\
error: invalid value 'loud' for '--color <WHEN>'
  [possible values: auto, always, never]

For more information, try '--help'.
",
        ),
    ] {
        assert_eq!(refused(&world, &[], arguments), expected, "{arguments}");
    }
}

#[test]
fn the_usage_under_an_error_is_that_of_the_help() {
    let world = World::new();
    for (command, arguments, usage) in [
        ("check", " -q -v a.json", " [OPTIONS] [PATHS]..."),
        ("check", " --list-leftovers . a", " [OPTIONS] [PATHS]..."),
        ("check", " --frmat --format jsn", " [OPTIONS] [PATHS]..."),
        (
            "convert",
            " --from return",
            " [OPTIONS] --from <PROFILE> --to <PROFILE> [FILE]",
        ),
        ("hook install", "", " [OPTIONS] <CLIENT>"),
        (
            "hook",
            " instal",
            " [OPTIONS]\n       retval hook <COMMAND>",
        ),
    ] {
        let usage = format!("\n\nUsage: retval {command}{usage}\n\n");
        let said = refused(&world, &[], &format!("{command}{arguments}"));
        let end = format!("{usage}For more information, try '--help'.\n");
        assert!(said.ends_with(&end), "{said}");
        let help = run(world.retval().args(command.split(' ')).arg("--help"));
        assert!(stdout(&help).contains(&usage), "{usage}");
    }
}

#[test]
fn an_invalid_value_is_reported_with_the_valid_ones_or_a_hint_at_them() {
    let world = World::new();
    let formats = "text, concise, json, jsonl, github, sarif, junit, gitlab, markdown, return, feedback, next";
    let values = |list: &str| format!("\n  [possible values: {list}]\n");
    let tip = |tip: &str| format!("\n\n  tip: {tip}\n");
    for (arguments, expected) in [
        ("check --format z", values(formats)),
        ("check --format", values(formats)),
        ("check --format z=report.json", values(formats)),
        (
            "check --format jsn",
            values(formats) + &tip("a similar value exists: 'json'")[1..],
        ),
        ("explain --format z", values("text, json")),
        ("check --filter z", values("valid, invalid")),
        ("check --unset z", tip("`retval config` lists the settings")),
        (
            "check --unset profle",
            tip("a similar value exists: 'profile'"),
        ),
        ("check --off z", tip("`retval explain` lists the rules")),
        (
            "convert --to z --from return",
            values("return, return-v1, return-meta"),
        ),
        ("convert --to return --from z", values("return, return-v1")),
    ] {
        let said = refused(&world, &[], arguments);
        let expected = expected + "\nFor more information, try '--help'.\n";
        assert!(
            said.ends_with(&expected),
            "{said}\nends otherwise than\n{expected}"
        );
    }
}

#[test]
fn an_invalid_number_is_reported_once_with_its_range() {
    let world = World::new();
    for (arguments, expected) in [
        (
            "check -j -1",
            "'-1' for '--jobs <N>': expected a number from 1 to 1024",
        ),
        (
            "hook install codex --retries x",
            "'x' for '--retries <N>': expected a number from 0 to 4294967295",
        ),
        (
            "instruct --delegation-depth -1",
            "'-1' for '--delegation-depth <N>': expected a number from 0 to 4294967295",
        ),
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

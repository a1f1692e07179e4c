//! Mistakes in options and settings: all at once, each at its place, and nothing hangs without a word.

mod common;

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use assert_cmd::assert::OutputAssertExt as _;
use common::{World, run, stderr};

const PHANTOM: &str = r#"{"status":"completed","artifacts":[]}"#;

/// What standard error says of a command line that cannot be used.
fn refused(world: &World, variables: &[(&str, &str)], arguments: &str) -> String {
    let mut retval = world.retval();
    retval
        .envs(variables.iter().copied())
        .args(arguments.split(' '));
    let output = run(&mut retval);
    output.clone().assert().code(2).stdout("");
    stderr(&output)
}

/// What standard error says of a configuration that cannot be used.
fn refused_file(world: &World, text: &str) -> String {
    world.write("retval.toml", text);
    refused(world, &[], "config")
}

#[test]
fn every_wrong_option_and_variable_is_told() {
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
fn what_only_follows_from_another_mistake_is_not_told() {
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
        assert!(common::stdout(&help).contains(&usage), "{usage}");
    }
}

#[test]
fn a_value_that_is_none_is_told_with_those_that_are_or_where_they_are() {
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
            values("return, return-v1, return-meta, compact, handoff"),
        ),
    ] {
        let said = refused(&world, &[], arguments);
        let expected = expected + "\nFor more information, try '--help'.\n";
        assert!(said.ends_with(&expected), "{said}");
    }
}

#[test]
fn a_number_that_is_none_is_told_once_with_its_range() {
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

#[test]
fn variables_and_the_file_are_told_together() {
    let world = World::new();
    world.write("retval.toml", "jobs = 0\nstrict = 1\n");
    assert_eq!(
        refused(&world, &[("RETVAL_JOBS", "many")], "check return.json"),
        "\
error: retval.toml:1:8: `jobs` must be between 1 and 1024
error: retval.toml:2:10: `strict` must be true or false, found an integer
error: the environment variable RETVAL_JOBS: `many` is no number between 1 and 1024
"
    );
}

#[test]
fn a_profile_without_a_base_has_its_other_mistakes_told() {
    let world = World::new();
    let text = "[profiles.plan]\nextends = \"retrun\"\nfiles = 3\nlimit = {}\nactions = { waiting = \"ask\" }\n\
                [profiles.plan.rules]\nartifact-none = \"loud\"\n\
                [profiles.other]\nextends = \"plan\"\nfailure = 1\n\
                [profiles.loose]\nfiles = [\"a/b\"]\n";
    assert_eq!(
        refused_file(&world, text),
        "\
error: retval.toml:2:11: unknown profile `retrun`; did you mean `return`?
error: retval.toml:3:9: `files` must be an array, found an integer
error: retval.toml:4:1: unknown key `limit`; did you mean `limits`?
error: retval.toml:7:17: unknown value for `artifact-none`: `loud`; expected one of `off`, `warning`, `error`
error: retval.toml:10:11: `failure` must be a string, found an integer
error: retval.toml:11:11: the profile `loose` must extend another one; add extends = \"return\"
error: retval.toml:12:10: `files` takes file names, without folders
"
    );
}

#[test]
fn text_that_is_no_toml_is_told_in_words() {
    let world = World::new();
    for (text, expected) in [
        ("strict =\n", "1:9: `strict` has no value\n"),
        ("jobs = # all\n", "1:8: `jobs` has no value\n"),
        (
            "strict = yes\n",
            "1:10: `yes` is no value for `strict`: a text stands in quotes, a switch is true or false\n",
        ),
        (
            "[rules]\nartifact-none = off # for now\n",
            "2:17: `off` is no value for `artifact-none`: a text stands in quotes, a switch is true or false\n",
        ),
        (
            "hook = { retries = two, observe = }\n",
            "1:20: `two` is no value for `retries`: a text stands in quotes, a switch is true or false\nerror: retval.toml:1:35: `observe` has no value\n",
        ),
        (
            "strict = true\nstrict = false\n",
            "2:1: `strict` is set twice\n",
        ),
        (
            "[hook]\nretries = 1\n[hook]\n",
            "3:2: `hook` is set twice\n",
        ),
        // The parser explains the rest.
        (
            "jobs = 08\n",
            "1:8: unexpected leading zero, expected nothing\n",
        ),
    ] {
        assert_eq!(
            refused_file(&world, text),
            format!("error: retval.toml:{expected}"),
            "{text}"
        );
    }
}

#[test]
fn more_retries_than_a_client_allows_are_told() {
    let world = World::new();
    world.write("retval.toml", "[hook]\nretries = 20\n");
    let said = |arguments: &str| {
        let output = run(world.retval().args(arguments.split(' ')));
        output.clone().assert().code(0);
        stderr(&output)
    };
    assert_eq!(
        said("config"),
        "note: retries = 20 is more than some clients allow: claude-code 8, copilot 8, cursor 5\n"
    );
    assert_eq!(
        said("hook --print-config cursor"),
        "note: retries = 20 is more than cursor allows: an agent is sent back 5 times at most\n"
    );
    assert_eq!(said("hook --print-config codex"), "");
    assert_eq!(said("hook --print-config claude-code --retries 8"), "");
}

#[test]
fn snippets_need_an_output_that_shows_them() {
    let world = World::new();
    world.write("return.json", PHANTOM);
    let message = "error: --snippets needs --format text: no other format shows lines\n";
    let arguments = "check return.json --snippets --format json=a.json --format sarif=b.sarif";
    assert_eq!(refused(&world, &[], arguments), message);
    assert!(!world.path("a.json").exists());
    let both = world.check("return.json --snippets --format json=a.json --format text=b.txt");
    both.assert().code(1).stdout("").stderr("");
    let text = fs::read_to_string(world.path("b.txt")).expect("a report");
    assert!(text.contains("\n       1 | {\"status\""), "{text}");
}

#[test]
fn a_pipe_without_a_reader_is_waited_for_with_a_word() {
    let world = World::new();
    world.write("return.json", PHANTOM);
    let made = Command::new("mkfifo").arg(world.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let mut child = world
        .retval()
        .args(["check", "return.json", "--format", "concise=pipe"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut said = String::new();
    let stderr = child.stderr.take().expect("a pipe");
    BufReader::new(stderr).read_line(&mut said).expect("a line");
    assert_eq!(said, "note: waiting for a reader of pipe\n");
    let report = std::io::read_to_string(File::open(world.path("pipe")).expect("it opens"));
    assert!(report.expect("text").contains("artifact-none"));
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn a_pipe_with_a_reader_gets_a_report_of_any_length() {
    let world = World::new();
    // More than a pipe holds, so that writing waits for the reader.
    let stream = format!("{PHANTOM}\n").repeat(5000);
    world.write("many.ndjson", &stream);
    let made = Command::new("mkfifo").arg(world.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let reader = Command::new("sh")
        .args(["-c", "exec wc -l < pipe"])
        .current_dir(world.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let output = world.check("many.ndjson --format jsonl=pipe");
    output.assert().code(1).stdout("");
    let counted = reader.wait_with_output().expect("it ends");
    assert_eq!(common::stdout(&counted).trim(), "5000");
}

#[test]
fn an_empty_folder_is_told_once_in_each_place() {
    let world = World::new();
    fs::create_dir(world.path("empty")).expect("a folder");
    let report = "== empty\n[SKIP] Not checked: no returns in empty: it has no *.json, *.ndjson or *.jsonl files, or all are filtered out\n\n1 return: 0 valid, 0 invalid, 1 not checked (0 warnings)\n";
    let error = "error: no returns in empty: it has no *.json, *.ndjson or *.jsonl files, or all are filtered out\n";
    let apart = world.check("empty");
    apart.assert().code(2).stdout(report).stderr(error);
    let quiet = world.check("empty -q");
    quiet.assert().code(2).stderr(error);
    let file = File::create(world.path("all.txt")).expect("a file");
    let mut together = world.retval();
    together
        .args(["check", "empty"])
        .stdout(file.try_clone().expect("a copy"))
        .stderr(file);
    assert_eq!(together.status().expect("it runs").code(), Some(2));
    let all = fs::read_to_string(world.path("all.txt")).expect("text");
    assert_eq!(all, report);
}

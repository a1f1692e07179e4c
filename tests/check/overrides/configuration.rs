//! The tables in the configuration file: their errors, their number, and the folder that their globs are
//! relative to.

use std::fs;

use super::{CONFIG, check, levels, slip, verdicts, world};
use crate::common::{run, stderr, stdout};

#[test]
fn every_error_is_reported_with_its_position() {
    let config = r#"[[overrides]]
profile = "metdata"

[[overrides]]
files = ["ok.json", "", 1]
session = "x"
strict = "no"
[overrides.rules]
artifact-tipe = "off"
artifact-type = "of"
json-syntax = "off"

[[overrides]]
files = "x"
[[overrides]]
files = []
profile = "retrun"
[[overrides]]
files = ["["]
[[overrides]]
files = ["/abs/x"]
[[overrides]]
files = ["../up/*"]
[[overrides]]
files = ["legacy/"]
[[overrides]]
files = ["ok.json", "a//b", "./."]
[[overrides]]
files = ["./."]
[[overrides]]
files = ["a"]
rules.json-syntax = "off"
"#;
    let world = world(config, &[]);
    let output = check(&world, "", "-");
    let expected = "\
error: retval.toml:1:1: `overrides`: an override must have `files`, a list of globs
error: retval.toml:2:11: unknown profile `metdata`; expected one of `auto`, `return`, `return-v1`, `return-meta`, `compact`, `handoff`, `any`
error: retval.toml:5:21: `files` must not be empty
error: retval.toml:5:25: `files`: expected a string, found integer
error: retval.toml:6:1: unknown key `session`; expected one of `files`, `rules`, `profile`, `strict`, `extract`
error: retval.toml:7:10: `strict`: expected true, false or \"required\", found string
error: retval.toml:9:1: unknown rule `artifact-tipe`; did you mean `artifact-type`?
error: retval.toml:10:17: `artifact-type`: unknown value `of`; did you mean `off`?
error: retval.toml:11:15: `json-syntax` must stay an error: nothing can be checked without it
error: retval.toml:14:9: `files`: expected an array, found string
error: retval.toml:15:1: `overrides`: an override must have `files`, a list of globs
error: retval.toml:17:11: unknown profile `retrun`; did you mean `return`?
error: retval.toml:19:10: `files`: invalid glob `[`: unclosed character class; missing ']'
error: retval.toml:21:10: `files`: the glob `/abs/x` matches no file: write names below the folder of the configuration, such as `old/**`
error: retval.toml:23:10: `files`: the glob `../up/*` matches no file: write names below the folder of the configuration, such as `old/**`
error: retval.toml:25:10: `files`: the glob `legacy/` matches no file: write names below the folder of the configuration, such as `old/**`
error: retval.toml:27:21: `files`: the glob `a//b` matches no file: write names below the folder of the configuration, such as `old/**`
error: retval.toml:27:29: `files`: the glob `./.` matches no file: write names below the folder of the configuration, such as `old/**`
error: retval.toml:29:10: `files`: the glob `./.` matches no file: write names below the folder of the configuration, such as `old/**`
error: retval.toml:32:21: `json-syntax` must stay an error: nothing can be checked without it
";
    assert_eq!(stderr(&output), expected);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    for (config, expected) in [
        ("[overrides]\nfiles = [\"a\"]", "1:1: `overrides`: expected an array, found table\n"),
        ("overrides = [1]", "1:14: `overrides`: expected a table, found integer\n"),
        ("[[overides]]", "1:3: unknown key `overides`; did you mean `overrides`?\n"),
    ] {
        world.write("retval.toml", config);
        let said = stderr(&check(&world, "", "-"));
        assert_eq!(said, format!("error: retval.toml:{expected}"));
    }
}

#[test]
fn any_number_of_tables_gives_the_same_on_any_number_of_threads() {
    use std::fmt::Write as _;
    let mut config = String::from("root = \"project\"\n");
    for number in 0..40 {
        let level = if number % 3 == 0 { "off" } else { "error" };
        let _ = writeln!(
            config,
            "[[overrides]]\nfiles = [\"many/*{number}.json\", \"many/{number}*.json\"]\nrules = {{ artifact-type = \"{level}\" }}"
        );
    }
    let world = world(&config, &[]);
    for number in 0..200 {
        world.write(&format!("many/{number}.json"), slip());
    }
    let check = |jobs: &str| check(&world, "", &format!("many --format jsonl -j {jobs}"));
    let (one, four) = (check("1"), check("4"));
    assert_eq!(one.stdout, four.stdout);
    let level = |number: usize| {
        let name = number.to_string();
        let matching =
            |own: &usize| name.ends_with(&own.to_string()) || name.starts_with(&own.to_string());
        match (0..40).rfind(matching) {
            None => Some("warning".to_owned()),
            Some(own) if own % 3 == 0 => None,
            Some(_) => Some("error".to_owned()),
        }
    };
    let found = levels(&one);
    assert_eq!(found.len(), 200);
    for (source, found) in found {
        let number = source.trim_start_matches("many/").trim_end_matches(".json");
        assert_eq!(found, level(number.parse().expect("a number")), "{source}");
    }
}

/// What a pipe or a device holds is relative to the current folder: it has none of its own.
#[test]
fn a_configuration_without_a_folder_counts_from_the_current_one() {
    let world = world(CONFIG, &["legacy/one.json", "other/one.json"]);
    let log = "printf '%s\\nerrors-json = \"log.json\"\\n' 'root = \"project\"'";
    let line = |config: &str| {
        let options = "legacy other --include '*.json' --strict --format jsonl";
        format!("({log}; sed 1,2d retval.toml) | \"$0\" check {options} {config}")
    };
    for config in [
        "--config /dev/stdin",
        "--config /dev/fd/0",
        "--config <(cat)",
        "--config /dev/fd/9 9< retval.toml --errors-json log.json",
    ] {
        let retval = world.retval();
        let mut bash = std::process::Command::new("bash");
        let bash =
            bash.args(["-c", &line(config)]).arg(retval.get_program()).current_dir(world.path(""));
        let output = bash.output().expect("bash runs");
        assert_eq!(stderr(&output), "", "{config}");
        assert_eq!(output.status.code(), Some(1), "{config}");
        let found: Vec<_> =
            verdicts(&output).into_iter().map(|(source, _, valid, _)| (source, valid)).collect();
        let expected = [("legacy/one.json", true), ("other/one.json", false)];
        assert_eq!(found, expected.map(|(name, valid)| (name.to_owned(), valid)));
        let log = world.path("log.json");
        assert!(fs::read_to_string(&log).expect("a log").contains("other/one.json"));
        fs::remove_file(log).expect("a log");
    }
}

#[test]
fn config_shows_the_tables_and_reads_them_back() {
    let world = world(CONFIG, &[]);
    let config = |options: &str| {
        let mut retval = world.retval();
        let output = run(retval.arg("config").args(options.split_whitespace()));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let shown = config("");
    let expected = "
[[overrides]]
files = [\"legacy/**\", \"*.meta.json\"] # retval.toml:5:9

[overrides.rules]
artifact-type = \"off\"            # retval.toml:7:17

[[overrides]]
files = [\"./legacy/new/*.json\"]  # retval.toml:10:9
strict = false                   # retval.toml:11:10

[overrides.rules]
artifact-type = \"warning\"        # retval.toml:13:17
";
    assert!(shown.ends_with(expected), "{shown}");
    world.write("again.toml", &shown);
    let again = config("--config again.toml");
    let place = again.find("[[overrides]]").expect("the tables");
    let lines = again[place..].lines().zip(expected.trim_start().lines());
    let mut pairs = lines.map(|(one, other)| (one.split('#').next(), other.split('#').next()));
    assert!(pairs.all(|(one, other)| one == other), "{again}");
}

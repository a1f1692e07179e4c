//! `[[overrides]]` of `retval.toml`: settings for the files that match a glob.

mod common;

use std::fs;
use std::process::Output;

use common::{World, feed, run, stderr, stdout};
use serde_json::{Value, json};

/// Turns a rule off in a folder and for a name, and on again in a folder below.
const CONFIG: &str = r#"strict = true
root = "project"

[[overrides]]
files = ["legacy/**", "*.meta.json"]
[overrides.rules]
artifact-type = "off"

[[overrides]]
files = ["./legacy/new/*.json"]
strict = false
[overrides.rules]
artifact-type = "warning"
"#;

/// A world with a return whose artifact has an unknown type, in each of these places.
fn world(config: &str, places: &[&str]) -> World {
    let world = World::new();
    world.write("retval.toml", config);
    for place in places {
        world.write(place, slip());
    }
    world
}

/// A return that breaks `artifact-type` and nothing else.
fn slip() -> String {
    let plan = common::fixtures().join("profiles/return/completed-plan.json");
    let plan = fs::read_to_string(plan).expect("a return");
    plan.replace("\"plan\"", "\"plna\"")
}

/// Runs `retval check` in a folder of the world.
fn check(world: &World, folder: &str, options: &str) -> Output {
    let mut retval = world.retval();
    retval.arg("check").args(options.split_whitespace());
    run(retval.current_dir(world.path(folder)))
}

/// The source, profile, verdict and level of the first finding of each record.
fn verdicts(output: &Output) -> Vec<(String, String, bool, Option<String>)> {
    let text = stdout(output);
    let records = text.lines().map(|line| {
        let record: Value = serde_json::from_str(line).expect("a record");
        let text = |value: &Value| value.as_str().map(str::to_owned);
        (
            text(&record["source"]).expect("a source"),
            text(&record["profile"]).expect("a profile"),
            record["valid"] == true,
            text(&record["findings"][0]["level"]),
        )
    });
    records.collect()
}

/// The level of the finding in each source.
fn levels(output: &Output) -> Vec<(String, Option<String>)> {
    let verdicts = verdicts(output).into_iter();
    verdicts
        .map(|(source, _, _, level)| (source, level))
        .collect()
}

fn expected(levels: &[(&str, Option<&str>)]) -> Vec<(String, Option<String>)> {
    let levels = levels.iter();
    levels
        .map(|(source, level)| ((*source).to_owned(), level.map(str::to_owned)))
        .collect()
}

#[test]
fn the_last_table_that_matches_wins_however_a_file_is_named() {
    let places = [
        "one.json",
        "legacy/a.json",
        "legacy/new/b.json",
        "x/c.meta.json",
    ];
    let world = world(CONFIG, &places);
    let of_folder = check(&world, "", "one.json legacy x --format jsonl");
    assert_eq!(of_folder.status.code(), Some(1));
    let levels_found = [
        ("one.json", Some("error")),
        ("legacy/a.json", None),
        ("legacy/new/b.json", Some("warning")),
        ("x/c.meta.json", None),
    ];
    assert_eq!(levels(&of_folder), expected(&levels_found));
    let named = check(
        &world,
        "",
        &format!("{} --format jsonl -j 4", places.join(" ")),
    );
    assert_eq!(levels(&named), expected(&levels_found));

    // From elsewhere: below, through `..`, through a link, absolute, and from a list.
    let nothing = |name: &str| vec![(name.to_owned(), None)];
    let one = |folder: &str, path: &str| {
        levels(&check(&world, folder, &format!("{path} --format jsonl")))
    };
    assert_eq!(one("x", "c.meta.json"), nothing("c.meta.json"));
    assert_eq!(
        one("x", "../legacy/./a.json"),
        nothing("../legacy/./a.json")
    );
    let absolute = world
        .path("legacy/a.json")
        .to_str()
        .expect("UTF-8")
        .to_owned();
    assert_eq!(one("", &absolute), nothing(&absolute));
    std::os::unix::fs::symlink(world.path(""), world.path("project/link")).expect("a link");
    let linked = world.path("project/link/legacy/a.json");
    let linked = linked.to_str().expect("UTF-8").to_owned();
    let unmatched = vec![(linked.clone(), Some("error".to_owned()))];
    assert_eq!(
        one("", &linked),
        unmatched,
        "a name below the folder counts as it is"
    );
    let elsewhere = tempfile::tempdir().expect("a folder");
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(world.path(""), &link).expect("a link");
    let through = link.join("legacy/a.json");
    let through = through.to_str().expect("UTF-8").to_owned();
    assert_eq!(one("", &through), nothing(&through));
    world.write("list", "legacy/a.json\none.json\n");
    let listed = check(&world, "", "--files-from list --format jsonl");
    let both = [("legacy/a.json", None), ("one.json", Some("error"))];
    assert_eq!(levels(&listed), expected(&both));

    // Whole lines, as a person sees them.
    let shown = stdout(&check(&world, "", "legacy -v"));
    assert!(
        shown.contains("== legacy/new/b.json")
            && shown.contains("[WARN] Unknown artifact type: plna")
    );
    assert!(
        shown.ends_with("2 returns: 2 valid, 0 invalid (1 warning)\n"),
        "{shown}"
    );
}

#[test]
fn a_table_chooses_the_profile_and_what_may_be_around_a_return() {
    let config = r#"profile = "return-v1"

[[overrides]]
files = ["by-name/*"]
profile = "auto"

[[overrides]]
files = ["own/**"]
profile = "mine"
extract = true

[profiles.mine]
extends = "return"
rules = { artifact-type = "error" }
"#;
    let places = [
        "by-name/.return-meta.json",
        "by-name/a.json",
        "own/b.json",
        "c.json",
    ];
    let world = world(config, &places);
    world.write(
        "own/b.json",
        format!("Here it is:\n```json\n{}\n```\n", slip()),
    );
    let found = |options: &str| -> Vec<String> {
        let output = check(
            &world,
            "",
            &format!("by-name own c.json --root project --format jsonl {options}"),
        );
        verdicts(&output)
            .into_iter()
            .map(|(_, profile, ..)| profile)
            .collect()
    };
    assert_eq!(found(""), ["return-meta", "return", "mine", "return-v1"]);
    assert_eq!(found("--profile compact"), ["compact"; 4]);
    assert_eq!(
        found("--unset profile"),
        ["return-meta", "return", "return", "return"]
    );
    assert_eq!(
        found("--no-config"),
        ["return-meta", "return", "return", "return"]
    );
    let own = check(&world, "", "own --root project --format concise");
    let said = stdout(&own);
    assert!(
        said.contains("warning[json-wrapped]") && said.contains("error[artifact-type]"),
        "{said}"
    );
    let refused = stdout(&check(
        &world,
        "",
        "own --root project --format concise --unset extract",
    ));
    assert!(refused.contains("error[json-syntax]"), "{refused}");
}

#[test]
fn the_command_line_and_the_environment_outrank_the_tables() {
    let world = world(CONFIG, &["legacy/new/b.json"]);
    let level = |options: &str| {
        levels(&check(
            &world,
            "",
            &format!("legacy --format jsonl {options}"),
        ))
        .remove(0)
        .1
    };
    assert_eq!(level("").as_deref(), Some("warning"));
    for (options, expected) in [
        ("--error artifact-type", Some("error")),
        ("--strict", Some("error")),
        ("--unset strict", Some("warning")),
        ("--ignore artifact-type", None),
        ("--no-config --root project", Some("warning")),
    ] {
        assert_eq!(level(options).as_deref(), expected, "{options}");
    }
    world.write(
        "retval.toml",
        "[[overrides]]\nfiles = [\"*\"]\nprofile = \"compact\"\n",
    );
    let mut retval = world.retval();
    retval.args(["check", "legacy", "--root", "project", "--format", "jsonl"]);
    assert_eq!(verdicts(&run(&mut retval))[0].1, "compact");
    assert_eq!(
        verdicts(&run(retval.env("RETVAL_PROFILE", "return")))[0].1,
        "return"
    );
}

#[test]
fn standard_input_has_the_place_of_its_name_and_a_stream_is_one_source() {
    let config = "root = \"project\"\n[[overrides]]\nfiles = [\"*\"]\nrules = { artifact-type = \"error\" }\n\
                  [[overrides]]\nfiles = [\"old/*.jsonl\"]\nrules = { artifact-type = \"off\" }\n";
    let world = world(config, &[]);
    let line = slip().replace('\n', " ") + "\n";
    let code = |options: &str| {
        let mut retval = world.retval();
        retval.arg("check").args(options.split_whitespace());
        feed(&mut retval, line.repeat(3)).status.code()
    };
    let one = |options: &str| {
        let mut retval = world.retval();
        retval.arg("check").args(options.split_whitespace());
        feed(&mut retval, &line).status.code()
    };
    assert_eq!(one(""), Some(0), "standard input has no name");
    assert_eq!(one("-"), Some(0));
    assert_eq!(one("--stdin-filename a.json"), Some(1));
    assert_eq!(one("--stdin-filename old/a.json"), Some(1));
    assert_eq!(one("--stdin-filename old/a.jsonl"), Some(0));
    assert_eq!(code("--ndjson"), Some(0));
    assert_eq!(code("--ndjson --stdin-filename new.jsonl"), Some(1));
    assert_eq!(code("--ndjson --stdin-filename old/a.jsonl"), Some(0));
    world.write("old/a.jsonl", line.repeat(3));
    world.write("new.jsonl", line.repeat(3));
    assert_eq!(code("old"), Some(0));
    let new = check(&world, "", "new.jsonl --format jsonl");
    assert_eq!(levels(&new), expected(&[("new.jsonl", Some("error")); 3]));
}

#[test]
fn the_return_files_of_the_hook_have_their_settings() {
    let world = World::new();
    let file = "profiles/return-meta/planned/specs/12_tide_tables/.return-meta.json";
    let file = fs::read_to_string(common::fixtures().join(file)).expect("a return");
    let file = file
        .replace("planner-agent", "planner")
        .replace("\"plan\"", "\"plna\"");
    world.write(
        "project/specs/1/.return-meta.json",
        file.replace(common::SESSION, "s"),
    );
    let payload = json!({
        "hook_event_name": "SubagentStop", "session_id": "s", "agent_id": "a1", "agent_type": "planner",
        "last_assistant_message": "Done.", "cwd": world.path("project"),
    });
    let hook = |config: &str, options: &str| {
        world.write("retval.toml", config);
        let mut retval = world.retval();
        retval.args([
            "hook",
            "--profile",
            "return-meta",
            "--return-file",
            "specs/*/.return-meta.json",
            "--retries",
            "9",
        ]);
        retval
            .args(options.split_whitespace())
            .env("XDG_RUNTIME_DIR", world.path(""));
        stdout(&feed(&mut retval, payload.to_string()))
    };
    assert_eq!(hook("", ""), "", "it is a warning");
    let error =
        "[[overrides]]\nfiles = [\"project/specs/**\"]\nrules = { artifact-type = \"error\" }\n";
    assert!(hook(error, "").contains("plna"));
    assert_eq!(hook(error, "--off artifact-type"), "");
    let elsewhere = error.replace("specs", "notes");
    assert_eq!(hook(&elsewhere, ""), "");
    let strict =
        "[[overrides]]\nfiles = [\".return-meta.json\"]\nstrict = true\nprofile = \"compact\"\n";
    assert!(hook(strict, "").contains("plna"));
    let own = format!("[hook.agents.planner]\nstrict = false\n{strict}");
    assert_eq!(
        hook(&own, ""),
        "",
        "the table of the agent outranks that of the file"
    );
}

#[test]
fn every_error_is_told_at_its_place() {
    let config = r#"[[overrides]]
profile = "metdata"

[[overrides]]
files = ["[", "/abs/x", "../up/*", "", "legacy/", "a//b", 1, "./.", "ok.json"]
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
"#;
    let world = world(config, &[]);
    let output = check(&world, "", "-");
    let expected = "\
error: retval.toml:1:1: an override must have `files`, a list of globs
error: retval.toml:2:11: unknown profile `metdata`; expected one of `auto`, `return`, `return-v1`, `return-meta`, `compact`, `handoff`
error: retval.toml:5:10: invalid glob `[`: unclosed character class; missing ']'
error: retval.toml:5:15: the glob `/abs/x` matches no file: it must be relative to the folder of the configuration
error: retval.toml:5:25: the glob `../up/*` matches no file: it leaves the folder of the configuration
error: retval.toml:5:36: `files` must not be empty
error: retval.toml:5:40: the glob `legacy/` matches no file: it names a folder, so add `**`
error: retval.toml:5:51: the glob `a//b` matches no file: it has an empty part or `.`
error: retval.toml:5:59: each item of `files` must be a string, found an integer
error: retval.toml:5:62: the glob `./.` matches no file: it has an empty part or `.`
error: retval.toml:6:1: unknown key `session`; expected one of `files`, `rules`, `profile`, `strict`, `extract`
error: retval.toml:7:10: `strict` must be true or false, found a string
error: retval.toml:9:1: unknown rule `artifact-tipe`; did you mean `artifact-type`?
error: retval.toml:10:17: unknown value for `artifact-type`: `of`; did you mean `off`?
error: retval.toml:11:15: `json-syntax` must stay an error: nothing can be checked without it
error: retval.toml:14:9: `files` must be an array, found a string
error: retval.toml:16:9: `files` must have a glob
error: retval.toml:17:11: unknown profile `retrun`; did you mean `return`?
";
    assert_eq!(stderr(&output), expected);
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(2), "")
    );
    for (config, expected) in [
        (
            "[overrides]\nfiles = [\"a\"]",
            "1:1: `overrides` is a list of tables: write [[overrides]]\n",
        ),
        (
            "overrides = [1]",
            "1:14: each item of `overrides` must be a table, found an integer\n",
        ),
        (
            "[[overides]]",
            "1:3: unknown key `overides`; did you mean `overrides`?\n",
        ),
    ] {
        world.write("retval.toml", config);
        let said = stderr(&check(&world, "", "-"));
        assert_eq!(said, format!("error: retval.toml:{expected}"));
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
files = [\"legacy/**\", \"*.meta.json\"]
[overrides.rules]
artifact-type = \"off\"            # retval.toml:7:17

[[overrides]]
files = [\"./legacy/new/*.json\"]
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
        let bash = bash
            .args(["-c", &line(config)])
            .arg(retval.get_program())
            .current_dir(world.path(""));
        let output = bash.output().expect("bash runs");
        assert_eq!(stderr(&output), "", "{config}");
        assert_eq!(output.status.code(), Some(1), "{config}");
        let found: Vec<_> = verdicts(&output)
            .into_iter()
            .map(|(source, _, valid, _)| (source, valid))
            .collect();
        let expected = [("legacy/one.json", true), ("other/one.json", false)];
        assert_eq!(
            found,
            expected.map(|(name, valid)| (name.to_owned(), valid))
        );
        let log = world.path("log.json");
        assert!(
            fs::read_to_string(&log)
                .expect("a log")
                .contains("other/one.json")
        );
        fs::remove_file(log).expect("a log");
    }
}

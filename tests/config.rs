//! `retval.toml`, the environment, and what comes before what.

mod common;

use std::process::Output;

use assert_cmd::assert::OutputAssertExt as _;
use common::{World, feed, piped, run, stderr, stdout};
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::Value;

/// Runs retval in a folder of the world, with variables of the environment.
fn retval(world: &World, folder: &str, variables: &[(&str, &str)], options: &str) -> Output {
    let mut retval = world.retval();
    retval
        .current_dir(world.path(folder))
        .envs(variables.iter().copied())
        .args(options.split_whitespace());
    run(&mut retval)
}

/// Checks a return with a configuration in the current folder.
fn record(world: &World, options: &str, returned: &str) -> Value {
    let mut retval = world.retval();
    retval
        .args(["check", "--format", "jsonl", "--root", "project"])
        .args(options.split_whitespace());
    let output = feed(&mut retval, returned);
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)))
}

fn rules(record: &Value) -> Vec<&str> {
    let findings = record["findings"].as_array().expect("findings").iter();
    findings
        .map(|finding| finding["rule"].as_str().expect("a rule"))
        .collect()
}

fn plan(world: &World) -> String {
    std::fs::read_to_string(world.path("profiles/return/completed-plan.json")).expect("a return")
}

/// What is wrong, and how it is told after the file's name.
const OF_OPTIONS: &[(&str, &str)] = &[
    ("strict = ", "1:10: "),
    (
        "strit = true",
        "1:1: unknown key `strit`; did you mean `strict`?\n",
    ),
    (
        "strict = \"yes\"",
        "1:10: `strict` must be true or false, found a string\n",
    ),
    (
        "include = [\"[\"]",
        "1:12: invalid glob `[`: unclosed character class",
    ),
    ("jobs = 0", "1:8: `jobs` must be between 1 and 1024\n"),
    (
        "max-bytes = -1",
        "1:13: `max-bytes` must be between 1 and 1099511627775\n",
    ),
    ("session = \" \"", "1:11: `session` must not be empty\n"),
    (
        "include = [\"*.json\", 1]",
        "1:22: each item of `include` must be a string, found an integer\n",
    ),
    (
        "format = \"sarf\"",
        "1:10: unknown value for `format`: `sarf`; did you mean `sarif`?\n",
    ),
    (
        "profile = \"retrun\"",
        "1:11: unknown profile `retrun`; did you mean `return`?\n",
    ),
    (
        "[rules]\nartifact-tipe = \"off\"",
        "2:1: unknown rule `artifact-tipe`; did you mean `artifact-type`?\n",
    ),
    (
        "[rules]\nartifact-type = \"of\"",
        "2:17: unknown value for `artifact-type`: `of`; did you mean `off`?\n",
    ),
    (
        "[rules]\njson-syntax = \"off\"",
        "2:15: `json-syntax` must stay an error: nothing can be checked without it\n",
    ),
    (
        "[hook]\nretry = 1",
        "2:1: unknown key `retry`; did you mean `retries`?\n",
    ),
    ("session = \"\u{1b}[2J\"", "1:12: "),
    ("\"\\u001b]0;x\" = 1", "1:1: unknown key `\\u{1b}]0;x`\n"),
];

const OF_PROFILES: &[(&str, &str)] = &[
    (
        "[profiles.x]\n",
        "1:11: the profile `x` must extend another one; add extends = \"return\"\n",
    ),
    (
        "[profiles.return]\nextends = \"compact\"",
        "1:11: `return` is built in; choose another name\n",
    ),
    (
        "[profiles.\"a\u{3164}\"]\nextends = \"return\"",
        "1:11: `a\\u{3164}` contains characters that cannot be displayed\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nactions = { blocked = \"wait\" }",
        "3:23: unknown value for `blocked`: `wait`; expected one of `proceed`, `resume`, `retry`, `ask`, `stop`\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nactions = { waiting = \"ask\" }",
        "1:11: cannot set the action after `waiting`: the profile has no such status\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nrequired = [\"ticket\", \"\u{feff}note\"]",
        "3:23: `\\u{feff}note` contains characters that cannot be displayed\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nstatuses = { \"done##[x]\" = \"success\" }",
        "3:14: `done#\\u{23}[x]` contains characters that cannot be displayed\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nartifact-types = [\"a\\tb\"]",
        "3:19: `a\\tb` contains characters that cannot be displayed\n",
    ),
    (
        "[profiles.x]\nextends = \"compact\"\n[profiles.x.agents.\"qa \"]\nfailure = \"FAIL\"",
        "3:20: `qa\\u{20}` contains characters that cannot be displayed\n",
    ),
    (
        "[profiles.\"a b\"]\nextends = \"return\"",
        "1:11: `a b` is not a valid profile name: use letters, digits, `-`, `_` and `.`\n",
    ),
    (
        "[profiles.z]\nextends = \"y\"\n[profiles.y]\nextends = \"none\"\n[profiles.x]\nextends = \"y\"",
        "4:11: unknown profile `none`; expected one of `return`, `return-v1`, `return-meta`, `compact`, `handoff`\n",
    ),
    (
        "[profiles.x]\nextends = \"retrun-v1\"",
        "2:11: unknown profile `retrun-v1`; did you mean `return-v1`?\n",
    ),
    (
        "[profiles.x]\nextends = \"y\"\n[profiles.y]\nextends = \"x\"",
        "4:11: a profile cannot extend itself: x -> y -> x\n",
    ),
    (
        "[hook.agents.\"a*\"]\nretry = 1",
        "2:1: unknown key `retry`; did you mean `retries`?\n",
    ),
    (
        "[hook.agents.a]\n[hook.agents.\"[\"]",
        "2:14: invalid glob `[`: unclosed character class",
    ),
    (
        "[hook.agents.a]\nprofile = \"retrun\"",
        "2:11: unknown profile `retrun`; did you mean `return`?\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nstatus = {}",
        "3:1: unknown key `status`; did you mean `statuses`?\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nstatuses = { ok = \"sucess\" }",
        "3:19: unknown value for `ok`: `sucess`; did you mean `success`?\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nstatuses = { failed = \"off\" }",
        "1:11: the failure status must be one of completed, partial, blocked, found `failed`\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nrequired = [\"a\"]\noptional = [\"a\"]",
        "4:13: `a` is both required and optional\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nrequired = [\"metadata.team.lead\"]",
        "3:13: cannot check the field `metadata.team.lead`: it must be a member of the return, or of an object that the profile `return` describes\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nartifact-types = \"plans\"",
        "3:18: `artifact-types` must be an array or \"any\", found a string\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nlimits = { sentences = 3 }",
        "3:24: `sentences` must be an array, found an integer\n",
    ),
    (
        "[profiles.x]\nextends = \"compact\"\nhandoff-path = \"/a.json\"",
        "3:16: the path of handoff files must be relative to the root\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nrequired = [\"artifacts.owner\"]",
        "3:13: cannot check the field `artifacts.owner`: it must be a member of the return",
    ),
    (
        "[profiles.x]\nextends = \"return\"\n[profiles.x.limits]\nsummary-tokens = 9\nsummary-words = 9",
        "3:1: only one of `summary-tokens`, `summary-words`, `summary-characters` and `return-tokens` can be set\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nlimits = { sentences = [3, 2] }",
        "3:24: the fewest sentences must not be more than the most, found 3 and 2\n",
    ),
    (
        "[profiles.x]\nextends = \"compact\"\nhandoff-path = \"a/{sesion}.json\"",
        "3:16: unknown placeholder in the path of handoff files; use {session}, {group} and {agent}\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nhandoff-path = \"a.json\"",
        "3:16: the profile `return` has no handoff files, so that they cannot have a path\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nfiles = [\"[\"]",
        "3:10: invalid glob `[`: unclosed character class",
    ),
    (
        "[profiles.x]\nextends = \"return\"\nfiles = [\"a/*.json\"]",
        "3:10: `files` takes file names, without folders\n",
    ),
    (
        "[profiles.x]\nextends = \"return\"\noptional = [\"status\"]",
        "3:13: `status` must stay required: nothing can be checked without it\n",
    ),
    (
        "[profiles.x.agents.a]\nstatuses = { done = \"success\" }\n[profiles.x]\nextends = \"return\"",
        "3:11: the failure status of `a` must be one of completed, partial, failed, blocked, done\n",
    ),
];

#[test]
fn every_error_names_its_place_and_a_likely_correction() {
    let world = World::new();
    for (text, expected) in OF_OPTIONS.iter().chain(OF_PROFILES) {
        world.write("retval.toml", text);
        let output = retval(&world, "", &[], "check profiles/return/completed-plan.json");
        let expected = format!("error: retval.toml:{expected}");
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(output.stdout.is_empty(), "{text}");
        let said = stderr(&output);
        assert!(said.starts_with(&expected), "{text}\n{said}{expected}");
        assert!(!said.contains('\u{1b}'), "{said:?}");
    }
}

#[test]
fn a_glob_for_agents_has_a_limited_length() {
    let world = World::new();
    let long = "*".repeat(1_001);
    let table = format!("[hook.agents.\"{long}\"]\nretries = 1\n");
    world.write("retval.toml", table);
    let output = retval(&world, "", &[], "check profiles/return/completed-plan.json");
    assert_eq!(output.status.code(), Some(2));
    let expected = "error: retval.toml:1:14: a glob has at most 1000 bytes";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
}

#[test]
fn the_nearest_file_upwards_holds_and_its_paths_are_its_own() {
    let world = World::new();
    world.write("retval.toml", "root = \"project\"\nstrict = true\n");
    world.write("a/b/one.json", plan(&world));
    let check = |options: &str| {
        let options = format!("check one.json {options}");
        retval(&world, "a/b", &[], &options).status.code()
    };
    assert_eq!(check(""), Some(0));
    assert_eq!(check("--no-config"), Some(1), "no artifacts below a/b");
    world.write("a/retval.toml", "");
    assert_eq!(
        check(""),
        Some(1),
        "the nearer one says nothing of the root"
    );
    assert_eq!(check("--config ../../retval.toml"), Some(0));
    assert_eq!(check("--config nowhere.toml"), Some(2));
    assert_eq!(check("--config ../../retval.toml --no-config"), Some(2));
}

#[test]
fn a_file_that_everybody_may_write_to_is_ignored() {
    let world = World::new();
    world.write("open/retval.toml", "strit = true");
    world.write("open/below/one.json", plan(&world));
    let check = || {
        retval(
            &world,
            "open/below",
            &[],
            "check one.json --root ../../project",
        )
    };
    assert_eq!(check().status.code(), Some(2));
    let note = "note: ../retval.toml is ignored because everyone can write to it: name it with --config to use it\n";
    for (folder, file) in [(0o777, 0o644), (0o755, 0o666)] {
        world.rights("open", folder);
        world.rights("open/retval.toml", file);
        let output = check();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stderr(&output), note);
    }
}

#[test]
fn what_is_not_a_regular_file_is_passed_over_and_told() {
    let world = World::new();
    world.write("retval.toml", "session = \"another\"");
    world.write("odd/below/one.json", plan(&world));
    let odd = world.path("odd/retval.toml");
    let check = |options: &str| {
        let line = format!("check one.json --root ../../project {options}");
        retval(&world, "odd/below", &[], &line)
    };
    let make = |program: &str, arguments: &[&str]| {
        let made = std::process::Command::new(program)
            .args(arguments)
            .arg(&odd)
            .status();
        assert!(made.expect("it runs").success());
    };
    for (program, arguments) in [
        ("mkfifo", &[][..]),
        ("mkdir", &[]),
        ("ln", &["-s", "/dev/zero"]),
    ] {
        make(program, arguments);
        let output = check("");
        let note = "note: ../retval.toml is ignored because it is not a regular file\n";
        assert_eq!(stderr(&output), note, "{program}");
        assert_eq!(output.status.code(), Some(1), "the one above counts");
        make(if program == "mkdir" { "rmdir" } else { "rm" }, &[]);
    }
}

/// One that a person names is read, whatever it is.
#[test]
fn a_named_configuration_may_be_a_pipe_or_a_device() {
    let world = World::new();
    world.write("retval.toml", "session = \"another\"");
    world.write("one.json", plan(&world));
    let check = |config: &str| {
        let line = format!("\"$0\" check one.json --root project --config {config}");
        let retval = world.retval();
        let mut bash = std::process::Command::new("bash");
        let bash = bash.args(["-c", &line]).arg(retval.get_program());
        let folder = retval.get_current_dir().expect("a folder");
        bash.current_dir(folder).output().expect("bash runs")
    };
    let output = check("/dev/null");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = check("<(echo 'session = \"third\"')");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("Expected: third\n"));
    let output = check("<(echo 'colour = 1')");
    assert_eq!(output.status.code(), Some(2));
    let error = stderr(&output);
    let place = ":1:1: unknown key `colour`";
    assert!(
        error.starts_with("error: /dev/fd/") && error.contains(place),
        "{error}"
    );
    for (config, error) in [
        (
            "/dev/zero",
            "error: /dev/zero is larger than 1048576 bytes, too large for a configuration\n",
        ),
        (
            "project",
            "error: cannot read project: Is a directory (os error 21)\n",
        ),
    ] {
        let output = check(config);
        assert_eq!(stderr(&output), error);
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn an_option_comes_before_the_environment_and_that_before_the_file() {
    let world = World::new();
    world.write(
        "retval.toml",
        "profile = \"return-v1\"\nsession = \"of-the-file\"\nagent = \"of-the-file\"\n",
    );
    let environment = [
        ("RETVAL_PROFILE", "return-meta"),
        ("RETVAL_SESSION", "of-the-environment"),
        ("RETVAL_AGENT", ""),
        ("RETVAL_ROOT", "project"),
    ];
    let told = |variables: &[(&str, &str)], options: &str| {
        let options = format!("instruct {options}");
        stdout(&retval(&world, "", variables, &options))
    };
    for (variables, options, session, agent) in [
        (&environment[..0], "", "of-the-file", "of-the-file"),
        (&environment[..], "", "of-the-environment", "of-the-file"),
        (&environment[..], "--session s --agent a", "\"s\"", "\"a\""),
    ] {
        let text = told(variables, options);
        assert!(text.contains(session) && text.contains(agent), "{text}");
        assert_eq!(text.contains(".return-meta.json"), !variables.is_empty());
    }
    let checked = retval(
        &world,
        "",
        &environment,
        "check profiles/return/completed-plan.json --profile return --session sess_1767225600_k3m9qa --agent planner",
    );
    assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
    let bad = retval(&world, "", &[("RETVAL_PROFILE", "retrun")], "check");
    bad.assert()
        .code(2)
        .stderr("error: the environment variable RETVAL_PROFILE: unknown profile `retrun`; did you mean `return`?\n");
    let option = "check --profile retrun";
    let bad = retval(&world, "", &[("RETVAL_PROFILE", "return")], option);
    let text = "error: unknown profile `retrun`; did you mean `return`?\n";
    bad.assert().code(2).stderr(text);
}

#[test]
fn a_switch_of_the_file_can_be_turned_off_by_a_flag() {
    let world = World::new();
    world.write(
        "retval.toml",
        "strict = true\n[rules]\nsummary-sentences = \"error\"\n",
    );
    let one = plan(&world).replace("\"plan\"", "\"plna\"");
    let valid = |options| record(&world, options, &one)["valid"] == true;
    assert!(!valid(""));
    assert!(valid("--unset strict"));
    assert!(!valid("--unset strict --error artifact-type"));
    assert!(!valid("--unset strict --strict"));
    let slip = retval(&world, "", &[], "check --unset strikt");
    slip.assert().code(2).stderr(contains("'strict'"));
    let variables = [("RETVAL_PROFILE", "compact")];
    let unset = retval(&world, "", &variables, "config --unset profile");
    unset
        .assert()
        .stdout(contains("profile = \"auto\"                 # default"));
}

#[test]
fn options_outrank_profile_levels_and_those_the_files_and_the_rules() {
    let world = World::new();
    world.write(
        "retval.toml",
        "[rules]\nartifact-type = \"error\"\n[profiles.own]\nextends = \"return\"\n[profiles.own.rules]\nartifact-type = \"off\"\n",
    );
    let slip = plan(&world).replace("\"plan\"", "\"plna\"");
    let level = |options| {
        let record = record(&world, options, &slip);
        let findings = record["findings"].as_array().expect("findings");
        let first = findings.first().map(|finding| finding["level"].clone());
        first.map(|level| level.as_str().expect("a level").to_owned())
    };
    assert_eq!(level("--no-config").as_deref(), Some("warning"));
    assert_eq!(level("").as_deref(), Some("error"));
    assert_eq!(level("--profile own"), None);
    assert_eq!(
        level("--profile own --warning artifact-type").as_deref(),
        Some("warning")
    );
}

#[test]
fn levels_of_custom_profiles_are_inherited() {
    let world = World::new();
    for (file, own) in [("error", "off"), ("off", "error")] {
        world.write(
            "retval.toml",
            format!(
                "[rules]\nartifact-type = \"{file}\"\n[profiles.p]\nextends = \"return\"\nrules = {{ artifact-type = \"{own}\" }}\n[profiles.q]\nextends = \"p\"\n"
            ),
        );
        let slip = plan(&world).replace("\"plan\"", "\"plna\"");
        let found = |profile| rules(&record(&world, profile, &slip)).len();
        assert_eq!(found("--profile q"), found("--profile p"), "{file}");
        assert_eq!(found("--profile q") == 0, own == "off");
    }
}

#[test]
fn a_field_of_a_custom_profile_is_known() {
    let world = World::new();
    world.write(
        "retval.toml",
        "[profiles.u]\nextends = \"return\"\nrequired = [\"ticket\"]\noptional = [\"artifacts[].extra\"]\nrules = { field-unknown = \"error\" }\n[profiles.c]\nextends = \"compact\"\nrequired = [\"reason\"]\n",
    );
    let own = plan(&world).replace("\"type\": \"plan\"", "\"extra\": 1, \"type\": \"plan\"");
    let own = own.replacen('{', "{\"ticket\": 7,", 1);
    assert!(rules(&record(&world, "--profile u", &own)).is_empty());
    let stranger = own.replace("\"extra\"", "\"extras\"");
    let found = record(&world, "--profile u", &stranger);
    assert_eq!(rules(&found), ["field-unknown"]);
    let compact = r#"{"status": "PASS", "reason": "all is tested"}"#;
    assert!(
        rules(&record(
            &world,
            "--profile c --agent qa_expert --strict",
            compact
        ))
        .is_empty()
    );
    let text = stdout(&retval(&world, "", &[], "instruct --profile c"));
    assert!(
        text.contains("No members other than status, reason."),
        "{text}"
    );
}

#[test]
fn a_failed_return_is_valid_in_a_custom_profile() {
    let world = World::new();
    world.write(
        "retval.toml",
        "[profiles.r]\nextends = \"return\"\nrequired = [\"ticket\", \"metadata.team\"]\nstatuses = { failed = \"off\", gave_up = \"other\" }\nfailure = \"gave_up\"\n[profiles.c]\nextends = \"compact\"\nrequired = [\"reason\"]\n[profiles.h]\nextends = \"handoff\"\nrequired = [\"ticket\"]\n",
    );
    for (options, word) in [
        ("--profile r", "gave_up"),
        ("--profile c --agent qa_expert", "FAIL"),
        ("--profile h --agent qa_expert", "FAIL"),
    ] {
        let failed = stdout(&piped(
            &world,
            &format!("{options} --format return"),
            "prose",
        ));
        assert!(
            failed.contains(&format!("\"status\":\"{word}\"")),
            "{failed}"
        );
        piped(&world, options, &failed).assert().code(0);
    }
}

#[test]
fn the_example_loads_and_its_profiles_check() {
    let world = World::new();
    let config = "--config config/retval.toml";
    let meta = |status: &str, kind: &str, rest: &str| {
        format!(
            r#"{{"status": "{status}", "artifacts": [{{"type": "{kind}", "path": "docs/tides.md", "summary": "x"}}],
               "metadata": {{"session_id": "s", "agent_type": "a", "delegation_path": ["orchestrator","a"]{rest}}}}}"#
        )
    };
    let with_toolchain = r#", "toolchain": "lean4""#;
    for (returned, expected) in [
        (meta("tasks_created", "research", with_toolchain), &[][..]),
        (meta("implemented", "lean_source", with_toolchain), &[]),
        (meta("planned", "poem", with_toolchain), &["artifact-type"]),
        (meta("planned", "plan", ""), &["field-missing"]),
        (
            meta("planned", "plan", r#", "toolchain": " ""#),
            &["field-empty"],
        ),
        (meta("blocked", "plan", with_toolchain), &["status-unknown"]),
        (
            meta("completed", "plan", with_toolchain),
            &["status-unknown"],
        ),
    ] {
        let record = record(&world, &format!("{config} --profile lean-meta"), &returned);
        assert_eq!(rules(&record), expected, "{record}");
        assert_eq!(record["profile"], "lean-meta");
    }
    let phantom = meta("tasks_created", "plan", with_toolchain).replace("tides.md", "none.md");
    let phantom = record(&world, &format!("{config} --profile lean-meta"), &phantom);
    assert_eq!(rules(&phantom), ["artifact-not-found"], "the claim counts");

    world.write(
        "specs/.lean-meta-3.json",
        meta("planned", "plan", with_toolchain),
    );
    let by_name = retval(&world, "", &[], &format!("check specs {config} -v"));
    by_name.assert().code(0).stdout(contains("lean-meta"));
}

#[test]
fn limits_of_custom_profiles_are_checked() {
    let world = World::new();
    let config = "--config config/retval.toml --profile";
    let words = |count: usize| {
        let summary = "word ".repeat(count) + ".";
        let line = plan(&world);
        let start = line.find("\"Planned").expect("a summary");
        let end = line[start..].find("\",").expect("its end") + start;
        format!("{}\"{}{}", &line[..start], summary.trim(), &line[end..])
    };
    for profile in ["brief", "brief-research"] {
        let check = |count| record(&world, &format!("{config} {profile}"), &words(count));
        assert_eq!(rules(&check(29)), [""; 0]);
        assert_eq!(rules(&check(31)), ["summary-too-long"]);
    }
}

#[test]
fn custom_agents_use_the_custom_path_of_handoff_files() {
    let world = World::new();
    let options =
        "--config config/retval.toml --profile writing --session s --group g --agent writer";
    let check = || record(&world, options, r#"{"status": "DRAFTED"}"#);
    assert_eq!(rules(&check()), ["handoff-not-found"]);
    world.write(
        "project/handoffs/s/g-writer.json",
        r#"{"from_agent": "writer", "status": "DRAFTED", "summary": "It is drafted.", "files_created": ["docs/tides.md"]}"#,
    );
    assert_eq!(rules(&check()), [""; 0]);
    let reviewer = stdout(&retval(
        &world,
        "",
        &[],
        "instruct --config config/retval.toml --profile writing --session s --group g --agent reviewer",
    ));
    assert!(reviewer.contains("handoffs/s/g-writer.json"), "{reviewer}");
    assert!(reviewer.contains("ACCEPTED") && !reviewer.contains("BAZINGA"));
}

#[test]
fn instructions_include_what_a_custom_profile_requires() {
    let world = World::new();
    let options = "instruct --config config/retval.toml --profile lean-meta";
    let text = stdout(&retval(&world, "", &[], options));
    assert!(text.contains("\"toolchain\": "), "{text}");
    assert!(text.contains("lean_source") && text.contains("tasks_created"));
    assert!(
        text.contains("the metadata file .lean-meta*.json to"),
        "{text}"
    );
}

#[test]
fn custom_profiles_have_schemas() {
    let world = World::new();
    let schema = |profile: &str, target: &str| {
        let options =
            format!("schema --config config/retval.toml --profile {profile} --target {target}");
        retval(&world, "", &[], &options)
    };
    let text = stdout(&schema("lean-meta", "full"));
    let parsed: Value = serde_json::from_str(&text).expect("a schema");
    let required = &parsed["properties"]["metadata"]["required"];
    assert!(required.to_string().contains("toolchain"), "{required}");
    assert!(
        parsed["properties"]["status"]["enum"]
            .to_string()
            .contains("tasks_created")
    );
    let narrowed = schema("lean-meta", "openai-strict");
    narrowed.assert().code(0).stderr(contains(
        "metadata.toolchain may be any value, but this schema requires a string",
    ));
    world.write(
        "map.toml",
        "[profiles.x]\nextends = \"handoff\"\nrequired = [\"artifacts\"]\n",
    );
    let refused = retval(
        &world,
        "",
        &[],
        "schema --config map.toml --profile x --target openai-strict",
    );
    refused
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("artifacts"));
}

#[test]
fn the_hook_takes_its_settings_from_the_file_and_never_fails_by_it() {
    let world = World::new();
    world.write(
        "retval.toml",
        "profile = \"return\"\n[hook]\nagents = [\"plan*\"]\nobserve = true\n",
    );
    let payload = |agent: &str| {
        format!(
            r#"{{"hook_event_name": "SubagentStop", "session_id": "s", "agent_id": "{agent}1", "agent_type": "{agent}", "last_assistant_message": "Done."}}"#
        )
    };
    let hook = |agent: &str| {
        let output = feed(world.retval().arg("hook"), payload(agent));
        assert_eq!(output.status.code(), Some(0));
        stdout(&output)
    };
    assert!(hook("planner").contains("retval (observing)"));
    assert_eq!(hook("researcher"), "");
    world.write("retval.toml", "profle = 1");
    assert!(hook("planner").contains("unknown key `profle`"));
}

#[test]
fn config_shows_values_and_their_sources() {
    let world = World::new();
    let variables = [("RETVAL_SESSION", "s\u{202e}")];
    let shown = retval(&world, "", &variables, "config --config config/retval.toml");
    let text = stdout(&shown);
    for line in [
        "# from config/retval.toml",
        "profile = \"auto\"                 # config/retval.toml:5:11",
        "session = \"s\\U0000202E\"          # RETVAL_SESSION",
        "strict = false                   # default",
        "# errors-json                    # not set",
        "retries = 2                      # config/retval.toml:18:11",
        "artifact-blank = \"error\"         # config/retval.toml:13:18",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}\n{text}");
    }
    world.write("again.toml", text);
    let again = retval(&world, "", &[], "config --config again.toml");
    again.assert().code(0).stdout(contains("lean_source"));
}

#[test]
fn a_configuration_that_is_not_text_is_refused() {
    let world = World::new();
    world.write("bytes.toml", b"session = \"\xff\"");
    world.write("large.toml", "# ".to_owned() + &"x".repeat(1_100_000));
    for (file, why) in [
        ("bytes.toml", "bytes.toml is not UTF-8"),
        (
            "large.toml",
            "large.toml is larger than 1048576 bytes, too large for a configuration",
        ),
        ("project", "cannot read project"),
        ("nothing.toml", "cannot read nothing.toml"),
    ] {
        let output = retval(&world, "", &[], &format!("check --config {file}"));
        output
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(why).and(contains("error: ")));
    }
}

#[test]
fn some_agents_have_settings_of_their_own_in_the_hook() {
    let world = World::new();
    let table = "[hook.agents.\"research*\"]\nprofile = \"compact\"\nretries = 0\n\
                 [hook.agents.Explore]\nobserve = true\n\
                 [hook.agents.scout]\nhold = false\n";
    world.write("retval.toml", table);
    let hook = |agent: &str, message: &str| {
        let payload = serde_json::json!({
            "hook_event_name": "SubagentStop", "session_id": "s", "agent_id": format!("{agent}1"),
            "agent_type": agent, "last_assistant_message": message, "cwd": world.path("project"),
        });
        let mut retval = world.retval();
        retval.arg("hook").env("XDG_RUNTIME_DIR", world.path(""));
        stdout(&feed(&mut retval, payload.to_string()))
    };
    assert_eq!(hook("researcher", r#"{"status":"READY_FOR_QA"}"#), "");
    let let_go = hook("research-lead", "Done.");
    assert!(
        let_go.contains("systemMessage") && !let_go.contains("block"),
        "{let_go}"
    );
    assert!(hook("planner", "Done.").contains("block"), "as before");
    assert!(
        hook("Explore", "Done.").contains("systemMessage"),
        "held by its table"
    );
    assert_eq!(hook("Plan", "Done."), "", "not held");
    assert_eq!(hook("scout", "Done."), "");
    let shown = stdout(&retval(&world, "", &[], "config"));
    let expected = "\n[hook.agents.\"research*\"]\nprofile = \"compact\"";
    assert!(
        shown.contains(expected) && shown.contains("# retval.toml:3:11\n"),
        "{shown}"
    );
    world.write("shown.toml", &shown);
    let again = retval(&world, "", &[], "config --config shown.toml");
    assert!(stdout(&again).contains(expected), "{}", stderr(&again));
}

#[test]
fn every_error_of_a_file_is_reported_at_its_own_place() {
    let world = World::new();
    let text = r#"strct = true
jobs = 0
profile = "mine"
max-bytes = "1M"

[rules]
artifact-typo = "off"
field-type = "of"

[hook]
retries = "two"

[profiles.mine]
extends = "retrun"

[profiles.other]
extends = "return"
statuses = { Done = 1 }
limits = { summary-tokens = -1, sumary-words = 3 }

[profiles.third]
extends = "other"
"#;
    world.write("retval.toml", text);
    let output = world.check("--config retval.toml -");
    let expected = "\
error: retval.toml:1:1: unknown key `strct`; did you mean `strict`?
error: retval.toml:2:8: `jobs` must be between 1 and 1024
error: retval.toml:4:13: expected a number of bytes, such as 16777216, 1MB or 16MiB
error: retval.toml:7:1: unknown rule `artifact-typo`; did you mean `artifact-type`?
error: retval.toml:8:14: unknown value for `field-type`: `of`; did you mean `off`?
error: retval.toml:11:11: `retries` must be an integer, found a string
error: retval.toml:14:11: unknown profile `retrun`; did you mean `return`?
error: retval.toml:18:21: `Done` must be a string, found an integer
error: retval.toml:19:29: `summary-tokens` must be between 1 and 1000000000
error: retval.toml:19:33: unknown limit `sumary-words`; did you mean `summary-words`?
";
    assert_eq!(stderr(&output), expected);
    output.assert().code(2);
    world.write("retval.toml", "a = \nb = [\n");
    let output = world.check("--config retval.toml -");
    assert!(stderr(&output).lines().count() >= 2, "{}", stderr(&output));
}

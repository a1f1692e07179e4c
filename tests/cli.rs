//! The command as its users meet it: streams, exit codes, files on disk.

mod common;

use std::fs;
use std::process::Stdio;

use assert_cmd::assert::OutputAssertExt as _;
use common::{SESSION, World, piped, run_onto_full_disk, stderr, stdout};
use predicates::str::{contains, is_empty};
use serde_json::Value;

const PLAN: &str = "profiles/return/completed-plan.json";

/// What a script that greps sees of a valid return, whole.
const PASSING: &str = "\
[PASS] Return is valid JSON
[PASS] All required fields present
[PASS] Status is valid: completed
[PASS] Session ID matches
[PASS] Summary length is valid: 34 of 100 tokens (137 characters)
[INFO] Artifact count: 1
[PASS] Artifact exists: specs/12_tide_tables/plans/implementation-001.md
[PASS] Artifact is non-empty: specs/12_tide_tables/plans/implementation-001.md (121 bytes)
[PASS] 1 artifacts validated
[PASS] Return validation succeeded
Status: completed
Artifacts: 1 validated
";

#[test]
fn a_valid_return_passes_from_a_file_a_pipe_and_a_dash() {
    let world = World::new();
    let options = format!("--root project --session {SESSION} --agent planner");
    let text = fs::read(world.path(PLAN)).expect("a fixture");
    for output in [
        world.check(&format!("{PLAN} {options}")),
        piped(&world, &options, &text),
        piped(&world, &format!("- {options}"), &text),
    ] {
        assert_eq!(stdout(&output), PASSING);
        output.assert().code(0).stderr(is_empty());
    }
}

#[test]
fn prose_fails_with_what_it_is_and_what_to_do() {
    let world = World::new();
    let output = piped(
        &world,
        &format!("--session {SESSION} --agent researcher"),
        "I have finished the research.\n",
    );
    let expected = format!(
        "\
[FAIL] Invalid JSON return from researcher
Error: Cannot parse return as JSON
       it is plain text
Recommendation: Fix researcher subagent return format
       return a JSON object instead of prose
       at -:1:1
       rule: json-syntax
[SKIP] Required fields: the return is not valid JSON
[SKIP] Status: the return is not valid JSON
[SKIP] Session ID: the return is not valid JSON
[SKIP] Summary length: the return is not valid JSON
[SKIP] Artifacts: the return is not valid JSON
Error: Subagent return validation failed
Subagent: researcher
Session: {SESSION}
1 failure, 0 warnings
"
    );
    assert_eq!(stdout(&output), expected);
    output.assert().code(1).stderr(is_empty());
}

#[test]
fn every_failure_is_reported_once_in_step_order() {
    let world = World::new();
    let text = r#"{
  "status": "done",
  "summary": "",
  "artifacts": [{"type": "plans", "path": "gone.md", "summary": "x"}, "x"],
  "metadata": {"session_id": "other", "agent_type": "planner", "delegation_depth": "1"}
}"#;
    let output = piped(&world, "--session expected", text);
    let expected = "\
[PASS] Return is valid JSON
[FAIL] Empty required field: summary
Recommendation: Fix planner subagent to fill in all required fields
       at -:3:14 (/summary)
       rule: field-empty
[FAIL] Missing required metadata field: delegation_path
Recommendation: Fix planner subagent to include all required metadata fields
       at -:5:15 (/metadata)
       rule: field-missing
[FAIL] Wrong type for field artifacts[1]: expected an object, found a string
Recommendation: Fix planner subagent to write artifacts[1] as an object
       at -:4:71 (/artifacts/1)
       rule: field-type
[FAIL] Wrong type for field metadata.delegation_depth: expected an integer, found a string
Recommendation: Fix planner subagent to write metadata.delegation_depth as an integer
       at -:5:84 (/metadata/delegation_depth)
       rule: field-type
[WARN] Unknown artifact type: plans
Recommendation: Fix planner subagent to use one of plan, report, summary, implementation, documentation
       did you mean plan?
       at -:4:26 (/artifacts/0/type)
       rule: artifact-type
[FAIL] Invalid status: done
Valid statuses: completed, partial, failed, blocked
Recommendation: Fix planner subagent to use valid status enum
       did you mean completed?
       at -:2:13 (/status)
       rule: status-unknown
[FAIL] Session ID mismatch
Expected: expected
Got: other
Recommendation: Fix planner subagent to return correct session_id
       at -:5:30 (/metadata/session_id)
       rule: session-mismatch
[SKIP] Summary length: the summary is empty
[SKIP] Artifacts: the status is not known
[WARN] Claimed artifact does not exist: gone.md
Recommendation: Fix planner subagent to list only files that it wrote
       at -:4:43 (/artifacts/0/path)
       rule: claimed-artifact-missing
Error: Subagent return validation failed
Subagent: planner
Session: expected
6 failures, 2 warnings
";
    assert_eq!(stdout(&output), expected);
    output.assert().code(1);
}

#[test]
fn fail_fast_skips_what_comes_after_the_first_failing_step() {
    let world = World::new();
    let output = world.check("rules/status-unknown/fail/done.json --fail-fast --root project");
    let text = stdout(&output);
    assert!(text.contains("[FAIL] Invalid status: done\n"), "{text}");
    for step in ["Session ID", "Summary length", "Artifacts"] {
        assert!(
            text.contains(&format!(
                "[SKIP] {step}: an earlier step failed (--fail-fast)\n"
            )),
            "{text}"
        );
    }
}

#[test]
fn levels_of_rules_can_be_set() {
    let world = World::new();
    let phantom = "rules/artifact-not-found/fail/phantom.json --root project";
    world.check(phantom).assert().code(1);
    let warned = world.check(&format!("{phantom} --warning artifact-not-found"));
    assert!(stdout(&warned).contains("[WARN] Artifact does not exist: "));
    warned.assert().code(0);
    let ignored = world.check(&format!("{phantom} --off artifact-not-found"));
    assert!(
        stdout(&ignored).contains("[SKIP] Artifacts: artifact-not-found is off\n"),
        "never a silent pass"
    );
    ignored.assert().code(0);
    world
        .check(&format!("{phantom} --warning artifact-not-found --strict"))
        .assert()
        .code(1);
    world
        .check("rules/artifact-type/fail/slip.json --root project --error artifact-type")
        .assert()
        .code(1);
}

#[test]
fn old_names_of_level_flags_are_accepted() {
    let world = World::new();
    let phantom = "rules/artifact-not-found/fail/phantom.json --root project";
    for (old, new) in [("--warn", "--warning"), ("--ignore", "--off")] {
        let check = |flag| stdout(&world.check(&format!("{phantom} {flag} artifact-not-found")));
        assert_eq!(check(old), check(new));
    }
}

#[test]
fn help_is_short_with_h_and_colored_where_color_is_allowed() {
    let world = World::new();
    let help = |variable: Option<(&str, &str)>, options: &str| {
        let mut retval = world.retval();
        retval.envs(variable).arg("check").args(options.split(' '));
        stdout(&common::run(&mut retval))
    };
    let (short, long) = (help(None, "-h"), help(None, "--help"));
    assert!(short.lines().count() < long.lines().count());
    assert!(long.contains("Examples:\n") && !short.contains("Examples:\n"));
    let is_colored = |text: String| text.contains("\u{1b}[");
    let force = Some(("CLICOLOR_FORCE", "1"));
    assert!(!is_colored(short) && is_colored(help(force, "-h")));
    assert!(is_colored(help(None, "--color always -h")));
    assert!(!is_colored(help(force, "--color=never --help")));
    assert!(!is_colored(help(Some(("NO_COLOR", "1")), "--help")));
}

#[test]
fn indispensable_rules_cannot_be_lowered() {
    let world = World::new();
    for rule in ["json-syntax", "json-object", "json-limit"] {
        let refused = world.check(&format!("--off {rule} {PLAN}"));
        refused
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(rule));
    }
}

#[test]
fn quiet_says_nothing_but_failures() {
    let world = World::new();
    world
        .check(&format!("-q {PLAN} --root project"))
        .assert()
        .code(0)
        .stdout(is_empty());
    let output = world.check("-q rules/artifact-empty/fail/zero-bytes.json --root project");
    let expected = "\
[FAIL] Artifact is empty: notes/empty.md
Error: Subagent created file but wrote no content
Recommendation: Verify planner writes content to artifacts
       at rules/artifact-empty/fail/zero-bytes.json:7:15 (/artifacts/0/path)
       rule: artifact-empty
";
    assert_eq!(stdout(&output), expected);
}

/// What `retval check` shows on a terminal of so many columns, without colours.
fn on_terminal(world: &World, columns: u16, options: &str) -> String {
    let (terminal, end) = common::terminal::open(columns);
    let mut command = world.retval();
    command.arg("check").args(options.split_whitespace());
    command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(end);
    let mut child = command.spawn().expect("it runs");
    drop(command);
    let (mut shown, mut part) = (Vec::new(), [0; 4096]);
    // Reading fails when nothing has the terminal open any more.
    while let Ok(length @ 1..) = rustix::io::read(&terminal, &mut part) {
        shown.extend_from_slice(&part[..length]);
    }
    child.wait().expect("it ends");
    String::from_utf8(shown)
        .expect("UTF-8")
        .replace("\r\n", "\n")
}

#[test]
fn a_terminal_shows_failures_alone_and_their_places() {
    let world = World::new();
    let options = format!(
        "{PLAN} rules/status-unknown/fail rules/json-syntax/fail/empty.json --root project"
    );
    let piped = stdout(&world.check(&options));
    assert!(
        piped.contains("[PASS]") && !piped.contains(" | "),
        "{piped}"
    );
    let text = on_terminal(&world, 60, &options);
    let expected = "\
== rules/status-unknown/fail/done.json
[FAIL] Invalid status: done
Valid statuses: completed, partial, failed, blocked
Recommendation: Fix planner subagent to use valid status enum
       did you mean completed?
       at rules/status-unknown/fail/done.json:2:13 (/status)
       2 |   \"status\": \"done\",
         |             ^^^^^^
       rule: status-unknown

";
    assert!(text.contains(expected), "{text}");
    assert!(
        !text.contains("[PASS]") && !text.contains("[SKIP]"),
        "{text}"
    );
}

#[test]
fn excerpts_of_hostile_lines_are_short_and_aligned() {
    let world = World::new();
    let long = "x".repeat(16 << 20);
    let text =
        format!("{{\"a\": \"{long}\", \"status\": \"表\u{202e}\tdone\u{7f}\", \"b\": \"{long}\"}}");
    world.write("long.json", text.replace('\t', "  "));
    let output = world.check("long.json --snippets --max-bytes 64MiB -q");
    let text = stdout(&output);
    let excerpt: Vec<_> = text.lines().filter(|line| line.contains(" | ")).collect();
    let line = excerpt
        .iter()
        .position(|line| line.contains("done"))
        .expect("a line");
    let (shown, marks) = (excerpt[line], excerpt[line + 1]);
    assert!(
        shown.contains("\"status\": \"表\\u{202e}  done\\u{7f}\", \"b\": \"xxx"),
        "{shown}"
    );
    assert!(shown.contains(" | …") && shown.ends_with('…'), "{shown}");
    // A wide character takes two columns.
    let (before, _) = shown.split_once("\"表").expect("the value");
    let (ahead, _) = marks.split_once('^').expect("a mark");
    assert_eq!(ahead.chars().count(), before.chars().count());
    assert_eq!(
        marks.matches('^').count(),
        "\"ww\\u{202e}  done\\u{7f}\"".len()
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 250),
        "{text}"
    );
}

#[test]
fn another_document_is_one_finding() {
    let world = World::new();
    let package = "rules/not-a-return/fail/package.json";
    let output = world.check(&format!("{package} --format concise"));
    assert_eq!(
        stdout(&output),
        format!(
            "{package}:1:1: error[not-a-return] This is not a return: it has none of the fields status, summary, artifacts, metadata\n"
        )
    );
    let output = world.check(&format!("{package} --format concise --off not-a-return"));
    assert_eq!(stdout(&output).matches("error[field-missing]").count(), 4);
    let output = piped(&world, "--format concise", "{ }");
    assert_eq!(stdout(&output).matches("error[field-missing]").count(), 4);
}

#[test]
fn a_format_can_name_its_file() {
    let world = World::new();
    let bad = "rules/status-unknown/fail/done.json";
    let output = world.check(&format!(
        "{bad} --root project --format json=out=1.json --format concise --format junit=x.xml"
    ));
    assert_eq!(stdout(&output).lines().count(), 1);
    let json: Value =
        serde_json::from_slice(&fs::read(world.path("out=1.json")).expect("a file")).expect("JSON");
    assert_eq!(json["totals"]["invalid"], 1);
    assert!(
        fs::read_to_string(world.path("x.xml"))
            .expect("a file")
            .starts_with("<?xml")
    );
    for (options, error) in [
        ("--format jsn=x", "a similar value exists: 'json'"),
        (
            "--format json=",
            "invalid value 'json=' for '--format <FORMAT>'",
        ),
        (
            "--format json=x --output y",
            "--output y needs a format of its own",
        ),
    ] {
        let output = world.check(&format!("{bad} {options}"));
        output.assert().code(2).stderr(contains(error));
    }
}

#[test]
fn sizes_have_units_everywhere() {
    let world = World::new();
    for (options, code) in [
        ("--max-bytes 1kB", 1),
        ("--max-bytes 16MiB", 0),
        ("--config size.toml", 1),
    ] {
        world.write("size.toml", "max-bytes = \"1kb\"\n");
        let text = format!(
            "{}{}",
            fs::read_to_string(world.path(PLAN)).expect("a return"),
            " ".repeat(500)
        );
        let output = piped(&world, &format!("--root project {options}"), text);
        output.assert().code(code);
    }
    for (options, error) in [
        (
            "--max-bytes 1M",
            "expected a number of bytes, such as 16777216, 1MB or 16MiB",
        ),
        (
            "--max-bytes 2000GiB",
            "it must be between 1 and 1099511627775 bytes",
        ),
    ] {
        world
            .check(options)
            .assert()
            .code(2)
            .stderr(contains(error));
    }
    world.write("size.toml", "\nmax-bytes = \"big\"\n");
    world
        .check("--config size.toml")
        .assert()
        .code(2)
        .stderr(contains(
            "size.toml:2:13: expected a number of bytes, such as 16777216, 1MB or 16MiB",
        ));
    let mut retval = world.retval();
    let output = retval
        .args(["check", PLAN])
        .env("RETVAL_JOBS", "many")
        .output();
    let error =
        "error: the environment variable RETVAL_JOBS: `many` is no number between 1 and 1024\n";
    output.expect("it runs").assert().code(2).stderr(error);
}

#[test]
fn several_returns_get_headings_and_a_line_of_totals() {
    let world = World::new();
    let output = world.check(&format!(
        "{PLAN} rules/json-syntax/fail/empty.json missing.json --root project"
    ));
    let text = stdout(&output);
    assert!(
        text.starts_with("== rules/json-syntax/fail/empty.json\n[FAIL] "),
        "{text}"
    );
    assert!(
        text.ends_with("\n2 returns: 1 valid, 1 invalid (0 warnings); 1 source not checked\n"),
        "{text}"
    );
    assert_eq!(
        stderr(&output),
        "error: cannot read missing.json: No such file or directory (os error 2)\n"
    );
    output.assert().code(2);
}

#[test]
fn errors_are_one_line_on_standard_error() {
    let world = World::new();
    let none = world.check(&format!("{PLAN} --root project --max-bytes 0"));
    none.assert()
        .code(2)
        .stderr(contains("invalid value '0' for '--max-bytes <SIZE>'"));
    for (options, what) in [
        ("missing.json", "cannot read missing.json"),
        ("--root nowhere", "cannot use nowhere as the root"),
        ("--root profiles/return/completed-plan.json", "as the root"),
        (
            &format!("{PLAN} --root project --output project"),
            "cannot write project: it is a folder",
        ),
        (
            &format!("{PLAN} --root project --output no/such/folder/x"),
            "cannot write no/such/folder/x",
        ),
        (
            "--format json --format jsonl",
            "two formats for standard output",
        ),
        (
            "--output a --format json --format text",
            "--output a needs a format of its own",
        ),
        (
            "--off field-type --error field-type",
            "both name field-type",
        ),
    ] {
        let output = world.check(options);
        assert_eq!(
            stderr(&output).lines().count(),
            1,
            "{options}: {}",
            stderr(&output)
        );
        output
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(what));
    }
}

#[test]
fn help_says_what_each_command_does() {
    let world = World::new();
    for (command, about) in [
        (
            "check",
            "Check returns: JSON, fields, status, session, summary, artifacts\n",
        ),
        (
            "instruct",
            "Print the instruction that tells a subagent how to return\n",
        ),
        (
            "hook",
            "Answer the hooks of an agent harness: instruct at the start, check at the end\n",
        ),
    ] {
        let output = world
            .retval()
            .args([command, "--help"])
            .output()
            .expect("it runs");
        assert!(stdout(&output).starts_with(about), "{}", stdout(&output));
        output.assert().code(0).stderr(is_empty());
    }
    let about = "Check what AI subagents return, before anything acts on it\n";
    for option in ["-h", "--help"] {
        let output = world.retval().arg(option).output().expect("it runs");
        assert!(stdout(&output).starts_with(about), "{}", stdout(&output));
    }
}

#[test]
fn the_steps_after_a_limit_are_skipped_for_the_limit() {
    let output = piped(
        &World::new(),
        "--max-bytes 10",
        "{\"status\": \"completed\"}",
    );
    let text = stdout(&output);
    assert!(
        text.contains("[SKIP] Status: the return exceeds a limit\n"),
        "{text}"
    );
    output.assert().code(1);
}

#[test]
fn a_mistyped_option_gets_the_nearest_name() {
    let world = World::new();
    for (options, suggestion) in [
        ("--profile retrun", "did you mean `return`?"),
        ("--off artifact-notfound", "'artifact-not-found'"),
        ("--format jsno", "'json'"),
        ("--sesion x", "'--session'"),
    ] {
        world
            .check(options)
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(suggestion));
    }
}

#[test]
fn a_file_that_may_not_be_read_is_reported() {
    let world = World::new();
    let mut retval = world.retval_as_nobody();
    let output = common::run(retval.args(["check", "project/locked/plan.md"]));
    output.assert().code(2).stderr(contains(
        "cannot read project/locked/plan.md: Permission denied",
    ));
}

#[test]
fn a_terminal_is_no_input() {
    let world = World::new();
    // `script` runs a command line in a terminal of its own. It reads the path of the binary from a
    // variable: a path can have spaces and quotes.
    let output = std::process::Command::new("script")
        .args(["--quiet", "--return", "--command"])
        .args(["\"$RETVAL\" check", "/dev/null"])
        .env("SHELL", "/bin/sh")
        .env("RETVAL", world.retval().get_program())
        .current_dir(world.path(""))
        .stdin(Stdio::null())
        .output()
        .expect("script is there");
    let expected = "\
error: standard input is a terminal: name a file, as in `retval check return.json`,\r
       or pipe a return in, as in `some-agent | retval check`\r
";
    assert_eq!(stdout(&output), expected);
    output.assert().code(2);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let world = World::new();
    let mut child = world.retval();
    child
        .args(["check", PLAN, "--root", "project"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    output.assert().code(0).stderr(is_empty());
}

#[test]
fn an_output_that_cannot_be_written_is_exit_2() {
    let world = World::new();
    let mut retval = world.retval();
    run_onto_full_disk(retval.args(["check", PLAN, "--root", "project"]))
        .assert()
        .code(2)
        .stderr(contains("cannot write to standard output: No space left"));
    world
        .check(&format!("{PLAN} --root project --output /dev/full"))
        .assert()
        .code(2)
        .stderr(contains("/dev/full"));
}

#[test]
fn outputs_are_replaced_as_a_whole() {
    let world = World::new();
    world.write("verdict.json", "old");
    world.rights("verdict.json", 0o640);
    let output = world.check(&format!(
        "{PLAN} --root project --format json --output verdict.json --format text"
    ));
    assert!(stdout(&output).starts_with("[PASS] Return is valid JSON\n"));
    let document: serde_json::Value =
        serde_json::from_slice(&fs::read(world.path("verdict.json")).expect("a file"))
            .expect("JSON");
    assert_eq!(document["totals"]["valid"], 1);
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs::metadata(world.path("verdict.json"))
            .expect("a file")
            .permissions(),
    );
    assert_eq!(mode & 0o777, 0o640, "the old file's rights are kept");
    let left = fs::read_dir(world.path("")).expect("a folder").flatten();
    assert!(
        left.into_iter()
            .all(|entry| !entry.file_name().to_string_lossy().starts_with(".retval-"))
    );
}

#[test]
fn json_is_one_document_and_jsonl_one_record_a_line() {
    let world = World::new();
    let output =
        world.check("rules/artifact-empty/fail/zero-bytes.json --root project --format json");
    let expected = concat!(
        r#"{"version":1,"returns":["#,
        "\n",
        r#"{"version":1,"source":"rules/artifact-empty/fail/zero-bytes.json","line":null,"profile":"return","valid":false,"error":null,"#,
        r#""status":"completed","session_id":"sess_1767225600_k3m9qa","agent_type":"planner","summary_tokens":34.25,"#,
        r#""duration_seconds":212,"next":{"action":"retry","agent":null},"recoverable":null,"#,
        r#""next_steps":"Run /implement 12 to carry the plan out","partial_progress":null,"errors":[],"#,
        r#""steps":[{"step":"json","outcome":"pass","reason":null},{"step":"fields","outcome":"pass","reason":null},"#,
        r#"{"step":"status","outcome":"pass","reason":null},{"step":"session","outcome":"skip","reason":"no --session was given"},"#,
        r#"{"step":"summary","outcome":"pass","reason":null},{"step":"artifacts","outcome":"fail","reason":null}],"#,
        r#""findings":[{"rule":"artifact-empty","level":"error","message":"Artifact is empty: notes/empty.md","#,
        r#""help":"Verify planner writes content to artifacts","pointer":"/artifacts/0/path","line":7,"column":15,"offset":240,"length":16}],"#,
        r#""artifacts":[{"path":"notes/empty.md","type":"plan","summary":"Plan with three phases","state":"empty","bytes":0}]}"#,
        "\n",
        r#"],"totals":{"returns":1,"valid":0,"invalid":1,"unchecked":0,"warnings":0}}"#,
        "\n",
    );
    assert_eq!(stdout(&output), expected);
    let output = world.check(&format!(
        "{PLAN} missing.json --root project --format jsonl"
    ));
    let records: Vec<serde_json::Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    assert_eq!(records.len(), 2);
    assert_eq!(
        (&records[0]["valid"], &records[1]["valid"]),
        (&true.into(), &serde_json::Value::Null)
    );
    assert_eq!(
        records[1]["error"],
        "cannot read missing.json: No such file or directory (os error 2)"
    );
    assert_eq!(records[1]["steps"].as_array().map(Vec::len), Some(6));
}

#[test]
fn colours_appear_only_if_wanted() {
    let world = World::new();
    let colored = |variable: Option<&str>, options: &str| {
        let mut retval = world.retval();
        retval.envs(variable.map(|name| (name, "1")));
        let output = retval
            .args(["check", PLAN, "--root", "project"])
            .args(options.split_whitespace())
            .output()
            .expect("it runs");
        stdout(&output).contains('\u{1b}')
    };
    assert!(!colored(None, ""), "not in a pipe");
    assert!(colored(None, "--color always"));
    assert!(colored(Some("CLICOLOR_FORCE"), ""));
    assert!(!colored(Some("CLICOLOR_FORCE"), "--color never"));
    assert!(colored(Some("NO_COLOR"), "--color always"));
}

#[test]
fn hostile_text_reaches_no_terminal() {
    let world = World::new();
    let hostile =
        "\u{1b}[31m\u{9b}\u{202e}\u{2028}\u{200b}\u{e0041}\r\n::error::x ##[set-env]\u{7f}";
    let quoted = serde_json::to_string(hostile).expect("JSON");
    let text = format!(
        r#"{{"status": {quoted}, "summary": "x", {quoted}: 1, {quoted}: 2, "artifacts": [{{"path": {quoted}, "type": {quoted}}}],
           "metadata": {{"session_id": {quoted}, "agent_type": {quoted}, "delegation_depth": 1, "delegation_path": [{quoted}, {quoted}]}}}}"#
    );
    let claiming = text.replacen(&quoted, "\"completed\"", 1);
    world.write("evil/\u{1b}[31m\n::error::.json", &text);
    for output in [
        piped(&world, "--session s --warning field-unknown -v", &text),
        piped(&world, "--session s", &claiming),
        piped(&world, "--format json", &text),
        piped(&world, "--format jsonl", &claiming),
        piped(&world, "", hostile),
        world
            .retval()
            .args(["check", "evil/\u{1b}[31m\n::error::.json", PLAN])
            .output()
            .expect("it runs"),
        world
            .retval()
            .args(["check", &format!("--{hostile}")])
            .output()
            .expect("it runs"),
        world
            .retval()
            .args(["check", "--profile", hostile])
            .output()
            .expect("it runs"),
        world
            .retval()
            .args(["check", hostile])
            .output()
            .expect("it runs"),
        world.retval().args([hostile]).output().expect("it runs"),
        world
            .retval()
            .args(["check", "--output", hostile, "--root", hostile])
            .output()
            .expect("it runs"),
    ] {
        for text in [stdout(&output), stderr(&output)] {
            let raw = text.chars().find(|character| {
                *character != '\n' && retval::internal::escape::is_hidden(*character)
            });
            assert_eq!(raw, None, "{text}");
            assert!(
                !text.lines().any(|line| line.trim_start().starts_with("::")),
                "{text}"
            );
            assert!(!text.contains("##[") || text.starts_with('{'), "{text}");
        }
    }
    let output = piped(&world, "--format jsonl", &text);
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("a record");
    assert_eq!(
        record["session_id"], hostile,
        "a machine gets the value itself"
    );
}

#[test]
fn limits_are_enforced_and_reported() {
    let world = World::new();
    let deep = "[".repeat(1_000_000);
    for (input, what) in [
        (deep.clone(), "truncated"),
        (
            format!("{deep}{}", "]".repeat(1_000_000)),
            "nested 1000000 levels deep",
        ),
        (
            format!("{{\"a\": {}}}", "9".repeat(1_000_000)),
            "This is not a return: it has none of the fields status",
        ),
        (" ".repeat(17 * 1024 * 1024), "larger than 16777216 bytes"),
    ] {
        let output = piped(&world, "", input);
        assert!(
            stdout(&output).contains(what),
            "{what}: {}",
            stdout(&output)
        );
        output.assert().code(1);
    }
}

#[test]
fn findings_beyond_a_thousand_are_counted() {
    let world = World::new();
    let text = format!("{{\"artifacts\": [{}]}}", vec!["{}"; 5_000].join(","));
    let output = piped(&world, "", &text);
    let report = stdout(&output);
    assert!(report.contains(
        "[INFO] 14003 more findings are not shown
"
    ));
    assert!(
        report.ends_with("failures, 10000 warnings\n"),
        "{}",
        &report[report.len() - 200..]
    );
    let record: serde_json::Value =
        serde_json::from_str(&stdout(&piped(&world, "--format jsonl", &text))).expect("a record");
    assert_eq!(record["findings"].as_array().map(Vec::len), Some(1_000));
    assert_eq!(record["findings_omitted"], 5_003 + 10_000 - 1_000);
}

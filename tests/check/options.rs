//! Options and arguments of the command line, as far as they do not depend on what is checked.

use std::fs;

use crate::common::{World, feed, piped, run, stderr, stdout};
use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::contains;

const PROSE: &str = "The plan is written.\n";

#[test]
fn the_last_value_of_a_repeated_option_counts() {
    let world = World::new();
    let text = "{\"status\":\"completed\",\"metadata\":{\"session_id\":\"b\"}}";
    let said = |options: &str| {
        let output = piped(&world, options, text);
        assert_eq!(stderr(&output), "", "{options}");
        stdout(&output)
    };
    for (twice, once) in [
        ("--color always --color=never", "--color never"),
        ("--color=never --color=always", "--color always"),
        ("--session a --session b -v", "--session b -v"),
        ("-qq", "-q"),
        ("--strict --strict -vv", "--strict -v"),
        ("--exit-zero --exit-zero", "--exit-zero"),
    ] {
        assert_eq!(said(twice), said(once), "{twice}");
    }
    // Those that are lists collect.
    let both = said("--rule session-mismatch=off --rule artifact-none=off --session c");
    let neither =
        ["session-mismatch", "artifact-none"].map(|rule| both.contains(&format!("rule: {rule}")));
    assert_eq!(neither, [false, false], "{both}");
    for (twice, once) in [
        ("explain --format text --format json", "explain --format json"),
        ("instruct --session a --session b", "instruct --session b"),
        ("check --color=always --color=never --help", "check --color=never --help"),
    ] {
        let said = |words: &str| {
            let output = run(world.retval().args(words.split(' ')));
            output.clone().assert().code(0).stderr("");
            stdout(&output)
        };
        assert_eq!(said(twice), said(once), "{twice}");
    }
    let payload = r#"{"hook_event_name":"SubagentStart","agent_type":"planner","session_id":"s"}"#;
    let mut hook = world.retval();
    hook.args(["hook", "--session", "a", "--session", "sess_2"]);
    feed(&mut hook, payload).assert().code(0).stdout(contains("sess_2")).stderr("");
}

#[test]
fn help_shows_a_command_of_a_command() {
    let world = World::new();
    let said = |words: &str| {
        let output = run(world.retval().args(words.split(' ')));
        output.clone().assert().code(0).stderr("");
        stdout(&output)
    };
    let expected = said("hook install --help");
    assert!(expected.contains("Usage: retval hook install"), "{expected}");
    assert_eq!(said("help hook install"), expected);
    assert_eq!(said("help hook-install"), expected);
    assert_eq!(said("help many returns"), said("help many-returns"));
    let output = run(world.retval().args(["help", "hook", "instal"]));
    output.assert().code(2).stderr(
        "error: no command or manual page is called hook instal: did you mean hook install?\n       `retval help` lists them\n",
    );
}

#[test]
fn now_takes_each_form_of_a_time() {
    let world = World::new();
    let unfinished = "rules/started-at-missing/pass/there.json --profile return-meta";
    for (time, is_stale) in [
        ("2026-01-29T10:29:00Z", false),
        ("@1769682540", false),
        ("@1769682660", true),
        ("2h", true),
    ] {
        let output = world.check(&format!("RETVAL_NOW={time} {unfinished} --root project"));
        assert_eq!(stderr(&output), "", "{time}");
        let text = stdout(&output);
        assert_eq!(text.contains("started-at-implausible"), is_stale, "{time}: {text}");
    }
    piped(&world, "--since tomorrow", PROSE).assert().code(2).stderr(
        "error: invalid value 'tomorrow' for '--since <TIME>': expected a time such as 2026-01-28T10:30:00Z or @1769596200, or how long ago, such as 2h\n\nFor more information, try '--help'.\n",
    );
}

/// What standard error says of a command line that cannot be used.
fn refused(world: &World, arguments: &str) -> String {
    let output = run(world.retval().args(arguments.split(' ')));
    output.clone().assert().code(2).stdout("");
    stderr(&output)
}

#[test]
fn mistaken_keys_and_values_are_explained() {
    let world = World::new();
    for (text, expected) in [
        (
            "[profile.slim]\nextends = \"return\"\n",
            "1:2: `profile`: expected a string, found table",
        ),
        (
            "[rules]\nsummary-sentences = true\n",
            "2:21: `summary-sentences`: expected one of `off`, `warning`, `error`, found boolean",
        ),
        (
            "rule-url = \"http://x\"\n",
            "1:12: `rule-url`: expected a URL that begins with https://, http:// or file:// and has {rule} in place of the rule's id, such as https://example.org/rules/{rule}",
        ),
    ] {
        world.write("retval.toml", text);
        let said = refused(&world, "config");
        assert_eq!(said, format!("error: retval.toml:{expected}\n"));
    }
    fs::remove_file(world.path("retval.toml")).expect("a file");
    for (command, auto) in [("schema", ""), ("instruct", ""), ("check", "")] {
        let said = refused(&world, &format!("{command} --profile nope"));
        assert!(said.contains(&format!("expected one of {auto}return, ")), "{said}");
    }
    world.write("bad.json", "{\"a\": nope}");
    assert_eq!(
        refused(&world, "check bad.json --format json=bad.json"),
        "error: --format json would write to bad.json, which is an input\n"
    );
    let output = run(world.retval().args(["check", "bad.json", "--format", "concise"]));
    output.assert().code(1).stdout(contains(
        "bad.json:1:8: error[json-syntax] Invalid JSON return from subagent (Cannot parse return as JSON: it is broken JSON (expected ident))",
    ));
    world.write("old.json", "{}");
    let output = world.check("old.json --since @4102444800.25");
    let since = "[FAIL] Return was not written since 2100-01-01T00:00:00Z\n";
    output.assert().code(1).stdout(contains(since));
}

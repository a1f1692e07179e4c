//! Levels of rules and limits.

use std::fs;

use assert_cmd::assert::OutputAssertExt as _;
use predicates::str::{contains, is_empty};

use super::PLAN;
use crate::common::{World, piped, stdout};

#[test]
fn levels_of_rules_can_be_set() {
    let world = World::new();
    let phantom = "rules/artifact-not-found/fail/phantom.json --root project";
    world.check(phantom).assert().code(1);
    let warned = world.check(&format!("{phantom} --rule artifact-not-found=warning"));
    assert!(stdout(&warned).contains("[WARN] Artifact does not exist: "));
    warned.assert().code(0);
    let ignored = world.check(&format!("{phantom} --rule artifact-not-found=off"));
    assert!(
        stdout(&ignored).contains("[SKIP] Artifacts: artifact-not-found is off\n"),
        "never a silent pass"
    );
    ignored.assert().code(0);
    world.check(&format!("{phantom} --rule artifact-not-found=warning --strict")).assert().code(1);
    world
        .check("rules/artifact-type/fail/slip.json --root project --rule artifact-type=error")
        .assert()
        .code(1);
}

#[test]
fn the_last_level_of_a_rule_counts() {
    let world = World::new();
    let phantom = "rules/artifact-not-found/fail/phantom.json --root project";
    for (levels, code) in [(["off", "error"], 1), (["error", "off"], 0)] {
        let [first, last] = levels.map(|it| format!("--rule artifact-not-found={it}"));
        let output = world.check(&format!("{phantom} {first} {last}"));
        output.assert().code(code);
    }
}

#[test]
fn indispensable_rules_cannot_be_lowered() {
    let world = World::new();
    for rule in ["json-syntax", "json-object", "json-limit"] {
        let refused = world.check(&format!("--rule {rule}=off {PLAN}"));
        refused.assert().code(2).stdout(is_empty()).stderr(contains(rule));
    }
}

#[test]
fn sizes_have_units_everywhere() {
    let world = World::new();
    for (options, code) in
        [("--max-bytes 1kB", 1), ("--max-bytes 16MiB", 0), ("--config size.toml", 1)]
    {
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
        ("--max-bytes 1M", "expected a number of bytes, such as 16777216, 1MB or 16MiB"),
        ("--max-bytes 2000GiB", "it must be between 1 and 1099511627775 bytes"),
    ] {
        world.check(options).assert().code(2).stderr(contains(error));
    }
    world.write("size.toml", "\nmax-bytes = \"big\"\n");
    world.check("--config size.toml").assert().code(2).stderr(contains(
        "size.toml:2:13: `max-bytes`: expected a number of bytes, such as 16777216, 1MB or 16MiB",
    ));
    let mut retval = world.retval();
    let output = retval.args(["check", PLAN]).env("RETVAL_JOBS", "many").output();
    let error =
        "error: the environment variable RETVAL_JOBS: `jobs`: expected an integer, found string\n";
    output.expect("it runs").assert().code(2).stderr(error);
}

#[test]
fn the_steps_after_a_limit_are_skipped_for_the_limit() {
    let output = piped(&World::new(), "--max-bytes 10", "{\"status\": \"completed\"}");
    let text = stdout(&output);
    assert!(text.contains("[SKIP] Status: the return exceeds a limit\n"), "{text}");
    output.assert().code(1);
}

#[test]
fn limits_are_enforced_and_reported() {
    let world = World::new();
    let deep = "[".repeat(1_000_000);
    for (input, what) in [
        (deep.clone(), "truncated"),
        (format!("{deep}{}", "]".repeat(1_000_000)), "nested deeper than 128 levels"),
        (format!("{{\"a\": {}}}", "9".repeat(1_000_000)), "This is not a return"),
        (" ".repeat(17 * 1024 * 1024), "larger than 16777216 bytes"),
    ] {
        let output = piped(&world, "", input);
        assert!(stdout(&output).contains(what), "{what}: {}", stdout(&output));
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
    assert!(report.ends_with("failures, 10000 warnings\n"), "{}", &report[report.len() - 200..]);
    let record: serde_json::Value =
        serde_json::from_str(&stdout(&piped(&world, "--format jsonl", &text))).expect("a record");
    assert_eq!(record["findings"].as_array().map(Vec::len), Some(1_000));
    assert_eq!(record["findings_omitted"], 5_003 + 10_000 - 1_000);
}

#[test]
fn strict_fails_all_warnings_and_required_only_those_of_the_document() {
    let world = World::with("rules");
    let code = |options: &str, path: &str| {
        let line = format!("rules/{path} --root project {options}");
        world.check(&line).status.code()
    };
    for (path, levels) in [
        // Required by the document of the profile.
        ("artifact-type/fail/slip.json", [0, 1, 1]),
        ("errors-missing/fail/absent.json", [0, 1, 1]),
        // Recommended.
        ("summary-sentences/fail/one.json", [0, 0, 1]),
        // The list may be empty in version 1.0.
        ("artifact-none/fail/version-1.json --profile return-v1", [0, 0, 1]),
        // Asked for by two documents, and required by one of them.
        ("errors-missing/fail/empty-list.json --profile return-meta", [0, 0, 1]),
    ] {
        for (options, level) in ["", "--strict=required", "--strict"].into_iter().zip(levels) {
            assert_eq!(code(options, path), Some(level), "{path} {options}");
        }
    }
    // The options of one rule stay, and the file says it, too; a profile of one's own has the documents
    // of the one that it extends.
    let slip = "artifact-type/fail/slip.json";
    assert_eq!(code("--strict=required --rule artifact-type=off", slip), Some(0));
    let own = "strict = \"required\"\n[profiles.own]\nextends = \"return\"\n";
    world.write("own.toml", own);
    assert_eq!(code("--config own.toml", slip), Some(1));
    assert_eq!(code("--config own.toml --profile own", slip), Some(1));
    assert_eq!(code("--config own.toml", "summary-sentences/fail/one.json"), Some(0));
    world
        .check(&format!("--strict=some {PLAN}"))
        .assert()
        .code(2)
        .stderr(contains("invalid value 'some' for '--strict[=<required>]'"));
}

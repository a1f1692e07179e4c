//! Whether the tests that a handoff claims ran, by the options and the output of their commands.

use super::Session;
use super::handoffs::{TABLE, tested};
use crate::common::World;

/// What is said of the tests of an agent that wrote code, and then ran a command.
fn after(command: &str, ok: bool, output: &str) -> String {
    let session = Session::of_one(|it| it.write("a1", TABLE).prints(command, ok, output));
    tested(&World::new(), &session)
}

const MAYBE: &str = "unknown: Bash call 2 of 2 may have run tests";
const OPEN: &str = "unknown: the record does not tell how the tests of Bash call 2 of 2 ended";

#[test]
fn an_unknown_option_needs_the_summary_of_the_runner() {
    for (command, summary, runner) in [
        (
            "mvn test -DskipTests=true",
            "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0",
            "mvn test",
        ),
        ("go test -run Tide ./...", "ok  \texample.com/tides\t0.012s", "go test"),
        ("pytest --setup-plan", "==== 12 passed in 0.12s ====", "pytest"),
        ("npm test --ignore-scripts", "Tests:  3 passed, 3 total", "npm test"),
        ("NODE_OPTIONS=--no-warnings jest", "Tests:  3 passed, 3 total", "jest"),
    ] {
        assert_eq!(after(command, true, ""), MAYBE, "{command}");
        assert_eq!(after(command, true, "Done in 0.1s"), MAYBE, "{command}");
        let shown = format!("shown: {runner} passed, Bash call 2 of 2");
        assert_eq!(after(command, true, summary), shown, "{command}");
        let spoken = format!("echo '{summary}'; {command}");
        assert_eq!(after(&spoken, true, summary), MAYBE, "{spoken}");
    }
    for (command, output) in [
        ("go test -run '^$' ./...", "ok  \texample.com/tides\t0.002s [no tests to run]"),
        ("cargo test tides", "test result: ok. 0 passed; 0 failed; 0 ignored; 4 filtered out"),
        ("mocha --dry-run", "  3 passing (1ms)"),
        ("cargo test --no-run", "Finished `test` profile"),
    ] {
        assert_eq!(after(command, true, output), MAYBE, "{command}");
    }
}

#[test]
fn a_plain_run_needs_no_summary() {
    for (command, runner) in [
        ("pytest tests/test_tides.py", "pytest"),
        ("npm test", "npm test"),
        ("go test ./...", "go test"),
        ("mise run test", "mise run test"),
        ("php artisan test", "php artisan test"),
        ("hatch run test", "hatch run test"),
        ("pixi run test", "pixi run test"),
        ("nx run tides:test", "nx run *:test"),
        ("yarn workspace tides test", "yarn workspace * test"),
    ] {
        let shown = format!("shown: {runner} passed, Bash call 2 of 2");
        assert_eq!(after(command, true, ""), shown, "{command}");
    }
    // The script of a package may ignore that its tests fail.
    assert_eq!(after("npm test", true, "  2 passing\n  1 failing"), OPEN);
}

#[test]
fn a_failure_counts_only_where_tests_ran() {
    let failed = "contradicted: cargo test failed the last time that it ran, Bash call 2 of 2";
    let summary = "Exit code 101\ntest result: FAILED. 2 passed; 1 failed; 0 ignored";
    assert_eq!(after("cargo test", false, summary), failed);
    // It may not have compiled, or found no tests.
    assert_eq!(after("cargo test", false, "Exit code 101"), OPEN);
    assert_eq!(after("cargo test --config x", false, summary), failed);
    let other = "Exit code 1\ntest result: ok. 2 passed; 0 failed; 0 ignored";
    assert_eq!(after("cargo test --config x", false, other), OPEN);
    assert_eq!(
        after("cargo test --wibble", false, "Exit code 1\nerror: unexpected argument"),
        OPEN
    );
}

#[test]
fn a_later_command_that_may_have_run_tests_leaves_it_open_whether_code_is_newer() {
    let world = World::new();
    let said = |session: Session| tested(&world, &session);
    let start = |it: Session| it.write("a1", TABLE).run("a1", "cargo test");
    assert_eq!(
        said(Session::of_one(|it| start(it).write("a1", TABLE).run("a1", "./verify"))),
        "unknown: Bash call 4 of 4 may have run tests"
    );
    assert_eq!(
        said(Session::of_one(|it| start(it).run("a1", "./verify").write("a1", TABLE))),
        "unknown: Write call 4 of 4 may have changed code after the last tests"
    );
    assert_eq!(
        said(Session::of_one(|it| start(it).write("a1", TABLE).run("a1", "mise run test"))),
        "shown: mise run test passed, Bash call 4 of 4"
    );
}

#[test]
fn a_command_that_ran_no_tests_is_told_from_no_command() {
    let used = "contradicted: no command ran tests; the agent used only Write and Bash";
    assert_eq!(after("ls", true, ""), "unknown: no known test runner ran");
    assert_eq!(
        tested(&World::new(), &Session::of_one(|it| it.write("a1", TABLE))),
        "contradicted: no command ran tests; the agent used only Write"
    );
    let denied = "Permission for this tool use was denied. The tool use was rejected.";
    assert_eq!(after("./verify", false, denied), used);
}

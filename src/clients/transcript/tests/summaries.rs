//! What test runners say at the end of their output.

use crate::clients::run::test_summary::of_command;
use crate::clients::run::{CallKind, JsonNode, TestSummary};

/// The summary in an output, as a string and as the text of a content block.
fn read(output: &str) -> Option<TestSummary> {
    let json = serde_json::Value::from(output).to_string();
    let of = |json: &str| {
        let document = format!("{{\"output\":{json}}}");
        let document = JsonNode::whole(&document).expect("JSON");
        of_command(CallKind::Command, document.at("output")).map(|(summary, _)| summary)
    };
    let summary = of(&json);
    let block = format!("[{{\"type\":\"text\",\"text\":{json}}}]");
    assert_eq!(of(&block), summary, "{output}");
    summary
}

#[test]
fn summaries_of_tests_that_passed() {
    for line in [
        "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        "     Summary [   0.012s] 3 tests run: 3 passed, 0 skipped",
        "===== 12 passed, 1 skipped, 2 warnings in 0.12s =====",
        "\u{1b}[32m\u{1b}[1m12 passed\u{1b}[0m\u{1b}[32m in 0.12s\u{1b}[0m",
        "Ran 3 tests in 0.001s\n\nOK",
        "Tests:       3 passed, 3 total",
        "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m3 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (3)\u{1b}[39m",
        "  3 passing (10ms)\n  1 pending",
        "ℹ tests 3\nℹ pass 3\nℹ fail 0\nℹ skipped 0",
        "# tests 3\n# pass 3\n# fail 0",
        " 3 pass\n 0 fail",
        "ok | 3 passed (2 steps) | 0 failed (5ms)",
        "  3 tests passed",
        "  │ Passing:      3  │",
        "ok  \texample.com/tides\t0.012s",
        "ok  \texample.com/tides\t(cached)\n?   \texample.com/x\t[no test files]",
        "--- PASS: TestHigh (0.00s)\nPASS",
        "DONE 3 tests in 0.103s",
        "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0",
        "[info] Passed: Total 3, Failed 0, Errors 0, Passed 3",
        "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 5 ms",
        "3 examples, 0 failures",
        "3 runs, 5 assertions, 0 failures, 0 errors, 0 skips",
        "OK (3 tests, 5 assertions)",
        "All tests successful.\nFiles=2, Tests=5",
        "00:01 +3: All tests passed!",
        "1..2\nok 1 high\nok 2 low # skip no moon",
        "100% tests passed, 0 tests failed out of 3",
        "Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.2) seconds",
        "✔ Test run with 3 tests in 1 suite passed after 0.001 seconds.",
        "Executed 3 out of 3 tests: 3 tests pass.",
        "All 3 tests passed.",
        "test result: ok. 0 passed; 0 failed\ntest result: ok. 2 passed; 0 failed",
    ] {
        assert_eq!(read(line), Some(TestSummary::Passed), "{line}");
    }
}

#[test]
fn summaries_of_tests_that_failed() {
    for line in [
        "test result: FAILED. 2 passed; 1 failed; 0 ignored",
        "===== 1 failed, 11 passed in 0.12s =====",
        "Tests:       1 failed, 3 passed, 4 total",
        "  3 passing (10ms)\n  1 failing",
        "ℹ pass 3\nℹ fail 1",
        "  1 test failed",
        "--- FAIL: TestHigh (0.00s)",
        "Tests run: 5, Failures: 0, Errors: 1, Skipped: 0",
        "3 examples, 1 failure",
        "ok 1 high\nnot ok 2 low",
        "Ran 14 tests in 0.1s\n\nFAILED (failures=1)",
        "Ran 14 tests in 0.1s\n\nFAILED (unexpected successes=1)",
        "Ran 14 tests in 0.1s\n\nFAILED (errors=1)\nDestroying test database",
        "14 tests, 0 failures, 1 invalid",
    ] {
        assert_eq!(read(line), Some(TestSummary::Failed), "{line}");
    }
}

#[test]
fn summaries_without_tests() {
    for line in [
        "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out",
        "===== no tests ran in 0.01s =====",
        "===== 3 skipped in 0.01s =====",
        "ok  \texample.com/tides\t0.002s [no tests to run]",
        "?   \texample.com/tides\t[no test files]",
        "Ran 0 tests in 0.000s",
        "0 examples, 0 failures",
        "Tests run: 3, Failures: 0, Errors: 0, Skipped: 3",
        "No tests were found!!!",
        "Ran 14 tests in 0.1s\n\nOK (skipped=14)",
        "14 tests, 0 failures, 14 excluded",
    ] {
        assert_eq!(read(line), Some(TestSummary::NoTests), "{line}");
    }
}

#[test]
fn tests_that_passed_are_none_beside_a_line_that_says_failure() {
    for lines in [
        "Ran 14 tests in 0.1s",
        "ok  \ta\t0.1s\nFAIL\tb [build failed]\nFAIL",
        "test result: ok. 3 passed; 0 failed\nerror: test failed, to rerun pass `--test b`",
        "test result: ok. 3 passed; 0 failed\nerror[E0425]: cannot find value",
        "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
        "ℹ tests 14\nℹ pass 13\nℹ fail 0\nℹ cancelled 1",
        "14 passing\nnpm ERR! code 1",
        " Tests  14 passed (14)\n Errors  1 error",
        "FAIL Required test coverage of 80% not reached.\n=== 14 passed in 0.1s ===",
    ] {
        assert_eq!(read(lines), None, "{lines}");
    }
    for lines in [
        "3 passed\n0 errors",
        "3 passed\nFound 0 errors",
        "3 passed\n    0 Error(s)",
        "  ✔ fails without a moon\n\n  3 passing",
        "test high::error ... ok\ntest result: ok. 1 passed; 0 failed",
        "ok 1 error is told\n1..1",
    ] {
        assert_eq!(read(lines), Some(TestSummary::Passed), "{lines}");
    }
}

#[test]
fn other_lines_are_no_summaries() {
    for line in [
        "",
        "running 3 tests",
        "3 tests, 0 benchmarks",
        "===== 3 tests collected in 0.01s =====",
        "Total: 3 tests in 1 file",
        "✖ 3 problems (0 errors, 3 warnings)",
        "Found 2 errors in the same file",
        "pytest 8.3.4",
        "RSpec 3.13",
        "BUILD SUCCESSFUL in 3s",
        "ok",
        "HTTP 200 OK",
        "TidesTest.high",
    ] {
        assert_eq!(read(line), None, "{line}");
    }
    let long = format!("{} 3 passed", "x".repeat(600));
    assert_eq!(read(&long), None);
    assert_eq!(read(&format!("3 passed\n{}", "x\n".repeat(40_000))), None);
}

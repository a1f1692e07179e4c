//! Which commands run tests, and whether their exit status shows.

use super::super::{scan, scan_with};

/// The runs on one line, each with what hides its status.
fn runs(command: &str, expected: &str) {
    let script = scan(command);
    let runs = script.tests.iter().map(|test| match test.mask {
        Some(mask) => format!("{} ({mask:?})", test.runner),
        None if test.failure_shows => test.runner.clone(),
        None => format!("{} (success)", test.runner),
    });
    assert_eq!(runs.collect::<Vec<_>>().join(", "), expected, "{command}");
}

#[test]
fn test_runners_are_known() {
    for (command, runner) in [
        ("cargo test --workspace", "cargo test"),
        ("cargo +nightly -q nextest run", "cargo nextest run"),
        ("pnpm -C web test:unit", "pnpm test"),
        ("npm run test -- --ci", "npm run test"),
        ("npm --prefix web t", "npm t"),
        ("npx --yes vitest run", "vitest"),
        ("python3.12 -m pytest -q", "python -m pytest"),
        ("uv run pytest -n 4", "pytest"),
        (".venv/bin/pytest tests/", "pytest"),
        ("./gradlew check", "gradlew check"),
        ("make -j 4 -C build test", "make test"),
        ("bundle exec rspec", "rspec"),
        ("CI=1 go test ./...", "go test"),
        ("bash -lc 'cargo test'", "cargo test"),
        ("cargo test 2>&1", "cargo test"),
        ("cd /srv/app && cargo test", "cargo test"),
    ] {
        runs(command, runner);
        assert!(scan(command).may_write, "{command}");
    }
    for command in [
        "cargo test --no-run",
        "pytest --collect-only",
        "make -n test",
        "cargo build",
        "echo cargo test",
        "./test.sh",
        "npm run build",
        "npm run tests-are-odd",
        "cargo test $ARGUMENTS",
        "ssh host cargo test",
        "just check",
    ] {
        runs(command, "");
    }
    let script = scan_with("just check -v", &["just check".to_owned()]);
    assert_eq!(script.tests[0].runner, "just check");
}

#[test]
fn status_is_hidden() {
    for (command, hidden) in [
        ("cargo test | tail -5", "cargo test (Pipe)"),
        (
            "set -o pipefail; cargo test | tail -5",
            "cargo test (success)",
        ),
        (
            "bash -o pipefail -c 'cargo test | tail'",
            "cargo test (success)",
        ),
        ("cargo test || true", "cargo test (Or)"),
        ("cargo test || exit 1", "cargo test (success)"),
        ("cargo test; echo $?", "cargo test (Followed)"),
        ("cargo test\ngit status", "cargo test (Followed)"),
        ("set -e; cargo test; ls", "cargo test (success)"),
        ("set -e; ls && cargo test; ls", "cargo test (Followed)"),
        ("cargo test &", "cargo test (Background)"),
        ("! cargo test", "cargo test (Negated)"),
        ("ls && cargo test", "cargo test (success)"),
        ("cd app && cargo test", "cargo test (success)"),
        (
            "cargo fmt --check && cargo test && npm test",
            "cargo test (success), npm test (success)",
        ),
        (
            "if cargo test; then echo yes; fi",
            "cargo test (Conditional)",
        ),
        ("out=$(cargo test); echo $out", "cargo test (Conditional)"),
        ("timeout 60 cargo test", "cargo test (success)"),
        ("(cargo test) | tail; ls", "cargo test (Followed)"),
        ("cargo test > log.txt 2>&1", "cargo test (success)"),
        ("exec cargo test", "cargo test (success)"),
    ] {
        runs(command, hidden);
    }
}

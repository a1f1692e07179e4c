//! Which commands run tests, and whether their exit status shows.

use super::super::scan;

/// The runs on one line, each with what hides its status.
fn runs(command: &str, expected: &str) {
    let script = scan(command, &[]);
    let runs = script.tests.iter().map(|test| match test.mask {
        Some(mask) => format!("{} ({mask:?})", test.runner),
        None => test.runner.clone(),
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
        ("cargo test 2>&1", "cargo test"),
        ("cd /srv/app && cargo test", "cargo test"),
    ] {
        runs(command, runner);
        assert!(scan(command, &[]).may_write, "{command}");
    }
    for command in [
        "cargo test --no-run",
        "pytest --collect-only",
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
    let script = scan("just check -v", &["just check".to_owned()]);
    assert_eq!(script.tests[0].runner, "just check");
}

/// The run of a command line, with `?` if only a summary shows that tests ran.
fn proof(command: &str) -> String {
    let script = scan(command, &[]);
    let run = script.tests.last().map(|test| {
        let mark = if test.needs_summary { "?" } else { "" };
        format!("{}{mark}", test.runner)
    });
    run.unwrap_or_default()
}

#[test]
fn runs_without_options_need_no_summary() {
    for (command, runner) in [
        ("cargo test", "cargo test"),
        ("pytest tests/test_tides.py::test_high", "pytest"),
        ("npm test", "npm test"),
        ("go test ./...", "go test"),
        ("./gradlew :app:test", "gradlew *:test"),
        ("npx vitest run src/tides", "vitest"),
        ("CI=1 npm test", "npm test"),
        ("mise run test", "mise run test"),
        ("php artisan test", "php artisan test"),
        ("php vendor/bin/phpunit tests/TideTest.php", "phpunit"),
        ("hatch run test", "hatch run test"),
        ("pixi run pytest", "pytest"),
        ("npx nx run tides:test", "nx run *:test"),
        ("yarn workspace tides test", "yarn workspace * test"),
    ] {
        assert_eq!(proof(command), runner, "{command}");
    }
}

#[test]
fn runs_of_other_options_need_a_summary() {
    for command in [
        "cargo test -q",
        "cargo test tides",
        "pytest -n 4",
        "env A=1 npm test",
        "timeout -s KILL 60 npm test",
        "make -C test build",
        "mvn test -DskipTests=true",
        "mvn -Dmaven.test.skip test",
        "gradle check -x test",
        "gradle test -m",
        "go test -c",
        "go test -run '^$' ./...",
        "go test -count=0 ./...",
        "sbt test:compile",
        "swift test list",
        "vitest list",
        "just --show test",
        "just -s test",
        "task --summary test",
        "tox --notest",
        "nox -l",
        "make -q test",
        "make test ARGS=--collect-only",
        "pytest -V",
        "pytest --fixtures",
        "pytest --markers",
        "pytest --setup-plan",
        "rspec -v",
        "bats -c test",
        "dotnet test -t",
        "turbo run test --dry=json",
        "stack test --no-run-tests",
        "jest --showConfig",
        "npm test --ignore-scripts",
        "npm test --if-present",
        "npm test -- --passWithNoTests",
        "npm run test:types",
        "pnpm --filter tides test",
        "npx --call x jest",
        "PYTEST_ADDOPTS=--fixtures pytest",
        "RUSTC_WRAPPER=true cargo test",
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=true cargo test",
        "env GOFLAGS=-run=x go test ./...",
    ] {
        let proof = proof(command);
        assert!(proof.is_empty() || proof.ends_with('?'), "{command}: {proof}");
    }
    let own = |command: &str| {
        let script = scan(command, &["just test".to_owned(), "./t.sh".to_owned()]);
        script.tests.last().map(|test| test.needs_summary)
    };
    for (command, expected) in [
        ("just test --fast", Some(false)),
        ("./t.sh --fast", Some(false)),
        ("just --show test", Some(true)),
        ("just test --list", None),
    ] {
        assert_eq!(own(command), expected, "{command}");
    }
}

#[test]
fn a_summary_is_the_runners_own_where_nothing_else_prints() {
    for (command, expected) in [
        ("cd app && timeout 60 cargo test", true),
        ("export A=1; cargo test", true),
        ("echo 3 passed; cargo test", false),
        ("cat log && cargo test", false),
        ("cargo test && npm test", false),
    ] {
        let tests = scan(command, &[]).tests;
        assert!(!tests.is_empty(), "{command}");
        let are_alone = tests.iter().all(|test| test.is_alone);
        assert_eq!(are_alone, expected, "{command}");
    }
}

#[test]
fn status_is_hidden() {
    for (command, hidden) in [
        ("cargo test | tail -5", "cargo test (Joined)"),
        ("set -o pipefail; cargo test | tail -5", "cargo test (Joined)"),
        ("cargo test || true", "cargo test (Joined)"),
        ("cargo test || exit 1", "cargo test (Joined)"),
        ("cargo test; echo $?", "cargo test (Followed)"),
        ("cargo test\ngit status", "cargo test (Followed)"),
        ("set -e; cargo test; ls", "cargo test (Followed)"),
        ("set -e; ls && cargo test; ls", "cargo test (Followed)"),
        ("cargo test &", "cargo test (Open)"),
        ("! cargo test", "cargo test (Open)"),
        ("ls && cargo test", "cargo test"),
        ("cd app && cargo test", "cargo test"),
        ("cargo fmt --check && cargo test && npm test", "cargo test, npm test"),
        ("if cargo test; then echo yes; fi", "cargo test (Open)"),
        ("out=$(cargo test); echo $out", "cargo test (Open)"),
        ("timeout 60 cargo test", "cargo test"),
        ("(cargo test) | tail; ls", "cargo test (Joined)"),
        ("cargo test > log.txt 2>&1", "cargo test"),
        ("set -n; cargo test", "cargo test (Open)"),
        ("set \"$x\"; cargo test", "cargo test (Open)"),
        (". ./env; cargo test", "cargo test"),
        ("trap 'exit 0' EXIT; cargo test", "cargo test (Open)"),
    ] {
        runs(command, hidden);
    }
}

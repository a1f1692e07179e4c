//! Claims of standards of one's own: true ones are never contradicted, and each that is changed by one is
//! found.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::check::Checker;
use crate::clients::transcript;
use crate::config::Config;
use crate::evidence::{EvidenceValue, Record, WorkEvidence};
use crate::root::Root;
use proptest::collection::vec;
use serde_json::{Value, json};

use super::session::Session;
use super::world::World;
use crate::laws::generated::seeds;

const STANDARD: &str = r#"
[profiles.work]
at.status = "/status"
at.changed = "/changed"
at.covers = "/covers"
at.cites = { each = "/findings/*", path = "file", line = "line", quote = "quote" }
at.commits = { each = "/commits/*", commit = "id", path = "files" }
at.tests = "/tests"
statuses = { DONE = "success", FAILED = "other" }
counts = [{ number = "/count", items = "/findings" }]

[profiles.bounded]
at.status = "/status"
statuses = { DONE = "success" }
writes = ["src", "./docs/*.md", "/srv/shared/**"]
files = ["report-*.json"]

[profiles.committed]
at.status = "/status"
at.artifacts = { at = "/files", optional = true }
statuses = { DONE = "success" }
rules = { artifact-uncommitted = "warning" }

[profiles.notes]
form = "text"
at.cites = "Findings"
at.tests = "Tests"
"#;

/// What a return is compared with.
#[derive(Default)]
struct Sources<'s> {
    session: Option<&'s Session>,
    since: Option<SystemTime>,
    /// A revision of the project.
    rev: Option<&'s str>,
}

impl Sources<'_> {
    fn evidence(&self, world: &World) -> Option<WorkEvidence> {
        let is_on = self.session.is_some() || self.since.is_some() || self.rev.is_some();
        let mut evidence = WorkEvidence { since: self.since, ..WorkEvidence::default() };
        if let Some(session) = self.session {
            let read = transcript::read(session.lines.as_bytes()).expect("a transcript");
            evidence.record = Some(Record::Runs(read.runs));
            evidence.agent_id = Some("a1".to_owned());
        }
        let minute = Duration::from_mins(1);
        evidence = evidence.repository(&world.path("project"), self.rev.map(str::to_owned), minute);
        is_on.then_some(evidence)
    }
}

/// The values of the claims of a return, and its findings by rule.
struct CheckedClaims {
    claims: Vec<(&'static str, EvidenceValue, String)>,
    rules: Vec<&'static str>,
}

impl CheckedClaims {
    fn of(world: &World, profile: &str, sources: &Sources<'_>, returned: &str) -> Self {
        let config = Config::parse(STANDARD).expect("a configuration");
        let mut profiles = config.profiles.iter().map(|it| &it.profile);
        let profile = profiles.find(|it| it.id == profile).expect("a profile");
        let root = Root::open(world.path("project")).expect("a project");
        let evidence = sources.evidence(world);
        let mut checker = Checker::new(profile, &root);
        if let Some(evidence) = &evidence {
            checker = checker.evidence(evidence);
        }
        let report = checker.check(returned);
        let claims = report.evidence.iter().flatten();
        Self {
            claims: claims.map(|it| (it.rule.id, it.value, it.reason.clone())).collect(),
            rules: report.findings.iter().map(|it| it.rule.id).collect(),
        }
    }

    /// The value and the reason of the first claim of a rule.
    fn value(&self, rule: &str) -> String {
        let claim = self.claims.iter().find(|(id, ..)| *id == rule);
        claim.map_or_else(String::new, |(_, value, reason)| format!("{}: {reason}", value.as_str()))
    }

    fn are_all_shown(&self) -> bool {
        self.claims.iter().all(|(_, value, _)| *value == EvidenceValue::Shown)
    }
}

/// A file of numbered lines, each with words of its own.
fn lines(count: usize, seed: usize) -> String {
    (1..=count).fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "let station_{line} = tide({});", line * 7919 + seed);
        text
    })
}

/// The path of a file, as agents write it.
fn spelled(path: &str, kind: usize) -> String {
    match kind {
        0 => format!("./{path}"),
        1 => format!("a/{path}"),
        2 => format!("b/{path}"),
        3 => format!("project/{path}"),
        _ => path.to_owned(),
    }
}

#[test]
fn true_cites_are_shown_and_those_changed_by_one_are_found() {
    let world = World::new();
    let cite = (1_usize..60, 0_usize..1000, 0_usize..7, 0_usize..10_000);
    seeds::hold(6, &vec(cite, 1..8), |cites| {
        let (mut right, mut wrong) = (Vec::new(), Vec::new());
        let mut text = String::from("Findings:\n");
        for (index, (count, at, kind, seed)) in cites.iter().enumerate() {
            let path = format!("src/made/file_{index}.rs");
            let content = lines(*count, *seed);
            world.write(&format!("project/{path}"), &content);
            let line = at % count + 1;
            let file = spelled(&path, *kind);
            let quote = content.lines().nth(line - 1).expect("a line");
            right.push(json!({ "file": file, "line": line, "quote": quote }));
            right.push(json!({ "file": format!("{file}:1-{line}") }));
            // The empty line after the last one may be meant by the first number beyond the end.
            wrong.push(json!({ "file": file, "line": count + 2 }));
            let digit = quote.replace(';', "7;");
            wrong.push(json!({ "file": file, "line": line, "quote": digit }));
            let _ = writeln!(text, "- `{file}:{line}`: {quote}");
        }
        let of = |findings: &Value| json!({ "status": "FAILED", "findings": findings }).to_string();
        let found = CheckedClaims::of(&world, "work", &Sources::default(), &of(&json!(right)));
        assert!(found.rules.is_empty(), "{:?}", found.claims);
        assert!(found.are_all_shown(), "{:?}", found.claims);
        let found = CheckedClaims::of(&world, "notes", &Sources::default(), &text);
        assert!(found.are_all_shown(), "{:?}", found.claims);
        for wrong in wrong {
            let found =
                CheckedClaims::of(&world, "work", &Sources::default(), &of(&json!([wrong])));
            assert_eq!(found.rules.len(), 1, "{wrong} {:?}", found.claims);
        }
        Ok(())
    });
}

#[test]
fn a_cite_of_a_file_that_cannot_be_read_is_unknown() {
    let world = World::new();
    let big = world.write("project/big.txt", "");
    std::fs::File::options()
        .write(true)
        .open(big)
        .expect("a file")
        .set_len(17 << 20)
        .expect("space");
    world.write("project/binary.dat", b"a\0b");
    world.write("project/book.ipynb", "{}");
    let pipe = std::process::Command::new("mkfifo").arg(world.path("project/pipe")).status();
    assert!(pipe.expect("mkfifo runs").success());
    std::os::unix::fs::symlink("/etc/passwd", world.path("project/link")).expect("a link");
    for (path, reason) in [
        ("big.txt", "the file is larger than 16 MiB"),
        ("binary.dat", "it is not a text"),
        ("book.ipynb", "programs number the lines of such files differently"),
        ("pipe", "there is no such file here"),
        ("link", "the path leads out of the root"),
        ("/etc/passwd", "the path leads out of the root"),
        ("../session.jsonl", "the path leads out of the root"),
        ("no/such.rs", "there is no such file here"),
        ("docs", "there is no such file here"),
    ] {
        let returned = json!({ "status": "DONE", "findings": [{ "file": path, "line": 9999 }] });
        let found = CheckedClaims::of(&world, "work", &Sources::default(), &returned.to_string());
        assert_eq!(found.value("cite-beyond-end"), format!("unknown: {reason}"), "{path}");
        assert!(found.rules.is_empty());
    }
}

#[test]
fn a_file_that_was_changed_since_the_start_proves_nothing() {
    let world = World::new();
    let returned = |line: usize| {
        let findings =
            json!([{ "file": "docs/tides.md", "line": line, "quote": "never in there" }]);
        json!({ "status": "DONE", "findings": findings }).to_string()
    };
    let changed = "unknown: the file was changed since the agent started";
    let since = |seconds| Sources {
        since: Some(UNIX_EPOCH + Duration::from_secs(seconds)),
        ..Sources::default()
    };
    let before = CheckedClaims::of(&world, "work", &since(1_700_000_000), &returned(99));
    assert_eq!(before.value("cite-beyond-end"), changed);
    assert_eq!(before.value("cite-not-there"), changed);
    let after = CheckedClaims::of(&world, "work", &since(4_100_000_000), &returned(99));
    assert_eq!(after.value("cite-beyond-end"), "contradicted: the file has 3 lines");
    assert_eq!(after.rules, ["cite-beyond-end", "cite-not-there"]);
}

#[test]
fn commits_changed_by_a_digit_are_found() {
    let world = World::new();
    world.commit_project();
    world.write("project/docs/moon.md", "# Moon\n");
    world.git("project", &["add", "-A"]);
    world.git("project", &["commit", "-q", "-m", "Moon"]);
    let head = std::fs::read_to_string(world.path("project/.git/logs/HEAD")).expect("a log");
    let head = head.lines().last().and_then(|line| line.split(' ').nth(1)).expect("an id");
    let of = |id: &str, file: &str| {
        let commits = json!([{ "id": id, "files": [file] }]);
        json!({ "status": "DONE", "commits": commits }).to_string()
    };
    let rev = &Sources { rev: Some("before-the-run"), ..Sources::default() };
    for length in [12, 40] {
        let right = CheckedClaims::of(&world, "work", rev, &of(&head[..length], "docs/moon.md"));
        assert!(right.rules.is_empty(), "{:?}", right.claims);
        assert_eq!(right.value("commit-not-found"), "shown: the repository has the commit");
        assert_eq!(
            right.value("commit-before-start"),
            "shown: it is not in the history before the agent started"
        );
        for at in 0..length {
            let digit = head[at..=at].chars().next().expect("a digit").to_digit(16).expect("hex");
            let other = char::from_digit((digit + 1) % 16, 16).expect("a digit");
            let wrong = format!("{}{other}{}", &head[..at], &head[at + 1..length]);
            let has = |is: fn(char) -> bool| wrong.chars().any(is);
            if has(|it| it.is_ascii_digit()) && has(|it| it.is_ascii_alphabetic()) {
                let found = CheckedClaims::of(&world, "work", rev, &of(&wrong, "docs/moon.md"));
                assert_eq!(found.rules, ["commit-not-found"], "{wrong}");
            }
        }
    }
    let none =
        CheckedClaims::of(&world, "work", &Sources::default(), &of("0a1b2c3d4e", "docs/moon.md"));
    assert_eq!(none.value("commit-not-found"), "unknown: no repository was looked at");
    world.write("project/.git/shallow", "");
    let shallow = CheckedClaims::of(&world, "work", rev, &of("0a1b2c3d4e", "docs/moon.md"));
    assert_eq!(shallow.value("commit-not-found"), "unknown: the clone is shallow");
}

fn with(session: &Session) -> Sources<'_> {
    let session = Some(session);
    Sources { session, ..Sources::default() }
}

fn since_tag(session: &Session) -> Sources<'_> {
    let rev = Some("before-the-run");
    Sources { rev, ..with(session) }
}

#[test]
fn an_agent_that_may_have_committed_elsewhere_is_not_accused() {
    let world = World::new();
    world.commit_project();
    let returned = json!({ "status": "DONE", "commits": [{ "id": "0a1b2c3d4e" }] }).to_string();
    for (command, value) in [
        ("git commit -am x", "contradicted: the repository has no such commit"),
        ("cd docs && git commit -am x", "contradicted: the repository has no such commit"),
        (
            "cd /srv/other && git commit -am x",
            "unknown: the agent may have committed in another repository",
        ),
        (
            "git -C ../other commit -am x",
            "unknown: the agent may have committed in another repository",
        ),
        ("gh pr merge 7", "unknown: the agent may have committed in another repository"),
    ] {
        let session = Session::of_one(|it| it.run("a1", command));
        let found = CheckedClaims::of(&world, "work", &since_tag(&session), &returned);
        assert_eq!(found.value("commit-not-found"), value, "{command}");
    }
}

#[test]
fn a_commit_that_the_text_says_more_of_is_not_missed() {
    let world = World::new();
    world.commit_project();
    let session = Session::of_one(|it| it.run("a1", "git commit -am x"));
    for id in ["0a1b2c3d4e (dropped)", "0a1b2c3d4e squashed into 5d6e7f8a9b", "image 0a1b2c3d4e"] {
        let returned = json!({ "status": "DONE", "commits": [{ "id": id }] }).to_string();
        let found = CheckedClaims::of(&world, "work", &since_tag(&session), &returned);
        assert_eq!(
            found.value("commit-not-found"),
            "unknown: it is not named as a commit of the agent alone",
            "{id}"
        );
    }
}

#[test]
fn a_test_run_through_a_pipe_is_known_by_its_output() {
    let world = World::new();
    let returned = json!({ "status": "DONE", "tests": { "total": 13, "passed": 13, "failed": 0 } });
    let cargo = |word: &str, failed: usize| {
        format!("test result: {word}. {} passed; {failed} failed; 0 ignored", 13 - failed)
    };
    for (command, output, value) in [
        ("cargo test | tail -5", cargo("ok", 0), "shown"),
        ("cargo test 2>&1 | tail -n 3", cargo("FAILED", 1), "contradicted"),
        ("cargo test || true", cargo("FAILED", 1), "contradicted"),
        ("cargo test | grep FAILED", cargo("FAILED", 1), "contradicted"),
        ("cargo test | grep ok", cargo("ok", 0), "unknown"),
        ("cargo test | tail -1", "done".to_owned(), "unknown"),
        ("cargo test | tail -5; echo 13 passed", "13 passed".to_owned(), "unknown"),
        ("go test ./... | tail -2", "ok  \ttides\t0.1s".to_owned(), "shown"),
        (
            "npx jest 2>&1 | tail -4",
            "Tests: 3 failed, 11 passed, 14 total".to_owned(),
            "contradicted",
        ),
        ("pytest | tail -1", "== 12 passed, 1 failed in 0.1s ==".to_owned(), "contradicted"),
        (
            "python -m unittest 2>&1 | tail -5",
            "Ran 13 tests in 0.1s\n\nFAILED (failures=1)".to_owned(),
            "contradicted",
        ),
        (
            "python -m unittest 2>&1 | tail -5",
            "Ran 13 tests in 0.1s\n\nOK (skipped=13)".to_owned(),
            "unknown",
        ),
        (
            "go test ./... || true",
            "ok  \ttides\t0.1s\nFAIL\tmoon [build failed]\nFAIL".to_owned(),
            "unknown",
        ),
    ] {
        let session = Session::of_one(|it| it.prints(command, true, &output));
        let options = &with(&session);
        let found = CheckedClaims::of(&world, "work", options, &returned.to_string());
        let rule = if value == "contradicted" { "claim-tests-failed" } else { "claim-untested" };
        assert!(found.value(rule).starts_with(value), "{command}: {:?}", found.claims);
        assert!(found.rules.iter().all(|rule| *rule == "claim-tests-failed"), "{:?}", found.rules);
    }
}

#[test]
fn a_file_was_not_read_only_if_nothing_can_have_shown_it() {
    let world = World::new();
    let returned = json!({ "status": "FAILED", "covers": ["src/tides/table.rs"] }).to_string();
    let of = |session: &Session| {
        CheckedClaims::of(&world, "work", &with(session), &returned).value("cite-unread")
    };
    let project = world.path("project").display().to_string();
    for (tool, input, value) in [
        ("Read", json!({ "file_path": "src/tides/table.rs" }), "shown"),
        ("Read", json!({ "file_path": format!("{project}/src/tides/table.rs") }), "shown"),
        ("Edit", json!({ "file_path": "src/tides/table.rs" }), "shown"),
        ("Grep", json!({ "pattern": "x", "path": "src" }), "shown"),
        ("Grep", json!({ "pattern": "x" }), "shown"),
        ("Glob", json!({ "pattern": "**/*.rs" }), "shown"),
        ("Read", json!({ "file_path": "/elsewhere/table.rs" }), "unknown"),
        ("Read", json!({ "file_path": "table.rs" }), "unknown"),
        ("Grep", json!({ "pattern": "x", "path": "/elsewhere" }), "unknown"),
        ("Bash", json!({ "command": "cat src/tides/table.rs" }), "unknown"),
        ("Bash", json!({ "command": "cd src/tides && head table.rs" }), "unknown"),
        ("Bash", json!({ "command": "cat src/*/*.rs" }), "unknown"),
        ("Bash", json!({ "command": "wc -l < src/tides/table.rs" }), "unknown"),
        ("Bash", json!({ "command": "git diff" }), "unknown"),
        ("Agent", json!({ "prompt": "Look." }), "unknown"),
        ("mcp__files__read", json!({}), "unknown"),
        ("WebFetch", json!({ "url": "https://example.org" }), "unknown"),
        ("Read", json!({ "file_path": "docs/tides.md" }), "contradicted"),
        ("Read", json!({ "file_path": format!("{project}/docs/table.rs") }), "contradicted"),
        ("Grep", json!({ "pattern": "x", "path": "docs" }), "contradicted"),
        ("Glob", json!({ "pattern": "docs/**/*.rs" }), "contradicted"),
        ("Bash", json!({ "command": "ls && cat docs/tides.md | head -3" }), "contradicted"),
        ("TodoWrite", json!({}), "contradicted"),
    ] {
        let session = Session::of_one(|it| it.call("a1", tool, input.clone()));
        let found = of(&session);
        assert!(found.starts_with(value), "{tool} {input}: {found}");
    }
    let failed = json!({ "file_path": "src/tides/table.rs" });
    let failed = Session::of_one(|it| it.call_in("a1", "", "Read", failed, false));
    assert!(of(&failed).starts_with("contradicted"), "{}", of(&failed));
}

#[test]
fn what_a_prompt_contains_need_not_be_read() {
    let world = World::new();
    let covers = json!({ "status": "DONE", "covers": ["src/tides/table.rs"] }).to_string();
    let cites = json!({
        "status": "FAILED",
        "findings": [{ "file": "src/tides/table.rs", "line": 1, "quote": "let levels = 3;" }],
    });
    let code = std::fs::read_to_string(world.path("project/src/tides/table.rs")).expect("code");
    let line = code.lines().max_by_key(|it| it.len()).expect("a line");
    for (prompt, value) in [
        ("Review src/tides/table.rs and answer in JSON.".to_owned(), "contradicted"),
        ("Review the tide tables. Answer as:\n```json\n{}\n```".to_owned(), "contradicted"),
        (format!("Review this:\n  {line}"), "unknown"),
        ("Review table.rs:\n```rust\nfn x() {}\n```".to_owned(), "unknown"),
        ("Review @src/tides/table.rs".to_owned(), "unknown"),
        ("Is src/tides/table.rs:12 right?".to_owned(), "unknown"),
        ("Review:\n@@ -1 +1 @@\n-a\n+b".to_owned(), "unknown"),
    ] {
        for (returned, rule) in [(&covers, "cite-unread"), (&cites.to_string(), "work-none")] {
            let start = Session::default().task("a1", &prompt);
            let session =
                if rule == "work-none" { start } else { start.call("a1", "TodoWrite", json!({})) };
            let session = session.answer("a1");
            let found = CheckedClaims::of(&world, "work", &with(&session), returned).value(rule);
            assert!(found.starts_with(value), "{rule}, {prompt}: {found}");
        }
    }
    let quoted = Session::default().task("a1", "Is `let levels = 3;` right?").answer("a1");
    let found = CheckedClaims::of(&world, "work", &with(&quoted), &cites.to_string());
    assert!(found.value("work-none").starts_with("unknown"), "{:?}", found.claims);
    let nothing =
        json!({ "status": "DONE", "covers": [], "findings": [{ "file": "none of them" }] });
    let session = Session::default().task("a1", "Review.").answer("a1");
    let found = CheckedClaims::of(&world, "work", &with(&session), &nothing.to_string());
    assert_eq!(found.value("work-none"), "", "nothing that is there is named");
    let twice = Session::default().task("a1", "Review table.rs.").answer("a1");
    let twice = twice.task("a1", "And now?").answer("a1");
    let found = CheckedClaims::of(&world, "work", &with(&twice), &covers);
    assert!(found.value("work-none").starts_with("unknown"), "{:?}", found.claims);
}

#[test]
fn numbers_that_are_no_total_accuse_nobody() {
    let world = World::new();
    let long = format!("{} 14/14", "x".repeat(395));
    for (said, rules) in [
        ("5 test files, 42 passed", &[][..]),
        ("Added 2 tests. 12 passed.", &[]),
        ("14/14 (cov 87%)", &[]),
        ("24/7 soak test pass", &[]),
        ("13 passed, 1 failed, 0 skipped, 15 total (1 aborted)", &[]),
        (&long, &[]),
        ("14/12 passed", &["tests-inconsistent"]),
        ("15 passed, 14 total", &["tests-inconsistent"]),
    ] {
        let found =
            CheckedClaims::of(&world, "notes", &Sources::default(), &format!("Tests: {said}\n"));
        assert_eq!(found.rules, rules, "{said}: {:?}", found.claims);
    }
}

#[test]
fn numbers_of_tests_changed_by_one_are_found() {
    let world = World::new();
    let numbers = (0_u64..50, 0_u64..5, 0_u64..5);
    seeds::hold(10, &numbers, |(passed, failed, skipped)| {
        let total = passed + failed + skipped;
        let of = |tests: [u64; 4]| {
            let [total, passed, failed, skipped] = tests;
            let tests =
                json!({ "total": total, "passed": passed, "failed": failed, "skipped": skipped });
            json!({ "status": "FAILED", "tests": tests }).to_string()
        };
        let right = [total, passed, failed, skipped];
        let found = CheckedClaims::of(&world, "work", &Sources::default(), &of(right));
        assert!(found.rules.is_empty(), "{:?}", found.claims);
        for at in 0..4 {
            let mut wrong = right;
            wrong[at] += 1;
            // A total may leave skipped tests out.
            if wrong[1] + wrong[2] == wrong[0] && wrong[3] <= wrong[0] {
                continue;
            }
            let found = CheckedClaims::of(&world, "work", &Sources::default(), &of(wrong));
            assert_eq!(found.rules, ["tests-inconsistent"], "{wrong:?}");
        }
        let found = CheckedClaims::of(
            &world,
            "notes",
            &Sources::default(),
            &format!("Tests: {passed}/{passed}\n"),
        );
        assert!(found.rules.is_empty());
        let found = CheckedClaims::of(
            &world,
            "notes",
            &Sources::default(),
            &format!("Tests: {}/{passed}\n", passed + 1),
        );
        assert_eq!(found.rules, ["tests-inconsistent"]);
        Ok(())
    });
}

#[test]
fn a_list_of_changed_files_is_compared_both_ways() {
    let world = World::new();
    world.commit_project();
    world.write("project/.gitignore", "*.log\n/out/\n");
    for path in ["src/new.rs", "run.log", "out/a.rs", "docs/moon.md"] {
        world.write(&format!("project/{path}"), "new");
    }
    let session = Session::of_one(|it| {
        ["src/new.rs", "run.log", "out/a.rs", "gone.rs", "docs/tides.md"]
            .into_iter()
            .fold(it, |it, path| it.write("a1", path))
            .run("a1", "echo x > docs/moon.md")
    });
    let options = &since_tag(&session);
    let of = |changed: &[&str]| json!({ "status": "DONE", "changed": changed }).to_string();
    // docs/tides.md is as it was before, however often it was written.
    let found = CheckedClaims::of(&world, "work", options, &of(&["src/new.rs"]));
    assert!(found.rules.is_empty(), "{:?}", found.claims);
    assert!(found.value("artifact-unchanged").starts_with("shown"), "{:?}", found.claims);
    let found = CheckedClaims::of(&world, "work", options, &of(&["docs/moon.md"]));
    assert_eq!(found.rules, ["change-unclaimed"], "{:?}", found.claims);
    assert_eq!(
        found.value("change-unclaimed"),
        "contradicted: Write call 1 of 6 wrote it, 0 seconds after the start"
    );
    let reads =
        Session::of_one(|it| it.call("a1", "Read", json!({ "file_path": "docs/tides.md" })));
    let options = &since_tag(&reads);
    let found = CheckedClaims::of(&world, "work", options, &of(&["docs/tides.md", "no/such.rs"]));
    assert_eq!(found.rules, ["artifact-unchanged"], "{:?}", found.claims);
}

/// What the agent is said to have written outside of what it may write.
fn outside(world: &World, sources: &Sources<'_>) -> Vec<String> {
    let config = Config::parse(STANDARD).expect("a configuration");
    let mut profiles = config.profiles.iter().map(|it| &it.profile);
    let profile = profiles.find(|it| it.id == "bounded").expect("a profile");
    let root = Root::open(world.path("project")).expect("a project");
    let evidence = sources.evidence(world).expect("evidence");
    let checker = Checker::new(profile, &root).evidence(&evidence);
    let report = checker.check(r#"{"status": "DONE"}"#);
    assert!(report.is_valid());
    let findings = report.findings.iter().map(|it| {
        assert_eq!(it.rule.id, "change-outside");
        it.message()
    });
    let paths =
        findings.filter_map(|it| Some(it.split(": ").nth(1)?.split(" (").next()?.to_owned()));
    paths.collect()
}

#[test]
fn only_files_that_the_record_certainly_shows_are_outside() {
    let world = World::new();
    let project = world.path("project").display().to_string();
    for path in ["src/a.rs", "docs/new.md", "notes/b.md", "notes/c.md", "notes/report-1.json"] {
        world.write(&format!("project/{path}"), "new");
    }
    let write = |path: &str| json!({ "file_path": path });
    let session = Session::of_one(|it| {
        [
            "src/a.rs",
            "docs/new.md",
            "notes/b.md",
            "notes/gone.md",
            "notes/report-1.json",
            "/tmp/scratch.md",
            "/home/ana/.claude/plans/tides.md",
            "/srv/shared/a.md",
            "/srv/other/a.md",
            &format!("{project}/notes/b.md"),
        ]
        .into_iter()
        .fold(it, |it, path| it.call_in("a1", &project, "Write", write(path), true))
        .call_in("a1", &project, "Write", write("/srv/other/failed.md"), false)
        .call_in("a1", &project, "Bash", json!({ "command": "echo x > notes/c.md" }), true)
        .call_in("a1", &project, "Bash", json!({ "command": "python3 make.py" }), true)
        .call_in("a1", &project, "Bash", json!({ "command": "ls > /dev/null" }), true)
        .call_in(
            "a1",
            &project,
            "Bash",
            json!({ "command": "echo x > ../beside.md" }),
            true,
        )
    });
    let beside = world.path("beside.md").canonicalize();
    assert!(beside.is_err());
    // The root is in the folder of temporary files, and so is what is beside it.
    assert_eq!(outside(&world, &with(&session)), ["notes/b.md", "notes/c.md", "/srv/other/a.md"]);
    // A record of another machine says nothing of folders here.
    let elsewhere = Session::of_one(|it| {
        it.call_in("a1", "/builds/tides", "Write", write("/builds/tides/a.rs"), true)
    });
    assert!(outside(&world, &with(&elsewhere)).is_empty());
    // What an agent wrote that it called is not its own.
    let called = Session::default()
        .task("a1", "Plan the tide tables.")
        .call("a1", "Read", json!({ "file_path": "docs/tides.md" }))
        .answer("a1");
    assert!(outside(&world, &with(&called)).is_empty());
}

#[test]
fn what_is_as_it_was_before_is_not_outside() {
    let world = World::new();
    world.commit_project();
    world.git("project", &["add", "."]);
    world.git("project", &["commit", "-q", "-m", "All"]);
    world.git("project", &["tag", "-f", "before-the-run"]);
    let session = Session::of_one(|it| it.write("a1", "tests/tides.rs"));
    assert!(outside(&world, &since_tag(&session)).is_empty());
    world.write("project/tests/tides.rs", "new");
    assert_eq!(outside(&world, &since_tag(&session)), ["tests/tides.rs"]);
}

#[test]
fn files_that_the_last_commit_lacks_are_not_committed() {
    let world = World::new();
    world.commit_project();
    world.write("project/.gitignore", "*.log\n");
    world.write("project/src/new.rs", "new");
    world.write("project/run.log", "new");
    let session = Session::of_one(|it| it.write("a1", "src/new.rs").write("a1", "run.log"));
    let options = &since_tag(&session);
    let of = |files: &[&str]| json!({ "status": "DONE", "files": files }).to_string();
    let found = |files: &[&str]| CheckedClaims::of(&world, "committed", options, &of(files));
    let of_rule = |found: &CheckedClaims| {
        let claims = found.claims.iter();
        let claims = claims.filter(|it| it.0 == "artifact-uncommitted");
        let claims = claims.map(|(_, value, reason)| format!("{}: {reason}", value.as_str()));
        claims.collect::<Vec<_>>()
    };
    let lacks = "contradicted: the last commit does not have it".to_owned();
    // A file that it wrote counts, whether it is listed or not.
    assert_eq!(of_rule(&found(&[])), std::slice::from_ref(&lacks));
    assert_eq!(of_rule(&found(&["./src/new.rs"])), std::slice::from_ref(&lacks));
    let ignored = "unknown: git ignores it".to_owned();
    assert_eq!(of_rule(&found(&["run.log"])), [ignored, lacks]);
    world.git("project", &["add", "src/new.rs"]);
    world.git("project", &["commit", "-q", "-m", "New"]);
    assert_eq!(of_rule(&found(&[])), ["shown: the last commit has it as it is"]);
    world.write("project/src/new.rs", "newer");
    let differs = "contradicted: it differs from the last commit";
    assert_eq!(of_rule(&found(&["src/new.rs"])), [differs]);
    let alone = with(&session);
    let found = CheckedClaims::of(&world, "committed", &alone, &of(&["src/new.rs"]));
    assert_eq!(of_rule(&found), ["unknown: no repository was looked at"]);
}

#[test]
fn a_file_that_was_removed_was_changed() {
    let world = World::new();
    world.commit_project();
    std::fs::remove_file(world.path("project/docs/tides.md")).expect("a file");
    let session = Session::of_one(|it| it.run("a1", "rm docs/tides.md"));
    let options = &since_tag(&session);
    for (path, expected) in [
        ("docs/tides.md", "shown: it was removed since the base commit"),
        ("tides.md", "unknown: it is not there, and may have another name"),
    ] {
        let returned = json!({ "status": "DONE", "changed": [path] }).to_string();
        let found = CheckedClaims::of(&world, "work", options, &returned);
        assert!(found.rules.is_empty(), "{:?}", found.claims);
        assert_eq!(found.value("artifact-unchanged"), expected);
    }
}

#[test]
fn compared_values_are_claims_too() {
    let config = Config::parse(
        "[profiles.own]\nform = \"json\"\nsame = [[\"/a\", \"/b\"]]\nsums = { \"/total\" = [\"/one\", \"/two\"] }\n\
         counts = [{ number = \"/number\", items = \"/items\" }]\n",
    )
    .expect("a configuration");
    let world = World::new();
    let root = Root::open(world.path("project")).expect("a project");
    let checker = Checker::new(&config.profiles[0].profile, &root);
    let claims = |returned: Value| {
        let returned = returned.to_string();
        let report = checker.check(&returned);
        let claims = report.evidence.expect("a standard with claims");
        let claims = claims.iter().map(|it| {
            format!("{} {} {}: {}", it.rule.id, it.pointer, it.value.as_str(), it.reason)
        });
        claims.collect::<Vec<_>>()
    };
    assert_eq!(
        claims(
            json!({ "a": 1, "b": 1, "total": 3, "one": 1, "two": 2, "number": 1, "items": [7] })
        ),
        [
            "value-different /b shown: the values are the same",
            "sum-wrong /total shown: the parts add up to it",
            "count-wrong /number shown: there are as many",
        ]
    );
    assert_eq!(
        claims(
            json!({ "a": 1, "b": 2, "total": 4, "one": 1, "two": 2, "number": 2, "items": [7] })
        ),
        [
            "value-different /b contradicted: the values differ",
            "sum-wrong /total contradicted: the parts add up to another number",
            "count-wrong /number contradicted: there are 1",
        ]
    );
    assert_eq!(
        claims(json!({ "a": 1, "total": 4, "one": "some", "two": 2, "number": 2 })),
        [
            "value-different /a unknown: the value is there only once",
            "sum-wrong /total unknown: a part is missing or no number",
            "count-wrong /number unknown: what it counts is not there",
        ]
    );
    assert_eq!(
        claims(json!({ "total": "many", "number": "some", "items": [] })),
        [
            "sum-wrong /total unknown: it is not a number",
            "count-wrong /number unknown: it is not a number",
        ]
    );
    assert!(claims(json!({ "one": 1 })).is_empty());
}

#[test]
fn a_changed_file_that_was_as_short_before_contradicts_a_cite() {
    let world = World::new();
    world.commit_project();
    let changed = "unknown: the file was changed since the agent started";
    let cited = |line: usize| {
        let findings = json!([{ "file": "docs/tides.md", "line": line }]);
        let returned = json!({ "status": "DONE", "findings": findings }).to_string();
        let session = Session::of_one(|it| it.write("a1", "docs/tides.md"));
        let found = CheckedClaims::of(&world, "work", &since_tag(&session), &returned);
        found.value("cite-beyond-end")
    };
    world.write("project/docs/tides.md", "a\n".repeat(9));
    assert_eq!(cited(9), "shown: the file has the line");
    assert_eq!(cited(99), "contradicted: the file has 9 lines");
    world.write("project/docs/tides.md", "a\n");
    assert_eq!(cited(3), changed);
    assert_eq!(cited(99), "contradicted: the file has 1 line");
    // The commit has nothing of it, so that it may have been longer.
    world.write("project/docs/new.md", "a\n");
    let findings = json!([{ "file": "docs/new.md", "line": 9 }]);
    let returned = json!({ "status": "DONE", "findings": findings }).to_string();
    let session = Session::of_one(|it| it.write("a1", "docs/new.md"));
    let found = CheckedClaims::of(&world, "work", &since_tag(&session), &returned);
    assert_eq!(found.value("cite-beyond-end"), changed);
}

//! Options and settings of evidence.

use assert_cmd::assert::OutputAssertExt as _;

use super::{Session, TIDES, claiming};
use crate::common::{World, piped, run, stderr, stdout};

/// The exit code of a check with these options, and what it says on standard error.
fn told(world: &World, options: &str) -> (Option<i32>, String) {
    let output = piped(world, &format!("--root project {options}"), claiming(TIDES));
    (output.status.code(), stderr(&output))
}

#[test]
fn a_missing_transcript_is_an_error() {
    let world = World::new();
    world.write("empty.jsonl", "");
    world.write("notes.txt", "Nothing.\n");
    for path in ["nope.jsonl", "notes.txt/nope.jsonl"] {
        let (code, said) = told(&world, &format!("--transcript {path}"));
        assert_eq!(code, Some(2));
        assert!(said.starts_with(&format!("error: --transcript {path}: ")), "{said}");
    }
    for (path, why) in [
        ("notes.txt", "not a transcript of a known client"),
        ("project", "it is not a regular file"),
    ] {
        let expected = format!("error: --transcript {path}: {why}\n");
        assert_eq!(told(&world, &format!("--transcript {path}")), (Some(2), expected));
    }
    world.write("cut.jsonl", "{\"type\":\"us");
    for (path, why) in [
        ("empty.jsonl", "the transcript is empty"),
        ("cut.jsonl", "the transcript ends within its first record"),
    ] {
        let options = format!("--transcript {path}");
        let (code, text) = told(&world, &options);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains(&format!("{path} cannot be used as evidence: {why}")), "{text}");
        assert_eq!(told(&world, &format!("{options} --evidence require")).0, Some(1));
    }
    assert_eq!(told(&world, "--transcript nope.jsonl --evidence off").0, Some(0));
}

#[test]
fn an_agent_that_a_transcript_does_not_have_is_an_error() {
    let world = World::new();
    let told_of = |session: &Session, options: &str| {
        world.write("session.jsonl", &session.lines);
        told(&world, &format!("--transcript session.jsonl {options}"))
    };
    let ids = ["a1", "a\u{202e}2", "a3", "a4", "a5", "a6", "a7"];
    let many = |count: usize| {
        let tasks = ids[..count].iter();
        tasks.fold(Session::default(), |session, id| session.task(id, "Plan."))
    };
    let expected = "error: --agent-id zzz: session.jsonl has no such agent\n".to_owned();
    for session in [Session::default().task("main", "Plan."), many(2), many(7)] {
        let expected = expected.clone();
        assert_eq!(told_of(&session, "--agent-id zzz"), (Some(2), expected));
        let off = told_of(&session, "--agent-id zzz --evidence off");
        assert_eq!(off, (Some(0), String::new()));
    }
}

#[test]
fn a_revision_that_a_repository_does_not_have_is_an_error() {
    let world = World::new();
    let without = told(&world, "--rev nope");
    assert_eq!(without, (Some(0), String::new()), "there is no repository");
    assert_eq!(told(&world, "--rev nope --evidence require").0, Some(1));
    world.commit_project();
    for rev in ["nope", "HEAD~9", "0123456789abcdef"] {
        let expected = format!(
            "error: --rev {rev}: the git repository around project has no such commit; name an id, a branch or a tag, or HEAD~1\n"
        );
        assert_eq!(told(&world, &format!("--rev {rev}")), (Some(2), expected));
    }
    assert_eq!(told(&world, "--rev HEAD~1").0, Some(0));
}

#[test]
fn the_table_of_evidence_is_read_whole() {
    let world = World::new();
    for (toml, error) in [
        ("[evidence]\nmode = \"of\"", "2:8: `mode`: unknown value `of`; did you mean `off`?"),
        (
            "[evidence]\ntest-runner = []",
            "2:1: unknown key `test-runner`; did you mean `test-runners`?",
        ),
        (
            "[evidence]\ntest-runners = \"just check\"",
            "2:16: `test-runners`: expected an array, found string",
        ),
        ("[evidence]\ntest-runners = [\"\"]", "2:17: `test-runners` must not be empty"),
        (
            "[evidence]\ntest-runners = [\"make | tail\"]",
            "2:17: `test-runners`: `make | tail` is not a command of plain words; write the words with which it begins, such as `just check`",
        ),
        (
            "evidence = []",
            "1:12: `evidence`: expected one of `off`, `warn`, `fail`, `require`, found array",
        ),
    ] {
        world.write("retval.toml", toml);
        let (code, text) = told(&world, "");
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(error), "{text}");
    }
    let toml =
        "[evidence]\nmode = \"require\"\ntest-runners = [\"just check\", \"./run-tests.sh\"]\n";
    world.write("retval.toml", toml);
    assert_eq!(told(&world, "").0, Some(1), "nothing is shown");
    let output = run(world.retval().arg("config"));
    let text = stdout(&output);
    assert!(!text.contains("\nevidence ="), "{text}");
    let shown = text.split("\n[evidence]\n").nth(1).expect("the table");
    assert!(shown.starts_with("mode = \"require\""), "{shown}");
    assert!(
        shown
            .contains("\ntest-runners = [\"just check\", \"./run-tests.sh\"] # retval.toml:3:16\n"),
        "{shown}"
    );
    world.write("again.toml", &text);
    assert_eq!(told(&world, "--config again.toml").0, Some(1), "{text}");
}

#[test]
fn agents_that_the_client_started_for_itself_do_not_count() {
    let world = World::new();
    let warm = Session::default().task("w1", "Warmup").answer("w1");
    let check = |lines: &str, id: &str| {
        world.write("session.jsonl", lines);
        let options = format!("--root project --transcript session.jsonl {id}");
        piped(&world, &options, claiming(TIDES))
    };
    let output = check(&warm.lines, "--agent-id zz");
    let said = "error: --agent-id zz: session.jsonl has no such agent\n";
    output.assert().code(2).stdout("").stderr(said);
    for (id, why) in [
        ("--agent-id w1", "the client started this agent for itself"),
        ("", "the client started every agent in the transcript for itself"),
    ] {
        let output = check(&warm.lines, id);
        let text = stdout(&output);
        let line = format!("[INFO] Claims are shown: 0 of 2\n[SKIP] 2 claims unknown: {why}\n");
        assert!(text.contains(&line), "{id}: {text}");
        assert_eq!(output.status.code(), Some(0), "{id}");
    }
}

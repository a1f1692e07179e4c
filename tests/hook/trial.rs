//! `retval hook try --agent NAME`: the event is made from what an agent returned.

use std::fs;

use crate::common::{World, feed, run, stderr, stdout};

const PHANTOM: &str = r#"{"status": "completed", "summary": "The plan is written. It has two steps.",
    "artifacts": [{"type": "plan", "path": "docs/gone.md", "summary": "The plan."}],
    "metadata": {"session_id": "s1", "agent_type": "planner", "delegation_depth": 1,
        "delegation_path": ["orchestrator", "planner"]}}"#;

const NOTHING: &str = "told nothing";

const DONE: &str = "Done.";

/// What is said of a return, which is standard input.
fn tried(world: &World, words: &str, message: &str) -> String {
    let mut retval = world.retval();
    retval.args(["hook", "try"]).args(words.split_whitespace());
    let output = feed(&mut retval, message);
    // Only a call without options asks for those of a hook that is installed.
    let is_bare =
        !words.contains("--profile") && !words.contains("--observe") && !words.contains("--agents");
    let is_installed = fs::exists(world.path(".cursor")).expect("it is known");
    let note = if is_bare && !is_installed {
        "note: no hook is installed; `retval hook install` would use --profile any\n"
    } else {
        ""
    };
    assert_eq!((stderr(&output).as_str(), output.status.code()), (note, Some(0)));
    stdout(&output)
}

#[test]
fn an_invalid_return_is_asked_again_and_its_caller_told() {
    let world = World::new();
    world.write("answer.txt", PHANTOM);
    let mut named = world.retval();
    named.args("hook try --agent planner answer.txt --profile return".split(' '));
    let named = stdout(&run(&mut named));
    let expected = "\
options   --profile return
event     planner, in claude-code
decision  asked again: artifact-not-found (stop, return by --profile)
says
  Your return was not accepted. Correct each of these:
  1. Artifact does not exist: docs/gone.md (at /artifacts/0/path). Write the file, or return the path that you wrote to.
  Return the complete JSON again as your whole final report, with no text around it. It replaces the previous one.
  This is the last time you are asked. If you cannot correct it, do not claim success: use one of the statuses partial, failed, blocked, and say why.
caller    told, if its return is still invalid then
  The return of planner is invalid; do not rely on it. Findings:
  1. Artifact does not exist: docs/gone.md (at /artifacts/0/path). Verify planner writes artifacts to correct paths.
  Run the task again, or treat it as failed.
";
    assert_eq!(named, expected);
    let piped = tried(&world, "--agent planner --profile return", PHANTOM);
    assert_eq!(piped, named);
    let left = fs::read_dir(world.runtime()).expect("a folder").count();
    assert_eq!(left, 0);
}

#[test]
fn each_client_tells_a_caller_in_its_own_way() {
    let world = World::new();
    for (client, told) in [
        (
            "claude-code",
            "caller    told, if its return is still invalid then\n  The return of planner is invalid;",
        ),
        (
            "codex",
            "caller    told, if its return is still invalid then\n  The return of planner is invalid;",
        ),
        (
            "qwen",
            "caller    told, if its return is still invalid then\n  The return of planner is invalid;",
        ),
        ("copilot", "caller    told, if its return is still invalid then\n  {"),
        ("opencode", "caller    told, if its return is still invalid then\n  {"),
        (
            "gemini",
            "caller    told, if its return is still invalid then\n  The return of planner is invalid;",
        ),
        ("cursor", "caller    told nothing, if its return is still invalid then\n"),
    ] {
        let said = tried(&world, &format!("--agent planner --client {client}"), PHANTOM);
        let start = format!(
            "options   --client {client}\nevent     planner, in {client}\ndecision  asked again: artifact-not-found (stop, return by default)\nsays\n"
        );
        assert!(said.starts_with(&start) && said.contains(told), "{said}");
    }
}

#[test]
fn what_else_may_happen_is_said_in_words() {
    let world = World::new();
    let invalid = "The return of planner is invalid; do not rely on it. Findings:\n  \
        1. Return is not valid JSON: it is plain text. \
        Fix planner subagent return format: return a JSON object instead of prose.\n  \
        Run the task again, or treat it as failed.\n";
    let unknown = "unknown profile `gone`; expected one of return, return-v1, return-meta, compact, handoff, any";
    for (words, decision, caller) in [
        ("planner --profile any", "valid (stop, any by --profile)", format!("{NOTHING}\n")),
        (
            "planner --profile return --retries 0",
            "let through: json-syntax (stop, return by --profile)",
            format!("told\n  {invalid}"),
        ),
        (
            "planner --observe",
            "only observed: json-syntax (stop, return by default)",
            format!("{NOTHING}\n"),
        ),
        ("Explore", "not checked: it is built into the client (stop)", format!("{NOTHING}\n")),
        (
            "planner --agents other",
            "not checked: --agents or its table leaves it out (stop)",
            format!("{NOTHING}\n"),
        ),
        (
            "planner --profile gone",
            &format!("hook failed: {unknown} (stop)"),
            format!("{NOTHING}\n"),
        ),
    ] {
        let said = tried(&world, &format!("--agent {words}"), DONE);
        let (agent, options) = words.split_once(' ').unwrap_or((words, "none"));
        assert_eq!(
            said,
            format!(
                "options   {options}\nevent     {agent}, in claude-code\ndecision  {decision}\ncaller    {caller}"
            )
        );
    }
    let said = tried(&world, "--agent pl\u{202e}anner --profile any", "");
    assert!(
        said.contains("event     pl\\u{202e}anner, in") && !said.contains('\u{202e}'),
        "{said}"
    );
}

#[test]
fn a_warning_is_told_and_the_return_is_valid() {
    let world = World::new();
    let warned = PHANTOM
        .replace("docs/gone.md", "project/docs/tides.md")
        .replace("The plan is written. It has two steps.", "Done.");
    world.path("project");
    for (client, decision) in [("claude-code", "valid"), ("codex", "valid")] {
        let words = format!("--agent planner --profile return --client {client}");
        let said = tried(&world, &words, &warned);
        assert_eq!(
            said,
            format!(
                "options   --profile return --client {client}\nevent     planner, in {client}\n\
                 decision  {decision}: summary-sentences (stop, return by --profile)\ncaller    told\n  \
                 The return of planner was accepted with warnings: Summary has 1 sentence, expected 2 to 5.\n"
            )
        );
    }
}

#[test]
fn a_receipt_is_told_where_the_client_has_a_place_for_it() {
    let world = World::new();
    world.commit_project();
    let message = "The plan is in `docs/gone.md`. All is written there.";
    let line = "planner: Not there: docs/gone.md.";
    for (client, decision, caller) in [
        ("claude-code", "valid", format!("told\n  retval: {line}\n")),
        ("codex", "valid", format!("told\n  retval: {line}\n")),
        ("copilot", "caller told", format!("told\n  {message}\n  \n  retval: {line}\n")),
        ("cursor", "valid", format!("{NOTHING}\n")),
    ] {
        let mut retval = world.retval();
        retval.current_dir(world.path("project"));
        retval.args(["hook", "try", "--agent", "planner", "--profile", "any", "--client", client]);
        let said = stdout(&feed(&mut retval, message));
        assert_eq!(
            said,
            format!(
                "options   --profile any --client {client}\nevent     planner, in {client}\n\
                 decision  {decision}: receipt: {line} (stop, any by --profile)\ncaller    {caller}"
            )
        );
    }
}

#[test]
fn the_client_and_the_options_are_those_that_are_installed() {
    let world = World::new();
    let hook = |words: &str| {
        let mut retval = world.retval();
        run(retval.arg("hook").args(words.split_whitespace()))
    };
    hook("install cursor --profile return --observe");
    let said = tried(&world, "--agent planner", DONE);
    let start = "options   --profile return --observe\nevent     planner, in cursor\n";
    assert!(said.starts_with(start), "{said}");
    hook("install claude-code --agents other");
    let said = tried(&world, "--agent planner", DONE);
    let start = "options   --profile any --agents other\nevent     planner, in claude-code\n";
    assert!(said.starts_with(start), "{said}");
    let said = tried(&world, "--agent planner --client cursor", DONE);
    assert!(said.starts_with("options   --profile return --observe\n"), "{said}");
}

#[test]
fn the_help_is_as_wide_as_the_terminal() {
    let world = World::new();
    for (command, expected) in [
        (
            "try",
            "\nWith --agent, FILE has what the agent returned, and the\nevent of its end is made, for",
        ),
        (
            "log",
            "\nAn entry is of this project, the nearest folder with `.git`,\nif the agent worked there",
        ),
    ] {
        let mut retval = world.retval();
        retval.args(["hook", command, "--help"]).env("COLUMNS", "60");
        let help = stdout(&run(&mut retval));
        assert!(help.contains(expected), "{help}");
    }
}

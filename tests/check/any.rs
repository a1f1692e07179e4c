//! The profile `any`: a message that need have no form.

use crate::common::{World, feed, stderr, stdout};

fn concise(world: &World, message: &str) -> (Option<i32>, String) {
    let mut command = world.retval();
    command.args(["check", "--profile", "any", "--format", "concise"]);
    let output = feed(&mut command, message);
    (output.status.code(), stdout(&output))
}

#[test]
fn a_message_that_says_something_is_valid() {
    let world = World::new();
    let messages = [
        "The tables agree. See docs/tides.md.",
        "7",
        "No",
        "✓",
        "TODO",
        "{\"answer\": 42}",
        "The API Error: 529 comes from the proxy.",
        "API Error: 529 is what the proxy answers.\n\nIt has to be retried after a minute.",
        "You've hit your coverage target: 80 % of the lines.",
        "Prompt is too long: the error is raised in src/a.ts when tokens > 200k",
        "API Error: 500 means that the server crashed. I fixed it in src/a.ts.",
        "You've hit your limit. That's the banner text in ui.tsx:3.",
        "Their example says \"What was done. What the result is.\", and so it is no good.",
    ];
    for message in messages {
        assert_eq!(concise(&world, message), (Some(0), String::new()), "{message}");
    }
}

#[test]
fn a_message_without_an_answer_is_invalid() {
    let world = World::new();
    let missing = "error[return-missing] Agent ended without a return";
    let echo = "error[return-echo] message is copied from the instruction";
    let instruction = |options: &[&str]| {
        let output = world.retval().arg("instruct").args(options).output();
        stdout(&output.expect("it runs"))
    };
    let whole = instruction(&[]);
    let example = |text: &str| {
        let (start, end) = (text.find("\n{"), text.find("\n}\n"));
        text[start.expect("an example")..end.expect("an example") + 3].to_owned()
    };
    let fenced = format!("```json{}```", example(&instruction(&["--profile", "return-meta"])));
    let messages = [
        ("", missing),
        (" \n\u{200b}", missing),
        ("API Error: 529 Overloaded", missing),
        ("You've hit your limit · resets 3pm", missing),
        ("You've hit your weekly Opus limit. Resets Monday.", missing),
        ("[Request interrupted by user for tool use]", missing),
        ("...", echo),
        (&whole, echo),
        (&example(&whole), echo),
        (&fenced, echo),
    ];
    for (message, expected) in messages {
        let (code, found) = concise(&world, message);
        assert_eq!(code, Some(1), "{message}");
        assert!(found.contains(expected), "{message}: {found}");
    }
    let (code, found) = concise(&world, "{{summary}}");
    assert_eq!(code, Some(0));
    assert!(found.contains("warning[return-filler]"), "{found}");
}

#[test]
fn every_step_says_why_it_did_not_run() {
    let world = World::new();
    let mut command = world.retval();
    command.args(["check", "--profile", "any"]);
    let output = feed(&mut command, "Done.");
    let expected = "\
[SKIP] Valid JSON: the profile any asks for no form
[SKIP] Required fields: the profile any asks for no form
[SKIP] Status: the profile any asks for no form
[SKIP] Session ID: the profile any asks for no form
[SKIP] Summary length: the profile any asks for no form
[SKIP] Artifacts: only files in a JSON message, or in its only code fence, are checked
[PASS] Return validation succeeded
";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn an_envelope_is_opened_first() {
    let world = World::new();
    let message = r#"{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"...","session_id":"s"}"#;
    let (code, found) = concise(&world, message);
    assert_eq!(code, Some(1), "{found}");
    assert!(found.contains("return-echo"), "{found}");
}

#[test]
fn nothing_describes_or_extends_it() {
    let world = World::new();
    let refused = |arguments: &[&str]| {
        let output = world.retval().args(arguments).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        stderr(&output)
    };
    for (command, what) in [("instruct", "instruction"), ("schema", "schema")] {
        let text = refused(&[command, "--profile", "any"]);
        let expected =
            format!("error: the profile any has no {what}: its returns are any messages\n");
        assert_eq!(text, expected);
    }
    world.write("own.toml", "[profiles.own]\nextends = \"any\"\n");
    let text = refused(&["check", "--config", "own.toml", "--profile", "own"]);
    assert!(text.contains("unknown profile `any`"), "{text}");
}

//! The answers of an agent that is resumed after its return was accepted.

use std::fs;

use serde_json::Value;

use super::{VALID, call, payload};
use crate::common::World;

/// The end of the agent with this id.
fn stop_of(world: &World, id: &str, message: &str) -> Value {
    let mut stop = payload(world, "claude-code-stop", message);
    stop["agent_id"] = id.into();
    stop
}

/// The answer to a message of an agent whose return was accepted before.
fn resumed(world: &World, options: &str, id: &str, message: &str) -> Option<Value> {
    assert_eq!(call(world, options, &stop_of(world, id, VALID)), None);
    call(world, options, &stop_of(world, id, message))
}

/// A return that claims a file that is not there.
fn phantom() -> String {
    VALID.replace("docs/tides.md", "docs/none.md")
}

#[test]
fn a_return_is_checked_in_whatever_form_it_is_written() {
    let world = World::new();
    let phantom = phantom();
    let escaped = phantom.replace('"', "\\\"");
    let yaml =
        "status: completed\nsummary: The plan is made.\nartifacts:\n  - path: docs/none.md\n";
    for (number, message) in [
        phantom.clone(),
        phantom.replace("\"status\"", "\"\\u0073tatus\""),
        phantom.replace("\"status\":\"completed\",", ""),
        phantom.replace('"', "'"),
        phantom.replace('"', "”"),
        phantom
            .replace("\"status\"", "\"st\u{200b}atus\"")
            .replace('"', "'"),
        format!("Done.\n```json\n{escaped}\n```\n"),
        serde_json::to_string(&escaped).expect("JSON"),
        yaml.to_owned(),
        format!("Here it is:\n```yaml\n---\n{yaml}```\n"),
        yaml.replace("status:", "\"status\" :"),
        "{status: completed, summary: The plan is made.}".to_owned(),
        "{\n  status: \"completed\",\n  summary: \"The plan is made.\"\n}".to_owned(),
        "I made it: {\"artifacts\": [{\"path\": \"docs/none.md\"}]}".to_owned(),
        phantom[..phantom.len() / 2].to_owned(),
        format!("[{phantom}]"),
        "[]".to_owned(),
        "{}".to_owned(),
        String::new(),
        " \n".to_owned(),
        "\u{200b}".to_owned(),
        "\u{feff}\u{2060}\n".to_owned(),
    ]
    .iter()
    .enumerate()
    {
        let answer = resumed(&world, "", &format!("agent-{number}"), message);
        let decision = answer.as_ref().map(|answer| &answer["decision"]);
        assert_eq!(decision, Some(&"block".into()), "{message}: {answer:?}");
    }
}

#[test]
fn a_status_alone_is_a_compact_return_in_any_form() {
    let world = World::new();
    let options = "--profile compact --agents *";
    let of = |id: &str, message: &str| {
        let mut stop = stop_of(&world, id, message);
        stop["agent_type"] = "developer".into();
        call(&world, options, &stop)
    };
    for (id, message, is_free) in [
        ("a1", "status: READY_FOR_QA", false),
        ("a2", "{“status”: “DONE”}", false),
        ("a3", "The build says:\n```\nstatus: success\n```", true),
    ] {
        let accepted = of(id, "{\"status\":\"BLOCKED\"}");
        assert!(accepted.is_none_or(|it| it["decision"].is_null()), "{id}");
        assert_eq!(of(id, message).is_none(), is_free, "{message}");
    }
}

#[test]
fn prose_about_code_and_data_is_free() {
    let world = World::new();
    for (number, message) in [
        "Phase two computes the tables.",
        "12",
        "Yes: see [1], `{x}`, a[0] and {a, b}. It's in “docs/tides.md”.",
        "The missing `{` is in line 3, and the range is [0, 10).",
        "Status: the plan is done.\nSummary: three phases.\n",
        "**Status:** done\n**Artifacts:** docs/tides.md",
        "- `status`: says whether it worked\n- `summary`: what was done, in short\n",
        "The run is over:\n```\nstatus: completed\nconclusion: success\n```\n",
        "```rust\nimpl Plan for Tides {}\n\nfn main() {\n    let task = Task { status: Open, summary: title };\n    \
         println!(\"{}: {task:?}\", \"status: {\");\n}\n```\nIt never fails.",
        "```rust\nTask {\n    status: Status::Open,\n    summary: title.into(),\n    ..Task::default()\n}\n```",
        "```ts\ninterface Plan {\n  status: string;\n  summary: string;\n}\n```",
        "```yaml\nmetadata:\n  name: tides\nstatus:\n  replicas: 2\n```",
        "```diff\n+ if tide {\n+     rise();\n```",
        "```sh\nfor f in *.md; do echo \"${f%.md}\"; done\nawk '{print $1}' C:\\users\\new\n```",
    ]
    .iter()
    .enumerate()
    {
        let answer = resumed(&world, "", &format!("agent-{number}"), message);
        assert_eq!(answer, None, "{message}");
    }
}

#[test]
fn what_replaces_an_accepted_return_is_no_free_answer() {
    let world = World::new();
    let options = "--errors-json errors.json";
    assert_eq!(call(&world, options, &stop_of(&world, "a1", VALID)), None);
    // Another hook did not let it stop, and now this is what its caller gets.
    let mut prose = stop_of(&world, "a1", "All tests are green now.");
    prose["stop_hook_active"] = true.into();
    let answer = call(&world, options, &prose).expect("an answer");
    assert_eq!(answer["decision"], "block", "{answer}");
    let note = call(&world, options, &prose).expect("an answer");
    assert!(note["systemMessage"].is_string(), "{note}");
    let mut result = payload(&world, "claude-code-tool", "All tests are green now.");
    result["tool_response"]["agentId"] = "a1".into();
    let told = call(&world, options, &result).expect("an answer");
    assert_eq!(told["decision"], "block", "{told}");
    assert!(world.path("errors.json").exists());
}

#[test]
fn an_answer_in_prose_leaves_the_accepted_file_as_it_is() {
    let options =
        "--profile return-meta --return-file specs/*/.return-meta.json --errors-json errors.json";
    let fixture = "profiles/return-meta/planned/specs/12_tide_tables/.return-meta.json";
    let text = fs::read_to_string(super::fixtures().join(fixture)).expect("a fixture");
    let text = text.replace("planner-agent", "planner");
    let text = text.replace("sess_1767225600_k3m9qa", "5f2c");
    for starts in [true, false] {
        let world = World::new();
        let start = || {
            let start = payload(&world, "claude-code-start", "");
            starts.then(|| call(&world, options, &start)).flatten()
        };
        let stop = |message: &str| call(&world, options, &stop_of(&world, "a1", message));
        assert_eq!(start().is_some(), starts, "the instruction");
        world.write("project/specs/1/.return-meta.json", &text);
        assert_eq!(stop("The plan is made."), None);
        assert_eq!(start(), None, "it has the instruction");
        assert_eq!(stop("Phase two computes the tables."), None);
        let result = payload(&world, "claude-code-tool", "Phase two computes the tables.");
        assert_eq!(call(&world, options, &result), None, "nobody is warned");
        assert!(!world.path("errors.json").exists(), "nothing is recorded");
        // What it writes now is checked, whatever it says.
        let broken = text.replace("\"planned\"", "\"in_progress\"");
        world.write("project/specs/1/.return-meta.json", broken);
        let answer = stop("Phase two is planned, too.").expect("an answer");
        let reason = answer["reason"].as_str().expect("a reason");
        assert!(reason.contains("still in_progress"), "{reason}");
    }
    // A return in place of the answer needs its file.
    let world = World::new();
    world.write("project/specs/1/.return-meta.json", &text);
    assert_eq!(call(&world, options, &stop_of(&world, "a1", "Done.")), None);
    assert_eq!(
        call(&world, options, &payload(&world, "claude-code-start", "")),
        None
    );
    let answer = call(&world, options, &stop_of(&world, "a1", VALID)).expect("an answer");
    let reason = answer["reason"].as_str().expect("a reason");
    assert!(
        reason.starts_with("No file written by this agent"),
        "{reason}"
    );
}

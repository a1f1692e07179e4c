//! `--format failed-return` prints a valid return of the profile `return` for every profile, agent and
//! session.

use crate::common::{World, feed, stderr, stdout};
use crate::generated::seeds;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

/// The failed return for this text, and the record of its own check as one of the profile `return` with
/// the same options.
fn failed(world: &World, options: &[String], text: &str) -> (String, Value, Option<i32>) {
    let check = |format: &str, profile: &str, text: &str| {
        let mut command = world.retval();
        command.args(["check", "--format", format]).args(options);
        command.args(profile.split_whitespace());
        feed(&mut command, text)
    };
    let failed = stdout(&check("failed-return", "", text));
    let output = check("jsonl", "--profile return", &failed);
    let record = serde_json::from_slice(&output.stdout).expect("a record");
    (failed, record, output.status.code())
}

#[test]
fn names_of_any_length_and_words_are_passed_on() {
    let world = World::new();
    let blank_start = " ".repeat(200) + "x";
    for name in [
        &*blank_start,
        &"n".repeat(201),
        &"é".repeat(3_000),
        "orchestrator",
        "Dr. No? Yes! v1.2",
        "🚀 <b>bold</b> `code` **x**",
        "a\u{200b}b",
    ] {
        let mut returned: Value = serde_json::from_str(
            r#"{"status":"odd","summary":"x","artifacts":[],"metadata":{"delegation_depth":1,"delegation_path":["orchestrator"]}}"#,
        )
        .expect("JSON");
        for (agent_by, session_by) in [("", ""), ("agent_type", ""), ("agent_type", "session_id")] {
            let metadata = &mut returned["metadata"];
            for key in [agent_by, session_by].iter().filter(|key| !key.is_empty()) {
                metadata[*key] = name.into();
            }
            for profile in ["return", "return-v1", "return-meta", "handoff", "compact"] {
                let mut options = vec!["--profile".to_owned(), profile.to_owned()];
                for text in ["prose", &returned.to_string()] {
                    let (failed, record, code) = failed(&world, &options, text);
                    let findings = &record["findings"];
                    assert_eq!(
                        (findings, code),
                        (&Value::Array(vec![]), Some(0)),
                        "{failed}"
                    );
                }
                options.extend(["--session", name, "--agent", name, "--strict"].map(str::to_owned));
                for text in ["prose", &returned.to_string()] {
                    let (failed, record, code) = failed(&world, &options, text);
                    let findings = &record["findings"];
                    assert_eq!(
                        (findings, code),
                        (&Value::Array(vec![]), Some(0)),
                        "{failed}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_failed_return_of_any_profile_is_one_of_the_profile_return() {
    let name = || {
        let word = select(vec![
            "a",
            " ",
            ".",
            "🚀",
            "<b>",
            "\u{200b}",
            "É",
            "\"",
            "orchestrator",
        ]);
        vec(word, 1..30).prop_map(|words| words.concat())
    };
    let profile = select(vec![
        "return",
        "return-v1",
        "return-meta",
        "compact",
        "handoff",
        "own",
    ]);
    let inputs = (profile, name(), name(), any::<bool>());
    let world = World::new();
    world.write(
        "retval.toml",
        "[profiles.own]\nform = \"text\"\nat.status = \"Verdict\"\nstatuses = { GOOD = \"success\" }\n",
    );
    seeds::hold(60, &inputs, |(profile, agent, session, is_named)| {
        let mut options = vec!["--profile".to_owned(), profile.to_owned()];
        if is_named {
            options.push(format!("--agent={agent}"));
        }
        // A session that no one can see is a usage error.
        if is_named && !retval::internal::is_blank(&session) {
            options.push(format!("--session={session}"));
        }
        let own = serde_json::json!({"agent_type": agent, "session_id": session});
        let returned = serde_json::json!({"status": "odd", "metadata": own, "from_agent": agent});
        for text in ["prose", &returned.to_string()] {
            let (failed, record, code) = failed(&world, &options, text);
            prop_assert_eq!(code, Some(0), "{}\n{}\n{}", profile, failed, record);
            prop_assert_eq!(&record["status"], "failed");
        }
        Ok(())
    });
}

#[test]
fn no_session_is_invisible() {
    let world = World::new();
    for (text, shown) in [
        ("", ""),
        (" \t", "\\u{20}\\t"),
        ("\u{200b}\u{feff}", "\\u{200b}\\u{feff}"),
    ] {
        let mut retval = world.retval();
        let output = feed(retval.args(["check", "--session", text]), "{}");
        assert_eq!(output.status.code(), Some(2), "{text:?}");
        let expected = format!(
            "error: invalid value '{shown}' for '--session <ID>': it has no visible character\n"
        );
        assert!(
            stderr(&output).starts_with(&expected),
            "{}",
            stderr(&output)
        );
    }
    let mut retval = world.retval();
    let returned = r#"{"metadata": {"session_id": "s"}}"#;
    let output = feed(
        retval.arg("check").env("RETVAL_SESSION", "\u{a0}"),
        returned,
    );
    let skipped = "[SKIP] Session ID: no --session was given\n";
    assert!(stdout(&output).contains(skipped), "{}", stdout(&output));
}

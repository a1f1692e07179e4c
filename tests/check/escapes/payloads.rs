//! Documents from other programs with hostile texts: payloads of hooks, logs and baselines.

use std::fs;

use serde_json::{Value, json};

use super::hold_output;
use crate::common::hostile::{Hostile, packed, short};
use crate::common::{World, feed, fixtures};

/// Copies of a payload. The first has the text in place of all strings that do not identify the
/// event; each of the others has it in place of one string.
fn payloads(payload: &Value, text: &str) -> Vec<Value> {
    let mut everywhere = payload.clone();
    let mut copies = Vec::new();
    for pointer in strings(payload, "") {
        let mut copy = payload.clone();
        *copy.pointer_mut(&pointer).expect("it is there") = text.into();
        copies.push(copy);
        let says_what_it_is = ["event_name", "tool_name", "status", "cwd"];
        if !says_what_it_is.iter().any(|known| pointer.ends_with(known)) {
            *everywhere.pointer_mut(&pointer).expect("it is there") = text.into();
        }
    }
    copies.insert(0, everywhere);
    copies
}

fn strings(value: &Value, at: &str) -> Vec<String> {
    match value {
        Value::String(_) => vec![at.to_owned()],
        Value::Object(members) => {
            let within = members.iter();
            within.flat_map(|(key, member)| strings(member, &format!("{at}/{key}"))).collect()
        }
        Value::Array(items) => {
            let within = items.iter().enumerate();
            within.flat_map(|(index, item)| strings(item, &format!("{at}/{index}"))).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn no_hook_answer_shows_a_payload_unescaped() {
    let world = World::new();
    fs::create_dir_all(world.path("run")).expect("a folder");
    let corpus = packed(short());
    for entry in fs::read_dir(fixtures().join("hooks")).expect("a folder").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a payload");
        let text = text.replace("{cwd}", &world.path("project").display().to_string());
        let payload: Value = serde_json::from_str(&text).expect("JSON");
        for (at, hostile) in corpus.iter().enumerate() {
            // The first text replaces each string in turn; every text replaces all of them at once.
            let most = if at == 0 { usize::MAX } else { 1 };
            for (copy, payload) in
                payloads(&payload, &hostile.text).into_iter().take(most).enumerate()
            {
                let ways = ["--retries 0 --errors-json errors.json", "--fail-closed"];
                // All texts at once both ways, each by itself in one of them.
                let ways = if copy == 0 { &ways[..] } else { &ways[copy % 2..][..1] };
                for options in ways {
                    let mut hook = world.retval();
                    hook.arg("hook").args(options.split(' '));
                    let output = feed(&mut hook, payload.to_string());
                    hold_output(&hostile.name, options, &output);
                    assert_eq!(output.status.code(), Some(0));
                    let answer = serde_json::from_slice::<Value>(&output.stdout);
                    assert!(output.stdout.is_empty() || answer.is_ok_and(|it| it.is_object()));
                }
            }
        }
    }
    let log = fs::read(world.path("errors.json")).expect("a log");
    super::hold("log", "json", &log);
}

#[test]
fn a_payload_that_is_no_json_is_not_quoted() {
    let world = World::new();
    for Hostile { name, text, .. } in packed(short()) {
        for payload in [text.clone(), format!("{{\"{text}\":1}}"), format!("[{text}]")] {
            let output = feed(world.retval().arg("hook"), payload);
            hold_output(&name, "hook", &output);
            assert_eq!(output.status.code(), Some(0));
        }
    }
}

#[test]
fn a_file_that_is_not_a_log_or_baseline_is_not_quoted_in_errors() {
    let world = World::new();
    for Hostile { name, text, .. } in packed(short()) {
        let string = Value::from(text.as_str());
        for document in [
            string.to_string(),
            json!({ "errors": string }).to_string(),
            json!({ "version": 1, "accepted": [{ "source": string, "rule": string, "count": 1, "reason": string }] }).to_string(),
            json!({ "version": 1, string.as_str().expect("a string"): 1 }).to_string(),
            json!({ "version": string }).to_string(),
            format!("{{\"version\":1,\"accepted\":[{{\"source\":{string},\"rule\":\"json-syntax\",\"count\":1,\"reason\":\"x\"}}]}}"),
        ] {
            world.write("known.json", &document);
            for line in ["check --errors-json known.json", "check --baseline known.json"] {
                let output = feed(world.retval().args(line.split(' ')), "{}");
                hold_output(&name, line, &output);
                assert_ne!(output.status.code(), Some(0));
            }
        }
    }
}

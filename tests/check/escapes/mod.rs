//! Untrusted text from returns, paths, arguments, settings and payloads is escaped in every format
//! and by every command; machine-readable output still has its exact value.

mod commands;
mod payloads;
mod settings;
mod streams;

use std::process::Output;

use crate::common::fixtures;
use crate::common::hostile::{Hostile, corpus, hold, short};
use serde_json::Value;

/// A return to check.
const RETURN: &str = r#"{"status":"partial","summary":"One. Two.","artifacts":[],"metadata":{"session_id":"s","agent_type":"a","delegation_depth":1,"delegation_path":["orchestrator","a"]}}"#;

/// The texts that can be an argument, an environment variable or a file name: they contain no NUL.
fn arguments() -> Vec<Hostile> {
    let mut corpus = short();
    corpus.retain(|hostile| !hostile.text.contains('\0'));
    corpus
}

/// Checks both streams of a run.
#[track_caller]
fn hold_output(what: &str, format: &str, output: &Output) {
    hold(what, format, &output.stdout);
    hold(what, format, &output.stderr);
}

#[test]
fn the_corpus_is_harmless_to_look_at() {
    let text = std::fs::read_to_string(fixtures().join("hostile/strings.json"));
    hold(
        "the fixture",
        "json",
        text.expect("a fixture").replace("##", "").replace('<', "").as_bytes(),
    );
    assert!(short().len() > 40 && corpus().len() == short().len() + 3);
}

fn has_string(value: &Value, text: &str) -> bool {
    match value {
        Value::String(own) => own == text,
        Value::Array(items) => items.iter().any(|item| has_string(item, text)),
        Value::Object(members) => members.values().any(|member| has_string(member, text)),
        _ => false,
    }
}

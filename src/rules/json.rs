//! Step 1: the return is one JSON object, and every reader reads the same from it.

use crate::checker::DEPTH_AT_MOST;
use crate::checker::context::{At, Case, Found, POINTER_BYTES_KEPT};
use crate::json::decode::state::ITEMS_AT_MOST;
use crate::json::extract::wrapping::Wrapping;
use crate::json::field::Kind;
use crate::json::locate::duplicates;
use crate::json::pointer::{Pointer, Segment as To};
use crate::json::syntax::Fault;
use crate::level::Level;
use crate::report::Report;
use crate::rule::{Applies, Example, Rule};
use crate::step::Step;
use crate::text::Span;
use crate::text::escape;

/// The text is not JSON.
pub(crate) static SYNTAX: Rule = Rule {
    id: "json-syntax",
    step: Step::Json,
    level: Level::Error,
    applies: Applies::Always,
    message: "Invalid JSON return from {agent}",
    help: "Fix {agent} subagent to return valid JSON",
    explanation: "The return is not exactly one JSON value: it is empty, prose, fenced, cut off, or written in a \
                  dialect. The orchestrator parses it with a strict reader and can do nothing with anything else. \
                  Nothing is repaired, because a repaired return can say what its agent never said.",
    seed: "003, step 1; 000, validation rule 1",
    example: Example::of_returns(
        "compact",
        r#"Done! Here is the status: {"status": "READY_FOR_QA"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    ),
};

/// The value is not an object.
pub(crate) static OBJECT: Rule = Rule {
    id: "json-object",
    step: Step::Json,
    level: Level::Error,
    applies: Applies::Always,
    message: "Return is not a JSON object: it is {kind}",
    help: "Fix {agent} subagent to return one JSON object",
    explanation: "Every standard describes an object with named members; an array or a bare value has none of them.",
    seed: "001, validation pseudocode; 000, schema",
    example: Example::of_returns(
        "compact",
        r#"["READY_FOR_QA"]"#,
        r#"{"status": "READY_FOR_QA"}"#,
    ),
};

/// A key stands twice in one object.
pub(crate) static DUPLICATE_KEY: Rule = Rule {
    id: "json-duplicate-key",
    step: Step::Json,
    level: Level::Error,
    applies: Applies::Always,
    message: "Duplicate key: {key}",
    help: "Fix {agent} subagent to write each key once",
    explanation: "A key stands twice in one object, at any depth. Readers disagree on which value counts, so that \
                  the same return can be a failure to one and a success to the next.",
    seed: "003, step 1 (one reading of the return)",
    example: Example::of_returns(
        "compact",
        r#"{"status": "BLOCKED", "status": "READY_FOR_QA"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    ),
};

/// The return is larger, deeper or longer than anyone should read.
pub(crate) static LIMIT: Rule = Rule {
    id: "json-limit",
    step: Step::Json,
    level: Level::Error,
    applies: Applies::Always,
    message: "Return is beyond the limit: {what}",
    help: "Fix {agent} subagent to return a summary and to put the details into artifacts",
    explanation: "The return is nested deeper than 128 levels, larger than --max-bytes, or has more than 100,000 \
                  items in lists that its standard names and keys that it does not. Each can exhaust the \
                  readers that come after; no standard needs more than five levels and a few kilobytes.",
    seed: "000, benefits (context window protection)",
    example: Example::of_returns(
        "compact",
        r#"{"status": "READY_FOR_QA", "thoughts": "First I looked at the tables, then"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with("--max-bytes 64 --ignore compact-extra-field"),
};

/// Something stood around the return and was left aside.
pub(crate) static WRAPPED: Rule = Rule {
    id: "json-wrapped",
    step: Step::Json,
    level: Level::Warning,
    applies: Applies::Always,
    message: "Return is wrapped in {what}",
    help: "Fix {agent} subagent to return only the JSON object",
    explanation: "Only with --extract: a fence, prose or a think block around the return was left aside. A strict \
                  reader would have refused the whole.",
    seed: "000, overview (only valid JSON may come back)",
    example: Example::of_returns(
        "compact",
        "```json\n{\"status\": \"READY_FOR_QA\"}\n```",
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with("--extract"),
};

/// What is left of step 1 when the text has been read.
pub(crate) fn check(
    case: &mut Case<'_, '_>,
    wrapping: Option<Wrapping>,
    has_duplicate: bool,
    instead: Option<Kind>,
) {
    if let Some(wrapping) = wrapping {
        case.find(Found::new(
            &WRAPPED,
            At::Value(Pointer::root()),
            &[("what", &wrapping.name())],
        ));
    }
    if has_duplicate && case.wants(&DUPLICATE_KEY) {
        let (found, more) = duplicates(case.text, Report::FINDINGS_KEPT, POINTER_BYTES_KEPT);
        for (pointer, key) in found {
            let name = match pointer.steps().last() {
                Some(To::Key(name)) => escape::truncated(name).to_string(),
                _ => String::new(),
            };
            case.find(Found::new(
                &DUPLICATE_KEY,
                At::Bytes(key, Some(pointer)),
                &[("key", &name)],
            ));
        }
        case.find_more(&DUPLICATE_KEY, more);
    }
    if let Some(kind) = instead {
        case.find(Found::new(
            &OBJECT,
            At::Value(Pointer::root()),
            &[("kind", &kind)],
        ));
    }
}

pub(crate) fn not_json(case: &mut Case<'_, '_>, fault: &Fault) {
    case.find(Found {
        notes: vec![format!(
            "Error: Cannot parse return as JSON: it {}",
            fault.what
        )],
        advice: Some(fault.cure.to_owned()),
        ..Found::new(&SYNTAX, At::Bytes(fault.place, None), &[])
    });
}

pub(crate) fn too_deep(case: &mut Case<'_, '_>, depth: usize) {
    let what = format!("nested {depth} levels deep, at most {DEPTH_AT_MOST} are read");
    case.find(Found::new(
        &LIMIT,
        At::Bytes(Span::default(), None),
        &[("what", &what)],
    ));
}

pub(crate) fn too_many(case: &mut Case<'_, '_>, end: usize) {
    let what = format!("more than {ITEMS_AT_MOST} items and keys");
    case.find(Found::new(
        &LIMIT,
        At::Bytes(Span::new(end, 0), None),
        &[("what", &what)],
    ));
}

pub(crate) fn too_large(case: &mut Case<'_, '_>) {
    let what = format!("larger than {} bytes", case.checker.max_bytes);
    case.find(Found::new(
        &LIMIT,
        At::Bytes(Span::default(), None),
        &[("what", &what)],
    ));
}

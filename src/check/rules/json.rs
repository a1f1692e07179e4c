//! Step 1: the return is one JSON object that all parsers read alike.

use std::borrow::Cow;

use crate::check::report::Report;
use crate::check::{
    Collector, Context, Diagnostic, Location, POINTER_BYTES_KEPT, SizeLimit, Suggestion, Value,
    values,
};
use crate::json::duplicates::duplicates;
use crate::json::fault::Fault;
use crate::json::field::Kind;
use crate::json::pointer::{Pointer, Segment};
use crate::profile::{LengthLimit, Measured, Unit};
use crate::rule::{Example, Rule, Step, ToAgent};
use crate::text::Span;

/// The limit for the text around a return.
const AROUND: LengthLimit = LengthLimit::at_most(400, Unit::Tokens, Measured::Return);

pub(crate) static OBJECT: Rule = Rule {
    id: "json-object",
    message: "Return is not a JSON object: found {kind}",
    advice_to_agent: "Return one JSON object",
    explanation: "Every return format is an object with named fields. An array or a single \
                  value has none of them.",
    source: "Subagent return format 1.0, validation rules summary; Subagent return \
             format, schema",
    example: Example::of_returns(
        "compact",
        r#"["READY_FOR_QA"]"#,
        r#"{"status": "READY_FOR_QA"}"#,
    ),
    ..Rule::error(Step::Json)
};

pub(crate) static WRAPPED: Rule = Rule {
    id: "json-wrapped",
    message: "Return is wrapped in {what}",
    advice_to_agent: "Return nothing around it",
    explanation: "Reported only with --extract: the return was found inside a code fence, \
                  prose or a think block, and the rest was ignored. A strict parser would have \
                  rejected the whole text.",
    source: "Subagent return format, overview (only valid JSON may be returned)",
    example: Example::of_returns(
        "compact",
        "```json\n{\"status\": \"READY_FOR_QA\"}\n```",
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with("--extract"),
    ..Rule::warning(Step::Json)
};

pub(crate) static WRAPPED_LONG: Rule = Rule {
    id: "json-wrapped-long",
    message: "Text around the return is too long: {length}",
    help: "Fix {agent} subagent to return nothing around it, and to write the rest to artifacts",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Return nothing around it, and write the rest to artifacts",
    explanation: "Reported only with --extract and in the hook, where it is an error: all of the \
                  message gets into the context of the orchestrator, which a return of one JSON \
                  object is to protect. Tokens are counted as characters / 4.",
    source: "Subagent return format, summary (protects the orchestrator's context); Subagent \
             return format, overview (only valid JSON may be returned)",
    example: Example::of_returns(
        "compact",
        include_str!("../../../fixtures/rules/json-wrapped-long/fail/report.json"),
        r#"Done. {"status": "READY_FOR_QA"}"#,
    )
    .with("--extract --rule json-wrapped=off --rule summary-too-long=off"),
    ..Rule::warning(Step::Json)
};

/// Checks step 1 for a text that is JSON. `instead` is the type of the value if it is not an object.
pub(crate) fn check(collector: &mut Collector<'_, '_>, instead: Option<Kind>) {
    let context = collector.context;
    if let Some(wrapping) = context.input.wrapping {
        let values = values![what = Value::Wrapping(wrapping)];
        collector.report(&WRAPPED, Pointer::root(), &values);
        let around = around(context);
        if !AROUND.allows(around) {
            let values = values![length = Value::Length(AROUND, around)];
            collector.report(&WRAPPED_LONG, Pointer::root(), &values);
        }
    }
    if context.has_duplicate_key && collector.is_enabled(&DUPLICATE_KEY) {
        duplicate_keys(collector);
    }
    if let Some(kind) = instead {
        collector.report(&OBJECT, Pointer::root(), &values![kind = Value::Kind(kind)]);
    }
}

/// The number of characters of the message that are outside of the return.
fn around(context: &Context<'_, '_>) -> usize {
    let (message, own) = (context.input.whole, context.input.text);
    AROUND.measure(message) - AROUND.measure(own)
}

pub(crate) static DUPLICATE_KEY: Rule = Rule {
    id: "json-duplicate-key",
    message: "Duplicate key: {key}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write each key once",
    explanation: "A key occurs twice in one object, at any depth. Parsers disagree on which \
                  value counts, so that one reader can see success where another sees failure.",
    source: "Subagent return validation, step 1 (every reader must read the same)",
    example: Example::of_returns(
        "compact",
        r#"{"status": "BLOCKED", "status": "READY_FOR_QA"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    ),
    ..Rule::error(Step::Json)
};

fn duplicate_keys(collector: &mut Collector<'_, '_>) {
    let text = collector.context.input.text;
    let (found, more) = duplicates(text, Report::FINDINGS_KEPT, POINTER_BYTES_KEPT);
    for (pointer, span) in found {
        let key = match pointer.steps().last() {
            Some(Segment::Key(key)) => key.clone(),
            _ => Cow::default(),
        };
        let location = Location::Bytes(span, Some(pointer));
        collector.report(&DUPLICATE_KEY, location, &values![key = &key]);
    }
    collector.count(&DUPLICATE_KEY, more);
}

pub(crate) static SYNTAX: Rule = Rule {
    id: "json-syntax",
    message: "Invalid JSON return from {agent}\nError: Cannot parse return as JSON",
    help: "Fix {agent} subagent return format",
    message_to_agent: ToAgent::Words("Cannot parse your return as JSON"),
    advice_to_agent: "Return one JSON object",
    explanation: "The return is not exactly one JSON value: it is empty, plain text, inside a \
                  code fence, truncated, or written in a dialect of JSON. The orchestrator \
                  parses it with a strict parser and cannot use anything else. retval never \
                  repairs a return, because a repaired return can say what its agent did not \
                  say.",
    source: "Subagent return validation, step 1; Subagent return format, validation rule 1",
    example: Example::of_returns(
        "compact",
        r#"Done! Here is the status: {"status": "READY_FOR_QA"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    ),
    ..Rule::error(Step::Json)
};

/// Reports a text that is not JSON. `extracts` says whether `--extract` would find a return in it.
pub(crate) fn not_json(collector: &mut Collector<'_, '_>, fault: &Fault, extracts: bool) {
    let suggestion = match fault.fix {
        fix if extracts => Suggestion::FixOrExtract(fix),
        fix => Suggestion::Fix(fix),
    };
    let diagnostic = Diagnostic::new(&SYNTAX, Location::Bytes(fault.place, None), &values![]);
    collector.add(diagnostic.detail(&fault.what).suggestion(suggestion));
}

pub(crate) static LIMIT: Rule = Rule {
    id: "json-limit",
    message: "Return exceeds a limit: {what}",
    help: "Fix {agent} subagent to return a short summary and to write details to artifacts",
    advice_to_agent: "Return a short summary and write details to artifacts",
    explanation: "The return is nested deeper than 128 levels, is larger than --max-bytes, or \
                  has more than 100,000 list items and unknown keys. Such a return can exhaust \
                  the programs that read it. No return format needs more than five levels and \
                  a few kilobytes.",
    source: "Subagent return format, benefits (context window protection)",
    example: Example::of_returns(
        "compact",
        r#"{"status": "READY_FOR_QA", "thoughts": "First I looked at the tables, then"}"#,
        r#"{"status": "READY_FOR_QA"}"#,
    )
    .with("--max-bytes 64 --rule compact-extra-field=off"),
    ..Rule::error(Step::Json)
};

pub(crate) fn too_large(collector: &mut Collector<'_, '_>, limit: SizeLimit, span: Span) {
    let values = values![what = Value::SizeLimit(limit)];
    collector.report(&LIMIT, Location::Bytes(span, None), &values);
}

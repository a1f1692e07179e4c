//! Step 1: the return is one JSON object that all parsers read alike.

use crate::check::{
    Collector, Context, Diagnostic, Location, Placeholder, SizeLimit, Suggestion, values,
};
use crate::document::error::FormError;
use crate::document::pointer::Pointer;
use crate::document::tree::Tree;
use crate::profile::{LengthLimit, Measured, Unit};
use crate::rule::{Rule, Step, ToAgent};
use crate::text::Span;

/// The limit for the text around a return.
const AROUND: LengthLimit = LengthLimit::at_most(400, Unit::Tokens, Measured::Return);

pub(crate) static OBJECT: Rule = Rule {
    id: "json-object",
    message: "Return is not a JSON object: found {kind}",
    advice_to_agent: "Return one JSON object",
    source: "Subagent return format 1.0, validation rules summary; Subagent return \
             format, schema",
    ..Rule::error(Step::Json)
};

pub(crate) static WRAPPED: Rule = Rule {
    id: "json-wrapped",
    message: "Return is wrapped in {what}",
    advice_to_agent: "Return nothing around it",
    source: "Subagent return format, overview (only valid JSON may be returned)",
    ..Rule::warning(Step::Json)
};

pub(crate) static WRAPPED_LONG: Rule = Rule {
    id: "json-wrapped-long",
    message: "Text around the return is too long: {length}",
    help: "Fix {agent} subagent to return nothing around it, and to write the rest to artifacts",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Return nothing around it, and write the rest to artifacts",
    source: "Subagent return format, summary (protects the orchestrator's context); Subagent \
             return format, overview (only valid JSON may be returned)",
    ..Rule::warning(Step::Json)
};

/// Checks step 1 for a text that was read.
pub(crate) fn check(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    if let Some(wrapping) = context.input.wrapping {
        let values = values![what = Placeholder::Wrapping(wrapping)];
        collector.report(&WRAPPED, Pointer::root(), &values);
        let around = around(context);
        if !AROUND.allows(around) {
            let values = values![length = Placeholder::Length(AROUND, around)];
            collector.report(&WRAPPED_LONG, Pointer::root(), &values);
        }
    }
    let Some(tree) = context.tree.filter(|_| context.profile.standard.is_none()) else {
        return;
    };
    if tree.has_duplicate_key() {
        duplicate_keys(collector, tree);
    }
    if !tree.root().is_object() {
        let kind = Placeholder::Kind(tree.root().kind());
        collector.report(&OBJECT, Pointer::root(), &values![kind = kind]);
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
    source: "Subagent return validation, step 1 (every reader must read the same)",
    ..Rule::error(Step::Json)
};

fn duplicate_keys(collector: &mut Collector<'_, '_>, tree: &Tree<'_>) {
    for member in tree.duplicate_keys() {
        if !collector.count_if_full(&DUPLICATE_KEY) {
            let place = member.key_place().unwrap_or_default();
            let location = Location::Bytes(place, Some(member.pointer()));
            collector.report(&DUPLICATE_KEY, location, &values![key = member.key()]);
        }
    }
}

pub(crate) static SYNTAX: Rule = Rule {
    id: "json-syntax",
    message: "Invalid JSON return from {agent}\nError: Cannot parse return as JSON",
    help: "Fix {agent} subagent return format",
    message_to_agent: ToAgent::Words("Cannot parse your return as JSON"),
    advice_to_agent: "Return one JSON object",
    source: "Subagent return validation, step 1; Subagent return format, validation rule 1",
    ..Rule::error(Step::Json)
};

/// Reports a text that is not JSON. `extracts` says whether `--extract` would find a return in it.
pub(crate) fn not_json(collector: &mut Collector<'_, '_>, fault: &FormError, extracts: bool) {
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
    source: "Subagent return format, benefits (context window protection)",
    ..Rule::error(Step::Json)
};

pub(crate) fn too_large(collector: &mut Collector<'_, '_>, limit: SizeLimit, span: Span) {
    let values = values![what = Placeholder::SizeLimit(limit)];
    collector.report(&LIMIT, Location::Bytes(span, None), &values);
}

//! Step 1: the return can be read in the form of its profile. In JSON it is one object that all parsers read alike.

use std::borrow::Cow;

use crate::check::rules::answered;
use crate::check::{Collector, Context, Diagnostic, Location, Placeholder, Suggestion, values};
use crate::document::error::{FormError, FormErrorKind};
use crate::document::part::PartError;
use crate::profile::ReturnPart;
use crate::profile::read::{Unreadable, inside_fence};
use crate::profile::{LengthLimit, Measured, Unit};
use crate::rule::{Rule, Step, ToAgent};
use crate::text::{Span, is_blank};

/// The limit for the text around a return.
const AROUND: LengthLimit = LengthLimit::at_most(400, Unit::Tokens, Measured::Return);

pub(crate) static OBJECT: Rule = Rule {
    id: "json-object",
    message: "Return is not a JSON object: found {kind}",
    advice_to_agent: "Return one JSON object",
    ..Rule::error(Step::Json)
};

pub(crate) static WRAPPED: Rule = Rule {
    id: "json-wrapped",
    message: "Return is wrapped in {what}",
    advice_to_agent: "Return nothing around it",
    ..Rule::warning(Step::Json)
};

pub(crate) static WRAPPED_LONG: Rule = Rule {
    id: "json-wrapped-long",
    message: "Text around the return is too long: {length}",
    help: "Fix {agent} subagent to return nothing around it, and to write the rest to artifacts",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Return nothing around it, and write the rest to artifacts",
    ..Rule::warning(Step::Json)
};

/// Checks step 1 for a text that was read: what is around it, that it is an object with each key once where its
/// format is one, and that there is something at all.
pub(crate) fn check(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let is_own = context.profile.is_own();
    let (message, text) = (context.input.whole, context.input.text);
    if is_own && is_blank(text) {
        nothing(collector, Span::new(0, text.len()));
    }
    if let Some(wrapping) = context.input.wrapping {
        let values = values![what = Placeholder::Shown(wrapping.name())];
        collector.report(&WRAPPED, Location::Whole, &values);
        let around = AROUND.measure(message) - AROUND.measure(text);
        if !AROUND.allows(around) {
            let values = values![length = Placeholder::Shown(AROUND.exceeded(around))];
            collector.report(&WRAPPED_LONG, Location::Whole, &values);
        }
    }
    let Some(tree) = context.tree else {
        return;
    };
    if tree.has_duplicate_key() {
        for member in tree.duplicate_keys() {
            if !collector.count_if_full(&DUPLICATE_KEY) {
                let values = values![key = member.key()];
                collector.report(&DUPLICATE_KEY, Location::Key(member), &values);
            }
        }
    }
    if !is_own && !tree.root().is_object() {
        let kind = Placeholder::Shown(tree.root().kind().to_string());
        collector.report(&OBJECT, Location::Whole, &values![kind = kind]);
    }
}

pub(crate) static DUPLICATE_KEY: Rule = Rule {
    id: "json-duplicate-key",
    message: "Duplicate key: {key}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write each key once",
    ..Rule::error(Step::Json)
};

pub(crate) static SYNTAX: Rule = Rule {
    id: "json-syntax",
    message: "Invalid JSON return from {agent}\nError: Cannot parse return as JSON",
    help: "Fix {agent} subagent return format",
    message_to_agent: ToAgent::Words("Return is not valid JSON"),
    advice_to_agent: "Return one JSON object",
    ..Rule::error(Step::Json)
};

/// Reports a text that is not JSON. `extracts` says whether `--extract` would find a return in it.
pub(crate) fn not_json(collector: &mut Collector<'_, '_>, fault: &FormError, extracts: bool) {
    let profile = collector.context.profile;
    let fix = profile.with_root(fault.fix);
    let fix = if extracts {
        Suggestion::FixOrExtract(fix)
    } else {
        Suggestion::Fix(fix)
    };
    syntax(
        collector,
        &SYNTAX,
        fault.place,
        &profile.with_root(&fault.what),
        fix,
    );
}

fn syntax(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    place: Span,
    what: &str,
    fix: Suggestion,
) {
    let diagnostic = Diagnostic::new(rule, Location::Bytes(place), &[]);
    collector.add(diagnostic.detail(what).suggestion(fix));
}

pub(crate) static LIMIT: Rule = Rule {
    id: "json-limit",
    message: "Return exceeds a limit: {what}",
    help: "Fix {agent} subagent to return a short summary and to write details to artifacts",
    advice_to_agent: "Return a short summary and write details to artifacts",
    ..Rule::error(Step::Json)
};

pub(crate) fn too_large(collector: &mut Collector<'_, '_>, what: &str, span: Span) {
    let values = values![what = Placeholder::Text(what)];
    collector.report(&LIMIT, Location::Bytes(span), &values);
}

pub(crate) static YAML_SYNTAX: Rule = Rule {
    id: "yaml-syntax",
    message: "Invalid YAML return from {agent}\nError: Cannot parse return as YAML",
    help: "Fix {agent} subagent return format",
    message_to_agent: ToAgent::Words("Cannot parse your return as YAML"),
    advice_to_agent: "Return one YAML document",
    ..Rule::of_own_profile(Step::Json)
};

pub(crate) static YAML_DUPLICATE_KEY: Rule = Rule {
    id: "yaml-duplicate-key",
    message: "Duplicate key: {what}",
    advice_to_agent: "Write each key once",
    ..Rule::of_own_profile(Step::Json)
};

pub(crate) static ENCODING: Rule = Rule {
    id: "return-encoding",
    message: "The return is no text: it {why}",
    help: "Fix {agent} subagent to write UTF-8",
    message_to_agent: ToAgent::Words("Your return is no text: it {why}"),
    advice_to_agent: "Write your return as UTF-8 text",
    ..Rule::of_own_profile(Step::Json)
};

pub(crate) static PART_MISSING: Rule = Rule {
    id: "part-missing",
    message: "The return is not there: no {what}",
    help: "Fix {agent} subagent to write its return as {what}",
    advice_to_agent: "Write your return as {what}",
    ..Rule::of_own_profile(Step::Json)
};

pub(crate) static PART_AMBIGUOUS: Rule = Rule {
    id: "part-ambiguous",
    message: "The return is there {count} times: {what}",
    help: "Fix {agent} subagent to write its return once",
    advice_to_agent: "Write your return once",
    ..Rule::of_own_profile(Step::Json)
};

pub(crate) static PART_NOT_LAST: Rule = Rule {
    id: "part-not-last",
    message: "Text follows the return: {what}",
    help: "Fix {agent} subagent to end with its return",
    message_to_agent: ToAgent::Words("Text follows your return: {what}"),
    advice_to_agent: "End with your return",
    ..Rule::of_own_profile(Step::Json)
};

/// Rules whose findings leave nothing that could be read.
pub(crate) const UNREADABLE: [&Rule; 6] = [
    &ENCODING,
    &PART_MISSING,
    &PART_AMBIGUOUS,
    &PART_NOT_LAST,
    &YAML_SYNTAX,
    &YAML_DUPLICATE_KEY,
];

/// Reports a message in which no return can be read.
pub(crate) fn refused(collector: &mut Collector<'_, '_>, unreadable: &Unreadable) {
    let part = collector.context.profile.part.as_ref();
    let name = part.map(ReturnPart::name).unwrap_or_default();
    match unreadable {
        Unreadable::Form(error) => not_in_form(collector, error),
        Unreadable::Part(PartError::Missing) => {
            let at = Location::Bytes(Span::default());
            collector.report(&PART_MISSING, at, &values![what = &name]);
        }
        Unreadable::Part(PartError::Ambiguous(parts)) => {
            let second = parts.get(1).copied().unwrap_or_default();
            let values = values![count = parts.len(), what = &name];
            collector.report(&PART_AMBIGUOUS, Location::Bytes(second), &values);
        }
        Unreadable::Part(PartError::NotLast(rest)) => {
            let at = Location::Bytes(*rest);
            collector.report(&PART_NOT_LAST, at, &values![what = &name]);
        }
    }
}

/// Reports bytes that are no text.
pub(crate) fn not_utf8(collector: &mut Collector<'_, '_>, fault: &FormError) {
    let at = Location::Bytes(fault.place);
    collector.report(&ENCODING, at, &values![why = &*fault.what]);
}

fn not_in_form(collector: &mut Collector<'_, '_>, error: &FormError) {
    let (at, what) = (Location::Bytes(error.place), &error.what);
    match error.kind {
        FormErrorKind::Empty => nothing(collector, error.place),
        FormErrorKind::JsonSyntax | FormErrorKind::NotUtf8 => not_json(collector, error, false),
        FormErrorKind::YamlSyntax if is_fenced(collector.context) => {
            let fix = Suggestion::FixOrExtract(UNFENCE);
            syntax(
                collector,
                &YAML_SYNTAX,
                error.place,
                "is in a Markdown fence",
                fix,
            );
        }
        FormErrorKind::YamlSyntax => {
            let fix = Suggestion::Fix(error.fix.into());
            syntax(collector, &YAML_SYNTAX, error.place, what, fix);
        }
        FormErrorKind::JsonDuplicateKey => {
            collector.report(&DUPLICATE_KEY, at, &values![key = what]);
        }
        FormErrorKind::YamlDuplicateKey => {
            collector.report(&YAML_DUPLICATE_KEY, at, &values![what = what]);
        }
        FormErrorKind::Limit => collector.report(&LIMIT, at, &values![what = what]),
    }
}

/// What to do with a fence around a return.
pub(super) const UNFENCE: Cow<'static, str> = Cow::Borrowed("return nothing around it");

/// Whether the whole message is in a fence that `--extract` would take off.
pub(super) fn is_fenced(context: &Context<'_, '_>) -> bool {
    let input = &context.input;
    let is_whole = context.profile.part.is_none() && input.wrapping.is_none();
    is_whole && inside_fence(input.text).is_some()
}

/// Reports a message with nothing in it.
fn nothing(collector: &mut Collector<'_, '_>, place: Span) {
    let values = values![why = Placeholder::Text("it is empty")];
    collector.report(&answered::MISSING, Location::Bytes(place), &values);
}

//! Step 1: the return can be read in the form of its standard.

use crate::check::rules::{answered, json};
use crate::check::{Collector, Context, Diagnostic, Location, Placeholder, Suggestion, values};
use crate::document::error::{FormError, FormErrorKind};
use crate::document::part::PartError;
use crate::profile::standard::read::{Unreadable, inside_fence};
use crate::profile::standard::{ReturnPart, Standard};
use crate::rule::{Rule, Step, ToAgent};
use crate::text::{Span, is_blank};

pub(crate) static YAML_SYNTAX: Rule = Rule {
    id: "yaml-syntax",
    message: "Invalid YAML return from {agent}\nError: Cannot parse return as YAML",
    help: "Fix {agent} subagent return format",
    message_to_agent: ToAgent::Words("Cannot parse your return as YAML"),
    advice_to_agent: "Return one YAML document",
    ..Rule::of_standard(Step::Json)
};

pub(crate) static YAML_DUPLICATE_KEY: Rule = Rule {
    id: "yaml-duplicate-key",
    message: "Duplicate key: {what}",
    advice_to_agent: "Write each key once",
    ..Rule::of_standard(Step::Json)
};

pub(crate) static ENCODING: Rule = Rule {
    id: "return-encoding",
    message: "The return is no text: it {why}",
    help: "Fix {agent} subagent to write UTF-8",
    message_to_agent: ToAgent::Words("Your return is no text: it {why}"),
    advice_to_agent: "Write your return as UTF-8 text",
    ..Rule::of_standard(Step::Json)
};

pub(crate) static PART_MISSING: Rule = Rule {
    id: "part-missing",
    message: "The return is not there: no {what}",
    help: "Fix {agent} subagent to write its return as {what}",
    advice_to_agent: "Write your return as {what}",
    ..Rule::of_standard(Step::Json)
};

pub(crate) static PART_AMBIGUOUS: Rule = Rule {
    id: "part-ambiguous",
    message: "The return is there {count} times: {what}",
    help: "Fix {agent} subagent to write its return once",
    advice_to_agent: "Write your return once",
    ..Rule::of_standard(Step::Json)
};

pub(crate) static PART_NOT_LAST: Rule = Rule {
    id: "part-not-last",
    message: "Text follows the return: {what}",
    help: "Fix {agent} subagent to end with its return",
    message_to_agent: ToAgent::Words("Text follows your return: {what}"),
    advice_to_agent: "End with your return",
    ..Rule::of_standard(Step::Json)
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
pub(crate) fn refused(
    collector: &mut Collector<'_, '_>,
    standard: &Standard,
    unreadable: &Unreadable,
) {
    match unreadable {
        Unreadable::Form(error) => not_in_form(collector, error),
        Unreadable::Part(error) => {
            let name = standard.part.as_ref().map(ReturnPart::name);
            no_part(collector, &name.unwrap_or_default(), error);
        }
    }
}

/// Reports bytes that are no text.
pub(crate) fn not_utf8(collector: &mut Collector<'_, '_>, fault: &FormError) {
    let at = Location::Bytes(fault.place, None);
    collector.report(&ENCODING, at, &values![why = &*fault.what]);
}

fn no_part(collector: &mut Collector<'_, '_>, name: &str, error: &PartError) {
    match error {
        PartError::Missing => {
            let at = Location::Bytes(Span::default(), None);
            collector.report(&PART_MISSING, at, &values![what = name]);
        }
        PartError::Ambiguous(parts) => {
            let second = parts.get(1).copied().unwrap_or_default();
            let at = Location::Bytes(second, None);
            let values = values![count = parts.len(), what = name];
            collector.report(&PART_AMBIGUOUS, at, &values);
        }
        PartError::NotLast(rest) => {
            let at = Location::Bytes(*rest, None);
            collector.report(&PART_NOT_LAST, at, &values![what = name]);
        }
    }
}

fn not_in_form(collector: &mut Collector<'_, '_>, error: &FormError) {
    let at = Location::Bytes(error.place, None);
    let values = values![what = &error.what];
    match error.kind {
        FormErrorKind::Empty => nothing(collector, error.place),
        FormErrorKind::JsonSyntax | FormErrorKind::NotUtf8 => {
            let diagnostic = Diagnostic::new(&json::SYNTAX, at, &values);
            let fix = Suggestion::Fix(error.fix);
            collector.add(diagnostic.detail(&error.what).suggestion(fix));
        }
        FormErrorKind::YamlSyntax => {
            let diagnostic = Diagnostic::new(&YAML_SYNTAX, at, &values);
            let (what, fix) = if is_fenced(collector.context) {
                ("is in a Markdown fence", Suggestion::FixOrExtract(UNFENCE))
            } else {
                (&*error.what, Suggestion::Fix(error.fix))
            };
            collector.add(diagnostic.detail(what).suggestion(fix));
        }
        FormErrorKind::JsonDuplicateKey => {
            let values = values![key = &error.what];
            collector.report(&json::DUPLICATE_KEY, at, &values);
        }
        FormErrorKind::YamlDuplicateKey => {
            collector.report(&YAML_DUPLICATE_KEY, at, &values);
        }
        FormErrorKind::Limit => collector.report(&json::LIMIT, at, &values),
    }
}

/// What to do with a fence around a return.
pub(super) const UNFENCE: &str = "return nothing around it";

/// Whether the whole message is in a fence that `--extract` would take off.
pub(super) fn is_fenced(context: &Context<'_, '_>) -> bool {
    let (input, standard) = (&context.input, context.profile.standard.as_ref());
    let is_whole = standard.is_some_and(|it| it.part.is_none()) && input.wrapping.is_none();
    is_whole && inside_fence(input.text).is_some()
}

/// Reports a message with nothing in it.
fn nothing(collector: &mut Collector<'_, '_>, place: Span) {
    let values = values![
        why = Placeholder::Text("it is empty"),
        path = Placeholder::Text(""),
        found = Placeholder::Text(""),
    ];
    collector.report(&answered::MISSING, Location::Bytes(place, None), &values);
}

/// Reports the text around a return that was extracted, and a message with nothing in it.
pub(crate) fn wrapped(collector: &mut Collector<'_, '_>) {
    let text = collector.context.input.text;
    if is_blank(text) {
        nothing(collector, Span::new(0, text.len()));
    }
    json::check(collector);
    answered::check(collector);
}

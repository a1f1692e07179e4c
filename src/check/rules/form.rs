//! Step 1: the return can be read in the form of its profile. In JSON it is one object that all parsers read alike.

use std::borrow::Cow;

use crate::check::rules::answered;
use crate::check::{Collector, Context, Diagnostic, Location, Placeholder, Suggestion, values};
use crate::document::error::{FormError, FormErrorKind};
use crate::document::part::PartError;
use crate::profile::ReturnPart;
use crate::profile::read::{Unreadable, inside_fence};
use crate::rule::{Rule, Step};
use crate::text::{Span, escape, is_blank};

pub(crate) static OBJECT: Rule = Rule::error(Step::Json, "json-object")
    .says("Return is not a JSON object: found {kind}")
    .advises("Return one JSON object");

pub(crate) static WRAPPED: Rule = Rule::warning(Step::Json, "json-wrapped")
    .says("Return is wrapped in {what}")
    .advises("Return nothing around it");

/// Checks step 1 for a text that was read: what is around it, that it is an object with each key once where its
/// format is one, and that there is something at all.
pub(crate) fn check(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let is_own = context.profile.is_own();
    if is_own && is_blank(context.input.text) {
        nothing(collector, Span::new(0, context.input.text.len()));
    }
    if let Some(wrapping) = context.input.wrapping {
        let values = values![what = Placeholder::Shown(wrapping.name())];
        collector.report(&WRAPPED, Location::Whole, &values);
    }
    let Some(tree) = context.tree else { return };
    let duplicates = tree.has_duplicate_key().then(|| tree.duplicate_keys());
    for member in duplicates.into_iter().flatten() {
        if !collector.count_if_full(&DUPLICATE_KEY) {
            let values = values![key = member.key()];
            collector.report(&DUPLICATE_KEY, Location::Key(member), &values);
        }
    }
    if !is_own && !tree.root().is_object() {
        let kind = Placeholder::Shown(tree.root().kind().to_string());
        collector.report(&OBJECT, Location::Whole, &values![kind = kind]);
    }
}

pub(crate) static DUPLICATE_KEY: Rule = Rule::error(Step::Json, "json-duplicate-key")
    .says("Duplicate key: {key}")
    .advises("Write each key once");

pub(crate) static SYNTAX: Rule = Rule::error(Step::Json, "json-syntax")
    .says("Invalid JSON return from {agent}\nError: Cannot parse return as JSON")
    .helps("Fix {agent} subagent return format")
    .advises("Return one JSON object");

/// Reports a text that is not JSON. `extracts` says whether `--extract` would find a return in it.
pub(crate) fn not_json(collector: &mut Collector<'_, '_>, fault: &FormError, extracts: bool) {
    let context = collector.context;
    let profile = context.profile;
    let (what, fix) = (profile.with_root(&fault.what), profile.with_root(fault.fix));
    let is_other = context.input.whole.trim_start().starts_with(|it| !"{[".contains(it));
    let hint = match context.expected.other_profile.filter(|_| is_other) {
        _ if extracts => Some(EXTRACT.to_owned()),
        other => other.map(|it| format!("check it with --profile {}", escape::full(it))),
    };
    let diagnostic = Diagnostic::new(&SYNTAX, Location::Bytes(fault.place), &[]);
    let diagnostic = diagnostic.detail(&what).suggestion(Suggestion::Fix(fix));
    collector.add(diagnostic.hint(hint));
}

pub(crate) static LIMIT: Rule = Rule::error(Step::Json, "json-limit")
    .says("Return exceeds a limit: {what}")
    .advises("Return a short summary and write details to artifacts");

pub(crate) fn too_large(collector: &mut Collector<'_, '_>, what: &str, span: Span) {
    let values = values![what = Placeholder::Text(what)];
    collector.report(&LIMIT, Location::Bytes(span), &values);
}

pub(crate) static YAML_SYNTAX: Rule = Rule::of_own_profile(Step::Json, "yaml-syntax")
    .says("Invalid YAML return from {agent}\nError: Cannot parse return as YAML")
    .helps("Fix {agent} subagent return format")
    .advises("Return one YAML document");

pub(crate) static YAML_DUPLICATE_KEY: Rule = Rule::of_own_profile(Step::Json, "yaml-duplicate-key")
    .says("Duplicate key: {what}")
    .advises("Write each key once");

pub(crate) static ENCODING: Rule = Rule::of_own_profile(Step::Json, "return-encoding")
    .says("The return is not text: it {why}")
    .advises("Write your return as UTF-8 text");

pub(crate) static PART_MISSING: Rule = Rule::of_own_profile(Step::Json, "part-missing")
    .says("Return not found: no {what}")
    .advises("Write your return as {what}");

pub(crate) static PART_AMBIGUOUS: Rule = Rule::of_own_profile(Step::Json, "part-ambiguous")
    .says("Return found {count} times: {what}")
    .advises("Write your return once");

pub(crate) static PART_NOT_LAST: Rule = Rule::of_own_profile(Step::Json, "part-not-last")
    .says("Text follows the return: {what}")
    .advises("End with your return");

/// Rules whose findings leave nothing that could be read.
pub(crate) const UNREADABLE: [&Rule; 6] =
    [&ENCODING, &PART_MISSING, &PART_AMBIGUOUS, &PART_NOT_LAST, &YAML_SYNTAX, &YAML_DUPLICATE_KEY];

/// Reports a message in which no return can be read.
pub(crate) fn refused(collector: &mut Collector<'_, '_>, unreadable: &Unreadable) {
    let part = collector.context.profile.part.as_ref();
    let name = part.map(ReturnPart::name).unwrap_or_default();
    let (rule, place, count) = match unreadable {
        Unreadable::Form(error) => return not_in_form(collector, error),
        Unreadable::Part(PartError::Missing) => (&PART_MISSING, Span::default(), 0),
        Unreadable::Part(PartError::Ambiguous(parts)) => {
            (&PART_AMBIGUOUS, parts.get(1).copied().unwrap_or_default(), parts.len())
        }
        Unreadable::Part(PartError::NotLast(rest)) => (&PART_NOT_LAST, *rest, 1),
    };
    let values = values![count = count, what = &name];
    collector.report(rule, Location::Bytes(place), &values);
}

pub(crate) fn not_utf8(collector: &mut Collector<'_, '_>, fault: &FormError) {
    let at = Location::Bytes(fault.place);
    collector.report(&ENCODING, at, &values![why = &*fault.what]);
}

fn not_in_form(collector: &mut Collector<'_, '_>, error: &FormError) {
    let (at, what) = (Location::Bytes(error.place), &error.what);
    match error.kind {
        FormErrorKind::Empty => nothing(collector, error.place),
        FormErrorKind::JsonSyntax | FormErrorKind::NotUtf8 => not_json(collector, error, false),
        FormErrorKind::YamlSyntax => {
            let (what, fix, hint) = if is_fenced(collector.context) {
                ("is in a Markdown fence", UNFENCE, Some(EXTRACT.to_owned()))
            } else {
                (&**what, error.fix.into(), None)
            };
            let diagnostic = Diagnostic::new(&YAML_SYNTAX, at, &[]);
            let diagnostic = diagnostic.detail(what).suggestion(Suggestion::Fix(fix));
            collector.add(diagnostic.hint(hint));
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

/// What the caller can do about it.
pub(super) const EXTRACT: &str = "accept it with --extract";

/// Whether the whole message is in a fence that `--extract` would take off.
pub(super) fn is_fenced(context: &Context<'_, '_>) -> bool {
    let input = &context.input;
    let is_whole = context.profile.part.is_none() && input.wrapping.is_none();
    is_whole && inside_fence(input.text).is_some()
}

fn nothing(collector: &mut Collector<'_, '_>, place: Span) {
    let values = values![why = Placeholder::Text("it is empty")];
    collector.report(&answered::MISSING, Location::Bytes(place), &values);
}

//! A broken rule, its message, and its location in the return before the position is known.

use std::fmt::{self, Display, Formatter, Write as _};

use crate::check::Values;
use crate::check::context::Context;
use crate::check::finding::{Finding, FindingTexts};
use crate::check::value::Placeholder;
use crate::document::Form;
use crate::document::pointer::Pointer;
use crate::document::tree::Value;
use crate::profile::Profile;
use crate::profile::told::told;
use crate::rule::{Level, Rule, Step, fill};
use crate::text::escape::{self, Untrusted};
use crate::text::{Position, Span};

/// One violation of a rule.
pub(crate) struct Diagnostic<'d> {
    pub(super) rule: &'static Rule,
    pub(super) location: Location<'d>,
    values: &'d Values<'d>,
    notes: &'d [DiagnosticNote<'d>],
    detail: Option<&'d str>,
    suggestion: Option<Suggestion<'d>>,
}

/// An extra line below the message.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DiagnosticNote<'d> {
    /// The valid statuses.
    ValidStatuses(&'d [&'d str]),
    /// The expected value.
    Expected(Untrusted<'d>),
    /// The same, and where it comes from.
    ExpectedBy(Untrusted<'d>, &'d str),
    /// The actual value.
    Got(Untrusted<'d>),
    /// What exists instead of a readable file.
    NoFile(&'static str),
    /// A finding about another document.
    Of(&'d Finding),
    /// The number of further values that are not listed.
    More(usize),
}

/// A hint for this case, after the rule's own recommendation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Suggestion<'d> {
    /// A similar valid name.
    DidYouMean(&'d str),
    /// Why the status is forbidden.
    Because(&'d str),
    /// The value of this member is null.
    IsNull(&'d str),
    /// What to write; safe to print.
    Write(&'d str),
    /// The expression that it does not fit; safe to print. Agents are not told expressions.
    Match(&'d str),
    /// How to turn the text into JSON.
    Fix(&'static str),
    /// The same for a text that `--extract` accepts.
    FixOrExtract(&'static str),
    /// The profile whose return it looks like. That is not the agent's fault.
    LooksLike(&'static Profile),
}

impl<'d> Diagnostic<'d> {
    /// A rule that is broken, with the values of the placeholders in its texts.
    pub(crate) fn new(
        rule: &'static Rule,
        location: impl Into<Location<'d>>,
        values: &'d Values<'d>,
    ) -> Self {
        Self {
            rule,
            location: location.into(),
            values,
            notes: &[],
            detail: None,
            suggestion: None,
        }
    }

    pub(crate) fn notes(self, notes: &'d [DiagnosticNote<'d>]) -> Self {
        Self { notes, ..self }
    }

    /// What is there instead, after "it".
    pub(crate) fn detail(mut self, detail: &'d str) -> Self {
        self.detail = Some(detail);
        self
    }

    pub(crate) fn suggestion(mut self, suggestion: impl Into<Option<Suggestion<'d>>>) -> Self {
        self.suggestion = suggestion.into();
        self
    }

    /// The finding, and the bytes of the return that it is about.
    pub(super) fn render(self, level: Level, context: &Context<'_, '_>) -> (Finding, Span) {
        let rule = self.rule;
        let named = Some(context.addressee());
        let known = named.filter(|_| context.knows_subagent());
        let (message, error) = rule.message_and_error();
        let mut help = self.text(rule.help(), known);
        let recommendation = help.len();
        if let Some(suggestion) = self.suggestion {
            let _ = write!(help, ": {suggestion}");
        }
        let texts = FindingTexts {
            head: self.text(["", message], named),
            error: error.map(|error| self.text(["", error], named)),
            notes: self.notes.iter().map(ToString::to_string).collect(),
            detail: self.detail.map(|detail| format!("it {detail}")),
            help,
            recommendation,
            message_to_agent: self.message_to_agent(named, context.profile.form),
            advice_to_agent: self.advice_to_agent(named),
            pointer: self.location.pointer(),
            fingerprint: 0,
        };
        let finding = Finding {
            rule,
            level,
            position: Position::START,
            end: Position::START,
            texts,
        };
        (finding, self.location.span(context))
    }

    /// An agent that wrote a text knows no pointers and no expressions: it is told in words which place is meant.
    fn message_to_agent(&self, named: Option<&str>, form: Form) -> String {
        let has_places = form == Form::Text && self.rule.step == Step::Fields;
        let keyword = self.value("key").map(ToString::to_string);
        let is_of_pattern = has_places && keyword.as_deref() == Some("pattern");
        let mut text = String::new();
        fill(&mut text, self.rule.told(), named, |text, placeholder| {
            let is_place = has_places && ["name", "what"].contains(&placeholder);
            match self.value(placeholder) {
                Some(Placeholder::Untrusted(place)) if is_place => {
                    let place = place.to_string();
                    let is_pointer = place.contains('/');
                    text.push_str(&if is_pointer {
                        told(&place, form)
                    } else {
                        place
                    });
                }
                Some(_) if is_of_pattern && placeholder == "why" => {
                    text.push_str("it is written in another way");
                }
                Some(value) => value.push_to_agent(text),
                None => {}
            }
        });
        if let Some(detail) = self.detail {
            let _ = write!(text, ": it {detail}");
        }
        text
    }

    fn advice_to_agent(&self, named: Option<&str>) -> String {
        if let Some(Suggestion::Fix(fix) | Suggestion::FixOrExtract(fix)) = self.suggestion {
            // It says all that is to be done.
            let (first, rest) = fix.split_at_checked(1).unwrap_or((fix, ""));
            return first.to_ascii_uppercase() + rest;
        }
        if let Some(Suggestion::Match(_)) = self.suggestion {
            return "Write it in the form that was asked for".to_owned();
        }
        let mut text = self.text(["", self.rule.advice_to_agent], named);
        let suggestion = self.suggestion.filter(Suggestion::is_for_agent);
        if let Some(suggestion) = suggestion {
            let _ = write!(text, ": {suggestion}");
        }
        text
    }

    /// A text with the agent's name and the values of its other placeholders.
    fn text(&self, template: [&str; 2], agent: Option<&str>) -> String {
        let mut text = String::new();
        fill(&mut text, template, agent, |text, placeholder| {
            let value = self.value(placeholder);
            debug_assert!(value.is_some(), "{}: {placeholder}", self.rule.id);
            if let Some(value) = value {
                let _ = write!(text, "{value}");
            }
        });
        text
    }

    fn value(&self, placeholder: &str) -> Option<&Placeholder<'d>> {
        let mut values = self.values.iter();
        values.find_map(|(known, value)| (*known == placeholder).then_some(value))
    }
}

impl<'d> DiagnosticNote<'d> {
    /// The expected value, and the actual one.
    pub(crate) fn compared(expected: &'d str, got: &'d str) -> [Self; 2] {
        let [expected, got] = [expected, got].map(escape::truncated);
        [Self::Expected(expected), Self::Got(got)]
    }
}

impl Display for DiagnosticNote<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::ValidStatuses(words) => {
                write!(out, "Valid statuses: {}", escape::list(words.iter()))
            }
            Self::Expected(value) => write!(out, "Expected: {value}"),
            Self::ExpectedBy(value, source) => write!(out, "Expected: {value} ({source})"),
            Self::Got(value) => write!(out, "Got: {value}"),
            Self::NoFile(what) => write!(out, "it is {what}"),
            Self::Of(finding) => match finding.detail() {
                Some(detail) => write!(out, "{}: {detail}", finding.head()),
                None => out.write_str(finding.head()),
            },
            Self::More(count) => write!(out, "and {count} more"),
        }
    }
}

impl Display for Suggestion<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::DidYouMean(word) => write!(out, "did you mean {}?", escape::truncated(word)),
            Self::Because(reason) => escape::full(reason).fmt(out),
            Self::IsNull(name) => {
                write!(out, "{} is null, give it a value", escape::truncated(name))
            }
            Self::Write(what) => out.write_str(what),
            Self::Match(expression) => write!(out, "write it so that it matches `{expression}`"),
            Self::Fix(fix) => out.write_str(fix),
            Self::FixOrExtract(fix) => write!(out, "{fix}, or accept it with --extract"),
            Self::LooksLike(profile) => {
                let id = &profile.id;
                let what = match &*profile.document {
                    document if document.starts_with("the ") => format!("{id} return"),
                    document => document.to_owned(),
                };
                write!(out, "this looks like a {what}: --profile {id}")
            }
        }
    }
}

impl Suggestion<'_> {
    fn is_for_agent(&self) -> bool {
        !matches!(self, Self::LooksLike(_))
    }
}

/// The location of a diagnostic in the return, before its position is known.
#[derive(Debug)]
pub(crate) enum Location<'d> {
    /// A value.
    Value(Pointer<'d>),
    /// The key of a member.
    Key(Pointer<'d>),
    /// Known bytes, and the pointer if there is one.
    Bytes(Span, Option<Pointer<'d>>),
    /// A value of the return by its name.
    Member(&'static str),
}

impl From<&'static str> for Location<'_> {
    fn from(member: &'static str) -> Self {
        Self::Member(member)
    }
}

impl From<Value<'_, '_>> for Location<'_> {
    fn from(value: Value<'_, '_>) -> Self {
        Self::Value(value.pointer())
    }
}

impl<'d> From<Pointer<'d>> for Location<'d> {
    fn from(pointer: Pointer<'d>) -> Self {
        Self::Value(pointer)
    }
}

impl Location<'_> {
    /// The same where values that are named are pointed at.
    pub(super) fn resolved(self, context: &Context<'_, '_>) -> Self {
        match self {
            Self::Member(name) => Self::Value(context.pointer_of(name)),
            location => location,
        }
    }

    pub(super) fn pointer_bytes(&self) -> usize {
        match self {
            Self::Value(pointer) | Self::Key(pointer) | Self::Bytes(_, Some(pointer)) => {
                pointer.bytes()
            }
            Self::Bytes(_, None) | Self::Member(_) => 0,
        }
    }

    /// The pointer of a finding, as in RFC 6901.
    pub(super) fn pointer(&self) -> Option<String> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) | Self::Bytes(_, Some(pointer)) => {
                Some(pointer.to_string())
            }
            Self::Bytes(_, None) => None,
            // The names in profiles and rules have nothing to escape.
            Self::Member(name) => Some(format!("/{name}")),
        }
    }

    /// Its bytes in the return. A text that could not be read has no values to locate.
    pub(super) fn span(&self, context: &Context<'_, '_>) -> Span {
        let Some(tree) = context.tree else {
            return match self {
                Self::Bytes(span, _) => *span,
                _ => Span::default(),
            };
        };
        match self {
            Self::Bytes(span, _) => *span,
            Self::Value(pointer) => tree.nearest(pointer).span_around(),
            Self::Key(pointer) => {
                let value = tree.nearest(pointer);
                value.key_place().unwrap_or_else(|| value.span_around())
            }
            Self::Member(name) => tree.nearest(&context.pointer_of(name)).span_around(),
        }
    }
}

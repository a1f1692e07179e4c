//! A broken rule, its message, and its location in the return before the position is known.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write as _};

use crate::check::Values;
use crate::check::context::Context;
use crate::check::finding::{Finding, FindingTexts};
use crate::check::value::Value;
use crate::document::tree::{self, Tree};
use crate::json::locate::{Spans, locate};
use crate::json::pointer::Pointer;
use crate::profile::Profile;
use crate::rule::{Level, Rule, fill};
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
    string: Option<&'d str>,
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
            string: None,
        }
    }

    /// The string at the location. If it is in the text as it is, its place need not be looked up.
    pub(crate) fn string(mut self, string: &'d str) -> Self {
        self.string = Some(string);
        self
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

    pub(super) fn render(self, level: Level, context: &Context<'_, '_>) -> Unlocated<'d> {
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
            message_to_agent: self.message_to_agent(named),
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
        Unlocated {
            finding,
            known: (self.string).and_then(|string| context.input.span_of_string(string)),
            location: self.location,
        }
    }

    fn message_to_agent(&self, named: Option<&str>) -> String {
        let mut text = String::new();
        fill(&mut text, self.rule.told(), named, |text, placeholder| {
            if let Some(value) = self.value(placeholder) {
                value.push_to_agent(text);
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

    fn value(&self, placeholder: &str) -> Option<&Value<'d>> {
        let mut values = self.values.iter();
        values.find_map(|(known, value)| (*known == placeholder).then_some(value))
    }
}

/// A finding whose position is still unknown.
pub(super) struct Unlocated<'d> {
    pub(super) finding: Finding,
    pub(super) location: Location<'d>,
    /// The bytes at the location, if they are known. Of equal keys, others may count.
    pub(super) known: Option<Span>,
}

impl<'d> Unlocated<'d> {
    /// A finding about another file, which it names.
    pub(super) fn of_file(finding: &Finding, file: &str, location: Location<'d>) -> Self {
        let mut finding = finding.clone();
        finding.texts.pointer = location.pointer();
        let (file, at) = (escape::truncated(file), finding.position);
        let note = format!("in {file}:{}:{}", at.line, at.column);
        finding.texts.notes.push(note);
        Self {
            finding,
            location,
            known: None,
        }
    }

    /// The same without borrows.
    pub(super) fn into_owned(self) -> Unlocated<'static> {
        Unlocated {
            finding: self.finding,
            location: self.location.into_owned(),
            known: self.known,
        }
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
    /// A member of the return.
    Member(&'static str),
}

impl From<&'static str> for Location<'_> {
    fn from(member: &'static str) -> Self {
        Self::Member(member)
    }
}

impl From<tree::Value<'_, '_>> for Location<'_> {
    fn from(value: tree::Value<'_, '_>) -> Self {
        Self::Value(value.pointer())
    }
}

impl<'d> From<Pointer<'d>> for Location<'d> {
    fn from(pointer: Pointer<'d>) -> Self {
        Self::Value(pointer)
    }
}

impl<'d> Location<'d> {
    /// The same without borrows.
    fn into_owned(self) -> Location<'static> {
        match self {
            Self::Value(pointer) => Location::Value(pointer.into_owned()),
            Self::Key(pointer) => Location::Key(pointer.into_owned()),
            Self::Bytes(span, pointer) => Location::Bytes(span, pointer.map(Pointer::into_owned)),
            Self::Member(name) => Location::Member(name),
        }
    }

    pub(super) fn pointer_bytes(&self) -> usize {
        match self {
            Self::Value(pointer) | Self::Key(pointer) | Self::Bytes(_, Some(pointer)) => {
                pointer.bytes()
            }
            Self::Bytes(_, None) => 0,
            Self::Member(name) => name.len(),
        }
    }

    /// The pointer of a finding, as in RFC 6901.
    fn pointer(&self) -> Option<String> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) | Self::Bytes(_, Some(pointer)) => {
                Some(pointer.to_string())
            }
            Self::Bytes(_, None) => None,
            // The names in profiles and rules have nothing to escape.
            Self::Member(name) => Some(format!("/{name}")),
        }
    }

    /// The pointer whose bytes are to be looked up in a pass over the text.
    pub(super) fn unresolved(&self) -> Option<Cow<'_, Pointer<'d>>> {
        match self {
            Self::Value(pointer) | Self::Key(pointer) => Some(Cow::Borrowed(pointer)),
            Self::Bytes(..) => None,
            Self::Member(name) => Some(Cow::Owned(Pointer::root().key(*name))),
        }
    }

    /// Its bytes, where those of its pointer are known.
    pub(super) fn span(&self, located: Spans) -> Span {
        match self {
            Self::Value(_) | Self::Member(_) => located.value,
            Self::Key(_) => located.key.unwrap_or(located.value),
            Self::Bytes(span, _) => *span,
        }
    }

    /// Its bytes in the message of a document.
    pub(super) fn find_in(&self, document: &Tree<'_>) -> Span {
        match self {
            Self::Value(pointer) | Self::Key(pointer) => document.span_at(pointer),
            Self::Bytes(span, _) => *span,
            Self::Member(name) => document.span_at(&Pointer::root().key(*name)),
        }
    }

    /// Its bytes in the text of a return without duplicate keys. Text that is not JSON has no values to
    /// locate.
    pub(super) fn find(&self, text: &str) -> Span {
        let found = self
            .unresolved()
            .and_then(|it| locate(text, &[&it], true)[0]);
        self.span(found.unwrap_or_default())
    }
}

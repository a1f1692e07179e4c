//! A broken rule, and its message.

use std::fmt::{self, Display, Formatter, Write as _};

use crate::check::context::Context;
use crate::check::finding::{Finding, FindingTexts, TextPart};
use crate::check::value::{Value, push_list};
use crate::check::{FittingRule, Location, ReportParts, Values, recycled};
use crate::profile::Profile;
use crate::rule::{Level, Rule, fill};
use crate::text::escape::{self, Untrusted};
use crate::text::{Position, Span};

/// One violation of a rule.
pub(crate) struct Diagnostic<'d> {
    pub(super) rule: &'static Rule,
    pub(super) location: Location<'d>,
    values: &'d [(&'static str, Value<'d>)],
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
    pub(crate) fn new<const PLACEHOLDERS: u32, const COUNT: usize>(
        rule: FittingRule<PLACEHOLDERS>,
        location: impl Into<Location<'d>>,
        values: &'d Values<'d, PLACEHOLDERS, COUNT>,
    ) -> Self {
        Self {
            rule: rule.0,
            location: location.into(),
            values: &values.0,
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

    pub(super) fn render(
        self,
        level: Level,
        context: &Context<'_, '_>,
        parts: ReportParts,
    ) -> Unlocated<'d> {
        let rule = self.rule;
        let named = Some(context.addressee());
        let known = named.filter(|_| context.knows_subagent());
        let help = rule.help();
        let templates = rule.message.len() + help[0].len() + help[1].len();
        let mut texts = FindingTexts::in_memory(recycled::take_text(templates + VALUES));
        let mut push = |part, template, agent| {
            texts.push(part, |text| self.fill(text, template, agent));
        };
        let (message, error) = rule.message_and_error();
        push(TextPart::Head, ["", message], named);
        if let Some(error) = error {
            push(TextPart::Error, ["", error], named);
        }
        push(TextPart::Recommendation, help, known);
        if let Some(suggestion) = self.suggestion {
            texts.push(TextPart::Suggestion, |text| {
                let _ = write!(text, ": {suggestion}");
            });
        }
        if parts.to_agent {
            texts.push(TextPart::MessageToAgent, |text| {
                self.push_message_to_agent(text, named);
            });
            texts.push(TextPart::AdviceToAgent, |text| {
                self.push_advice_to_agent(text, named);
            });
        }
        self.location.put_pointer(&mut texts);
        for note in self.notes {
            texts.extra_mut().notes.push(note.text());
        }
        if let Some(detail) = self.detail {
            texts.extra_mut().detail = Some(format!("it {detail}"));
        }
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

    fn push_message_to_agent(&self, text: &mut String, named: Option<&str>) {
        fill(text, self.rule.told(), named, |text, placeholder| {
            if let Some(value) = self.value(placeholder) {
                value.push_to_agent(text);
            }
        });
        if let Some(detail) = self.detail {
            let _ = write!(text, ": it {detail}");
        }
    }

    fn push_advice_to_agent(&self, text: &mut String, named: Option<&str>) {
        if let Some(Suggestion::Fix(fix) | Suggestion::FixOrExtract(fix)) = self.suggestion {
            // It says all that is to be done.
            let (first, rest) = fix.split_at_checked(1).unwrap_or((fix, ""));
            text.push_str(&first.to_ascii_uppercase());
            text.push_str(rest);
            return;
        }
        self.fill(text, ["", self.rule.advice_to_agent], named);
        let suggestion = self.suggestion.filter(Suggestion::is_for_agent);
        if let Some(suggestion) = suggestion {
            let _ = write!(text, ": {suggestion}");
        }
    }

    /// Appends a text with the agent's name and the values of its other placeholders.
    fn fill(&self, text: &mut String, template: [&str; 2], agent: Option<&str>) {
        fill(text, template, agent, |text, placeholder| {
            if let Some(value) = self.value(placeholder) {
                value.push_to(text);
            }
        });
    }

    fn value(&self, placeholder: &str) -> Option<&Value<'d>> {
        let mut values = self.values.iter();
        values.find_map(|(known, value)| (*known == placeholder).then_some(value))
    }
}

/// Room for the values that replace placeholders, and for the pointer, in bytes: enough for most findings
/// and most notes.
const VALUES: usize = 64;

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
        location.put_pointer(&mut finding.texts);
        let (file, at) = (escape::truncated(file), finding.position);
        let note = format!("in {file}:{}:{}", at.line, at.column);
        finding.texts.extra_mut().notes.push(note);
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

    fn text(&self) -> String {
        let mut text = recycled::take_text(VALUES);
        match self {
            Self::ValidStatuses(words) => {
                text.push_str("Valid statuses: ");
                push_list(&mut text, words);
            }
            Self::Expected(value) => {
                text.push_str("Expected: ");
                text.push_str(&value.shown());
            }
            Self::ExpectedBy(value, source) => {
                let _ = write!(text, "Expected: {} ({source})", value.shown());
            }
            Self::Got(value) => {
                text.push_str("Got: ");
                text.push_str(&value.shown());
            }
            Self::NoFile(what) => {
                text.push_str("it is ");
                text.push_str(what);
            }
            Self::Of(finding) => {
                text.push_str(finding.head());
                if let Some(detail) = finding.detail() {
                    text.push_str(": ");
                    text.push_str(detail);
                }
            }
            Self::More(count) => {
                let _ = write!(text, "and {count} more");
            }
        }
        text
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

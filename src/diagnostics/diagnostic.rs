//! A broken rule, and its message.

use std::fmt::{self, Display, Formatter, Write as _};

use crate::diagnostics::Location;
use crate::diagnostics::context::Context;
use crate::diagnostics::value::{Value, push_list};
use crate::finding::{Finding, FindingTexts, TextPart};
use crate::level::Level;
use crate::recycled;
use crate::rule::{Addressee, Rule, Template, Word};
use crate::text::Span;
use crate::text::escape::{self, Untrusted};

/// One violation of a rule.
pub(crate) struct Diagnostic<'d> {
    pub(super) rule: &'static Rule,
    pub(super) location: Location<'d>,
    words: &'d [(Word, Value<'d>)],
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
    /// How to turn the text into JSON.
    Cure(&'static str),
}

impl<'d> Diagnostic<'d> {
    pub(crate) fn new(rule: &'static Rule, location: Location<'d>) -> Self {
        Self {
            rule,
            location,
            words: &[],
            notes: &[],
            detail: None,
            suggestion: None,
            string: None,
        }
    }

    /// The string at the location. If it is in the text as it is, its place need not be looked up.
    pub(crate) fn string(self, string: &'d str) -> Self {
        Self {
            string: Some(string),
            ..self
        }
    }

    /// The values of the placeholders in the rule's message and recommendation.
    pub(crate) fn words(self, words: &'d [(Word, Value<'d>)]) -> Self {
        Self { words, ..self }
    }

    pub(crate) fn notes(self, notes: &'d [DiagnosticNote<'d>]) -> Self {
        Self { notes, ..self }
    }

    /// What is there instead, after "it".
    pub(crate) fn detail(self, detail: &'d str) -> Self {
        Self {
            detail: Some(detail),
            ..self
        }
    }

    pub(crate) fn suggestion(self, suggestion: impl Into<Option<Suggestion<'d>>>) -> Self {
        Self {
            suggestion: suggestion.into(),
            ..self
        }
    }

    /// Fills in the message and the recommendation.
    pub(super) fn render(self, level: Level, context: &Context<'_, '_>) -> Rendered<'d> {
        let rule = self.rule;
        let name = context.addressee();
        let addressee = if context.knows_subagent() {
            Addressee::Named(name)
        } else {
            Addressee::Unknown
        };
        let templates = rule.message.text().len() + rule.help.text().len();
        let mut texts = FindingTexts::in_memory(recycled::take_text(templates + VALUES));
        texts.push(TextPart::Head, |text| self.fill(text, &rule.message, name));
        if let Some(error) = rule.message.error() {
            texts.push(TextPart::Error, |text| self.fill(text, error, name));
        }
        texts.push(TextPart::Recommendation, |text| {
            fill(text, rule, self.words, &rule.help, addressee);
        });
        if let Some(suggestion) = self.suggestion {
            texts.push(TextPart::Suggestion, |text| {
                let _ = write!(text, ": {suggestion}");
            });
        }
        self.location.put_pointer(&mut texts);
        self.add_rare(&mut texts, name);
        Rendered {
            rule,
            level,
            texts,
            known: (self.string).and_then(|string| context.input.span_of_string(string)),
            location: self.location,
        }
    }

    fn add_rare(&self, texts: &mut FindingTexts, name: &str) {
        for note in self.notes {
            texts.add_note(note.text());
        }
        if let Some(detail) = self.detail {
            texts.set_detail(format!("it {detail}"));
        }
        if let Some(text) = self.to_agent(name) {
            texts.set_to_agent(text);
        }
    }

    /// The message as it is said to the agent itself, where a reason in it differs.
    fn to_agent(&self, name: &str) -> Option<String> {
        let told = |(word, value): &(Word, Value<'d>)| Some((*word, value.to_agent()?));
        let mut words: Vec<_> = self.words.iter().filter_map(told).collect();
        if words.is_empty() {
            return None;
        }
        words.extend_from_slice(self.words);
        let mut text = String::new();
        let (rule, named) = (self.rule, Addressee::Named(name));
        fill(&mut text, rule, &words, &rule.message, named);
        Some(text)
    }

    /// Appends a text with the agent's name and the values of its other placeholders.
    fn fill(&self, text: &mut String, template: &Template, name: &str) {
        fill(
            text,
            self.rule,
            self.words,
            template,
            Addressee::Named(name),
        );
    }
}

/// Room for the values that replace placeholders, and for the pointer, in bytes: enough for most findings
/// and most notes.
const VALUES: usize = 64;

fn fill(
    text: &mut String,
    rule: &Rule,
    words: &[(Word, Value<'_>)],
    template: &Template,
    addressee: Addressee<'_>,
) {
    template.fill(text, addressee, |text, word| {
        let value = words.iter().find(|(known, _)| *known == word);
        debug_assert!(value.is_some(), "{} lacks {word:?}", rule.id);
        if let Some((_, value)) = value {
            value.push_to(text);
        }
    });
}

/// A diagnostic as text; its position is still unknown.
pub(super) struct Rendered<'d> {
    pub(super) rule: &'static Rule,
    pub(super) level: Level,
    pub(super) texts: FindingTexts,
    pub(super) location: Location<'d>,
    /// The bytes at the location, if they are known. Of equal keys, others may count.
    pub(super) known: Option<Span>,
}

impl<'d> Rendered<'d> {
    /// A finding about another file, which it names.
    pub(super) fn of_file(finding: &Finding, file: &str, location: Location<'d>) -> Self {
        let mut texts = finding.texts.clone();
        location.put_pointer(&mut texts);
        let at = finding.position;
        texts.add_note(format!(
            "in {}:{}:{}",
            escape::truncated(file),
            at.line,
            at.column
        ));
        Self {
            rule: finding.rule,
            level: finding.level,
            texts,
            location,
            known: None,
        }
    }

    /// The same without borrows.
    pub(super) fn into_owned(self) -> Rendered<'static> {
        Rendered {
            rule: self.rule,
            level: self.level,
            texts: self.texts,
            location: self.location.into_owned(),
            known: self.known,
        }
    }
}

impl DiagnosticNote<'_> {
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
            Self::Cure(cure) => out.write_str(cure),
        }
    }
}

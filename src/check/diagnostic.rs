//! A broken rule, its message, and its location in the return before the position is known.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write as _};

use crate::check::context::Context;
use crate::check::finding::Finding;
use crate::document::Form;
use crate::document::tree::{Tree, Value};
use crate::profile::told::told;
use crate::rule::{Level, Rule, Step, fill};
use crate::text::escape;
use crate::text::{Position, Span};

/// The value of a placeholder in a message.
#[derive(Debug, Clone)]
pub(crate) enum Placeholder<'v> {
    /// Text from a return, a profile or an option. It is escaped, and truncated if it is long.
    Untrusted(&'v str),
    /// A text of the program itself.
    Text(&'v str),
    /// A text that was made safe to print.
    Shown(String),
}

/// Any text counts as untrusted unless it is said to be another.
impl<'v, T: AsRef<str> + ?Sized> From<&'v T> for Placeholder<'v> {
    fn from(text: &'v T) -> Self {
        Self::Untrusted(text.as_ref())
    }
}

impl From<usize> for Placeholder<'_> {
    fn from(number: usize) -> Self {
        Self::Shown(number.to_string())
    }
}

impl Display for Placeholder<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            // A message has no hole where a value is empty.
            Self::Untrusted("") => out.write_str("\"\""),
            Self::Untrusted(text) => escape::truncated(text).fmt(out),
            Self::Text(text) => out.write_str(text),
            Self::Shown(text) => out.write_str(text),
        }
    }
}

impl Placeholder<'_> {
    /// Untrusted text that does not live as long.
    pub(crate) fn cut(text: &str) -> Self {
        Self::Shown(Placeholder::Untrusted(text).to_string())
    }

    pub(crate) fn list(names: impl IntoIterator<Item: AsRef<str>>) -> Self {
        Self::Shown(escape::list(names))
    }

    /// A number of a return, which may be of any size.
    pub(crate) fn amount(amount: f64) -> Self {
        // With an exponent, a number has no 300 digits.
        let is_large = amount.abs() >= 1e15;
        Self::Shown(if is_large { format!("{amount:e}") } else { amount.to_string() })
    }
}

/// The values of the placeholders in the texts of a rule, by their names. Made by [`values`].
pub(crate) type Values<'v> = [(&'static str, Placeholder<'v>)];

/// Values of placeholders: `values![path = path, what = Placeholder::Text(what)]`.
macro_rules! values {
    ($($placeholder:ident = $value:expr),* $(,)?) => {
        [$((stringify!($placeholder), $crate::check::Placeholder::from($value))),*]
    };
}
pub(crate) use values;

/// A hint for this case, after the rule's own recommendation. Safe to print.
#[derive(Debug, Clone)]
pub(crate) enum Suggestion {
    /// For the agent, too.
    Say(String),
    /// How to turn the text into what can be read. It says all that is to be done.
    Fix(Cow<'static, str>),
}

impl Suggestion {
    pub(crate) fn did_you_mean(name: &str) -> Self {
        Self::Say(format!("did you mean {}?", escape::truncated(name)))
    }
}

impl Display for Suggestion {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Say(text) => out.write_str(text),
            Self::Fix(fix) => out.write_str(fix),
        }
    }
}

pub(crate) fn compared(expected: &str, got: &str) -> Vec<String> {
    let [expected, got] = [expected, got].map(Placeholder::Untrusted);
    vec![format!("Expected: {expected}"), format!("Got: {got}")]
}

/// Whether two numbers differ by more than rounding does.
pub(crate) fn differ(one: f64, other: f64) -> bool {
    (one - other).abs() > 1e-9
}

/// The location of a diagnostic in the return, before its position is known.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Location<'d> {
    Value(Value<'d, 'd>),
    Key(Value<'d, 'd>),
    /// A value that steps know by its name, or what should contain it.
    Member(&'static str),
    Whole,
    /// Known bytes of a text that has no values to point at.
    Bytes(Span),
}

impl From<&'static str> for Location<'_> {
    fn from(member: &'static str) -> Self {
        Self::Member(member)
    }
}

impl<'d> From<Value<'d, '_>> for Location<'d> {
    fn from(value: Value<'d, '_>) -> Self {
        Self::Value(value)
    }
}

impl Location<'_> {
    /// The pointer, as in RFC 6901, and the bytes in the return.
    pub(super) fn of(self, context: &Context<'_, '_>) -> (Option<String>, Span) {
        let of = |value: Value<'_, '_>| (Some(value.pointer().to_string()), value.span_around());
        match self {
            Self::Value(value) => of(value),
            Self::Key(member) => {
                let (pointer, around) = of(member);
                (pointer, member.key_place().unwrap_or(around))
            }
            Self::Member(name) => match context.value_of(name) {
                Some(value) => of(value),
                None => (Some(format!("/{name}")), Span::default()),
            },
            Self::Whole => {
                let span = context.tree.map(Tree::root).map(Value::span_around);
                (Some(String::new()), span.unwrap_or_default())
            }
            Self::Bytes(span) => (None, span),
        }
    }
}

pub(crate) struct Diagnostic<'d> {
    pub(super) rule: &'static Rule,
    location: Location<'d>,
    values: &'d Values<'d>,
    notes: Vec<String>,
    detail: Option<&'d str>,
    suggestion: Option<Suggestion>,
    hint: Option<String>,
}

impl<'d> Diagnostic<'d> {
    pub(crate) fn new(
        rule: &'static Rule,
        location: impl Into<Location<'d>>,
        values: &'d Values<'d>,
    ) -> Self {
        Self {
            rule,
            location: location.into(),
            values,
            notes: Vec::new(),
            detail: None,
            suggestion: None,
            hint: None,
        }
    }

    /// Extra lines below the message. Safe to print.
    pub(crate) fn notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// What is there instead, after "it".
    pub(crate) fn detail(mut self, detail: &'d str) -> Self {
        self.detail = Some(detail);
        self
    }

    pub(crate) fn suggestion(mut self, suggestion: impl Into<Option<Suggestion>>) -> Self {
        self.suggestion = suggestion.into();
        self
    }

    /// What the caller can do where it is not the agent's fault. Safe to print.
    pub(crate) fn hint(mut self, hint: impl Into<Option<String>>) -> Self {
        self.hint = hint.into();
        self
    }

    /// The finding, of which only the offsets are known, in the text of the return.
    pub(super) fn render(self, level: Level, context: &Context<'_, '_>) -> Finding {
        let rule = self.rule;
        let named = Some(context.addressee());
        let known = named.filter(|_| context.subagent().is_some());
        let (message, error) = rule.message_and_error();
        // Whoever reads of a text is told in words which place is meant, and no pointer.
        let tells_place = context.profile.form == Form::Text && rule.step == Step::Fields;
        let text = |template, agent| self.text(template, agent, tells_place);
        let mut help = text(rule.help(), known);
        let suggestion = self.suggestion.as_ref().map(ToString::to_string);
        let suggestion = match (suggestion, &self.hint) {
            (Some(suggestion), Some(hint)) => Some(format!("{suggestion}, or {hint}")),
            (suggestion, hint) => suggestion.or_else(|| hint.clone()),
        };
        if let Some(suggestion) = &suggestion {
            let _ = write!(help, ": {suggestion}");
        }
        let (pointer, span) = self.location.of(context);
        let at = |offset| Position { offset, ..Position::START };
        let mut finding = Finding {
            rule,
            level,
            position: at(span.start),
            end: at(span.end),
            head: text(["", message], named),
            error: error.map(|error| text(["", error], named)),
            detail: self.detail.map(|detail| format!("it {detail}")),
            help,
            suggestion,
            pointer,
            advice_to_agent: self.advice_to_agent(|| text(["", rule.advice], named)),
            hint: self.hint,
            notes: self.notes,
            fingerprint: 0,
        };
        finding.identify(context.input.text.get(span.start..span.end));
        finding
    }

    fn advice_to_agent(&self, advice: impl Fn() -> String) -> String {
        match &self.suggestion {
            Some(Suggestion::Fix(fix)) => {
                let (first, rest) = fix.split_at_checked(1).unwrap_or((fix, ""));
                first.to_ascii_uppercase() + rest
            }
            Some(Suggestion::Say(said)) => format!("{}: {said}", advice()),
            None => advice(),
        }
    }

    /// A text with the agent's name and the values of its other placeholders.
    fn text(&self, template: [&str; 2], agent: Option<&str>, tells_place: bool) -> String {
        let mut text = String::new();
        fill(&mut text, template, agent, |text, placeholder| {
            let mut values = self.values.iter();
            let value = values.find(|(known, _)| *known == placeholder);
            debug_assert!(value.is_some(), "{}: {placeholder}", self.rule.id);
            match value {
                Some(("name" | "what", Placeholder::Untrusted(place)))
                    if tells_place && place.contains('/') =>
                {
                    text.push_str(&told(place, Form::Text));
                }
                Some((_, value)) => {
                    let _ = write!(text, "{value}");
                }
                None => {}
            }
        });
        text
    }
}

//! One violation of a rule in a return.

mod texts;

pub(crate) use texts::{FindingTexts, TextPart};

use std::borrow::Cow;

use crate::rule::{Level, Rule};
use crate::text::Position;

/// One violation of a rule in a return. All texts except the pointer are safe to print.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// The level in this check; never [`Level::Off`].
    pub level: Level,
    /// The start of the value.
    pub position: Position,
    /// The end of the value, exclusive.
    pub end: Position,
    pub(crate) texts: FindingTexts,
}

impl Finding {
    /// The message, on one line.
    #[must_use]
    pub fn head(&self) -> &str {
        self.texts.get(TextPart::Head)
    }

    /// Additional lines, such as the expected and the actual value.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        self.texts
            .extra()
            .map_or(&[], |extra| extra.notes.as_slice())
    }

    /// What it means for the return, in the words of the document that defines the check; `None` for
    /// most rules.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        Some(self.texts.get(TextPart::Error)).filter(|error| !error.is_empty())
    }

    /// What is there instead.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.texts.extra()?.detail.as_deref()
    }

    /// The [recommendation](Self::recommendation), with a [suggestion](Self::suggestion) if there is
    /// one.
    #[must_use]
    pub fn help(&self) -> &str {
        let texts = &self.texts;
        texts.between(TextPart::Recommendation, TextPart::Suggestion)
    }

    /// What the rule recommends whenever it is broken.
    #[must_use]
    pub fn recommendation(&self) -> &str {
        self.texts.get(TextPart::Recommendation)
    }

    /// What may help in this case, such as the word that was meant.
    #[must_use]
    pub(crate) fn suggestion(&self) -> Option<&str> {
        self.texts.get(TextPart::Suggestion).strip_prefix(": ")
    }

    /// RFC 6901 pointer to the value; `None` if the text is not JSON. A missing member is reported
    /// at the object that lacks it. Not safe to print: the keys are exactly as in the return.
    #[must_use]
    pub fn pointer(&self) -> Option<&str> {
        self.texts.pointer()
    }

    /// The length of the value, in bytes.
    #[must_use]
    pub(crate) fn length(&self) -> usize {
        self.end.offset - self.position.offset
    }

    /// Identifies the finding wherever it is in the return: a hash of the rule, the pointer without
    /// indices, and the value, or the message if the value is not a scalar. 0 if
    /// [it was not asked for](crate::check::ReportParts).
    pub(crate) fn fingerprint(&self) -> u128 {
        self.texts.extra().map_or(0, |extra| extra.fingerprint)
    }

    /// The head, the notes and the detail on one line.
    #[must_use]
    pub fn message(&self) -> String {
        self.message_text().into_owned()
    }

    /// The same, without a copy if the head is all.
    pub(crate) fn message_text(&self) -> Cow<'_, str> {
        self.with_notes(self.head(), self.error())
    }

    /// What is wrong, as it is told to the agent itself, if [it was asked for](crate::check::ReportParts).
    pub(crate) fn message_to_agent(&self) -> Cow<'_, str> {
        match self.texts.get(TextPart::MessageToAgent) {
            "" => self.message_text(),
            head => self.with_notes(head, None),
        }
    }

    pub(crate) fn advice_to_agent(&self) -> &str {
        match self.texts.get(TextPart::AdviceToAgent) {
            "" => self.help(),
            advice => advice,
        }
    }

    /// A message with the notes and, after what it means for the return, the detail.
    fn with_notes<'f>(&self, head: &'f str, error: Option<&str>) -> Cow<'f, str> {
        if self.texts.extra().is_none() {
            return Cow::Borrowed(head);
        }
        let mut message = head.to_owned();
        let mut separator = " (";
        for note in self.notes() {
            message += separator;
            message += note;
            separator = "; ";
        }
        if let (Some(error), Some(detail)) = (error, self.detail()) {
            for piece in [separator, error, ": ", detail] {
                message += piece;
            }
            separator = "; ";
        }
        if separator == "; " {
            message.push(')');
        }
        Cow::Owned(message)
    }
}

//! One violation of a rule in a return, and what identifies it wherever it is in the return.

use std::hash::Hasher as _;

use siphasher::sip128::{Hasher128 as _, SipHasher24};

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
    /// The message, on one line.
    pub head: String,
    /// What it means for the return, in the words of the document that defines the check; none for
    /// most rules.
    pub error: Option<String>,
    /// Additional lines, such as the expected and the actual value.
    pub notes: Vec<String>,
    /// What is there instead.
    pub detail: Option<String>,
    /// What the rule recommends, with the suggestion if there is one.
    pub help: String,
    /// What may help in this case, such as the word that was meant.
    pub suggestion: Option<String>,
    /// RFC 6901 pointer to the value; none if the text is not JSON. A missing member is reported
    /// at the object that lacks it. Not safe to print: the keys are exactly as in the return.
    pub pointer: Option<String>,
    /// What is wrong, as it is told to the agent itself.
    pub(crate) message_to_agent: String,
    pub(crate) advice_to_agent: String,
    /// Identifies it: a hash of the rule, the pointer without indices, and the value, or the message if the
    /// value is not a scalar.
    pub(crate) fingerprint: u128,
}

impl Finding {
    /// What the rule recommends whenever it is broken.
    #[must_use]
    pub fn recommendation(&self) -> &str {
        let suggestion = self
            .suggestion
            .as_ref()
            .map_or(0, |it| ": ".len() + it.len());
        &self.help[..self.help.len() - suggestion]
    }

    /// The length of the value, in bytes.
    #[must_use]
    pub(crate) fn length(&self) -> usize {
        self.end.offset - self.position.offset
    }

    /// The head, the notes and the detail on one line.
    #[must_use]
    pub fn message(&self) -> String {
        let detail = self.error.as_ref().zip(self.detail.as_ref());
        let detail = detail.map(|(error, detail)| format!("{error}: {detail}"));
        self.with_notes(&self.head, detail)
    }

    /// The reason for which a return fails: what the head means for it, unless only the head names the file. Why
    /// a file is not accepted stands once, in the head.
    pub(crate) fn reason(&self) -> &str {
        let (message, error) = (self.rule.message, self.error.as_deref());
        let end = self
            .head
            .rfind(" (")
            .filter(|_| message.ends_with("{path} ({why})"));
        let head = &self.head[..end.unwrap_or(self.head.len())];
        error
            .filter(|_| !message.contains("{path}"))
            .unwrap_or(head)
    }

    /// The same as it is told to the agent itself.
    pub(crate) fn message_to_agent(&self) -> String {
        self.with_notes(&self.message_to_agent, None)
    }

    fn with_notes(&self, head: &str, detail: Option<String>) -> String {
        let extra: Vec<_> = self.notes.iter().cloned().chain(detail).collect();
        if extra.is_empty() {
            return head.to_owned();
        }
        format!("{head} ({})", extra.join("; "))
    }

    /// Sets the fingerprint of a finding about a value. It has none if the text is not UTF-8.
    pub(super) fn identify(&mut self, value: Option<&str>) {
        let mut fingerprint = Fingerprinter::default();
        fingerprint.part(self.rule.id);
        for key in self.pointer.iter().flat_map(|pointer| pointer.split('/')) {
            let is_index = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
            fingerprint.piece("/");
            fingerprint.piece(if is_index { "*" } else { key });
        }
        fingerprint.part("");
        let is_scalar = |value: &&str| self.pointer.is_some() && !value.starts_with(['{', '[']);
        if let Some(value) = value.filter(is_scalar) {
            fingerprint.part(value);
        } else {
            fingerprint.part(&self.head);
            self.notes.iter().for_each(|note| fingerprint.part(note));
        }
        self.fingerprint = fingerprint.finish();
    }
}

/// Makes a fingerprint of several parts: SipHash-2-4 with 128 bits and the key 0, the same on every machine and
/// in every run. After each part comes a byte that does not occur in UTF-8, so that the border between two
/// parts counts, too.
#[derive(Default)]
struct Fingerprinter(SipHasher24);

impl Fingerprinter {
    fn piece(&mut self, text: &str) {
        self.0.write(text.as_bytes());
    }

    fn part(&mut self, text: &str) {
        self.piece(text);
        self.0.write(&[0xff]);
    }

    fn finish(self) -> u128 {
        u128::from_be_bytes(self.0.finish128().as_bytes())
    }
}

/// The fingerprint of several texts.
pub(crate) fn fingerprint_of(parts: &[&str]) -> u128 {
    let mut fingerprinter = Fingerprinter::default();
    for part in parts {
        fingerprinter.part(part);
    }
    fingerprinter.finish()
}

/// A fingerprint as documents show it: 32 hexadecimal digits.
pub(crate) fn hexadecimal(fingerprint: u128) -> String {
    format!("{fingerprint:032x}")
}

/// The fingerprint of bytes as documents show it.
pub(crate) fn fingerprint(text: &[u8]) -> String {
    let mut fingerprinter = Fingerprinter::default();
    fingerprinter.0.write(text);
    hexadecimal(fingerprinter.finish())
}

/// The number of findings of one rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleCount {
    pub(crate) rule: &'static Rule,
    /// Its level in this check.
    pub(crate) level: Level,
    /// The number of findings, including those not kept.
    pub(crate) findings: usize,
}

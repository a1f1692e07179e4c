//! One violation of a rule in a return, and what identifies it wherever it is in the return.

use siphasher::sip128::SipHasher24;

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
    /// What it means for the return, in the words of the document that defines the check; none for most rules.
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
    /// What the agent itself is told to do.
    pub(crate) advice_to_agent: String,
    /// The part of the suggestion that is for the caller alone.
    pub(crate) hint: Option<String>,
    /// Identifies it: a hash of the rule, the pointer without indices, and the value, or the message if the
    /// value is not a scalar.
    pub(crate) fingerprint: u128,
}

impl Finding {
    /// What the rule recommends whenever it is broken.
    #[must_use]
    pub fn recommendation(&self) -> &str {
        let suggestion = self.suggestion.as_ref();
        let suggestion = suggestion.map_or(0, |it| ": ".len() + it.len());
        &self.help[..self.help.len() - suggestion]
    }

    #[must_use]
    pub(crate) fn length(&self) -> usize {
        self.end.offset - self.position.offset
    }

    /// The head, the notes and the detail on one line.
    #[must_use]
    pub fn message(&self) -> String {
        let detail = self.error.as_ref().zip(self.detail.as_ref());
        let detail = detail.map(|(error, detail)| format!("{error}: {detail}"));
        let extra: Vec<_> = self.notes.iter().cloned().chain(detail).collect();
        if extra.is_empty() {
            return self.head.clone();
        }
        format!("{} ({})", self.head, extra.join("; "))
    }

    /// The reason for which a return fails: what the head means for it, unless only the head names the file.
    pub(crate) fn reason(&self) -> &str {
        let error = self.error.as_deref().filter(|_| !self.rule.message.contains("{path}"));
        error.unwrap_or(&self.head)
    }

    /// Sets the fingerprint of a finding about a value. It has none if the text is not UTF-8.
    pub(super) fn identify(&mut self, value: Option<&str>) {
        let is_index = |key: &str| !key.is_empty() && key.bytes().all(|it| it.is_ascii_digit());
        let keys = self.pointer.iter().flat_map(|pointer| pointer.split('/'));
        let place = keys.flat_map(|key| ["/", if is_index(key) { "*" } else { key }]);
        let place = place.collect::<String>();
        let is_scalar = |value: &&str| self.pointer.is_some() && !value.starts_with(['{', '[']);
        let mut parts = vec![self.rule.id, &place];
        if let Some(value) = value.filter(is_scalar) {
            parts.push(value);
        } else {
            parts.push(&self.head);
            parts.extend(self.notes.iter().map(String::as_str));
        }
        self.fingerprint = fingerprint_of(&parts);
    }
}

/// The fingerprint of several parts: SipHash-2-4 with 128 bits and the key 0, the same on every machine and
/// in every run. After each part comes a byte that does not occur in UTF-8, so that the border between two
/// parts counts, too.
pub(crate) fn fingerprint_of(parts: &[&str]) -> u128 {
    let parts = parts.iter().flat_map(|part| [part.as_bytes(), &[0xff]]);
    hash(&parts.collect::<Vec<_>>().concat())
}

/// The fingerprint of bytes as documents show it.
pub(crate) fn fingerprint(text: &[u8]) -> String {
    hexadecimal(hash(text))
}

fn hash(bytes: &[u8]) -> u128 {
    u128::from_be_bytes(SipHasher24::new().hash(bytes).as_bytes())
}

/// A fingerprint as documents show it: 32 hexadecimal digits.
pub(crate) fn hexadecimal(fingerprint: u128) -> String {
    format!("{fingerprint:032x}")
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleCount {
    pub(crate) rule: &'static Rule,
    pub(crate) level: Level,
    /// The number of findings, including those not kept.
    pub(crate) findings: usize,
}

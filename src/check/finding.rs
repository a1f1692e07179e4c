//! One violation of a rule in a return, and how many a return has of each rule.

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

/// The texts of a finding.
#[derive(Debug, Clone, Default)]
pub(crate) struct FindingTexts {
    pub(crate) head: String,
    /// What stands in the line `Error: …`.
    pub(crate) error: Option<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) detail: Option<String>,
    /// The recommendation; with a suggestion, that stands behind `: `.
    pub(crate) help: String,
    /// The bytes of the recommendation.
    pub(crate) recommendation: usize,
    pub(crate) message_to_agent: String,
    pub(crate) advice_to_agent: String,
    pub(crate) pointer: Option<String>,
    pub(crate) fingerprint: u128,
}

impl Finding {
    /// The message, on one line.
    #[must_use]
    pub fn head(&self) -> &str {
        &self.texts.head
    }

    /// Additional lines, such as the expected and the actual value.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.texts.notes
    }

    /// What it means for the return, in the words of the document that defines the check; `None` for
    /// most rules.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.texts.error.as_deref()
    }

    /// What is there instead.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.texts.detail.as_deref()
    }

    /// The [recommendation](Self::recommendation), with a [suggestion](Self::suggestion) if there is
    /// one.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.texts.help
    }

    /// What the rule recommends whenever it is broken.
    #[must_use]
    pub fn recommendation(&self) -> &str {
        &self.texts.help[..self.texts.recommendation]
    }

    /// What may help in this case, such as the word that was meant.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        self.texts.help[self.texts.recommendation..].strip_prefix(": ")
    }

    /// RFC 6901 pointer to the value; `None` if the text is not JSON. A missing member is reported
    /// at the object that lacks it. Not safe to print: the keys are exactly as in the return.
    #[must_use]
    pub fn pointer(&self) -> Option<&str> {
        self.texts.pointer.as_deref()
    }

    /// The length of the value, in bytes.
    #[must_use]
    pub(crate) fn length(&self) -> usize {
        self.end.offset - self.position.offset
    }

    /// Identifies the finding wherever it is in the return: a hash of the rule, the pointer without
    /// indices, and the value, or the message if the value is not a scalar.
    #[must_use]
    pub(crate) fn fingerprint(&self) -> u128 {
        self.texts.fingerprint
    }

    /// The head, the notes and the detail on one line.
    #[must_use]
    pub fn message(&self) -> String {
        self.with_notes(self.head(), self.error())
    }

    /// What is wrong, as it is told to the agent itself.
    pub(crate) fn message_to_agent(&self) -> String {
        self.with_notes(&self.texts.message_to_agent, None)
    }

    pub(crate) fn advice_to_agent(&self) -> &str {
        match self.texts.advice_to_agent.as_str() {
            "" => self.help(),
            advice => advice,
        }
    }

    /// A message with the notes and, after what it means for the return, the detail.
    fn with_notes(&self, head: &str, error: Option<&str>) -> String {
        let mut extra = self.notes().to_vec();
        if let (Some(error), Some(detail)) = (error, self.detail()) {
            extra.push(format!("{error}: {detail}"));
        }
        if extra.is_empty() {
            return head.to_owned();
        }
        format!("{head} ({})", extra.join("; "))
    }
}

/// The number of findings of one rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleFindings {
    /// The rule.
    pub rule: &'static Rule,
    /// Its level in this check.
    pub level: Level,
    /// The number of findings, including those not kept.
    pub findings: usize,
}

/// The number of findings of each rule that was broken, in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleCounts(Vec<RuleFindings>);

impl RuleCounts {
    /// Returns the rules with findings.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &RuleFindings> {
        self.0.iter()
    }

    pub(crate) fn add(&mut self, rule: &'static Rule, level: Level, findings: usize) {
        if let Some(known) = self.0.iter_mut().find(|it| std::ptr::eq(it.rule, rule)) {
            known.findings += findings;
            return;
        }
        self.0.push(RuleFindings {
            rule,
            level,
            findings,
        });
    }

    /// Subtracts from the number of findings of a rule. A rule with no findings left is removed.
    pub(crate) fn subtract(&mut self, rule: &Rule, findings: usize) {
        self.retain(|it| {
            if it.rule.id == rule.id {
                it.findings -= findings;
            }
            it.findings > 0
        });
    }

    pub(crate) fn retain(&mut self, is_kept: impl FnMut(&mut RuleFindings) -> bool) {
        self.0.retain_mut(is_kept);
    }
}

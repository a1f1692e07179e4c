//! One violation of a rule in a return.

use crate::level::Level;
use crate::rule::Rule;
use crate::text::Position;

/// One violation of a rule in a return. All texts except the pointer are safe to print.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// The level in this check; never [`Level::Off`].
    pub level: Level,
    /// The message, on one line.
    pub head: String,
    /// The message as it is said to the agent itself, where a reason in it differs.
    pub(crate) to_agent: Option<String>,
    /// Additional lines, such as the expected and the actual value.
    pub notes: Vec<String>,
    /// What it means for the return, in the words of the document that defines the check; `None` for
    /// most rules.
    pub error: Option<String>,
    /// What is there instead.
    pub detail: Option<String>,
    /// The [recommendation](Self::recommendation), with a [suggestion](Self::suggestion) if there is
    /// one.
    pub help: String,
    /// Where the recommendation ends in `help`.
    pub(crate) recommendation: usize,
    /// RFC 6901 pointer to the value; `None` if the text is not JSON. A missing member is reported
    /// at the object that lacks it. Not safe to print: the keys are exactly as in the return.
    pub pointer: Option<String>,
    /// The start of the value.
    pub position: Position,
    /// The end of the value, exclusive.
    pub end: Position,
    /// The length in bytes.
    pub length: usize,
    /// The same wherever the finding is in the return: made of the rule, the pointer without indices,
    /// and the value; of the message if the value is no scalar. 0 if [no one asks](crate::ReportParts)
    /// for it.
    pub fingerprint: u128,
}

impl Finding {
    /// The head, the notes and the detail on one line.
    #[must_use]
    pub fn message(&self) -> String {
        self.message_of(&self.head)
    }

    /// The same with another head.
    pub(crate) fn message_of(&self, head: &str) -> String {
        let mut message = head.to_owned();
        let mut separator = " (";
        for note in &self.notes {
            message += separator;
            message += note;
            separator = "; ";
        }
        if let (Some(error), Some(detail)) = (&self.error, &self.detail) {
            for piece in [separator, error, ": ", detail] {
                message += piece;
            }
            separator = "; ";
        }
        if separator == "; " {
            message.push(')');
        }
        message
    }

    /// What the rule recommends whenever it is broken.
    #[must_use]
    pub fn recommendation(&self) -> &str {
        self.help.get(..self.recommendation).unwrap_or(&self.help)
    }

    /// What may help in this case, such as the word that was meant.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        let suggestion = self.help.get(self.recommendation..)?;
        suggestion.strip_prefix(": ")
    }
}

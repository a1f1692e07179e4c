//! One way in which a return breaks its standard.

use crate::level::Level;
use crate::rule::Rule;
use crate::text::Position;

/// One way in which a return breaks its standard. Its texts are safe to print, all but the pointer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// Its level in this check; never [`Level::Off`].
    pub level: Level,
    /// What is wrong, in a line.
    pub head: String,
    /// More lines, such as what was expected and what was found.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: String,
    /// RFC 6901 pointer to the value; none where the text is not JSON. Its keys are exactly as the
    /// return has them: not safe to print. A member that is missing is reported at the object that
    /// lacks it.
    pub pointer: Option<String>,
    /// Where it begins.
    pub position: Position,
    /// Where the text goes on after it.
    pub end: Position,
    /// How many bytes it spans.
    pub length: usize,
}

impl Finding {
    /// Head and notes as one line.
    #[must_use]
    pub fn message(&self) -> String {
        if self.notes.is_empty() {
            self.head.clone()
        } else {
            format!("{} ({})", self.head, self.notes.join("; "))
        }
    }
}

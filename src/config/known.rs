//! Messages about unknown names, with the known ones.

use std::fmt::Write as _;

use crate::text::escape;
use crate::text::suggest::nearest;

/// The message about an unknown name.
pub(super) fn unknown_name<'w>(
    what: &str,
    word: &str,
    known: impl Iterator<Item = &'w str> + Clone,
) -> String {
    /// Longer lists of names are not shown in an error.
    const LISTED: usize = 12;
    let mut message = format!("unknown {what} `{}`", escape::truncated(word));
    if let Some(meant) = nearest(word, known.clone()) {
        let _ = write!(message, "; did you mean `{meant}`?");
    } else if known.clone().nth(LISTED).is_none() {
        let _ = write!(message, "; expected {}", one_of(known));
    }
    message
}

/// The known names, for a message about what was expected.
pub(super) fn one_of<'w>(known: impl Iterator<Item = &'w str>) -> String {
    let known: Vec<_> = known.map(|word| format!("`{word}`")).collect();
    format!("one of {}", known.join(", "))
}

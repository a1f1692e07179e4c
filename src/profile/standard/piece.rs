//! The texts that a role takes.

use std::borrow::Cow;

use crate::form::Form;
use crate::form::document::PlacedValue;
use crate::json::pointer::Pointer;

/// The message that a document was read from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadMessage<'t> {
    pub(crate) form: Form,
    pub(crate) text: &'t str,
    /// If files are taken from it, the words of the standard for one that is gone.
    pub(crate) gone: Option<&'t [String]>,
}

/// A text that a role takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece<'t> {
    pub(crate) pointer: Pointer<'static>,
    /// Without marks.
    pub(crate) text: Cow<'t, str>,
    /// With the marks of the message.
    pub(crate) source: Cow<'t, str>,
    /// Whether it is the part that the expression of the role takes. Without an expression, all are.
    pub(crate) is_matched: bool,
    /// Whether another cell of its row says that it is no longer there.
    pub(crate) is_gone: bool,
    /// Why it is not certain that it is meant, if it stands in a list of files. None if it is.
    pub(crate) doubt: Option<Doubt>,
}

/// Why a text may not be one of those that a role takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// A line above it may say anything of it. If the file is not there, this is the reason.
    Introduced(&'static str),
    /// The same of the cells beside it.
    Told(&'static str),
    /// It stands beside those that are taken.
    Apart,
    /// It is a member of an object in JSON or YAML.
    Member,
}

impl<'t> Piece<'t> {
    /// A text that is taken as it is, and certainly meant.
    pub(super) fn new(pointer: Pointer<'static>, text: Cow<'t, str>, source: Cow<'t, str>) -> Self {
        Self {
            pointer,
            text,
            source,
            is_matched: true,
            is_gone: false,
            doubt: None,
        }
    }
}

/// The last line with something on it between these bytes, if what begins at the second one begins a line.
pub(crate) fn line_above(text: &str, from: usize, to: usize) -> Option<&str> {
    let (above, mark) = text.get(from..to)?.rsplit_once('\n')?;
    let mut lines = above.lines().rev().filter(|line| !line.trim().is_empty());
    lines.next().filter(|_| !mark.contains(char::is_alphabetic))
}

/// A text value as the message writes it.
pub(super) fn source<'t>(
    value: &PlacedValue<'t>,
    message: ReadMessage<'t>,
) -> Option<Cow<'t, str>> {
    let source = value.source?;
    message
        .text
        .get(source.start..source.end)
        .map(Cow::Borrowed)
}

//! How far the reader of a log has come.

use crate::error_log::scan::number::NumberPart;

/// What may come next where no token is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedToken {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    Nothing,
}

/// A token that the next bytes continue.
#[derive(Debug, Clone, Copy)]
pub(super) enum OpenToken {
    None,
    Text,
    Escape,
    /// Hexadecimal digits that are still to come.
    Digits(u8),
    Number(NumberPart),
    /// What is left of `true`, `false` or `null`.
    Word(&'static [u8]),
}

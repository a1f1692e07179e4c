//! The state of the reader of a log.

use crate::error_log::scan::number::NumberPart;

/// What may come next if no token is open.
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

/// The token that is being read. The next bytes continue it.
#[derive(Debug, Clone, Copy)]
pub(super) enum OpenToken {
    None,
    Text,
    Escape,
    /// A `\u` escape, with the number of hexadecimal digits that are still to come.
    Digits(u8),
    Number(NumberPart),
    /// The rest of `true`, `false` or `null`.
    Word(&'static [u8]),
}

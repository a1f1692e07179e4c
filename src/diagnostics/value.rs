//! What fills the words of a message.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use crate::json::extract::wrapping::Wrapping;
use crate::json::field::{Expected, Kind};
use crate::profile::LengthLimit;
use crate::text::escape::{self, Untrusted};

/// The value of a word. What is not a text of the program's own is shown through the escaper.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'v> {
    /// A text of a return, a profile or an option.
    Untrusted(Untrusted<'v>),
    /// Several such texts.
    List(&'v [Cow<'v, str>]),
    /// A text of the program.
    Text(&'static str),
    /// A number.
    Number(usize),
    /// A number of things, whose name takes an `s` in the plural.
    Count(usize, &'static str),
    /// The type that a value has.
    Kind(Kind),
    /// The type that a value should have.
    Expected(Expected),
    /// The text around a return.
    Wrapping(Wrapping),
    /// How much may be read.
    SizeLimit(SizeLimit),
    /// A length beside its limit.
    Length(LengthLimit, usize),
    /// A limit.
    Limit(LengthLimit),
}

impl<'v> Value<'v> {
    /// A text of a return, a profile or an option: shown escaped, and cut if it is long.
    pub(crate) fn untrusted(text: &'v str) -> Self {
        Self::Untrusted(escape::truncated(text))
    }
}

impl Display for Value<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untrusted(text) => text.fmt(out),
            Self::List(texts) => write_list(out, texts),
            Self::Text(text) => out.write_str(text),
            Self::Number(number) => number.fmt(out),
            Self::Count(1, name) => write!(out, "1 {name}"),
            Self::Count(count, name) => write!(out, "{count} {name}s"),
            Self::Kind(kind) => kind.fmt(out),
            Self::Expected(expected) => expected.fmt(out),
            Self::Wrapping(wrapping) => out.write_str(&wrapping.name()),
            Self::SizeLimit(limit) => limit.fmt(out),
            Self::Length(limit, length) => out.write_str(&limit.exceeded(*length)),
            Self::Limit(limit) => out.write_str(&limit.bound()),
        }
    }
}

/// A limit to what is read of a return, which is exceeded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SizeLimit {
    /// Arrays and objects inside each other.
    Depth { found: usize, most: usize },
    /// Items of lists, and keys.
    Items(usize),
    /// Bytes.
    Bytes(u64),
}

impl Display for SizeLimit {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth { found, most } => {
                write!(out, "nested {found} levels deep (limit {most})")
            }
            Self::Items(most) => write!(out, "more than {most} items and keys"),
            Self::Bytes(most) => write!(out, "larger than {most} bytes"),
        }
    }
}

/// Untrusted texts, one after the other: each escaped, full.
pub(super) fn write_list(out: &mut Formatter<'_>, texts: &[impl AsRef<str>]) -> fmt::Result {
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            out.write_str(", ")?;
        }
        escape::full(text.as_ref()).fmt(out)?;
    }
    Ok(())
}

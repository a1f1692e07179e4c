//! The values of the placeholders in messages.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write as _};

use crate::document::extract::Wrapping;
use crate::document::tree::Kind;
use crate::evidence::EvidenceReason;
use crate::profile::fields::Type;
use crate::profile::{LengthLimit, Measured};
use crate::text::count;
use crate::text::escape::{self, Untrusted};

/// The value of a placeholder. Text from outside the program is escaped for display.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Placeholder<'v> {
    /// Text from a return, a profile or an option.
    Untrusted(Untrusted<'v>),
    /// Several texts of this kind.
    List(&'v [Cow<'v, str>]),
    /// A text of the program itself.
    Text(&'static str),
    /// A number.
    Number(usize),
    /// A count of things, and their name in the singular; the plural adds an `s`.
    Count(usize, &'static str),
    /// A number of a return, which may be of any size.
    Amount(f64),
    /// A name that occurs twice in a path.
    Twice(Untrusted<'v>),
    /// The depths that fit a path of so many names.
    Depths(usize),
    /// A time span.
    Seconds(u64),
    /// The actual type of a value.
    Kind(Kind),
    /// The expected type of a value.
    Expected(Type),
    /// The text around a return.
    Wrapping(Wrapping),
    /// The size limit that was exceeded.
    SizeLimit(SizeLimit),
    /// A length and its limit.
    Length(LengthLimit, usize),
    /// A limit.
    Limit(LengthLimit),
    /// Why a claim is contradicted or unknown.
    Reason(&'v EvidenceReason),
    /// What a limit is about, at the beginning of a message.
    Measured(Measured),
}

/// Any text counts as untrusted unless it is said to be [`Placeholder::Text`]; it is truncated if it is long.
impl<'v> From<&'v str> for Placeholder<'v> {
    fn from(text: &'v str) -> Self {
        Self::Untrusted(escape::truncated(text))
    }
}

impl<'v> From<&'v Cow<'_, str>> for Placeholder<'v> {
    fn from(text: &'v Cow<'_, str>) -> Self {
        Self::from(&**text)
    }
}

impl<'v> From<&'v String> for Placeholder<'v> {
    fn from(text: &'v String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<usize> for Placeholder<'_> {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl Placeholder<'_> {
    /// Appends it as it is told to the agent itself.
    pub(super) fn push_to_agent(&self, out: &mut String) {
        let _ = match self {
            Self::Reason(reason) => out.write_str(reason.to_agent()),
            Self::Measured(measured) => {
                write!(out, "Your {}", measured.as_str().to_ascii_lowercase())
            }
            _ => write!(out, "{self}"),
        };
    }
}

impl Display for Placeholder<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untrusted(text) => text.fmt(out),
            Self::List(texts) => out.write_str(&escape::list(texts.iter())),
            Self::Text(text) => out.write_str(text),
            Self::Number(number) => number.fmt(out),
            Self::Count(number, name) => out.write_str(&count(*number, name)),
            Self::Twice(name) => write!(out, "{name} occurs twice in the path"),
            Self::Wrapping(wrapping) => out.write_str(&wrapping.name()),
            Self::Length(limit, length) => out.write_str(&limit.exceeded(*length)),
            Self::Limit(limit) => out.write_str(&limit.bound()),
            Self::Amount(amount) => write_amount(out, *amount),
            Self::Depths(0) => out.write_str("0 or more"),
            Self::Depths(1) => out.write_str("0 for a path of 1 name"),
            Self::Depths(count) => write!(out, "0 to {} for a path of {count} names", count - 1),
            Self::Seconds(seconds) => write_span(out, *seconds),
            Self::Kind(kind) => kind.fmt(out),
            Self::Expected(expected) => expected.fmt(out),
            Self::SizeLimit(limit) => limit.fmt(out),
            Self::Reason(reason) => out.write_str(reason.text()),
            Self::Measured(measured) => out.write_str(measured.as_str()),
        }
    }
}

fn write_amount(out: &mut Formatter<'_>, amount: f64) -> fmt::Result {
    /// Numbers beyond this are written with an exponent: they can have 300 digits.
    const LARGE: f64 = 1e15;
    if amount.abs() < LARGE {
        write!(out, "{amount}")
    } else {
        write!(out, "{amount:e}")
    }
}

/// Writes a time span in the largest unit of which it has at least two.
fn write_span(out: &mut Formatter<'_>, seconds: u64) -> fmt::Result {
    const UNITS: [(u64, &str); 3] = [(24 * 60 * 60, "day"), (60 * 60, "hour"), (60, "minute")];
    let unit = UNITS.iter().find(|(size, _)| seconds >= 2 * size);
    let (size, name) = unit.copied().unwrap_or((1, "second"));
    let count = seconds / size;
    let plural = if count == 1 { "" } else { "s" };
    write!(out, "{count} {name}{plural}")
}

/// A limit on the size of a return that was exceeded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SizeLimit {
    /// The depth of nested arrays and objects.
    Depth { found: usize, most: usize },
    /// The number of list items and keys.
    Items(usize),
    /// The size in bytes.
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

/// The values of the placeholders in the texts of a rule, by their names. Made by [`values`].
pub(crate) type Values<'v> = [(&'static str, Placeholder<'v>)];

/// Values of placeholders: `values![path = path, what = Placeholder::Text(what)]`.
macro_rules! values {
    ($($placeholder:ident = $value:expr),* $(,)?) => {
        [$((stringify!($placeholder), $crate::check::Placeholder::from($value))),*]
    };
}
pub(crate) use values;

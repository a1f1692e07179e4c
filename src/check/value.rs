//! The values of the placeholders in messages.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write as _};

use crate::evidence::EvidenceReason;
use crate::json::extract::wrapping::Wrapping;
use crate::json::field::{Expected, Kind};
use crate::profile::{LengthLimit, Measured};
use crate::text::append::push_str;
use crate::text::escape::{self, Untrusted};
use crate::text::{push_count, push_number};

/// The value of a placeholder. Text from outside the program is escaped for display.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'v> {
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
    Expected(Expected),
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

/// Any text counts as untrusted unless it is said to be [`Value::Text`]; it is truncated if it is long.
impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Self::Untrusted(escape::truncated(text))
    }
}

impl<'v> From<&'v Cow<'_, str>> for Value<'v> {
    fn from(text: &'v Cow<'_, str>) -> Self {
        Self::from(&**text)
    }
}

impl<'v> From<&'v String> for Value<'v> {
    fn from(text: &'v String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<usize> for Value<'_> {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl Value<'_> {
    /// Appends it as it is told to the agent itself.
    pub(super) fn push_to_agent(&self, out: &mut String) {
        match self {
            Self::Reason(reason) => out.push_str(reason.to_agent()),
            Self::Measured(measured) => {
                out.push_str("Your ");
                out.push_str(&measured.as_str().to_ascii_lowercase());
            }
            _ => self.push_to(out),
        }
    }

    /// Appends it to a text. The commonest values need no formatting.
    pub(super) fn push_to(&self, out: &mut String) {
        match self {
            Self::Untrusted(text) => push_str(out, &text.shown()),
            Self::List(texts) => push_list(out, texts),
            Self::Text(text) => push_str(out, text),
            Self::Number(number) => push_number(out, *number),
            Self::Count(count, name) => {
                push_count(out, *count, name);
            }
            Self::Twice(name) => {
                out.push_str(&name.shown());
                out.push_str(" occurs twice in the path");
            }
            Self::Wrapping(wrapping) => out.push_str(&wrapping.name()),
            Self::Length(limit, length) => out.push_str(&limit.exceeded(*length)),
            Self::Limit(limit) => out.push_str(&limit.bound()),
            Self::Amount(amount) => push_amount(out, *amount),
            Self::Depths(count) => push_depths(out, *count),
            Self::Seconds(seconds) => push_span(out, *seconds),
            Self::Kind(kind) => push(out, kind),
            Self::Expected(expected) => push(out, expected),
            Self::SizeLimit(limit) => push(out, limit),
            Self::Reason(reason) => out.push_str(reason.text()),
            Self::Measured(measured) => out.push_str(measured.as_str()),
        }
    }
}

fn push(out: &mut String, value: &dyn Display) {
    let _ = write!(out, "{value}");
}

fn push_amount(out: &mut String, amount: f64) {
    /// Numbers beyond this are written with an exponent: they can have 300 digits.
    const LARGE: f64 = 1e15;
    let _ = if amount.abs() < LARGE {
        write!(out, "{amount}")
    } else {
        write!(out, "{amount:e}")
    };
}

fn push_depths(out: &mut String, count: usize) {
    match count {
        0 => out.push_str("0 or more"),
        1 => out.push_str("0 for a path of 1 name"),
        _ => {
            let _ = write!(out, "0 to {} for a path of {count} names", count - 1);
        }
    }
}

/// Writes a time span in the largest unit of which it has at least two.
fn push_span(out: &mut String, seconds: u64) {
    const UNITS: [(u64, &str); 3] = [(24 * 60 * 60, "day"), (60 * 60, "hour"), (60, "minute")];
    let unit = UNITS.iter().find(|(size, _)| seconds >= 2 * size);
    let (size, name) = unit.copied().unwrap_or((1, "second"));
    let count = seconds / size;
    let plural = if count == 1 { "" } else { "s" };
    let _ = write!(out, "{count} {name}{plural}");
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

pub(super) fn push_list(out: &mut String, texts: &[impl AsRef<str>]) {
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        out.push_str(&escape::full(text.as_ref()).shown());
    }
}

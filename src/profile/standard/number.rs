//! Numbers in values.

use crate::form::document::{Content, PlacedValue};

/// A number, and what it is of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quantity<'v> {
    pub(crate) number: f64,
    /// The word behind the number, such as `min`. May be empty.
    pub(crate) unit: &'v str,
}

impl Quantity<'_> {
    /// Whether both are of the same, as far as they tell.
    pub(crate) fn is_like(&self, unit: &str) -> bool {
        let one = |unit: &str| unit.strip_suffix('s').unwrap_or(unit).to_lowercase();
        [self.unit, unit].contains(&"") || one(self.unit) == one(unit)
    }
}

/// The number that a value is. In a text, words may follow it: `12 tests`. One with a comma before digits is
/// none, as it may be `1,234` or a list, and one of several is none: `1 high, 2 low`. "none" is 0.
pub(crate) fn of<'v>(value: &'v PlacedValue<'_>) -> Option<Quantity<'v>> {
    match &value.content {
        // The largest one stands for all that are too large.
        Content::Number(number, _) => Some(Quantity {
            number: number.as_f64().filter(|it| it.abs() < f64::MAX)?,
            unit: "",
        }),
        Content::Text(text) => in_text(text),
        _ => None,
    }
}

fn in_text(text: &str) -> Option<Quantity<'_>> {
    let text = text.trim();
    if ["none", "zero"]
        .iter()
        .any(|it| text.eq_ignore_ascii_case(it))
    {
        let (number, unit) = (0.0, "");
        return Some(Quantity { number, unit });
    }
    let end = text.find(|it: char| !(it.is_ascii_digit() || matches!(it, '.' | '-' | '+')));
    let (number, rest) = text.split_at(end.unwrap_or(text.len()));
    let follows = rest.chars().next();
    let is_alone = !rest.contains(|it: char| it.is_ascii_digit())
        && follows.is_none_or(|it| it.is_whitespace() || matches!(it, ',' | ';' | '('));
    let number = number.strip_suffix('.').unwrap_or(number);
    let unit = rest
        .trim_start()
        .split(|it: char| !it.is_alphabetic())
        .next();
    Some(Quantity {
        number: number.parse().ok().filter(|_| is_alone)?,
        unit: unit.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::{in_text, of};
    use crate::form::{Form, ReadOptions, read};

    #[test]
    fn a_number_that_is_too_large_is_none() {
        let number = |text| {
            let value = read(Form::Json, text, &ReadOptions::default()).expect("JSON");
            of(&value).map(|it| it.number)
        };
        assert_eq!(number("1e300"), Some(1e300));
        assert_eq!(number("1e400"), None);
    }

    #[test]
    fn a_number_begins_a_text() {
        for (text, number) in [
            ("12", 12.0),
            ("12 tests", 12.0),
            ("3.", 3.0),
            ("-1.5 (x)", -1.5),
            ("None", 0.0),
        ] {
            assert_eq!(in_text(text).map(|it| it.number), Some(number), "{text}");
        }
        for text in [
            "",
            "1,234",
            "12/14",
            "v12",
            "1.2.3",
            "12:30",
            "twelve",
            "1 high, 2 low",
            "2 + 1 minor",
            "1 critical / 2 minor",
            "2 of 3 shown",
        ] {
            assert_eq!(in_text(text), None, "{text}");
        }
    }
}

//! Numbers in values.

use crate::form::document::{Content, PlacedValue};

/// The number that a value is. In a text, more may follow it: `12 tests`. One with a comma before digits is
/// none, as it may be `1,234` or a list.
pub(crate) fn of(value: &PlacedValue<'_>) -> Option<f64> {
    match &value.content {
        Content::Number(number, _) => number.as_f64(),
        Content::Text(text) => in_text(text),
        _ => None,
    }
}

fn in_text(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|it: char| !(it.is_ascii_digit() || matches!(it, '.' | '-' | '+')));
    let (number, rest) = text.split_at(end.unwrap_or(text.len()));
    let mut follows = rest.chars();
    let is_alone = match (follows.next(), follows.next()) {
        (Some(','), Some(next)) => !next.is_ascii_digit(),
        (follows, _) => {
            follows.is_none_or(|it| it.is_whitespace() || matches!(it, ',' | ';' | '('))
        }
    };
    let number = number.strip_suffix('.').unwrap_or(number);
    is_alone.then(|| number.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::in_text;

    #[test]
    fn a_number_begins_a_text() {
        for (text, number) in [
            ("12", 12.0),
            ("12 tests", 12.0),
            ("3.", 3.0),
            ("-1.5 (x)", -1.5),
        ] {
            assert_eq!(in_text(text), Some(number), "{text}");
        }
        for text in ["", "1,234", "12/14", "v12", "1.2.3", "12:30", "twelve"] {
            assert_eq!(in_text(text), None, "{text}");
        }
    }
}

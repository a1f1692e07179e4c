//! The form of JSON.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::Number;

use super::document::{Content, PlacedValue};
use super::error::{FormError, FormErrorKind};
use super::tree::{Budget, Tree};
use crate::json::fault::diagnose;
use crate::json::tokens::{Token, Walker};
use crate::text::{Span, escape};

/// Reads one JSON value of any type.
pub(super) fn read<'t>(text: &'t str, budget: &mut Budget) -> Result<PlacedValue<'t>, FormError> {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        let fault = diagnose(text, &error);
        return Err(FormError::of(FormErrorKind::JsonSyntax, fault));
    }
    let mut tree = Tree::default();
    for (token, span) in Walker::new(text) {
        let raw = &text[span.start..span.end];
        match token {
            Token::Open => {
                budget.take(1, span)?;
                tree.open(raw == "{", span.start, 0)?;
            }
            Token::Key => {
                let key = unquoted(raw, span)?;
                if !tree.key(key) {
                    return Err(duplicate(raw, span));
                }
            }
            Token::Scalar => {
                budget.take(1, span)?;
                tree.value(PlacedValue::at(scalar(raw, span)?, span));
            }
            Token::Close => {
                if let Some((value, _)) = tree.close(span.end) {
                    tree.value(value);
                }
            }
        }
    }
    Ok(tree
        .finish()
        .unwrap_or_else(|| PlacedValue::unplaced(Content::Null)))
}

fn scalar(raw: &str, span: Span) -> Result<Content<'_>, FormError> {
    Ok(match raw.as_bytes().first() {
        Some(b'"') => Content::Text(unquoted(raw, span)?),
        Some(b't' | b'f') => Content::Bool(raw == "true"),
        Some(b'n') => Content::Null,
        _ => Content::Number(number(raw), Cow::Borrowed(raw)),
    })
}

/// A number; one that no `f64` holds becomes the largest of its sign.
pub(super) fn number(raw: &str) -> Number {
    let largest = || {
        let sign = if raw.starts_with('-') { -1.0 } else { 1.0 };
        Number::from_f64(sign * f64::MAX)
    };
    let number = serde_json::from_str(raw).ok().or_else(largest);
    number.unwrap_or_else(|| Number::from(0))
}

fn unquoted(raw: &str, span: Span) -> Result<Cow<'_, str>, FormError> {
    if !raw.contains('\\') {
        return Ok(Cow::Borrowed(&raw[1..raw.len() - 1]));
    }
    let text = serde_json::from_str::<String>(raw).map(Cow::Owned);
    text.map_err(|_| FormError {
        kind: FormErrorKind::JsonSyntax,
        what: "has half a surrogate pair in a string".to_owned(),
        fix: "write the character itself or both halves",
        place: span,
    })
}

fn duplicate(key: &str, place: Span) -> FormError {
    FormError {
        kind: FormErrorKind::JsonDuplicateKey,
        what: format!("has the key {} twice in one object", escape::truncated(key)),
        fix: "write each key once",
        place,
    }
}

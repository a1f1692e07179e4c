//! The form of JSON.

use serde::de::IgnoredAny;

use super::error::{FormError, FormErrorKind};
use super::tree::{Budget, too_deep, too_many};
use crate::document::json::{self, Refused};
use crate::document::tree::Tree;
use crate::json::ITEMS_AT_MOST;
use crate::json::fault::diagnose;
use crate::json::tokens::Walker;
use crate::text::{Span, escape};

/// Reads one JSON value of any type.
pub(super) fn read(text: &str) -> Result<Tree<'_>, FormError> {
    let tree = json::read(text).map_err(|refused| why(text, refused))?;
    if !tree.has_duplicate_key() {
        return Ok(tree);
    }
    let keys = tree.duplicate_keys();
    let place = keys.first().and_then(|it| it.key_place());
    let place = place.unwrap_or_default();
    let key = escape::truncated(&text[place.start..place.end]);
    Err(FormError {
        kind: FormErrorKind::JsonDuplicateKey,
        what: format!("has the key {key} twice in one object"),
        fix: "write each key once",
        place,
    })
}

/// The same inside of a text, within the limits of the whole. None if it is no JSON.
pub(super) fn in_text<'t>(text: &'t str, budget: &mut Budget) -> Option<Tree<'t>> {
    let tree = json::read(text);
    let items = match &tree {
        Ok(tree) => tree.len(),
        Err(Refused::Items(_)) => ITEMS_AT_MOST + 1,
        Err(_) => 0,
    };
    budget.take(items, Span::default()).ok()?;
    tree.ok().filter(|it| !it.has_duplicate_key())
}

fn why(text: &str, refused: Refused) -> FormError {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return FormError::of(FormErrorKind::JsonSyntax, diagnose(text, &error));
    }
    match refused {
        Refused::Depth(at) => too_deep(Span::new(at, 1)),
        Refused::Items(end) => too_many(Span::new(end, 0)),
        Refused::Syntax => {
            let is_whole = |raw: &str| serde_json::from_str::<String>(raw).is_ok();
            let mut strings = Walker::new(text).map(|(_, span)| span);
            let half = strings.find(|it| {
                let raw = &text[it.start..it.end];
                raw.starts_with('"') && !is_whole(raw)
            });
            FormError {
                kind: FormErrorKind::JsonSyntax,
                what: "has half a surrogate pair in a string".to_owned(),
                fix: "write the character itself or both halves",
                place: half.unwrap_or_default(),
            }
        }
    }
}

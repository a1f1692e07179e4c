//! Fenced code: its name and its value.

use std::borrow::Cow;

use super::scan::fence;
use crate::form::document::{Content, PlacedValue};
use crate::form::tree::Budget;
use crate::form::{json, yaml};
use crate::text::Span;

/// The first word after an opening fence.
fn info(line: &str) -> &str {
    let (_, _, info) = fence(line).unwrap_or_default();
    info.split_whitespace().next().unwrap_or_default()
}

/// The name and the value of fenced code, whose opening line is at `fence`: data if it is JSON or says
/// that it is YAML, else the text.
pub(super) fn block<'t>(
    message: &'t str,
    fence: Span,
    content: Span,
    budget: &mut Budget,
) -> (&'t str, PlacedValue<'t>) {
    let name = info(&message[fence.start..fence.end]);
    let text = &message[content.start..content.end];
    let is_json = name.eq_ignore_ascii_case("json") || text.trim_start().starts_with(['{', '[']);
    let is_yaml = ["yaml", "yml"]
        .iter()
        .any(|it| name.eq_ignore_ascii_case(it));
    let data = match (is_yaml, is_json) {
        (true, _) => yaml::read(text, budget).ok(),
        (false, true) => json::in_text(text, budget),
        (false, false) => None,
    };
    if let Some(data) = data {
        return (
            name,
            PlacedValue::unplaced(Content::Data(data, content.start)),
        );
    }
    let text = text.trim_end_matches(['\n', '\r']);
    let value = PlacedValue {
        content: Content::Text(Cow::Borrowed(text)),
        place: Some(fence),
        source: Some(Span::new(content.start, text.len())),
    };
    (name, value)
}

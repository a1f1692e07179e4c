//! Turns diagnostics into findings: looks up their positions in the text. This pass runs only if
//! there are diagnostics.

use crate::diagnostics::diagnostic::Rendered;
use crate::diagnostics::location::Location;
use crate::diagnostics::{Context, Input};
use crate::finding::{Finding, FindingParts};
use crate::fingerprint::Fingerprinter;
use crate::json::locate::{Spans, locate};
use crate::json::pointer::Pointer;
use crate::text::{Position, Positions, Span};

/// The findings with their positions.
pub(super) fn findings(
    diagnostics: Vec<Rendered>,
    context: &Context<'_, '_>,
    parts: FindingParts,
) -> Vec<Finding> {
    if diagnostics.is_empty() {
        return Vec::new();
    }
    let input = &context.input;
    let spans = spans(&diagnostics, input.text, !context.has_duplicate_key);
    let positions = PositionTable::of(&spans, input);
    let finding = |(diagnostic, span): (Rendered, Span)| {
        let pointer = diagnostic.location.pointer().map(Pointer::text);
        let fingerprint = if parts.fingerprints {
            let value = input.text.get(span.start..span.end);
            fingerprint(&diagnostic, pointer.as_deref(), value)
        } else {
            0
        };
        Finding {
            fingerprint,
            rule: diagnostic.rule,
            level: diagnostic.level,
            head: diagnostic.head,
            to_agent: diagnostic.to_agent,
            notes: diagnostic.notes,
            error: diagnostic.error,
            detail: diagnostic.detail,
            help: diagnostic.help,
            recommendation: diagnostic.recommendation,
            pointer,
            position: positions.at(span.start),
            end: positions.at(span.end),
            length: span.end - span.start,
        }
    };
    diagnostics.into_iter().zip(spans).map(finding).collect()
}

/// The fingerprint of a diagnostic about a value. It has none if the text is not UTF-8.
fn fingerprint(diagnostic: &Rendered, pointer: Option<&str>, value: Option<&str>) -> u128 {
    let mut fingerprint = Fingerprinter::default();
    fingerprint.piece(diagnostic.rule.id);
    fingerprint.end_part();
    for key in pointer.iter().flat_map(|pointer| pointer.split('/')) {
        let is_index = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
        fingerprint.piece("/");
        fingerprint.piece(if is_index { "*" } else { key });
    }
    fingerprint.end_part();
    let value = value.filter(|value| pointer.is_some() && !value.starts_with(['{', '[']));
    if let Some(value) = value {
        fingerprint.piece(value);
    } else {
        fingerprint.piece(&diagnostic.head);
        for note in &diagnostic.notes {
            fingerprint.end_part();
            fingerprint.piece(note);
        }
    }
    fingerprint.end_part();
    fingerprint.finish()
}

/// The span of each diagnostic.
fn spans(diagnostics: &[Rendered], text: &str, is_unique: bool) -> Vec<Span> {
    let locations = || diagnostics.iter().map(|it| &it.location);
    let unresolved: Vec<&Pointer> = locations().filter_map(Location::unresolved).collect();
    // Text that is not JSON has no values to locate.
    let found = if unresolved.is_empty() {
        Vec::new()
    } else {
        locate(text, &unresolved, is_unique)
    };
    let mut found = found.into_iter();
    let mut next = || -> Spans { found.next().flatten().unwrap_or_default() };
    let span = |location: &Location| match location {
        Location::Value(_) => next().value,
        Location::Key(_) => {
            let spans = next();
            spans.key.unwrap_or(spans.value)
        }
        Location::Bytes(span, _) => *span,
    };
    locations().map(span).collect()
}

/// The positions of all the ends of spans, looked up in one pass over the text.
struct PositionTable(Vec<(usize, Position)>);

impl PositionTable {
    fn of(spans: &[Span], input: &Input<'_>) -> Self {
        let ends = spans.iter().flat_map(|it| [it.start, it.end]);
        let mut table: Vec<_> = ends.map(|offset| (offset, Position::START)).collect();
        table.sort_unstable_by_key(|(offset, _)| *offset);
        let mut positions = Positions::new(input.bytes, input.base);
        for (offset, position) in &mut table {
            *position = positions.of(input.start + *offset);
        }
        Self(table)
    }

    fn at(&self, offset: usize) -> Position {
        let index = self.0.partition_point(|(known, _)| *known < offset);
        self.0[index].1
    }
}

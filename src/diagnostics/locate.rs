//! Turns diagnostics into findings: looks up their positions in the text. This pass runs only if
//! there are diagnostics.

use crate::diagnostics::Input;
use crate::diagnostics::diagnostic::Rendered;
use crate::diagnostics::location::Location;
use crate::finding::Finding;
use crate::fingerprint::Fingerprinter;
use crate::json::locate::{Spans, locate};
use crate::json::pointer::Pointer;
use crate::text::{Position, Positions, Span};

/// The findings with their positions.
pub(super) fn findings(diagnostics: Vec<Rendered>, input: &Input<'_>) -> Vec<Finding> {
    if diagnostics.is_empty() {
        return Vec::new();
    }
    let spans = spans(&diagnostics, input.text);
    let positions = PositionTable::of(&spans, input);
    let finding = |(diagnostic, span): (Rendered, Span)| Finding {
        fingerprint: fingerprint(&diagnostic, input.text.get(span.start..span.end)),
        rule: diagnostic.rule,
        level: diagnostic.level,
        head: diagnostic.head,
        notes: diagnostic.notes,
        error: diagnostic.error,
        detail: diagnostic.detail,
        help: diagnostic.help,
        recommendation: diagnostic.recommendation,
        pointer: diagnostic.location.pointer().map(Pointer::to_string),
        position: positions.at(span.start),
        end: positions.at(span.end),
        length: span.end - span.start,
    };
    diagnostics.into_iter().zip(spans).map(finding).collect()
}

/// The fingerprint of a diagnostic about a value. It has none if the text is not UTF-8.
fn fingerprint(diagnostic: &Rendered, value: Option<&str>) -> u128 {
    let mut fingerprint = Fingerprinter::default();
    fingerprint.piece(diagnostic.rule.id);
    fingerprint.end_part();
    let pointer = diagnostic.location.pointer().map(Pointer::to_string);
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

/// The span of each diagnostic in the text of the return.
fn spans(diagnostics: &[Rendered], text: &str) -> Vec<Span> {
    let locations = || diagnostics.iter().map(|it| &it.location);
    let unresolved: Vec<&Pointer> = locations().filter_map(Location::unresolved).collect();
    // Text that is not JSON has no values to locate.
    let found = if unresolved.is_empty() {
        Vec::new()
    } else {
        locate(text, &unresolved)
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

/// A table of positions, sorted by offset.
struct PositionTable {
    positions: Vec<(usize, Position)>,
}

impl PositionTable {
    /// The positions of the starts and ends of `spans`, computed in one pass over the bytes.
    fn of(spans: &[Span], input: &Input<'_>) -> Self {
        let mut offsets: Vec<usize> = spans.iter().flat_map(|it| [it.start, it.end]).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let mut positions = Positions::new(input.bytes, input.base);
        let position = |offset| (offset, positions.of(input.start + offset));
        Self {
            positions: offsets.into_iter().map(position).collect(),
        }
    }

    /// The position of an offset, which must be in the table.
    fn at(&self, offset: usize) -> Position {
        let index = self.positions.partition_point(|(known, _)| *known < offset);
        self.positions[index].1
    }
}

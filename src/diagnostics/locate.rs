//! Turns diagnostics into findings: looks up their positions in the text. This pass runs only if
//! there are diagnostics.

use crate::diagnostics::diagnostic::Rendered;
use crate::diagnostics::location::Location;
use crate::diagnostics::{Context, Input};
use crate::finding::Finding;
use crate::fingerprint::Fingerprinter;
use crate::json::direct::locate_directly;
use crate::json::locate::locate;
use crate::json::pointer::Pointer;
use crate::parts::ReportParts;
use crate::text::{Position, Positions, Span};

/// Findings that are located one by one; more share a pass over the text.
const FEW: usize = 4;

/// The findings with their positions.
pub(super) fn findings(
    diagnostics: Vec<Rendered>,
    context: &Context<'_, '_>,
    parts: ReportParts,
) -> Vec<Finding> {
    let input = &context.input;
    if diagnostics.len() <= FEW && !context.has_duplicate_key {
        let finding = |diagnostic: Rendered| {
            let span = span(&diagnostic.location, input.text);
            let mut positions = Positions::new(input.bytes, input.base);
            let ends = [span.start, span.end].map(|offset| positions.of(input.start + offset));
            finding(diagnostic, (span, ends), input, parts)
        };
        return diagnostics.into_iter().map(finding).collect();
    }
    let spans = spans(&diagnostics, input.text, !context.has_duplicate_key);
    let positions = PositionTable::of(&spans, input);
    let finding = |(diagnostic, span): (Rendered, Span)| {
        let ends = [span.start, span.end].map(|offset| positions.at(offset));
        finding(diagnostic, (span, ends), input, parts)
    };
    diagnostics.into_iter().zip(spans).map(finding).collect()
}

/// A diagnostic with its bytes in the text, and the positions of their start and end.
fn finding(
    diagnostic: Rendered,
    (span, [position, end]): (Span, [Position; 2]),
    input: &Input<'_>,
    parts: ReportParts,
) -> Finding {
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
        position,
        end,
        length: span.end - span.start,
    }
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

/// The span of one diagnostic. Text that is not JSON has no values to locate.
fn span(location: &Location, text: &str) -> Span {
    let spans = location
        .unresolved()
        .and_then(|pointer| locate_directly(text, pointer));
    location.span(spans.unwrap_or_default())
}

/// The span of each diagnostic, looked up in one pass over the text.
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
    let span = |location: &Location| {
        let located = location.unresolved().and_then(|_| found.next().flatten());
        location.span(located.unwrap_or_default())
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

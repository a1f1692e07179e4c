//! Turns diagnostics into findings: looks up their positions in the text.

use std::borrow::Cow;

use crate::check::diagnostic::{Location, Unlocated};
use crate::check::finding::Finding;
use crate::check::fingerprint::Fingerprinter;
use crate::check::{Context, Input};
use crate::json::locate::{FoundSpans, locate};
use crate::json::pointer::Pointer;
use crate::text::{Position, Positions, Span};

/// Findings that are located one by one; more share a pass over the text.
pub(super) const FEW: usize = 4;

/// A diagnostic with its position, looked up directly in a return without duplicate keys.
pub(super) fn finding(unlocated: Unlocated<'_>, context: &Context<'_, '_>) -> Finding {
    let input = &context.input;
    let known = unlocated.known;
    let span = known.unwrap_or_else(|| match context.document {
        Some(document) => unlocated.location.find_in(document),
        None => unlocated.location.find(input.text),
    });
    let mut positions = Positions::new(input.bytes, input.base);
    let position = positions.of(input.start + span.start);
    let end = positions.of(input.start + span.end);
    located(unlocated, (span, [position, end]), input)
}

/// The findings with their positions, looked up in one pass.
pub(super) fn findings<'c>(
    diagnostics: Vec<Unlocated<'static>>,
    context: &'c Context<'_, '_>,
) -> impl Iterator<Item = Finding> + 'c {
    let input = &context.input;
    let spans = match context.document {
        Some(document) => (diagnostics.iter())
            .map(|it| it.location.find_in(document))
            .collect(),
        None => spans(&diagnostics, input.text, !context.has_duplicate_key),
    };
    let positions = PositionTable::of(&spans, input);
    let finding = move |(diagnostic, span): (Unlocated<'_>, Span)| {
        let ends = [span.start, span.end].map(|offset| positions.at(offset));
        located(diagnostic, (span, ends), input)
    };
    diagnostics.into_iter().zip(spans).map(finding)
}

/// A diagnostic with its bytes in the text, and the positions of their start and end.
fn located(
    unlocated: Unlocated<'_>,
    (span, [position, end]): (Span, [Position; 2]),
    input: &Input<'_>,
) -> Finding {
    let mut finding = unlocated.finding;
    (finding.position, finding.end) = (position, end);
    let value = input.text.get(span.start..span.end);
    finding.texts.fingerprint = fingerprint(&finding, value);
    finding
}

/// The fingerprint of a finding about a value. It has none if the text is not UTF-8.
fn fingerprint(finding: &Finding, value: Option<&str>) -> u128 {
    let pointer = finding.pointer();
    let mut fingerprint = Fingerprinter::default();
    fingerprint.piece(finding.rule.id);
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
        fingerprint.piece(finding.head());
        for note in finding.notes() {
            fingerprint.end_part();
            fingerprint.piece(note);
        }
    }
    fingerprint.end_part();
    fingerprint.finish()
}

/// The span of each diagnostic, looked up in one pass over the text.
fn spans(diagnostics: &[Unlocated<'_>], text: &str, is_unique: bool) -> Vec<Span> {
    let locations = || diagnostics.iter().map(|it| &it.location);
    let unresolved: Vec<Cow<'_, Pointer<'_>>> =
        locations().filter_map(Location::unresolved).collect();
    let wanted: Vec<&Pointer<'_>> = unresolved.iter().map(AsRef::as_ref).collect();
    // Text that is not JSON has no values to locate.
    let found = if wanted.is_empty() {
        FoundSpans::new()
    } else {
        locate(text, &wanted, is_unique)
    };
    let mut found = found.into_iter();
    let span = |location: &Location<'_>| {
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

//! The positions of findings, and what identifies them.

use crate::check::Input;
use crate::check::finding::Finding;
use crate::check::fingerprint::Fingerprinter;
use crate::text::{Position, Positions, Span};

/// Sets the positions of findings, by their bytes in the return. One pass over the text finds all of them.
pub(super) fn locate(findings: &mut [Finding], spans: &[Span], input: &Input<'_>) {
    let ends = spans.iter().flat_map(|it| [it.start, it.end]);
    let mut table: Vec<_> = ends.map(|offset| (offset, Position::START)).collect();
    table.sort_unstable_by_key(|(offset, _)| *offset);
    let mut positions = Positions::new(input.bytes, input.base);
    for (offset, position) in &mut table {
        *position = positions.of(input.start + *offset);
    }
    let at = |offset: usize| table[table.partition_point(|(known, _)| *known < offset)].1;
    for (finding, span) in findings.iter_mut().zip(spans) {
        (finding.position, finding.end) = (at(span.start), at(span.end));
    }
}

/// The fingerprint of a finding about a value. It has none if the text is not UTF-8.
pub(super) fn fingerprint(finding: &Finding, value: Option<&str>) -> u128 {
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

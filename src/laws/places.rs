//! Findings have the right positions.

use crate::{Position, Report};
use serde_json::Value;

/// Spans are inside the input and on character boundaries; lines and columns agree with counting
/// from the start.
pub(crate) fn hold(bytes: &[u8], report: &Report) {
    let text = std::str::from_utf8(bytes).ok();
    for finding in &report.findings {
        let (start, end) = (finding.position, finding.end);
        assert!(start.offset <= end.offset, "{finding:?}");
        for place in [start, end] {
            assert!(place.offset <= bytes.len(), "{finding:?}");
            assert_eq!(line(&bytes[..place.offset]), place.line, "{finding:?}");
            if let Some(text) = text {
                assert!(text.is_char_boundary(place.offset), "{finding:?}");
                assert_eq!(counted(&text[..place.offset]), place, "{finding:?}");
            }
        }
    }
}

fn line(before: &[u8]) -> usize {
    before.split(|byte| *byte == b'\n').count()
}

fn counted(before: &str) -> Position {
    let last = before.rsplit('\n').next().unwrap_or_default();
    Position {
        line: line(before.as_bytes()),
        column: 1 + last.chars().count(),
        offset: before.len(),
    }
}

/// Pointers lead to the value at the span, or to its key.
pub(crate) fn point(text: &str, start: usize, value: &Value, report: &Report) {
    for finding in &report.findings {
        let Some(pointer) = finding.pointer.as_deref() else {
            continue;
        };
        let target = value.pointer(pointer);
        let target = target.unwrap_or_else(|| panic!("{pointer:?} leads nowhere: {finding:?}"));
        let at = finding.position.offset - start;
        let span = &text[at..at + finding.length()];
        let found: Value =
            serde_json::from_str(span).unwrap_or_else(|error| panic!("{error}: {span:?}"));
        let key = pointer.rsplit_once('/').map(|(_, key)| key);
        let key = key.map(|key| Value::from(key.replace("~1", "/").replace("~0", "~")));
        let is_it = found == *target || Some(found) == key;
        assert!(is_it, "{finding:?}");
    }
}

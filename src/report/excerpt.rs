//! The line that a finding is about, with its place underlined.
//!
//! However long the line is, only the bytes near the finding that can be shown are read.

use std::io::Write as _;

use anstyle::AnsiColor;
use unicode_width::UnicodeWidthChar as _;

use crate::check::finding::Finding;
use crate::report::text::INDENT;
use crate::report::{ReportOptions, Source};
use crate::text::escape;

/// The least number of columns for the text of a line, however narrow the terminal is.
const ROOM_AT_LEAST: usize = 20;

/// What is shown for a tab: two columns, so that indentation is visible but takes little room.
const TAB: &str = "  ";

const CUT: &str = "…";

impl ReportOptions {
    /// Writes the source line and the marks under the finding, as wide as the options say.
    pub(super) fn excerpt(&self, source: &Source<'_>, finding: &Finding, out: &mut Vec<u8>) {
        let (Some(width), Some((bytes, first))) = (self.excerpts, source.bytes) else {
            return;
        };
        let number = finding.position.line.to_string();
        let frame = INDENT.len() + number.len() + " | ".len();
        let room = width.saturating_sub(frame).max(ROOM_AT_LEAST);
        let start = finding.position.offset.checked_sub(first);
        let fitted = start.and_then(|start| fit(bytes, start, finding.length(), room));
        if let Some((text, ahead, marked)) = fitted.filter(|(text, ..)| !text.trim().is_empty()) {
            let gutter = self.style(AnsiColor::Blue.on_default().bold());
            let mark = self.style_of(finding.level);
            let (blank, pad) = (" ".repeat(number.len()), " ".repeat(ahead));
            let marks = "^".repeat(marked.max(1));
            let _ = writeln!(out, "{INDENT}{gutter}{number} |{gutter:#} {text}");
            let marks = format_args!("{pad}{mark}{marks}{mark:#}");
            let _ = writeln!(out, "{INDENT}{gutter}{blank} |{gutter:#} {marks}");
        }
    }
}

/// The text around a place that fits into `room` columns, those before the mark, and those of the mark.
fn fit(bytes: &[u8], start: usize, length: usize, room: usize) -> Option<(String, usize, usize)> {
    // A character has at most four bytes.
    let reach = room * 4;
    let before = bytes.get(start.saturating_sub(reach)..start)?;
    let begin = memchr::memrchr(b'\n', before).map(|at| at + 1);
    let before = &before[begin.unwrap_or_default()..];
    // The remaining bytes of a cut character.
    let is_rest = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
    let before = &before[before.iter().take(3).take_while(is_rest).count()..];
    let rest = &bytes[start..bytes.len().min(start.saturating_add(reach))];
    let rest = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
    // Mark only the opening bracket of an object or list, not all that it contains.
    let is_open = rest.starts_with(b"{") || rest.starts_with(b"[");
    let length = if is_open { 1 } else { length };
    let (marked, after) = rest.split_at(length.min(rest.len()));

    let mut previous = None;
    let [before, marked, after] = [before, marked, after].map(|part| cells(part, &mut previous));
    let is_cut = begin.is_none() && start > reach;
    let is_whole = !is_cut && width(&before) + width(&marked) + width(&after) <= room;
    let share = if is_whole { room } else { room / 3 };
    let from = before.len() - fitting(before.iter().rev(), share);
    let is_cut = is_cut || from > 0;
    let before = &before[from..];
    let ahead = width(before) + usize::from(is_cut);
    let room = room - ahead;
    let is_all = width(&marked) + width(&after) <= room;
    let room = room - usize::from(!is_all);
    let marked = &marked[..fitting(marked.iter(), room)];
    let after = &after[..fitting(after.iter(), room - width(marked))];
    let shown = before.iter().chain(marked).chain(after);
    let shown: String = shown.map(|(shown, _)| shown.as_str()).collect();
    let cut = |is_cut| if is_cut { CUT } else { "" };
    let text = format!("{}{shown}{}", cut(is_cut), cut(!is_all));
    Some((text, ahead, width(marked)))
}

/// The text that is shown for one character, and its width in columns.
type Cell = (String, usize);

fn cells(bytes: &[u8], previous: &mut Option<char>) -> Vec<Cell> {
    let text = String::from_utf8_lossy(bytes);
    let cell = |(at, character): (usize, char)| {
        let shown = match character {
            '\t' => TAB.to_owned(),
            _ => escape::in_source(&text[at..], previous.replace(character)),
        };
        let width = shown.chars().map(|it| it.width().unwrap_or_default()).sum();
        (shown, width)
    };
    text.char_indices().map(cell).collect()
}

fn width(cells: &[Cell]) -> usize {
    cells.iter().map(|(_, width)| width).sum()
}

/// Returns how many of the cells fit into `room` columns.
fn fitting<'c>(cells: impl Iterator<Item = &'c Cell>, room: usize) -> usize {
    let mut used = 0;
    let fits = |(_, width): &&Cell| {
        used += width;
        used <= room
    };
    cells.take_while(fits).count()
}

#[cfg(test)]
mod tests {
    fn fit(text: &str, marked: &str, room: usize) -> (String, usize, usize) {
        let start = text.find(marked).expect("a place");
        super::fit(text.as_bytes(), start, marked.len(), room).expect("a line")
    }

    #[test]
    fn a_line_that_fits_is_shown_whole() {
        let text = "{\n\t\"status\": \"done\",\r\n}";
        let line = "  \"status\": \"done\",".to_owned();
        assert_eq!(fit(text, "\"done\"", 80), (line, 12, 6));
    }

    #[test]
    fn marks_stand_under_wide_and_escaped_characters() {
        let text = "\u{202e}\"表é\u{301}\": \"x\u{1b}\"";
        let (line, ahead, marked) = fit(text, "\"x\u{1b}\"", 80);
        assert_eq!(line, "\\u{202e}\"表é\u{301}\": \"x\\u{1b}\"");
        assert_eq!((ahead, marked), ("\\u{202e}\"xxe\": ".len(), "\"x\\u{1b}\"".len()));
    }

    #[test]
    fn a_long_line_is_cut_around_its_place() {
        let text = format!("{}\"done\"{}", "a".repeat(90), "b".repeat(90));
        let (line, ahead, marked) = fit(&text, "\"done\"", 30);
        assert_eq!(line, format!("…{}\"done\"{}…", "a".repeat(10), "b".repeat(12)));
        assert_eq!((ahead, marked), (11, 6));
        let (line, ahead, marked) = fit(&text, &"b".repeat(90), 30);
        assert_eq!(line, format!("…aaaa\"done\"{}…", "b".repeat(18)));
        assert_eq!((ahead, marked), (11, 18));
    }

    #[test]
    fn of_an_object_the_bracket_is_marked() {
        let text = "[1, {\"a\": 1}]";
        assert_eq!(fit(text, "{\"a\": 1}", 80), (text.to_owned(), 4, 1));
    }

    #[test]
    fn an_end_and_broken_text_have_a_mark() {
        let line = super::fit(b"{\"a\": ", 6, 0, 80).expect("a line");
        assert_eq!(line, ("{\"a\": ".to_owned(), 6, 0));
        let line = super::fit(b"a\xffb", 1, 1, 80).expect("a line");
        assert_eq!(line, ("a\u{fffd}b".to_owned(), 1, 1));
        assert!(super::fit(b"a", 2, 0, 80).is_none());
    }
}

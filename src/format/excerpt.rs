//! The line that a finding is about, with its place underlined.
//!
//! However long the line is, only the bytes near the finding that can be shown are read.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

use crate::check::finding::Finding;
use crate::format::Source;
use crate::format::options::Paint;
use crate::text::escape;

/// The least number of columns for the text of a line, however narrow the terminal is.
const ROOM_AT_LEAST: usize = 20;

/// What is shown for a tab: two columns, so that indentation is visible but takes little room.
const TAB: &str = "  ";

/// Shows that a part of the line is left out.
const CUT: &str = "…";

/// The part of a line around a finding, split at the finding.
struct MarkedLine<'b> {
    before: &'b [u8],
    marked: &'b [u8],
    after: &'b [u8],
    /// Whether the line begins before `before`.
    is_cut: bool,
}

/// The text that is shown for one character, and its width in columns.
type Cell = (String, usize);

/// Returns two lines: the source line, and the marks under the finding. Each starts with `indent` and is
/// at most `width` columns wide, unless that leaves fewer than [`ROOM_AT_LEAST`] columns for the text.
/// None if there is nothing to show.
pub(super) fn excerpt(
    source: &Source<'_>,
    finding: &Finding,
    (indent, width): (&str, usize),
    paint: Paint,
) -> Option<String> {
    let (bytes, first) = source.bytes?;
    let start = finding.position.offset.checked_sub(first)?;
    let number = finding.position.line.to_string();
    let frame = indent.len() + number.len() + " | ".len();
    let room = width.saturating_sub(frame).max(ROOM_AT_LEAST);
    let line = MarkedLine::find(bytes, start, finding.length(), room)?;
    let (text, ahead, marked) = line.fit(room);
    if text.trim().is_empty() {
        return None;
    }

    let mut lines = String::new();
    let (gutter, mark) = (paint.gutter(), paint.mark(finding.level));
    let marks = "^".repeat(marked.max(1));
    let (blank, pad) = (" ".repeat(number.len()), " ".repeat(ahead));
    let _ = writeln!(lines, "{indent}{gutter}{number} |{gutter:#} {text}");
    let _ = writeln!(
        lines,
        "{indent}{gutter}{blank} |{gutter:#} {pad}{mark}{marks}{mark:#}"
    );
    Some(lines)
}

impl<'b> MarkedLine<'b> {
    fn find(bytes: &'b [u8], start: usize, length: usize, room: usize) -> Option<Self> {
        // A character has at most four bytes.
        let reach = room * 4;
        let ahead = bytes.get(start.saturating_sub(reach)..start)?;
        let begin = memchr::memrchr(b'\n', ahead).map(|at| at + 1);
        let is_cut = begin.is_none() && start > reach;
        let before = whole_characters(&ahead[begin.unwrap_or_default()..]);
        let rest = &bytes[start..bytes.len().min(start.saturating_add(reach))];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let rest = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
        // Mark only the opening bracket of an object or list, not all that it contains.
        let length = if rest.starts_with(b"{") || rest.starts_with(b"[") {
            1
        } else {
            length
        };
        let (marked, after) = rest.split_at(length.min(rest.len()));
        Some(Self {
            before,
            marked,
            after,
            is_cut,
        })
    }

    /// Returns the text that fits into `room` columns, the number of columns before the mark, and the
    /// width of the mark.
    fn fit(&self, room: usize) -> (String, usize, usize) {
        let mut previous = None;
        let [before, marked, after] =
            [self.before, self.marked, self.after].map(|part| cells(part, &mut previous));
        let is_whole = !self.is_cut && width(&before) + width(&marked) + width(&after) <= room;
        let share = if is_whole { room } else { room / 3 };
        let from = tail(&before, share);
        let mut text = String::new();
        let is_cut = self.is_cut || from > 0;
        if is_cut {
            text.push_str(CUT);
        }
        let before = &before[from..];
        append(before, &mut text);
        let ahead = width(before) + usize::from(is_cut);
        let room = room - ahead;
        let is_all = width(&marked) + width(&after) <= room;
        let room = if is_all { room } else { room - 1 };
        let marked = &marked[..head(&marked, room)];
        append(marked, &mut text);
        let after = &after[..head(&after, room - width(marked))];
        // If the mark itself is cut, only `CUT` follows it.
        if is_all || width(marked) < room {
            append(after, &mut text);
        }
        if !is_all {
            text.push_str(CUT);
        }
        (text, ahead, width(marked))
    }
}

/// Removes the remaining bytes of a cut character from the start.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    let is_rest = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
    let rest = bytes.iter().take(3).take_while(|byte| is_rest(byte));
    &bytes[rest.count()..]
}

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

fn append(cells: &[Cell], text: &mut String) {
    text.extend(cells.iter().map(|(shown, _)| shown.as_str()));
}

/// Returns how many cells from the start fit into `room` columns.
fn head(cells: &[Cell], room: usize) -> usize {
    let mut used = 0;
    let fits = |(_, width): &&Cell| {
        used += width;
        used <= room
    };
    cells.iter().take_while(fits).count()
}

/// Returns the index of the first cell from which all the rest fits into `room` columns.
fn tail(cells: &[Cell], room: usize) -> usize {
    let mut used = 0;
    let fits = |(_, width): &&Cell| {
        used += width;
        used <= room
    };
    cells.len() - cells.iter().rev().take_while(fits).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(text: &str, marked: &str, room: usize) -> (String, usize, usize) {
        let start = text.find(marked).expect("a place");
        let line = MarkedLine::find(text.as_bytes(), start, marked.len(), room);
        line.expect("a line").fit(room)
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
        assert_eq!(
            (ahead, marked),
            ("\\u{202e}\"xxe\": ".len(), "\"x\\u{1b}\"".len())
        );
    }

    #[test]
    fn a_long_line_is_cut_around_its_place() {
        let text = format!("{}\"done\"{}", "a".repeat(90), "b".repeat(90));
        let (line, ahead, marked) = fit(&text, "\"done\"", 30);
        assert_eq!(
            line,
            format!("…{}\"done\"{}…", "a".repeat(10), "b".repeat(12))
        );
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
        let line = MarkedLine::find(b"{\"a\": ", 6, 0, 80).expect("a line");
        assert_eq!(line.fit(80), ("{\"a\": ".to_owned(), 6, 0));
        let line = MarkedLine::find(b"a\xffb", 1, 1, 80).expect("a line");
        assert_eq!(line.fit(80), ("a\u{fffd}b".to_owned(), 1, 1));
        assert!(MarkedLine::find(b"a", 2, 0, 80).is_none());
    }
}

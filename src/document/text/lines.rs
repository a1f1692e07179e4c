//! What one line is: a heading, a list item, a label, a rule, or nothing but marks.

use memchr::memchr;

use super::span;
use crate::document::name::is_emoji;
use crate::text::{Span, is_invisible};

const NAME_CHARACTERS: usize = 40;

/// How many columns deeper than a list item what belongs to it is, at least.
const STEP: usize = 2;

/// From how many columns on a line is code.
pub(super) const CODE: usize = 4;

/// The columns that a tab goes on to a multiple of.
const TAB: usize = 4;

/// A line without the white space around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextLine<'t> {
    pub(super) text: &'t str,
    /// Its text after the mark of a list item and its checkbox.
    pub(super) content: &'t str,
    pub(super) is_item: bool,
    pub(super) span: Span,
    pub(super) indent: usize,
}

impl<'t> TextLine<'t> {
    pub(super) fn new(message: &'t str, span: Span) -> Self {
        let raw = &message[span.start..span.end];
        let text = raw.trim_start();
        let space = &raw[..raw.len() - text.len()];
        let text = text.trim_end();
        let item = after_list_mark(text);
        Self {
            text,
            content: item.unwrap_or(text),
            is_item: item.is_some(),
            span: Span::new(span.start + space.len(), text.len()),
            indent: column_behind(space, 0),
        }
    }

    pub(super) fn alone(line: &'t str) -> Self {
        Self::new(line, Span::new(0, line.len()))
    }

    pub(super) fn first(message: &'t str, part: Span) -> Self {
        let bytes = &message.as_bytes()[part.start..part.end];
        let length = memchr(b'\n', bytes).unwrap_or(bytes.len());
        Self::new(message, Span::new(part.start, length))
    }

    pub(super) fn label(&self, message: &str) -> Option<TextLabel> {
        TextLabel::read(message, self.content, self.is_item)
    }

    /// Whether it is a line of a paragraph, and neither an item, a label nor bold as a whole.
    pub(super) fn is_paragraph(&self, message: &str) -> bool {
        !self.is_item && self.label(message).is_none() && self.bold().is_none()
    }

    /// The content of an item that begins with it and ends at `end`.
    pub(super) fn item(&self, end: usize) -> Span {
        span(self.span.end - self.content.len(), end)
    }

    /// Whether it is so much deeper than a list item with this indentation that it belongs to it.
    pub(super) fn is_inside(&self, indent: usize) -> bool {
        self.indent >= indent + STEP
    }

    /// The level and the text of an ATX heading.
    pub(super) fn heading(&self) -> Option<(usize, &'t str)> {
        let rest = self.text.trim_start_matches('#');
        let level = self.text.len() - rest.len();
        let is_heading =
            (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
        let closed = rest.trim_end_matches('#');
        let is_closed = closed.is_empty() || closed.ends_with([' ', '\t']);
        is_heading.then(|| (level, if is_closed { closed } else { rest }.trim()))
    }

    pub(super) fn bold(&self) -> Option<&'t str> {
        let mut marks = ["***", "___", "**", "__"].into_iter();
        let mark = marks.find(|it| self.text.starts_with(it))?;
        let inner = self.text[mark.len()..].strip_suffix(mark)?;
        let is_one = !inner.contains(mark) && inner.trim() == inner;
        (is_one && inner.contains(char::is_alphanumeric)).then_some(inner)
    }

    /// The level of the heading that it underlines, if the line before it is one.
    pub(super) fn underline(&self) -> Option<usize> {
        let level = if self.text.starts_with('=') { 1 } else { 2 };
        let rest = self.text.trim_start_matches(["=", "-"][level - 1]);
        (self.text.len() >= 3 && rest.is_empty()).then_some(level)
    }

    /// Whether it is a rule across the page, or an underline.
    pub(super) fn is_rule(&self) -> bool {
        let mark = self.text.chars().next().filter(|it| "-*_=".contains(*it));
        let is_only = || self.text.chars().all(|it| Some(it) == mark || it == ' ');
        let count = || self.text.chars().filter(|it| *it != ' ').count();
        mark.is_some() && is_only() && count() >= 3
    }

    pub(super) fn is_numbered(&self) -> bool {
        self.is_item && self.text.starts_with(|it: char| it.is_ascii_digit())
    }

    pub(super) fn is_quote(&self) -> bool {
        self.content.starts_with('>')
    }

    pub(super) fn is_tag(&self) -> bool {
        let name = self.text.strip_prefix('<').unwrap_or_default();
        let name = name.strip_prefix('/').unwrap_or(name);
        name.starts_with(|it: char| it.is_ascii_alphabetic())
            && self.text.find('>') == Some(self.text.len() - 1)
    }

    /// Its text without the marks of lists, headings and quotations, and emoji. All of it if nothing is left.
    pub(super) fn core(&self) -> &'t str {
        let (mut text, mut before) = (self.text, usize::MAX);
        while text.len() < before {
            before = text.len();
            text = after_list_mark(text).unwrap_or(text);
            text = text.trim_start_matches('>');
            let title = text.trim_start_matches('#');
            text = if title.starts_with(' ') { title } else { text };
            text = text.trim_start_matches(is_emoji).trim_start();
        }
        let text = text.trim_end_matches(|it: char| is_emoji(it) || it.is_whitespace());
        if text.is_empty() { self.text } else { text }
    }
}

/// A line that opens fenced code, or may close it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fence<'t> {
    pub(super) mark: char,
    pub(super) count: usize,
    pub(super) info: &'t str,
}

impl<'t> Fence<'t> {
    pub(super) fn read(line: &'t str) -> Option<Self> {
        let mark = line.chars().next().filter(|it| "`~".contains(*it))?;
        let info = line.trim_start_matches(mark);
        let count = line.len() - info.len();
        let is_fence = count >= 3 && !(mark == '`' && info.contains('`'));
        let info = info.trim();
        is_fence.then_some(Self { mark, count, info })
    }
}

/// The column behind white space that begins at a column.
pub(super) fn column_behind(space: &str, column: usize) -> usize {
    space.chars().fold(column, |column, it| match it {
        '\t' => (column / TAB + 1) * TAB,
        _ => column + 1,
    })
}

/// Where a part of a message is in it.
pub(crate) fn span_of(message: &str, part: &str) -> Span {
    Span::new(part.as_ptr().addr() - message.as_ptr().addr(), part.len())
}

pub(in crate::document) fn trimmed(message: &str, part: Span) -> Span {
    let text = message[part.start..part.end].trim_start();
    span_of(message, text.trim_end())
}

pub(super) fn after_list_mark(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['-', '*', '+', '•']);
    let rest = rest.or_else(|| after_number(text))?;
    if !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let rest = rest.trim_start();
    let unboxed = rest.strip_prefix('[').and_then(|it| {
        let it = it.strip_prefix([' ', 'x', 'X'])?;
        it.strip_prefix("] ")
    });
    Some(unboxed.map_or(rest, str::trim_start))
}

pub(super) fn after_number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = text.len() - rest.len();
    let rest = rest.strip_prefix(['.', ')'])?;
    (1..=9).contains(&digits).then_some(rest)
}

/// A label: its name and its value, which may be empty. Places are in the whole message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextLabel {
    pub(super) name: Span,
    pub(super) value: Span,
    pub(super) is_bold: bool,
}

impl TextLabel {
    /// The label that a part of a line begins with.
    pub(super) fn read(message: &str, part: &str, is_item: bool) -> Option<Self> {
        let is_front = |it: char| is_emoji(it) || it == ' ';
        let text = part.trim_start_matches(is_front);
        let is_marked = |mark: &&str| {
            let inner = text.strip_prefix(*mark);
            inner.is_some_and(|it| it.contains(*mark))
        };
        let mark = MARKS.into_iter().find(is_marked).unwrap_or_default();
        let inner = text[mark.len()..].trim_start_matches(is_front);
        let unnumbered = after_number(inner).filter(|it| it.starts_with(' '));
        let inner = unnumbered.map_or(inner, str::trim_start);
        // A name of allowed characters, and a colon that is not the middle of something.
        let is_part = |it: char| it.is_alphanumeric() || " _-()/&*`".contains(it);
        let mut characters = inner.char_indices().take(NAME_CHARACTERS + 6);
        let (end, colon) = characters.find(|(_, it)| !is_part(*it))?;
        let (name, rest) = (inner[..end].trim_end(), &inner[end + colon.len_utf8()..]);
        let may_follow = |it: char| it.is_whitespace() || "*_`~".contains(it);
        let is_free = rest.is_empty() || rest.starts_with(may_follow);
        let closed = name.strip_suffix(mark);
        let name = closed.unwrap_or(name).trim_end();
        let is_name = name.chars().count() <= NAME_CHARACTERS
            && name.contains(char::is_alphanumeric)
            && !name.contains(['*', '`'])
            && !name.starts_with('/');
        // A list has commands and paths in backticks, with what is said of them.
        let is_code = mark == "`" && (is_item || name.contains('/'));
        if !is_name || is_code || !(colon == '：' || colon == ':' && is_free) {
            return None;
        }
        let value = match (closed, rest.split_once(mark)) {
            // The colon is inside of the marks, of which the value may be a part.
            (None, Some(("", after))) => after,
            (None, Some((inside, after))) if after.trim().is_empty() => inside,
            (None, None) => return None,
            _ => rest,
        };
        Some(Self {
            name: span_of(message, name),
            value: span_of(message, value.trim()),
            is_bold: mark.len() > 1,
        })
    }
}

/// Whether a line can have this name as a label. If not, a heading can.
pub(crate) fn is_label_name(name: &str) -> bool {
    let line = format!("{name}:");
    TextLabel::read(&line, &line, false).is_some()
}

const MARKS: [&str; 6] = ["***", "**", "__", "*", "_", "`"];

/// Whether there is nothing on the lines of a text: only rules, fences, empty items, quotations, tags and comments,
/// what shows as white space or not at all, or a table without rows.
pub(crate) fn is_hollow(text: &str) -> bool {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.fold(first, |text, part| match part.split_once("-->") {
        Some((_, behind)) => text + behind,
        None => text + "<!--" + part,
    });
    let mut lines = text.lines().map(str::trim).filter(|line| !is_mark(line));
    let last = || text.trim_end().lines().next_back().unwrap_or_default();
    let Some(first) = lines.next() else {
        return true;
    };
    first.contains('|') && lines.next().is_none() && is_ruler(last())
}

/// A line without the mark of an item or a quotation.
pub(crate) fn in_item(line: &str) -> &str {
    let line = TextLine::alone(line.trim().trim_start_matches(['>', ' ']));
    if line.content.is_empty() { line.text } else { line.content }
}

/// Whether a line has no more on it than a mark. One hyphen is an answer.
fn is_mark(line: &str) -> bool {
    let inner = in_item(line);
    inner.chars().all(|it| it.is_control() || is_invisible(it))
        || inner == "[ ]"
        || Fence::read(inner).is_some()
        || is_ruler(line)
        || TextLine::alone(line).is_rule()
        || is_tags(inner)
}

/// Whether there is nothing but tags on a line.
fn is_tags(line: &str) -> bool {
    let is_tag = |it: &str| {
        let starts = it.starts_with(|it: char| it == '/' || it.is_ascii_alphabetic());
        starts && it.trim_end().ends_with('>')
    };
    line.strip_prefix('<').is_some_and(|it| it.split('<').all(is_tag))
}

/// Whether a line stands below the heading of a table.
pub(super) fn is_ruler(line: &str) -> bool {
    line.contains('|') && line.contains('-') && line.chars().all(|it| "|-: ".contains(it))
}

/// The cells of a line of a table. A bar behind a backslash is a part of a cell.
pub(super) fn cells(message: &str, line: Span) -> impl Iterator<Item = Span> {
    let text = &message[line.start..line.end];
    let inner = text.strip_prefix('|').unwrap_or(text);
    let closed = inner.strip_suffix('|').filter(|it| !it.ends_with('\\'));
    let mut is_escaped = false;
    let is_bar = move |it: char| {
        let is_bar = it == '|' && !is_escaped;
        is_escaped = it == '\\' && !is_escaped;
        is_bar
    };
    let cells = closed.unwrap_or(inner).split(is_bar);
    cells.map(move |it| trimmed(message, span_of(message, it)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_alone_are_nothing() {
        for text in [
            "",
            " \n",
            "---",
            "| a | b |\n|---|---|",
            "```\n```",
            "```json\n```",
            "- [ ]",
            "[ ]",
            "<!-- x -->",
            "<details>",
            "<details></details> <br>",
            "<a>\n</a>\n\n---",
            "> ",
            ">\n> > ",
            "<br>",
            "> <br/>\n<br />",
            "\u{7}\u{1b}",
            "~~~\n\n~~~",
        ] {
            assert!(is_hollow(text), "{text}");
        }
        for text in [
            "-",
            "—",
            "✅",
            "none",
            "```\nx\n```",
            "| a |\n|---|\n| b |",
            "- [x] a",
            "<a>b</a>",
            "a < b",
            "- [ ] a",
            "> a",
            "<br>x",
        ] {
            assert!(!is_hollow(text), "{text}");
        }
    }
}

//! What one line is: a heading, a list item, a label, a rule.

use crate::form::name::is_emoji;
use crate::text::Span;

/// The most characters of a label's name.
const NAME_CHARACTERS: usize = 40;

/// How many columns deeper than a list item what belongs to it is, at least.
pub(super) const STEP: usize = 2;

/// The columns that a tab goes on to a multiple of.
const TAB: usize = 4;

/// A label: its name and its value, which may be empty. Places are in the whole message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextLabel {
    pub(super) name: Span,
    pub(super) value: Span,
    pub(super) is_bold: bool,
}

/// A line without the white space around it. Places are in the whole message.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextLine<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
    /// The columns of white space before it.
    pub(super) indent: usize,
    /// Its text after the mark of a list item and its checkbox. None if it is no item.
    pub(super) item: Option<&'t str>,
}

impl<'t> TextLine<'t> {
    pub(super) fn new(message: &'t str, span: Span) -> Self {
        let raw = &message[span.start..span.end];
        let text = raw.trim_start();
        let space = &raw[..raw.len() - text.len()];
        let indent = space.chars().fold(0, |column, it| match it {
            '\t' => (column / TAB + 1) * TAB,
            _ => column + 1,
        });
        let text = text.trim_end();
        Self {
            text,
            span: Span::new(span.start + space.len(), text.len()),
            indent,
            item: after_list_mark(text),
        }
    }

    /// The span of a part of its text.
    pub(super) fn span_of(&self, part: &str) -> Span {
        let offset = part.as_ptr().addr() - self.text.as_ptr().addr();
        Span::new(self.span.start + offset, part.len())
    }

    /// The level and the text of an ATX heading.
    pub(super) fn heading(&self) -> Option<(usize, &'t str)> {
        let rest = self.text.trim_start_matches('#');
        let level = self.text.len() - rest.len();
        let is_heading =
            (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
        let closed = rest.trim_end_matches('#');
        let title = if closed.ends_with([' ', '\t']) || closed.is_empty() {
            closed
        } else {
            rest
        };
        is_heading.then(|| (level, title.trim()))
    }

    /// Its text, if it is bold as a whole.
    pub(super) fn bold(&self) -> Option<&'t str> {
        let mark = self.text.get(..2).filter(|it| matches!(*it, "**" | "__"))?;
        let inner = self.text[2..].strip_suffix(mark)?;
        let is_one = !inner.contains(mark) && inner.trim() == inner;
        let is_text = is_one && inner.contains(char::is_alphanumeric);
        is_text.then_some(inner)
    }

    /// The level of the heading that it underlines, if the line before it is one.
    pub(super) fn underline(&self) -> Option<usize> {
        let is_all = |mark: char| self.text.len() >= 3 && self.text.chars().all(|it| it == mark);
        if is_all('=') {
            return Some(1);
        }
        is_all('-').then_some(2)
    }

    /// Whether it is a rule across the page, or an underline.
    pub(super) fn is_rule(&self) -> bool {
        let Some(mark) = self.text.chars().next().filter(|it| "-*_=".contains(*it)) else {
            return false;
        };
        let is_only = self.text.chars().all(|it| it == mark || it == ' ');
        is_only && self.text.chars().filter(|it| *it == mark).count() >= 3
    }

    /// Whether it is an item with a number.
    pub(super) fn is_numbered(&self) -> bool {
        self.item.is_some() && self.text.starts_with(|it: char| it.is_ascii_digit())
    }

    pub(super) fn is_quote(&self) -> bool {
        self.item.unwrap_or(self.text).starts_with('>')
    }

    /// Whether there is nothing but a tag on it.
    pub(super) fn is_tag(&self) -> bool {
        let name = self.text.strip_prefix('<').unwrap_or_default();
        let name = name.strip_prefix('/').unwrap_or(name);
        name.starts_with(|it: char| it.is_ascii_alphabetic())
            && self.text.find('>') == Some(self.text.len() - 1)
    }

    /// The label that a part of its text begins with.
    pub(super) fn label(&self, part: &'t str) -> Option<TextLabel> {
        let (name, value, mark) = label(part)?;
        // A list has commands and paths in backticks, with what is said of them.
        let is_code = mark == "`" && (self.item.is_some() || name.contains('/'));
        (!is_code).then(|| TextLabel {
            name: self.span_of(name),
            value: self.span_of(value),
            is_bold: mark.len() > 1,
        })
    }

    /// Its text without the marks around it: of a list, a heading, a quotation, and emoji.
    pub(super) fn core(&self) -> Span {
        let mut text = self.text;
        loop {
            let before = text;
            text = after_list_mark(text).unwrap_or(text);
            text = text.trim_start_matches('>');
            let title = text.trim_start_matches('#');
            if title.starts_with(' ') {
                text = title;
            }
            text = text.trim_start_matches(is_emoji).trim_start();
            if text == before {
                break;
            }
        }
        let text = text.trim_end_matches(|it: char| is_emoji(it) || it.is_whitespace());
        if text.is_empty() {
            self.span
        } else {
            self.span_of(text)
        }
    }
}

fn after_list_mark(text: &str) -> Option<&str> {
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

/// What follows the number of an item.
fn after_number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = text.len() - rest.len();
    let rest = rest.strip_prefix(['.', ')'])?;
    (1..=9).contains(&digits).then_some(rest)
}

/// Whether a line without the mark of a list begins with a label.
pub(crate) fn is_label_line(line: &str) -> bool {
    label(line).is_some()
}

/// Whether a line can have this name as a label. If not, a heading can.
pub(crate) fn is_label_name(name: &str) -> bool {
    label(&format!("{name}:")).is_some()
}

/// Marks around a name, the longest first.
const MARKS: [&str; 6] = ["***", "**", "__", "*", "_", "`"];

/// The name and the value of a label, as parts of the text, and the mark around the name.
fn label(text: &str) -> Option<(&str, &str, &'static str)> {
    let is_front = |it: char| is_emoji(it) || it == ' ';
    let text = text.trim_start_matches(is_front);
    let is_marked = |mark: &&str| {
        text.strip_prefix(*mark)
            .is_some_and(|it| it.contains(*mark))
    };
    let mark = MARKS.into_iter().find(is_marked);
    let inner = mark.map_or(text, |it| &text[it.len()..]);
    let inner = inner.trim_start_matches(is_front);
    let unnumbered = after_number(inner).filter(|it| it.starts_with(' '));
    let inner = unnumbered.map_or(inner, str::trim_start);
    let colon = colon(inner)?;
    let (name, rest) = inner.split_at(colon);
    let rest = &rest[rest.chars().next().map_or(0, char::len_utf8)..];
    let name = name.trim_end();
    let closed = mark.and_then(|mark| name.strip_suffix(mark));
    let name = closed.unwrap_or(name).trim_end();
    let is_name = name.chars().count() <= NAME_CHARACTERS
        && name.contains(char::is_alphanumeric)
        && !name.contains(['*', '`'])
        && !name.starts_with('/');
    if !is_name {
        return None;
    }
    let value = match mark {
        Some(mark) if closed.is_none() => after_bold_colon(rest, mark)?,
        _ => rest,
    };
    Some((name, value.trim(), mark.unwrap_or_default()))
}

/// What follows a colon in bold: after the end of the bold, or up to it, if it ends the line.
fn after_bold_colon<'t>(rest: &'t str, mark: &str) -> Option<&'t str> {
    if let Some(value) = rest.strip_prefix(mark) {
        return Some(value);
    }
    let (inside, after) = rest.split_once(mark)?;
    Some(if after.trim().is_empty() {
        inside
    } else {
        rest
    })
}

/// The offset of the colon after a name of allowed characters.
fn colon(text: &str) -> Option<usize> {
    let is_part = |it: char| {
        it.is_alphanumeric() || matches!(it, ' ' | '_' | '-' | '(' | ')' | '/' | '&' | '*' | '`')
    };
    let end = text
        .char_indices()
        .take(NAME_CHARACTERS + 6)
        .find(|(_, it)| !is_part(*it))?;
    let after = text[end.0 + end.1.len_utf8()..].chars().next();
    let is_free = after.is_none_or(|it| it.is_whitespace() || "*_`~".contains(it));
    (end.1 == '：' || end.1 == ':' && is_free).then_some(end.0)
}

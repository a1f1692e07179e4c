//! Texts with nothing on their lines.

use std::borrow::Cow;

use super::line::TextLine;
use super::scan::fence;
use crate::text::Span;

/// Whether there is nothing on the lines of a text: only rules, fences, empty items and tags, comments, or a
/// table without rows.
pub(crate) fn is_hollow(text: &str) -> bool {
    let text = without_tags(text);
    let mut lines = text.lines().map(str::trim).filter(|line| !is_mark(line));
    let first = lines.next().unwrap_or_default();
    let last = || text.trim_end().lines().next_back().unwrap_or_default();
    let is_heading = first.contains('|') && lines.next().is_none() && is_ruler(last());
    first.is_empty() || is_heading
}

/// A line without the mark of an item or a quotation.
pub(crate) fn in_item(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['>', ' ']);
    let item = TextLine::new(line, Span::new(0, line.len())).item;
    item.filter(|it| !it.is_empty()).unwrap_or(line)
}

/// Whether a line has no more on it than a mark. One hyphen is an answer.
fn is_mark(line: &str) -> bool {
    let is_rule = || TextLine::new(line, Span::new(0, line.len())).is_rule();
    line.is_empty()
        || in_item(line) == "[ ]"
        || fence(line).is_some()
        || is_ruler(line)
        || is_rule()
}

/// Whether a line stands below the heading of a table.
fn is_ruler(line: &str) -> bool {
    line.contains('|') && line.contains('-') && line.chars().all(|it| "|-: ".contains(it))
}

/// A text without comments and, if one of them closes another one, without tags.
fn without_tags(text: &str) -> Cow<'_, str> {
    let has_tags = text.contains("</");
    if !has_tags && !text.contains("<!--") {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split('<');
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(if part.starts_with("!--") { "-->" } else { ">" }) {
            Some((_, behind)) if has_tags || part.starts_with("!--") => rest.push_str(behind),
            _ => rest.extend(["<", part]),
        }
    }
    Cow::Owned(rest)
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
            "```\n```",
            "```json\n```",
            "- [ ]",
            "[ ]",
            "| a | b |\n|---|---|",
            "<!-- x -->",
            "<details></details>",
            "<a>\n</a>\n\n---",
        ] {
            assert!(is_hollow(text), "{text}");
        }
        for text in [
            "-",
            "—",
            "✅",
            "none",
            "<details>",
            "```\nx\n```",
            "| a |\n|---|\n| b |",
            "- [x] a",
            "<a>b</a>",
            "a < b",
            "- [ ] a",
        ] {
            assert!(!is_hollow(text), "{text}");
        }
    }
}

//! Parses a manual page into blocks. It supports only the Markdown that the manual uses; a test
//! compares it with a full parser. A Markdown library would bring large tables of names, which
//! would slow down every start of the program.

use std::iter::Peekable;
use std::str::Lines;

use super::Page;

pub(super) enum MarkdownBlock<'p> {
    Heading(usize, Vec<Inline<'p>>),
    Paragraph(Vec<Inline<'p>>),
    /// Lines that are shown unchanged.
    Code(Vec<&'p str>),
    /// An item of a list, with its marker: `-`, or a number with its dot.
    Item(&'p str, Vec<Inline<'p>>),
    /// Rows of cells; the first row is the header.
    Table(Vec<Vec<Vec<Inline<'p>>>>),
}

pub(super) enum Inline<'p> {
    Text(&'p str),
    Code(&'p str),
    Strong(&'p str),
    Emphasis(&'p str),
    Link {
        text: &'p str,
        target: LinkTarget<'p>,
    },
}

/// The target of a link.
pub(super) enum LinkTarget<'p> {
    Page(&'static Page),
    Web(&'p str),
    /// A file of the repository, or an anchor in the same page. It is not shown, because nobody can
    /// follow it outside of the repository.
    Local,
}

/// Parses a page. A paragraph or an item is one line.
pub(super) fn parse(markdown: &str) -> Vec<MarkdownBlock<'_>> {
    let mut lines = markdown.lines().peekable();
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        // Comments mark the parts that tests generate.
        if !line.is_empty() && !line.starts_with("<!--") {
            blocks.push(block(line, &mut lines));
        }
    }
    blocks
}

/// The block that starts with a line.
fn block<'p>(line: &'p str, lines: &mut Peekable<Lines<'p>>) -> MarkdownBlock<'p> {
    if line.starts_with("```") {
        return MarkdownBlock::Code(lines.take_while(|line| *line != "```").collect());
    }
    if line.starts_with('|') {
        let mut rows = vec![cells(line)];
        // The delimiter row below the header.
        lines.next();
        while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
            rows.push(cells(row));
        }
        return MarkdownBlock::Table(rows);
    }
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    if level > 0 {
        return MarkdownBlock::Heading(level, inlines(title.trim_start()));
    }
    match line.split_once(' ') {
        Some((mark, text)) if is_mark(mark) => MarkdownBlock::Item(mark, inlines(text)),
        _ => MarkdownBlock::Paragraph(inlines(line)),
    }
}

fn is_mark(word: &str) -> bool {
    let number = word.strip_suffix('.').unwrap_or_default();
    word == "-" || (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn cells(row: &str) -> Vec<Vec<Inline<'_>>> {
    let row = row.trim_matches('|');
    row.split('|').map(|cell| inlines(cell.trim())).collect()
}

/// The inline elements of a text.
fn inlines(text: &str) -> Vec<Inline<'_>> {
    let mut inlines = Vec::new();
    let (mut rest, mut plain) = (text, 0);
    while plain < rest.len() {
        match marked(&rest[plain..]) {
            Some((inline, length)) => {
                push_text(&rest[..plain], &mut inlines);
                inlines.push(inline);
                rest = &rest[plain + length..];
                plain = 0;
            }
            None => plain += rest[plain..].chars().next().map_or(1, char::len_utf8),
        }
    }
    push_text(rest, &mut inlines);
    inlines
}

fn push_text<'p>(text: &'p str, inlines: &mut Vec<Inline<'p>>) {
    if !text.is_empty() {
        inlines.push(Inline::Text(text));
    }
}

/// The inline element other than plain text at the start of a text, and its length in bytes.
fn marked(text: &str) -> Option<(Inline<'_>, usize)> {
    if let Some(link) = text.strip_prefix('[') {
        let (text, rest) = link.split_once("](")?;
        let (url, _) = rest.split_once(')')?;
        let target = target(url);
        let inline = Inline::Link { text, target };
        return Some((inline, "[](".len() + text.len() + url.len() + ")".len()));
    }
    let mark = ["`", "**", "*"]
        .into_iter()
        .find(|mark| text.starts_with(mark))?;
    let (inside, _) = text[mark.len()..].split_once(mark)?;
    let inline = match mark {
        "`" => Inline::Code(inside),
        "**" => Inline::Strong(inside.trim_matches('`')),
        _ => Inline::Emphasis(inside),
    };
    Some((inline, inside.len() + 2 * mark.len()))
}

fn target(url: &str) -> LinkTarget<'_> {
    if url.contains("://") {
        return LinkTarget::Web(url);
    }
    let (path, _) = url.split_once('#').unwrap_or((url, ""));
    let page = path.strip_suffix(".md").and_then(Page::named);
    page.map_or(LinkTarget::Local, LinkTarget::Page)
}

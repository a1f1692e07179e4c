//! A page as a tree of blocks: as much of Markdown as the manual uses.

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::Page;

pub(super) enum Block {
    Heading(u8, Vec<Inline>),
    Paragraph(Vec<Inline>),
    /// Lines that are shown as they are.
    Code(String),
    List(Vec<Item>),
    /// Rows of cells; the first row is the head.
    Table(Vec<Vec<Vec<Inline>>>),
}

pub(super) struct Item {
    /// `-`, or a number with its dot.
    pub(super) mark: String,
    pub(super) blocks: Vec<Block>,
}

pub(super) enum Inline {
    Text(String),
    Code(String),
    Strong(String),
    Emphasis(String),
    Link { text: String, target: Target },
}

/// Where a link leads.
pub(super) enum Target {
    Page(&'static Page),
    Web(String),
    /// A file of the repository, or a place in the same page. A reader elsewhere cannot go there.
    Local,
}

type Events<'e, 't> = &'e mut Parser<'t>;

pub(super) fn parse(markdown: &str) -> Vec<Block> {
    blocks(&mut Parser::new_ext(markdown, Options::ENABLE_TABLES))
}

/// The blocks up to the end of what holds them.
fn blocks(events: Events<'_, '_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    // A short list item holds its text without a paragraph.
    let mut loose = Vec::new();
    while let Some(event) = events.next() {
        let event = match inline(event, events) {
            Ok(inline) => {
                loose.push(inline);
                continue;
            }
            Err(event) => event,
        };
        flush(&mut loose, &mut blocks);
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                blocks.push(Block::Heading(level as u8, inlines(events)));
            }
            Event::Start(Tag::Paragraph) => blocks.push(Block::Paragraph(inlines(events))),
            Event::Start(Tag::CodeBlock(_)) => blocks.push(Block::Code(flat(events))),
            Event::Start(Tag::List(first)) => blocks.push(Block::List(items(first, events))),
            Event::Start(Tag::Table(_)) => blocks.push(Block::Table(rows(events))),
            // Comments mark the parts that tests write.
            Event::Start(_) => drop(flat(events)),
            Event::End(_) => break,
            _ => {}
        }
    }
    flush(&mut loose, &mut blocks);
    blocks
}

fn flush(loose: &mut Vec<Inline>, blocks: &mut Vec<Block>) {
    if !loose.is_empty() {
        blocks.push(Block::Paragraph(std::mem::take(loose)));
    }
}

fn items(first: Option<u64>, events: Events<'_, '_>) -> Vec<Item> {
    let mut items = Vec::new();
    while let Some(Event::Start(Tag::Item)) = events.next() {
        let mark = match first {
            Some(first) => format!("{}.", first + items.len() as u64),
            None => "-".to_owned(),
        };
        let blocks = blocks(events);
        items.push(Item { mark, blocks });
    }
    items
}

fn rows(events: Events<'_, '_>) -> Vec<Vec<Vec<Inline>>> {
    let mut rows = Vec::new();
    while let Some(Event::Start(Tag::TableHead | Tag::TableRow)) = events.next() {
        let mut cells = Vec::new();
        while let Some(Event::Start(Tag::TableCell)) = events.next() {
            cells.push(inlines(events));
        }
        rows.push(cells);
    }
    rows
}

/// The text up to the end of the block that holds it.
fn inlines(events: Events<'_, '_>) -> Vec<Inline> {
    let mut inlines = Vec::new();
    while let Some(event) = events.next() {
        match inline(event, events) {
            Ok(inline) => inlines.push(inline),
            Err(Event::End(_)) => break,
            Err(_) => {}
        }
    }
    inlines
}

/// A piece of text, or the event that is none.
fn inline<'t>(event: Event<'t>, events: Events<'_, 't>) -> Result<Inline, Event<'t>> {
    Ok(match event {
        Event::Text(text) => Inline::Text(text.into_string()),
        Event::SoftBreak | Event::HardBreak => Inline::Text(" ".to_owned()),
        Event::Code(text) => Inline::Code(text.into_string()),
        Event::Start(Tag::Strong) => Inline::Strong(flat(events)),
        Event::Start(Tag::Emphasis) => Inline::Emphasis(flat(events)),
        Event::Start(Tag::Link { dest_url, .. }) => Inline::Link {
            text: flat(events),
            target: target(&dest_url),
        },
        other => return Err(other),
    })
}

/// The bare text up to the end of what holds it.
fn flat(events: Events<'_, '_>) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for event in events {
        match event {
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::Start(_) => depth += 1,
            Event::End(_) if depth == 0 => break,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    text
}

fn target(url: &str) -> Target {
    if url.contains("://") {
        return Target::Web(url.to_owned());
    }
    let (path, _) = url.split_once('#').unwrap_or((url, ""));
    let page = path.strip_suffix(".md").and_then(Page::named);
    page.map_or(Target::Local, Target::Page)
}

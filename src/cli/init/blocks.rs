//! The lines of a prompt: headings, tags and fences. A list of lines is enough here, because prompts
//! break the rules of Markdown where it matters: templates have fences inside of fences of equal length.

use std::borrow::Cow;
use std::ops::Range;

/// The lines of a prompt.
#[derive(Debug)]
pub(super) struct Blocks<'t> {
    pub(super) lines: Vec<&'t str>,
    pub(super) headings: Vec<Heading<'t>>,
    pub(super) fences: Vec<Fence<'t>>,
    /// The paragraphs, list items and headings outside of fences.
    pub(super) paragraphs: Vec<Paragraph<'t>>,
}

/// A text on lines that follow each other, put on one line.
#[derive(Debug)]
pub(super) struct Paragraph<'t> {
    /// The first and the last of its lines.
    pub(super) line: usize,
    pub(super) last: usize,
    pub(super) text: Cow<'t, str>,
}

/// How long a line is, in bytes, that was broken because it is full.
const FULL: usize = 50;

/// A heading, a bold line alone, or a tag of the prompt.
#[derive(Debug)]
pub(super) struct Heading<'t> {
    pub(super) line: usize,
    /// 1 to 6 as in Markdown, [`BOLD`], or [`TAG`].
    pub(super) level: usize,
    pub(super) title: &'t str,
}

/// The level of a bold line alone.
pub(super) const BOLD: usize = 7;

/// The level of a tag.
pub(super) const TAG: usize = 8;

/// A fence. `start` is the line of its opener and `end` that of its closer, or the number of lines.
#[derive(Debug)]
pub(super) struct Fence<'t> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) info: &'t str,
}

impl<'t> Blocks<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let mut blocks = Self {
            lines: text.lines().collect(),
            headings: Vec::new(),
            fences: Vec::new(),
            paragraphs: Vec::new(),
        };
        let mut counts_inner = true;
        let mut at = 0;
        while let Some(&line) = blocks.lines.get(at) {
            if let Some((length, info)) = fence(line) {
                let nested = blocks.fence_end(at, length, info, counts_inner);
                // Once a fence stays open with its inner ones counted, none are counted.
                counts_inner &= nested.is_some();
                let plain = || blocks.fence_end(at, length, info, false);
                let end = nested.or_else(plain).unwrap_or(blocks.lines.len());
                let info = info.split([' ', '{', ',']).next().unwrap_or_default();
                blocks.fences.push(Fence {
                    start: at,
                    end,
                    info,
                });
                at = end;
            } else if let Some((level, title)) = heading(line) {
                blocks.headings.push(Heading {
                    line: at,
                    level,
                    title,
                });
            }
            at += 1;
        }
        blocks.join();
        blocks
    }

    /// Puts the lines of each paragraph together.
    fn join(&mut self) {
        let outside = (0..self.lines.len()).filter(|it| !self.is_in_fence(*it));
        let outside = outside.collect::<Vec<_>>();
        for line in outside {
            let text = self.lines[line];
            if text.trim().is_empty() {
                continue;
            }
            let is_text = item(text).is_none() && !text.trim().starts_with(['#', '|', '<', '*']);
            match self.paragraphs.last_mut() {
                Some(before)
                    if is_text && before.last + 1 == line && is_full(self.lines[before.last]) =>
                {
                    before.last = line;
                    let joined = before.text.to_mut();
                    joined.push(' ');
                    joined.push_str(text.trim());
                }
                _ => self.paragraphs.push(Paragraph {
                    line,
                    last: line,
                    text: Cow::Borrowed(text),
                }),
            }
        }
    }

    /// The line that has a byte of the text of a paragraph.
    pub(super) fn line_in(&self, paragraph: &Paragraph<'_>, byte: usize) -> usize {
        let mut end = self.lines[paragraph.line].len();
        let mut line = paragraph.line;
        while end < byte + 1 && line < paragraph.last {
            line += 1;
            end += 1 + self.lines[line].trim().len();
        }
        line
    }

    /// The line that closes a fence. With `counts_inner`, a fence with a language inside of a template
    /// is closed by itself.
    fn fence_end(&self, at: usize, length: usize, info: &str, counts_inner: bool) -> Option<usize> {
        let is_template = matches!(info, "" | "markdown" | "md" | "text" | "txt");
        let mut depth = 0_usize;
        let following = self.lines.iter().enumerate().skip(at + 1);
        for (index, line) in following {
            match fence(line) {
                Some((count, "")) if count >= length => match depth {
                    0 => return Some(index),
                    _ => depth -= 1,
                },
                Some((count, inner)) if is_template && counts_inner && count >= length => {
                    depth += usize::from(!inner.is_empty());
                }
                _ => {}
            }
        }
        None
    }

    pub(super) fn is_in_fence(&self, line: usize) -> bool {
        let before = self.fences.partition_point(|it| it.start <= line);
        before > 0 && line <= self.fences[before - 1].end
    }

    /// The last line with something on it before a fence, or the heading above the fences before it.
    pub(super) fn title(&self, fence: usize) -> &'t str {
        let before = self.before(fence);
        let above = self.headings_in(0..fence).last();
        let heading = above.filter(|_| before.trim().starts_with("```"));
        heading.map_or(before, |it| self.lines[it.line])
    }

    /// The headings on some lines.
    pub(super) fn headings_in(&self, lines: Range<usize>) -> &[Heading<'t>] {
        let at = |line| self.headings.partition_point(|it| it.line < line);
        let end = at(lines.end);
        &self.headings[at(lines.start).min(end)..end]
    }

    /// The lines `start..end` as one text, without the indentation that all of them have.
    pub(super) fn text(&self, start: usize, end: usize) -> String {
        let lines = &self.lines[start.min(end)..end.min(self.lines.len())];
        let indents = lines.iter().filter(|it| !it.trim().is_empty());
        let indent = indents
            .map(|it| it.len() - it.trim_start_matches(' ').len())
            .min();
        let cut = |line: &&str| {
            line.get(indent.unwrap_or(0)..)
                .unwrap_or_default()
                .to_owned()
        };
        lines.iter().map(cut).collect::<Vec<_>>().join("\n")
    }

    /// The lines directly below a line that are indented more than it.
    pub(super) fn inner(&self, line: usize) -> String {
        let indent = |it: &str| it.len() - it.trim_start().len();
        let is_inner = |it: &&str| !it.trim().is_empty() && indent(it) > indent(self.lines[line]);
        let inner = self.lines[line + 1..].iter().take_while(|it| is_inner(it));
        self.text(line + 1, line + 1 + inner.count())
    }

    /// The last line with something on it before a line, and its text.
    pub(super) fn before(&self, line: usize) -> &'t str {
        let lines = self.lines[..line].iter().rev();
        lines
            .copied()
            .find(|it| !it.trim().is_empty())
            .unwrap_or_default()
    }
}

/// Whether the text of a line goes on in the next one.
fn is_full(line: &str) -> bool {
    let is_end = line.trim_end().ends_with([':', '.', ';', '!', '?']);
    line.len() >= FULL && !is_end && !line.trim().starts_with(['#', '|'])
}

/// The length and the info string of a line that opens or closes a fence.
fn fence(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start().trim_start_matches("- ");
    let mark = text.chars().next().filter(|it| matches!(it, '`' | '~'))?;
    let rest = text.trim_start_matches(mark);
    let length = text.len() - rest.len();
    (length >= 3 && !rest.contains('`')).then(|| (length, rest.trim()))
}

/// The level and the title of a heading, a bold line alone, or an opening tag at the start of a line.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim();
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    if (1..=6).contains(&level) && rest.starts_with(' ') {
        return Some((level, rest.trim().trim_end_matches('#').trim()));
    }
    if let Some(inner) = text.strip_prefix("**") {
        let inner = inner.trim_end_matches(':').strip_suffix("**")?;
        return (!inner.contains("**")).then_some((BOLD, inner));
    }
    let (name, content) = text.strip_prefix('<')?.split_once('>')?;
    // A tag that ends on its line holds a value.
    if content.contains("</") {
        return None;
    }
    let name = name.split(' ').next().unwrap_or_default();
    let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '-'));
    is_name.then_some((TAG, name))
}

/// The text of a list item.
pub(super) fn item(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let digits = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let numbered = digits
        .strip_prefix(". ")
        .or_else(|| digits.strip_prefix(") "));
    let numbered = numbered.filter(|_| digits.len() < text.len());
    let rest = text
        .strip_prefix("- ")
        .or_else(|| text.strip_prefix("* "))
        .or(numbered)?;
    Some(rest.trim_start())
}

//! Lays out a page of the manual for a terminal: lines of limited width, without the marks of Markdown.

use std::mem::take;

use anstyle::Style;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use unicode_width::UnicodeWidthStr as _;

/// The columns before a text, and before what belongs to it.
const INDENT: usize = 2;
const DEEPER: usize = 4;

/// The columns between those of a table.
const GAP: usize = 2;

pub(crate) fn laid_out(markdown: &str, width: usize, is_colored: bool) -> String {
    let bold = Style::new();
    let mut page = PageLayout {
        width,
        bold: if is_colored { bold.bold() } else { bold },
        indent: INDENT,
        ..PageLayout::default()
    };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(tag) => page.start(tag),
            Event::End(tag) => page.end(tag),
            Event::Text(text) => page.text += &text,
            Event::Code(text) => page.text += &page.bold(&text),
            Event::SoftBreak | Event::HardBreak => page.text.push(' '),
            _ => {}
        }
    }
    page.out
}

#[derive(Default)]
struct PageLayout {
    out: String,
    width: usize,
    bold: Style,
    indent: usize,
    /// The words of the block or the cell that is open.
    text: String,
    /// Where in them a bold part begins.
    strong: usize,
    /// Whether the next line has a blank one before it.
    is_apart: bool,
    /// Of each open list: the next number, if its items have one, and the columns before it.
    lists: Vec<(Option<u64>, usize)>,
    /// What is in front of the next line in place of blanks.
    mark: String,
    rows: Vec<Vec<String>>,
    link: String,
}

impl PageLayout {
    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.strong = self.text.len(),
            Tag::Table(_) => self.rows.clear(),
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            Tag::Link { dest_url, .. } => self.link = dest_url.into_string(),
            Tag::CodeBlock(_) => {
                self.paragraph();
                self.is_apart = true;
            }
            Tag::List(first) => {
                self.paragraph();
                self.lists.push((first, self.indent));
            }
            Tag::Item => {
                let Some((number, before)) = self.lists.last_mut() else {
                    return;
                };
                let mark = number.map_or("- ".to_owned(), |number| format!("{number}. "));
                *number = number.map(|number| number + 1);
                self.indent = *before + mark.len();
                self.mark = " ".repeat(*before) + &mark;
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.text = self.bold(&self.text);
                let indent = take(&mut self.indent);
                self.paragraph();
                self.indent = indent;
            }
            TagEnd::Strong => {
                let text = self.text.split_off(self.strong);
                self.text += &self.bold(&text);
            }
            TagEnd::Paragraph => self.paragraph(),
            TagEnd::CodeBlock => {
                let code = take(&mut self.text);
                code.lines().for_each(|line| self.line(DEEPER, line));
            }
            TagEnd::Item => {
                self.paragraph();
                self.indent = self.lists.last().map_or(INDENT, |list| list.1);
            }
            TagEnd::List(_) => drop(self.lists.pop()),
            TagEnd::TableCell => {
                let cell = take(&mut self.text);
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Table => self.table(),
            TagEnd::Link => self.link(),
            _ => {}
        }
        self.is_apart |= matches!(
            tag,
            TagEnd::Heading(_)
                | TagEnd::Paragraph
                | TagEnd::CodeBlock
                | TagEnd::List(_)
                | TagEnd::Table
        );
    }

    /// A text that is bold as a whole, whatever was bold in it.
    fn bold(&self, text: &str) -> String {
        let [on, off] = [format!("{}", self.bold), format!("{:#}", self.bold)];
        let plain = text.replace(&on, "").replace(&off, "");
        on + &plain + &off
    }

    /// Says where a link leads to, if its text does not.
    fn link(&mut self) {
        let link = take(&mut self.link);
        let file = link.split('#').next().unwrap_or_default();
        let page = file.strip_suffix(".md").filter(|page| !page.contains('/'));
        let place = match page {
            _ if link.starts_with("http") => link,
            Some(page) if !self.text.to_ascii_lowercase().ends_with(page) => {
                format!("retval help {page}")
            }
            _ => return,
        };
        self.text = format!("{} ({place})", self.text);
    }

    fn paragraph(&mut self) {
        let text = take(&mut self.text);
        if !text.trim().is_empty() {
            self.wrapped(0, &text);
        }
    }

    fn wrapped(&mut self, deeper: usize, text: &str) {
        let mut line = String::new();
        let before = self.indent + deeper;
        for word in text.split_whitespace() {
            if !line.is_empty() && before + columns(&line) + 1 + columns(word) > self.width {
                self.line(deeper, &take(&mut line));
            }
            line += if line.is_empty() { "" } else { " " };
            line += word;
        }
        self.line(deeper, &line);
    }

    fn line(&mut self, deeper: usize, text: &str) {
        if take(&mut self.is_apart) && !self.out.is_empty() {
            self.out.push('\n');
        }
        let blanks = || " ".repeat(self.indent + deeper);
        let mark = Some(take(&mut self.mark)).filter(|mark| !mark.is_empty());
        let line = mark.unwrap_or_else(blanks) + text;
        self.out += line.trim_end();
        self.out.push('\n');
    }

    /// Columns if they fit. Otherwise the first cell of each row, and the others below it.
    fn table(&mut self) {
        let mut rows = take(&mut self.rows);
        let Some(head) = rows.first().cloned() else {
            return;
        };
        let cells = |at: usize| rows.iter().filter_map(move |row| row.get(at));
        let widths = (0..head.len()).map(|at| cells(at).map(|cell| columns(cell)).max());
        let widths: Vec<_> = widths.map(Option::unwrap_or_default).collect();
        let gaps = GAP * head.len().saturating_sub(1);
        if self.indent + widths.iter().sum::<usize>() + gaps <= self.width {
            rows[0] = head.iter().map(|name| self.bold(name)).collect();
            for row in rows {
                let cells = row.iter().zip(&widths).map(|(cell, width)| {
                    let blanks = width.saturating_sub(columns(cell)) + GAP;
                    cell.clone() + &" ".repeat(blanks)
                });
                self.line(0, &cells.collect::<String>());
            }
        } else {
            for row in &rows[1..] {
                self.wrapped(0, &self.bold(&row[0]));
                for (name, cell) in head.iter().zip(row).skip(1) {
                    match head.len() {
                        _ if cell.is_empty() => {}
                        2 => self.wrapped(DEEPER, cell),
                        _ => self.wrapped(DEEPER, &format!("{name}: {cell}")),
                    }
                }
                self.is_apart = true;
            }
        }
    }
}

/// The columns of a text on a terminal, without what makes it bold.
fn columns(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().width();
    let rest = parts.filter_map(|part| part.split_once('m'));
    first + rest.map(|(_, shown)| shown.width()).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_lines_of_limited_width_and_no_marks() {
        let page = "\
# A **page**

Words with `code` and [a page](forms.md#a), [forms](forms.md), [here](#x) and [there](https://x.io).

- one item that is longer than a line is
- two
  1. inner `a b`
  2. more

  A paragraph of two.

```sh
retval help hooks-install | cat     # no line of this is wrapped
```

| a | b |
|---|---|
| `x` | y \\| z |
| long | |

| name | what it means | when |
|---|---|---|
| `first` | something that does not fit | never |
| second | | always |
";
        let expected = "\
A page

  Words with code and a page (retval
  help forms), forms, here and there
  (https://x.io).

  - one item that is longer than a line
    is

  - two

    1. inner a b
    2. more

    A paragraph of two.

      retval help hooks-install | cat     # no line of this is wrapped

  a     b
  x     y | z
  long

  first
      what it means: something that does
      not fit
      when: never

  second
      when: always
";
        assert_eq!(laid_out(page, 40, false), expected);
        let bold = laid_out("# A `b`\n\nc `d`\n", 40, true);
        assert_eq!(bold, "\u{1b}[1mA b\u{1b}[0m\n\n  c \u{1b}[1md\u{1b}[0m\n");
    }
}

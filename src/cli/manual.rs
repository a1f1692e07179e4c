//! Lays out a page of the manual for a terminal: lines of limited width, without the marks of Markdown.

use std::mem::take;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use unicode_width::UnicodeWidthStr as _;

/// The columns before a text, and before what belongs to it.
const INDENT: usize = 2;
const DEEPER: usize = 4;

pub(crate) fn laid_out(markdown: &str, width: usize) -> String {
    let mut page = PageLayout { width, indent: INDENT, ..PageLayout::default() };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(tag) => page.start(tag),
            Event::End(tag) => page.end(tag),
            Event::Text(text) | Event::Code(text) => page.text += &text,
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
    indent: usize,
    /// The words of the block or the cell that is open.
    text: String,
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
                let indent = take(&mut self.indent);
                self.paragraph();
                self.indent = indent;
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

    /// Says where a link leads to, if that is not another page.
    fn link(&mut self) {
        let link = take(&mut self.link);
        if link.starts_with("http") {
            self.text = format!("{} ({link})", self.text);
        }
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
            if !line.is_empty() && before + line.width() + 1 + word.width() > self.width {
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

    /// The first cell of each row, and the others below it.
    fn table(&mut self) {
        let rows = take(&mut self.rows);
        let Some((head, rows)) = rows.split_first() else {
            return;
        };
        for row in rows {
            for (at, (name, cell)) in head.iter().zip(row).enumerate() {
                match (at, head.len()) {
                    _ if cell.is_empty() => {}
                    (0, _) => self.wrapped(0, cell),
                    (_, 2) => self.wrapped(DEEPER, cell),
                    _ => self.wrapped(DEEPER, &format!("{name}: {cell}")),
                }
            }
            self.is_apart = true;
        }
    }
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

  Words with code and a page, forms,
  here and there (https://x.io).

  - one item that is longer than a line
    is

  - two

    1. inner a b
    2. more

    A paragraph of two.

      retval help hooks-install | cat     # no line of this is wrapped

  x
      y | z

  long

  first
      what it means: something that does
      not fit
      when: never

  second
      when: always
";
        assert_eq!(laid_out(page, 40), expected);
    }
}

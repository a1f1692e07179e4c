//! Renders manual pages in roff, the language of `man`.

use std::fmt::Write as _;

use super::markdown::{Inline, LinkTarget, MarkdownBlock, parse};
use super::{Page, table};

/// The text width of `man` on a terminal of 80 columns, without its margins.
const TABLE_WIDTH: usize = 72;

/// A manual page under construction.
#[derive(Debug)]
pub(crate) struct Roff(pub(crate) String);

impl Roff {
    /// A page with its title line. Text is neither hyphenated nor justified.
    pub(crate) fn new(name: &str, section: u8) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self(format!(
            ".TH \"{}\" \"{section}\" \"\" \"retval {version}\" \"retval manual\"\n.nh\n.ad l\n",
            escape(name)
        ))
    }

    /// Starts a section.
    pub(crate) fn section(&mut self, title: &str) {
        let _ = writeln!(self.0, ".SH {}", escape(&title.to_uppercase()));
    }

    /// Adds a paragraph.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.0.push_str(".PP\n");
        self.line(text);
    }

    /// Adds a line of running text.
    pub(crate) fn line(&mut self, text: &str) {
        let _ = writeln!(self.0, "{}", escape(text));
    }

    /// Adds a command line: literal words, and their arguments.
    pub(crate) fn synopsis(&mut self, typed: &str, arguments: &str) {
        let _ = writeln!(
            self.0,
            "\\fB{}\\fR {}",
            escape(typed),
            characters(arguments)
        );
    }

    /// Adds an item with an indented text.
    pub(crate) fn tagged(&mut self, tag: &str, text: &str) {
        let _ = writeln!(self.0, ".TP\n\\fB{}\\fR", escape(tag));
        self.line(text);
    }

    /// Adds lines that are shown unchanged.
    pub(crate) fn verbatim<'l>(&mut self, lines: impl IntoIterator<Item = &'l str>) {
        self.0.push_str(".PP\n.nf\n");
        for line in lines {
            self.line(line);
        }
        self.0.push_str(".fi\n");
    }

    /// Adds a section with references to other pages.
    pub(crate) fn see_also<'n>(&mut self, pages: impl IntoIterator<Item = (&'n str, u8)>) {
        let links = pages
            .into_iter()
            .map(|(name, section)| format!("\\fB{}\\fR({section})", escape(name)));
        self.section("See also");
        let _ = writeln!(self.0, "{}", links.collect::<Vec<_>>().join(",\n"));
    }

    fn blocks(&mut self, blocks: &[MarkdownBlock<'_>]) {
        for block in blocks {
            match block {
                MarkdownBlock::Heading(1, _) => {}
                MarkdownBlock::Heading(2, title) => self.section(&bare(title)),
                MarkdownBlock::Heading(_, title) => {
                    let _ = writeln!(self.0, ".SS {}", escape(&bare(title)));
                }
                MarkdownBlock::Paragraph(text) => {
                    self.0.push_str(".PP\n");
                    self.inlines(text);
                }
                MarkdownBlock::Code(code) => {
                    self.0.push_str(".RS 4\n");
                    self.verbatim(code.iter().copied());
                    self.0.push_str(".RE\n");
                }
                MarkdownBlock::Item(mark, text) => {
                    let mark = if *mark == "-" { "\\(bu" } else { mark };
                    let _ = writeln!(self.0, ".IP {mark} 4");
                    self.inlines(text);
                }
                MarkdownBlock::Table(rows) => {
                    let lines = table::lines(rows, TABLE_WIDTH);
                    self.verbatim(lines.iter().map(String::as_str));
                }
            }
        }
    }

    /// Adds text on one line, which roff wraps.
    fn inlines(&mut self, inlines: &[Inline<'_>]) {
        let mut line = String::new();
        for inline in inlines {
            let _ = match inline {
                Inline::Text(text) => write!(line, "{}", characters(text)),
                Inline::Code(text) | Inline::Strong(text) => {
                    write!(line, "\\fB{}\\fR", characters(text))
                }
                Inline::Emphasis(text) => write!(line, "\\fI{}\\fR", characters(text)),
                Inline::Link { text, target } => {
                    let text = characters(text);
                    match target {
                        LinkTarget::Page(page) => {
                            let name = characters(page.name);
                            write!(line, "{text} (\\fBretval\\-{name}\\fR(7))")
                        }
                        LinkTarget::Web(url) => write!(line, "{text} <{}>", characters(url)),
                        LinkTarget::Local => write!(line, "{text}"),
                    }
                }
            };
        }
        let _ = writeln!(self.0, "{}", no_request(line.trim()));
    }
}

/// The manual page in section 7 for a page of the manual.
pub(crate) fn page(page: &Page) -> String {
    let name = format!("retval-{}", page.name);
    let mut roff = Roff::new(&name, 7);
    roff.section("Name");
    roff.line(&format!("{name} - {}", page.title()));
    roff.section("Description");
    roff.blocks(&parse(page.markdown));
    let commands = page.commands.iter().map(|name| format!("retval-{name}"));
    let commands: Vec<_> = commands.collect();
    let commands = commands.iter().map(|name| (name.as_str(), 1));
    roff.see_also([("retval", 1)].into_iter().chain(commands));
    roff.0
}

fn bare(inlines: &[Inline<'_>]) -> String {
    let parts = inlines.iter().map(|inline| match inline {
        Inline::Text(text)
        | Inline::Code(text)
        | Inline::Strong(text)
        | Inline::Emphasis(text)
        | Inline::Link { text, .. } => *text,
    });
    parts.collect()
}

/// Escapes a line, so that roff shows it literally.
fn escape(text: &str) -> String {
    no_request(&characters(text))
}

/// Escapes a dot or an apostrophe at the start of a line, which would be a roff request.
fn no_request(line: &str) -> String {
    match line.as_bytes().first() {
        Some(b'.' | b'\'') => format!("\\&{line}"),
        _ => line.to_owned(),
    }
}

/// Escapes the ASCII characters that roff would replace with typographic ones.
fn characters(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\e"),
            '-' => escaped.push_str("\\-"),
            '\'' => escaped.push_str("\\(aq"),
            '`' => escaped.push_str("\\(ga"),
            '^' => escaped.push_str("\\(ha"),
            '~' => escaped.push_str("\\(ti"),
            other => escaped.push(other),
        }
    }
    escaped
}

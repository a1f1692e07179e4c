//! The manual: Markdown pages that are part of the program.

/// A page of the manual.
#[derive(Debug)]
pub(crate) struct Page {
    /// The name in `retval help NAME`.
    pub(crate) name: &'static str,
    /// Markdown. The first line is the title.
    pub(crate) markdown: &'static str,
}

macro_rules! page {
    ($name:literal) => {
        Page {
            name: $name,
            markdown: include_str!(concat!($name, ".md")),
        }
    };
}

/// All pages, in reading order.
pub(crate) static PAGES: [Page; 30] = [
    page!("installing"),
    page!("checking"),
    page!("many-returns"),
    page!("hooks"),
    page!("hooks-install"),
    page!("hooks-settings"),
    page!("hooks-clients"),
    page!("hooks-trace"),
    page!("evidence"),
    page!("configuration"),
    page!("init"),
    page!("profiles"),
    page!("standards"),
    page!("claims"),
    page!("forms"),
    page!("rules"),
    page!("rules-fields"),
    page!("rules-status"),
    page!("rules-artifacts"),
    page!("conformance"),
    page!("formats"),
    page!("schema"),
    page!("convert"),
    page!("security"),
    page!("speed"),
    page!("testing"),
    page!("contributing"),
    page!("releasing"),
    page!("changelog"),
    page!("changelog-fixed"),
];

impl Page {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PAGES.iter().find(|page| page.name == name)
    }

    /// The text, without the comments that mark the parts that tests generate.
    pub(crate) fn text(&self) -> String {
        let lines = self
            .markdown
            .lines()
            .filter(|line| !line.starts_with("<!--"));
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    pub(crate) fn title(&self) -> &'static str {
        let first = self.markdown.lines().next().unwrap_or_default();
        first.trim_start_matches("# ")
    }
}

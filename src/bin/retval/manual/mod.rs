//! The manual: Markdown pages that are part of the program, and their renderers.

mod markdown;
pub(crate) mod roff;
mod table;
pub(crate) mod text;
mod wrap;

/// A page of the manual.
#[derive(Debug)]
pub(crate) struct Page {
    /// The name in `retval help NAME`.
    pub(crate) name: &'static str,
    /// Markdown. The first line is the title.
    pub(crate) markdown: &'static str,
    /// The commands that it describes.
    pub(crate) commands: &'static [&'static str],
}

macro_rules! page {
    ($name:literal, $commands:expr) => {
        Page {
            name: $name,
            markdown: include_str!(concat!($name, ".md")),
            commands: &$commands,
        }
    };
}

/// All pages, in reading order.
pub(crate) static PAGES: [Page; 18] = [
    page!("installing", ["completions", "demo", "man"]),
    page!("checking", ["check", "demo", "instruct"]),
    page!("many-returns", ["check"]),
    page!("hooks", ["hook", "instruct"]),
    page!("evidence", ["check", "hook"]),
    page!("configuration", ["config", "check", "hook"]),
    page!("profiles", ["check", "config", "instruct"]),
    page!("rules", ["explain", "check"]),
    page!("conformance", ["check", "instruct"]),
    page!("formats", ["check"]),
    page!("schema", ["schema"]),
    page!("convert", ["convert"]),
    page!("security", ["check", "hook"]),
    page!("speed", []),
    page!("testing", []),
    page!("contributing", []),
    page!("releasing", []),
    page!("changelog", []),
];

impl Page {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PAGES.iter().find(|page| page.name == name)
    }

    /// The title of the page.
    pub(crate) fn title(&self) -> &'static str {
        let first = self.markdown.lines().next().unwrap_or_default();
        first.trim_start_matches("# ")
    }
}

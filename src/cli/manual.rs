//! The manual: Markdown pages that are part of the program.

/// A page of the manual.
#[derive(Debug)]
pub(crate) struct Page {
    /// The name in `retval help NAME`.
    pub(crate) name: &'static str,
    /// Markdown. The first line is the title.
    pub(crate) markdown: &'static str,
}

pub(crate) struct PageSection {
    pub(crate) page: &'static str,
    pub(crate) title: &'static str,
    /// Markdown, with the heading.
    pub(crate) text: &'static str,
}

macro_rules! page {
    ($name:literal) => {
        Page {
            name: $name,
            markdown: include_str!(concat!("../manual/", $name, ".md")),
        }
    };
}

/// All pages, in reading order.
pub(crate) static PAGES: &[Page] = &[
    page!("start"),
    page!("checking"),
    page!("shell"),
    page!("many-returns"),
    page!("ci"),
    page!("hooks"),
    page!("hooks-install"),
    page!("hooks-settings"),
    page!("hooks-clients"),
    page!("hooks-trace"),
    page!("hooks-sdk"),
    page!("evidence"),
    page!("audit"),
    page!("configuration"),
    page!("init"),
    page!("profiles"),
    page!("standards"),
    page!("claims"),
    page!("forms"),
    page!("rules"),
    page!("conformance"),
    page!("formats"),
    page!("security"),
    page!("changelog"),
];

impl Page {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PAGES.iter().find(|page| page.name == name)
    }

    /// The text, without the comments that mark the parts that tests generate.
    pub(crate) fn text(&self) -> String {
        let lines = self.markdown.lines();
        let lines = lines.filter(|line| !line.starts_with("<!--"));
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    /// Whether it tells how to use retval, not what has changed or where it comes from.
    pub(crate) fn is_for_users(&self) -> bool {
        !["changelog", "conformance"].contains(&self.name)
    }

    /// Its parts below each heading.
    pub(crate) fn sections(&self) -> impl Iterator<Item = PageSection> {
        let mut is_code = false;
        let mut starts = Vec::new();
        let mut at = 0;
        for line in self.markdown.split_inclusive('\n') {
            is_code ^= line.starts_with("```");
            if line.starts_with('#') && !is_code {
                starts.push(at);
            }
            at += line.len();
        }
        let ends = starts.clone().into_iter().skip(1).chain([at]);
        starts.into_iter().zip(ends).map(|(start, end)| {
            let text = &self.markdown[start..end];
            let title = text.lines().next().unwrap_or_default();
            PageSection {
                page: self.name,
                title: title.trim_start_matches('#').trim(),
                text,
            }
        })
    }

    pub(crate) fn title(&self) -> &'static str {
        let first = self.markdown.lines().next().unwrap_or_default();
        first.trim_start_matches("# ")
    }
}

//! Places in a text that show something without saying it: comments, examples and quotations.

/// How such elements begin and how they end. The name of a tag may go on, as in `<examples>`.
const ELEMENTS: [(&str, &str); 7] = [
    ("<!--", "-->"),
    ("<example", "</example"),
    ("<sample", "</sample"),
    ("<quot", "</quot"),
    ("<blockquote", "</blockquote"),
    ("<q>", "</q>"),
    ("<cite", "</cite"),
];

/// What was found of them, in one pass over the text.
#[derive(Default)]
pub(super) struct Cited {
    /// The end of the last element.
    until: usize,
    /// Ends that the rest of the text does not have.
    missing: Vec<&'static str>,
    /// The start of the line that was looked at last, and how far it was looked at.
    line: usize,
    looked: usize,
}

impl Cited {
    /// Looks at the tag at `at`. An element that is not closed is only mentioned, and so is a tag in code.
    pub(super) fn tag(&mut self, text: &str, at: usize) {
        let rest = &text.as_bytes()[at..];
        let begins = |(open, _): &&(&str, &str)| {
            let start = rest.get(..open.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(open.as_bytes()))
        };
        let Some((_, close)) = ELEMENTS.iter().find(begins) else {
            return;
        };
        if at < self.until || self.missing.contains(close) || is_code(text, at) {
            return;
        }
        let mut places = rest.windows(close.len());
        match places.position(|place| place.eq_ignore_ascii_case(close.as_bytes())) {
            Some(end) => self.until = at + end,
            None => self.missing.push(close),
        }
    }

    /// Whether the object at `at` is in such an element, or in a line that Markdown quotes.
    pub(super) fn has(&mut self, text: &str, at: usize) -> bool {
        let seen = &text.as_bytes()[self.looked..at];
        if let Some(end) = memchr::memrchr(b'\n', seen) {
            self.line = self.looked + end + 1;
        }
        self.looked = at;
        at < self.until
            || text[self.line..]
                .trim_start_matches([' ', '\t'])
                .starts_with('>')
    }
}

/// Whether the tag at `at` stands between backticks, without an object.
fn is_code(text: &str, at: usize) -> bool {
    let (before, rest) = text.as_bytes().split_at(at);
    before.ends_with(b"`") && {
        let next = memchr::memchr2(b'`', b'{', rest);
        next.is_some_and(|next| rest[next] == b'`')
    }
}

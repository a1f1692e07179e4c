//! Wrong returns, made from the example of a profile: a profile that checks something refuses most of them.

use crate::document::Form;
use crate::document::tree::Value;
use crate::profile::Profile;
use crate::text::Span;
use crate::text::escape::truncated;

/// A wrong return.
pub(super) struct Mutation {
    /// What is wrong with it. Safe to print.
    pub(super) what: String,
    pub(super) text: String,
}

/// A word, and a name, that no profile knows.
const FOREIGN: &str = "NO_SUCH_WORD";

/// The most wrong returns that are made of one example.
const MOST: usize = 200;

/// The wrong returns that an example, which says this status, can be made into: without each of its names, and
/// with another status.
pub(super) fn of(profile: &Profile, example: &str, status: Option<&str>) -> Vec<Mutation> {
    let Ok(document) = profile.read(example) else {
        return Vec::new();
    };
    let mut maker = Maker {
        is_text: profile.form == Form::Text,
        example,
        made: Vec::new(),
    };
    maker.names(document.root());
    let is_open = profile.statuses.iter().any(|it| &*it.word == "*");
    if let (Some(role), Some(word), false) = (&profile.roles.status, status, is_open) {
        let places = role.paths.iter();
        let found = places.flat_map(|it| it.find(document.root()).unwrap_or_default());
        let at = found.into_iter().find_map(|it| {
            let span = it.source().or(it.place())?;
            let at = example[span.start..span.end].find(word)?;
            Some(Span::new(span.start + at, word.len()))
        });
        if let Some(at) = at {
            maker.replace(&format!("the status {FOREIGN}"), at, FOREIGN);
        }
    }
    maker.made
}

struct Maker<'m> {
    is_text: bool,
    example: &'m str,
    made: Vec<Mutation>,
}

impl Maker<'_> {
    /// Replaces bytes of the example. One mutation is enough for each text.
    fn replace(&mut self, what: &str, span: Span, new: &str) {
        let mut text = self.example.to_owned();
        text.replace_range(span.start..span.end, new);
        let is_known = |it: &Mutation| it.what == what || it.text == text;
        if self.made.len() < MOST && !self.made.iter().any(is_known) {
            let what = what.to_owned();
            self.made.push(Mutation { what, text });
        }
    }

    /// The example without each of its names, at any depth. Of the items of a list, the first one stands for
    /// all.
    fn names(&mut self, body: Value<'_, '_>) {
        let groups: Vec<_> = if body.is_list() {
            return body.items().take(1).for_each(|it| self.names(it));
        } else if self.is_text && body.is_object() {
            let groups = ["front_matter", "labels", "tags", "sections"];
            groups.iter().filter_map(|it| body.member(it)).collect()
        } else {
            vec![body]
        };
        for value in groups.into_iter().flat_map(Value::members) {
            let first = value.first();
            if let Some(at) = first.place() {
                self.leave_out(value.key(), at, first.source());
            }
            self.names(first);
        }
    }

    /// The example with another name in place of this one, or without the value if the name does not stand
    /// with it. A text has names at the place of the value, other forms before it.
    fn leave_out(&mut self, name: &str, at: Span, value: Option<Span>) {
        let what = format!("`{}` left out", truncated(name));
        let start = if self.is_text {
            let line = self.example[at.start..].lines().next();
            line.and_then(|it| it.find(name)).map(|it| at.start + it)
        } else {
            let line = self.example[..at.start].trim_end();
            let line = line.trim_end_matches([':', '"']);
            line.ends_with(name).then(|| line.len() - name.len())
        };
        match start {
            Some(start) if !name.is_empty() => {
                self.replace(&what, Span::new(start, name.len()), FOREIGN);
            }
            _ => self.replace(&what, value.unwrap_or(at), ""),
        }
    }
}

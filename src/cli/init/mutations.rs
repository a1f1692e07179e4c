//! Wrong returns, made from the example of a profile: a profile that checks something refuses most of them.

use crate::document::Form;
use crate::document::tree::Value;
use crate::profile::{Place, Profile};
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

/// The most lines that may be allowed, so that more of them are tried.
const LINES: usize = 10_000;

/// The wrong returns that an example, which says this status, can be made into: with another status or another
/// word at a place of some, with too many lines, and without each of its names.
pub(super) fn of(profile: &Profile, example: &str, status: Option<&str>) -> Vec<Mutation> {
    let Ok(document) = profile.read(example) else {
        return Vec::new();
    };
    let mut maker = Maker {
        is_text: profile.form == Form::Text,
        example,
        document: document.root(),
        made: Vec::new(),
    };
    let is_open = profile.statuses.iter().any(|it| &*it.word == "*");
    if let (Some(role), Some(word), false) = (&profile.roles.status, status, is_open) {
        maker.say(role, word, &format!("the status {FOREIGN}"));
    }
    for allowed in &*profile.claims.values {
        let what = format!("{FOREIGN} at `{}`", truncated(allowed.place.as_str()));
        for word in &allowed.words {
            maker.say(&allowed.place, word, &what);
        }
    }
    let most = profile.message_limits.lines;
    if let Some(most) = most.filter(|most| maker.is_text && *most <= LINES) {
        let more = "\n\n".to_owned() + &"One more line.\n".repeat(most + 1);
        let end = Span::new(example.len(), 0);
        maker.replace(&format!("more than {most} lines"), end, &more);
    }
    // Last: there may be more of them than are tried.
    maker.names(document.root());
    maker.made
}

struct Maker<'m> {
    is_text: bool,
    example: &'m str,
    document: Value<'m, 'm>,
    made: Vec<Mutation>,
}

impl Maker<'_> {
    /// Replaces bytes of the example. One mutation is enough for each text.
    fn replace(&mut self, what: &str, span: Span, new: &str) {
        if self.made.len() >= MOST || self.made.iter().any(|it| it.what == what) {
            return;
        }
        let mut text = self.example.to_owned();
        text.replace_range(span.start..span.end, new);
        if self.made.iter().all(|it| it.text != text) {
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
        let names: Vec<_> = groups.into_iter().flat_map(Value::members).collect();
        for value in &names {
            let first = value.first();
            if let Some(at) = first.place() {
                self.leave_out(value.key(), at, first.source());
            }
        }
        // Of names that are the same, the outermost one is left out.
        for value in names {
            self.names(value.first());
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

    /// The example with a foreign word in place of one that stands at a place.
    fn say(&mut self, place: &Place, word: &str, what: &str) {
        let paths = place.paths.iter();
        let found = paths.flat_map(|it| it.find(self.document).unwrap_or_default());
        let at = found.into_iter().find_map(|it| {
            let span = it.source().or(it.place())?;
            let at = self.example[span.start..span.end].find(word)?;
            Some(Span::new(span.start + at, word.len()))
        });
        if let Some(at) = at {
            self.replace(what, at, FOREIGN);
        }
    }
}

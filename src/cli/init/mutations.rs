//! Wrong returns, made from the example of a profile: a profile that checks something refuses most of them.

use crate::document::Form;
use crate::document::pointer::PointerStep;
use crate::document::tree::Value;
use crate::profile::PlacePath;
use crate::profile::Profile;
use crate::profile::place::PlaceOrigin;
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

/// The wrong returns that an example, which says this status, can be made into.
pub(super) fn of(profile: &Profile, example: &str, status: Option<&str>) -> Vec<Mutation> {
    let Ok(document) = profile.read(example) else {
        return Vec::new();
    };
    let mut maker = Maker {
        profile,
        example,
        document: document.root(),
        made: Vec::new(),
    };
    maker.names(document.root(), 0);
    let conditions = profile.required_if.iter();
    let with_status = conditions.filter(|it| it.words.iter().any(|own| Some(&**own) == status));
    let places = with_status.flat_map(|it| &it.places);
    for place in profile.required.iter().chain(places) {
        maker.leave_out_place(place.path());
    }
    let is_open = profile.statuses.iter().any(|it| &*it.word == "*");
    if let (Some(role), Some(word), false) = (&profile.roles.status, status, is_open) {
        for place in &*role.paths {
            maker.say(place, word, &format!("the status {FOREIGN}"));
        }
    }
    for allowed in &*profile.claims.values {
        let what = format!("{FOREIGN} at `{}`", truncated(allowed.place.as_str()));
        for word in &allowed.words {
            maker.say(allowed.place.path(), word, &what);
        }
    }
    let most = profile
        .message_limits
        .lines
        .filter(|_| profile.form == Form::Text);
    if let Some(most) = most {
        let more = "One more line.\n".repeat(most.min(10_000) + 1);
        let text = format!("{}\n\n{more}", example.trim_end());
        let what = format!("more than {most} lines");
        maker.made.push(Mutation { what, text });
    }
    maker.made
}

struct Maker<'m> {
    profile: &'m Profile,
    example: &'m str,
    document: Value<'m, 'm>,
    made: Vec<Mutation>,
}

impl Maker<'_> {
    /// Replaces bytes of the example. One mutation is enough for each text.
    fn replace(&mut self, what: &str, span: Span, new: &str) {
        let is_known = || self.made.iter().any(|it| it.what == what);
        if self.made.len() >= MOST || is_known() {
            return;
        }
        let mut text = self.example.to_owned();
        text.replace_range(span.start..span.end, new);
        if self.made.iter().all(|it| it.text != text) {
            let what = what.to_owned();
            self.made.push(Mutation { what, text });
        }
    }

    /// The example without each of its names, also those below a single one.
    fn names(&mut self, body: Value<'_, '_>, depth: usize) {
        let groups: Vec<_> = if body.is_list() {
            body.items().take(1).collect()
        } else if body.is_object() && self.profile.form == Form::Text {
            let groups = ["front_matter", "labels", "tags", "sections"];
            groups.iter().filter_map(|it| body.member(it)).collect()
        } else {
            vec![body]
        };
        let names: Vec<_> = groups.into_iter().flat_map(Value::members).collect();
        for value in &names {
            let (name, first) = (value.key(), value.first());
            self.leave_out(name, name, first.place(), first.source());
        }
        if let ([only], 0) = (&names[..], depth) {
            self.names(*only, depth + 1);
        }
    }

    /// The example without what stands at a place.
    fn leave_out_place(&mut self, place: &PlacePath) {
        let found = place.find(self.document).unwrap_or_default();
        let Some(first) = found.first() else {
            return;
        };
        let (at, name) = match (place.origin(self.document), place.steps().last()) {
            (Ok(Some(PlaceOrigin::Named(thing))), None) => (thing.place(), place.name()),
            (_, Some(PointerStep::Name(name))) => (first.place(), Some(&**name)),
            _ => (first.place(), None),
        };
        let name = name.unwrap_or_default();
        self.leave_out(place.as_str(), name, at, first.source());
    }

    /// The example with another name in place of this one, or without the value if the name does not stand
    /// with it. A text has names at the place of the value, other forms before it.
    fn leave_out(&mut self, place: &str, name: &str, at: Option<Span>, value: Option<Span>) {
        let Some(at) = at else { return };
        let what = format!("`{}` left out", truncated(place));
        let start = if self.profile.form == Form::Text {
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

    /// The example with a foreign word in place of one that is allowed at a place.
    fn say(&mut self, place: &PlacePath, word: &str, what: &str) {
        let found = place.find(self.document).unwrap_or_default();
        let at = found.iter().find_map(|it| {
            let span = it.source().or(it.place())?;
            let at = self.example[span.start..span.end].find(word)?;
            Some(Span::new(span.start + at, word.len()))
        });
        if let Some(at) = at {
            self.replace(what, at, FOREIGN);
        }
    }
}

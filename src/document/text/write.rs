//! Writes what was put together of a text as a tree.

use std::borrow::Cow;
use std::collections::HashMap;

use super::lines::trimmed;
use super::scan::Scanned;
use crate::document::error::{Budget, FormError};
use crate::document::tree::{Chars, Kind, Tree};
use crate::document::{json, name, yaml};
use crate::text::Span;

/// A value of a text, by its places.
#[derive(Debug)]
pub(super) struct TextDraft {
    kind: DraftKind,
    /// Its name, if it is a member of an object: a fixed one, or where it stands.
    name: Result<&'static str, Span>,
    place: Option<Span>,
    /// The bytes of the message that are the value, with its marks.
    source: Option<Span>,
    inside: Vec<Self>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DraftKind {
    Text,
    Number(usize),
    List,
    /// An object whose names are fixed.
    Object,
    /// An object whose names stand in the text. One that is there more than once has several values.
    Named,
    /// Fenced code: data if it is JSON or says that it is YAML, else a text.
    Block,
    FrontMatter,
}

impl TextDraft {
    pub(super) fn new(kind: DraftKind, source: Option<Span>, place: Option<Span>) -> Self {
        Self { kind, name: Ok(""), place, source, inside: Vec::new() }
    }

    pub(super) fn text(source: Span, place: Option<Span>) -> Self {
        Self::new(DraftKind::Text, Some(source), place)
    }

    pub(super) fn group(kind: DraftKind, inside: Vec<Self>) -> Self {
        Self { inside, ..Self::new(kind, None, None) }
    }

    pub(super) fn fixed(self, name: &'static str) -> Self {
        let name = Ok(name);
        Self { name, ..self }
    }

    pub(super) fn named(self, name: Span) -> Self {
        let name = Err(name);
        Self { name, ..self }
    }

    pub(super) fn at(self, place: Span) -> Self {
        let place = Some(place);
        Self { place, ..self }
    }

    pub(super) fn from(self, source: Span) -> Self {
        let source = Some(source);
        Self { source, ..self }
    }
}

pub(super) struct TextWriter<'t, 's> {
    pub(super) found: &'s Scanned<'t>,
    pub(super) tree: Tree<'t>,
    pub(super) budget: &'s mut Budget,
}

impl<'t> TextWriter<'t, '_> {
    pub(super) fn write(&mut self, draft: TextDraft, key: Chars) -> Result<(), FormError> {
        let kind = match draft.kind {
            DraftKind::Block => return self.block(&draft, key),
            DraftKind::FrontMatter => {
                let at = self.tree.len();
                let source = draft.source.unwrap_or_default();
                yaml::read_part(&mut self.tree, source, (key, None), self.budget)?;
                self.tree.mark(at, true, None);
                return Ok(());
            }
            DraftKind::Text => Kind::String,
            DraftKind::Number(_) => Kind::Integer,
            DraftKind::List => Kind::Array,
            DraftKind::Object | DraftKind::Named => Kind::Object,
        };
        let chars = match (draft.kind, draft.source) {
            (DraftKind::Text, Some(source)) => self.tree.keep(&self.found.plain(source)),
            (DraftKind::Number(number), _) => self.tree.keep(&number.to_string()),
            _ => Chars::default(),
        };
        let own = self.tree.push(kind, (key, None), chars, draft.place);
        let is_named = draft.kind == DraftKind::Named;
        let source = draft.source.map(|it| trimmed(self.found.text, it));
        self.tree.mark(own, is_named, source);
        if is_named {
            self.named(draft.inside)?;
        } else {
            for inner in draft.inside {
                // The items of a list have no names.
                let name = if kind == Kind::Object { inner.name.unwrap_or_default() } else { "" };
                let key = self.tree.keep(name);
                self.write(inner, key)?;
            }
        }
        self.tree.close(own, draft.place.map_or(0, |it| it.end));
        Ok(())
    }

    /// Brings together the members that have the same name.
    fn named(&mut self, members: Vec<TextDraft>) -> Result<(), FormError> {
        let mut all: Vec<(Cow<'t, str>, Vec<TextDraft>)> = Vec::new();
        let mut index = HashMap::new();
        for member in members {
            let mut name = self.found.plain(member.name.err().unwrap_or_default());
            if member.kind == DraftKind::Object && name.ends_with([':', '：']) {
                name = Cow::Owned(name.trim_end_matches([':', '：']).to_owned());
            }
            let at = *index.entry(name::key(&name)).or_insert(all.len());
            match all.get_mut(at) {
                Some((_, values)) => values.push(member),
                None => all.push((name, vec![member])),
            }
        }
        for (name, values) in all {
            let (key, none) = (self.tree.keep(&name), Chars::default());
            let is_one = values.len() == 1;
            let at = self.tree.len();
            if !is_one {
                self.tree.push(Kind::Several, (key, None), none, None);
            }
            for value in values {
                self.write(value, if is_one { key } else { none })?;
            }
            if !is_one {
                self.tree.close(at, 0);
            }
        }
        Ok(())
    }

    fn block(&mut self, draft: &TextDraft, key: Chars) -> Result<(), FormError> {
        let (source, place) = (draft.source.unwrap_or_default(), draft.place);
        let word = self.found.plain(draft.name.err().unwrap_or_default());
        let text = &self.found.text[source.start..source.end];
        let is = |other: &str| word.eq_ignore_ascii_case(other);
        let (at, key) = (self.tree.len(), (key, None));
        let is_data = if is("yaml") || is("yml") {
            yaml::read_part(&mut self.tree, source, key, &mut Budget::default()).is_ok()
        } else {
            (is("json") || text.trim_start().starts_with(['{', '[']))
                && json::read_part(&mut self.tree, source, key).is_ok()
                && !self.tree.has_duplicate_key()
        };
        if is_data {
            let items = self.tree.len() - at;
            return self.budget.take(items, place.unwrap_or_default());
        }
        self.tree.truncate(at);
        let code = Span::new(source.start, text.trim_end_matches(['\n', '\r']).len());
        let chars = Tree::chars(code.start..code.end);
        let own = self.tree.push(Kind::String, key, chars, place);
        self.tree.mark(own, false, Some(code));
        Ok(())
    }
}

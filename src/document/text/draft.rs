//! What the form of text puts together, before it is a tree.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::document::name;
use crate::document::tree::{Chars, NodeKind, Tree};
use crate::text::Span;

/// A value of a text.
#[derive(Debug)]
pub(super) struct TextDraft<'t> {
    kind: NodeKind,
    /// Its name, if it is a member of an object.
    name: Cow<'t, str>,
    /// A text without its marks, or a number.
    text: Cow<'t, str>,
    /// Its items or members.
    inside: Vec<Self>,
    /// Whether the names of its members stand in the text: they are equal without regard to case, marks, emoji,
    /// numbering and separators.
    is_alike: bool,
    /// Data in another form in place of all this, and where it begins.
    data: Option<Box<(Tree<'t>, usize)>>,
    /// Where the message states it.
    place: Option<Span>,
    /// The bytes of the message that are the value, with its marks.
    source: Option<Span>,
}

impl<'t> TextDraft<'t> {
    fn new(kind: NodeKind, text: Cow<'t, str>, inside: Vec<Self>) -> Self {
        Self {
            kind,
            name: Cow::Borrowed(""),
            text,
            inside,
            is_alike: false,
            data: None,
            place: None,
            source: None,
        }
    }

    pub(super) fn text(text: impl Into<Cow<'t, str>>) -> Self {
        Self::new(NodeKind::Text, text.into(), Vec::new())
    }

    pub(super) fn number(number: usize) -> Self {
        Self::new(NodeKind::Number, number.to_string().into(), Vec::new())
    }

    pub(super) fn list(items: Vec<Self>) -> Self {
        Self::new(NodeKind::List, Cow::Borrowed(""), items)
    }

    /// An object whose names are fixed.
    pub(super) fn fixed(members: Vec<Self>) -> Self {
        Self::new(NodeKind::Object, Cow::Borrowed(""), members)
    }

    /// An object whose names stand in the text. No two of them are alike.
    pub(super) fn object(members: Vec<Self>) -> Self {
        Self {
            is_alike: true,
            ..Self::fixed(members)
        }
    }

    /// Data in another form, which begins at `start` and knows the places of its values.
    pub(super) fn data(data: Tree<'t>, start: usize) -> Self {
        Self {
            data: Some(Box::new((data, start))),
            ..Self::text("")
        }
    }

    pub(super) fn named(self, name: impl Into<Cow<'t, str>>) -> Self {
        let name = name.into();
        Self { name, ..self }
    }

    pub(super) fn at(self, place: Option<Span>) -> Self {
        Self { place, ..self }
    }

    pub(super) fn from(self, source: Span) -> Self {
        let source = Some(source);
        Self { source, ..self }
    }

    /// The tree of a text.
    pub(super) fn into_tree(self, text: &'t str) -> Tree<'t> {
        let mut tree = Tree::new(text);
        self.push(&mut tree);
        tree
    }

    fn push(self, tree: &mut Tree<'t>) {
        let mut keep = |text: &str| match text {
            "" => Chars::default(),
            _ => tree.keep(text),
        };
        let key = (keep(&self.name), None);
        if let Some(data) = self.data {
            let (data, start) = *data;
            return tree.append(data, key, start);
        }
        let chars = keep(&self.text);
        let own = tree.push(self.kind, key, chars, self.place);
        for inner in self.inside {
            inner.push(tree);
        }
        tree.mark(own, self.is_alike, self.source);
        tree.close(own, self.place.map_or(0, |it| it.end));
    }
}

/// The members of an object of a text, in which a name may stand more than once.
#[derive(Debug, Default)]
pub(super) struct Collected<'t> {
    members: Vec<TextDraft<'t>>,
    /// Where each name is, as soon as there are two: most objects have one member.
    index: HashMap<String, usize>,
}

impl<'t> Collected<'t> {
    /// Whether each of these names would be a member of its own.
    pub(super) fn are_distinct(names: &[Cow<'_, str>]) -> bool {
        let mut keys = HashSet::new();
        names.iter().all(|it| keys.insert(name::key(it)))
    }

    /// Adds a member; a name that is there gets several values.
    pub(super) fn add(&mut self, value: TextDraft<'t>) {
        let Some(first) = self.members.first() else {
            return self.members.push(value);
        };
        if self.index.is_empty() {
            self.index.insert(name::key(&first.name), 0);
        }
        let key = name::key(&value.name);
        let Some(&at) = self.index.get(&key) else {
            self.index.insert(key, self.members.len());
            return self.members.push(value);
        };
        let member = &mut self.members[at];
        if member.kind == NodeKind::Several {
            return member.inside.push(value.named(""));
        }
        let several = TextDraft::new(NodeKind::Several, Cow::Borrowed(""), Vec::new());
        let mut first = std::mem::replace(member, several);
        member.name = std::mem::take(&mut first.name);
        member.inside = vec![first, value.named("")];
    }

    pub(super) fn object(self) -> TextDraft<'t> {
        TextDraft::object(self.members)
    }
}

//! What the form of text puts together, before it is a tree.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::error::FormError;
use super::name;
use crate::document::tree::{Chars, NodeKind, Tree};
use crate::document::{DEPTH_AT_MOST, ITEMS_AT_MOST};
use crate::text::Span;

/// A value of a text.
#[derive(Debug)]
pub(crate) struct PlacedValue<'t> {
    /// The value itself.
    pub content: DraftContent<'t>,
    /// Where the message states it.
    pub place: Option<Span>,
    /// The bytes of the message that are the value, with its marks.
    pub source: Option<Span>,
}

/// What a value is.
#[derive(Debug)]
pub(crate) enum DraftContent<'t> {
    /// A number, as text.
    Number(Cow<'t, str>),
    /// A text without its marks.
    Text(Cow<'t, str>),
    /// An array.
    List(Vec<PlacedValue<'t>>),
    /// An object.
    Object(Object<'t>),
    /// A name that stands there more than once, with the value of each, in their order. Never nested
    /// directly, and never with fewer than two.
    Several(Vec<PlacedValue<'t>>),
    /// Data in another form, and where it begins.
    Data(Tree<'t>, usize),
}

/// The members of an object, in their order. No two of them have an equal name.
#[derive(Debug, Default)]
pub(crate) struct Object<'t> {
    /// Names and values.
    pub members: Vec<(Cow<'t, str>, PlacedValue<'t>)>,
    /// When a name is one of its members.
    pub names: Names,
}

/// When two names of members are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Names {
    /// If they have the same characters, as in JSON and YAML.
    #[default]
    Exact,
    /// Without regard to case, marks, emoji, numbering and separators, as in text.
    Alike,
}

impl<'t> PlacedValue<'t> {
    /// A value without a place.
    pub(crate) fn unplaced(content: DraftContent<'t>) -> Self {
        Self {
            content,
            place: None,
            source: None,
        }
    }

    /// A value at this place.
    pub(crate) fn at(content: DraftContent<'t>, place: Span) -> Self {
        Self {
            content,
            place: Some(place),
            source: None,
        }
    }

    /// The tree of a text.
    pub(in crate::document) fn into_tree(self, text: &'t str) -> Tree<'t> {
        let mut tree = Tree::new(text);
        self.push(Chars::default(), &mut tree);
        tree
    }

    fn push(self, key: Chars, tree: &mut Tree<'t>) {
        let (key, place) = ((key, None), self.place);
        let leaf = |kind, text: &str, tree: &mut Tree<'t>| {
            let chars = tree.keep(text);
            tree.push(kind, key, chars, place)
        };
        let list = |kind, values: Vec<Self>, tree: &mut Tree<'t>| {
            let own = tree.push(kind, key, Chars::default(), place);
            for value in values {
                value.push(Chars::default(), tree);
            }
            own
        };
        let mut is_alike = false;
        let own = match self.content {
            DraftContent::Number(written) => leaf(NodeKind::Number, &written, tree),
            DraftContent::Text(text) => leaf(NodeKind::Text, &text, tree),
            DraftContent::List(values) => list(NodeKind::List, values, tree),
            DraftContent::Several(values) => list(NodeKind::Several, values, tree),
            DraftContent::Object(object) => {
                is_alike = object.names == Names::Alike;
                let own = tree.push(NodeKind::Object, key, Chars::default(), place);
                for (name, value) in object.members {
                    let name = tree.keep(&name);
                    value.push(name, tree);
                }
                own
            }
            DraftContent::Data(data, start) => return tree.append(data, key, start),
        };
        tree.mark(own, is_alike, self.source);
        tree.close(own, place.map_or(0, |it| it.end));
    }
}

/// A value at a place.
pub(in crate::document) fn placed(
    content: DraftContent<'_>,
    place: Option<Span>,
) -> PlacedValue<'_> {
    PlacedValue {
        content,
        place,
        source: None,
    }
}

/// An object whose names are fixed.
pub(in crate::document) fn fixed<'t>(
    members: Vec<(&'static str, PlacedValue<'t>)>,
    place: Option<Span>,
) -> PlacedValue<'t> {
    let named = members
        .into_iter()
        .map(|(name, it)| (Cow::Borrowed(name), it));
    placed(object(named.collect(), Names::Exact), place)
}

/// An object of members of which no two have an equal name.
pub(in crate::document) fn object<'t>(
    members: Vec<(Cow<'t, str>, PlacedValue<'t>)>,
    names: Names,
) -> DraftContent<'t> {
    DraftContent::Object(Object { members, names })
}

/// Counts items and members of a document.
#[derive(Debug, Default)]
pub(in crate::document) struct Budget(usize);

impl Budget {
    /// Counts `items` more.
    pub(in crate::document) fn take(&mut self, items: usize, place: Span) -> Result<(), FormError> {
        self.0 += items;
        if self.0 > ITEMS_AT_MOST {
            return Err(too_many(place));
        }
        Ok(())
    }
}

/// Checks a depth: 1 for a list of texts.
pub(in crate::document) fn check_depth(depth: usize, place: Span) -> Result<(), FormError> {
    if depth > DEPTH_AT_MOST {
        return Err(too_deep(place));
    }
    Ok(())
}

pub(in crate::document) fn too_many(place: Span) -> FormError {
    let what = format!("has more than {ITEMS_AT_MOST} items and names");
    FormError::limit(what, place)
}

pub(in crate::document) fn too_deep(place: Span) -> FormError {
    let what = format!("is nested deeper than {DEPTH_AT_MOST} levels");
    FormError::limit(what, place)
}

/// An object of a text, in which a name may stand more than once.
#[derive(Debug, Default)]
pub(in crate::document) struct Collected<'t> {
    members: Vec<(Cow<'t, str>, PlacedValue<'t>)>,
    /// Where each name is, as soon as there are two: most objects have one member.
    index: HashMap<String, usize>,
}

impl<'t> Collected<'t> {
    /// Whether each of these names would be a member of its own.
    pub(in crate::document) fn are_distinct(names: &[Cow<'_, str>]) -> bool {
        let mut keys = HashSet::new();
        names.iter().all(|it| keys.insert(name::key(it)))
    }

    /// Adds a member; a name that is there gets several values.
    pub(in crate::document) fn add(&mut self, name: Cow<'t, str>, value: PlacedValue<'t>) {
        if self.members.is_empty() {
            self.members.push((name, value));
            return;
        }
        if self.index.is_empty() {
            self.index.insert(name::key(&self.members[0].0), 0);
        }
        let key = name::key(&name);
        let Some(&at) = self.index.get(&key) else {
            self.index.insert(key, self.members.len());
            self.members.push((name, value));
            return;
        };
        let member = &mut self.members[at].1;
        if let DraftContent::Several(values) = &mut member.content {
            values.push(value);
            return;
        }
        let several = PlacedValue::unplaced(DraftContent::Several(Vec::new()));
        let first = std::mem::replace(member, several);
        member.content = DraftContent::Several(vec![first, value]);
    }

    pub(in crate::document) fn object(self) -> DraftContent<'t> {
        DraftContent::Object(Object {
            members: self.members,
            names: Names::Alike,
        })
    }
}

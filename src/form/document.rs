//! What the form of text puts together, before it is a tree.

use std::borrow::Cow;

use crate::document::tree::{Chars, NodeKind, Tree};
use crate::text::Span;

/// A value of a text.
#[derive(Debug)]
pub(crate) struct PlacedValue<'t> {
    /// The value itself.
    pub content: Content<'t>,
    /// Where the message states it.
    pub place: Option<Span>,
    /// The bytes of the message that are the value, with its marks.
    pub source: Option<Span>,
}

/// What a value is.
#[derive(Debug)]
pub(crate) enum Content<'t> {
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
    pub(crate) fn unplaced(content: Content<'t>) -> Self {
        Self {
            content,
            place: None,
            source: None,
        }
    }

    /// A value at this place.
    pub(crate) fn at(content: Content<'t>, place: Span) -> Self {
        Self {
            content,
            place: Some(place),
            source: None,
        }
    }

    /// The tree of a text.
    pub(super) fn into_tree(self, text: &'t str) -> Tree<'t> {
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
            Content::Number(written) => leaf(NodeKind::Number, &written, tree),
            Content::Text(text) => leaf(NodeKind::Text, &text, tree),
            Content::List(values) => list(NodeKind::List, values, tree),
            Content::Several(values) => list(NodeKind::Several, values, tree),
            Content::Object(object) => {
                is_alike = object.names == Names::Alike;
                let own = tree.push(NodeKind::Object, key, Chars::default(), place);
                for (name, value) in object.members {
                    let name = tree.keep(&name);
                    value.push(name, tree);
                }
                own
            }
            Content::Data(data, start) => return tree.append(data, key, start),
        };
        tree.mark(own, is_alike, self.source);
        tree.close(own, place.map_or(0, |it| it.end));
    }
}

//! One value of a tree, and what is inside of it.

use std::borrow::Cow;
use std::fmt::{self, Formatter};

use serde::ser::{Serialize, Serializer};
use serde_json::Number;

use super::{Node, Tree};
use crate::document::name::is_alike;
use crate::document::pointer::{Pointer, Segment};
use crate::text::{Span, is_blank};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'v, 't> {
    pub(super) tree: &'v Tree<'t>,
    pub(super) at: u32,
}

impl PartialEq for Value<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.at == other.at
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    /// A number without a fraction, in any notation.
    Integer,
    Fraction,
    String,
    Array,
    Object,
    /// A name that stands there more than once, with the value of each.
    Several,
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer => "a number",
            Self::Fraction => "a number with a fraction",
            Self::String => "a string",
            Self::Array | Self::Several => "an array",
            Self::Object => "an object",
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Content<'v> {
    Null,
    Bool(bool),
    Number(&'v str),
    Text(&'v str),
    List,
    Object,
    /// A name that stands there more than once, with the value of each, in their order.
    Several,
}

impl<'v, 't> Value<'v, 't> {
    #[inline]
    fn node(self) -> &'v Node {
        &self.tree.nodes[self.at as usize]
    }

    /// What tells it from all other values of its tree.
    pub(crate) fn id(self) -> u32 {
        self.at
    }

    /// What it is a part of.
    pub(crate) fn tree(self) -> &'v Tree<'t> {
        self.tree
    }

    pub(crate) fn content(self) -> Content<'v> {
        let node = self.node();
        let chars = || self.tree.get(node.chars);
        match node.kind {
            Kind::Null => Content::Null,
            Kind::Boolean => Content::Bool(chars() == "true"),
            Kind::Integer | Kind::Fraction => Content::Number(chars()),
            Kind::String => Content::Text(chars()),
            Kind::Array => Content::List,
            Kind::Object => Content::Object,
            Kind::Several => Content::Several,
        }
    }

    pub(crate) fn kind(self) -> Kind {
        match self.node().kind {
            Kind::Integer if !self.is_whole() => Kind::Fraction,
            Kind::Several => Kind::Array,
            kind => kind,
        }
    }

    /// Whether a number has no fraction, in whatever notation.
    fn is_whole(self) -> bool {
        let written = self.tree.bytes(self.node().chars);
        let is_plain = !written.iter().any(|it| matches!(it, b'.' | b'e' | b'E'));
        is_plain || self.number().is_some_and(|it| it.fract() == 0.0)
    }

    pub(crate) fn is_null(self) -> bool {
        self.node().kind == Kind::Null
    }

    pub(crate) fn is_list(self) -> bool {
        self.node().kind == Kind::Array
    }

    pub(crate) fn is_object(self) -> bool {
        self.node().kind == Kind::Object
    }

    pub(crate) fn is_several(self) -> bool {
        self.node().kind == Kind::Several
    }

    /// Whether the names of its members are equal without regard to case, marks, numbering and separators.
    pub(crate) fn is_alike(self) -> bool {
        self.node().is_alike
    }

    /// The text without marks. None for any other value.
    pub(crate) fn text(self) -> Option<&'v str> {
        let node = self.node();
        (node.kind == Kind::String).then(|| self.tree.get(node.chars))
    }

    /// The same, borrowed from the message where it stands there.
    pub(crate) fn text_of_message(self) -> Option<Cow<'t, str>> {
        self.text().map(|_| self.chars())
    }

    fn chars(self) -> Cow<'t, str> {
        let chars = self.node().chars;
        if chars.is_copy {
            return Cow::Owned(self.tree.get(chars).to_owned());
        }
        Cow::Borrowed(&self.tree.text[chars.start as usize..chars.end as usize])
    }

    /// What is no list and no object as text: a number as it is written, because an id may look like one.
    pub(crate) fn scalar(self) -> Option<Cow<'t, str>> {
        match self.content() {
            Content::Text(_) | Content::Number(_) => Some(self.chars()),
            Content::Bool(value) => Some(Cow::Borrowed(if value { "true" } else { "false" })),
            _ => None,
        }
    }

    /// A number. One that no `f64` holds is the largest of its sign.
    pub(crate) fn number(self) -> Option<f64> {
        let Content::Number(written) = self.content() else {
            return None;
        };
        match written.parse::<u32>() {
            // Most are so, and to read one is faster.
            Ok(small) => Some(f64::from(small)),
            Err(_) => number(written)?.as_f64(),
        }
    }

    pub(crate) fn boolean(self) -> Option<bool> {
        let node = self.node();
        (node.kind == Kind::Boolean).then(|| self.tree.get(node.chars) == "true")
    }

    /// How deep it is nested: 1 for a list of texts.
    pub(crate) fn depth(self) -> usize {
        let inside = self.children().map(|it| it.depth() + 1);
        let is_open = self.is_list() || self.is_object();
        inside.max().unwrap_or(usize::from(is_open))
    }

    /// The name, as written, if it is a member.
    pub(crate) fn key(self) -> &'v str {
        self.tree.get(self.node().key)
    }

    pub(crate) fn children(self) -> Children<'v, 't> {
        self.until(self.at + 1, self.node().next)
    }

    pub(crate) fn items(self) -> Children<'v, 't> {
        self.children_of(Kind::Array)
    }

    pub(crate) fn members(self) -> Children<'v, 't> {
        self.children_of(Kind::Object)
    }

    fn children_of(self, kind: Kind) -> Children<'v, 't> {
        let node = self.node();
        let end = if node.kind == kind { node.next } else { 0 };
        self.until(self.at + 1, end)
    }

    fn until(self, at: u32, end: u32) -> Children<'v, 't> {
        let tree = self.tree;
        Children { tree, at, end }
    }

    /// The member of that name. Of equal keys the last one counts, as for most readers.
    #[inline]
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        let own = self.node();
        if own.kind != Kind::Object {
            return None;
        }
        if own.is_alike {
            return self.members().find(|it| is_alike(it.key(), name));
        }
        let mut named = self.children().filter(|it| it.is_named(name));
        if self.tree.has_duplicate_key { named.last() } else { named.next() }
    }

    #[inline]
    pub(crate) fn is_named(self, name: &str) -> bool {
        self.has_key(name.as_bytes())
    }

    #[inline]
    pub(super) fn has_key(self, name: &[u8]) -> bool {
        self.tree.bytes(self.node().key) == name
    }

    pub(crate) fn text_of(self, name: &str) -> Option<&'v str> {
        self.member(name)?.text()
    }

    pub(crate) fn number_of(self, name: &str) -> Option<f64> {
        self.member(name)?.number()
    }

    pub(crate) fn list_of(self, name: &str) -> Option<Children<'v, 't>> {
        let list = self.member(name).filter(|it| it.is_list())?;
        Some(list.items())
    }

    pub(crate) fn object_of(self, name: &str) -> Option<Self> {
        self.member(name).filter(|it| it.is_object())
    }

    pub(crate) fn lacks(self, name: &str) -> bool {
        self.member(name).is_none_or(Self::is_null)
    }

    /// Whether a member is missing, null, or a text without a visible character.
    pub(crate) fn lacks_text(self, name: &str) -> bool {
        let member = self.member(name);
        member.is_none_or(|it| it.is_null() || it.text().is_some_and(is_blank))
    }

    /// The first of several values under one name, or else the value itself.
    pub(crate) fn first(self) -> Self {
        let first = self.children_of(Kind::Several).next();
        first.unwrap_or(self)
    }

    /// Each of several values under one name, or else the value itself.
    pub(crate) fn each(self) -> Children<'v, 't> {
        if self.is_several() {
            return self.children();
        }
        self.until(self.at, self.node().next)
    }

    /// Where the message states it: a label's line, a heading, an opening tag. None for what is computed or only
    /// groups.
    pub(crate) fn place(self) -> Option<Span> {
        self.node().place.span()
    }

    /// The bytes of the text with its marks, in the text form.
    pub(crate) fn source(self) -> Option<Span> {
        self.node().source.span()
    }

    /// Its place, or else its source.
    pub(crate) fn span(self) -> Option<Span> {
        self.place().or_else(|| self.source())
    }

    /// The same of itself, or of the nearest value around it that has a place.
    pub(crate) fn span_around(self) -> Span {
        let mut around = std::iter::successors(Some(self), |it| Some(it.outer()?.0));
        around.find_map(Self::span).unwrap_or_default()
    }

    pub(crate) fn key_place(self) -> Option<Span> {
        self.node().key_place.span()
    }

    /// What it is directly inside of, and how many others stand there before it. None for the whole.
    fn outer(self) -> Option<(Self, u32)> {
        let [outer, index] = self.tree.outer()[self.at as usize];
        (self.at > 0).then_some((Self { at: outer, ..self }, index))
    }

    /// The list or object that it is directly inside of. None for the whole.
    pub(crate) fn parent(self) -> Option<Self> {
        let (outer, _) = self.outer()?;
        if outer.is_several() {
            return outer.parent();
        }
        Some(outer)
    }

    /// The way to it, with the names as the message writes them.
    pub(crate) fn pointer(self) -> Pointer<'static> {
        let (mut inner, mut steps) = (self, Vec::new());
        while let Some((outer, index)) = inner.outer() {
            match outer.node().kind {
                Kind::Object => steps.push(Segment::Key(Cow::Owned(inner.key().to_owned()))),
                // Several values have one name.
                Kind::Several => {}
                _ => steps.push(Segment::Index(index as usize)),
            }
            inner = outer;
        }
        let steps = steps.into_iter().rev();
        steps.fold(Pointer::root(), Pointer::step)
    }
}

#[derive(Clone)]
pub(crate) struct Children<'v, 't> {
    tree: &'v Tree<'t>,
    at: u32,
    end: u32,
}

impl<'v, 't> Iterator for Children<'v, 't> {
    type Item = Value<'v, 't>;

    #[inline]
    fn next(&mut self) -> Option<Value<'v, 't>> {
        let (tree, at) = (self.tree, self.at);
        if at >= self.end {
            return None;
        }
        self.at = tree.nodes[at as usize].next;
        Some(Value { tree, at })
    }
}

impl Serialize for Value<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.content() {
            Content::Null => serializer.serialize_unit(),
            Content::Bool(value) => serializer.serialize_bool(value),
            Content::Number(written) => number(written).serialize(serializer),
            Content::Text(text) => serializer.serialize_str(text),
            Content::List => serializer.collect_seq(self.items()),
            Content::Object => serializer.collect_map(self.members().map(|it| (it.key(), it))),
            Content::Several => {
                let each: Vec<_> = self.children().collect();
                serializer.collect_map([("several", each)])
            }
        }
    }
}

/// The number that a text is in JSON or by the core schema of YAML, where `+1`, `01`, `.5`, `1.`, `0x1` and `0o1` are
/// some, too. One that no `f64` holds is the largest of its sign.
pub(crate) fn number(text: &str) -> Option<Number> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        let digits = text.strip_prefix(prefix);
        if let Some(digits) = digits.filter(|it| it.starts_with(|it: char| it.is_digit(radix)))
            && let Ok(value) = u64::from_str_radix(digits, radix)
        {
            return Some(value.into());
        }
    }
    let is_decimal = |it: u8| it.is_ascii_digit() || b"+-.eE".contains(&it);
    if !text.bytes().all(is_decimal) {
        return None;
    }
    let whole = text.strip_suffix('.').unwrap_or(text);
    let unsigned = whole.parse::<u64>().map(Number::from);
    if let Ok(number) = unsigned.or_else(|_| whole.parse::<i64>().map(Number::from)) {
        return Some(number);
    }
    let value: f64 = text.parse().ok()?;
    Number::from_f64(value.clamp(f64::MIN, f64::MAX))
}

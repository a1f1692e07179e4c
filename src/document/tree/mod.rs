//! The tree: what a text says, whatever its form, as one flat list of nodes.
//!
//! A node is followed by those inside it. Texts stay in the message as far as they stand there as they are; what was
//! unescaped or put together is copied. Every node knows its place, so that nothing is read a second time.

mod value;

use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::ops::Range;

use crate::text::Span;

pub(crate) use value::{Children, Content, Kind, Value, number};

/// What was read of one message. All places are in bytes of the text of the tree.
#[derive(Debug)]
pub(crate) struct Tree<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    /// The texts that do not stand in the message as they are.
    copies: String,
    has_duplicate_key: bool,
    has_several: bool,
    /// What each node is directly inside of, and its number there. Only few ways are ever asked for.
    outer: OnceCell<Vec<[u32; 2]>>,
}

/// One value. Of what stands inside it, `next` is the end.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// That of a number is not known: [`Kind::Integer`].
    kind: Kind,
    /// Whether its names are equal without regard to case, marks, numbering and separators.
    is_alike: bool,
    next: u32,
    key: Chars,
    key_place: ShortSpan,
    /// A text without marks, or a number as it is written.
    chars: Chars,
    place: ShortSpan,
    source: ShortSpan,
}

/// A text: in the message, or among the copies.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Chars {
    start: u32,
    end: u32,
    is_copy: bool,
}

/// Bytes of the message. Empty at the end of all messages if there is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ShortSpan {
    start: u32,
    end: u32,
}

impl ShortSpan {
    const NONE: Self = Self { start: u32::MAX, end: u32::MAX };

    fn span(self) -> Option<Span> {
        let [start, end] = [self.start, self.end].map(|it| it as usize);
        (self != Self::NONE).then_some(Span { start, end })
    }
}

impl From<Option<Span>> for ShortSpan {
    fn from(span: Option<Span>) -> Self {
        span.map_or(Self::NONE, |it| {
            let [start, end] = [it.start, it.end].map(short);
            Self { start, end }
        })
    }
}

pub(super) type NodeKey = (Chars, Option<Span>);

pub(crate) const BYTES_IN_TREE: u64 = u32::MAX as u64 - 1;

/// An offset, which fits: no message is longer.
fn short(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

thread_local! {
    /// The memory of the last tree of this thread: small returns then need no allocator.
    static MEMORY: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

/// The most nodes whose memory is kept.
const NODES_KEPT: usize = 4096;

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        if self.nodes.capacity() <= NODES_KEPT {
            self.nodes.clear();
            MEMORY.set(std::mem::take(&mut self.nodes));
        }
    }
}

// Building.
impl<'t> Tree<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            nodes: MEMORY.take(),
            copies: String::new(),
            has_duplicate_key: false,
            has_several: false,
            outer: OnceCell::new(),
        }
    }

    pub(crate) fn null() -> Self {
        let mut tree = Self::new("");
        tree.push(Kind::Null, Default::default(), Chars::default(), None);
        tree
    }

    pub(super) fn chars(span: Range<usize>) -> Chars {
        let [start, end] = [span.start, span.end].map(short);
        let is_copy = false;
        Chars { start, end, is_copy }
    }

    /// Copies a text, unless it stands in the message.
    pub(crate) fn keep(&mut self, text: &str) -> Chars {
        let offset = text.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        if offset < self.text.len() && offset + text.len() <= self.text.len() {
            return Self::chars(offset..offset + text.len());
        }
        let start = self.copies.len();
        self.copies.push_str(text);
        self.copied_since(start)
    }

    /// Where unescaped text is put, and what was put there since.
    pub(super) fn copies(&mut self) -> &mut String {
        &mut self.copies
    }

    pub(super) fn copied_since(&self, start: usize) -> Chars {
        Chars { start: short(start), end: short(self.copies.len()), is_copy: true }
    }

    /// Adds a value. Returns its number.
    pub(crate) fn push(
        &mut self,
        kind: Kind,
        key: NodeKey,
        chars: Chars,
        place: Option<Span>,
    ) -> usize {
        let at = self.nodes.len();
        self.has_several |= kind == Kind::Several;
        self.nodes.push(Node {
            kind,
            is_alike: false,
            next: short(at + 1),
            key: key.0,
            key_place: key.1.into(),
            chars,
            place: place.into(),
            source: ShortSpan::NONE,
        });
        at
    }

    /// Ends a list or an object: all that was added since is inside it.
    #[inline]
    pub(crate) fn close(&mut self, at: usize, end: usize) {
        let next = short(self.nodes.len());
        let node = &mut self.nodes[at];
        node.next = next;
        if node.place != ShortSpan::NONE {
            node.place.end = short(end).max(node.place.start);
        }
    }

    /// Says of an object of a text that its names are alike, and where the text of a value stands.
    pub(crate) fn mark(&mut self, at: usize, is_alike: bool, source: Option<Span>) {
        self.nodes[at].is_alike = is_alike;
        self.nodes[at].source = source.into();
    }

    /// Notes whether two members of a closed object have equal names.
    pub(super) fn watch_keys(&mut self, object: usize) {
        self.has_duplicate_key |= self.has_twice(self.value(object).children());
    }

    #[inline]
    fn has_twice(&self, members: Children<'_, 't>) -> bool {
        if members.clone().nth(FEW_KEYS).is_some() {
            let mut keys = HashSet::new();
            return !members.map(Value::key).all(|it| keys.insert(it));
        }
        members.clone().any(|own| {
            let node = &self.nodes[own.at as usize];
            let mut before = members.clone().take_while(|it| it.at < own.at);
            before.any(|it| it.has_key(self.bytes(node.key)))
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn truncate(&mut self, at: usize) {
        self.nodes.truncate(at);
        self.has_duplicate_key = false;
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }
}

/// Objects with more members are compared by a set of their names.
const FEW_KEYS: usize = 24;

// Reading.
impl<'t> Tree<'t> {
    pub(crate) fn root(&self) -> Value<'_, 't> {
        self.value(0)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = Value<'_, 't>> {
        (0..self.nodes.len()).map(|at| self.value(at))
    }

    pub(crate) fn value(&self, at: usize) -> Value<'_, 't> {
        let (tree, at) = (self, short(at));
        Value { tree, at }
    }

    fn outer(&self) -> &[[u32; 2]] {
        self.outer.get_or_init(|| {
            let mut outer = vec![[0; 2]; self.nodes.len()];
            for value in self.values() {
                for (index, inner) in value.children().enumerate() {
                    outer[inner.at as usize] = [value.at, short(index)];
                }
            }
            outer
        })
    }

    #[inline]
    fn get(&self, chars: Chars) -> &str {
        let text = if chars.is_copy { &self.copies } else { self.text };
        &text[chars.start as usize..chars.end as usize]
    }

    #[inline]
    fn bytes(&self, chars: Chars) -> &[u8] {
        let text = if chars.is_copy { &self.copies } else { self.text };
        &text.as_bytes()[chars.start as usize..chars.end as usize]
    }

    /// Whether an object has a key twice. The last one counts.
    pub(crate) fn has_duplicate_key(&self) -> bool {
        self.has_duplicate_key
    }

    /// Whether a name stands anywhere more than once, so that two values may have one pointer.
    pub(crate) fn has_several(&self) -> bool {
        self.has_several
    }

    /// The keys that an object has more than once, without the first of each.
    pub(crate) fn duplicate_keys(&self) -> Vec<Value<'_, 't>> {
        let mut found = Vec::new();
        for object in self.values().filter(|_| self.has_duplicate_key) {
            let mut keys = HashSet::new();
            found.extend(object.members().filter(|it| !keys.insert(it.key())));
        }
        found.sort_unstable_by_key(|it| it.at);
        found
    }
}

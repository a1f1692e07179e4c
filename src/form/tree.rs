//! Builds the value of nested data from its parts in their order, within the limits.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::document::{Content, Names, Object, PlacedValue};
use super::error::{FormError, FormErrorKind};
use super::name;
use crate::json::{DEPTH_AT_MOST, ITEMS_AT_MOST};
use crate::text::Span;

/// Counts items and members of a document.
#[derive(Debug, Default)]
pub(super) struct Budget(usize);

impl Budget {
    /// Counts `items` more.
    pub(super) fn take(&mut self, items: usize, place: Span) -> Result<(), FormError> {
        self.0 += items;
        if self.0 > ITEMS_AT_MOST {
            let what = format!("has more than {ITEMS_AT_MOST} items and names");
            return Err(FormError::limit(what, place));
        }
        Ok(())
    }
}

/// Checks a depth: 1 for a list of texts.
pub(super) fn check_depth(depth: usize, place: Span) -> Result<(), FormError> {
    if depth > DEPTH_AT_MOST {
        let what = format!("is nested deeper than {DEPTH_AT_MOST} levels");
        return Err(FormError::limit(what, place));
    }
    Ok(())
}

impl FormError {
    pub(super) fn limit(what: String, place: Span) -> Self {
        Self {
            kind: FormErrorKind::Limit,
            what,
            fix: "return less",
            place,
        }
    }
}

/// A list or an object that is open.
struct OpenValue<'t> {
    start: usize,
    anchor: usize,
    items: Vec<PlacedValue<'t>>,
    members: Vec<(Cow<'t, str>, PlacedValue<'t>)>,
    is_object: bool,
    keys: HashSet<Cow<'t, str>>,
    key: Option<Cow<'t, str>>,
}

/// A value that is being read.
#[derive(Default)]
pub(super) struct OpenTree<'t> {
    stack: Vec<OpenValue<'t>>,
    root: Option<PlacedValue<'t>>,
}

impl<'t> OpenTree<'t> {
    /// Opens a list or an object at a byte. `anchor` is returned when it is closed.
    pub(super) fn open(
        &mut self,
        is_object: bool,
        at: usize,
        anchor: usize,
    ) -> Result<(), FormError> {
        check_depth(self.depth() + 1, Span::new(at, 1))?;
        self.stack.push(OpenValue {
            start: at,
            anchor,
            items: Vec::new(),
            members: Vec::new(),
            is_object,
            keys: HashSet::new(),
            key: None,
        });
        Ok(())
    }

    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Whether a key must come next.
    pub(super) fn expects_key(&self) -> bool {
        let frame = self.stack.last();
        frame.is_some_and(|frame| frame.is_object && frame.key.is_none())
    }

    /// Sets the key of the next value. False if the object already has it.
    pub(super) fn key(&mut self, key: Cow<'t, str>) -> bool {
        let Some(frame) = self.stack.last_mut() else {
            return true;
        };
        frame.key = Some(key.clone());
        frame.keys.insert(key)
    }

    /// Adds a value to what is open.
    pub(super) fn value(&mut self, value: PlacedValue<'t>) {
        match self.stack.last_mut() {
            None => self.root = Some(value),
            Some(frame) if frame.is_object => {
                let key = frame.key.take().unwrap_or_default();
                frame.members.push((key, value));
            }
            Some(frame) => frame.items.push(value),
        }
    }

    /// Closes what was opened last. Returns it, to be added, and its anchor.
    pub(super) fn close(&mut self, end: usize) -> Option<(PlacedValue<'t>, usize)> {
        let frame = self.stack.pop()?;
        let content = if frame.is_object {
            Content::Object(Object {
                members: frame.members,
                names: Names::Exact,
            })
        } else {
            Content::List(frame.items)
        };
        let place = Span {
            start: frame.start,
            end: end.max(frame.start),
        };
        Some((PlacedValue::at(content, place), frame.anchor))
    }

    /// The whole value.
    pub(super) fn finish(self) -> Option<PlacedValue<'t>> {
        self.root
    }
}

/// An object of a text, in which a name may stand more than once.
#[derive(Debug, Default)]
pub(super) struct Collected<'t> {
    members: Vec<(Cow<'t, str>, PlacedValue<'t>)>,
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
    pub(super) fn add(&mut self, name: Cow<'t, str>, value: PlacedValue<'t>) {
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
        if let Content::Several(values) = &mut member.content {
            values.push(value);
            return;
        }
        let several = PlacedValue::unplaced(Content::Several(Vec::new()));
        let first = std::mem::replace(member, several);
        member.content = Content::Several(vec![first, value]);
    }

    pub(super) fn object(self) -> Content<'t> {
        Content::Object(Object {
            members: self.members,
            names: Names::Alike,
        })
    }
}

//! What readers of nested data share: limits, and objects in which a name may stand more than once.

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
            return Err(too_many(place));
        }
        Ok(())
    }
}

/// Checks a depth: 1 for a list of texts.
pub(super) fn check_depth(depth: usize, place: Span) -> Result<(), FormError> {
    if depth > DEPTH_AT_MOST {
        return Err(too_deep(place));
    }
    Ok(())
}

pub(super) fn too_many(place: Span) -> FormError {
    let what = format!("has more than {ITEMS_AT_MOST} items and names");
    FormError::limit(what, place)
}

pub(super) fn too_deep(place: Span) -> FormError {
    let what = format!("is nested deeper than {DEPTH_AT_MOST} levels");
    FormError::limit(what, place)
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

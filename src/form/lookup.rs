//! Finds values of a document by pointer or by name.

use super::document::{Content, PlacedValue};
use crate::json::pointer::Pointer;

/// A value of a document, and the way to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundValue<'v, 't> {
    /// The way to it, with the names as the message writes them.
    pub pointer: Pointer<'v>,
    /// The value; never [`Content::Several`].
    pub value: &'v PlacedValue<'t>,
}

/// Steps to values: a JSON Pointer in which `*` stands for every item or member.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PointerPattern(Vec<PointerStep>);

/// One step of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PointerStep {
    /// A member of that name, or the item of that index.
    Name(String),
    /// Every item or member.
    Every,
}

impl PointerPattern {
    /// Reads a pattern: empty, or steps that each begin with `/`. `~1` is a slash, `~0` a tilde. None if
    /// it does not begin with a slash, or has a tilde before another character.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let steps = text.strip_prefix('/')?.split('/').map(PointerStep::read);
        Some(Self(steps.collect::<Option<_>>()?))
    }

    /// The steps, in their order.
    pub(crate) fn steps(&self) -> &[PointerStep] {
        &self.0
    }

    /// All values that it leads to, in their order. Names are compared as the objects on the way say.
    /// Two with the same pointer are what a message states twice.
    pub(crate) fn find<'v, 't>(&self, document: &'v PlacedValue<'t>) -> Vec<FoundValue<'v, 't>> {
        find_below(FoundValue::whole(document), &self.0)
    }
}

impl PointerStep {
    fn read(text: &str) -> Option<Self> {
        match text {
            "*" => Some(Self::Every),
            _ => unescaped(text).map(Self::Name),
        }
    }
}

/// A step without its escapes. None if it has a tilde that is none.
pub(crate) fn unescaped(step: &str) -> Option<String> {
    let mut escapes = step.split('~').skip(1);
    let is_valid = escapes.all(|rest| rest.starts_with(['0', '1']));
    is_valid.then(|| step.replace("~1", "/").replace("~0", "~"))
}

impl<'v, 't> FoundValue<'v, 't> {
    fn new(pointer: Pointer<'v>, value: &'v PlacedValue<'t>) -> Self {
        Self { pointer, value }
    }

    /// The document as a value that was found.
    pub(crate) fn whole(document: &'v PlacedValue<'t>) -> Self {
        Self::new(Pointer::root(), document)
    }
}

/// All values at the end of `steps` below a value.
pub(crate) fn find_below<'v, 't>(
    from: FoundValue<'v, 't>,
    steps: &[PointerStep],
) -> Vec<FoundValue<'v, 't>> {
    let mut found = flatten(from);
    for step in steps {
        found = found.iter().flat_map(|it| one_step(it, step)).collect();
    }
    found
}

/// The values one step below a value.
fn one_step<'v, 't>(from: &FoundValue<'v, 't>, step: &PointerStep) -> Vec<FoundValue<'v, 't>> {
    let member = |(name, value): (&'v str, &'v PlacedValue<'t>)| {
        FoundValue::new(from.pointer.clone().key(name), value)
    };
    let item = |(index, value)| FoundValue::new(from.pointer.clone().index(index), value);
    let found: Vec<_> = match (&from.value.content, step) {
        (Content::Object(object), PointerStep::Name(name)) => {
            object.get(name).map(member).into_iter().collect()
        }
        (Content::Object(object), PointerStep::Every) => {
            let members = object.members.iter();
            members.map(|(name, value)| member((name, value))).collect()
        }
        (Content::List(items), PointerStep::Name(name)) => {
            let found = index(name).and_then(|index| Some((index, items.get(index)?)));
            found.map(item).into_iter().collect()
        }
        (Content::List(items), PointerStep::Every) => items.iter().enumerate().map(item).collect(),
        _ => Vec::new(),
    };
    found.into_iter().flat_map(flatten).collect()
}

/// A value, or each of several with the same pointer.
fn flatten<'v, 't>(found: FoundValue<'v, 't>) -> Vec<FoundValue<'v, 't>> {
    match &found.value.content {
        Content::Several(values) => {
            let each = |value| FoundValue::new(found.pointer.clone(), value);
            values.iter().map(each).collect()
        }
        _ => vec![found],
    }
}

/// An index of an array as RFC 6901 writes it: without zeros in front.
fn index(text: &str) -> Option<usize> {
    let is_plain = text == "0" || !text.starts_with(['0', '+']);
    is_plain.then(|| text.parse().ok()).flatten()
}

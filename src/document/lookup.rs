//! Finds values of a document by pointer.

use crate::document::tree::Value;

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

/// All values at the end of `steps` below a value, in their order; never several under one name. Names are
/// compared as the objects on the way say. Two with the same pointer are what a message states twice.
pub(crate) fn find_below<'v, 't>(from: Value<'v, 't>, steps: &[PointerStep]) -> Vec<Value<'v, 't>> {
    let mut found = Vec::new();
    gather(from, steps, &mut found);
    found
}

fn gather<'v, 't>(from: Value<'v, 't>, steps: &[PointerStep], found: &mut Vec<Value<'v, 't>>) {
    for value in from.each() {
        match steps.split_first() {
            None => found.push(value),
            Some((PointerStep::Every, rest)) => {
                value.children().for_each(|it| gather(it, rest, found));
            }
            Some((PointerStep::Name(name), rest)) => {
                let item = || value.items().nth(index(name)?);
                if let Some(inner) = value.member(name).or_else(item) {
                    gather(inner, rest, found);
                }
            }
        }
    }
}

/// An index of an array as RFC 6901 writes it: without zeros in front.
fn index(text: &str) -> Option<usize> {
    let is_plain = text == "0" || !text.starts_with(['0', '+']);
    is_plain.then(|| text.parse().ok()).flatten()
}

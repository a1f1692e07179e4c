//! Pointers to values in a document, and patterns of them.

use std::borrow::Cow;
use std::fmt::{self, Display};

/// One step of a pointer: a key of an object or an index of an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Segment<'s> {
    Key(Cow<'s, str>),
    Index(usize),
}

/// The steps from the root to a value. Displays as in RFC 6901.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Pointer<'p>(Vec<Segment<'p>>);

impl<'p> Pointer<'p> {
    pub(crate) fn root() -> Self {
        Self::default()
    }

    pub(crate) fn key(mut self, key: impl Into<Cow<'p, str>>) -> Self {
        self.0.push(Segment::Key(key.into()));
        self
    }

    pub(crate) fn step(mut self, step: Segment<'p>) -> Self {
        self.0.push(step);
        self
    }

    pub(crate) fn steps(&self) -> &[Segment<'p>] {
        &self.0
    }

    /// In dotted notation: `artifacts[0].path`.
    pub(crate) fn dotted(&self) -> Cow<'_, str> {
        if let [Segment::Key(key)] = self.steps() {
            return Cow::Borrowed(key);
        }
        let text = self.0.iter().fold(String::new(), |text, step| match step {
            Segment::Key(key) => below(&text, key),
            Segment::Index(index) => format!("{text}[{index}]"),
        });
        Cow::Owned(text)
    }
}

impl Display for Pointer<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.steps() {
            match step {
                Segment::Key(key) => write!(out, "/{}", key.replace('~', "~0").replace('/', "~1"))?,
                Segment::Index(index) => write!(out, "/{index}")?,
            }
        }
        Ok(())
    }
}

/// The dotted path of a member of the object at `at`; the root is the empty text.
pub(crate) fn below(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

/// Steps to values: a JSON Pointer in which `*` stands for every item or member.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PointerPattern(Cow<'static, [PointerStep]>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PointerStep {
    /// A member of that name, or the item of that index.
    Name(Cow<'static, str>),
    Every,
}

impl PointerPattern {
    pub(crate) const fn of(steps: &'static [PointerStep]) -> Self {
        Self(Cow::Borrowed(steps))
    }

    /// Reads a pattern: empty, or steps that each begin with `/`. `~1` is a slash, `~0` a tilde. None if
    /// it does not begin with a slash, or has a tilde before another character.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let steps = text.strip_prefix('/')?.split('/').map(PointerStep::read);
        Some(Self(steps.collect::<Option<_>>()?))
    }

    pub(crate) fn steps(&self) -> &[PointerStep] {
        &self.0
    }
}

impl PointerStep {
    fn read(text: &str) -> Option<Self> {
        match text {
            "*" => Some(Self::Every),
            _ => unescaped(text).map(|name| Self::Name(name.into())),
        }
    }
}

/// A step without its escapes. None if it has a tilde that is none.
pub(crate) fn unescaped(step: &str) -> Option<String> {
    let mut escapes = step.split('~').skip(1);
    let is_valid = escapes.all(|rest| rest.starts_with(['0', '1']));
    is_valid.then(|| step.replace("~1", "/").replace("~0", "~"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_as_rfc_6901() {
        assert_eq!(Pointer::root().to_string(), "");
        assert_eq!(
            Pointer::root().key("artifacts").step(Segment::Index(2)).key("path").to_string(),
            "/artifacts/2/path"
        );
        assert_eq!(Pointer::root().key("a/b~c").to_string(), "/a~1b~0c");
    }

    #[test]
    fn dotted_paths_have_indices_in_brackets() {
        assert_eq!(
            Pointer::root().key("artifacts").step(Segment::Index(2)).key("path").dotted(),
            "artifacts[2].path"
        );
    }
}

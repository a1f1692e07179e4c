//! Pointers to values in a JSON document.

mod steps;
mod trail;

pub(crate) use trail::Trail;

use std::borrow::Cow;
use std::fmt::{self, Display};

use self::steps::Steps;
use crate::text::append::push_str;
use crate::text::push_number;

/// One step of a pointer: a key of an object or an index of an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Segment<'s> {
    /// A key, unescaped.
    Key(Cow<'s, str>),
    /// An index, from 0.
    Index(usize),
}

impl Segment<'_> {
    fn borrowed(&self) -> Segment<'_> {
        match self {
            Self::Key(key) => Segment::Key(Cow::Borrowed(key)),
            Self::Index(index) => Segment::Index(*index),
        }
    }

    fn into_owned(self) -> Segment<'static> {
        match self {
            Self::Key(key) => Segment::Key(Cow::Owned(key.into_owned())),
            Self::Index(index) => Segment::Index(index),
        }
    }
}

/// The steps from the root of the document to a value. Displays as in RFC 6901; the root is the empty
/// string.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Pointer<'p>(Steps<'p>);

impl<'p> Pointer<'p> {
    pub(crate) fn root() -> Self {
        Self::default()
    }

    pub(crate) fn key(mut self, key: impl Into<Cow<'p, str>>) -> Self {
        self.0.push(Segment::Key(key.into()));
        self
    }

    pub(crate) fn index(mut self, index: usize) -> Self {
        self.0.push(Segment::Index(index));
        self
    }

    /// What this step leads to from here.
    pub(crate) fn step(mut self, step: Segment<'p>) -> Self {
        self.0.push(step);
        self
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn steps(&self) -> &[Segment<'p>] {
        &self.0
    }

    /// The total bytes of its keys.
    pub(crate) fn bytes(&self) -> usize {
        let keys = self.0.iter().map(|step| match step {
            Segment::Key(key) => key.len(),
            Segment::Index(_) => 0,
        });
        keys.sum()
    }

    pub(crate) fn into_owned(self) -> Pointer<'static> {
        Pointer(self.0.iter().cloned().map(Segment::into_owned).collect())
    }

    /// Appends it as in RFC 6901; the root is the empty string.
    pub(crate) fn push_to(&self, text: &mut String) {
        for step in self.steps() {
            text.push('/');
            match step {
                Segment::Key(key) if key.contains(['~', '/']) => {
                    text.push_str(&key.replace('~', "~0").replace('/', "~1"));
                }
                Segment::Key(key) => push_str(text, key),
                Segment::Index(index) => push_number(text, *index),
            }
        }
    }

    /// In dotted notation: `artifacts[0].path`.
    pub(crate) fn dotted(&self) -> Cow<'_, str> {
        if let [Segment::Key(key)] = self.steps() {
            return Cow::Borrowed(key);
        }
        let mut text = String::new();
        self.push_dotted(&mut text);
        Cow::Owned(text)
    }

    /// Appends it in dotted notation to an empty text.
    pub(crate) fn push_dotted(&self, text: &mut String) {
        for step in self.steps() {
            match step {
                Segment::Key(key) => push_member(text, key),
                Segment::Index(index) => {
                    text.push('[');
                    push_number(text, *index);
                    text.push(']');
                }
            }
        }
    }
}

impl Display for Pointer<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.push_to(&mut text);
        out.write_str(&text)
    }
}

/// Appends the name of a member to the dotted path of its object.
fn push_member(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    push_str(path, name);
}

/// The dotted path of a member of the object at `at`; the root is the empty text.
pub(crate) fn below(at: &str, name: &str) -> String {
    if at.is_empty() {
        name.to_owned()
    } else {
        format!("{at}.{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_as_rfc_6901() {
        assert_eq!(Pointer::root().to_string(), "");
        assert_eq!(
            Pointer::root()
                .key("artifacts")
                .index(2)
                .key("path")
                .to_string(),
            "/artifacts/2/path"
        );
        assert_eq!(Pointer::root().key("a/b~c").to_string(), "/a~1b~0c");
    }

    #[test]
    fn the_size_of_the_set_is_that_of_its_keys() {
        let pointer = Pointer::root().key("abc").index(7).key("é");
        assert_eq!(pointer.bytes(), 5);
    }

    #[test]
    fn dotted_paths_have_indices_in_brackets() {
        assert_eq!(
            Pointer::root()
                .key("artifacts")
                .index(2)
                .key("path")
                .dotted(),
            "artifacts[2].path"
        );
    }
}

//! Pointers to values in a JSON document.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};

use crate::text::append::push_str;
use crate::text::push_number;

/// One step of a pointer: a key of an object or an index of an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment<'s> {
    /// A key, unescaped.
    Key(Cow<'s, str>),
    /// An index, from 0.
    Index(usize),
}

impl Segment<'_> {
    fn into_owned(self) -> Segment<'static> {
        match self {
            Self::Key(key) => Segment::Key(Cow::Owned(key.into_owned())),
            Self::Index(index) => Segment::Index(index),
        }
    }
}

/// The steps from the root of the document to a value. Displays as in RFC 6901; the root is the empty
/// string.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Pointer(Vec<Segment<'static>>);

impl Pointer {
    /// The whole document.
    #[must_use]
    pub(crate) fn root() -> Self {
        Self::default()
    }

    /// A member of the object here.
    #[must_use]
    pub(crate) fn key(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.0.push(Segment::Key(key.into()));
        self
    }

    /// An item of the array here.
    #[must_use]
    pub(crate) fn index(mut self, index: usize) -> Self {
        self.0.push(Segment::Index(index));
        self
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn steps(&self) -> &[Segment<'static>] {
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

    pub(crate) fn parent(mut self) -> Self {
        self.0.pop();
        self
    }

    /// Appends it as in RFC 6901; the root is the empty string.
    pub(crate) fn push_to(&self, text: &mut String) {
        for step in &self.0 {
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
    #[must_use]
    pub(crate) fn dotted(&self) -> String {
        let mut text = String::new();
        for step in &self.0 {
            match step {
                Segment::Key(key) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(key);
                }
                Segment::Index(index) => {
                    let _ = write!(text, "[{index}]");
                }
            }
        }
        text
    }
}

impl Display for Pointer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.push_to(&mut text);
        out.write_str(&text)
    }
}

/// The dotted path of a member of the object at `at`; the root is the empty text.
pub(crate) fn below(at: &str, name: &str) -> String {
    if at.is_empty() {
        name.to_owned()
    } else {
        format!("{at}.{name}")
    }
}

/// A pointer as a linked list on the stack, for walking a document without allocation. It is
/// converted to a [`Pointer`] for a finding.
#[derive(Clone, Copy)]
pub(crate) struct Trail<'w> {
    up: Option<&'w Trail<'w>>,
    step: Option<&'w Segment<'w>>,
}

impl<'w> Trail<'w> {
    pub(crate) const ROOT: Trail<'static> = Trail {
        up: None,
        step: None,
    };

    pub(crate) fn to(&'w self, step: &'w Segment<'w>) -> Self {
        Self {
            up: Some(self),
            step: Some(step),
        }
    }

    pub(crate) fn is_member_of_root(&self, name: &str) -> bool {
        self.is_in_root() && matches!(self.step, Some(Segment::Key(key)) if key == name)
    }

    pub(crate) fn is_in_root(&self) -> bool {
        self.up.is_some_and(|up| up.step.is_none())
    }

    /// Whether it is a member of that member of the root.
    pub(crate) fn is_inside(&self, name: &str) -> bool {
        self.up.is_some_and(|up| up.is_member_of_root(name))
    }

    pub(crate) fn pointer(&self) -> Pointer {
        let mut pointer = self.up.map(Self::pointer).unwrap_or_default();
        pointer
            .0
            .extend(self.step.cloned().map(Segment::into_owned));
        pointer
    }

    /// As in profiles: `artifacts[].path`.
    pub(crate) fn path(&self) -> String {
        let mut path = self.up.map(Self::path).unwrap_or_default();
        match self.step {
            Some(Segment::Key(key)) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            }
            Some(Segment::Index(_)) => path.push_str("[]"),
            None => {}
        }
        path
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
        assert_eq!(pointer.clone().parent().to_string(), "/abc/7");
    }

    #[test]
    fn a_root_member_is_distinguished_from_nested_ones() {
        let name = Segment::Key("abc".into());
        let member = Trail::ROOT.to(&name);
        assert!(member.is_member_of_root("abc"));
        assert!(!member.is_member_of_root("é"));
        assert!(!member.to(&name).is_member_of_root("abc"));
        assert!(member.to(&name).is_inside("abc") && !member.is_inside("abc"));
        assert!(member.is_in_root() && !member.to(&name).is_in_root());
    }

    #[test]
    fn a_location_becomes_a_pointer_or_a_path() {
        let (list, item, name) = (
            Segment::Key("a".into()),
            Segment::Index(3),
            Segment::Key("b".into()),
        );
        let (list, item) = (Trail::ROOT.to(&list), item);
        let item = list.to(&item);
        assert_eq!(item.to(&name).pointer().to_string(), "/a/3/b");
        assert_eq!(item.to(&name).path(), "a[].b");
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

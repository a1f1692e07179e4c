//! The way down to a value, while a document is walked.

use super::{Pointer, Segment, below};

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

    /// The trail of the value that contains this one. The root is its own parent.
    pub(crate) fn parent(&self) -> Self {
        self.up.copied().unwrap_or(Self::ROOT)
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

    pub(crate) fn pointer(&self) -> Pointer<'w> {
        let mut pointer = self.up.map(Self::pointer).unwrap_or_default();
        if let Some(step) = self.step {
            pointer.0.push(step.borrowed());
        }
        pointer
    }

    /// The path as in profiles: `artifacts[].path`.
    pub(crate) fn path(&self) -> String {
        let above = self.up.map(Self::path).unwrap_or_default();
        match self.step {
            Some(Segment::Key(key)) => below(&above, key),
            Some(Segment::Index(_)) => above + "[]",
            None => above,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(item.to(&name).parent().pointer().to_string(), "/a/3");
        assert_eq!(item.to(&name).path(), "a[].b");
    }
}

//! The changes that a conversion makes: its notes, and the members that the target does not have.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::value::RawValue;

use crate::convert::note::{Note, NoteKind};
use crate::convert::raw::SourceMembers;
use crate::json::pointer::Pointer;
use crate::profile::Profile;

/// The member of `metadata` for values that the target does not have: an object whose keys are the
/// pointers to the values in the source.
pub(super) const UNMAPPED: &str = "unmapped";

pub(super) struct Changes<'t> {
    pub(super) from: &'static Profile,
    pub(super) to: &'static Profile,
    pub(super) notes: Vec<Note>,
    /// Values that an earlier conversion kept, with their pointers, until they are restored.
    before: Vec<Option<(Cow<'t, str>, &'t RawValue)>>,
    indexes: HashMap<Cow<'t, str>, usize>,
    unmapped: SourceMembers<'t>,
    keys: HashSet<String>,
}

impl<'t> Changes<'t> {
    pub(super) fn new(from: &'static Profile, to: &'static Profile) -> Self {
        Self {
            from,
            to,
            notes: Vec::new(),
            before: Vec::new(),
            indexes: HashMap::new(),
            unmapped: SourceMembers::default(),
            keys: HashSet::new(),
        }
    }

    pub(super) fn note(
        &mut self,
        kind: NoteKind,
        from: Option<&Pointer>,
        to: Option<&Pointer>,
        why: impl Into<Cow<'static, str>>,
    ) {
        self.notes.push(Note {
            kind,
            from: from.map(ToString::to_string),
            to: to.map(ToString::to_string),
            why: why.into(),
        });
    }

    pub(super) fn copied(&mut self, at: &Pointer) {
        self.note(NoteKind::Copied, Some(at), Some(at), "");
    }

    /// Removes the note that the value at `at` was copied.
    pub(super) fn uncopy(&mut self, at: &Pointer) {
        let at = Some(at.to_string());
        self.notes
            .retain(|note| note.kind != NoteKind::Copied || note.from != at);
    }

    pub(super) fn mapped(
        &mut self,
        from: &Pointer,
        to: &Pointer,
        why: impl Into<Cow<'static, str>>,
    ) {
        self.note(NoteKind::Mapped, Some(from), Some(to), why);
    }

    /// Reads the values that an earlier conversion kept.
    pub(super) fn read_unmapped(&mut self, earlier: SourceMembers<'t>) {
        if !earlier.is_empty() {
            self.copied(&unmapped());
        }
        for (index, (key, value)) in earlier.0.into_iter().enumerate() {
            self.keys.insert(key.clone().into_owned());
            self.indexes.insert(key.clone(), index);
            self.before.push(Some((key, value)));
        }
    }

    /// The value that an earlier conversion kept for `at`. It stays kept.
    pub(super) fn earlier(&self, at: &Pointer) -> Option<&'t RawValue> {
        let index = *self.indexes.get(at.to_string().as_str())?;
        self.before[index].as_ref().map(|(_, value)| *value)
    }

    /// The value that an earlier conversion kept for `at`, restored to its place.
    pub(super) fn restore(&mut self, at: &Pointer) -> Option<&'t RawValue> {
        let index = *self.indexes.get(at.to_string().as_str())?;
        let (key, value) = self.before[index].take()?;
        self.keys.remove(key.as_ref());
        let from = unmapped().key(key.into_owned());
        self.mapped(&from, at, "restored from an earlier conversion");
        Some(value)
    }

    /// Keeps a value that the target does not have.
    pub(super) fn keep(
        &mut self,
        at: &Pointer,
        value: &'t RawValue,
        why: impl Into<Cow<'static, str>>,
    ) {
        let key = self.free_key(&at.to_string());
        let to = unmapped().key(key.clone());
        self.note(NoteKind::Kept, Some(at), Some(&to), why);
        self.unmapped.0.push((Cow::Owned(key), value));
    }

    /// Keeps every member that the target does not have.
    pub(super) fn keep_all(&mut self, at: &Pointer, members: SourceMembers<'t>) {
        for (key, value) in members.0 {
            let why = format!("{} has no such member", self.to.id);
            self.keep(&at.clone().key(key.into_owned()), value, why);
        }
    }

    /// The pointer, followed by a number if an earlier conversion kept another value for it.
    fn free_key(&mut self, pointer: &str) -> String {
        let mut key = pointer.to_owned();
        let mut number = 2;
        while !self.keys.insert(key.clone()) {
            key = format!("{pointer} ({number})");
            number += 1;
        }
        key
    }

    /// The notes, and everything that is kept: first what was kept before.
    pub(super) fn close(self) -> (Vec<Note>, SourceMembers<'t>) {
        let mut kept = SourceMembers(self.before.into_iter().flatten().collect());
        kept.0.extend(self.unmapped.0);
        (self.notes, kept)
    }
}

fn unmapped() -> Pointer {
    Pointer::root().key("metadata").key(UNMAPPED)
}

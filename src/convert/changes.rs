//! The changes of a conversion: its notes, and the values that it keeps because the target has no member
//! for them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::convert::note::{Note, NoteKind};
use crate::convert::raw::{Members, Part, made};
use crate::json::pointer::Pointer;
use crate::profile::Profile;

/// The member of `metadata` that keeps values for which the target has no member. It is an object whose
/// keys are the pointers to the values in the source.
pub(super) const UNMAPPED: &str = "unmapped";

/// The member of `unmapped` that lists the members of `metadata` that a conversion moved there from the
/// root.
pub(super) const ROOT: &str = "root";

const RESTORED: &str = "restored from an earlier conversion";

pub(super) struct Changes<'t> {
    pub(super) from: &'static Profile,
    pub(super) to: &'static Profile,
    pub(super) notes: Vec<Note>,
    /// Values that an earlier conversion kept, with their pointers. None once a value is restored.
    before: Vec<Option<(Cow<'t, str>, Part<'t>)>>,
    indexes: HashMap<Cow<'t, str>, usize>,
    unmapped: Members<'t>,
    keys: HashSet<String>,
    /// Pointers for which both an earlier conversion and this one keep a value.
    contested: HashSet<String>,
    /// Whether there is a conversion from the target back to the source's profile. If so, values that an
    /// earlier conversion kept may be restored in the target.
    pub(super) is_reversible: bool,
    /// Names of the members of `metadata` that a conversion moved there from the root.
    pub(super) from_root: BTreeSet<Cow<'t, str>>,
}

impl<'t> Changes<'t> {
    pub(super) fn new(from: &'static Profile, to: &'static Profile, is_reversible: bool) -> Self {
        Self {
            from,
            to,
            notes: Vec::new(),
            before: Vec::new(),
            indexes: HashMap::new(),
            unmapped: Members::default(),
            keys: HashSet::new(),
            contested: HashSet::new(),
            is_reversible,
            from_root: BTreeSet::new(),
        }
    }

    pub(super) fn note(
        &mut self,
        kind: NoteKind,
        from: Option<&Pointer<'_>>,
        to: Option<&Pointer<'_>>,
        why: impl Into<Cow<'static, str>>,
    ) {
        self.notes.push(Note {
            kind,
            from: from.map(ToString::to_string),
            to: to.map(ToString::to_string),
            why: why.into(),
        });
    }

    pub(super) fn copied(&mut self, at: &Pointer<'_>) {
        self.note(NoteKind::Copied, Some(at), Some(at), "");
    }

    /// Removes the note that the value at `at` was copied.
    pub(super) fn uncopy(&mut self, at: &Pointer<'_>) {
        let at = Some(at.to_string());
        self.notes
            .retain(|note| note.kind != NoteKind::Copied || note.from != at);
    }

    pub(super) fn mapped(
        &mut self,
        from: &Pointer<'_>,
        to: &Pointer<'_>,
        why: impl Into<Cow<'static, str>>,
    ) {
        self.note(NoteKind::Mapped, Some(from), Some(to), why);
    }

    /// Reads the values that an earlier conversion kept.
    pub(super) fn read_unmapped(&mut self, earlier: Members<'t>) {
        if !earlier.0.is_empty() {
            self.copied(&unmapped());
        }
        for (index, (key, value)) in earlier.0.into_iter().enumerate() {
            self.keys.insert(key.clone().into_owned());
            self.indexes.insert(key.clone(), index);
            self.before.push(Some((key, value)));
        }
    }

    /// The value that an earlier conversion kept for `at`. It is not restored.
    pub(super) fn earlier(&self, at: &Pointer<'_>) -> Option<&Part<'t>> {
        let index = *self.indexes.get(at.to_string().as_str())?;
        self.before[index].as_ref().map(|(_, value)| value)
    }

    /// Takes the value that an earlier conversion kept for `at`, to restore it there. None if there is
    /// none.
    pub(super) fn restore(&mut self, at: &Pointer<'_>) -> Option<Part<'t>> {
        let index = *self.indexes.get(at.to_string().as_str())?;
        let (key, value) = self.before[index].take()?;
        self.keys.remove(key.as_ref());
        let from = unmapped().key(key.into_owned());
        self.mapped(&from, at, RESTORED);
        Some(value)
    }

    /// Notes that members of `metadata` move back to the root.
    pub(super) fn moved_to_root(&mut self, members: &Members<'t>) {
        let metadata = Pointer::root().key("metadata");
        let mut places = HashSet::new();
        for (key, _) in &members.0 {
            let key = key.clone().into_owned();
            let from = metadata.clone().key(key.clone());
            places.insert(Some(from.to_string()));
            self.mapped(&from, &Pointer::root().key(key), RESTORED);
        }
        self.notes
            .retain(|note| note.kind != NoteKind::Copied || !places.contains(&note.from));
    }

    pub(super) fn target_has(&self, name: &str) -> bool {
        name == "metadata" || !name.contains('.') && self.to.has_field(name)
    }

    /// The pointers of all values that an earlier conversion kept and that are not restored.
    pub(super) fn earlier_pointers(&self) -> Vec<String> {
        let kept = self.before.iter().flatten();
        kept.map(|(key, _)| key.clone().into_owned()).collect()
    }

    /// Like [`Self::restore`], but None if this conversion keeps another value for `at`.
    pub(super) fn put_back(&mut self, at: &Pointer<'_>) -> Option<Part<'t>> {
        let is_contested = self.contested.contains(at.to_string().as_str());
        (!is_contested).then(|| self.restore(at)).flatten()
    }

    /// Keeps a value for which the target has no member.
    pub(super) fn keep(
        &mut self,
        at: &Pointer<'_>,
        value: Part<'t>,
        why: impl Into<Cow<'static, str>>,
    ) {
        let key = self.free_key(&at.to_string());
        let to = unmapped().key(key.clone());
        self.note(NoteKind::Kept, Some(at), Some(&to), why);
        self.unmapped.0.push((Cow::Owned(key), value));
    }

    /// Keeps members that the target does not have.
    pub(super) fn keep_all(&mut self, at: &Pointer<'_>, members: Members<'t>) {
        for (key, value) in members.0 {
            let why = format!("{} has no such member", self.to.id);
            self.keep(&at.clone().key(key.into_owned()), value, why);
        }
    }

    /// A free key for a value that is kept: its pointer, or `(2) POINTER` and so on if an earlier
    /// conversion kept another value for it. A key with a number is not a pointer, so it is never
    /// restored.
    fn free_key(&mut self, pointer: &str) -> String {
        let mut key = pointer.to_owned();
        let mut number = 2;
        while !self.keys.insert(key.clone()) {
            key = format!("({number}) {pointer}");
            number += 1;
        }
        if number > 2 {
            self.contested.insert(pointer.to_owned());
        }
        key
    }

    /// The notes, and `metadata.unmapped` with the kept values, those of earlier conversions first.
    pub(super) fn close(mut self) -> (Vec<Note>, Option<Part<'t>>) {
        if self.is_reversible {
            self.uncopy(&unmapped());
            for key in self.earlier_pointers() {
                let at = Some(unmapped().key(key));
                let why = "its place is taken or does not exist";
                self.note(NoteKind::Kept, at.as_ref(), at.as_ref(), why);
            }
        }
        let mut kept = Members::default();
        if !self.from_root.is_empty() {
            kept.set(ROOT, made(&self.from_root));
        }
        kept.0.extend(self.before.into_iter().flatten());
        kept.0.extend(self.unmapped.0);
        let is_any = !kept.0.is_empty();
        (self.notes, is_any.then_some(Part::Object(kept)))
    }
}

fn unmapped() -> Pointer<'static> {
    Pointer::root().key("metadata").key(UNMAPPED)
}

//! `metadata`, and the members that are moved into it (Subagent return format 1.0, migration guide).

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::convert::Supplied;
use crate::convert::changes::{Changes, ROOT, UNMAPPED, Unmapped};
use crate::convert::note::NoteKind;
use crate::convert::raw::{Leaf, SourceMembers, is_unfilled, made, text};
use crate::document;
use crate::json::field::{Field, Node as _, State};
use crate::json::pointer::Pointer;
use crate::json::tokens::with_bounded_numbers;

/// The reason of the note for a member of the source whose name is reserved.
const RESERVED: &str = "metadata.unmapped is reserved for members that cannot be mapped";

/// The metadata of any of the three profiles.
#[derive(Default, Serialize)]
pub(super) struct AnyMetadata<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) session_id: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) duration_seconds: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agent_type: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delegation_depth: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delegation_path: Leaf<'t>,
    /// Other members.
    #[serde(flatten)]
    rest: SourceMembers<'t>,
    #[serde(skip_serializing_if = "Unmapped::is_empty")]
    unmapped: Unmapped<'t>,
}

pub(super) fn at(key: impl Into<Cow<'static, str>>) -> Pointer<'static> {
    Pointer::root().key("metadata").key(key)
}

impl<'t> AnyMetadata<'t> {
    pub(super) fn read(value: Option<&'t RawValue>, changes: &mut Changes<'t>) -> Self {
        let mut members = match value.map(|value| (value, SourceMembers::of(value))) {
            None => SourceMembers::default(),
            Some((_, Some(members))) => members,
            Some((value, None)) => {
                let why = "metadata must be an object";
                changes.keep(&Pointer::root().key("metadata"), value, why);
                SourceMembers::default()
            }
        };
        read_unmapped(&mut members, changes);
        for (key, _) in &members.0 {
            changes.copied(&at(key.clone().into_owned()));
        }
        Self {
            session_id: members.take("session_id"),
            duration_seconds: members.take("duration_seconds"),
            agent_type: members.take("agent_type"),
            delegation_depth: members.take("delegation_depth"),
            delegation_path: members.take("delegation_path"),
            rest: members,
            unmapped: Unmapped::default(),
        }
    }

    /// Moves members of the root that the target does not have into the metadata, each under its own
    /// name if that is free and no profile gives it another type.
    pub(super) fn adopt(&mut self, custom: SourceMembers<'t>, changes: &mut Changes<'t>) {
        let mut taken: HashSet<_> = self.rest.0.iter().map(|(key, _)| key.clone()).collect();
        for (key, value) in custom.0 {
            let from = Pointer::root().key(key.clone().into_owned());
            if !fits(&key, value) {
                changes.keep(
                    &from,
                    value,
                    "a member of this name has another type in metadata",
                );
                continue;
            }
            if key == UNMAPPED {
                changes.keep(&from, value, RESERVED);
                continue;
            }
            if taken.contains(&key) {
                changes.keep(&from, value, "metadata already has a member of this name");
                continue;
            }
            if let Some(own) = self.own(&key) {
                if own.is_some() {
                    changes.keep(&from, value, "metadata already has a member of this name");
                    continue;
                }
                *own = Some(Cow::Borrowed(value));
            } else {
                taken.insert(key.clone());
                if changes.is_reversible {
                    changes.from_root.insert(key.clone());
                }
                self.rest.0.push((key.clone(), value));
            }
            let why = format!("{} has no such member at the root", changes.to.id);
            let to = at(key.into_owned());
            changes.note(NoteKind::Kept, Some(&from), Some(&to), why);
        }
    }

    /// Removes and returns the members that an earlier conversion moved here from the root, except those
    /// whose name the target or the source uses at the root.
    pub(super) fn take_root(
        &mut self,
        custom: &SourceMembers<'t>,
        changes: &mut Changes<'t>,
    ) -> SourceMembers<'t> {
        let mut root = SourceMembers::default();
        if !changes.is_reversible {
            return root;
        }
        let taken: HashSet<_> = custom.0.iter().map(|(key, _)| key).collect();
        for (key, value) in std::mem::take(&mut self.rest.0) {
            let is_free = !taken.contains(&key) && !changes.target_has(&key);
            if is_free && changes.from_root.remove(&key) {
                root.0.push((key, value));
            } else {
                self.rest.0.push((key, value));
            }
        }
        changes.moved_to_root(&root);
        root
    }

    fn own(&mut self, key: &str) -> Option<&mut Leaf<'t>> {
        match key {
            "session_id" => Some(&mut self.session_id),
            "duration_seconds" => Some(&mut self.duration_seconds),
            "agent_type" => Some(&mut self.agent_type),
            "delegation_depth" => Some(&mut self.delegation_depth),
            "delegation_path" => Some(&mut self.delegation_path),
            _ => None,
        }
    }

    /// Fills in missing members with the values of the caller.
    pub(super) fn supply(&mut self, supplied: &Supplied<'_>, changes: &mut Changes<'t>) {
        let path = (!supplied.delegation_path.is_empty()).then_some(&supplied.delegation_path);
        for (key, option, value) in [
            ("session_id", "--session", supplied.session.and_then(made)),
            (
                "duration_seconds",
                "--duration-seconds",
                supplied.duration_seconds.as_ref().and_then(made),
            ),
            ("agent_type", "--agent", supplied.agent.and_then(made)),
            (
                "delegation_depth",
                "--delegation-depth",
                supplied.delegation_depth.and_then(|it| made(&it)),
            ),
            ("delegation_path", "--delegation-path", path.and_then(made)),
        ] {
            self.fill(key, value, NoteKind::Supplied, option, changes);
        }
    }

    /// Fills in a missing member with a default.
    pub(super) fn default(
        &mut self,
        key: &'static str,
        value: Leaf<'static>,
        why: impl Into<Cow<'static, str>>,
        changes: &mut Changes<'t>,
    ) {
        self.fill(key, value, NoteKind::Defaulted, why, changes);
    }

    fn fill(
        &mut self,
        key: &'static str,
        value: Leaf<'static>,
        kind: NoteKind,
        why: impl Into<Cow<'static, str>>,
        changes: &mut Changes<'t>,
    ) {
        let Some(own) = self.own(key) else { return };
        if value.is_none() || !is_unfilled(own) {
            return;
        }
        changes.uncopy(&at(key));
        let from = own.is_some().then(|| at(key));
        changes.note(kind, from.as_ref(), Some(&at(key)), why);
        *own = value;
    }

    /// The name of the agent, if there is one.
    pub(super) fn agent(&self) -> Option<String> {
        text(&self.agent_type).filter(|_| !is_unfilled(&self.agent_type))
    }

    /// Sets `unmapped` to the values that could not be mapped.
    pub(super) fn close(&mut self, unmapped: Unmapped<'t>) {
        self.unmapped = unmapped;
    }
}

/// Reads the values that an earlier conversion kept. If the member has another type, it is kept as a
/// whole.
fn read_unmapped<'t>(members: &mut SourceMembers<'t>, changes: &mut Changes<'t>) {
    let Some(value) = members.take_borrowed(UNMAPPED) else {
        return;
    };
    match SourceMembers::of(value) {
        Some(mut earlier) => {
            if let Some(names) = earlier.take_borrowed(ROOT) {
                match serde_json::from_str(names.get()) {
                    Ok(names) => changes.from_root = names,
                    Err(_) => changes.keep(&at(UNMAPPED).key(ROOT), names, RESERVED),
                }
            }
            changes.read_unmapped(earlier);
        }
        None => changes.keep(&at(UNMAPPED), value, RESERVED),
    }
}

/// Whether a value has the type that the profiles give to this member of the metadata.
fn fits(key: &str, value: &RawValue) -> bool {
    if document::Metadata::default().member(key).is_none() {
        return true;
    }
    let Ok(key_text) = serde_json::to_string(key) else {
        return false;
    };
    let object = with_bounded_numbers(&format!("{{{key_text}:{}}}", value.get()));
    let read = serde_json::from_str::<Field<document::Metadata<'_>>>(&object);
    // Reading fails only if the value is nested too deeply. Such a value has none of these types.
    let Ok(Field::Present(metadata)) = read else {
        return false;
    };
    metadata
        .member(key)
        .is_none_or(|member| !matches!(member.state(), State::Wrong(_)))
}

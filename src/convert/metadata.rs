//! `metadata`, and the members that are moved into it (Subagent return format 1.0, migration guide).

use std::borrow::Cow;
use std::collections::HashSet;

use crate::convert::Supplied;
use crate::convert::changes::{Changes, ROOT, UNMAPPED};
use crate::convert::note::NoteKind;
use crate::convert::raw::{Members, Part, made};
use crate::json::field::{Field, Node as _, State};
use crate::json::pointer::Pointer;
use crate::json::tokens::with_bounded_numbers;
use crate::profile::document;

/// The reason of the note for a member of the source whose name is reserved.
const RESERVED: &str = "metadata.unmapped is reserved for members that cannot be mapped";

/// The members of any of the three profiles, in the order in which they are written.
pub(super) const METADATA: &[&str] = &[
    "session_id",
    "duration_seconds",
    "agent_type",
    "delegation_depth",
    "delegation_path",
];

fn at(key: impl Into<Cow<'static, str>>) -> Pointer<'static> {
    Pointer::root().key("metadata").key(key)
}

pub(super) fn read<'t>(value: Option<Part<'t>>, changes: &mut Changes<'t>) -> Members<'t> {
    let mut members = Members::default();
    match value.map(|value| value.read().ok_or(value)) {
        None => {}
        Some(Ok(read)) => members = read,
        Some(Err(value)) => {
            let why = "metadata must be an object";
            changes.keep(&Pointer::root().key("metadata"), value, why);
        }
    }
    read_unmapped(&mut members, changes);
    for (key, _) in &members.0 {
        changes.copied(&at(key.clone().into_owned()));
    }
    members
}

/// Moves members of the root that the target does not have into the metadata, each under its own
/// name if that is free and no profile gives it another type.
pub(super) fn adopt<'t>(
    metadata: &mut Members<'t>,
    custom: Members<'t>,
    changes: &mut Changes<'t>,
) {
    let mut taken: HashSet<_> = metadata.0.iter().map(|(key, _)| key.clone()).collect();
    for (key, value) in custom.0 {
        let from = Pointer::root().key(key.clone().into_owned());
        let obstacle = if !fits(&key, &value) {
            Some("a member of this name has another type in metadata")
        } else if key == UNMAPPED {
            Some(RESERVED)
        } else if !taken.insert(key.clone()) {
            Some("metadata already has a member of this name")
        } else {
            None
        };
        if let Some(why) = obstacle {
            changes.keep(&from, value, why);
            continue;
        }
        if changes.is_reversible && !METADATA.contains(&&*key) {
            changes.from_root.insert(key.clone());
        }
        metadata.0.push((key.clone(), value));
        let why = format!("{} has no such member at the root", changes.to.id);
        let to = at(key.into_owned());
        changes.note(NoteKind::Kept, Some(&from), Some(&to), why);
    }
}

/// Removes and returns the members that an earlier conversion moved here from the root, except those
/// whose name the target or the source uses at the root.
pub(super) fn take_root<'t>(
    metadata: &mut Members<'t>,
    custom: &Members<'t>,
    changes: &mut Changes<'t>,
) -> Members<'t> {
    let used: HashSet<_> = custom.0.iter().map(|(key, _)| key).collect();
    let is_of_root = |(key, _): &(Cow<'t, str>, _)| {
        let is_free = !used.contains(key) && !changes.target_has(key);
        is_free && !METADATA.contains(&&**key) && changes.from_root.remove(key)
    };
    let (root, rest) = std::mem::take(&mut metadata.0)
        .into_iter()
        .partition(is_of_root);
    metadata.0 = rest;
    let root = Members(root);
    changes.moved_to_root(&root);
    root
}

pub(super) fn supply<'t>(
    metadata: &mut Members<'t>,
    supplied: &Supplied<'_>,
    changes: &mut Changes<'t>,
) {
    let path = (!supplied.delegation_path.is_empty()).then_some(&supplied.delegation_path);
    let seconds = supplied.duration_seconds.as_ref();
    let depth = supplied.delegation_depth;
    for (key, option, value) in [
        ("session_id", "--session", supplied.session.and_then(made)),
        (
            "duration_seconds",
            "--duration-seconds",
            seconds.and_then(made),
        ),
        ("agent_type", "--agent", supplied.agent.and_then(made)),
        (
            "delegation_depth",
            "--delegation-depth",
            depth.and_then(|it| made(&it)),
        ),
        ("delegation_path", "--delegation-path", path.and_then(made)),
    ] {
        fill(
            metadata,
            key,
            value,
            (NoteKind::Supplied, option.into()),
            changes,
        );
    }
}

/// Fills in a missing member with a default.
pub(super) fn default<'t>(
    metadata: &mut Members<'t>,
    key: &'static str,
    value: Option<Part<'static>>,
    why: impl Into<Cow<'static, str>>,
    changes: &mut Changes<'t>,
) {
    fill(
        metadata,
        key,
        value,
        (NoteKind::Defaulted, why.into()),
        changes,
    );
}

fn fill<'t>(
    metadata: &mut Members<'t>,
    key: &'static str,
    value: Option<Part<'static>>,
    (kind, why): (NoteKind, Cow<'static, str>),
    changes: &mut Changes<'t>,
) {
    if value.is_some() && metadata.is_unfilled(key) {
        changes.uncopy(&at(key));
        let from = metadata.get(key).map(|_| at(key));
        changes.note(kind, from.as_ref(), Some(&at(key)), why);
        metadata.set(key, value);
    }
}

pub(super) fn agent(metadata: &Members<'_>) -> Option<String> {
    let name = metadata.text("agent_type");
    name.filter(|_| !metadata.is_unfilled("agent_type"))
}

/// Reads the values that an earlier conversion kept. If the member has another type, it is kept as a
/// whole.
fn read_unmapped<'t>(members: &mut Members<'t>, changes: &mut Changes<'t>) {
    let Some(value) = members.take(UNMAPPED) else {
        return;
    };
    let Some(mut earlier) = value.read::<Members<'_>>() else {
        return changes.keep(&at(UNMAPPED), value, RESERVED);
    };
    if let Some(names) = earlier.take(ROOT) {
        match names.read() {
            Some(names) => changes.from_root = names,
            None => changes.keep(&at(UNMAPPED).key(ROOT), names, RESERVED),
        }
    }
    changes.read_unmapped(earlier);
}

/// Whether a value has the type that the profiles give to this member of the metadata.
fn fits(key: &str, value: &Part<'_>) -> bool {
    if document::Metadata::default().member(key).is_none() {
        return true;
    }
    let Ok(key_text) = serde_json::to_string(key) else {
        return false;
    };
    let object = with_bounded_numbers(&format!("{{{key_text}:{}}}", value.json()));
    let read = serde_json::from_str::<Field<document::Metadata<'_>>>(&object);
    // Reading fails only if the value is nested too deeply. Such a value has none of these types.
    let Ok(Field::Present(metadata)) = read else {
        return false;
    };
    metadata
        .member(key)
        .is_none_or(|member| !matches!(member.state(), State::Wrong(_)))
}

//! The return that is converted: the members that the profiles have. Other members are kept.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::convert::changes::{Changes, UNMAPPED};
use crate::convert::metadata::{self, METADATA};
use crate::convert::raw::{Members, Part};
use crate::convert::{ConvertError, Written};
use crate::json::pointer::Pointer;

/// The members of the root, except `metadata`, in the order in which they are read. The last three exist
/// only in some profiles.
const ROOT: [&str; 8] = [
    "status",
    "summary",
    "artifacts",
    "errors",
    "next_steps",
    "started_at",
    "partial_progress",
    "completion_data",
];

/// The lists of objects, with the members of every profile in the order in which they are written.
pub(super) const LISTS: [(&str, &[&str]); 2] = [
    ("artifacts", &["type", "path", "summary"]),
    (
        "errors",
        &["type", "message", "code", "recoverable", "recommendation"],
    ),
];

/// The objects, like [`LISTS`].
const OBJECTS: [(&str, &[&str]); 2] = [
    (
        "partial_progress",
        &["stage", "details", "phases_completed", "phases_total"],
    ),
    (
        "completion_data",
        &[
            "completion_summary",
            "roadmap_items",
            "claudemd_suggestions",
        ],
    ),
];

/// A return of any of the three profiles, which becomes one of another.
pub(super) struct SourceReturn<'t> {
    /// The members of the root, except `metadata`.
    pub(super) members: Members<'t>,
    pub(super) metadata: Members<'t>,
}

impl<'t> SourceReturn<'t> {
    /// Takes the members that the profiles have out of `members`.
    pub(super) fn read(members: &mut Members<'t>, changes: &mut Changes<'t>) -> Self {
        let mut root = Members::default();
        for key in ROOT {
            let exists = changes.from.has_field(key) || changes.to.has_field(key);
            if let Some(value) = exists.then(|| members.take(key)).flatten() {
                changes.copied(&Pointer::root().key(key));
                root.0.push((key.into(), value));
            }
        }
        let metadata = metadata::read(members.take("metadata"), changes);
        for (key, names) in LISTS {
            let Some(value) = root.get_mut(key) else {
                continue;
            };
            let Some(items) = value.read::<Vec<&RawValue>>() else {
                continue;
            };
            let open = |(index, item): (usize, &'t RawValue)| {
                let at = Pointer::root().key(key).index(index);
                open(Part::Raw(Cow::Borrowed(item)), names, &at, changes)
            };
            *value = Part::List(items.into_iter().enumerate().map(open).collect());
        }
        for (key, names) in OBJECTS {
            if let Some(value) = root.take(key) {
                let value = open(value, names, &Pointer::root().key(key), changes);
                root.set(key, Some(value));
            }
        }
        Self {
            members: root,
            metadata,
        }
    }

    /// Writes the members of the root in the order of `names`, with what cannot be mapped in `metadata`.
    pub(super) fn write(
        self,
        names: &[&str],
        changes: Changes<'t>,
    ) -> Result<Written, ConvertError> {
        let (notes, unmapped) = changes.close();
        let Self {
            mut members,
            mut metadata,
        } = self;
        metadata.set(UNMAPPED, unmapped);
        members.set("metadata", Some(Part::Object(metadata)));
        let parts = LISTS
            .iter()
            .chain(&OBJECTS)
            .chain(&[("metadata", METADATA)]);
        for (key, names) in parts {
            if let Some(part) = members.get_mut(key) {
                part.sort(names);
            }
        }
        let mut root = Part::Object(members);
        root.sort(names);
        Ok((serde_json::to_string(&root)?, notes))
    }
}

/// Reads an object and keeps members that no profile has. A value of another type stays as it is.
fn open<'t>(
    value: Part<'t>,
    names: &[&str],
    at: &Pointer<'_>,
    changes: &mut Changes<'t>,
) -> Part<'t> {
    let Some(members) = value.read::<Members<'_>>() else {
        return value;
    };
    let is_known = |(key, _): &(_, _)| names.contains(&AsRef::<str>::as_ref(key));
    let (known, others) = members.0.into_iter().partition(is_known);
    changes.keep_all(at, Members(others));
    Part::Object(Members(known))
}

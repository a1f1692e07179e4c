//! The source document: a field for each member of the profiles. Other members are kept.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::convert::changes::Changes;
use crate::convert::metadata::AnyMetadata;
use crate::convert::raw::{Leaf, Part, PartList, SourceMembers};
use crate::json::pointer::Pointer;

/// A return of any of the three profiles.
pub(super) struct SourceReturn<'t> {
    pub(super) status: Leaf<'t>,
    pub(super) summary: Leaf<'t>,
    pub(super) artifacts: PartList<'t, SourceArtifact<'t>>,
    pub(super) metadata: AnyMetadata<'t>,
    pub(super) errors: PartList<'t, SourceError<'t>>,
    pub(super) next_steps: Leaf<'t>,
    /// This member and the next two exist only in some profiles. They are read only if the source's or
    /// the target's profile has them.
    pub(super) started_at: Leaf<'t>,
    pub(super) partial_progress: Part<'t, SourceProgress<'t>>,
    pub(super) completion_data: Part<'t, SourceCompletion<'t>>,
    /// Members that an earlier conversion kept, and that are restored at the root.
    pub(super) rest: SourceMembers<'t>,
}

/// One file that the agent says it wrote.
#[derive(Serialize)]
pub(super) struct SourceArtifact<'t> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Leaf<'t>,
    /// Members that an earlier conversion kept.
    #[serde(flatten)]
    pub(super) rest: SourceMembers<'t>,
}

/// One error, with the members of every profile.
pub(super) struct SourceError<'t> {
    pub(super) kind: Leaf<'t>,
    pub(super) message: Leaf<'t>,
    pub(super) code: Option<&'t RawValue>,
    pub(super) recoverable: Leaf<'t>,
    pub(super) recommendation: Option<&'t RawValue>,
    /// Members that an earlier conversion kept.
    pub(super) rest: SourceMembers<'t>,
}

/// How far interrupted work got.
#[derive(Default, Serialize)]
pub(super) struct SourceProgress<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stage: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) details: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) phases_completed: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) phases_total: Leaf<'t>,
}

/// The data of a finished task.
#[derive(Default, Serialize)]
pub(super) struct SourceCompletion<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) completion_summary: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) roadmap_items: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) claudemd_suggestions: Leaf<'t>,
}

impl<'t> SourceReturn<'t> {
    /// Reads the members that the profiles have. Returns the other members, too.
    pub(super) fn read(
        mut members: SourceMembers<'t>,
        changes: &mut Changes<'t>,
    ) -> (Self, SourceMembers<'t>) {
        let (from, to) = (changes.from, changes.to);
        let mut take = |key: &'static str| {
            let exists = from.has_field(key) || to.has_field(key);
            let value = exists.then(|| members.take_borrowed(key)).flatten();
            if value.is_some() {
                changes.copied(&Pointer::root().key(key));
            }
            value
        };
        let (status, summary) = (take("status"), take("summary"));
        let (artifacts, errors) = (take("artifacts"), take("errors"));
        let (next_steps, started_at) = (take("next_steps"), take("started_at"));
        let (partial_progress, completion_data) =
            (take("partial_progress"), take("completion_data"));
        let metadata = AnyMetadata::read(members.take_borrowed("metadata"), changes);
        let source = Self {
            status: status.map(Cow::Borrowed),
            summary: summary.map(Cow::Borrowed),
            artifacts: PartList::list(artifacts, |index, members| {
                artifact(index, members, changes)
            }),
            errors: PartList::list(errors, |index, members| error(index, members, changes)),
            next_steps: next_steps.map(Cow::Borrowed),
            started_at: started_at.map(Cow::Borrowed),
            partial_progress: Part::object(partial_progress, |members| progress(members, changes)),
            completion_data: Part::object(completion_data, |members| completion(members, changes)),
            metadata,
            rest: SourceMembers::default(),
        };
        (source, members)
    }
}

fn artifact<'t>(
    index: usize,
    mut members: SourceMembers<'t>,
    changes: &mut Changes<'t>,
) -> SourceArtifact<'t> {
    let artifact = SourceArtifact {
        kind: members.take("type"),
        path: members.take("path"),
        summary: members.take("summary"),
        rest: SourceMembers::default(),
    };
    changes.keep_all(&Pointer::root().key("artifacts").index(index), members);
    artifact
}

fn error<'t>(
    index: usize,
    mut members: SourceMembers<'t>,
    changes: &mut Changes<'t>,
) -> SourceError<'t> {
    let error = SourceError {
        kind: members.take("type"),
        message: members.take("message"),
        code: members.take_borrowed("code"),
        recoverable: members.take("recoverable"),
        recommendation: members.take_borrowed("recommendation"),
        rest: SourceMembers::default(),
    };
    changes.keep_all(&Pointer::root().key("errors").index(index), members);
    error
}

fn progress<'t>(mut members: SourceMembers<'t>, changes: &mut Changes<'t>) -> SourceProgress<'t> {
    let progress = SourceProgress {
        stage: members.take("stage"),
        details: members.take("details"),
        phases_completed: members.take("phases_completed"),
        phases_total: members.take("phases_total"),
    };
    changes.keep_all(&Pointer::root().key("partial_progress"), members);
    progress
}

fn completion<'t>(
    mut members: SourceMembers<'t>,
    changes: &mut Changes<'t>,
) -> SourceCompletion<'t> {
    let data = SourceCompletion {
        completion_summary: members.take("completion_summary"),
        roadmap_items: members.take("roadmap_items"),
        claudemd_suggestions: members.take("claudemd_suggestions"),
    };
    changes.keep_all(&Pointer::root().key("completion_data"), members);
    data
}

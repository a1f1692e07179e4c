//! The output documents: the members of each profile, in its order, and no others.

use serde::Serialize;

use crate::convert::metadata::AnyMetadata;
use crate::convert::raw::{Leaf, Part, PartList, SourceMembers};
use crate::convert::source::{SourceArtifact, SourceCompletion, SourceProgress};

/// An output document.
pub(super) trait TargetDocument<'t>: Serialize {
    /// The metadata, which also keeps values that cannot be mapped.
    fn metadata(&mut self) -> &mut AnyMetadata<'t>;
}

impl<'t, E: Serialize> TargetDocument<'t> for Console<'t, E> {
    fn metadata(&mut self) -> &mut AnyMetadata<'t> {
        &mut self.metadata
    }
}

impl<'t> TargetDocument<'t> for ReturnMeta<'t> {
    fn metadata(&mut self) -> &mut AnyMetadata<'t> {
        &mut self.metadata
    }
}

/// The console return in the current version or in version 1.0. They differ in their errors.
#[derive(Serialize)]
pub(super) struct Console<'t, E> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Leaf<'t>,
    #[serde(skip_serializing_if = "Part::is_missing")]
    pub(super) artifacts: PartList<'t, SourceArtifact<'t>>,
    pub(super) metadata: AnyMetadata<'t>,
    #[serde(skip_serializing_if = "Part::is_missing")]
    pub(super) errors: PartList<'t, E>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next_steps: Leaf<'t>,
    /// Members that an earlier conversion kept.
    #[serde(flatten)]
    pub(super) rest: SourceMembers<'t>,
}

/// `return` (Subagent return format).
pub(super) type TargetReturn<'t> = Console<'t, TargetError<'t>>;

/// `return-v1` (Subagent return format 1.0).
pub(super) type ReturnV1<'t> = Console<'t, CodedError<'t>>;

/// `return-meta` (Return metadata file).
#[derive(Serialize)]
pub(super) struct ReturnMeta<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) started_at: Leaf<'t>,
    #[serde(skip_serializing_if = "Part::is_missing")]
    pub(super) artifacts: PartList<'t, SourceArtifact<'t>>,
    #[serde(skip_serializing_if = "Part::is_missing")]
    pub(super) partial_progress: Part<'t, SourceProgress<'t>>,
    #[serde(skip_serializing_if = "Part::is_missing")]
    pub(super) completion_data: Part<'t, SourceCompletion<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next_steps: Leaf<'t>,
    pub(super) metadata: AnyMetadata<'t>,
    #[serde(skip_serializing_if = "Part::is_missing")]
    pub(super) errors: PartList<'t, TargetError<'t>>,
}

/// An error of `return` and `return-meta`, with a recommendation.
#[derive(Serialize)]
pub(super) struct TargetError<'t> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recoverable: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recommendation: Leaf<'t>,
    /// Members that an earlier conversion kept.
    #[serde(flatten)]
    pub(super) rest: SourceMembers<'t>,
}

/// An error of `return-v1`, with a code.
#[derive(Serialize)]
pub(super) struct CodedError<'t> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Leaf<'t>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recoverable: Leaf<'t>,
    /// Members that an earlier conversion kept.
    #[serde(flatten)]
    pub(super) rest: SourceMembers<'t>,
}

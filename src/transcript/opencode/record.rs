//! Parts of an export, as far as they are read.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::lenient::{Flag, LenientNumber, LenientText, Object};

/// Of a session, or of a message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OpenCodeInfo<'a> {
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    #[serde(borrow, rename = "parentID")]
    pub(super) parent_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) directory: LenientText<'a>,
    #[serde(borrow)]
    pub(super) role: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent: LenientText<'a>,
    #[serde(borrow)]
    pub(super) mode: LenientText<'a>,
    pub(super) time: Object<Time>,
    pub(super) tokens: Object<OpenCodeUsage>,
    #[serde(borrow)]
    pub(super) error: Object<OpenCodeError<'a>>,
    #[serde(borrow)]
    pub(super) path: Object<OpenCodePaths<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Time {
    pub(super) created: LenientNumber,
    pub(super) completed: LenientNumber,
    pub(super) start: LenientNumber,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OpenCodeUsage {
    pub(super) input: LenientNumber,
    pub(super) output: LenientNumber,
    pub(super) reasoning: LenientNumber,
    pub(super) cache: Object<Cache>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Cache {
    pub(super) read: LenientNumber,
    pub(super) write: LenientNumber,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OpenCodeError<'a> {
    #[serde(borrow)]
    pub(super) name: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OpenCodePaths<'a> {
    #[serde(borrow)]
    pub(super) cwd: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OpenCodePart<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: LenientText<'a>,
    #[serde(borrow)]
    pub(super) text: LenientText<'a>,
    pub(super) synthetic: Flag,
    #[serde(borrow)]
    pub(super) tool: LenientText<'a>,
    #[serde(borrow, rename = "callID")]
    pub(super) call_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) state: Object<OpenCodeState<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OpenCodeState<'a> {
    #[serde(borrow)]
    pub(super) status: LenientText<'a>,
    #[serde(borrow)]
    pub(super) input: Object<OpenCodeInput<'a>>,
    #[serde(borrow)]
    pub(super) metadata: Object<OpenCodeMetadata<'a>>,
    #[serde(borrow)]
    pub(super) error: LenientText<'a>,
    pub(super) time: Object<Time>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct OpenCodeInput<'a> {
    #[serde(borrow)]
    pub(super) file_path: LenientText<'a>,
    #[serde(borrow)]
    pub(super) command: LenientText<'a>,
    #[serde(borrow)]
    pub(super) workdir: LenientText<'a>,
    #[serde(borrow)]
    pub(super) patch_text: LenientText<'a>,
    #[serde(borrow)]
    pub(super) old_string: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) new_string: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) edits: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) prompt: LenientText<'a>,
    #[serde(borrow, rename = "subagent_type")]
    pub(super) subagent_type: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct OpenCodeMetadata<'a> {
    pub(super) exit: LenientNumber,
    #[serde(borrow)]
    pub(super) session_id: LenientText<'a>,
}

//! Parts of an export, with the members that are read.

use serde::Deserialize;

use crate::clients::run::{Flag, LenientNumber, LenientText, RawText};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OpenCodeInfo<'a> {
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    pub(super) role: LenientText<'a>,
    pub(super) time: Option<Time>,
    pub(super) mode: LenientText<'a>,
    pub(super) path: RawText<'a>,
    pub(super) tokens: Option<OpenCodeUsage>,
    pub(super) agent: LenientText<'a>,
    pub(super) error: Option<OpenCodeError<'a>>,
    #[serde(rename = "parentID")]
    pub(super) parent_id: LenientText<'a>,
    pub(super) directory: LenientText<'a>,
    pub(super) version: LenientText<'a>,
    pub(super) title: LenientText<'a>,
    #[serde(rename = "modelID")]
    pub(super) model_id: LenientText<'a>,
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
    pub(super) cache: Option<Cache>,
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
pub(super) struct OpenCodePart<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: LenientText<'a>,
    #[serde(rename = "callID")]
    pub(super) call_id: LenientText<'a>,
    pub(super) tool: LenientText<'a>,
    pub(super) state: Option<OpenCodeState<'a>>,
    pub(super) text: LenientText<'a>,
    pub(super) synthetic: Flag,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OpenCodeState<'a> {
    #[serde(borrow)]
    pub(super) status: LenientText<'a>,
    pub(super) input: Option<OpenCodeInput<'a>>,
    pub(super) metadata: Option<OpenCodeMetadata<'a>>,
    pub(super) time: Option<Time>,
    pub(super) error: LenientText<'a>,
    pub(super) output: RawText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct OpenCodeInput<'a> {
    #[serde(borrow)]
    pub(super) file_path: LenientText<'a>,
    pub(super) command: LenientText<'a>,
    pub(super) workdir: LenientText<'a>,
    pub(super) patch_text: LenientText<'a>,
    pub(super) old_string: RawText<'a>,
    pub(super) new_string: RawText<'a>,
    pub(super) edits: RawText<'a>,
    pub(super) prompt: LenientText<'a>,
    #[serde(rename = "subagent_type")]
    pub(super) subagent_type: LenientText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct OpenCodeMetadata<'a> {
    pub(super) exit: LenientNumber,
    #[serde(borrow)]
    pub(super) session_id: LenientText<'a>,
    /// In results of `write`.
    #[serde(rename = "filepath")]
    pub(super) file_path: LenientText<'a>,
    /// In results of `edit`.
    #[serde(rename = "filediff")]
    pub(super) change: Option<OpenCodeChange<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct OpenCodeChange<'a> {
    #[serde(borrow)]
    pub(super) file: LenientText<'a>,
}

//! Records of a session, with the members that are read.

use serde::Deserialize;

use crate::clients::run::{Content, Flag, LenientNumber, LenientText, List, RawText};

/// The head of a session, a message, or changes to earlier records.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct GeminiRecord<'a> {
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    pub(super) timestamp: LenientText<'a>,
    #[serde(rename = "type")]
    pub(super) message_type: LenientText<'a>,
    pub(super) content: Content<'a, GeminiPart<'a>>,
    pub(super) tokens: Option<Box<GeminiUsage>>,
    pub(super) tool_calls: List<ToolCall<'a>>,
    pub(super) session_id: LenientText<'a>,
    pub(super) project_hash: LenientText<'a>,
    pub(super) model: LenientText<'a>,
    pub(super) start_time: LenientText<'a>,
    pub(super) kind: LenientText<'a>,
    pub(super) directories: RawText<'a>,
    #[serde(rename = "$set")]
    pub(super) set: Option<GeminiChanges<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GeminiChanges<'a> {
    #[serde(borrow)]
    pub(super) messages: RawText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct GeminiPart<'a> {
    #[serde(borrow)]
    pub(super) function_response: Option<FunctionResponse<'a>>,
    pub(super) text: RawText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionResponse<'a> {
    #[serde(borrow)]
    pub(super) response: Option<Response<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::clients) struct Response<'a> {
    #[serde(borrow)]
    pub(in crate::clients) output: RawText<'a>,
    pub(in crate::clients) error: RawText<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GeminiUsage {
    pub(super) input: LenientNumber,
    pub(super) output: LenientNumber,
    pub(super) cached: LenientNumber,
    pub(super) thoughts: LenientNumber,
    pub(super) total: LenientNumber,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ToolCall<'a> {
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    pub(super) name: LenientText<'a>,
    pub(super) args: Option<Box<GeminiArguments<'a>>>,
    pub(super) result: List<GeminiPart<'a>>,
    pub(super) status: LenientText<'a>,
    pub(super) result_display: RawText<'a>,
}

/// What the client shows the user about a call of a file tool.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ShownChange<'a> {
    #[serde(borrow)]
    pub(super) file_path: LenientText<'a>,
    pub(super) original_content: RawText<'a>,
    pub(super) new_content: RawText<'a>,
    pub(super) is_new_file: Flag,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::clients) struct GeminiArguments<'a> {
    #[serde(borrow)]
    #[serde(alias = "notebook_path")]
    pub(in crate::clients) file_path: LenientText<'a>,
    pub(in crate::clients) old_string: RawText<'a>,
    pub(in crate::clients) new_string: RawText<'a>,
    pub(in crate::clients) command: LenientText<'a>,
    #[serde(alias = "run_in_background")]
    pub(in crate::clients) is_background: Flag,
    #[serde(rename = "dir_path", alias = "directory")]
    pub(in crate::clients) folder: LenientText<'a>,
    #[serde(alias = "subagent_type")]
    pub(in crate::clients) agent_name: LenientText<'a>,
    pub(in crate::clients) prompt: LenientText<'a>,
    pub(in crate::clients) result: RawText<'a>,
}

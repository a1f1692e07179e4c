//! Records of a session, as far as they are read.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::lenient::{Content, Flag, LenientNumber, LenientText, List, Object};

/// The head of a session, a message, or changes to what came before.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct GeminiRecord<'a> {
    #[serde(borrow)]
    pub(super) session_id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) project_hash: LenientText<'a>,
    #[serde(borrow)]
    pub(super) kind: LenientText<'a>,
    #[serde(borrow)]
    pub(super) start_time: LenientText<'a>,
    #[serde(borrow)]
    pub(super) directories: Option<&'a RawValue>,
    #[serde(borrow, rename = "$set")]
    pub(super) set: Object<GeminiChanges<'a>>,
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    #[serde(borrow)]
    pub(super) timestamp: LenientText<'a>,
    #[serde(borrow, rename = "type")]
    pub(super) message_type: LenientText<'a>,
    #[serde(borrow)]
    pub(super) content: Content<'a, GeminiPart<'a>>,
    pub(super) tokens: Object<GeminiUsage>,
    #[serde(borrow)]
    pub(super) tool_calls: List<ToolCall<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GeminiChanges<'a> {
    #[serde(borrow)]
    pub(super) messages: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct GeminiPart<'a> {
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) function_response: Object<FunctionResponse<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionResponse<'a> {
    #[serde(borrow)]
    pub(super) response: Object<Response<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Response<'a> {
    #[serde(borrow)]
    pub(super) output: Option<&'a RawValue>,
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
    #[serde(borrow)]
    pub(super) name: LenientText<'a>,
    #[serde(borrow)]
    pub(super) args: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) result: List<GeminiPart<'a>>,
    #[serde(borrow)]
    pub(super) status: LenientText<'a>,
    #[serde(borrow)]
    pub(super) result_display: Option<&'a RawValue>,
}

/// What the user is shown of a call of a file tool.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ShownChange<'a> {
    pub(super) is_new_file: Flag,
    #[serde(borrow)]
    pub(super) original_content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) new_content: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GeminiArguments<'a> {
    #[serde(borrow)]
    pub(super) file_path: LenientText<'a>,
    #[serde(borrow)]
    pub(super) old_string: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) new_string: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) command: LenientText<'a>,
    pub(super) is_background: Flag,
    #[serde(borrow, rename = "dir_path", alias = "directory")]
    pub(super) folder: LenientText<'a>,
    #[serde(borrow)]
    pub(super) agent_name: LenientText<'a>,
    #[serde(borrow)]
    pub(super) prompt: LenientText<'a>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
}

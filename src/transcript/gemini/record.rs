//! Records of a session, as far as they are read.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::lenient::{Content, Flag, List, Number, Object, Text};

/// The head of a session, a message, or changes to what came before.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Record<'a> {
    #[serde(borrow)]
    pub(super) session_id: Text<'a>,
    #[serde(borrow)]
    pub(super) project_hash: Text<'a>,
    #[serde(borrow)]
    pub(super) kind: Text<'a>,
    #[serde(borrow)]
    pub(super) start_time: Text<'a>,
    #[serde(borrow)]
    pub(super) directories: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) messages: Option<&'a RawValue>,
    #[serde(borrow, rename = "$set")]
    pub(super) set: Object<Changes<'a>>,
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) timestamp: Text<'a>,
    #[serde(borrow, rename = "type")]
    pub(super) message_type: Text<'a>,
    #[serde(borrow)]
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) tokens: Object<Usage>,
    #[serde(borrow)]
    pub(super) tool_calls: List<ToolCall<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Changes<'a> {
    #[serde(borrow)]
    pub(super) messages: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Part<'a> {
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
pub(super) struct Usage {
    pub(super) input: Number,
    pub(super) output: Number,
    pub(super) cached: Number,
    pub(super) thoughts: Number,
    pub(super) total: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ToolCall<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) args: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) result: List<Part<'a>>,
    #[serde(borrow)]
    pub(super) status: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Arguments<'a> {
    #[serde(borrow)]
    pub(super) file_path: Text<'a>,
    #[serde(borrow)]
    pub(super) command: Text<'a>,
    pub(super) is_background: Flag,
    #[serde(borrow)]
    pub(super) agent_name: Text<'a>,
    #[serde(borrow)]
    pub(super) prompt: Text<'a>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
}

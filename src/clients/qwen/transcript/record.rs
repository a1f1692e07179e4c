//! Records of a session, with the members that are read. Their messages have the parts of Google's models.

use serde::Deserialize;

use crate::clients::gemini::transcript::record::{GeminiArguments, Response};
use crate::clients::run::{Flag, LenientNumber, LenientText, List, RawText};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct QwenRecord<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: LenientText<'a>,
    pub(super) uuid: LenientText<'a>,
    pub(super) session_id: LenientText<'a>,
    pub(super) agent_id: LenientText<'a>,
    pub(super) agent_name: LenientText<'a>,
    pub(super) timestamp: LenientText<'a>,
    pub(super) cwd: LenientText<'a>,
    pub(super) version: LenientText<'a>,
    pub(super) model: LenientText<'a>,
    /// What a message of the user is, if the user did not write it.
    pub(super) subtype: LenientText<'a>,
    pub(super) message: Option<Box<QwenMessage<'a>>>,
    pub(super) usage_metadata: Option<Box<QwenUsage>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct QwenMessage<'a> {
    #[serde(borrow)]
    /// See [`QwenParts`].
    pub(super) parts: RawText<'a>,
}

pub(super) type QwenParts<'a> = List<QwenPart<'a>>;

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct QwenPart<'a> {
    #[serde(borrow)]
    pub(super) text: RawText<'a>,
    pub(super) thought: Flag,
    pub(super) function_call: Option<Box<FunctionCall<'a>>>,
    pub(super) function_response: Option<Box<FunctionResult<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionCall<'a> {
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    pub(super) name: LenientText<'a>,
    pub(super) args: Option<Box<GeminiArguments<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionResult<'a> {
    #[serde(borrow)]
    pub(super) id: LenientText<'a>,
    pub(super) response: Option<Response<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct QwenUsage {
    #[serde(rename = "promptTokenCount")]
    pub(super) input: LenientNumber,
    #[serde(rename = "candidatesTokenCount")]
    pub(super) output: LenientNumber,
    #[serde(rename = "cachedContentTokenCount")]
    pub(super) cached: LenientNumber,
    #[serde(rename = "totalTokenCount")]
    pub(super) total: LenientNumber,
}

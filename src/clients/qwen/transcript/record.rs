//! Records of a session, with the members that are read. Their messages have the parts of Google's models.

use crate::clients::gemini::transcript::record::{GeminiArguments, Response};
use crate::clients::run::{Flag, LenientNumber, LenientText, List, RawText, records};

records! {
    #[serde(rename_all = "camelCase")]
    struct QwenRecord<'a> {
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        uuid: LenientText<'a>,
        session_id: LenientText<'a>,
        agent_id: LenientText<'a>,
        agent_name: LenientText<'a>,
        timestamp: LenientText<'a>,
        cwd: LenientText<'a>,
        version: LenientText<'a>,
        model: LenientText<'a>,
        /// What a message of the user is, if the user did not write it.
        subtype: LenientText<'a>,
        message: Option<Box<QwenMessage<'a>>>,
        usage_metadata: Option<Box<QwenUsage>>,
    }

    struct QwenMessage<'a> {
        /// See [`QwenParts`].
        parts: RawText<'a>,
    }
}

pub(super) type QwenParts<'a> = List<QwenPart<'a>>;

records! {
    #[serde(rename_all = "camelCase")]
    struct QwenPart<'a> {
        text: RawText<'a>,
        thought: Flag,
        function_call: Option<Box<FunctionCall<'a>>>,
        function_response: Option<Box<FunctionResult<'a>>>,
    }

    struct FunctionCall<'a> {
        id: LenientText<'a>,
        name: LenientText<'a>,
        args: Option<Box<GeminiArguments<'a>>>,
    }

    struct FunctionResult<'a> {
        id: LenientText<'a>,
        response: Option<Response<'a>>,
    }

    struct QwenUsage {
        #[serde(rename = "promptTokenCount")]
        input: LenientNumber,
        #[serde(rename = "candidatesTokenCount")]
        output: LenientNumber,
        #[serde(rename = "cachedContentTokenCount")]
        cached: LenientNumber,
        #[serde(rename = "totalTokenCount")]
        total: LenientNumber,
    }
}

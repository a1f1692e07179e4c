//! Parts of an export, with the members that are read.

use crate::clients::run::{Flag, LenientNumber, LenientText, RawText, records};

records! {
    struct OpenCodeInfo<'a> {
        id: LenientText<'a>,
        role: LenientText<'a>,
        time: Option<Time>,
        mode: LenientText<'a>,
        path: RawText<'a>,
        tokens: Option<OpenCodeUsage>,
        agent: LenientText<'a>,
        error: Option<OpenCodeError<'a>>,
        #[serde(rename = "parentID")]
        parent_id: LenientText<'a>,
        directory: LenientText<'a>,
        version: LenientText<'a>,
        title: LenientText<'a>,
        #[serde(rename = "modelID")]
        model_id: LenientText<'a>,
    }

    struct Time {
        created: LenientNumber,
        completed: LenientNumber,
        start: LenientNumber,
    }

    struct OpenCodeUsage {
        input: LenientNumber,
        output: LenientNumber,
        reasoning: LenientNumber,
        cache: Option<Cache>,
    }

    struct Cache {
        read: LenientNumber,
        write: LenientNumber,
    }

    struct OpenCodeError<'a> {
        name: LenientText<'a>,
    }

    struct OpenCodePart<'a> {
        #[serde(rename = "type")]
        kind: LenientText<'a>,
        #[serde(rename = "callID")]
        call_id: LenientText<'a>,
        tool: LenientText<'a>,
        state: Option<OpenCodeState<'a>>,
        text: LenientText<'a>,
        synthetic: Flag,
    }

    struct OpenCodeState<'a> {
        status: LenientText<'a>,
        input: Option<OpenCodeInput<'a>>,
        metadata: Option<OpenCodeMetadata<'a>>,
        time: Option<Time>,
        error: LenientText<'a>,
        output: RawText<'a>,
    }

    #[serde(rename_all = "camelCase")]
    struct OpenCodeInput<'a> {
        file_path: LenientText<'a>,
        command: LenientText<'a>,
        workdir: LenientText<'a>,
        patch_text: LenientText<'a>,
        old_string: RawText<'a>,
        new_string: RawText<'a>,
        edits: RawText<'a>,
        prompt: LenientText<'a>,
        #[serde(rename = "subagent_type")]
        subagent_type: LenientText<'a>,
    }

    #[serde(rename_all = "camelCase")]
    struct OpenCodeMetadata<'a> {
        session_id: LenientText<'a>,
        exit: LenientNumber,
        /// In results of `write`.
        #[serde(rename = "filepath")]
        file_path: LenientText<'a>,
        /// In results of `edit`.
        #[serde(rename = "filediff")]
        change: Option<OpenCodeChange<'a>>,
    }

    struct OpenCodeChange<'a> {
        file: LenientText<'a>,
    }
}

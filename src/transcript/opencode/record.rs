//! Parts of an export, as far as they are read.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::lenient::{Flag, Number, Object, Text};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Document<'a> {
    #[serde(borrow)]
    pub(super) info: Object<Info<'a>>,
    #[serde(borrow)]
    pub(super) messages: Option<&'a RawValue>,
}

/// Of a session, or of a message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Info<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow, rename = "parentID")]
    pub(super) parent_id: Text<'a>,
    #[serde(borrow)]
    pub(super) directory: Text<'a>,
    #[serde(borrow)]
    pub(super) role: Text<'a>,
    #[serde(borrow)]
    pub(super) agent: Text<'a>,
    #[serde(borrow)]
    pub(super) mode: Text<'a>,
    pub(super) time: Object<Time>,
    pub(super) tokens: Object<Usage>,
    #[serde(borrow)]
    pub(super) error: Object<Failure<'a>>,
    #[serde(borrow)]
    pub(super) path: Object<Place<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Time {
    pub(super) created: Number,
    pub(super) completed: Number,
    pub(super) start: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Usage {
    pub(super) input: Number,
    pub(super) output: Number,
    pub(super) reasoning: Number,
    pub(super) cache: Object<Cache>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Cache {
    pub(super) read: Number,
    pub(super) write: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Failure<'a> {
    #[serde(borrow)]
    pub(super) name: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Place<'a> {
    #[serde(borrow)]
    pub(super) cwd: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) info: Object<Info<'a>>,
    #[serde(borrow)]
    pub(super) parts: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    #[serde(borrow)]
    pub(super) text: Text<'a>,
    pub(super) synthetic: Flag,
    #[serde(borrow)]
    pub(super) tool: Text<'a>,
    #[serde(borrow, rename = "callID")]
    pub(super) call_id: Text<'a>,
    #[serde(borrow)]
    pub(super) state: Object<State<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct State<'a> {
    #[serde(borrow)]
    pub(super) status: Text<'a>,
    #[serde(borrow)]
    pub(super) input: Object<Input<'a>>,
    #[serde(borrow)]
    pub(super) metadata: Object<Metadata<'a>>,
    #[serde(borrow)]
    pub(super) error: Text<'a>,
    pub(super) time: Object<Time>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Input<'a> {
    #[serde(borrow)]
    pub(super) file_path: Text<'a>,
    #[serde(borrow)]
    pub(super) command: Text<'a>,
    #[serde(borrow)]
    pub(super) patch_text: Text<'a>,
    #[serde(borrow)]
    pub(super) prompt: Text<'a>,
    #[serde(borrow, rename = "subagent_type")]
    pub(super) subagent_type: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Metadata<'a> {
    pub(super) exit: Number,
    #[serde(borrow)]
    pub(super) session_id: Text<'a>,
}

//! A call that an agent is about to make: the tool, and what it is called with.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::clients::hook::payload::Payload;

/// A call that an agent is about to make. Not safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentCall {
    /// The name of the tool.
    pub tool: String,
    /// What it is called with, as JSON.
    input: String,
}

#[derive(Deserialize)]
struct CallPayload<'t> {
    #[serde(rename = "tool_input", alias = "toolArgs", borrow)]
    input: &'t RawValue,
}

impl AgentCall {
    pub(super) fn of(payload: &Payload) -> Option<Self> {
        let whole: CallPayload<'_> = payload.whole()?;
        Some(Self {
            tool: payload.tool().to_owned(),
            input: whole.input.get().to_owned(),
        })
    }

    /// The value at a JSON pointer: a text as it is, anything else as JSON. `None` if it is absent or null.
    pub(crate) fn value(&self, pointer: &str) -> Option<String> {
        let mut value = &*self.input;
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            let members: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(value).ok()?;
            value = members.get(&*step)?.get();
        }
        match value {
            "null" => None,
            text if text.starts_with('"') => serde_json::from_str(text).ok(),
            other => Some(other.to_owned()),
        }
    }
}

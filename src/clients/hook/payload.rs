//! A payload, as the clients' folders read it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use crate::clients::Client;
use crate::clients::hook::members::{ERROR, MEMBERS, MESSAGE, NAME, PARTS, STATUS, TOOL};
use crate::clients::hook::moment::Moment;
use crate::clients::hook::pick::Picked;
use crate::clients::hook::repair;

/// The members of a payload that are read.
pub(in crate::clients) struct Payload<'p> {
    picked: Picked<'static>,
    /// The JSON. Empty if the payload is cut off.
    text: Cow<'p, str>,
}

impl<'p> Payload<'p> {
    pub(super) fn read(bytes: &'p [u8]) -> serde_json::Result<Self> {
        let wanted = wanted();
        let read = Picked::read(bytes, &wanted);
        let (picked, text) = match (read, std::str::from_utf8(bytes)) {
            (Ok(picked), Ok(text)) => (picked, Cow::Borrowed(text)),
            (Ok(picked), Err(_)) => (picked, Cow::Borrowed("")),
            // An agent's text may have unpaired surrogates or bytes that are not UTF-8, which no Rust
            // string can hold. They are replaced, and the rest is read.
            (Err(error), _) => {
                let repaired = repair::with_whole_characters(bytes).ok_or(error)?;
                let picked = Picked::read(repaired.as_bytes(), &wanted)?;
                (picked, Cow::Owned(repaired))
            }
        };
        Ok(Self { picked, text })
    }

    pub(super) fn read_beginning(bytes: &[u8]) -> Self {
        Self {
            picked: Picked::read_beginning(bytes, &wanted()),
            text: Cow::default(),
        }
    }

    pub(in crate::clients) fn get(&self, pointer: &str) -> Option<&Value> {
        self.picked.get(pointer)
    }

    /// The payload, read as a type of its own: for lists, and for what is kept as JSON. None if it has
    /// another form.
    pub(in crate::clients) fn whole<'t, T: Deserialize<'t>>(&'t self) -> Option<T> {
        serde_json::from_str(&self.text).ok()
    }

    pub(in crate::clients) fn has_any(&self, pointers: &[&str]) -> bool {
        pointers.iter().any(|pointer| self.get(pointer).is_some())
    }

    /// The first of these members that is a string.
    pub(in crate::clients) fn text(&self, pointers: &[&str]) -> Option<&str> {
        pointers
            .iter()
            .find_map(|pointer| self.picked.text(pointer))
    }

    pub(in crate::clients) fn name(&self) -> &str {
        self.text(NAME).unwrap_or_default()
    }

    pub(in crate::clients) fn tool(&self) -> &str {
        self.text(TOOL).unwrap_or_default()
    }

    /// Whether a member is present and has another value. An absent member shows nothing: for example,
    /// only a status that is present shows that an agent still runs in the background.
    pub(in crate::clients) fn differs(&self, pointers: &[&str], value: &str) -> bool {
        self.text(pointers).is_some_and(|text| text != value)
    }

    /// When the hook is called, by the names that several clients have for the events.
    pub(in crate::clients) fn usual_moment(&self) -> Moment {
        match self.name() {
            "SubagentStart" | "subagentStart" => Moment::Start,
            // An aborted agent has no return to check.
            "subagentStop" if self.differs(STATUS, "completed") => Moment::Failure,
            "SubagentStop" | "subagentStop" => Moment::Stop,
            "PreToolUse" | "preToolUse" => Moment::Call,
            _ => Moment::Foreign,
        }
    }

    /// Whether the payload is about an agent that was called with a tool.
    pub(super) fn is_call(&self) -> bool {
        matches!(self.tool(), "Agent" | "Task" | "agent" | "invoke_agent")
    }

    pub(super) fn why(&self, moment: Moment) -> Option<&str> {
        if moment != Moment::Failure {
            return None;
        }
        // If an agent failed, its message describes the error.
        let words = self.text(MESSAGE).filter(|text| !text.trim().is_empty());
        words
            .or_else(|| self.text(ERROR))
            .or_else(|| self.text(STATUS))
    }

    /// The message of the agent. `unframed` removes what the client adds to a result.
    pub(super) fn message(
        &self,
        moment: Moment,
        unframed: Option<fn(&str) -> String>,
    ) -> Option<String> {
        let text = self.text(MESSAGE);
        let message = match unframed.filter(|_| moment == Moment::Result) {
            Some(unframed) => text.map(unframed),
            None => text.map(str::to_owned),
        };
        message.or_else(|| self.has_parts().then(String::new))
    }

    fn has_parts(&self) -> bool {
        let mut parts = PARTS.iter().filter_map(|pointer| self.get(pointer));
        parts.any(Value::is_array)
    }
}

fn wanted() -> Vec<&'static [&'static str]> {
    let formats = Client::ALL
        .into_iter()
        .filter_map(|client| client.facts().hook.as_ref());
    let own = formats.map(|format| format.members);
    MEMBERS.iter().copied().chain(own).collect()
}

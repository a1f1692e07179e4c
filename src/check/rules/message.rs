//! What a message must be that need have no form: something, and the agent's own.

use crate::check::rules::answered::{self, MISSING};
use crate::check::rules::worthless::{ECHO, FILLER, is_placeholder};
use crate::check::{Collector, Value, values};
use crate::form::is_hollow;
use crate::instruction::{is_beginning, is_sample};
use crate::json::pointer::Pointer;
use crate::profile::document::Return;
use crate::text::is_blank;

/// The longest message that may be a copied example, in bytes.
const LONGEST: usize = 4096;

/// Reports a message that is not there, or is the client's and not the agent's. Returns whether it did.
pub(crate) fn check_presence(collector: &mut Collector<'_, '_>) -> bool {
    let text = collector.context.input.whole;
    if let Some(failure) = collector.context.failure_in_place() {
        answered::missing(collector, &failure);
    } else if is_blank(text) {
        let values = values![why = Value::Text("the message is empty")];
        collector.report(&MISSING, Pointer::root(), &values);
    } else {
        return false;
    }
    true
}

/// Reports a message that is copied from an instruction or says nothing.
pub(crate) fn check_text(collector: &mut Collector<'_, '_>) {
    let text = collector.context.input.whole.trim();
    let values = values![name = Value::Text("message"), found = text];
    match worth(text) {
        Worth::Copied => collector.report(&ECHO, Pointer::root(), &values),
        Worth::Nothing => collector.report(&FILLER, Pointer::root(), &values),
        Worth::Own => {}
    }
}

/// Whether a message is copied from an instruction or says nothing.
pub(crate) fn is_worthless(text: &str) -> bool {
    !matches!(worth(text.trim()), Worth::Own)
}

enum Worth {
    /// The agent's own words.
    Own,
    /// The instruction, or its example.
    Copied,
    Nothing,
}

fn worth(text: &str) -> Worth {
    if text.len() > LONGEST && !is_beginning(text) {
        Worth::Own
    } else if is_copied(text) {
        Worth::Copied
    } else if is_hollow(text)
        || text.bytes().all(|byte| byte.is_ascii_punctuation())
        || is_placeholder("message", text)
    {
        Worth::Nothing
    } else {
        Worth::Own
    }
}

/// Whether a message is an instruction, or the example of one. The example may be in a fence.
fn is_copied(text: &str) -> bool {
    if is_sample(text) || is_beginning(text) {
        return true;
    }
    let fenced = text
        .strip_prefix("```")
        .and_then(|text| text.strip_suffix("```"));
    let text = fenced.map_or(text, |text| text.trim_start_matches("json").trim());
    if !text.starts_with('{') {
        return false;
    }
    let Ok(returned) = serde_json::from_str::<Return<'_>>(text) else {
        return false;
    };
    let summary = returned.summary.present();
    let artifacts = returned.artifacts.items().iter();
    let mut paths = artifacts.filter_map(|it| it.present()?.path.present());
    summary.is_some_and(|text| is_sample(text)) || paths.any(|path| is_sample(path))
}

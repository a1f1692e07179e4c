//! The entries of a settings file that run the hook.

use anyhow::bail;
use retval::harness::Harness;
use retval::internal::escape;
use serde_json::Value;

use super::command_line::{is_retval, runs_hook};
use super::entries;
use super::spans::{SpannedText, SpannedValue};

/// An entry in a settings file that runs the hook.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OwnEntry {
    pub(super) event: String,
    /// The command, as one line.
    pub(super) command: String,
    /// Indexes from the root: of `hooks`, of the event, and of the item in its list. In some clients
    /// that item has another list: then also its index, and that of the item in it.
    pub(super) path: Vec<usize>,
    /// The whole item of the event's list.
    pub(super) element: Value,
}

impl OwnEntry {
    /// The tools that the entry is limited to. None if it is for all tools, or if it has a pattern.
    pub(super) fn tools(&self) -> Option<Vec<&str>> {
        let matcher = self.element.get("matcher")?.as_str()?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'|';
        let is_list = !matcher.is_empty() && matcher.bytes().all(is_plain);
        is_list.then(|| matcher.split('|').collect())
    }
}

/// The entries of a text that run the hook. Those for events that retval writes come first.
pub(super) fn own(client: Harness, text: &str) -> anyhow::Result<Vec<OwnEntry>> {
    if is_blank(text) {
        return Ok(Vec::new());
    }
    let file = SpannedText::read(text, entries::takes_comments(client))?;
    own_in(client, &file)
}

/// The events of these entries, each once.
pub(super) fn events(own: &[OwnEntry]) -> Vec<String> {
    let mut events: Vec<String> = Vec::new();
    for entry in own {
        let name = escape::truncated(&entry.event).to_string();
        if !events.contains(&name) {
            events.push(name);
        }
    }
    events
}

pub(super) fn own_in(client: Harness, file: &SpannedText<'_>) -> anyhow::Result<Vec<OwnEntry>> {
    let mut found = Vec::new();
    let root = &file.root;
    if !file.is_object(root) {
        bail!(
            "it is not a JSON object\n       nothing was changed: correct the file and try again"
        );
    }
    let Some(hooks) = root.member("hooks")? else {
        return Ok(found);
    };
    let all = &root.items[hooks].value;
    let mut of_events = Vec::new();
    for (event, _) in entries::events(client, true) {
        of_events.extend(all.member(event)?);
    }
    // A person may have added the hook to other events.
    let others = (0..all.items.len()).filter(|index| !of_events.contains(index));
    let others: Vec<_> = others.collect();
    for of_event in of_events.into_iter().chain(others) {
        let Some(event) = &all.items[of_event].key else {
            continue;
        };
        let list = &all.items[of_event].value;
        for (index, item) in list.items.iter().enumerate() {
            for (inner, command) in own_handlers(file, &item.value)? {
                found.push(OwnEntry {
                    event: event.clone(),
                    command,
                    path: [&[hooks, of_event, index], &*inner].concat(),
                    element: file.value(&item.value),
                });
            }
        }
    }
    Ok(found)
}

/// The commands of the hook in an item of an event's list, each with the indexes that lead to it in the
/// item.
fn own_handlers(
    file: &SpannedText<'_>,
    element: &SpannedValue,
) -> anyhow::Result<Vec<(Vec<usize>, String)>> {
    if let Some(command) = own_command(&file.value(element)) {
        return Ok(vec![(Vec::new(), command)]);
    }
    let Some(hooks) = element.member("hooks")? else {
        return Ok(Vec::new());
    };
    let handlers = element.items[hooks].value.items.iter().enumerate();
    let own = handlers.filter_map(|(index, handler)| {
        let command = own_command(&file.value(&handler.value))?;
        Some((vec![hooks, index], command))
    });
    Ok(own.collect())
}

/// The command of a handler as one line, if it runs the hook. The handler may have one line, or a
/// program with a list of arguments.
fn own_command(handler: &Value) -> Option<String> {
    let mut texts = ["command", "bash", "powershell"]
        .iter()
        .filter_map(|key| handler.get(key)?.as_str());
    if let Some(line) = texts.clone().find(|text| runs_hook(text)) {
        return Some(line.to_owned());
    }
    let program = texts.find(|text| is_retval(text))?;
    let words: Option<Vec<_>> = handler
        .get("args")?
        .as_array()?
        .iter()
        .map(Value::as_str)
        .collect();
    let words = words.filter(|words| words.first() == Some(&"hook"))?;
    Some(format!("{program} {}", words.join(" ")))
}

/// Whether a file is empty, except for white space and a byte-order mark.
pub(super) fn is_blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

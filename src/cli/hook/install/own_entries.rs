//! The entries of a settings file that run the hook.

use crate::clients::HookSettings;
use crate::text::escape;
use jsonc_parser::cst::{CstArray, CstNode, CstObjectProp};
use serde_json::Value;

use super::command_line::{is_retval, runs_hook};
use super::settings_text::{SettingsText, member};
use super::whole_file;

#[derive(Debug)]
pub(super) struct OwnEntry {
    pub(super) event: String,
    /// The command, as one line.
    pub(super) command: String,
    pub(super) element: Value,
    /// The handler in the file: the item itself, or one in the item's own list. None in a file that is
    /// replaced as a whole.
    pub(super) node: Option<CstNode>,
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
pub(super) fn own(client: &HookSettings, text: &str) -> anyhow::Result<Vec<OwnEntry>> {
    if client.whole.is_some() {
        let events = client.events(true).map(|(event, _)| event.to_owned());
        let entries = events.filter_map(|event| {
            Some(OwnEntry {
                event,
                command: whole_file::command(text)?,
                element: Value::Null,
                node: None,
            })
        });
        return Ok(entries.collect());
    }
    own_in(client, &SettingsText::parse(client, text)?)
}

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

/// The entries of a file that run the hook. Their nodes are usable as long as `file` is.
pub(super) fn own_in(client: &HookSettings, file: &SettingsText) -> anyhow::Result<Vec<OwnEntry>> {
    let mut found = Vec::new();
    let hooks = match file.object() {
        Some(object) => member(&object, "hooks")?,
        None => None,
    };
    let Some(hooks) = hooks.and_then(|hooks| hooks.object_value()) else {
        return Ok(found);
    };
    let mut events = Vec::new();
    for (event, _) in client.events(true) {
        events.extend(member(&hooks, event)?);
    }
    // A person may have added the hook to other events.
    let is_other = |it: &CstObjectProp| {
        let name = it.decoded_name().unwrap_or_default();
        client.events(true).all(|(event, _)| event != name)
    };
    let others = hooks.properties().into_iter().filter(is_other);
    for of_event in events.into_iter().chain(others) {
        let Some(event) = of_event.decoded_name() else {
            continue;
        };
        let list = of_event.array_value();
        for item in list.iter().flat_map(CstArray::elements) {
            let element = item.to_serde_value().unwrap_or_default();
            for (node, command) in own_handlers(&item, &element)? {
                found.push(OwnEntry {
                    event: event.clone(),
                    command,
                    element: element.clone(),
                    node: Some(node),
                });
            }
        }
    }
    Ok(found)
}

/// The handlers in an item of an event's list that run the hook, each with its command.
fn own_handlers(item: &CstNode, element: &Value) -> anyhow::Result<Vec<(CstNode, String)>> {
    if let Some(command) = own_command(element) {
        return Ok(vec![(item.clone(), command)]);
    }
    let hooks = match item.as_object() {
        Some(object) => member(&object, "hooks")?,
        None => None,
    };
    let handlers = hooks.and_then(|hooks| hooks.array_value());
    let handlers = handlers.iter().flat_map(CstArray::elements);
    let own = handlers.filter_map(|handler| {
        let command = own_command(&handler.to_serde_value()?)?;
        Some((handler, command))
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

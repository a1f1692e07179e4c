//! Adds the hook to the text of a settings file, finds it there, and removes it again.

use std::fmt::Display;

use crate::clients::{HookSettings, WantedHook};
use crate::text::escape;
use anyhow::anyhow;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{
    CstArray, CstContainerNode, CstInputValue, CstNode, CstObject, CstRootNode,
};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::command_line::runs_hook;

/// What stands before the command in a file that holds nothing but the hook. The command is a JSON string.
const COMMAND: &str = "\nconst COMMAND = ";

/// Returns the text with this hook and no other, or without any. None is for no file.
pub(super) fn edited(
    client: &HookSettings,
    text: Option<&str>,
    line: Option<&WantedHook>,
) -> anyhow::Result<Option<String>> {
    if let Some(whole) = client.whole {
        // Somebody else's file is left alone.
        if text.is_some_and(|text| !text.trim().is_empty() && command_in(text).is_none()) {
            return Err(unchanged("it is not a file of retval"));
        }
        return Ok(line.map(whole));
    }
    let root = parsed(client, text.unwrap_or_default())?;
    let own = own_in(&root);
    if line.map_or(own.is_empty(), |line| is_complete(client, &own, line)) {
        return Ok(text.map(str::to_owned));
    }
    let containers: Vec<_> = own.into_iter().filter_map(without_entry).collect();
    if let Some(line) = line {
        add(client, &root.object_value_or_set(), line)?;
    }
    // Only now: a list that gets a new entry keeps its place.
    containers.iter().for_each(prune);
    let is_left = line.is_some() || has_more(client, &root);
    Ok(is_left.then(|| root.to_string()))
}

/// Whether the entries are those that would be written.
fn is_complete(client: &HookSettings, own: &[OwnEntry], line: &WantedHook) -> bool {
    (client.events_with(&line.tools).iter()).all(|(event, matcher)| {
        let element = (client.item)(matcher.as_deref(), line);
        let element: Value = serde_json::from_str(&element).unwrap_or_default();
        let of_event = own.iter().filter(|entry| entry.event == *event);
        of_event.map(|entry| &entry.element).eq([&element])
    })
}

/// Removes an entry, and the item that held nothing but it. Returns the list of its event if that is empty now.
fn without_entry(entry: OwnEntry) -> Option<CstContainerNode> {
    let list = entry.node.as_ref()?.parent()?;
    entry.node?.remove();
    // In some clients the handlers of an item are a list of its own: the member `hooks` of an object.
    let item = list.ancestors().nth(1).filter(CstContainerNode::is_object);
    let outer = item.as_ref().and_then(CstContainerNode::parent);
    let of_event = match item.zip(outer).filter(|(_, outer)| outer.is_array()) {
        Some((item, outer)) => {
            if is_empty(&list) {
                item.remove();
            }
            outer
        }
        None => list,
    };
    is_empty(&of_event).then_some(of_event)
}

/// Removes an empty list or object, and what thereby becomes empty, but not the object of the file.
fn prune(container: &CstContainerNode) {
    let member = container.parent().filter(|_| is_empty(container));
    let Some(member) = member.filter(CstContainerNode::is_object_prop) else {
        return;
    };
    if let Some(outer) = member.parent() {
        member.remove();
        prune(&outer);
    }
}

fn is_empty(container: &CstContainerNode) -> bool {
    let mut children = container.children().into_iter();
    children.all(|child| !child.is_comment() && (child.is_trivia() || child.is_token()))
}

fn add(client: &HookSettings, file: &CstObject, line: &WantedHook) -> anyhow::Result<()> {
    if client.is_versioned && file.get("version").is_none() {
        file.insert(0, "version", CstInputValue::Number("1".to_owned()));
    }
    let hooks = file.object_value_or_create("hooks");
    let hooks = hooks.ok_or_else(|| unchanged("its `hooks` is not an object"))?;
    for (event, matcher) in client.events_with(&line.tools) {
        let list = hooks.array_value_or_create(event);
        let list = list.ok_or_else(|| unchanged(&format!("its `{event}` is not a list")))?;
        let is_alone = list.elements().is_empty();
        // Set as raw text, the entry stays in one line.
        let item = list.append(CstInputValue::String(String::new()));
        if let Some(text) = item.as_string_lit() {
            text.set_raw_value((client.item)(matcher.as_deref(), line));
        }
        if is_alone {
            list.ensure_multiline();
        }
    }
    Ok(())
}

#[derive(Debug)]
pub(super) struct OwnEntry {
    pub(super) event: String,
    pub(super) command: String,
    element: Value,
    /// The handler: the item itself, or one in its own list. None in a file that is replaced as a whole.
    node: Option<CstNode>,
}

/// The entries of a text that run the hook.
pub(super) fn own(client: &HookSettings, text: &str) -> anyhow::Result<Vec<OwnEntry>> {
    if client.whole.is_none() {
        return Ok(own_in(&parsed(client, text)?));
    }
    let command = command_in(text);
    let events = client.events.iter().filter(|_| command.is_some());
    let entries = events.map(|(event, _)| OwnEntry {
        event: (*event).to_owned(),
        command: command.clone().unwrap_or_default(),
        element: Value::Null,
        node: None,
    });
    Ok(entries.collect())
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

/// The entries of a file that run the hook. Their nodes are usable as long as `root` is.
fn own_in(root: &CstRootNode) -> Vec<OwnEntry> {
    let mut found = Vec::new();
    let hooks = root.object_value().and_then(|object| object.object_value("hooks"));
    for of_event in hooks.iter().flat_map(CstObject::properties) {
        let event = of_event.decoded_name().unwrap_or_default();
        for item in of_event.array_value().iter().flat_map(CstArray::elements) {
            let element = item.to_serde_value().unwrap_or_default();
            for (node, command) in own_handlers(&item) {
                found.push(OwnEntry {
                    event: event.clone(),
                    command,
                    element: element.clone(),
                    node: Some(node),
                });
            }
        }
    }
    found
}

/// The handlers of an event's item that run the hook: itself, or those in its own list.
fn own_handlers(item: &CstNode) -> Vec<(CstNode, String)> {
    let inner = item.as_object().and_then(|object| object.array_value("hooks"));
    let inner = inner.iter().flat_map(CstArray::elements);
    let handlers = std::iter::once(item.clone()).chain(inner);
    let own = handlers.filter_map(|node| {
        let command = own_command(&node.to_serde_value()?)?;
        Some((node, command))
    });
    own.collect()
}

/// The command of a handler, if it runs the hook.
fn own_command(handler: &Value) -> Option<String> {
    let keys = ["command", "bash", "powershell"].iter();
    let mut texts = keys.filter_map(|key| handler.get(key)?.as_str());
    texts.find(|text| runs_hook(text)).map(str::to_owned)
}

fn command_in(text: &str) -> Option<String> {
    let (_, rest) = text.split_once(COMMAND)?;
    let command: String = serde_json::from_str(rest.lines().next()?).ok()?;
    runs_hook(&command).then_some(command)
}

/// The text as a tree that keeps every byte. Fails if it is neither a JSON object nor blank.
pub(super) fn parsed(client: &HookSettings, text: &str) -> anyhow::Result<CstRootNode> {
    let invalid = |error: &dyn Display| unchanged(&format!("it is not valid JSON: {error}"));
    // The parser of trees takes more than JSON.
    if !client.takes_comments && !text.trim().is_empty() {
        serde_json::from_str::<IgnoredAny>(text).map_err(|error| invalid(&error))?;
    }
    let root =
        CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| invalid(&error))?;
    if root.value().is_some() && root.object_value().is_none() {
        return Err(unchanged("it is not a JSON object"));
    }
    Ok(root)
}

/// Whether there is more than an object, white space around it, and the version that the client asks for.
fn has_more(client: &HookSettings, root: &CstRootNode) -> bool {
    let object = root.object_value();
    let members = object.iter().flat_map(CstObject::properties);
    let mut names = members.map(|member| member.decoded_name());
    let inside = object.iter().flat_map(CstObject::children);
    let mut all = root.children().into_iter().chain(inside);
    all.any(|child| child.is_comment())
        || names.any(|name| !client.is_versioned || name.as_deref() != Some("version"))
}

fn unchanged(why: &str) -> anyhow::Error {
    anyhow!("{why}\n       nothing was changed: correct the file and try again")
}

//! Adds the hook to the text of a settings file, and removes it again.

use crate::clients::HookSettings;
use jsonc_parser::cst::{CstContainerNode, CstInputValue, CstNode, CstObject};
use serde_json::Value;

use super::command_line::WantedHook;
use super::own_entries::{OwnEntry, own_in};
use super::settings_text::{SettingsText, is_empty, member, unchanged};
use super::whole_file;

/// The new text of the file. None deletes it.
pub(super) struct NewText {
    pub(super) text: Option<String>,
    pub(super) old: Option<String>,
}

pub(super) fn whole_file(client: &HookSettings, line: &WantedHook) -> anyhow::Result<String> {
    Ok(put_in(client, None, line)?.text.unwrap_or_default())
}

/// Returns the text with this hook, and no other. `text` is None if there is no file.
pub(super) fn put_in(
    client: &HookSettings,
    text: Option<&str>,
    line: &WantedHook,
) -> anyhow::Result<NewText> {
    if let Some(whole) = client.whole {
        let old = whole_file::own_command(text)?;
        let text = Some(whole(line.line()));
        return Ok(NewText { text, old });
    }
    let file = SettingsText::parse(client, text.unwrap_or_default())?;
    let own = own_in(client, &file)?;
    let line = &beside(client, &own, line);
    let old = own.first().map(|entry| entry.command.clone());
    if is_complete(client, &own, line) {
        let text = text.map(str::to_owned);
        return Ok(NewText { text, old });
    }
    let containers: Vec<_> = own.into_iter().filter_map(without_entry).collect();
    add(client, &file.object_or_new(), line)?;
    // Only now: a list that gets a new entry keeps its place.
    containers.iter().for_each(prune);
    let text = Some(file.text());
    Ok(NewText { text, old })
}

pub(super) fn take_out(client: &HookSettings, text: Option<&str>) -> anyhow::Result<NewText> {
    if client.whole.is_some() {
        let old = whole_file::own_command(text)?;
        return Ok(NewText { text: None, old });
    }
    let file = SettingsText::parse(client, text.unwrap_or_default())?;
    let own = own_in(client, &file)?;
    let Some(old) = own.first().map(|entry| entry.command.clone()) else {
        let text = text.map(str::to_owned);
        return Ok(NewText { text, old: None });
    };
    let containers: Vec<_> = own.into_iter().filter_map(without_entry).collect();
    containers.iter().for_each(prune);
    let is_left = !file.is_object_alone() || file.object().is_some_and(|it| has_more(client, &it));
    Ok(NewText {
        text: is_left.then(|| file.text()),
        old: Some(old),
    })
}

/// Whether an object has more than the version that the client asks for.
fn has_more(client: &HookSettings, object: &CstObject) -> bool {
    let is_version =
        |name: Option<String>| client.is_versioned && name.as_deref() == Some("version");
    let mut members = object.properties().into_iter();
    let has_comment = object.children().iter().any(CstNode::is_comment);
    has_comment || members.any(|member| !is_version(member.decoded_name()))
}

/// The hook for a file with these entries. If the version of the client is unknown, the newer events are
/// written if the file has them.
fn beside(client: &HookSettings, own: &[OwnEntry], line: &WantedHook) -> WantedHook {
    WantedHook {
        has_newer_events: line
            .has_newer_events
            .or_else(|| Some(own.iter().any(|entry| is_newer(client, entry)))),
        ..line.clone()
    }
}

/// Whether the entries are those that would be written.
pub(super) fn is_complete(client: &HookSettings, own: &[OwnEntry], line: &WantedHook) -> bool {
    let events = client.events_with(line.is_newer(), &line.tools);
    let mut events = events.iter();
    let is_wanted = |(event, matcher): &(&str, Option<String>)| {
        let element = line.item(client, matcher.as_deref());
        let element: Value = serde_json::from_str(&element).unwrap_or_default();
        let of_event = own.iter().filter(|entry| entry.event == *event);
        let found: Vec<_> = of_event.map(|entry| &entry.element).collect();
        found == [&element]
    };
    let is_too_new = !line.is_newer() && own.iter().any(|entry| is_newer(client, entry));
    !is_too_new && events.all(is_wanted)
}

fn is_newer(client: &HookSettings, entry: &OwnEntry) -> bool {
    client
        .newer_events
        .iter()
        .any(|(event, _)| *event == entry.event)
}

/// Removes an entry from its file, and the item that held nothing but it. Returns the list of its event.
fn without_entry(entry: OwnEntry) -> Option<CstContainerNode> {
    let list = entry.node.as_ref()?.parent()?;
    entry.node?.remove();
    // In some clients the handlers of an item are a list of its own: the member `hooks` of an object.
    let item = list.ancestors().nth(1).filter(CstContainerNode::is_object);
    let outer = item.as_ref().and_then(CstContainerNode::parent);
    let Some((item, outer)) = item.zip(outer).filter(|(_, outer)| outer.is_array()) else {
        return Some(list);
    };
    if is_empty(&list) {
        item.remove();
    }
    Some(outer)
}

/// Removes a list or an object that has become empty, and those that thereby become empty, but not the
/// object of the file.
fn prune(container: &CstContainerNode) {
    let Some(member) = container.parent().filter(|_| is_empty(container)) else {
        return;
    };
    let (true, Some(outer)) = (member.is_object_prop(), member.parent()) else {
        return;
    };
    member.remove();
    prune(&outer);
}

fn add(client: &HookSettings, file: &CstObject, line: &WantedHook) -> anyhow::Result<()> {
    if client.is_versioned && member(file, "version")?.is_none() {
        let one = CstInputValue::Number("1".to_owned());
        file.insert(0, "version", one);
    }
    member(file, "hooks")?;
    let hooks = file.object_value_or_create("hooks");
    let hooks = hooks.ok_or_else(|| unchanged("its `hooks` is not an object"))?;
    for (event, matcher) in client.events_with(line.is_newer(), &line.tools) {
        member(&hooks, event)?;
        let list = hooks.array_value_or_create(event);
        let list = list.ok_or_else(|| unchanged(&format!("its `{event}` is not a list")))?;
        let is_alone = list.elements().is_empty();
        // Set as raw text, the entry stays in one line.
        let item = list.append(CstInputValue::String(String::new()));
        if let Some(text) = item.as_string_lit() {
            text.set_raw_value(line.item(client, matcher.as_deref()));
        }
        if is_alone {
            list.ensure_multiline();
        }
    }
    Ok(())
}

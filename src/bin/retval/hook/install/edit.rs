//! Adds the hook to the text of a settings file, and removes it again.

use anyhow::{anyhow, bail};
use retval::harness::Harness;
use serde_json::Value;

use super::command_line::WantedHook;
use super::entries::{self, LEVELS};
use super::layout::{FileLayout, NewValue};
use super::own_entries::{OwnEntry, is_blank, own, own_in};
use super::spans::SpannedText;
use super::splice::{Rest, append, without};

/// The new text of the file. None deletes it.
pub(super) struct NewText {
    pub(super) text: Option<String>,
    /// The command that the file had before.
    pub(super) old: Option<String>,
    /// How many folders were created for the file. They are removed with it.
    pub(super) folders: usize,
}

/// Most folders that are created for a file and removed with it.
const FOLDERS_AT_MOST: usize = 16;

/// Returns the text with this hook, and no other. `text` is None if there is no file; `folders` is how
/// many folders are created for it.
pub(super) fn put_in(
    client: Harness,
    text: Option<&str>,
    line: &WantedHook,
    folders: usize,
) -> anyhow::Result<NewText> {
    let own = own(client, text.unwrap_or_default())?;
    let line = &beside(&own, line);
    let old = own.first().map(|entry| entry.command.clone());
    if is_complete(client, &own, line) {
        let text = text.map(str::to_owned);
        return Ok(NewText { text, old, folders });
    }
    let bare = match text {
        Some(text) if !own.is_empty() => taken_out(client, text)?,
        text => NewText::of(text),
    };
    let folders = bare.folders.max(folders);
    let whole = entries::whole_file(client, line);
    let text = match bare.text {
        None => with_mark(&whole, folders),
        // Without the last newline: it marks a file that did not exist before.
        Some(blank) if is_blank(&blank) => blank + whole.trim_end(),
        Some(bare) => {
            let added = added(client, bare, line)?;
            if added == whole {
                // The extra space marks that the file existed before, with only a version.
                added.replacen(",\n  \"hooks\"", ", \n  \"hooks\"", 1)
            } else {
                added
            }
        }
    };
    let text = Some(text);
    Ok(NewText { text, old, folders })
}

/// The hook for a file with these entries. If the version of the client is unknown, the newer events are
/// written if the file has them.
fn beside(own: &[OwnEntry], line: &WantedHook) -> WantedHook {
    WantedHook {
        has_newer_events: line
            .has_newer_events
            .or_else(|| Some(own.iter().any(is_newer))),
        ..line.clone()
    }
}

/// A new file. The number of spaces at its end is the number of folders created for it.
fn with_mark(whole: &str, folders: usize) -> String {
    let spaces = " ".repeat(folders.min(FOLDERS_AT_MOST));
    format!("{}{spaces}\n", whole.trim_end())
}

/// The text without the hook.
pub(super) fn take_out(client: Harness, text: Option<&str>) -> anyhow::Result<NewText> {
    let own = own(client, text.unwrap_or_default())?;
    let old = own.first().map(|entry| entry.command.clone());
    let bare = match text {
        Some(text) if !own.is_empty() => taken_out(client, text)?,
        text => NewText::of(text),
    };
    Ok(NewText { old, ..bare })
}

/// Whether the entries are those that would be written.
pub(super) fn is_complete(client: Harness, own: &[OwnEntry], line: &WantedHook) -> bool {
    let mut events = entries::events(client, line.is_newer());
    let is_wanted = |(event, matcher)| {
        let element = entries::element(client, matcher, line);
        let element = FileLayout::usual().render(&element, "", 0);
        let element: Value = serde_json::from_str(&element).unwrap_or_default();
        let of_event = own.iter().filter(|entry| entry.event == event);
        let found: Vec<_> = of_event.map(|entry| &entry.element).collect();
        found == [&element]
    };
    let is_too_new = !line.is_newer() && own.iter().any(is_newer);
    !is_too_new && events.all(is_wanted)
}

fn is_newer(entry: &OwnEntry) -> bool {
    entry.event == entries::STOP_FAILURE
}

fn taken_out(client: Harness, text: &str) -> anyhow::Result<NewText> {
    if let Some(before) = before_whole(client, text)? {
        return Ok(before);
    }
    let mut text = text.to_owned();
    loop {
        let file = SpannedText::read(&text, entries::takes_comments(client))?;
        let own = own_in(client, &file)?;
        // The last entry first: the space before the first one marks what the file had before the hook.
        let Some(entry) = own
            .into_iter()
            .max_by(|one, other| one.path.cmp(&other.path))
        else {
            return Ok(NewText::of(Some(&text)));
        };
        text = without_entry(client, &file, entry.path)
            .ok_or_else(|| anyhow!("the hook cannot be taken out\n       nothing was changed"))?;
    }
}

impl NewText {
    fn of(text: Option<&str>) -> Self {
        Self {
            text: text.map(str::to_owned),
            old: None,
            folders: 0,
        }
    }
}

/// What the file was before the hook, if its text has only the hook. None if it has more.
fn before_whole(client: Harness, text: &str) -> anyhow::Result<Option<NewText>> {
    let file = SpannedText::read(text, entries::takes_comments(client))?;
    let own = own_in(client, &file)?;
    let Some(entry) = own.first() else {
        return Ok(None);
    };
    let powershell = entry.element.get("powershell").and_then(Value::as_str);
    let line = WantedHook {
        has_newer_events: None,
        shell: entry.command.clone(),
        powershell: powershell.unwrap_or_default().to_owned(),
    };
    let whole = entries::whole_file(client, &beside(&own, &line));
    let mark = text.strip_prefix(whole.trim_end());
    let mark = mark.and_then(|rest| rest.strip_suffix('\n'));
    if let Some(mark) = mark.filter(|mark| mark.bytes().all(|byte| byte == b' ')) {
        return Ok(Some(NewText {
            folders: mark.len().min(FOLDERS_AT_MOST),
            ..NewText::of(None)
        }));
    }
    let blank = text.strip_suffix(whole.trim_end());
    let blank = blank.filter(|blank| is_blank(blank));
    Ok(blank.map(|blank| NewText::of(Some(blank))))
}

/// Removes one entry, and the containers that were added with it.
fn without_entry(client: Harness, file: &SpannedText<'_>, mut path: Vec<usize>) -> Option<String> {
    loop {
        let index = path.pop()?;
        let container = path
            .iter()
            .fold(&file.root, |value, index| &value.items[*index].value);
        if path.is_empty() {
            return without_hooks(client, file, index);
        }
        // A group without handlers is useless.
        if path.len() == 4 && container.items.len() == 1 {
            path.pop();
        } else if let Rest::Text(text) = without(file, container, index) {
            return Some(text);
        }
    }
}

/// Removes `hooks`, and the version if it was added after it.
fn without_hooks(client: Harness, file: &SpannedText<'_>, hooks: usize) -> Option<String> {
    let rest = |rest| match rest {
        Rest::Text(text) => text,
        Rest::Nothing => "{}".to_owned(),
    };
    let next = file.root.items.get(hooks + 1);
    let has_version = next.is_some_and(|item| item.key.as_deref() == Some("version"));
    if !(entries::is_versioned(client) && has_version) {
        return Some(rest(without(file, &file.root, hooks)));
    }
    let text = rest(without(file, &file.root, hooks + 1));
    let file = SpannedText::read(&text, entries::takes_comments(client)).ok()?;
    Some(rest(without(&file, &file.root, hooks)))
}

/// Adds all entries of the hook to a text that has none.
fn added(client: Harness, text: String, line: &WantedHook) -> anyhow::Result<String> {
    let comments = entries::takes_comments(client);
    let file = SpannedText::read(&text, comments)?;
    let Some(hooks) = file.root.member("hooks")? else {
        let hooks = entries::hooks(client, line);
        let with_hooks = append(&file, &file.root, (Some("hooks"), &hooks), LEVELS);
        let is_unversioned = file.root.member("version")?.is_none();
        if !(entries::is_versioned(client) && is_unversioned) {
            return Ok(with_hooks);
        }
        let file = SpannedText::read(&with_hooks, comments)?;
        let version = (Some("version"), &NewValue::Number(1));
        return Ok(append(&file, &file.root, version, 0));
    };
    if !file.is_object(&file.root.items[hooks].value) {
        bail!(
            "its `hooks` is not an object\n       nothing was changed: correct the file and try again"
        );
    }
    let mut text = text;
    for (event, matcher) in entries::events(client, line.is_newer()) {
        let file = SpannedText::read(&text, comments)?;
        let all = &file.root.items[hooks].value;
        let element = entries::element(client, matcher, line);
        text = match all.member(event)? {
            None => {
                let list = NewValue::List(vec![element]);
                append(&file, all, (Some(event), &list), LEVELS - 1)
            }
            Some(of_event) => {
                let list = &all.items[of_event].value;
                if !file.is_list(list) {
                    bail!(
                        "its `{event}` is not a list\n       nothing was changed: correct the file and try again"
                    );
                }
                append(&file, list, (None, &element), 0)
            }
        };
    }
    Ok(text)
}

//! A file that holds nothing but the hook: it is written and removed as a whole.

use retval::internal::clients::{HookLine, HookSettings};
use serde_json::Value;

use super::command_line::runs_hook;
use super::edit::NewText;
use super::own_entries::OwnEntry;
use super::places::SettingsPlace;
use super::settings_file;
use super::settings_text::unchanged;

/// The text before the command, which is a JSON string.
const COMMAND: &str = "\nconst COMMAND = ";

pub(super) fn put_in(new: String, text: Option<&str>) -> anyhow::Result<NewText> {
    let old = own_command(text)?;
    let text = Some(new);
    Ok(NewText { text, old })
}

pub(super) fn take_out(text: Option<&str>) -> anyhow::Result<NewText> {
    let old = own_command(text)?;
    Ok(NewText { text: None, old })
}

/// Whether a file is not the one that this version would write with the same command.
pub(super) fn is_other_version(client: &HookSettings, place: &SettingsPlace) -> bool {
    let Some(whole) = client.whole else {
        return false;
    };
    let text = settings_file::read(&place.path).ok().flatten();
    let text = text.unwrap_or_default();
    let command = command(&text).unwrap_or_default();
    let line = HookLine {
        shell: &command,
        powershell: &command,
    };
    text != whole(line)
}

/// An entry for each event.
pub(super) fn own(client: &HookSettings, text: &str) -> Vec<OwnEntry> {
    let events = client.events(true).map(|(event, _)| event.to_owned());
    let entries = events.filter_map(|event| {
        Some(OwnEntry {
            event,
            command: command(text)?,
            element: Value::Null,
            node: None,
        })
    });
    entries.collect()
}

/// The command of the file, if there is one. Somebody else's file is left alone.
fn own_command(text: Option<&str>) -> anyhow::Result<Option<String>> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    let own = command(text).ok_or_else(|| unchanged("it is not a file of retval"))?;
    Ok(Some(own))
}

fn command(text: &str) -> Option<String> {
    let (_, rest) = text.split_once(COMMAND)?;
    let command: String = serde_json::from_str(rest.lines().next()?).ok()?;
    runs_hook(&command).then_some(command)
}

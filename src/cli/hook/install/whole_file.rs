//! A file that holds nothing but the hook: it is written and removed as a whole.

use super::command_line::runs_hook;
use super::settings_text::unchanged;
use crate::clients::{HookLine, HookSettings};

/// The text before the command, which is a JSON string.
const COMMAND: &str = "\nconst COMMAND = ";

/// Whether a file is not the one that this version would write with the same command.
pub(super) fn is_other_version(client: &HookSettings, text: &str) -> bool {
    let Some(whole) = client.whole else {
        return false;
    };
    let command = command(text).unwrap_or_default();
    let line = HookLine {
        shell: &command,
        powershell: &command,
    };
    text != whole(line)
}

/// The command of the file, if there is one. Somebody else's file is left alone.
pub(super) fn own_command(text: Option<&str>) -> anyhow::Result<Option<String>> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    let own = command(text).ok_or_else(|| unchanged("it is not a file of retval"))?;
    Ok(Some(own))
}

pub(super) fn command(text: &str) -> Option<String> {
    let (_, rest) = text.split_once(COMMAND)?;
    let command: String = serde_json::from_str(rest.lines().next()?).ok()?;
    runs_hook(&command).then_some(command)
}

//! Whether a client trusts the hook: some skip hooks silently until their user has agreed.

use std::fs;
use std::path::Path;

use crate::clients::{Client, HookSettings, TrustAdvice};
use serde_json::Value;

use super::places::{Reach, SettingsPlace, home, user_folder};
use super::{gemini, settings_text};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    Given,
    /// Not given yet. The text tells how to give it.
    Missing(&'static str),
    NotNeeded,
}

/// What the user has to do after the hook is installed.
pub(super) fn advice(client: &HookSettings, reach: Reach) -> Option<&'static str> {
    let advice = needed(client, reach)?;
    advice.is_required.then_some(advice.text)
}

fn needed(client: &HookSettings, reach: Reach) -> Option<TrustAdvice> {
    let is_here = |advice: &TrustAdvice| reach != Reach::User || !advice.is_of_project;
    client.trust.filter(is_here)
}

/// Whether the hook in a file is trusted, as far as the client's own files show.
pub(super) fn of(client: &HookSettings, place: &SettingsPlace) -> Trust {
    let Some(advice) = needed(client, place.reach) else {
        return Trust::NotNeeded;
    };
    let is_trusted = match client.client {
        Client::ClaudeCode => claude_code(client, &place.base),
        Client::Codex => codex(client, &place.path),
        Client::Copilot => copilot(client, &place.base),
        Client::Gemini => gemini::trusts(client, &place.base),
        Client::Cursor | Client::OpenCode | Client::Qwen => None,
    };
    if is_trusted.unwrap_or_default() {
        Trust::Given
    } else {
        Trust::Missing(advice.text)
    }
}

fn claude_code(client: &HookSettings, project: &Path) -> Option<bool> {
    let moved = user_folder(client)?.join(".claude.json");
    let usual = home(client).ok()?.join(".claude.json");
    let known = settings_text::read(&moved).or_else(|| settings_text::read(&usual))?;
    let project = known.get("projects")?.get(project.to_str()?)?;
    project.get("hasTrustDialogAccepted")?.as_bool()
}

/// Codex notes the hash of each trusted hook, with a key that begins with the path of its file.
fn codex(client: &HookSettings, path: &Path) -> Option<bool> {
    let config = user_folder(client)?.join("config.toml");
    let config = fs::read_to_string(config).ok()?;
    let key = format!("\"{}:", path.to_str()?);
    Some(config.contains(&key) && config.contains("trusted_hash"))
}

fn copilot(client: &HookSettings, project: &Path) -> Option<bool> {
    let config = settings_text::read(&user_folder(client)?.join("config.json"))?;
    let folders = ["trusted_folders", "trustedFolders"];
    let folders = folders.iter().find_map(|key| config.get(key)?.as_array())?;
    let mut folders = folders.iter().filter_map(Value::as_str);
    Some(folders.any(|folder| project.starts_with(folder)))
}

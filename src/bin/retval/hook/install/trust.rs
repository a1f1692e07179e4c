//! Whether a client trusts the hook: some skip hooks silently until their user has agreed.

use std::fs;
use std::path::Path;

use retval::harness::Harness;
use serde_json::Value;

use super::places::{Reach, SettingsPlace, home, user_folder};
use super::{comments, gemini};

/// Whether a client trusts a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    Given,
    /// Not given yet. The text tells how to give it.
    Missing(&'static str),
    NotNeeded,
}

const CLAUDE_CODE: &str =
    "Claude Code asks when it starts in this folder; with -p it need not be trusted";
const CODEX: &str = "trust it with /hooks in Codex, which skips it until then";
const COPILOT: &str = "trust this folder when Copilot CLI asks, or start it with --trust-folder";
const GEMINI: &str =
    "trust this folder when Gemini CLI asks; until then it skips the hooks of a project";

/// What the user has to do after the hook is installed.
pub(super) fn advice(client: Harness, reach: Reach) -> Option<&'static str> {
    match (client, reach) {
        (Harness::Codex, _) => Some(CODEX),
        (Harness::Copilot, Reach::Project) => Some(COPILOT),
        (Harness::Gemini, Reach::Project) => Some(GEMINI),
        _ => None,
    }
}

/// Whether the hook in a file is trusted, as far as the client's own files show.
pub(super) fn of(client: Harness, place: &SettingsPlace) -> Trust {
    let is_project = place.reach == Reach::Project;
    let (is_trusted, advice) = match client {
        Harness::Codex => (codex(&place.path), CODEX),
        Harness::ClaudeCode if is_project => (claude_code(&place.base), CLAUDE_CODE),
        Harness::Copilot if is_project => (copilot(&place.base), COPILOT),
        Harness::Gemini if is_project => (gemini::trusts(&place.base), GEMINI),
        _ => return Trust::NotNeeded,
    };
    if is_trusted.unwrap_or_default() {
        Trust::Given
    } else {
        Trust::Missing(advice)
    }
}

fn claude_code(project: &Path) -> Option<bool> {
    let folder = user_folder(Harness::ClaudeCode)?;
    let moved = folder.join(".claude.json");
    let usual = home(Harness::ClaudeCode).ok()?.join(".claude.json");
    let known = comments::read(&moved).or_else(|| comments::read(&usual))?;
    let project = known.get("projects")?.get(project.to_str()?)?;
    project.get("hasTrustDialogAccepted")?.as_bool()
}

/// Codex notes the hash of each trusted hook, with a key that begins with the path of its file.
fn codex(path: &Path) -> Option<bool> {
    let config = user_folder(Harness::Codex)?.join("config.toml");
    let config = fs::read_to_string(config).ok()?;
    let key = format!("\"{}:", path.to_str()?);
    Some(config.contains(&key) && config.contains("trusted_hash"))
}

fn copilot(project: &Path) -> Option<bool> {
    let config = comments::read(&user_folder(Harness::Copilot)?.join("config.json"))?;
    let folders = ["trusted_folders", "trustedFolders"];
    let folders = folders.iter().find_map(|key| config.get(key)?.as_array())?;
    let mut folders = folders.iter().filter_map(Value::as_str);
    Some(folders.any(|folder| project.starts_with(folder)))
}

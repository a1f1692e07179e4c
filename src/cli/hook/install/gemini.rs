//! Whether Gemini CLI trusts a folder. It skips the hooks of a project that it does not trust.

use std::env;
use std::path::{Path, PathBuf};

use crate::clients::HookSettings;
use crate::root::collapsed;
use serde_json::Value;

use super::places::user_folder;
use super::settings_text;

/// Whether a project is trusted, by the same steps as version 0.61.0 of the client: variables, then the
/// setting that turns trust off, then the rules for folders. None if no rule covers the folder, which is
/// then not trusted either.
pub(super) fn trusts(client: &HookSettings, project: &Path) -> Option<bool> {
    let is = |name: &str, word: &str| env::var_os(name).is_some_and(|value| value == word);
    if is("GEMINI_RESTRICTED_MODE", "true") || is("GEMINI_CLI_TRUST_WORKSPACE", "false") {
        return Some(false);
    }
    if is("GEMINI_CLI_TRUST_WORKSPACE", "true") || !asks_for_trust(client) {
        return Some(true);
    }
    let rules = match env::var_os("GEMINI_CLI_TRUSTED_FOLDERS_PATH") {
        Some(path) if !path.is_empty() => PathBuf::from(path),
        _ => user_folder(client)?.join("trustedFolders.json"),
    };
    by_rules(&settings_text::read(&rules)?, project)
}

/// The setting `security.folderTrust.enabled`. The settings of a project do not count.
fn asks_for_trust(client: &HookSettings) -> bool {
    let user = user_folder(client).map(|folder| folder.join("settings.json"));
    let mut files = [Some(system_settings()), user].into_iter().flatten();
    let enabled = files.find_map(|path| {
        let settings = settings_text::read(&path)?;
        settings.pointer("/security/folderTrust/enabled")?.as_bool()
    });
    enabled.unwrap_or(true)
}

/// The settings of the machine, which take precedence over those of the user.
fn system_settings() -> PathBuf {
    let usual = if cfg!(target_os = "macos") {
        "/Library/Application Support/GeminiCli/settings.json"
    } else if cfg!(windows) {
        "C:\\ProgramData\\gemini-cli\\settings.json"
    } else {
        "/etc/gemini-cli/settings.json"
    };
    let moved = env::var_os("GEMINI_CLI_SYSTEM_SETTINGS_PATH").filter(|path| !path.is_empty());
    moved.map_or_else(|| PathBuf::from(usual), PathBuf::from)
}

/// Whether the rules trust a project: of several, the one with the longest path counts. None if no rule
/// covers it, or if a rule is unknown: then the client does not start.
fn by_rules(rules: &Value, project: &Path) -> Option<bool> {
    let rules = rules.as_object()?;
    let project = real(project);
    let mut longest = None;
    for (path, rule) in rules {
        let folder = match rule.as_str()? {
            "TRUST_PARENT" => Path::new(path).parent().unwrap_or(Path::new(path)),
            "TRUST_FOLDER" | "DO_NOT_TRUST" => Path::new(path),
            _ => return None,
        };
        let length = collapsed(Path::new(path)).as_os_str().len();
        let is_longer = longest.is_none_or(|(longest, _)| length > longest);
        if is_longer && project.starts_with(real(folder)) {
            longest = Some((length, rule != "DO_NOT_TRUST"));
        }
    }
    longest.map(|(_, is_trusted)| is_trusted)
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

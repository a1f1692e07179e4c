//! The plugins of Claude Code that are on. They bring agents, and one of them may call the hook.

use std::path::{Path, PathBuf};

use crate::clients::{Client, HookSettings};
use crate::text::escape;
use serde_json::Value;

use super::places::{Reach, SettingsPlace, user_folder};
use super::{own_entries, settings_file, settings_text};

pub(super) struct Plugin {
    /// Its name and its marketplace: `retval@retval`.
    id: String,
    pub(super) folder: PathBuf,
}

impl Plugin {
    pub(super) fn name(&self) -> &str {
        self.id.split('@').next().unwrap_or_default()
    }

    pub(super) fn shown(&self) -> String {
        escape::truncated(&self.id).to_string()
    }
}

/// The plugins that are on in a project.
pub(super) fn enabled(client: &HookSettings, project: &Path) -> Vec<Plugin> {
    let found = || {
        let file = user_folder(client)?.join("plugins/installed_plugins.json");
        let installed = settings_text::read(&file)?;
        // The settings that count more come first.
        let places = [Reach::Local, Reach::Project, Reach::User];
        let places = places.map(|reach| SettingsPlace::of(client, reach).ok());
        let settings = places
            .iter()
            .flatten()
            .map(|it| settings_text::read(&it.path));
        let settings: Vec<_> = settings.flatten().collect();
        let plugins = installed.get("plugins")?.as_object()?.iter();
        let is_on = |id: &str| {
            let mut states = settings
                .iter()
                .map(|it| it.get("enabledPlugins")?.get(id)?.as_bool());
            states.find_map(|state| state).unwrap_or_default()
        };
        let plugins = plugins.filter(|(id, _)| is_on(id));
        let plugins = plugins.filter_map(|(id, copies)| {
            let copy = copies
                .as_array()?
                .iter()
                .find(|copy| is_for(copy, project))?;
            let folder = copy.get("installPath")?.as_str()?.into();
            let id = id.clone();
            Some(Plugin { id, folder })
        });
        Some(plugins.collect())
    };
    let has_plugins = client.client == Client::ClaudeCode;
    has_plugins.then(found).flatten().unwrap_or_default()
}

/// Whether a copy of a plugin is for a project. One of a user is for all.
fn is_for(copy: &Value, project: &Path) -> bool {
    let path = copy.get("projectPath").and_then(Value::as_str);
    path.is_none_or(|path| Path::new(path) == project)
}

pub(super) fn own(client: &HookSettings, project: &Path) -> Option<Plugin> {
    let mut plugins = enabled(client, project).into_iter();
    plugins.find(|plugin| own_command(client, plugin).is_some())
}

pub(super) fn own_command(client: &HookSettings, plugin: &Plugin) -> Option<String> {
    let text = settings_file::read(&plugin.folder.join("hooks/hooks.json")).ok()??;
    let own = own_entries::own(client, &text).ok()?;
    Some(own.into_iter().next()?.command)
}

//! Where each client keeps its settings.

use std::env;
use std::path::{Path, PathBuf};

use crate::clients::HookSettings;
use anyhow::{Context as _, bail};

/// Whose settings a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Project,
    /// Those of a user in one project.
    Local,
    User,
}

impl Reach {
    pub(super) const ALL: [Self; 3] = [Self::Project, Self::Local, Self::User];

    pub(super) fn others(self) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |other| *other != self)
    }

    pub(super) fn option(self) -> &'static str {
        match self {
            Self::Project => "--project",
            Self::Local => "--local",
            Self::User => "--user",
        }
    }
}

/// A client's settings file.
#[derive(Debug)]
pub(super) struct SettingsPlace {
    pub(super) path: PathBuf,
    /// The folder of the project or of the user. Folders below it are created and removed with the file.
    pub(super) base: PathBuf,
    pub(super) reach: Reach,
}

impl SettingsPlace {
    pub(super) fn of(client: &HookSettings, reach: Reach) -> anyhow::Result<Self> {
        if reach == Reach::User {
            let base = match client.folder_variable.and_then(variable_folder) {
                Some(folder) => folder,
                None => home(client)?.join(client.folder),
            };
            let path = base.join(client.file);
            return Ok(Self { path, base, reach });
        }
        let file = match (reach, client.local_file) {
            (Reach::Local, None) => bail!("{} has no local settings", client.client.as_str()),
            (Reach::Local, Some(file)) => file,
            _ => client.file,
        };
        let base = project()?;
        let path = base.join(client.project_folder).join(file);
        Ok(Self { path, base, reach })
    }
}

pub(super) fn user_folder(client: &HookSettings) -> Option<PathBuf> {
    Some(SettingsPlace::of(client, Reach::User).ok()?.base)
}

/// The nearest folder with `.git`, here or above, else this folder.
pub(super) fn project() -> anyhow::Result<PathBuf> {
    let here = env::current_dir().context("cannot find the current folder")?;
    let found = here.ancestors().find(|folder| folder.join(".git").exists());
    Ok(found.map_or_else(|| here.clone(), Path::to_owned))
}

pub(super) fn home(client: &HookSettings) -> anyhow::Result<PathBuf> {
    let moved = client.home_variable.and_then(variable_folder);
    moved
        .or_else(env::home_dir)
        .filter(|home| !home.as_os_str().is_empty())
        .context("cannot find the home folder: set HOME")
}

fn variable_folder(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    std::path::absolute(value).ok()
}

//! The settings files of the clients: where they are, and how they are changed, as a whole or not at all.

use std::env;
use std::fs::{self, Metadata, OpenOptions};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use crate::clients::HookSettings;
use crate::text::escape;
use anyhow::{Context as _, anyhow, bail};

use crate::cli::files::{replace, target};

/// Whose settings a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Project,
    User,
}

#[derive(Debug)]
pub(super) struct SettingsPlace {
    pub(super) path: PathBuf,
    /// The folder of the project or of the user. Folders below it are created and removed with the file.
    pub(super) base: PathBuf,
    pub(super) reach: Reach,
}

impl SettingsPlace {
    pub(super) fn of(client: &HookSettings, reach: Reach) -> anyhow::Result<Self> {
        let (base, folder) = match (reach, client.folder_variable.and_then(variable_folder)) {
            (Reach::Project, _) => (project()?, client.project_folder),
            (Reach::User, Some(folder)) => (folder, ""),
            (Reach::User, None) => (home(client)?.join(client.folder), ""),
        };
        Ok(Self { path: base.join(folder).join(client.file), base, reach })
    }
}

/// The nearest folder with `.git`, here or above, else this folder.
pub(in crate::cli::hook) fn project() -> anyhow::Result<PathBuf> {
    let here = env::current_dir().context("cannot find the current folder")?;
    let found = here.ancestors().find(|folder| folder.join(".git").exists());
    Ok(found.unwrap_or(&here).to_owned())
}

fn home(client: &HookSettings) -> anyhow::Result<PathBuf> {
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

pub(super) enum SettingsChange {
    None,
    Created,
    Edited,
    Deleted,
}

impl SettingsPlace {
    /// Replaces the file by what `edit` makes of its text, or deletes it.
    pub(super) fn change(
        &self,
        edit: impl Fn(Option<&str>) -> anyhow::Result<Option<String>>,
    ) -> anyhow::Result<SettingsChange> {
        let target = target(&self.path);
        self.refuse_outside(&target)?;
        let old = read(&target)?;
        let new = edit(old.as_deref())?;
        if new == old {
            return Ok(SettingsChange::None);
        }
        let metadata = writable(&target)?;
        // A link stays, and so does the file that it leads to.
        let rest = || self.path.is_symlink().then(|| "{}\n".to_owned());
        let Some(text) = new.or_else(rest) else {
            fs::remove_file(&target).context("cannot delete it")?;
            self.remove_empty_folders(&target);
            return Ok(SettingsChange::Deleted);
        };
        let folder = target.parent().context("it is no file")?;
        fs::create_dir_all(folder).context("cannot make its folder")?;
        replace(&target, text.as_bytes(), metadata.as_ref()).context("cannot write it")?;
        Ok(if old.is_some() { SettingsChange::Edited } else { SettingsChange::Created })
    }

    /// Refuses a target outside the project: a symlink stays, and its target is changed.
    fn refuse_outside(&self, target: &Path) -> anyhow::Result<()> {
        // `..` after a missing folder cannot be resolved.
        let goes_up = target.components().any(|part| part == Component::ParentDir);
        let base = self.base.canonicalize();
        let is_outside = goes_up || base.is_ok_and(|base| !target.starts_with(base));
        if self.reach != Reach::User && is_outside {
            bail!(
                "it leads out of the project, to {}\n       nothing was changed: edit that file with --user or by hand",
                escape::path(target)
            );
        }
        Ok(())
    }

    /// Removes the folders of the file below that of the project or the user, if they are empty.
    fn remove_empty_folders(&self, target: &Path) {
        let is_below = |folder: &&Path| folder.starts_with(&self.base) && **folder != self.base;
        let mut folders = target.ancestors().skip(1).take_while(is_below);
        let _ = folders.try_for_each(fs::remove_dir);
    }
}

pub(super) fn read(path: &Path) -> anyhow::Result<Option<String>> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        bail!("it is not a regular file");
    }
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.context("cannot read it")?,
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        anyhow!("it is not UTF-8 at byte {at}\n       nothing was changed: save the file as UTF-8 and try again")
    });
    text.map(Some)
}

/// The metadata of the file. Refuses a read-only one: replacing it needs no permission to write to it.
fn writable(path: &Path) -> anyhow::Result<Option<Metadata>> {
    let found = fs::metadata(path).ok();
    let is_closed = found.as_ref().is_some_and(|it| it.permissions().readonly());
    if is_closed || found.is_some() && OpenOptions::new().write(true).open(path).is_err() {
        bail!("it is read-only\n       nothing was changed: make it writable and try again");
    }
    Ok(found)
}

//! Paths among the options, rewritten for the folder in which a client calls the hook.

use std::path::{Component, Path, PathBuf};

use crate::text::escape;
use anyhow::{Context as _, bail};

use super::places::Reach;
use crate::cli::folder;
use crate::cli::hook::typed::TypedOption;
use crate::cli::regular_file;

/// The words of the options. A client calls the hook in the folder of the project, so paths are written
/// relative to it; those outside are absolute. In the settings of a user, for all projects, only the
/// path of the configuration is made absolute: it is one file, while the other paths are relative to
/// each project.
pub(super) fn words(
    options: &[TypedOption],
    reach: Reach,
    project: &Path,
) -> anyhow::Result<Vec<String>> {
    let here = folder::current().context("cannot find the current folder")?;
    let words = options.iter().flat_map(|option| {
        let value = option.value.as_deref().map(|value| match reach {
            _ if !option.is_path || value.is_empty() => value.to_owned(),
            Reach::User if option.name == "config" => text(&joined(here, value)),
            Reach::User => value.to_owned(),
            Reach::Project | Reach::Local => in_project(here, value, project),
        });
        TypedOption {
            name: option.name.clone(),
            value,
            is_path: option.is_path,
        }
        .words()
    });
    Ok(words.collect())
}

fn in_project(here: &Path, value: &str, project: &Path) -> String {
    if here == project || Path::new(value).is_absolute() {
        return value.to_owned();
    }
    let path = joined(here, value);
    match path.strip_prefix(project) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) => text(below),
        Err(_) => text(&path),
    }
}

/// Makes a path absolute. `..` at the start can be resolved without looking for symlinks, because the
/// path of the current folder has none.
fn joined(here: &Path, value: &str) -> PathBuf {
    let mut path = here.to_owned();
    let mut goes_up = true;
    for part in Path::new(value).components() {
        goes_up &= matches!(part, Component::CurDir | Component::ParentDir);
        match part {
            Component::CurDir => {}
            Component::ParentDir if goes_up => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Refuses a configuration that the next call of the hook could not read again, such as a pipe. A
/// missing one is reported where it is read.
pub(super) fn refuse_passing(config: &Path) -> anyhow::Result<()> {
    if regular_file::is_lasting(config) || config.symlink_metadata().is_err() {
        return Ok(());
    }
    let advice = if config == Path::new("/dev/null") {
        "--no-config reads none"
    } else {
        "write the configuration to one"
    };
    bail!(
        "--config {}: it is not a regular file, which the hook needs to read it at every call: {advice}",
        escape::path(config)
    );
}

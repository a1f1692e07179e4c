//! Programs on the `PATH`.

use std::env;
use std::path::{Path, PathBuf};

use crate::clients::HookSettings;

/// The path of a program. None if it is not on the `PATH`.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH")?;
    let paths = env::split_paths(&folders).map(|folder| folder.join(&name));
    paths
        .filter(|path| path.is_absolute())
        .find(|path| is_program(path))
}

pub(super) fn find_client(client: &HookSettings) -> Option<PathBuf> {
    let names = client.client.facts().programs;
    names.iter().find_map(|name| find(name))
}

// On Unix the permissions say which files are programs.
#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let found = path.metadata();
    found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

// On other systems the file name says it.
#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

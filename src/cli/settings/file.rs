//! How the configuration file is found and read.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};

use crate::cli::files::{current_folder, read_regular};
use crate::cli::output::note;
use crate::config::{Config, FILE_NAME};
use crate::text::escape;

/// The most bytes of a configuration file. No one writes that much by hand.
const BYTES_AT_MOST: u64 = 1024 * 1024;

/// The nearest configuration file, in a folder or one of its parents. Without `start`, the search begins
/// in the current folder and the path is relative.
pub(super) fn find_upwards(start: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let Some(folder) = start.or(current_folder()) else {
        return Ok(None);
    };
    let mut path = start.map_or_else(PathBuf::new, Path::to_owned);
    for _ in folder.ancestors() {
        let candidate = path.join(FILE_NAME);
        match candidate.metadata() {
            Ok(found) if found.is_file() => {
                let of_folder = path.join(".").metadata();
                if !is_world_writable(&found) && !of_folder.is_ok_and(|it| is_world_writable(&it)) {
                    return Ok(Some(candidate));
                }
                let name = escape::path(&candidate);
                note(&format!(
                    "{name} is ignored because everyone can write to it: name it with --config to use it"
                ));
            }
            Ok(_) => note(&format!(
                "{} is ignored because it is not a regular file",
                escape::path(&candidate)
            )),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("cannot read {}", escape::path(&candidate)));
            }
        }
        path.push("..");
    }
    Ok(None)
}

/// Whether everyone can write to it. If so, another user could have written the settings.
#[cfg(unix)]
fn is_world_writable(found: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o002 != 0
}

// On other systems, the permissions of a file do not tell who can write to it.
#[cfg(not(unix))]
fn is_world_writable(_: &Metadata) -> bool {
    false
}

/// Reads a configuration. What it names is read below `folder`. Any file, such as a pipe or `/dev/null`, is read if it
/// is the person's own who runs the command. If somebody else chose the path, reading a pipe could block.
pub(super) fn read(path: &Path, folder: &Path, is_own: bool) -> anyhow::Result<Config> {
    let name = escape::path(path);
    let mut bytes = Vec::new();
    let file = if is_own { File::open(path) } else { read_regular(path) };
    let read = file.and_then(|it| it.take(BYTES_AT_MOST + 1).read_to_end(&mut bytes));
    read.with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > BYTES_AT_MOST {
        bail!("{name} is larger than {BYTES_AT_MOST} bytes, too large for a configuration");
    }
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("{name} is not UTF-8");
    };
    // A path without a folder has an empty one.
    let is_here = folder.as_os_str().is_empty();
    Config::parse_in(&text, if is_here { Path::new(".") } else { folder }).map_err(|errors| {
        let errors = errors.as_slice().iter();
        let lines: Vec<_> = errors.map(|error| format!("{name}:{error}")).collect();
        anyhow!(lines.join("\nerror: "))
    })
}

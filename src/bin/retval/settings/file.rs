//! Finds and reads the configuration file.

use std::fs::{File, Metadata};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use retval::config::{Config, FILE_NAME};
use retval::internal::escape;

use crate::stderr::note;

/// The most bytes of a configuration file: far more than anyone writes by hand.
const BYTES_AT_MOST: u64 = 1024 * 1024;

/// The nearest configuration file in the current folder or its parents.
pub(super) fn find_upwards() -> anyhow::Result<Option<PathBuf>> {
    let Ok(folder) = std::env::current_dir() else {
        return Ok(None);
    };
    let mut path = PathBuf::new();
    for _ in folder.ancestors() {
        let candidate = path.join(FILE_NAME);
        match candidate.metadata() {
            Ok(found) if found.is_file() => {
                let of_folder = path.join(".").metadata();
                if ![Ok(found), of_folder]
                    .iter()
                    .flatten()
                    .any(is_world_writable)
                {
                    return Ok(Some(candidate));
                }
                let name = escape::path(&candidate);
                note(&format!(
                    "{name} is ignored because everyone can write to it: name it with --config to use it"
                ));
            }
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("cannot read {}", escape::path(&candidate)));
            }
        }
        path.push("..");
    }
    Ok(None)
}

/// Whether everyone can write to a file or folder. If so, another user could have written the
/// settings.
#[cfg(unix)]
fn is_world_writable(found: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    found.permissions().mode() & 0o002 != 0
}

// Elsewhere the permissions of a file do not tell it.
#[cfg(not(unix))]
fn is_world_writable(_: &Metadata) -> bool {
    false
}

pub(super) fn read(path: &Path) -> anyhow::Result<Config> {
    let name = escape::path(path);
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    file.take(BYTES_AT_MOST + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > BYTES_AT_MOST {
        bail!("{name} is larger than {BYTES_AT_MOST} bytes, too large for a configuration");
    }
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("{name} is not UTF-8");
    };
    Config::parse(&text).map_err(|errors| {
        let errors = errors.as_slice().iter();
        let lines: Vec<_> = errors.map(|error| format!("{name}:{error}")).collect();
        anyhow::anyhow!(lines.join("\nerror: "))
    })
}

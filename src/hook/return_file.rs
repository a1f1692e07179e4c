//! The metadata file that an agent wrote, in the place of a final message.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context as _;
use globset::GlobBuilder;
use retval::escape;
use retval::json::field::Field;
use retval::returned::Return;
use walkdir::WalkDir;

/// The newest file below `folder` that matches `glob` and says that `agent` wrote it; of files that
/// do not say, the newest.
pub(super) fn newest(
    folder: &Path,
    glob: &str,
    agent: &str,
    most: u64,
) -> anyhow::Result<Option<Vec<u8>>> {
    let shown = escape::shown(glob);
    let matcher = GlobBuilder::new(glob)
        .literal_separator(true)
        .build()
        .with_context(|| format!("cannot use the glob {shown}"))?;
    let matcher = matcher.compile_matcher();
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    let enter = |entry: &walkdir::DirEntry| {
        entry.file_name() != ".git" && entry.file_name() != "node_modules"
    };
    for entry in WalkDir::new(beginning(folder, glob))
        .into_iter()
        .filter_entry(enter)
        .flatten()
    {
        let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        if entry.file_type().is_file() && matcher.is_match(below) {
            let changed = entry
                .metadata()
                .ok()
                .and_then(|metadata| metadata.modified().ok());
            found.push((changed.unwrap_or(SystemTime::UNIX_EPOCH), entry.into_path()));
        }
    }
    found.sort_by(|one, other| other.cmp(one));
    let mut anyones = None;
    for (_, path) in found {
        let bytes = read(&path, most)?;
        match author(&bytes) {
            Some(author) if author == agent => return Ok(Some(bytes)),
            Some(_) => {}
            None => anyones = anyones.or(Some(bytes)),
        }
    }
    Ok(anyones)
}

/// The folder that every match is below: the glob up to its first wild card.
fn beginning(folder: &Path, glob: &str) -> PathBuf {
    let plain = glob
        .split('/')
        .take_while(|part| !part.contains(['*', '?', '[', '{']));
    let whole: PathBuf = plain.collect();
    let is_wild = glob.contains(['*', '?', '[', '{']);
    folder.join(if is_wild {
        &whole
    } else {
        whole.parent().unwrap_or(Path::new(""))
    })
}

fn read(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let cannot = || format!("cannot read {}", escape::path(path));
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(cannot)?;
    file.take(most.saturating_add(1))
        .read_to_end(&mut bytes)
        .with_context(cannot)?;
    Ok(bytes)
}

fn author(bytes: &[u8]) -> Option<String> {
    let returned: Return<'_> = serde_json::from_slice(bytes).ok()?;
    match &returned.metadata.present()?.agent_type {
        Field::Present(agent) => Some(agent.as_ref().to_owned()),
        _ => None,
    }
}

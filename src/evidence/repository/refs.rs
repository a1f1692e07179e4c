//! Branches, tags and `HEAD`.

use super::id::ObjectId;
use super::layout::RepositoryLayout;
use super::{RepositoryGap, files};

/// Most bytes of a file with one reference.
const REFERENCE_AT_MOST: u64 = 8 << 10;
/// Most bytes of a file with many references.
const PACKED_AT_MOST: u64 = 16 << 20;
/// Most references in a row, each of which names the next.
const LINKS_AT_MOST: usize = 5;
/// Most bytes of a name.
const NAME_AT_MOST: usize = 1024;

/// The object that a name stands for, looked up in the same order as git does. None if missing.
pub(super) fn resolve(
    layout: &RepositoryLayout,
    name: &str,
) -> Result<Option<ObjectId>, RepositoryGap> {
    let prefixes = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
    for prefix in prefixes {
        let full = format!("{prefix}{name}");
        // Other files in the folder of the repository are not references.
        if full.starts_with("refs/") || full == "HEAD" {
            let found = read(layout, &full)?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(None)
}

pub(super) fn read(
    layout: &RepositoryLayout,
    name: &str,
) -> Result<Option<ObjectId>, RepositoryGap> {
    let mut name = name.to_owned();
    for _ in 0..LINKS_AT_MOST {
        if !is_name(&name) {
            return Ok(None);
        }
        let folder = if name == "HEAD" {
            &layout.git
        } else {
            &layout.common
        };
        let path = folder.join(&name);
        // The path is a folder if it is the beginning of other references.
        let text = if path.is_dir() {
            None
        } else {
            files::read_text(&path, REFERENCE_AT_MOST)?
        };
        let Some(text) = text else {
            return packed(layout, &name);
        };
        match text.strip_prefix("ref:") {
            Some(next) => next.trim().clone_into(&mut name),
            None => return Ok(layout.format.parse(text.trim())),
        }
    }
    Err(RepositoryGap::Unreadable)
}

/// Whether a name can be that of a reference, and cannot lead out of the folder.
fn is_name(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.');
    let is_plain = |letter: char| !letter.is_control() && !" ~^:?*[\\".contains(letter);
    name.len() <= NAME_AT_MOST
        && (name == "HEAD" || name.starts_with("refs/"))
        && !name.contains("..")
        && name.split('/').all(is_part)
        && name.chars().all(is_plain)
}

fn packed(layout: &RepositoryLayout, name: &str) -> Result<Option<ObjectId>, RepositoryGap> {
    let text =
        files::read_text(&layout.common.join("packed-refs"), PACKED_AT_MOST)?.unwrap_or_default();
    let found = text.lines().find_map(|line| {
        let (id, reference) = line.split_once(' ')?;
        (reference == name).then_some(id)
    });
    Ok(found.and_then(|id| layout.format.parse(id)))
}

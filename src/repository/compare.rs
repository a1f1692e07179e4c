//! Compares a file in the work tree with the same file in a commit.

use std::fs;
use std::path::Path;

use super::objects::{StoredKind, TreeEntry};
use super::{CommitId, Difference, Repository, RepositoryGap, TrackedPath, attributes, history};

/// The beginning of the file that Git LFS commits in place of a large one.
const LFS: &[u8] = b"version https://git-lfs.github.com/";

pub(super) fn compare(
    repository: &Repository,
    base: CommitId,
    path: &Path,
    content: &[u8],
) -> Result<Difference, RepositoryGap> {
    let layout = &repository.layout;
    let path = TrackedPath::new(&layout.prefix, path).ok_or(RepositoryGap::Path)?;
    inside(layout.work_tree.clone(), &path)?;
    if attributes::may_filter(layout, &path, repository.objects.budget())? {
        return Err(RepositoryGap::Filtered);
    }
    let objects = &repository.objects;
    let entry = history::entry(objects, base, &path.names)?;
    let is_same = match entry {
        None => false,
        Some(TreeEntry {
            mode: 0o160_000, ..
        }) => return Err(RepositoryGap::Submodule),
        Some(TreeEntry {
            mode: 0o100_644 | 0o100_755 | 0o100_664,
            id,
        }) => {
            let object = objects.read(id)?;
            if object.kind != StoredKind::Blob {
                return Err(RepositoryGap::Unreadable);
            }
            is_same(&object.bytes, content)?
        }
        Some(_) => return Err(RepositoryGap::Path),
    };
    if entry.is_some() && !is_same {
        return Ok(Difference::Differs);
    }
    if history::is_changed_since(objects, repository.current()?, base, &path.names)? {
        return Ok(Difference::CommittedSince);
    }
    Ok(if is_same {
        Difference::Same
    } else {
        Difference::Untracked
    })
}

/// Whether the contents are equal. An error if they differ in bytes, but may be equal for git: because
/// of line ends or Git LFS.
fn is_same(base: &[u8], content: &[u8]) -> Result<bool, RepositoryGap> {
    if base == content {
        return Ok(true);
    }
    let lines = |text: &[u8]| {
        let mut bytes = text.to_vec();
        bytes.retain(|byte| *byte != b'\r');
        bytes
    };
    let differ_by_ends =
        (base.contains(&b'\r') || content.contains(&b'\r')) && lines(base) == lines(content);
    if differ_by_ends || base.starts_with(LFS) != content.starts_with(LFS) {
        return Err(RepositoryGap::Filtered);
    }
    Ok(false)
}

/// Fails unless the path belongs to this repository and has no symlinks.
fn inside(mut place: std::path::PathBuf, path: &TrackedPath) -> Result<(), RepositoryGap> {
    for (index, name) in path.names.iter().enumerate() {
        let is_git = name.eq_ignore_ascii_case(".git");
        place.push(name);
        match fs::symlink_metadata(&place) {
            _ if is_git => return Err(RepositoryGap::Path),
            Ok(data) if data.is_symlink() => return Err(RepositoryGap::Path),
            Ok(data) if data.is_dir() => {
                if index + 1 == path.names.len() {
                    return Err(RepositoryGap::Path);
                }
                if fs::symlink_metadata(place.join(".git")).is_ok() {
                    return Err(RepositoryGap::Submodule);
                }
            }
            _ => return Ok(()),
        }
    }
    Ok(())
}

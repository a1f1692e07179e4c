//! Compares a file in the work tree with the same file in a commit.

use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::id::ObjectId;
use super::layout::RepositoryLayout;
use super::objects::{ObjectBudget, Objects, StoredKind, StoredObject, TreeEntry};
use super::{CommitId, Difference, Repository, RepositoryGap, files, history};

/// The beginning of the file that Git LFS commits in place of a large one.
const LFS: &[u8] = b"version https://git-lfs.github.com/";

pub(super) fn compare(
    repository: &Repository,
    base: CommitId,
    path: &Path,
    content: &[u8],
) -> Result<Difference, RepositoryGap> {
    let layout = &repository.layout;
    let names = names(&layout.prefix.join(path)).ok_or(RepositoryGap::Path)?;
    let found = inside(layout.work_tree.clone(), &names)?;
    let is_link = found.as_ref().is_some_and(Metadata::is_symlink);
    if !is_link && may_filter(layout, &names, repository.objects.budget())? {
        return Err(RepositoryGap::Filtered);
    }
    let objects = &repository.objects;
    let entry = history::entry(objects, base, &names)?;
    let is_same = match entry {
        None => false,
        Some(TreeEntry {
            mode: 0o160_000, ..
        }) => return Err(RepositoryGap::Submodule),
        Some(TreeEntry {
            mode: mode @ (0o100_644 | 0o100_755 | 0o100_664),
            id,
        }) => {
            let was_executable = mode & EXECUTABLE != 0;
            let is_executable = found.as_ref().and_then(is_executable);
            let is_executable = is_executable.filter(|_| layout.has_modes);
            !is_link
                && is_executable.is_none_or(|it| it == was_executable)
                && is_same(&blob(objects, id)?.bytes, content)?
        }
        Some(TreeEntry {
            mode: 0o120_000,
            id,
        }) if is_link => blob(objects, id)?.bytes == content,
        Some(_) => return Err(RepositoryGap::Path),
    };
    if entry.is_some() && !is_same {
        return Ok(Difference::Differs);
    }
    if history::is_changed_since(objects, repository.current()?, base, &names)? {
        return Ok(Difference::CommittedSince);
    }
    Ok(if is_same {
        Difference::Same
    } else {
        Difference::Untracked
    })
}

fn blob(objects: &Objects, id: ObjectId) -> Result<Arc<StoredObject>, RepositoryGap> {
    let object = objects.read(id)?;
    let is_blob = object.kind == StoredKind::Blob;
    is_blob.then_some(object).ok_or(RepositoryGap::Unreadable)
}

/// The permission of a file's owner to execute it, the only one that git records.
const EXECUTABLE: u32 = 0o100;

// Only Unix has this permission.
#[cfg(unix)]
#[allow(
    clippy::unnecessary_wraps,
    reason = "other systems have no such permission"
)]
fn is_executable(file: &Metadata) -> Option<bool> {
    use std::os::unix::fs::MetadataExt as _;
    Some(file.mode() & EXECUTABLE != 0)
}

// Other systems have no such permission.
#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> Option<bool> {
    None
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

/// The names of the folders and the file in a path. None if it is empty or leads out of its folder.
pub(super) fn names(path: &Path) -> Option<Vec<String>> {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let names = parts.map(|part| match part {
        Component::Normal(name) => name.to_str().map(str::to_owned),
        _ => None,
    });
    names
        .collect::<Option<Vec<_>>>()
        .filter(|names| !names.is_empty())
}

/// What is at the path in the work tree. Fails unless the path belongs to this repository and goes through
/// no symlink.
fn inside(mut place: PathBuf, names: &[String]) -> Result<Option<Metadata>, RepositoryGap> {
    for (index, name) in names.iter().enumerate() {
        let is_last = index + 1 == names.len();
        let is_git = name.eq_ignore_ascii_case(".git");
        place.push(name);
        match fs::symlink_metadata(&place) {
            _ if is_git => return Err(RepositoryGap::Path),
            Ok(data) if data.is_symlink() && !is_last => return Err(RepositoryGap::Path),
            Ok(data) if data.is_dir() => {
                if is_last {
                    return Err(RepositoryGap::Path);
                }
                if fs::symlink_metadata(place.join(".git")).is_ok() {
                    return Err(RepositoryGap::Submodule);
                }
            }
            found => return Ok(found.ok().filter(|_| is_last)),
        }
    }
    Ok(None)
}

/// Most bytes of a file of attributes.
const ATTRIBUTES_AT_MOST: u64 = 1 << 20;

/// What looking for a file of attributes costs, in bytes of the budget.
const ATTRIBUTES_COST: usize = 1 << 10;

/// Whether attributes may make the file in the work tree differ from the same file in a commit, by a filter.
/// True in doubt.
fn may_filter(
    layout: &RepositoryLayout,
    names: &[String],
    budget: &ObjectBudget,
) -> Result<bool, RepositoryGap> {
    if layout.has_attributes_elsewhere {
        return Err(RepositoryGap::AttributesElsewhere);
    }
    let mut folder = layout.work_tree.clone();
    let mut places = vec![(layout.common.join("info/attributes"), 0)];
    for (depth, name) in names.iter().enumerate() {
        places.push((folder.join(".gitattributes"), depth));
        folder.push(name);
    }
    for (place, depth) in places {
        budget.spend(ATTRIBUTES_COST)?;
        let text = files::read_text(&place, ATTRIBUTES_AT_MOST)?.unwrap_or_default();
        budget.spend(text.len())?;
        if text.lines().any(|line| filters(line, &names[depth..])) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a line sets a filter for a path. `names` is relative to the folder of the file with this
/// line.
fn filters(line: &str, names: &[String]) -> bool {
    let mut words = line.split_ascii_whitespace();
    let Some(pattern) = words.next().filter(|pattern| !pattern.starts_with('#')) else {
        return false;
    };
    let is_filter = |word: &str| {
        word == "ident" || word.starts_with("filter=") || word.starts_with("working-tree-encoding=")
    };
    words.any(is_filter) && may_match(pattern, names)
}

/// Whether a pattern may match a path. A pattern that is not simple counts as a match.
fn may_match(pattern: &str, names: &[String]) -> bool {
    let Some(name) = names.last() else {
        return true;
    };
    if let Some(ending) = pattern
        .strip_prefix('*')
        .filter(|ending| is_literal(ending))
    {
        return name.ends_with(ending);
    }
    if !is_literal(&pattern.replace('/', "")) {
        return true;
    }
    match pattern.trim_start_matches('/') {
        whole if whole.contains('/') || pattern.starts_with('/') => whole == names.join("/"),
        bare => bare == name,
    }
}

fn is_literal(text: &str) -> bool {
    !text.contains(['*', '?', '[', '\\', '"', '/'])
}

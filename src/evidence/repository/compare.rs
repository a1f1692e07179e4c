//! Compares a file in the work tree with the same file in a commit.

use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};

use super::{CommitId, Difference, Repository, RepositoryGap};

/// The beginning of the file that Git LFS commits in place of a large one.
const LFS: &[u8] = b"version https://git-lfs.github.com/";

/// Attributes with which the file in the work tree differs from the one in commits.
const FILTERS: [&str; 3] = ["filter", "ident", "working-tree-encoding"];

/// What a commit has at a path.
#[derive(Debug)]
struct TreeEntry {
    mode: u32,
    id: String,
}

impl Repository {
    /// Compares a file with the one in a commit. `path` is relative to the folder that the repository
    /// was found by. The content of a symlink is the path in it. If the file may be executed, and could not
    /// be, or the other way round, it differs.
    pub(crate) fn compare(
        &self,
        base: &CommitId,
        path: &Path,
        content: &[u8],
    ) -> Result<Difference, RepositoryGap> {
        let layout = self.layout()?;
        let names = names(&layout.prefix.join(path)).ok_or(RepositoryGap::Path)?;
        let found = inside(layout.top.clone(), &names)?;
        let is_link = found.as_ref().is_some_and(Metadata::is_symlink);
        let path = names.join("/");
        if !is_link && self.may_filter(&path)? {
            return Err(RepositoryGap::Filtered);
        }
        let entry = self.entry(base, &path)?;
        let is_same = match &entry {
            None => false,
            Some(entry) => match (entry.mode, is_link) {
                (0o160_000, _) => return Err(RepositoryGap::Submodule),
                (0o100_644 | 0o100_755 | 0o100_664, true) | (0o120_000, false) => false,
                (0o100_644 | 0o100_755 | 0o100_664, false) => {
                    is_same(&self.blob(&entry.id)?, content)?
                        && self.has_same_mode(entry.mode, found.as_ref())?
                }
                (0o120_000, true) => self.blob(&entry.id)? == content,
                _ => return Err(RepositoryGap::Path),
            },
        };
        if entry.is_some() && !is_same {
            return Ok(Difference::Differs);
        }
        if self.is_changed_since(base, &path)? {
            return Ok(Difference::CommittedSince);
        }
        Ok(if is_same {
            Difference::Same
        } else {
            Difference::Untracked
        })
    }

    /// Whether a commit has a file or removes it. `path` is relative to the folder that the repository was
    /// found by, or to its top.
    pub(crate) fn has_file(&self, id: &CommitId, path: &Path) -> Result<bool, RepositoryGap> {
        let layout = self.layout()?;
        let paths = [layout.prefix.join(path), path.to_owned()];
        let paths = paths.map(|path| Some(names(&path)?.join("/")));
        let [Some(below), Some(at_top)] = paths else {
            return Err(RepositoryGap::Path);
        };
        let has = |commit: &CommitId| {
            Ok(self.entry(commit, &below)?.is_some() || self.entry(commit, &at_top)?.is_some())
        };
        if has(id)? {
            return Ok(true);
        }
        let parents = self.git(&["rev-parse", &format!("{id}^@")])?;
        if parents.status != Some(0) || layout.is_shallow {
            return Err(RepositoryGap::Shallow);
        }
        for parent in super::lines(&parents.output) {
            if has(&CommitId(parent.to_owned()))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a commit has at a path from the top of the repository. None if it has nothing there.
    fn entry(&self, commit: &CommitId, path: &str) -> Result<Option<TreeEntry>, RepositoryGap> {
        let listed = self.git(&["ls-tree", "--full-tree", "-z", &commit.0, "--", path])?;
        let text = String::from_utf8(listed.output).ok();
        let text = text.filter(|_| listed.status == Some(0));
        let text = text.ok_or(RepositoryGap::Unreadable)?;
        // MODE TYPE ID, a tab, and the path.
        let Some((entry, _)) = text.split_once('\t') else {
            return Ok(None);
        };
        let mut words = entry.split(' ');
        let mode = words.next().and_then(|it| u32::from_str_radix(it, 8).ok());
        let entry = mode.zip(words.nth(1)).map(|(mode, id)| TreeEntry {
            mode,
            id: id.to_owned(),
        });
        entry.map(Some).ok_or(RepositoryGap::Unreadable)
    }

    fn blob(&self, id: &str) -> Result<Vec<u8>, RepositoryGap> {
        let blob = self.git(&["cat-file", "blob", id])?;
        let is_read = blob.status == Some(0);
        is_read
            .then_some(blob.output)
            .ok_or(RepositoryGap::ObjectMissing)
    }

    /// Whether the permission to execute a file is that of an entry, or the repository records none.
    fn has_same_mode(&self, mode: u32, file: Option<&Metadata>) -> Result<bool, RepositoryGap> {
        let is_executable = file.and_then(is_executable);
        if is_executable.is_none_or(|it| it == (mode & EXECUTABLE != 0)) {
            return Ok(true);
        }
        let set = self.git(&["config", "--type=bool", "--get", "core.fileMode"])?;
        Ok(set.output == b"false\n")
    }

    /// Whether attributes may make the file in the work tree differ from the one in a commit.
    fn may_filter(&self, path: &str) -> Result<bool, RepositoryGap> {
        let top = &self.layout()?.top;
        let arguments = [&["check-attr", "-z"], &FILTERS[..], &["--", path]].concat();
        let found = self.git_in(top, &arguments)?;
        if found.status != Some(0) {
            return Err(RepositoryGap::Unreadable);
        }
        // The path, the attribute and its value, for each of them.
        let fields = found.output.split(|byte| *byte == 0);
        let mut values = fields.skip(2).step_by(3);
        Ok(values.any(|it| !matches!(it, b"unspecified" | b"unset")))
    }

    /// Whether a commit that the current one has and the base does not have changes a path. A merge changes
    /// it only if it differs from all its parents.
    fn is_changed_since(&self, base: &CommitId, path: &str) -> Result<bool, RepositoryGap> {
        let head = self.head()?;
        if head == *base {
            return Ok(false);
        }
        if !self.is_ancestor(base, &head)? {
            return Err(RepositoryGap::Diverged);
        }
        let range = format!("{base}..{head}");
        let path = format!(":(top,literal){path}");
        // The first search leaves no branch out, the second finds what merges themselves change.
        for options in [&["--full-history", "--no-merges"][..], &[]] {
            let search = [&["rev-list", "-1"], options, &[&range, "--", &path]].concat();
            let found = self.git(&search)?;
            if found.status != Some(0) {
                return Err(RepositoryGap::Unreadable);
            }
            if !found.output.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
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
fn names(path: &Path) -> Option<Vec<String>> {
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

//! What a repository knows of a commit that a return names.

use std::collections::HashSet;
use std::path::Path;

use super::compare::names;
use super::history::entry;
use super::objects::Objects;
use super::{COMMITS_AT_MOST, CommitId, Repository, RepositoryGap};

impl Repository {
    /// The commit whose id begins with these digits, seven or more. None if it is certain that the
    /// repository has no such object.
    pub(crate) fn commit_with(&self, digits: &str) -> Result<Option<CommitId>, RepositoryGap> {
        self.objects.renew();
        match self.objects.starting(&digits.to_ascii_lowercase())?[..] {
            [id] => self.commit(id).map(Some),
            [] if self.layout.is_shallow => Err(RepositoryGap::Shallow),
            [] if self.layout.is_partial || !self.objects.are_all_readable(digits) => {
                Err(RepositoryGap::ObjectMissing)
            }
            [] if self.layout.work_tree.join(".gitmodules").exists() => {
                Err(RepositoryGap::Submodule)
            }
            [] => Ok(None),
            _ => Err(RepositoryGap::NoSuchCommit),
        }
    }

    /// Whether `id` is `base` or one of its ancestors.
    pub(crate) fn is_ancestor(&self, id: CommitId, base: CommitId) -> Result<bool, RepositoryGap> {
        let since = self.objects.commit(id)?.time;
        let mut waiting = vec![base];
        let mut seen = HashSet::from([base]);
        while let Some(next) = waiting.pop() {
            if next == id {
                return Ok(true);
            }
            if seen.len() > COMMITS_AT_MOST {
                return Err(RepositoryGap::TooLarge);
            }
            let commit = self.objects.commit(next)?;
            // An ancestor is not younger. If clocks were wrong, it is not found, which proves nothing.
            if commit.time >= since {
                let parents = commit.parents.into_iter();
                waiting.extend(parents.filter(|parent| seen.insert(*parent)));
            }
        }
        Ok(false)
    }

    /// Whether a commit has a file or removes it. `path` is relative to the folder that the repository was
    /// found by, or to its top.
    pub(crate) fn has_file(&self, id: CommitId, path: &Path) -> Result<bool, RepositoryGap> {
        let paths = [self.layout.prefix.join(path), path.to_owned()];
        let parents = self.objects.commit(id)?.parents;
        for path in paths {
            let names = names(&path).ok_or(RepositoryGap::Path)?;
            for commit in std::iter::once(id).chain(parents.iter().copied()) {
                if entry(&self.objects, commit, &names)?.is_some() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether the folder that the repository was found by is its top.
    pub(crate) fn is_at_top(&self) -> bool {
        self.layout.prefix.as_os_str().is_empty()
    }
}

impl Objects {
    /// Whether every place of an object whose id begins with these digits can be read, so that an object
    /// that was not found is not there.
    fn are_all_readable(&self, digits: &str) -> bool {
        use std::io::ErrorKind::NotFound;
        let is_missing = |path: &Path| {
            std::fs::symlink_metadata(path).is_err_and(|error| error.kind() == NotFound)
        };
        let [folder] = self.folders() else {
            return false;
        };
        let loose = folder.join(digits.get(..2).unwrap_or_default());
        let packs = folder.join("pack");
        let are_loose_readable = is_missing(&loose) || std::fs::read_dir(&loose).is_ok();
        let Ok(entries) = std::fs::read_dir(&packs) else {
            return are_loose_readable && is_missing(&packs);
        };
        let names = entries.map(|entry| Some(entry.ok()?.file_name().to_str()?.to_owned()));
        let Some(names) = names.collect::<Option<Vec<_>>>() else {
            return false;
        };
        let count = |ending: &str| names.iter().filter(|name| name.ends_with(ending)).count();
        let is_plain = is_missing(&folder.join("info/alternates")) && count(".promisor") == 0;
        let are_open = count(".idx") == self.pack_count() && count(".pack") == count(".idx");
        are_loose_readable && is_plain && are_open
    }
}

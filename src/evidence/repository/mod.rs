//! What a git repository can show about a file: whether it is as it was in an earlier commit.
//!
//! The repository is only read, by this library itself: no program is started, so nothing that a
//! configuration file, a hook or an attribute names is run. Repositories are hostile input: every file,
//! object and walk is bounded, and no symlink in the repository's own folder is followed. A question
//! that cannot be answered is a [`RepositoryGap`].

mod commits;
mod compare;
mod files;
mod history;
mod id;
mod layout;
mod objects;
mod refs;
#[cfg(test)]
mod tests;
mod user;

use std::path::{Path, PathBuf};

pub(crate) use id::CommitId;
use id::ObjectId;
use layout::RepositoryLayout;
use objects::Objects;
pub(crate) use user::UserFolders;

/// Most bytes of an object that is read.
pub(crate) const OBJECT_AT_MOST: u64 = 16 << 20;

/// Most commits that one search of the history looks at.
pub(crate) const COMMITS_AT_MOST: usize = 10_000;

/// A repository, and a folder of its work tree.
#[derive(Debug)]
pub(crate) struct Repository {
    layout: RepositoryLayout,
    objects: Objects,
}

/// How a file in the work tree differs from the one in an earlier commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Difference {
    /// It is the same, and no commit since then has changed it.
    Same,
    /// Its content differs.
    Differs,
    /// Its content is the same or unknown to the base, and a commit since then has changed it.
    CommittedSince,
    /// Neither the base nor a commit since then has it. It may be new, or it may have been there before
    /// without being tracked: git does not know.
    Untracked,
}

/// Why a question about a repository cannot be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub(crate) enum RepositoryGap {
    /// There is no repository around the folder.
    #[error("there is no git repository")]
    NoRepository,
    /// It has a form that is not supported: another storage of references, or a work tree elsewhere.
    #[error("the git repository has a form that is not supported")]
    Unsupported,
    /// A file of the repository cannot be read or is damaged.
    #[error("the git repository cannot be read")]
    Unreadable,
    /// There is no such commit, or several have this name.
    #[error("there is no such commit")]
    NoSuchCommit,
    /// An object is missing, as in a partial clone.
    #[error("an object is missing in the git repository")]
    ObjectMissing,
    /// The history of a shallow clone ends too early for an answer.
    #[error("the clone is shallow")]
    Shallow,
    /// The history, an object or a file is larger than the limits.
    #[error("the file or the history is too large")]
    TooLarge,
    /// The current commit does not descend from the base.
    #[error("the current commit does not descend from the base")]
    Diverged,
    /// A filter, Git LFS or line ends make the file in the work tree differ from the one in commits.
    #[error("a filter, Git LFS or line ends change the file")]
    Filtered,
    /// The configuration names a file of attributes, or more configuration, that is not read here.
    #[error("the git configuration names another file, which may set a filter")]
    AttributesElsewhere,
    /// The file belongs to another repository inside of this one.
    #[error("the file belongs to a submodule or another repository")]
    Submodule,
    /// The path has a symlink, or is not inside the work tree.
    #[error("the path is not one that git tracks")]
    Path,
}

impl Repository {
    /// Finds the repository around a folder.
    pub(crate) fn find(folder: &Path) -> Result<Self, RepositoryGap> {
        let layout = RepositoryLayout::find(folder)?;
        let objects = Objects::open(
            layout.common.join("objects"),
            layout.format,
            layout.is_shallow,
        );
        Ok(Self { layout, objects })
    }

    /// The commit that is checked out.
    pub(crate) fn head(&self) -> Result<CommitId, RepositoryGap> {
        self.objects.renew();
        self.current()
    }

    /// The commit with a name: an id of at least seven digits, a branch, a tag or `HEAD`. `^` and `~3`
    /// may follow it.
    pub(crate) fn resolve(&self, revision: &str) -> Result<CommitId, RepositoryGap> {
        self.objects.renew();
        let name = revision
            .find(['^', '~'])
            .map_or(revision, |end| &revision[..end]);
        let named = self.named(name)?;
        let id = history::ancestor(&self.objects, named, &revision[name.len()..])?;
        // A commit may name a parent that is missing.
        self.commit(id.0)
    }

    fn named(&self, name: &str) -> Result<CommitId, RepositoryGap> {
        let id = match refs::resolve(&self.layout, name)? {
            None => self.layout.format.parse(name),
            reference => reference,
        };
        let id = match id {
            None => self.objects.complete(name)?,
            known => known,
        };
        self.commit(id.ok_or(RepositoryGap::NoSuchCommit)?)
    }

    /// Compares a file with the one in a commit. `path` is relative to the folder that the repository
    /// was found by. The content of a symlink is the path in it. If the file may be executed, and could not
    /// be, or the other way round, it differs.
    ///
    /// All comparisons until the next call of [`Self::head`] or [`Self::resolve`]
    /// share one limit of bytes that are read and unpacked. If they need
    /// more, the result is [`RepositoryGap::TooLarge`].
    pub(crate) fn compare(
        &self,
        base: &CommitId,
        path: &Path,
        content: &[u8],
    ) -> Result<Difference, RepositoryGap> {
        compare::compare(self, *base, path, content)
    }

    /// The folder that the repository was found by, as a path in each of its other working trees. The
    /// paths come from the repository itself; the working trees are not looked at. Empty if the folder
    /// is itself in such a working tree.
    pub(crate) fn other_folders(&self) -> Vec<PathBuf> {
        layout::other_folders(&self.layout)
    }

    fn current(&self) -> Result<CommitId, RepositoryGap> {
        let id = refs::read(&self.layout, "HEAD")?.ok_or(RepositoryGap::NoSuchCommit)?;
        self.commit(id)
    }

    /// The commit that an id leads to: that of the commit itself, or of a tag that names it.
    fn commit(&self, id: ObjectId) -> Result<CommitId, RepositoryGap> {
        history::peel(&self.objects, id)
    }
}

//! What of the files that runs wrote is not committed when the report is made.

use serde::{Deserialize, Serialize};

use crate::audit::schema::described;

described! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    /// What of the files that runs wrote was not committed when the report was made. Who changed a file last
    /// is not known: it may be a later run, or a person.
    pub struct Uncommitted {
        /// Files that are still there, in the folder of their session and in a repository, and that can be
        /// compared with the commit that is checked out. Ignored files are not among them.
        pub of: u64,
        /// Of these, files that the commit has with another content.
        pub changed: u64,
        /// Of these, files that the commit does not have.
        pub untracked: u64,
    }
}

#[cfg(feature = "git")]
mod now {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs::Metadata;
    use std::path::{Component, Path, PathBuf, Prefix};

    use super::Uncommitted;
    use crate::audit::AuditedRun;
    use crate::evidence::claims::is_ignored;
    use crate::evidence::repository::{Difference, OBJECT_AT_MOST, Repository, UserFolders};
    use crate::root::Root;

    /// The number of files that share one limit of bytes that are read and unpacked.
    const FILES_OF_ONE_LIMIT: usize = 100;

    impl Uncommitted {
        /// Looks at the files that runs wrote, each once, as they are now. None if there is none that can be
        /// compared. `user` are `HOME` and `XDG_CONFIG_HOME`, below which git keeps the ignore rules of the
        /// user. Without them it is not known whether a file is ignored or new.
        pub(crate) fn now(runs: &[AuditedRun], user: Option<[Option<PathBuf>; 2]>) -> Option<Self> {
            let user = user.map(|[home, settings]| UserFolders { home, settings });
            let mut found = Self::default();
            for (top, files) in repositories(runs) {
                let files: Vec<_> = files.into_iter().collect();
                // A repository that cannot be read tells nothing.
                let _ = found.look_at(top, &files, user.as_ref());
            }
            (found.of > 0).then_some(found)
        }

        fn look_at(
            &mut self,
            top: &Path,
            files: &[&str],
            user: Option<&UserFolders>,
        ) -> Option<()> {
            let repository = Repository::find(top).ok()?;
            let root = Root::open(top).ok()?;
            let rules = user.and_then(|user| repository.ignore_rules(user));
            let rules = rules.as_deref();
            let is_new = |file: &str| rules.is_some_and(|rules| !is_ignored(&root, rules, file));
            for files in files.chunks(FILES_OF_ONE_LIMIT) {
                let head = repository.head().ok()?;
                for file in files {
                    let path = Path::new(file);
                    let Ok(content) = root.read(path, OBJECT_AT_MOST) else {
                        continue;
                    };
                    let (changed, untracked) = match repository.compare(&head, path, &content) {
                        Ok(Difference::Same) => (0, 0),
                        Ok(Difference::Differs) => (1, 0),
                        Ok(Difference::Untracked) if is_new(file) => (0, 1),
                        _ => continue,
                    };
                    self.of += 1;
                    self.changed += changed;
                    self.untracked += untracked;
                }
            }
            Some(())
        }
    }

    /// The files that runs wrote in the folder of their session and that are still there, by the top of
    /// their repository.
    fn repositories(runs: &[AuditedRun]) -> BTreeMap<&Path, BTreeSet<&str>> {
        let mut repositories: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for run in runs {
            let folder = run.folder.as_deref().map(Path::new);
            for path in run.written.iter().map(|path| Path::new(&**path)) {
                let is_inside = folder.is_some_and(|folder| path.starts_with(folder));
                if !is_inside || !is_on_disk(path) {
                    continue;
                }
                let is_there = path
                    .symlink_metadata()
                    .as_ref()
                    .is_ok_and(Metadata::is_file);
                let mut folders = path.ancestors().skip(1).filter(|_| is_there);
                let top = folders.find(|folder| folder.join(".git").symlink_metadata().is_ok());
                let place = top.and_then(|top| Some((top, path.strip_prefix(top).ok()?.to_str()?)));
                if let Some((top, file)) = place {
                    repositories.entry(top).or_default().insert(file);
                }
            }
        }
        repositories
    }

    /// Whether a path names no other machine: a transcript may have any path, and to look at this one would
    /// be a request.
    fn is_on_disk(path: &Path) -> bool {
        match path.components().next() {
            Some(Component::Prefix(it)) => {
                matches!(it.kind(), Prefix::Disk(_) | Prefix::VerbatimDisk(_))
            }
            start => start == Some(Component::RootDir),
        }
    }
}

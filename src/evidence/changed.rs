//! Whether files were changed: one that a return claims, since the agent started and since the base commit;
//! and which ones the record shows as changed.

use std::path::{Path, PathBuf};

use crate::clients::Client;
use crate::evidence::assessment::{Assessment, NO_REPOSITORY, span};
use crate::evidence::place::ClaimedFile;
use crate::evidence::repository::{NOT_THERE, OBJECT_AT_MOST, UNTRACKED};
use crate::evidence::subject::Subject;
use crate::root::{Found, Root};

const FILES_AT_MOST: usize = 1_000;

/// In seconds.
const YEAR: u64 = 365 * 24 * 60 * 60;

pub(super) const OTHER_WORK_TREE: &str = "the agent wrote it in another working tree";

impl Assessment {
    /// Whether the agent wrote the file in another working tree, so that the one in the project may be unchanged.
    fn is_elsewhere(&self) -> bool {
        self.reason.text() == OTHER_WORK_TREE
    }
}

impl Subject<'_> {
    /// Whether the file was changed since the start. A new modification time alone proves nothing: a checkout or a copy
    /// sets it, too. `wrote` is the result of [`Subject::wrote`], and `differs` that of [`Subject::differs`].
    pub(crate) fn changed(
        &self,
        file: &ClaimedFile<'_>,
        wrote: Option<&Assessment>,
        differs: Option<&Assessment>,
    ) -> Assessment {
        let Some(start) = self.start else {
            return Assessment::unknown("it is not known when the agent started");
        };
        let Some(times) = file.times() else {
            return Assessment::unknown("the times of the file are not known");
        };
        // A program that moves or copies a file may keep its modification time, but not its change time (ctime).
        let Some(noted) = times.noted else {
            return Assessment::unknown("this system does not keep when a file was changed");
        };
        if let Some(before) = start.since(noted.max(times.modified)) {
            if wrote.is_some_and(Assessment::is_elsewhere) {
                return Assessment::unknown(OTHER_WORK_TREE);
            }
            let before = match before.as_secs() {
                YEAR.. => "more than a year".to_owned(),
                seconds => span(seconds),
            };
            return Assessment::contradicted(format!(
                "last changed {before} before {}",
                start.name
            ));
        }
        let wrote = wrote.filter(|it| it.is_shown());
        if start.since(times.modified).is_some() {
            Assessment::unknown(
                "the content is older than the start, and only its place or rights are newer",
            )
        } else if let Some(call) = wrote.and_then(|it| it.reason.call.clone()) {
            let text = |it: &_| format!("changed since the start, and {it} wrote it");
            Assessment::shown(call.reason(text))
        } else if differs.is_some_and(Assessment::is_shown) {
            Assessment::shown("changed since the start, and it differs from the base commit")
        } else {
            Assessment::unknown("it was changed since the start, but nothing shows by whom")
        }
    }

    /// Whether the file differs from the base commit, or a later commit changed it. None if there is no
    /// base commit. `wrote` is the result of [`Subject::wrote`].
    pub(crate) fn differs(
        &self,
        file: &ClaimedFile<'_>,
        wrote: Option<&Assessment>,
    ) -> Option<Assessment> {
        let (repository, base) = match self.base.as_ref()? {
            Ok((repository, base)) => (*repository, base),
            Err(gap) => return Some(Assessment::unknown(*gap)),
        };
        let Ok(content) = file.places.root.read(&file.place, OBJECT_AT_MOST) else {
            return Some(Assessment::unknown("the file cannot be read"));
        };
        Some(match repository.compare(base, &file.place, &content) {
            Ok(Some(how)) => Assessment::shown(how),
            Ok(None) if wrote.is_some_and(Assessment::is_elsewhere) => {
                Assessment::unknown(OTHER_WORK_TREE)
            }
            Ok(None) if file.link.is_some() => {
                Assessment::unknown("it is a symlink, which may have been changed itself")
            }
            Ok(None) => Assessment::contradicted("no commit since then has changed it"),
            Err(gap) => Assessment::unknown(gap),
        })
    }

    /// The files below the root that calls of file tools of this agent certainly changed and that are still
    /// changed, each with that write, which contradicts that it changed no others. Ignored files are left out.
    pub(crate) fn changed_files(&self, root: &Root) -> Vec<(String, Assessment)> {
        if self.run().map_or(true, |run| run.resumed) {
            return Vec::new();
        }
        let own = self.writes(&self.file(root, "")).own();
        let own = own.filter(|(_, write)| write.is_some_and(|it| !it.is_by_command));
        let paths = own.map(|(path, _)| path);
        let paths = paths.filter(|path| path.iter().all(|folder| folder != ".git"));
        let changed = paths.take(FILES_AT_MOST).filter_map(|path| {
            let path = path.to_str()?;
            Some((path.to_owned(), self.still_changed(root, path)?))
        });
        let mut changed: Vec<_> = changed.collect();
        let names: Vec<_> = changed.iter().map(|(path, _)| &**path).collect();
        let mut ignored = self.ignored(root, &names).unwrap_or_default().into_iter();
        changed.retain(|_| ignored.next() == Some(false));
        changed
    }

    /// The files that the agent itself certainly wrote, by file tools and redirections of commands, each with that
    /// write. Those below the root are there and differ from the base commit; others have whole paths, and are neither
    /// temporary nor in the folder that a client has for itself.
    pub(crate) fn written_files(&self, root: &Root) -> Vec<(PathBuf, Assessment)> {
        let writes = self.writes(&self.file(root, ""));
        // A run that never worked in the project may be one of another machine.
        let is_near = |folder: &str| {
            let folder = Path::new(folder);
            root.below(folder).is_some() || root.is_inside(folder)
        };
        let mut folders = self.run_calls().filter_map(|it| it.cwd.as_deref());
        let is_of_project = folders.any(|it| !it.is_empty() && is_near(it));
        let contradicted = |write| Assessment::contradicted(self.shown(write).reason);
        let below = writes.own().filter_map(|(path, write)| {
            let assessed = match write {
                Some(_) => self.still_changed(root, path.to_str()?)?,
                None => Assessment::contradicted(OTHER_WORK_TREE),
            };
            Some((path.to_owned(), assessed))
        });
        let outside = writes.own_outside().filter(|_| is_of_project);
        let outside = outside.filter(|(path, _)| !is_temporary(path) && !is_of_client(path));
        let outside = outside.map(|(path, write)| (path.to_owned(), contradicted(write)));
        below.chain(outside).take(FILES_AT_MOST).collect()
    }

    /// Whether the last commit has the file as it is. A file that git ignores need not be committed.
    pub(crate) fn committed(&self, file: &ClaimedFile<'_>) -> Assessment {
        let base = self.evidence.base.as_ref();
        let repository = match base.map(|it| it.repository.as_ref()) {
            Some(Ok(repository)) if self.evidence.is_own_clone() => repository,
            Some(Err(gap)) => return Assessment::unknown(*gap),
            _ => return Assessment::unknown(NO_REPOSITORY),
        };
        let Ok(content) = file.places.root.read(&file.place, OBJECT_AT_MOST) else {
            return Assessment::unknown("the file cannot be read");
        };
        let head = repository.head();
        let same = head.and_then(|head| repository.compare(&head, &file.place, &content));
        let is_ignored = || {
            let path = file.place.to_str()?;
            self.ignored(file.places.root, &[path])?.first().copied()
        };
        match same {
            Ok(None) => Assessment::shown("the last commit has it as it is"),
            Ok(Some(_)) | Err(UNTRACKED) if self.is_in_work_tree() => {
                Assessment::unknown(OTHER_WORK_TREE)
            }
            Ok(Some(_)) => Assessment::contradicted("it differs from the last commit"),
            Err(UNTRACKED) => match is_ignored() {
                Some(false) => Assessment::contradicted("the last commit does not have it"),
                Some(true) => Assessment::unknown("git ignores it"),
                None => Assessment::unknown("git may ignore it"),
            },
            Err(gap) => Assessment::unknown(gap),
        }
    }

    /// Whether a file that is not there was there in the base commit. None if there is no base commit.
    pub(crate) fn removed(&self, file: &ClaimedFile<'_>) -> Option<Assessment> {
        let (repository, base) = self.base.as_ref()?.as_ref().ok()?;
        Some(match repository.has_path(base, &file.place) {
            Ok(true) => Assessment::shown("it was removed since the base commit"),
            Ok(false) => Assessment::unknown("it is not there, and may have another name"),
            Err(gap) => Assessment::unknown(gap),
        })
    }

    fn still_changed(&self, root: &Root, path: &str) -> Option<Assessment> {
        root.read(Path::new(path), 0).ok()?;
        let file = self.file(root, path);
        let wrote = Some(self.wrote(&file)).filter(Assessment::is_shown)?;
        let differs = self.differs(&file, Some(&wrote));
        let is_same = differs.is_some_and(|it| it.is_contradicted());
        (!is_same).then(|| Assessment::contradicted(wrote.reason))
    }

    /// Whether an ignore rule may cover each of these files. None if the rules are not known.
    fn ignored(&self, root: &Root, paths: &[&str]) -> Option<Vec<bool>> {
        match &self.evidence.base.as_ref()?.repository {
            Ok(repository) if repository.is_at_top() => repository.ignored(paths),
            // Without a repository nobody follows rules, but the files may have been copied out of one.
            Err(NOT_THERE) => {
                let rules = root.stat(Path::new(".gitignore"), false);
                (rules == Found::Nothing).then(|| vec![false; paths.len()])
            }
            _ => None,
        }
    }
}

/// Whether a file is in a folder of temporary files.
fn is_temporary(path: &Path) -> bool {
    const FOLDERS: [&str; 5] = ["/tmp", "/var/tmp", "/var/folders", "/dev", "/private"];
    let own = std::env::temp_dir();
    path.starts_with(own) || FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// Whether a file is in the folder in which a client keeps what is its own, such as plans.
fn is_of_client(path: &Path) -> bool {
    let path = path.to_string_lossy();
    let mut clients = Client::with_hooks();
    clients.any(|client| path.contains(&format!("/{}/", client.folder)))
}

//! Whether files were changed: one that a return claims, since the agent started and since the base commit;
//! and which ones the record shows as changed.

use std::collections::BTreeSet;
use std::path::Path;

use crate::clients::run::{CallKind, Outcome, WriteEffect};
use crate::evidence::assessment::{Assessment, EvidenceReason, span};
use crate::evidence::place::{ClaimedFile, call_folders};
use crate::evidence::repository::{NOT_THERE, OBJECT_AT_MOST};
use crate::evidence::subject::Subject;
use crate::root::{Found, Root};

const FILES_AT_MOST: usize = 1_000;

/// In seconds.
const YEAR: u64 = 365 * 24 * 60 * 60;

const OTHER_WORK_TREE: &str = "the agent wrote it in another working tree";

impl Assessment {
    /// Leaves it open whether the agent wrote the file if it wrote it in another working tree, and nothing shows
    /// that the file got there. `others` are the results of [`Subject::changed`] and [`Subject::differs`].
    pub(crate) fn unless_elsewhere<'a>(
        &mut self,
        mut others: impl Iterator<Item = &'a Self> + Clone,
    ) {
        let is_there = others.clone().any(Self::is_shown)
            && !others.any(|it| it.reason.text() == OTHER_WORK_TREE);
        if self.reason.is_of_work_tree && !is_there {
            *self = Self::unknown(OTHER_WORK_TREE);
        }
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
            if wrote.is_some_and(|it| it.reason.is_of_work_tree) {
                return Assessment::unknown(OTHER_WORK_TREE);
            }
            let before = match before.as_secs() {
                YEAR.. => "more than a year".to_owned(),
                seconds => span(seconds),
            };
            let text = format!("last changed {before} before {}", start.name);
            let to_agent = text.replace("the agent started", "you started");
            return Assessment::contradicted(EvidenceReason::from(text).or_to_agent(to_agent));
        }
        let wrote = wrote.filter(|it| it.is_shown());
        if start.since(times.modified).is_some() {
            Assessment::unknown(
                "the content is older than the start, and only its place or rights are newer",
            )
        } else if let Some(call) = wrote.and_then(|it| it.reason.call.clone()) {
            let text = format!("changed since the start, and {call} wrote it");
            Assessment::shown(EvidenceReason::of(text, call))
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
            Ok(None) if wrote.is_some_and(|it| it.reason.is_of_work_tree) => {
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
        let run = self.run().ok();
        let Some(run) = run.filter(|run| !run.resumed) else {
            return Vec::new();
        };
        let places = self.file(root, "").places;
        let mut paths = BTreeSet::new();
        for (call, folder) in run.calls.iter().zip(call_folders(run)) {
            let is_write = call.kind == CallKind::Write
                && call.outcome == Outcome::Succeeded
                && call.effect == WriteEffect::Change;
            for path in call.paths.iter().filter(|_| is_write) {
                let found = places.find(path, folder);
                let found = found.filter(|found| !found.elsewhere);
                paths.extend(found.and_then(|it| it.place.to_str().map(str::to_owned)));
            }
        }
        let paths = paths.into_iter().take(FILES_AT_MOST);
        let mut changed: Vec<_> = paths
            .filter(|path| path.split('/').all(|folder| folder != ".git"))
            .filter_map(|path| Some((path.clone(), self.still_changed(root, &path)?)))
            .collect();
        if !changed.is_empty() {
            let names: Vec<_> = changed.iter().map(|(path, _)| path.clone()).collect();
            let mut ignored = self.ignored(root, &names).unwrap_or_default().into_iter();
            changed.retain(|_| ignored.next() == Some(false));
        }
        changed
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
    fn ignored(&self, root: &Root, paths: &[String]) -> Option<Vec<bool>> {
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

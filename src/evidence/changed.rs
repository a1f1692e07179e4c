//! Whether files were changed: one that a return claims, since the agent started and since the base commit;
//! and which ones the record shows as changed.

use std::collections::BTreeSet;
use std::path::Path;

use crate::clients::run::{CallKind, Outcome, WriteEffect};
use crate::evidence::assessment::{Assessment, EvidenceReason, EvidenceValue, span};
use crate::evidence::place::{ClaimedFile, call_folders};
#[cfg(feature = "git")]
use crate::evidence::repository::{Difference, NOT_THERE, OBJECT_AT_MOST};
use crate::evidence::subject::Subject;
#[cfg(feature = "git")]
use crate::root::Found;
use crate::root::Root;

/// Most files that are looked at.
const FILES_AT_MOST: usize = 1_000;

const OTHER_WORK_TREE: &str = "the agent wrote it in another working tree";

impl Assessment {
    /// Leaves it open whether the agent wrote the file if it wrote it in another working tree, and nothing
    /// shows that the file got there. `others` are the results of [`Subject::changed`] and
    /// `Subject::differs`.
    pub(crate) fn unless_elsewhere<'a>(&mut self, others: impl Iterator<Item = &'a Self>) {
        if !self.reason.is_of_work_tree {
            return;
        }
        let others: Vec<&Self> = others.collect();
        let is_shown = others.iter().any(|it| it.value == EvidenceValue::Shown);
        if !is_shown || others.iter().any(|it| it.reason.text() == OTHER_WORK_TREE) {
            *self = Self::unknown(OTHER_WORK_TREE);
        }
    }
}

impl Subject<'_> {
    /// Whether the file was changed since the start. A new modification time alone proves nothing,
    /// because a checkout or a copy sets it, too. `wrote` is the result of [`Subject::wrote`], and
    /// `differs` the result of `Subject::differs`.
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
        // A program that moves or copies a file may keep its modification time, but not its change time
        // (ctime).
        let Some(noted) = times.noted else {
            return Assessment::unknown("this system does not keep when a file was changed");
        };
        let last = noted.max(times.modified);
        if let Some(before) = start.since(last) {
            if wrote.is_some_and(|it| it.reason.is_of_work_tree) {
                return Assessment::unknown(OTHER_WORK_TREE);
            }
            let text = format!("last changed {} before {}", span(before), start.name);
            let to_agent = text.replace("the agent started", "you started");
            return Assessment::contradicted(EvidenceReason::from(text).or_to_agent(to_agent));
        }
        if start.since(times.modified).is_some() {
            return Assessment::unknown(
                "the content is older than the start, and only its place or rights are newer",
            );
        }
        let is_shown = |it: &&Assessment| it.value == EvidenceValue::Shown;
        if let Some(call) = wrote.filter(is_shown).and_then(|it| it.reason.call.clone()) {
            let text = format!("changed since the start, and {call} wrote it");
            return Assessment::shown(EvidenceReason::of(text, call));
        }
        match differs.filter(is_shown) {
            Some(_) => {
                Assessment::shown("changed since the start, and it differs from the base commit")
            }
            None => {
                Assessment::unknown("it was changed since the start, but nothing shows by whom")
            }
        }
    }
}

#[cfg(feature = "git")]
impl Subject<'_> {
    /// Whether the file differs from the base commit, or a later commit changed it. None if there is no
    /// base commit. `wrote` is the result of [`Subject::wrote`].
    pub(crate) fn differs(
        &self,
        file: &ClaimedFile<'_>,
        wrote: Option<&Assessment>,
    ) -> Option<Assessment> {
        let base = self.base.as_ref()?;
        let (repository, base) = match base {
            Ok((repository, base)) => (*repository, base),
            Err(gap) => return Some(Assessment::unknown(*gap)),
        };
        let Ok(content) = file.root().read(file.place(), OBJECT_AT_MOST) else {
            return Some(Assessment::unknown("the file cannot be read"));
        };
        Some(match repository.compare(base, file.place(), &content) {
            Ok(Difference::Same) if wrote.is_some_and(|it| it.reason.is_of_work_tree) => {
                Assessment::unknown(OTHER_WORK_TREE)
            }
            Ok(Difference::Same) if file.is_link() => {
                Assessment::unknown("it is a symlink, which may have been changed itself")
            }
            Ok(Difference::Same) => Assessment::contradicted("no commit since then has changed it"),
            Ok(Difference::Differs) => Assessment::shown("it differs from the base commit"),
            Ok(Difference::CommittedSince) => {
                Assessment::shown("a commit since the base has changed it")
            }
            Ok(Difference::Untracked) => {
                Assessment::unknown("it is not tracked, so that it may have been there before")
            }
            Err(gap) => Assessment::unknown(gap),
        })
    }

    /// What the base commit has of a file. None if that is not known.
    pub(crate) fn content_at_base(&self, path: &Path) -> Option<Vec<u8>> {
        let (repository, base) = self.base.as_ref()?.as_ref().ok()?;
        repository.content(base, path).ok()?
    }
}

impl Subject<'_> {
    /// The files below the root that calls of file tools of this agent certainly changed and that are still
    /// changed, each with that write, which contradicts that it changed no others. Ignored files are left out.
    pub(crate) fn changed_files(&self, root: &Root) -> Vec<(String, Assessment)> {
        let run = self.run().ok();
        let Some(run) = run.filter(|run| !run.resumed) else {
            return Vec::new();
        };
        let mut paths = BTreeSet::new();
        for (call, folder) in run.calls.iter().zip(call_folders(run)) {
            let is_write = call.kind == CallKind::Write
                && call.outcome == Outcome::Succeeded
                && call.effect == WriteEffect::Change;
            for path in call.paths.iter().filter(|_| is_write) {
                let places = ClaimedFile::new(root, "")
                    .work_trees(self.work_trees())
                    .places();
                let found = places.find(path, folder);
                let found = found.filter(|found| !found.in_work_tree);
                paths.extend(found.and_then(|it| it.place.to_str().map(str::to_owned)));
            }
        }
        let paths = paths.into_iter().take(FILES_AT_MOST);
        let mut changed: Vec<_> = paths
            .filter(|path| path.split('/').all(|folder| folder != ".git"))
            .filter_map(|path| {
                let wrote = self.still_changed(root, &path)?;
                Some((path, wrote))
            })
            .collect();
        if !changed.is_empty() {
            let names: Vec<_> = changed.iter().map(|(path, _)| path.clone()).collect();
            let Some(ignored) = self.ignored(root, &names) else {
                return Vec::new();
            };
            let mut ignored = ignored.into_iter();
            changed.retain(|_| ignored.next() == Some(false));
        }
        changed
    }

    fn still_changed(&self, root: &Root, path: &str) -> Option<Assessment> {
        root.read(Path::new(path), 0).ok()?;
        let file = ClaimedFile::new(root, path).work_trees(self.work_trees());
        let wrote = self.wrote(&file);
        if wrote.value != EvidenceValue::Shown || !self.may_differ(&file, &wrote) {
            return None;
        }
        Some(Assessment::contradicted(wrote.reason))
    }

    #[cfg(feature = "git")]
    fn may_differ(&self, file: &ClaimedFile<'_>, wrote: &Assessment) -> bool {
        let differs = self.differs(file, Some(wrote));
        differs.is_none_or(|it| it.value != EvidenceValue::Contradicted)
    }

    #[cfg(not(feature = "git"))]
    #[expect(clippy::unused_self, reason = "it is the same call with the feature")]
    fn may_differ(&self, _: &ClaimedFile<'_>, _: &Assessment) -> bool {
        true
    }

    /// Whether an ignore rule may cover each of these files. None if the rules are not known.
    #[cfg(feature = "git")]
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

    #[cfg(not(feature = "git"))]
    #[expect(clippy::unused_self, reason = "it is the same call with the feature")]
    fn ignored(&self, _: &Root, _: &[String]) -> Option<Vec<bool>> {
        None
    }
}

//! Which files the record of an agent shows that it changed.

use std::collections::BTreeSet;
use std::path::Path;

use crate::clients::run::{CallKind, Outcome, WriteEffect};
use crate::evidence::assessment::{Assessment, EvidenceValue};
use crate::evidence::place::{CallFolders, ClaimedFile};
use crate::evidence::subject::Subject;
use crate::root::{Found, Root};

/// Most files that are looked at.
const FILES_AT_MOST: usize = 1_000;

/// Folders for what is thrown away, and those of clients.
const SCRATCH: &str = ".git tmp .tmp temp scratch .scratch scratchpad .cache node_modules target \
    .claude .codex .gemini .cursor .copilot .opencode";

impl Subject<'_> {
    /// The files below the root that calls of file tools of this agent certainly changed and that are still
    /// changed, each with that write, which contradicts that it changed no others. Ignored files are left out.
    pub(crate) fn changed_files(&self, root: &Root) -> Vec<(String, Assessment)> {
        let run = self.run().ok();
        let Some(run) = run.filter(|run| !run.resumed) else {
            return Vec::new();
        };
        let folders = CallFolders::of(run);
        let mut paths = BTreeSet::new();
        for (at, call) in run.calls.iter().enumerate() {
            let is_write = call.kind == CallKind::Write
                && call.outcome == Outcome::Succeeded
                && call.effect == WriteEffect::Change;
            for path in call.paths.iter().filter(|_| is_write) {
                let places = ClaimedFile::new(root, "")
                    .work_trees(self.work_trees())
                    .places();
                let found = places.find(path, &folders.get(at, call));
                let found = found.filter(|found| !found.in_work_tree);
                paths.extend(found.and_then(|it| it.place.to_str().map(str::to_owned)));
            }
        }
        let paths = paths.into_iter().take(FILES_AT_MOST);
        let mut changed: Vec<_> = paths
            .filter(|path| !is_scratch(path))
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
        use crate::evidence::repository::RepositoryGap;
        match &self.evidence.base.as_ref()?.repository {
            Ok(repository) if repository.is_at_top() => repository.ignored(paths),
            // Without a repository nobody follows rules, but the files may have been copied out of one.
            Err(RepositoryGap::NoRepository) => {
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

fn is_scratch(path: &str) -> bool {
    let mut folders = path.split('/');
    folders.any(|folder| SCRATCH.split(' ').any(|it| it == folder))
}

//! Which files the record of an agent shows that it changed.

use std::collections::BTreeSet;
use std::path::Path;

use globset::GlobBuilder;

use crate::clients::run::{CallKind, Outcome, WriteEffect};
use crate::evidence::assessment::{Assessment, EvidenceValue};
use crate::evidence::place::{CallFolders, ClaimedFile};
use crate::evidence::subject::Subject;
use crate::root::Root;

/// Most files that are looked at.
const FILES_AT_MOST: usize = 1_000;

/// Most bytes of a file with ignore rules.
const RULES_AT_MOST: u64 = 1 << 20;

/// Folders for what is thrown away, and those of clients.
const SCRATCH: &str = ".git tmp .tmp temp scratch .scratch scratchpad .cache node_modules target \
    .claude .codex .gemini .cursor .copilot .opencode";

impl Subject<'_> {
    /// The files below the root that calls of file tools of this agent certainly changed and that are still
    /// changed, each with that write, which contradicts that it changed no others. Ignored files are left out.
    pub(crate) fn changed_files(&self, root: &Root) -> Vec<(String, Assessment)> {
        let run = self.run().ok();
        let run = run.filter(|run| !run.resumed);
        let Some((run, rules)) = run.zip(self.rules_of_user()) else {
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
        paths
            .filter_map(|path| {
                let wrote = self.still_changed(root, &rules, &path)?;
                Some((path, wrote))
            })
            .collect()
    }

    fn still_changed(&self, root: &Root, rules: &str, path: &str) -> Option<Assessment> {
        let mut folders = path.split('/');
        if folders.any(|folder| SCRATCH.split(' ').any(|it| it == folder))
            || is_ignored(root, rules, path)
        {
            return None;
        }
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

    /// The ignore rules of the user. None if there may be others, neither these nor below the root.
    #[cfg(feature = "git")]
    fn rules_of_user(&self) -> Option<String> {
        use crate::evidence::repository::RepositoryGap;
        match &self.evidence.base.as_ref()?.repository {
            Ok(repository) if repository.is_at_top() => {
                repository.ignore_rules(self.evidence.user.as_ref()?)
            }
            Err(RepositoryGap::NoRepository) => Some(String::new()),
            _ => None,
        }
    }

    #[cfg(not(feature = "git"))]
    #[expect(clippy::unused_self, reason = "it is the same call with the feature")]
    fn rules_of_user(&self) -> Option<String> {
        None
    }
}

/// Whether an ignore rule of the user or the repository may cover a file. Rules that make exceptions are not
/// looked at.
pub(crate) fn is_ignored(root: &Root, of_user: &str, path: &str) -> bool {
    let matches = |rules: &str, folder: &str| {
        let text = root
            .read(Path::new(rules), RULES_AT_MOST)
            .unwrap_or_default();
        let below = path[folder.len()..].trim_start_matches('/');
        String::from_utf8_lossy(&text)
            .lines()
            .any(|line| covers(line, below))
    };
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    of_user.lines().any(|line| covers(line, path))
        || matches(".gitignore", "")
        || folders
            .into_iter()
            .any(|folder| matches(&format!("{folder}/.gitignore"), folder))
}

/// Whether an ignore rule covers a path, or a folder that it is in. True for a rule that cannot be read.
fn covers(line: &str, path: &str) -> bool {
    let rule = line.trim_end();
    if rule.is_empty() || rule.starts_with(['#', '!']) {
        return false;
    }
    let bare = rule.trim_end_matches('/');
    let glob = match bare.strip_prefix('/') {
        Some(anchored) => anchored.to_owned(),
        None if bare.contains('/') => bare.to_owned(),
        None => format!("**/{bare}"),
    };
    let Ok(glob) = GlobBuilder::new(&glob).literal_separator(true).build() else {
        return true;
    };
    let matcher = glob.compile_matcher();
    Path::new(path)
        .ancestors()
        .any(|part| matcher.is_match(part))
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn ignore_rules_cover_files_and_folders() {
        for (rule, path) in [
            ("*.log", "a/b.log"),
            ("target/", "target/debug/a"),
            ("/dist", "dist/a.js"),
            ("docs/*.md", "docs/a.md"),
            ("**/cache", "a/cache/b"),
            ("a[", "b"),
        ] {
            assert!(covers(rule, path), "{rule} {path}");
        }
        for (rule, path) in [
            ("", "a"),
            ("# a", "a"),
            ("!a", "a"),
            ("/dist", "a/dist"),
            ("docs/*.md", "docs/a/b.md"),
            ("*.log", "a.rs"),
        ] {
            assert!(!covers(rule, path), "{rule} {path}");
        }
    }
}

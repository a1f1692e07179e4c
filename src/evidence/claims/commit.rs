//! Whether the repository has the commits that a return names.

use std::path::{Component, Path};

use crate::clients::run::{Call, CallKind, Outcome};
use crate::evidence::assessment::{Assessment, NO_REPOSITORY};
use crate::evidence::place::{CallFolder, call_folders};
use crate::evidence::repository::{CommitId, Repository};
use crate::evidence::shell;
use crate::evidence::subject::Subject;
use crate::profile::commits::NamedCommit;
use crate::root::Root;

const NOT_PLAIN: &str = "it is not named as a commit of the agent alone";
const MAYBE_ELSEWHERE: &str = "the agent may have committed in another repository";

pub(crate) struct AssessedCommit {
    pub(crate) exists: Assessment,
    /// Whether it was made since the agent started. None if there is no commit to compare it with.
    pub(crate) is_new: Option<Assessment>,
    /// For each file that is claimed with it, whether it has the file.
    pub(crate) files: Vec<Assessment>,
}

/// Programs and options with which commits are made or named in other repositories.
const ELSEWHERE: &str =
    "gh glab hub clone -C --git-dir --work-tree submodule ssh docker curl wget jj hg svn sl";

impl Subject<'_> {
    /// Whether the repository has a commit that a return names, with these files.
    pub(crate) fn commit(
        &self,
        root: &Root,
        commit: NamedCommit<'_>,
        files: &[&str],
    ) -> AssessedCommit {
        let base = self.evidence.base.as_ref().ok_or(NO_REPOSITORY);
        let repository = base.and_then(|base| base.repository.as_ref().map_err(|gap| *gap));
        let found = repository.and_then(|it| Ok((it, it.commit_with(commit.digits)?)));
        let exists = match found {
            Ok((repository, Some(id))) => {
                return AssessedCommit {
                    exists: Assessment::shown("the repository has the commit"),
                    is_new: self.is_new(repository, &id, commit.is_plain),
                    files: files
                        .iter()
                        .map(|path| has_file(repository, &id, path))
                        .collect(),
                };
            }
            Ok(_) if !commit.is_plain => Assessment::unknown(NOT_PLAIN),
            Ok(_) => match self.may_be_elsewhere(root) {
                Some(gap) => Assessment::unknown(gap),
                None => Assessment::contradicted("the repository has no such commit"),
            },
            Err(gap) => Assessment::unknown(gap),
        };
        AssessedCommit {
            exists,
            is_new: None,
            files: Vec::new(),
        }
    }

    fn is_new(&self, repository: &Repository, id: &CommitId, is_plain: bool) -> Option<Assessment> {
        let base = match self.base.as_ref()? {
            Ok((_, base)) => base,
            Err(gap) => return Some(Assessment::unknown(*gap)),
        };
        let is_resumed = self.run().is_ok_and(|run| run.resumed);
        Some(match repository.is_ancestor(id, base) {
            Ok(false) => Assessment::shown("it is not in the history before the agent started"),
            Ok(true) if is_resumed => Assessment::unknown("the agent was resumed"),
            Ok(true) if !is_plain => Assessment::unknown(NOT_PLAIN),
            Ok(true) => Assessment::contradicted("it was there when the agent started"),
            Err(gap) => Assessment::unknown(gap),
        })
    }

    /// Why a commit that this repository does not have may be in another one. None if this is the clone that
    /// the agent worked in, and nothing shows that it worked in another one, too.
    fn may_be_elsewhere(&self, root: &Root) -> Option<&'static str> {
        if !self.evidence.is_own_clone() {
            return Some("it is not known whether this is the clone that the agent worked in");
        }
        if !self.has_transcript() {
            return None;
        }
        let Some(run) = self.run().ok().filter(|run| run.is_complete()) else {
            return Some(MAYBE_ELSEWHERE);
        };
        let is_elsewhere = |(call, folder): (&Call, CallFolder<'_>)| match call.kind {
            _ if call.outcome == Outcome::Rejected => false,
            CallKind::Other | CallKind::Delegate => true,
            CallKind::Command => call.command.as_deref().is_none_or(|command| {
                let writes = || shell::scan(command, &[]).may_write;
                leaves(command, root) || !self.is_here(root, folder) && writes()
            }),
            _ => false,
        };
        let mut calls = run.calls.iter().zip(call_folders(run));
        calls.any(is_elsewhere).then_some(MAYBE_ELSEWHERE)
    }

    /// Whether a call ran in the project, or in another working tree of its repository.
    fn is_here(&self, root: &Root, folder: CallFolder<'_>) -> bool {
        let CallFolder::Known(folder) = folder else {
            return false;
        };
        // It is relative to the root.
        let folder = Path::new(folder);
        let mut trees = self.evidence.work_trees.iter();
        if folder.is_relative() {
            !folder.components().any(|part| part == Component::ParentDir)
        } else {
            root.below(folder).is_some() || trees.any(|tree| folder.starts_with(tree))
        }
    }
}

/// Whether a command may leave the project, or commit to another repository.
fn leaves(command: &str, root: &Root) -> bool {
    let is_mark = |it: char| it.is_whitespace() || matches!(it, ';' | '&' | '|' | '(' | ')' | '=');
    let words = command.split(is_mark).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let has_left = |words: &[&str]| {
        let target = words[1].trim_matches(['"', '\'']);
        let is_inside = if target.starts_with('/') {
            root.below(Path::new(target)).is_some()
        } else {
            !target.starts_with(['$', '~', '-', '`']) && !target.contains("..")
        };
        matches!(words[0], "cd" | "pushd") && !is_inside
    };
    let is_elsewhere = |word: &&str| ELSEWHERE.split(' ').any(|it| it == *word);
    words.iter().any(is_elsewhere) || words.windows(2).any(has_left)
}

fn has_file(repository: &Repository, id: &CommitId, path: &str) -> Assessment {
    match repository.has_file(id, Path::new(path.trim_start_matches("./"))) {
        Ok(true) => Assessment::shown("the commit has the file"),
        Ok(false) if !path.contains('/') => {
            Assessment::unknown("only its name is given, without a folder")
        }
        Ok(false) => {
            Assessment::contradicted("neither the commit nor the one before it has the file")
        }
        Err(gap) => Assessment::unknown(gap),
    }
}

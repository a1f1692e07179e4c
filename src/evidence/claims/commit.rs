//! Whether the repository has the commits that a return names.

use std::path::Path;

use crate::clients::run::{CallKind, Outcome, Run};
use crate::evidence::assessment::{Assessment, NO_REPOSITORY};
use crate::evidence::calls::{CallFolder, ReadCall};
use crate::evidence::repository::{CommitId, Repository};
use crate::evidence::subject::Subject;
use crate::profile::commits::NamedCommit;
use crate::root::Root;

const NOT_PLAIN: &str = "it is not named as a commit of the agent alone";
const MAYBE_ELSEWHERE: &str = "the agent may have committed in another repository";

pub(crate) struct AssessedCommit {
    pub(crate) exists: Assessment,
    /// Whether it was made since the agent started. None if there is no commit to compare it with.
    pub(crate) is_new: Option<Assessment>,
}

/// Programs and options with which commits are made or named in other repositories.
const ELSEWHERE: &str =
    "gh glab hub clone -C --git-dir --work-tree submodule ssh docker curl wget jj hg svn sl";

impl Subject<'_> {
    /// Whether the repository has a commit that a return names.
    pub(crate) fn commit(&self, root: &Root, commit: NamedCommit<'_>) -> AssessedCommit {
        let base = self.evidence.base.as_ref().ok_or(NO_REPOSITORY);
        let repository = base.and_then(|base| base.repository.as_ref().map_err(|gap| *gap));
        let found = repository.and_then(|it| Ok((it, it.commit_with(commit.digits)?)));
        let exists = match found {
            Ok((repository, Some(id))) => {
                return AssessedCommit {
                    exists: Assessment::shown("the repository has the commit"),
                    is_new: self.is_new(repository, &id, commit.is_plain),
                };
            }
            Ok(_) if !commit.is_plain => Assessment::unknown(NOT_PLAIN),
            Ok(_) => match self.may_be_elsewhere(root) {
                Some(gap) => Assessment::unknown(gap),
                None => Assessment::contradicted("the repository has no such commit"),
            },
            Err(gap) => Assessment::unknown(gap),
        };
        AssessedCommit { exists, is_new: None }
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
        if !self.run().is_ok_and(Run::is_complete) {
            return Some(MAYBE_ELSEWHERE);
        }
        let is_elsewhere = |read: &ReadCall<'_>| match (read.call.kind, &read.script) {
            _ if read.call.outcome == Outcome::Rejected => false,
            (CallKind::Other | CallKind::Delegate, _) | (CallKind::Command, None) => true,
            (CallKind::Command, Some(script)) => {
                let command = read.call.command.as_deref().unwrap_or_default();
                leaves(command, root) || script.may_write && !self.is_here(root, read.folder)
            }
            _ => false,
        };
        let is_elsewhere = self.own_calls().iter().any(is_elsewhere);
        is_elsewhere.then_some(MAYBE_ELSEWHERE)
    }

    /// Whether a call ran in the project, or in another working tree of its repository.
    fn is_here(&self, root: &Root, folder: CallFolder<'_>) -> bool {
        let leads_up = |it: &str| it.split('/').any(|part| part == "..");
        let is_plain = matches!(folder, CallFolder::Known(it) if !leads_up(it));
        is_plain && self.file(root, "").places.find("", folder).is_some()
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

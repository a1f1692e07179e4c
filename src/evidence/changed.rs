//! Whether a file that a return claims was changed: since the agent started, and since the base commit.

use crate::evidence::assessment::{Assessment, EvidenceReason, EvidenceValue, span};
use crate::evidence::place::ClaimedFile;
#[cfg(feature = "git")]
use crate::evidence::repository::{
    CommitId, Difference, OBJECT_AT_MOST, Repository, RepositoryGap,
};
use crate::evidence::subject::Subject;

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
            Err(gap) => return Some(Assessment::unknown(gap.to_string())),
        };
        let Ok(content) = file.root().read(file.place(), OBJECT_AT_MOST) else {
            return Some(Assessment::unknown("the file cannot be read"));
        };
        Some(match difference(repository, base, file, &content) {
            Ok(Difference::Same) if wrote.is_some_and(|it| it.reason.is_of_work_tree) => {
                Assessment::unknown(OTHER_WORK_TREE)
            }
            Ok(Difference::Same) => Assessment::contradicted("no commit since then has changed it"),
            Ok(Difference::Differs) => Assessment::shown("it differs from the base commit"),
            Ok(Difference::CommittedSince) => {
                Assessment::shown("a commit since the base has changed it")
            }
            Ok(Difference::Untracked) => {
                Assessment::unknown("it is not tracked, so that it may have been there before")
            }
            Err(gap) => Assessment::unknown(gap.to_string()),
        })
    }
}

/// How a file differs from the base. A symlink is a file of its own. If it does not differ, its target may.
#[cfg(feature = "git")]
fn difference(
    repository: &Repository,
    base: &CommitId,
    file: &ClaimedFile<'_>,
    content: &[u8],
) -> Result<Difference, RepositoryGap> {
    let target = || repository.compare(base, file.place(), content);
    let Some(link) = file.link() else {
        return target();
    };
    let text = link.target.as_os_str().as_encoded_bytes();
    match repository.compare(base, &link.place, text)? {
        own @ (Difference::Differs | Difference::CommittedSince) => Ok(own),
        own => Ok(Some(target()?)
            .filter(|it| *it != Difference::Same)
            .unwrap_or(own)),
    }
}

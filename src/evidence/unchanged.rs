//! Whether a file that a return claims differs from the base commit.

use crate::evidence::changed::OTHER_WORK_TREE;
use crate::evidence::place::ClaimedFile;
use crate::evidence::repository::{
    CommitId, Difference, OBJECT_AT_MOST, Repository, RepositoryGap,
};
use crate::evidence::subject::Subject;
use crate::evidence::value::Assessment;

impl Subject<'_> {
    /// Whether the file differs from the base commit, or a later commit changed it. None if there is no
    /// base commit. `wrote` is the result of [`Subject::wrote`].
    pub(crate) fn differs(
        &self,
        file: &ClaimedFile<'_>,
        wrote: Option<&Assessment>,
    ) -> Option<Assessment> {
        let base = self.base?;
        let (repository, base) = match base {
            Ok(base) => base,
            Err(gap) => return Some(Assessment::unknown(gap.to_string())),
        };
        let Ok(content) = file.root().read(file.place(), OBJECT_AT_MOST) else {
            return Some(Assessment::unknown("the file cannot be read"));
        };
        Some(match difference(repository, &base, file, &content) {
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

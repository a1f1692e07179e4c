//! Whether a file that a return claims differs from the base commit.

use crate::evidence::place::ClaimedFile;
use crate::evidence::reason::{Doubt, EvidenceReason};
use crate::evidence::subject::Subject;
use crate::evidence::value::Assessment;
use crate::repository::{Difference, OBJECT_AT_MOST};

impl Subject<'_> {
    /// Whether the file differs from the base commit, or a later commit changed it. None if there is no
    /// base commit. `wrote` is the result of [`Subject::wrote`].
    pub(crate) fn differs(
        &self,
        file: &ClaimedFile<'_>,
        wrote: Option<&Assessment>,
    ) -> Option<Assessment> {
        let base = self.base()?;
        let (repository, base) = match base {
            Ok(base) => base,
            Err(gap) => return Some(Assessment::unknown(Doubt::Repository(gap))),
        };
        let Ok(content) = file.root().read(file.place(), OBJECT_AT_MOST) else {
            return Some(Assessment::unknown(Doubt::UnreadFile));
        };
        Some(match repository.compare(&base, file.place(), &content) {
            Ok(Difference::Same) if wrote.is_some_and(|it| it.reason.is_of_work_tree()) => {
                Assessment::unknown(Doubt::OtherWorkTree)
            }
            Ok(Difference::Same) => Assessment::contradicted(EvidenceReason::Unchanged),
            Ok(Difference::Differs) => Assessment::shown(EvidenceReason::Differs),
            Ok(Difference::CommittedSince) => Assessment::shown(EvidenceReason::Committed),
            Ok(Difference::Untracked) => Assessment::unknown(Doubt::Untracked),
            Err(gap) => Assessment::unknown(Doubt::Repository(gap)),
        })
    }
}

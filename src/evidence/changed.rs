//! Whether a file that a return claims was changed since the agent started.

use crate::evidence::place::ClaimedFile;
use crate::evidence::reason::{EvidenceReason, Uncertainty};
use crate::evidence::subject::Subject;
use crate::evidence::value::{Assessment, EvidenceValue};

impl Assessment {
    /// Leaves it open whether the agent wrote the file if it wrote it in another working tree, and nothing
    /// shows that the file got there. `others` are the results of [`Subject::changed`] and
    /// `Subject::differs`.
    pub(crate) fn unless_elsewhere<'a>(&mut self, others: impl Iterator<Item = &'a Self>) {
        if !self.reason.is_of_work_tree() {
            return;
        }
        let others: Vec<&Self> = others.collect();
        let elsewhere = EvidenceReason::Uncertainty(Uncertainty::OtherWorkTree);
        let is_shown = others.iter().any(|it| it.value == EvidenceValue::Shown);
        if !is_shown || others.iter().any(|it| it.reason == elsewhere) {
            *self = Self::unknown(Uncertainty::OtherWorkTree);
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
            return Assessment::unknown(Uncertainty::NoStart);
        };
        let Some(times) = file.times() else {
            return Assessment::unknown(Uncertainty::NoTime);
        };
        // A program that moves or copies a file may keep its modification time, but not its change time
        // (ctime).
        let Some(noted) = times.noted else {
            return Assessment::unknown(Uncertainty::NoChangeTime);
        };
        let last = noted.max(times.modified);
        if let Some(before) = start.since(last) {
            if wrote.is_some_and(|it| it.reason.is_of_work_tree()) {
                return Assessment::unknown(Uncertainty::OtherWorkTree);
            }
            let reason = EvidenceReason::ChangedBefore {
                before,
                start: start.source,
            };
            return Assessment::contradicted(reason);
        }
        if start.since(times.modified).is_some() {
            return Assessment::unknown(Uncertainty::OnlyChangeTime);
        }
        let is_shown = |it: &&Assessment| it.value == EvidenceValue::Shown;
        if let Some(call) = wrote.filter(is_shown).and_then(|it| it.reason.call()) {
            return Assessment::shown(EvidenceReason::ChangedBy(call.clone()));
        }
        match differs.filter(is_shown) {
            Some(_) => Assessment::shown(EvidenceReason::ChangedFromBase),
            None => Assessment::unknown(Uncertainty::ChangedByWhom),
        }
    }
}

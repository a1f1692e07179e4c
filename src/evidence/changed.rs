//! Whether a file that a return claims was changed since the agent started.

use crate::evidence::place::ClaimedFile;
use crate::evidence::reason::{EvidenceReason, span};
use crate::evidence::subject::Subject;
use crate::evidence::value::{Assessment, EvidenceValue};

pub(super) const OTHER_WORK_TREE: &str = "the agent wrote it in another working tree";

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

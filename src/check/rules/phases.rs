//! Step 3, metadata files: the number of completed phases fits the status.

use crate::check::{Collector, Value, values};
use crate::json::field::{Field, Number};
use crate::json::pointer::Pointer;
use crate::profile::document::Return;
use crate::profile::{Meaning, Status};
use crate::rule::{Companion, Example, Rule, Step};

pub(super) fn check(collector: &mut Collector<'_, '_>, returned: &Return<'_>, status: &Status) {
    if let Some(metadata) = returned.metadata.present() {
        let phases = (&metadata.phases_completed, &metadata.phases_total);
        compare(collector, status, phases, "metadata");
    }
    if let Some(progress) = returned.partial_progress.present() {
        let phases = (&progress.phases_completed, &progress.phases_total);
        compare(collector, status, phases, "partial_progress");
    }
}

/// Whether the metadata of a return has the number of completed phases and the total.
pub(super) fn are_known(returned: &Return<'_>) -> bool {
    let metadata = returned.metadata.present();
    metadata.is_some_and(|metadata| {
        metadata.phases_completed.present().is_some() && metadata.phases_total.present().is_some()
    })
}

pub(super) static INCONSISTENT: Rule = Rule {
    id: "progress-inconsistent",
    applies: |it| it.has_field("metadata.phases_total"),
    message: "Status is {status} but {count} of {most} phases are completed",
    advice_to_agent: "Write a status that fits phases_completed and phases_total",
    explanation: "Whoever resumes the work begins after the phases that are completed. \
                  Implemented with phases left, partial with none left, or more phases than \
                  there are: one of the two statements is wrong.",
    source: "Return metadata file, metadata, additional fields; Return metadata file, \
             partial_progress",
    example: Example::of_members(
        "return-meta",
        r#""status": "implemented", "metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "tide-implementation-agent", "delegation_depth": 1, "delegation_path": ["orchestrator", "work", "tide-implementation-agent"], "phases_completed": 2, "phases_total": 3}"#,
        r#""status": "implemented", "metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "tide-implementation-agent", "delegation_depth": 1, "delegation_path": ["orchestrator", "work", "tide-implementation-agent"], "phases_completed": 3, "phases_total": 3}"#,
    ),
    ..Rule::warning(Step::Status)
};

fn compare(
    collector: &mut Collector<'_, '_>,
    status: &Status,
    phases: (&Field<Number>, &Field<Number>),
    place: &'static str,
) {
    let (Some(Number(completed)), Some(Number(total))) = (phases.0.present(), phases.1.present())
    else {
        return;
    };
    if fits(status, *completed, *total) {
        return;
    }
    let values = values![
        status = &status.word,
        count = Value::Amount(*completed),
        most = Value::Amount(*total),
    ];
    let location = Pointer::root().key(place).key("phases_completed");
    collector.report(&INCONSISTENT, location, &values);
}

fn fits(status: &Status, completed: f64, total: f64) -> bool {
    let needs = |companion| status.companions.contains(&companion);
    let is_possible = completed >= 0.0 && completed <= total;
    let is_all = completed >= total;
    is_possible
        && match status.meaning {
            Meaning::Success => is_all || !needs(Companion::CompletionData),
            Meaning::Other => !is_all || !needs(Companion::Progress),
            Meaning::Unfinished => true,
        }
}

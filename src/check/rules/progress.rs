//! Step 3, metadata files: members that a status requires, and work that was never finished.

use std::borrow::Cow;

use crate::check::rules::started_at::{self, Instants};
use crate::check::rules::{completion_data, phases};
use crate::check::{Collector, Value, values};
use crate::json::field::Field;
use crate::profile::document::Return;
use crate::profile::{Meaning, Status};
use crate::rule::{Companion, Example, Rule, Step, ToAgent};

pub(crate) static STILL_IN_PROGRESS: Rule = Rule {
    id: "still-in-progress",
    applies: |it| (it.statuses.iter()).any(|it| it.meaning == Meaning::Unfinished),
    message: "Status is still {status}",
    help: "Resume {agent}, or start it again: it was interrupted before it wrote a final status",
    advice_to_agent: "Finish your work, and write a final status",
    explanation: "The agent writes this status when it starts and a final one when it ends. \
                  Found afterwards, it means that the agent was interrupted.",
    source: "Return metadata file, status (early metadata pattern)",
    example: Example::of_members(
        "return-meta",
        r#""status": "in_progress", "started_at": "2026-01-01T08:00:00Z", "partial_progress": {"stage": "phase_2", "details": "The printer is written"}"#,
        r#""status": "implemented""#,
    )
    .with("RETVAL_NOW=2026-01-01T09:00:00Z"),
    ..Rule::warning(Step::Status)
};

pub(super) static STARTED_AT_MISSING: Rule = Rule {
    id: "started-at-missing",
    applies: |it| it.requires_companion(Companion::StartedAt),
    message: "Status is {status} but started_at is missing",
    help: "Fix {agent} subagent to write started_at when it starts",
    advice_to_agent: "Write started_at when you start",
    explanation: "Without a start time no one can tell a running agent from one that stopped \
                  long ago.",
    source: "Return metadata file, started_at",
    example: Example::of_members("return-meta", r#""status": "in_progress", "partial_progress": {"stage": "phase_2", "details": "The printer is written"}"#, r#""status": "in_progress", "started_at": "2026-01-01T08:00:00Z", "partial_progress": {"stage": "phase_2", "details": "The printer is written"}"#).with("--rule still-in-progress=off RETVAL_NOW=2026-01-01T09:00:00Z"),
    ..Rule::warning(Step::Status)
};

pub(super) fn check(collector: &mut Collector<'_, '_>, returned: &Return<'_>, status: &Status) {
    let needs = |companion| status.companions.contains(&companion);
    let values = values![status = &status.word];
    if status.meaning == Meaning::Unfinished {
        collector.report(&STILL_IN_PROGRESS, "status", &values);
    }
    if needs(Companion::StartedAt) && returned.started_at.is_absent() {
        collector.report(&STARTED_AT_MISSING, "status", &values);
    }
    if let Some(start) = timestamp(collector, "started_at", &returned.started_at) {
        started_at::check(collector, status, start);
    }
    phases::check(collector, returned, status);
    if needs(Companion::Progress) {
        progress(collector, returned, status);
    }
    if needs(Companion::CompletionData) {
        completion(collector, returned, status);
    }
}

/// An example of the part of a timestamp before the T. Only its length is used.
const DATE: &str = "2026-01-28";

pub(super) static TIMESTAMP_FORMAT: Rule = Rule {
    id: "timestamp-format",
    applies: |it| it.has_field("started_at") || it.has_field("timestamp"),
    message: "{name} is not an ISO 8601 timestamp: {timestamp}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write {name} like 2026-01-28T10:30:00Z",
    explanation: "Durations are calculated from started_at, and the timestamp of a handoff file \
                  tells which one is the latest. A date in words cannot be parsed.",
    source: "Return metadata file, started_at (required); Compact return protocol, new ultra-minimal formats",
    example: Example::of_members(
        "return-meta",
        r#""started_at": "this morning at eight""#,
        r#""started_at": "2026-01-01T08:00:00Z""#,
    ),
    ..Rule::warning(Step::Status)
};

/// The time in a member of the return. Reports a text that is not a timestamp. None if there is no such
/// text or it is not a timestamp.
pub(super) fn timestamp(
    collector: &mut Collector<'_, '_>,
    name: &'static str,
    time: &Field<Cow<'_, str>>,
) -> Option<Instants> {
    let text = time.present()?;
    // jiff accepts more than the standard: a space instead of the T, and a time zone in brackets.
    let is_strict = text.as_bytes().get(DATE.len()) == Some(&b'T') && !text.contains('[');
    let instants = is_strict.then(|| Instants::of(text)).flatten();
    if instants.is_none() {
        let values = values![name = Value::Text(name), timestamp = text];
        collector.report(&TIMESTAMP_FORMAT, name, &values);
    }
    instants
}

pub(super) static PROGRESS_MISSING: Rule = Rule {
    id: "progress-missing",
    applies: |it| it.requires_companion(Companion::Progress),
    message: "Status is {status} but {what} is missing",
    advice_to_agent: "Write partial_progress with stage and details",
    explanation: "Whoever resumes the work reads in partial_progress where to continue. Without \
                  it, phases_completed and phases_total in metadata are enough.",
    source: "Return metadata file, partial_progress",
    example: Example::of_members("return-meta", r#""status": "in_progress", "started_at": "2026-01-01T08:00:00Z", "metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "tide-implementation-agent", "delegation_depth": 1, "delegation_path": ["orchestrator", "work", "tide-implementation-agent"]}"#, r#""status": "in_progress", "started_at": "2026-01-01T08:00:00Z", "partial_progress": {"stage": "phase_2", "details": "The printer is written"}"#).with("--rule still-in-progress=off RETVAL_NOW=2026-01-01T09:00:00Z"),
    ..Rule::warning(Step::Status)
};

fn progress(collector: &mut Collector<'_, '_>, returned: &Return<'_>, status: &Status) {
    let mut missing = |what, member| {
        let values = values![status = &status.word, what = Value::Text(what)];
        collector.report(&PROGRESS_MISSING, member, &values);
    };
    match &returned.partial_progress {
        Field::Missing | Field::Null if !phases::are_known(returned) => {
            missing("partial_progress", "status");
        }
        Field::Present(progress) => {
            if progress.stage.is_unfilled() {
                missing("partial_progress.stage", "partial_progress");
            }
            if progress.details.is_unfilled() {
                missing("partial_progress.details", "partial_progress");
            }
        }
        _ => {}
    }
}

pub(super) static COMPLETION_DATA_MISSING: Rule = Rule {
    id: "completion-data-missing",
    applies: |it| it.requires_companion(Companion::CompletionData),
    message: "Status is {status} but completion_data is missing",
    advice_to_agent: "Write completion_data with completion_summary",
    explanation: "The task's state is updated from completion_data. Without it the task stays \
                  open.",
    source: "Return metadata file, completion_data (required)",
    example: Example::of_members(
        "return-meta",
        r#""completion_data": null"#,
        r#""completion_data": {"completion_summary": "High and low water are printed for all stations."}"#,
    ),
    ..Rule::warning(Step::Status)
};

pub(super) static COMPLETION_SUMMARY_MISSING: Rule = Rule {
    id: "completion-summary-missing",
    applies: |it| it.requires_companion(Companion::CompletionData),
    message: "completion_data has no completion_summary",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Say in one to three sentences what was accomplished",
    explanation: "The return format requires this summary of every successful implementation. \
                  It is stored in the task's record.",
    source: "Return metadata file, completion_data, notes (required)",
    example: Example::of_members(
        "return-meta",
        r#""completion_data": {"roadmap_items": ["Print tide tables"]}"#,
        r#""completion_data": {"completion_summary": "High and low water are printed for all stations."}"#,
    ),
    ..Rule::warning(Step::Status)
};

fn completion(collector: &mut Collector<'_, '_>, returned: &Return<'_>, status: &Status) {
    match &returned.completion_data {
        Field::Missing | Field::Null => {
            let values = values![status = &status.word];
            collector.report(&COMPLETION_DATA_MISSING, "status", &values);
        }
        Field::Present(data) => {
            if data.completion_summary.is_unfilled() {
                let location = "completion_data";
                collector.report(&COMPLETION_SUMMARY_MISSING, location, &values![]);
            }
            completion_data::check(collector, returned, data);
        }
        Field::Wrong(_) => {}
    }
}

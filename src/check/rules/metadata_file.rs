//! Metadata files: what only they have.
//!
//! Step 3: members that a status requires, work that was never finished, the time at which it began, the
//! number of completed phases, and what `completion_data` says about the task.

use crate::check::{Collector, Location, Placeholder, values};
use crate::document::tree::Value;
use crate::evidence::span;
use crate::profile::{Meaning, Status};
use crate::rule::{Companion, Rule, Step};
use crate::text::count;
use crate::text::sentences::sentences;

pub(crate) static STILL_IN_PROGRESS: Rule = Rule::warning(Step::Status, "still-in-progress")
    .applies_to(|it| (it.statuses.iter()).any(|it| it.meaning == Meaning::Unfinished))
    .says("Status is still {status}")
    .helps("Wait for {agent} while it is running; if it is not, resume it, or start it again")
    .advises("Finish your work, and write a final status");

pub(super) static STARTED_AT_MISSING: Rule = Rule::warning(Step::Status, "started-at-missing")
    .applies_to(|it| it.requires_companion(Companion::StartedAt))
    .says("Status is {status} but started_at is missing")
    .advises("Write started_at at the start");

pub(super) static PROGRESS_MISSING: Rule = Rule::warning(Step::Status, "progress-missing")
    .applies_to(|it| it.requires_companion(Companion::Progress))
    .says("Status is {status} but {what} is missing")
    .advises("Write partial_progress with stage and details");

pub(super) static COMPLETION_DATA_MISSING: Rule =
    Rule::warning(Step::Status, "completion-data-missing")
        .applies_to(|it| it.requires_companion(Companion::CompletionData))
        .says("Status is {status} but completion_data is missing")
        .advises("Write completion_data with completion_summary");

pub(super) static COMPLETION_SUMMARY_MISSING: Rule =
    Rule::warning(Step::Status, "completion-summary-missing")
        .applies_to(|it| it.requires_companion(Companion::CompletionData))
        .says("completion_data has no completion_summary")
        .advises("Say in one to three sentences what was accomplished");

pub(super) fn check(collector: &mut Collector<'_, '_>, object: Value<'_, '_>, status: &Status) {
    let needs = |companion| status.companions.contains(&companion);
    let values = values![status = &status.word];
    if status.meaning == Meaning::Unfinished {
        collector.report(&STILL_IN_PROGRESS, "status", &values);
    }
    if needs(Companion::StartedAt) && object.lacks("started_at") {
        collector.report(&STARTED_AT_MISSING, "status", &values);
    }
    if let Some((at, start)) = timestamp(collector, object, "started_at") {
        started_at(collector, status, at, start);
    }
    for place in ["metadata", "partial_progress"] {
        phases(collector, object, status, place);
    }
    if needs(Companion::Progress) {
        progress(collector, object, status);
    }
    if needs(Companion::CompletionData) {
        if object.lacks("completion_data") {
            collector.report(&COMPLETION_DATA_MISSING, "status", &values);
        }
        if let Some(data) = object.object_of("completion_data") {
            completion_data(collector, object, data);
        }
    }
}

fn progress(collector: &mut Collector<'_, '_>, object: Value<'_, '_>, status: &Status) {
    let mut missing = |what, at: Location<'_>| {
        let values = values![status = &status.word, what = Placeholder::Text(what)];
        collector.report(&PROGRESS_MISSING, at, &values);
    };
    let has = |name| object.object_of("metadata")?.number_of(name);
    let has_phases = has("phases_completed").and(has("phases_total")).is_some();
    if object.lacks("partial_progress") && !has_phases {
        missing("partial_progress", "status".into());
    }
    let Some(progress) = object.object_of("partial_progress") else {
        return;
    };
    for (name, what) in
        [("stage", "partial_progress.stage"), ("details", "partial_progress.details")]
    {
        if progress.lacks_text(name) {
            missing(what, progress.into());
        }
    }
}

pub(super) static TIMESTAMP_FORMAT: Rule = Rule::warning(Step::Status, "timestamp-format")
    .applies_to(|it| it.has_field("started_at") || it.has_field("timestamp"))
    .says("{name} is not an ISO 8601 timestamp: {timestamp}")
    .advises("Write {name} like 2026-01-28T10:30:00Z");

/// The time in a member, and the member. Reports a text that is no timestamp.
pub(super) fn timestamp<'v, 't>(
    collector: &mut Collector<'_, '_>,
    object: Value<'v, 't>,
    name: &'static str,
) -> Option<(Value<'v, 't>, Instants)> {
    let at = object.member(name)?;
    let text = at.text()?;
    // jiff accepts more than the standard: a space instead of the T, and a time zone in brackets.
    let mut dates = ["2026-01-28", "20260128"].iter();
    let has_mark = dates.any(|date| text.as_bytes().get(date.len()) == Some(&b'T'));
    let is_strict = has_mark && !text.contains('[');
    let instants = is_strict.then(|| instants(text)).flatten();
    if instants.is_none() {
        let values = values![name = Placeholder::Text(name), timestamp = text];
        collector.report(&TIMESTAMP_FORMAT, at, &values);
    }
    Some((at, instants?))
}

/// The greatest difference between the clocks of two machines that is tolerated, in seconds.
const SKEW: i64 = 5 * 60;

/// The age at which unfinished work counts as abandoned unless the caller says otherwise, in seconds.
const DAY: i64 = 24 * 60 * 60;

/// The greatest offsets of time zones from UTC, in seconds: east and west.
const EAST: i64 = 14 * 60 * 60;
const WEST: i64 = 12 * 60 * 60;

pub(super) static STARTED_AT_IMPLAUSIBLE: Rule =
    Rule::warning(Step::Status, "started-at-implausible")
        .applies_to(|it| it.has_field("started_at"))
        .says("Work with status {status} started {length} {what}")
        .helps(
            "Verify whether {agent} is still running, and that started_at is the time of its start",
        )
        .advises("Write started_at as the time of your start");

/// Compares a start time with the current time. The clock is only read if there is a start time.
fn started_at(
    collector: &mut Collector<'_, '_>,
    status: &Status,
    at: Value<'_, '_>,
    [earliest, latest]: Instants,
) {
    let expected = &collector.context.expected;
    let now = jiff::Timestamp::try_from(expected.time()).map_or(0, jiff::Timestamp::as_second);
    let age = expected.stale_after.map(|age| i64::try_from(age.as_secs()));
    let stale_after = age.map_or(DAY, |age| age.unwrap_or(i64::MAX));
    let is_unfinished = status.meaning == Meaning::Unfinished;
    let (seconds, what) = if earliest > now.saturating_add(SKEW) {
        (earliest.saturating_sub(now), "in the future")
    } else if is_unfinished && now.saturating_sub(latest) > stale_after {
        (now.saturating_sub(latest), "ago")
    } else {
        return;
    };
    let values = values![
        status = &status.word,
        length = Placeholder::Shown(span(seconds.unsigned_abs())),
        what = Placeholder::Text(what),
    ];
    collector.report(&STARTED_AT_IMPLAUSIBLE, at, &values);
}

/// The earliest and the latest time that a timestamp can mean, in seconds since 1970. They differ if it
/// has no offset, because it may then be in any time zone.
pub(super) type Instants = [i64; 2];

/// Parses a timestamp. ISO 8601 also allows one without an offset. None if the text is not a timestamp.
fn instants(text: &str) -> Option<Instants> {
    if let Ok(instant) = text.parse::<jiff::Timestamp>() {
        return Some([instant.as_second(); 2]);
    }
    let local: jiff::civil::DateTime = text.parse().ok()?;
    // The last day of the calendar cannot be converted to a time zone.
    let utc = local.to_zoned(jiff::tz::TimeZone::UTC);
    let second = utc.map(|utc| utc.timestamp().as_second());
    Some(second.map_or([i64::MIN, i64::MAX], |second| [second - EAST, second + WEST]))
}

pub(super) static PROGRESS_INCONSISTENT: Rule =
    Rule::warning(Step::Status, "progress-inconsistent")
        .applies_to(|it| it.has_field("metadata.phases_total"))
        .says("Status is {status} but {count} of {most} phases are completed")
        .advises("Write a status that fits phases_completed and phases_total");

/// Compares the number of completed phases with that of all phases, in the object that has both.
fn phases(
    collector: &mut Collector<'_, '_>,
    object: Value<'_, '_>,
    status: &Status,
    place: &'static str,
) {
    let of = |name| {
        let at = object.object_of(place)?.member(name)?;
        Some((at, at.number()?))
    };
    let (Some((at, completed)), Some((_, total))) = (of("phases_completed"), of("phases_total"))
    else {
        return;
    };
    let needs = |companion| status.companions.contains(&companion);
    let is_all = completed >= total;
    let fits = match status.meaning {
        Meaning::Success => is_all || !needs(Companion::CompletionData),
        Meaning::Other => !is_all || !needs(Companion::Progress),
        Meaning::Unfinished => true,
    };
    if !fits || completed < 0.0 || completed > total {
        let values = values![
            status = &status.word,
            count = Placeholder::amount(completed),
            most = Placeholder::amount(total),
        ];
        collector.report(&PROGRESS_INCONSISTENT, at, &values);
    }
}

const SUMMARY_SENTENCES_AT_MOST: usize = 3;

/// The folder with the agents' own configuration, and the folder in it with the tasks.
const CONFIGURATION: &str = ".claude/";
const TASKS: &str = ".claude/specs/";

pub(super) static COMPLETION_DATA_CLAUDEMD: Rule =
    Rule::warning(Step::Status, "completion-data-claudemd")
        .applies_to(|it| it.requires_companion(Companion::CompletionData))
        .says("completion_data does not fit a meta task: {why}")
        .advises(
            "Say in claudemd_suggestions what changed below .claude/, and leave out roadmap_items",
        );

pub(super) static COMPLETION_SUMMARY_SENTENCES: Rule =
    Rule::warning(Step::Status, "completion-summary-sentences")
        .applies_to(|it| it.requires_companion(Companion::CompletionData))
        .says("completion_summary has {count}, expected 1 to {most}")
        .advises("Summarize in 1 to {most} sentences");

fn completion_data(collector: &mut Collector<'_, '_>, object: Value<'_, '_>, data: Value<'_, '_>) {
    if data.lacks_text("completion_summary") {
        collector.report(&COMPLETION_SUMMARY_MISSING, data, &[]);
    }
    if let Some(at) = data.member("completion_summary")
        && let Some(number) = at.text().map(sentences)
        && number > SUMMARY_SENTENCES_AT_MOST
    {
        let values = values![
            count = Placeholder::Shown(count(number, "sentence")),
            most = SUMMARY_SENTENCES_AT_MOST,
        ];
        collector.report(&COMPLETION_SUMMARY_SENTENCES, at, &values);
    }
    if !changes_configuration(object) {
        return;
    }
    let mut report = |why, at: Value<'_, '_>| {
        let values = values![why = Placeholder::Text(why)];
        collector.report(&COMPLETION_DATA_CLAUDEMD, at, &values);
    };
    let is_none = |text: &str| text.trim().trim_end_matches('.').eq_ignore_ascii_case("none");
    if data.lacks_text("claudemd_suggestions") {
        report("claudemd_suggestions is missing", data);
    } else if let Some(at) = data.member("claudemd_suggestions")
        && at.text().is_some_and(is_none)
    {
        let why = "claudemd_suggestions is none, but a file below .claude/ changed";
        report(why, at);
    }
    if let Some(roadmap) = data.member("roadmap_items")
        && roadmap.items().next().is_some()
    {
        report("roadmap_items are for other tasks", roadmap);
    }
}

fn changes_configuration(object: Value<'_, '_>) -> bool {
    let artifacts = object.list_of("artifacts").into_iter().flatten();
    let mut paths = artifacts.filter_map(|it| it.text_of("path"));
    paths.any(|path| {
        let path = path.strip_prefix("./").unwrap_or(path);
        path.starts_with(CONFIGURATION) && !path.starts_with(TASKS)
    })
}

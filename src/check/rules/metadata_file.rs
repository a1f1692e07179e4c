//! Metadata files: what only they have.
//!
//! Step 3: members that a status requires, work that was never finished, the time at which it began, the
//! number of completed phases, and what `completion_data` says about the task.

use crate::check::{Collector, Location, Placeholder, values};
use crate::document::tree::Value;
use crate::profile::{Meaning, Status};
use crate::rule::{Companion, Rule, Step, ToAgent};
use crate::text::count;
use crate::text::sentences::sentences;

pub(crate) static STILL_IN_PROGRESS: Rule = Rule {
    id: "still-in-progress",
    applies: |it| (it.statuses.iter()).any(|it| it.meaning == Meaning::Unfinished),
    message: "Status is still {status}",
    help: "Wait for {agent} while it is running; if it is not, resume it, or start it again",
    advice_to_agent: "Finish your work, and write a final status",
    ..Rule::warning(Step::Status)
};

pub(super) static STARTED_AT_MISSING: Rule = Rule {
    id: "started-at-missing",
    applies: |it| it.requires_companion(Companion::StartedAt),
    message: "Status is {status} but started_at is missing",
    help: "Fix {agent} subagent to write started_at when it starts",
    advice_to_agent: "Write started_at when you start",
    ..Rule::warning(Step::Status)
};

pub(super) static PROGRESS_MISSING: Rule = Rule {
    id: "progress-missing",
    applies: |it| it.requires_companion(Companion::Progress),
    message: "Status is {status} but {what} is missing",
    advice_to_agent: "Write partial_progress with stage and details",
    ..Rule::warning(Step::Status)
};

pub(super) static COMPLETION_DATA_MISSING: Rule = Rule {
    id: "completion-data-missing",
    applies: |it| it.requires_companion(Companion::CompletionData),
    message: "Status is {status} but completion_data is missing",
    advice_to_agent: "Write completion_data with completion_summary",
    ..Rule::warning(Step::Status)
};

pub(super) static COMPLETION_SUMMARY_MISSING: Rule = Rule {
    id: "completion-summary-missing",
    applies: |it| it.requires_companion(Companion::CompletionData),
    message: "completion_data has no completion_summary",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Say in one to three sentences what was accomplished",
    ..Rule::warning(Step::Status)
};

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
    let metadata = object.object_of("metadata");
    let has = |name| metadata.is_some_and(|it| it.number_of(name).is_some());
    let has_phases = has("phases_completed") && has("phases_total");
    if object.lacks("partial_progress") && !has_phases {
        missing("partial_progress", "status".into());
    }
    if let Some(progress) = object.object_of("partial_progress") {
        if progress.lacks_text("stage") {
            missing("partial_progress.stage", progress.into());
        }
        if progress.lacks_text("details") {
            missing("partial_progress.details", progress.into());
        }
    }
}

/// Examples of the part of a timestamp before the T. Only their lengths are used.
const DATES: [&str; 2] = ["2026-01-28", "20260128"];

pub(super) static TIMESTAMP_FORMAT: Rule = Rule {
    id: "timestamp-format",
    applies: |it| it.has_field("started_at") || it.has_field("timestamp"),
    message: "{name} is not an ISO 8601 timestamp: {timestamp}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write {name} like 2026-01-28T10:30:00Z",
    ..Rule::warning(Step::Status)
};

/// The time in a member of the return, and the member. Reports a text that is not a timestamp. None if there is
/// no such text or it is not a timestamp.
pub(super) fn timestamp<'v, 't>(
    collector: &mut Collector<'_, '_>,
    object: Value<'v, 't>,
    name: &'static str,
) -> Option<(Value<'v, 't>, Instants)> {
    let at = object.member(name)?;
    let text = at.text()?;
    // jiff accepts more than the standard: a space instead of the T, and a time zone in brackets.
    let mut ends = DATES.iter().map(|date| text.as_bytes().get(date.len()));
    let is_strict = ends.any(|it| it == Some(&b'T')) && !text.contains('[');
    let instants = is_strict.then(|| Instants::of(text)).flatten();
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

pub(super) static STARTED_AT_IMPLAUSIBLE: Rule = Rule {
    id: "started-at-implausible",
    applies: |it| it.has_field("started_at"),
    message: "Work with status {status} started {length} {what}",
    help: "Verify whether {agent} is still running, and that started_at is the time of its start",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write started_at as the time of your start",
    ..Rule::warning(Step::Status)
};

/// Compares a start time with the current time. The clock is only read if there is a start time.
fn started_at(
    collector: &mut Collector<'_, '_>,
    status: &Status,
    at: Value<'_, '_>,
    Instants { earliest, latest }: Instants,
) {
    let expected = &collector.context.expected;
    let now = jiff::Timestamp::try_from(expected.time()).map_or(0, jiff::Timestamp::as_second);
    let stale_after = expected
        .stale_after
        .map_or(DAY, |age| i64::try_from(age.as_secs()).unwrap_or(i64::MAX));
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

/// A time span in the largest unit of which it has at least two.
fn span(seconds: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(24 * 60 * 60, "day"), (60 * 60, "hour"), (60, "minute")];
    let unit = UNITS.iter().find(|(size, _)| seconds >= 2 * size);
    let (size, name) = unit.copied().unwrap_or((1, "second"));
    count(usize::try_from(seconds / size).unwrap_or(usize::MAX), name)
}

/// The earliest and the latest time that a timestamp can mean, in seconds since 1970. They differ if it
/// has no offset, because it may then be in any time zone.
#[derive(Clone, Copy)]
pub(super) struct Instants {
    earliest: i64,
    latest: i64,
}

impl Instants {
    /// Parses a timestamp. ISO 8601 also allows one without an offset. None if the text is not a
    /// timestamp.
    fn of(text: &str) -> Option<Self> {
        if let Ok(instant) = text.parse::<jiff::Timestamp>() {
            let second = instant.as_second();
            return Some(Self {
                earliest: second,
                latest: second,
            });
        }
        let local: jiff::civil::DateTime = text.parse().ok()?;
        // The last day of the calendar cannot be converted to a time zone.
        let utc = local.to_zoned(jiff::tz::TimeZone::UTC).ok();
        let second = utc.map(|utc| utc.timestamp().as_second());
        Some(Self {
            earliest: second.map_or(i64::MIN, |second| second - EAST),
            latest: second.map_or(i64::MAX, |second| second + WEST),
        })
    }
}

pub(super) static PROGRESS_INCONSISTENT: Rule = Rule {
    id: "progress-inconsistent",
    applies: |it| it.has_field("metadata.phases_total"),
    message: "Status is {status} but {count} of {most} phases are completed",
    advice_to_agent: "Write a status that fits phases_completed and phases_total",
    ..Rule::warning(Step::Status)
};

/// Compares the number of completed phases with that of all phases, in the object that has both.
fn phases(
    collector: &mut Collector<'_, '_>,
    object: Value<'_, '_>,
    status: &Status,
    place: &'static str,
) {
    let of = |name| object.object_of(place)?.member(name);
    let (Some(at), Some(total)) = (of("phases_completed"), of("phases_total")) else {
        return;
    };
    let (Some(completed), Some(total)) = (at.number(), total.number()) else {
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

/// The most sentences of a completion summary.
const SUMMARY_SENTENCES_AT_MOST: usize = 3;

/// The folder with the agents' own configuration, and the folder in it with the tasks.
const CONFIGURATION: &str = ".claude/";
const TASKS: &str = ".claude/specs/";

pub(super) static COMPLETION_DATA_CLAUDEMD: Rule = Rule {
    id: "completion-data-claudemd",
    applies: |it| it.requires_companion(Companion::CompletionData),
    message: "completion_data does not fit a meta task: {why}",
    help: "Fix {agent} subagent to say in claudemd_suggestions what changed below .claude/, and to \
         leave out roadmap_items",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Say in claudemd_suggestions what changed below .claude/, and leave out roadmap_items",
    ..Rule::warning(Step::Status)
};

pub(super) static COMPLETION_SUMMARY_SENTENCES: Rule = Rule {
    id: "completion-summary-sentences",
    applies: |it| it.requires_companion(Companion::CompletionData),
    message: "completion_summary has {count}, expected 1 to {most}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Summarize in 1 to {most} sentences",
    ..Rule::warning(Step::Status)
};

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
    let has_changed = changes_configuration(object);
    if !has_changed && !is_meta_agent(object) {
        return;
    }
    let mut report = |why, at: Value<'_, '_>| {
        let values = values![why = Placeholder::Text(why)];
        collector.report(&COMPLETION_DATA_CLAUDEMD, at, &values);
    };
    let is_none = |text: &str| {
        text.trim()
            .trim_end_matches('.')
            .eq_ignore_ascii_case("none")
    };
    match data.member("claudemd_suggestions") {
        _ if data.lacks_text("claudemd_suggestions") => {
            report("claudemd_suggestions is missing", data);
        }
        Some(at) if has_changed && at.text().is_some_and(is_none) => {
            let why = "claudemd_suggestions is none, but a file below .claude/ changed";
            report(why, at);
        }
        _ => {}
    }
    if let Some(roadmap) = data.member("roadmap_items")
        && roadmap.items().next().is_some()
    {
        report("roadmap_items are for other tasks", roadmap);
    }
}

fn is_meta_agent(object: Value<'_, '_>) -> bool {
    let metadata = object.object_of("metadata");
    let agent = metadata.and_then(|it| it.text_of("agent_type"));
    agent.is_some_and(|agent| {
        let mut words = agent.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| word.eq_ignore_ascii_case("meta"))
    })
}

fn changes_configuration(object: Value<'_, '_>) -> bool {
    let artifacts = object.list_of("artifacts").into_iter().flatten();
    let mut paths = artifacts.filter_map(|it| it.text_of("path"));
    paths.any(|path| {
        let path = path.strip_prefix("./").unwrap_or(path);
        path.starts_with(CONFIGURATION) && !path.starts_with(TASKS)
    })
}

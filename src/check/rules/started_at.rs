//! Step 3, metadata files: the time at which the work began.

use crate::check::{Collector, Value, values};
use crate::profile::{Meaning, Status};
use crate::rule::{Example, Rule, Step, ToAgent};

/// The greatest difference between the clocks of two machines that is tolerated, in seconds.
const SKEW: i64 = 5 * 60;

/// The greatest offsets of time zones from UTC, in seconds: east and west.
const EAST: i64 = 14 * 60 * 60;
const WEST: i64 = 12 * 60 * 60;

pub(super) static IMPLAUSIBLE: Rule = Rule {
    id: "started-at-implausible",
    applies: |it| it.has_field("started_at"),
    message: "Work with status {status} started {length} {what}",
    help: "Verify whether {agent} is still running, and that started_at is the time of its start",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Write started_at as the time of your start",
    explanation: "A start in the future was invented. A start long ago with a status for \
                  unfinished work means that the agent was interrupted and left its file \
                  behind. The setting stale-after says how long work may take; the default is 24h.",
    source: "Return metadata file, started_at",
    example: Example::of_members(
        "return-meta",
        r#""status": "in_progress", "started_at": "2026-01-01T08:00:00Z", "partial_progress": {"stage": "phase_2", "details": "The printer is written"}"#,
        r#""status": "in_progress", "started_at": "2026-01-03T08:00:00Z", "partial_progress": {"stage": "phase_2", "details": "The printer is written"}"#,
    )
    .with("RETVAL_NOW=2026-01-03T12:00:00Z --rule still-in-progress=off"),
    ..Rule::warning(Step::Status)
};

/// Compares a start time with the current time. The clock is only read if there is a start time.
pub(super) fn check(
    collector: &mut Collector<'_, '_>,
    status: &Status,
    Instants { earliest, latest }: Instants,
) {
    let clock = collector.context.expected.clock;
    let now = clock.seconds();
    let stale_after = i64::try_from(clock.stale_after.as_secs()).unwrap_or(i64::MAX);
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
        length = Value::Seconds(seconds.unsigned_abs()),
        what = Value::Text(what),
    ];
    collector.report(&IMPLAUSIBLE, "started_at", &values);
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
    pub(super) fn of(text: &str) -> Option<Self> {
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

//! Step 4: the return was written for the delegation that was made, not for an earlier one.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::check::{Collector, values};
use crate::document::pointer::Pointer;
use crate::rule::{Rule, Step};

/// Some file systems take the time of a change from a clock that advances in ticks. The recorded time
/// can be earlier than the change by up to one tick, for which this is generous.
const TICK: Duration = Duration::from_millis(20);

/// Whether something that was written at one time is certainly older than another time.
pub(crate) fn is_older(written: SystemTime, since: SystemTime) -> bool {
    let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (at, limit) = (seconds(written), seconds(since));
    // Some file systems record whole seconds only.
    let is_same_second = at.subsec_nanos() == 0 && at.as_secs() == limit.as_secs();
    let latest = written.checked_add(TICK);
    !is_same_second && latest.is_some_and(|latest| latest < since)
}

pub(super) static STALE: Rule = Rule {
    id: "return-stale",
    message: "Return was not written since {timestamp}",
    help: "Fix {agent} subagent to write its own file in every run",
    advice_to_agent: "Write your own file in every run",
    source: "Return metadata file, agent instructions (each run writes its own file)",
    ..Rule::error(Step::Session)
};

pub(super) fn check(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let (Some(since), Some(written)) = (context.expected.since, context.input.file.written) else {
        return;
    };
    if is_older(written, since) {
        // The message shows whole seconds.
        let since = jiff::Timestamp::try_from(since).ok();
        let since = since.and_then(|it| jiff::Timestamp::from_second(it.as_second()).ok());
        let since = since.map_or_else(String::new, |since| since.to_string());
        let root = Pointer::root();
        collector.report(&STALE, root, &values![timestamp = &since]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_and_a_whole_second_make_nothing_older() {
        let at = |millis| UNIX_EPOCH + Duration::from_millis(millis);
        for (written, since, expected) in [
            (5_500, 5_500, false),
            (5_490, 5_500, false),
            (5_400, 5_500, true),
            (5_000, 5_500, false),
            (5_000, 6_000, true),
            (6_000, 5_500, false),
        ] {
            assert_eq!(
                is_older(at(written), at(since)),
                expected,
                "{written}, {since}"
            );
        }
    }

    // On other systems, the range of times ends earlier.
    #[cfg(unix)]
    #[test]
    fn the_last_time_of_all_is_not_older() {
        let last = UNIX_EPOCH.checked_add(Duration::new(i64::MAX.unsigned_abs(), 999_999_999));
        assert!(!is_older(last.expect("a time"), UNIX_EPOCH));
    }
}

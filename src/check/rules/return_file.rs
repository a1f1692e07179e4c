//! The file that a return is in. Step 2: it is in the folder of its task. Step 4: it was written for the delegation
//! that was made, not for an earlier one.

use std::ffi::OsString;
use std::path::{Component, Path};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::check::{Collector, Location, Placeholder, values};
use crate::rule::{Requirement, Rule, Step};

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

pub(super) static STALE: Rule = Rule::error(Step::Session, "return-stale")
    .says("Return was not written since {timestamp}")
    .advises("Write your own file in every run");

pub(super) fn check_age(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    if let (Some(since), Some(written)) = (context.expected.since, context.input.file.written)
        && is_older(written, since)
    {
        // The message shows whole seconds.
        let since = jiff::Timestamp::try_from(since);
        let since = since.and_then(|it| jiff::Timestamp::from_second(it.as_second()));
        let since = since.map_or_else(|_| String::new(), |since| since.to_string());
        collector.report(&STALE, Location::Whole, &values![timestamp = &since]);
    }
}

pub(super) static LOCATION: Rule = Rule::warning(Step::Fields, "metadata-location")
    .applies_to(|it| it.requires(Requirement::TaskFolder))
    .says("Metadata file is not in the folder of its task: {path} ({why})")
    .advises("Write the file as specs/{expected}/.return-meta.json");

pub(super) fn check_location(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    if let Some(path) = context.input.file.path
        && context.profile.matches_path(path)
        && collector.is_enabled(&LOCATION)
        && let Some(why) = fault_of_folder(&names_in(path))
    {
        let shown = path.to_string_lossy();
        let values = values![
            path = &shown,
            why = Placeholder::Text(why),
            expected = Placeholder::Text("{N}_{slug}"),
        ];
        collector.report(&LOCATION, Location::Whole, &values);
    }
}

/// The names in a path, or in the absolute path if there are fewer than three. `..` takes back the name before it.
fn names_in(path: &Path) -> Vec<OsString> {
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => names.push(name.to_owned()),
            Component::ParentDir => drop(names.pop()),
            _ => {}
        }
    }
    match std::path::absolute(path) {
        Ok(absolute) if names.len() < 3 && path.is_relative() => names_in(&absolute),
        _ => names,
    }
}

/// Why the path with these names is not `specs/{N}_{slug}/FILE`. None if it is.
fn fault_of_folder(names: &[OsString]) -> Option<&'static str> {
    let task = match names {
        [.., specs, task, _] if specs == "specs" => task,
        _ => return Some("its folder is not below specs"),
    };
    let task = task.to_str().and_then(|task| task.split_once('_'));
    let is_of_word = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit();
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(is_of_word);
    let fits = task.is_some_and(|(number, slug)| {
        let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
        let is_padded = number.len() > 1 && number.starts_with('0');
        is_number && !is_padded && slug.split('_').all(is_word)
    });
    (!fits).then_some(
        "the name of its folder is not the number of the task and its name in snake_case",
    )
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
            assert_eq!(is_older(at(written), at(since)), expected, "{written}, {since}");
        }
    }

    // On other systems, the range of times ends earlier.
    #[cfg(unix)]
    #[test]
    fn the_last_time_of_all_is_not_older() {
        let last = UNIX_EPOCH.checked_add(Duration::new(i64::MAX.unsigned_abs(), 999_999_999));
        assert!(!is_older(last.expect("a time"), UNIX_EPOCH));
    }

    #[test]
    fn a_task_folder_has_a_number_and_a_name_in_snake_case() {
        for path in [
            "specs/259_prove_completeness/m",
            "/a/specs/7_b2/m",
            "./specs/0_a/m",
            "specs/7_a/../7_a/m",
            "../specs/7_a/m",
            "specs/other/.././7_a/m",
        ] {
            assert_eq!(fault_of_folder(&names_in(Path::new(path))), None, "{path}");
        }
        for (path, why) in [
            ("m", "below specs"),
            ("7_a/m", "below specs"),
            ("other/7_a/m", "below specs"),
            ("specs/m", "below specs"),
            ("specs/tides/m", "snake_case"),
            ("specs/a_7/m", "snake_case"),
            ("specs/_a/m", "snake_case"),
            ("specs/007_a/m", "snake_case"),
            ("specs/7_Foo/m", "snake_case"),
            ("specs/7_a-b/m", "snake_case"),
            ("specs/7_a__b/m", "snake_case"),
            ("specs/7_/m", "snake_case"),
            ("specs/7_a/../m", "below specs"),
        ] {
            let found = fault_of_folder(&names_in(Path::new(path))).expect("a fault");
            assert!(found.contains(why), "{path}: {found}");
        }
    }
}

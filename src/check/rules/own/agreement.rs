//! Step 2: values of a document that the standard compares agree with each other.

use std::path::Path;

use crate::check::rules::own::fields::Fields;
use crate::check::rules::path_target::PathTarget;
use crate::check::{Diagnostic, DiagnosticNote, Value, fitting, values};
use crate::form::document::{Content, PlacedValue};
use crate::form::lookup::FoundValue;
use crate::json::pointer::Pointer;
use crate::rule::{Applies, Example, Level, Rule, Step};
use crate::standard::ValuePlace;
use crate::standard::claims::{CountRule, CountedThings, PathGlob};
use crate::standard::find::{is_nothing, scalar};
use crate::standard::number;

pub(crate) static DIFFERENT: Rule = Rule {
    id: "value-different",
    step: Step::Fields,
    level: Level::Error,
    applies: Applies::IfStandard,
    message: "{name} differs from {what}",
    help: "Fix {agent} subagent to write the same value in both places",
    message_to_agent: None,
    advice_to_agent: "Write the same value in both places",
    explanation: "The standard says that two places have one value. They contradict each other.",
    source: "The standard of the profile",
    example: Example::of_standard(
        super::RESULTS,
        r#"{"run": "r7", "results": {"run": "r6", "passed": 2, "failed": 1, "total": 3}, "failures": [{"severity": "high"}]}"#,
        r#"{"run": "r7", "results": {"run": "r7", "passed": 2, "failed": 1, "total": 3}, "failures": [{"severity": "high"}]}"#,
    ),
};

pub(crate) static SUM: Rule = Rule {
    id: "sum-wrong",
    step: Step::Fields,
    level: Level::Error,
    applies: Applies::IfStandard,
    message: "Sum is wrong: {name} is {found}, but the parts add up to {expected}",
    help: "Fix {agent} subagent to add up its own numbers",
    message_to_agent: Some(
        "Your sum is wrong: {name} is {found}, but the parts add up to {expected}",
    ),
    advice_to_agent: "Add up your numbers again",
    explanation: "A total is not the sum of its parts. A value that is no number is left out, and \
                  then nothing is compared.",
    source: "The standard of the profile",
    example: Example::of_standard(
        super::RESULTS,
        r#"{"run": "r7", "results": {"run": "r7", "passed": 2, "failed": 1, "total": 4}, "failures": [{"severity": "high"}]}"#,
        r#"{"run": "r7", "results": {"run": "r7", "passed": 2, "failed": 1, "total": 3}, "failures": [{"severity": "high"}]}"#,
    ),
};

pub(crate) static COUNT: Rule = Rule {
    id: "count-wrong",
    step: Step::Fields,
    level: Level::Error,
    applies: Applies::IfStandard,
    message: "Count is wrong: {name} is {found}, there are {expected}",
    help: "Fix {agent} subagent to count what it lists",
    message_to_agent: Some("Your count is wrong: {name} is {found}, there are {expected}"),
    advice_to_agent: "Count what you list again",
    explanation: "A number is not that of the items, or of the files, that the standard says it \
                  counts.",
    source: "The standard of the profile",
    example: Example::of_standard(
        super::RESULTS,
        r#"{"run": "r7", "results": {"run": "r7", "passed": 2, "failed": 1, "total": 3}, "failures": []}"#,
        r#"{"run": "r7", "results": {"run": "r7", "passed": 2, "failed": 1, "total": 3}, "failures": [{"severity": "high"}]}"#,
    ),
};

impl<'d, 't> Fields<'_, 'd, '_, 't> {
    pub(super) fn same(&mut self, places: &[ValuePlace]) {
        let mut first: Option<(&ValuePlace, FoundValue<'d, 't>)> = None;
        for place in places {
            for found in self.find(place).unwrap_or_default() {
                let Some((known, one)) = &first else {
                    first = Some((place, found));
                    continue;
                };
                if is_same(one.value, found.value) {
                    continue;
                }
                let [expected, got] = [one.value, found.value].map(shown);
                let notes = [
                    DiagnosticNote::Expected(crate::text::escape::truncated(&expected)),
                    DiagnosticNote::Got(crate::text::escape::truncated(&got)),
                ];
                let values = values![name = place.as_str(), what = known.as_str()];
                let diagnostic =
                    Diagnostic::new(fitting!(DIFFERENT), found.pointer.clone(), &values);
                self.collector.add(diagnostic.notes(&notes));
            }
        }
    }

    pub(super) fn sum(&mut self, total: &ValuePlace, parts: &[ValuePlace]) {
        let Some((at, number)) = self.number(total) else {
            return;
        };
        let mut sum = 0.0;
        for part in parts {
            let found = self.find(part).unwrap_or_default();
            let numbers: Option<Vec<_>> = found.iter().map(|it| number::of(it.value)).collect();
            match numbers {
                Some(numbers) if !numbers.is_empty() => sum += numbers.iter().sum::<f64>(),
                _ => return,
            }
        }
        if (sum - number).abs() > TOLERANCE {
            let values = values![
                name = total.as_str(),
                found = Value::Amount(number),
                expected = Value::Amount(sum),
            ];
            self.collector.report(fitting!(SUM), at, &values);
        }
    }

    pub(super) fn count(&mut self, count: &CountRule) {
        let Some((at, number)) = self.number(&count.number) else {
            return;
        };
        let counted = match &count.counted {
            CountedThings::Items { place, members } => {
                self.items(place, members).map(|count| [count, count])
            }
            CountedThings::Files { folder, glob } => {
                let found = self.find(folder).unwrap_or_default();
                let folder = found.first().and_then(|it| scalar(it.value));
                folder.and_then(|folder| self.files(&folder, glob))
            }
        };
        let Some(counted) = counted else { return };
        #[allow(clippy::cast_precision_loss, reason = "no return has 2^52 items")]
        let is_right = |counted: usize| (number - counted as f64).abs() <= TOLERANCE;
        if !counted.into_iter().any(is_right) {
            let values = values![
                name = count.number.as_str(),
                found = Value::Amount(number),
                expected = counted[1],
            ];
            self.collector.report(fitting!(COUNT), at, &values);
        }
    }

    /// The number of items at a place. None if it is not there.
    fn items(&mut self, place: &ValuePlace, members: &[(ValuePlace, String)]) -> Option<usize> {
        let found = self.find(place)?;
        let none = &self.own.standard.none;
        let has_members = |value: &PlacedValue<'_>| {
            members.iter().all(|(member, wanted)| {
                let found = member.find(value).unwrap_or_default();
                let mut texts = found.iter().filter_map(|it| scalar(it.value));
                texts.any(|text| text == *wanted)
            })
        };
        let items = found.iter().flat_map(|it| match &it.value.content {
            Content::List(items) => items.iter().collect(),
            _ => vec![it.value],
        });
        let count = items
            .filter(|it| !is_nothing(it, none) && has_members(it))
            .count();
        (!found.is_empty()).then_some(count)
    }

    /// The number of files in a folder below the root, and with those in folders below it: either may be
    /// meant. None if there is no such folder.
    fn files(&self, folder: &str, glob: &PathGlob) -> Option<[usize; 2]> {
        let root = self.context.root;
        let PathTarget::Below(relative) = PathTarget::of(folder, root) else {
            return None;
        };
        let files = root.files_below(Path::new(&*relative))?;
        let name = |path: &str| {
            path.rsplit('/')
                .next()
                .is_some_and(|name| glob.is_match(name))
        };
        let files = files
            .iter()
            .filter(|path| glob.is_match(path) || name(path));
        let in_folder = files.clone().filter(|path| !path.contains('/'));
        Some([in_folder.count(), files.count()])
    }

    fn number(&mut self, place: &ValuePlace) -> Option<(Pointer<'d>, f64)> {
        let found = self.find(place)?.into_iter().next()?;
        Some((found.pointer, number::of(found.value)?))
    }
}

/// Numbers that differ by no more are equal.
const TOLERANCE: f64 = 1e-9;

/// Whether two values are equal: as text if they are scalars.
fn is_same(one: &PlacedValue<'_>, other: &PlacedValue<'_>) -> bool {
    match (scalar(one), scalar(other)) {
        (Some(one), Some(other)) => one.trim() == other.trim(),
        _ => shown(one) == shown(other),
    }
}

fn shown(value: &PlacedValue<'_>) -> String {
    scalar(value).map_or_else(
        || serde_json::to_string(value).unwrap_or_default(),
        |text| text.trim().to_owned(),
    )
}

//! Handoff files: counts that contradict each other or the status.

use crate::check::{Collector, Context, Diagnostic, Value, values};
use crate::evidence::claims::compared::differ;
use crate::json::field::{Amount, Field, FieldList, Number};
use crate::json::pointer::Pointer;
use crate::profile::document::{Handoff, Suite};
use crate::profile::{Meaning, Profile};
use crate::rule::{Example, Rule, Step, ToAgent};
use crate::text::escape;

/// Reads one count of a suite. None if it is missing or not a number.
type SuitePart = fn(&Suite<'_>) -> Option<f64>;

/// The highest possible review score.
const BEST_SCORE: f64 = 10.0;

pub(super) fn check(collector: &mut Collector<'_, '_>, handoff: &Handoff<'_>) {
    let context = collector.context;
    let mut counts = Counts { collector, handoff };
    if has(context, "tests") {
        counts.tests();
    }
    if has(context, "total_tests") {
        counts.suites();
        counts.totals();
        counts.failures();
    }
    if has(context, "required_changes") {
        counts.changes();
        counts.score();
    }
    for (name, number) in [
        ("challenge_level_reached", &handoff.challenge_level_reached),
        ("security_issues", &handoff.security_issues),
        ("lint_issues", &handoff.lint_issues),
    ] {
        if has(context, name) {
            counts.not_negative(&[name], number);
        }
    }
}

/// Whether the profile defines this member for handoffs of the acting agent.
pub(super) fn has(context: &Context<'_, '_>, path: &str) -> bool {
    context.profile.has_field_of(path, context.acting_agent())
}

struct Counts<'w, 'c, 't, 'h> {
    collector: &'w mut Collector<'c, 't>,
    handoff: &'w Handoff<'h>,
}

pub(super) static COUNTS: Rule = Rule {
    id: "handoff-counts",
    applies: Profile::is_handoff,
    message: "Implausible count: {why}",
    help: "Fix {agent} subagent to count again and to return the status that fits",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Count again and return the status that fits",
    explanation: "A total is not the sum of its parts, a count is negative, a score is outside 0 to \
                  10, or a status does not fit: success with failed tests, approval with required \
                  changes, or requested changes without any. One of the two was made up. A \
                  coverage or a duration without a unit can mean anything.",
    source: "Compact return protocol, handoff file schema by agent",
    example: Example::of_members(
        "handoff",
        r#""tests": {"total": 15, "passing": 12, "failing": 3, "coverage": "92%"}"#,
        r#""tests": {"total": 15, "passing": 15, "failing": 0, "coverage": "92%"}"#,
    ),
    ..Rule::warning(Step::Status)
};

impl Counts<'_, '_, '_, '_> {
    fn report(&mut self, at: &[&str], why: impl FnOnce() -> String) {
        // Names of suites can be as long as the handoff, so the message is not built for nothing.
        if self.collector.count_if_full(&COUNTS) {
            return;
        }
        let keys = at.iter().map(|key| (*key).to_owned());
        let at = keys.fold(Pointer::root(), Pointer::key);
        let why = why();
        let values = values![why = Value::Untrusted(escape::full(&why))];
        let diagnostic = Diagnostic::new(&COUNTS, at, &values);
        self.collector.add(diagnostic);
    }

    fn not_negative(&mut self, at: &[&str], number: &Field<Number>) {
        if let Some(number) = value(number).filter(|number| *number < 0.0) {
            self.report(at, || format!("{} is {number}", name(at)));
        }
    }

    fn success(&self) -> Option<String> {
        let status = self.collector.context.status?;
        (status.meaning == Meaning::Success).then(|| cut(&status.word))
    }

    /// Reports failed tests if the status is a success. Returns whether it did.
    fn failed_in_success(&mut self, at: &[&str], number: &Field<Number>) -> bool {
        let failed = value(number).filter(|failed| *failed > 0.0);
        let (Some(failed), Some(status)) = (failed, self.success()) else {
            return false;
        };
        self.report(at, || {
            format!("status is {status}, but {} is {failed}", name(at))
        });
        true
    }

    fn tests(&mut self) {
        let Some(tests) = self.handoff.tests.present() else {
            return;
        };
        self.not_negative(&["tests", "total"], &tests.total);
        self.not_negative(&["tests", "passing"], &tests.passing);
        self.not_negative(&["tests", "failing"], &tests.failing);
        let parts = (value(&tests.passing), value(&tests.failing));
        if let (Some(total), (Some(passing), Some(failing))) = (value(&tests.total), parts)
            && differ(total, passing + failing)
        {
            let sum = passing + failing;
            self.report(&["tests", "total"], || {
                format!("tests.total is {total}, but passing and failing add up to {sum}")
            });
        }
        self.failed_in_success(&["tests", "failing"], &tests.failing);
        self.lacks_unit(&["tests", "coverage"], &tests.coverage);
    }

    /// The document writes `92%`, but does not say that a bare number is wrong.
    fn lacks_unit(&mut self, at: &[&str], amount: &Field<Amount>) {
        if let Some(Amount::Bare(number)) = amount.present() {
            self.report(at, || format!("{} is {number} without a unit", name(at)));
        }
    }

    fn suites(&mut self) {
        for (key, suite) in suites(self.handoff) {
            self.not_negative(&["tests_run", key, "passed"], &suite.passed);
            self.not_negative(&["tests_run", key, "failed"], &suite.failed);
            self.lacks_unit(&["tests_run", key, "duration"], &suite.duration);
        }
    }

    fn totals(&mut self) {
        let Some(totals) = self.handoff.total_tests.present() else {
            return;
        };
        let members: [(_, _, SuitePart); 2] = [
            ("passed", &totals.passed, |suite| value(&suite.passed)),
            ("failed", &totals.failed, |suite| value(&suite.failed)),
        ];
        for (member, total, part) in members {
            self.not_negative(&["total_tests", member], total);
            let parts: Option<Vec<f64>> =
                suites(self.handoff).map(|(_, suite)| part(suite)).collect();
            let parts = parts.filter(|parts| !parts.is_empty());
            let (Some(total), Some(parts)) = (value(total), parts) else {
                continue;
            };
            let sum: f64 = parts.iter().sum();
            if differ(total, sum) {
                self.report(&["total_tests", member], || {
                    format!("total_tests.{member} is {total}, but the suites add up to {sum}")
                });
            }
        }
    }

    /// Reports failed tests of the QA expert if the status is a success. Only the first member with such
    /// tests is reported.
    fn failures(&mut self) {
        let handoff = self.handoff;
        if let Some(totals) = handoff.total_tests.present()
            && self.failed_in_success(&["total_tests", "failed"], &totals.failed)
        {
            return;
        }
        for (key, suite) in suites(handoff) {
            if self.failed_in_success(&["tests_run", key, "failed"], &suite.failed) {
                return;
            }
        }
        let listed = handoff.failures.items().len();
        if let Some(status) = self.success().filter(|_| listed > 0) {
            self.report(&["failures"], || {
                format!("status is {status}, but failures has {listed}")
            });
        }
    }

    fn changes(&mut self) {
        let required = self.handoff.required_changes.present().map(FieldList::len);
        let context = self.collector.context;
        let Some(status) = context.status else {
            return;
        };
        let is_decision = context.profile.decisions.contains(&status.word);
        match (status.meaning, required) {
            (Meaning::Success, Some(required)) if required > 0 => {
                self.report(&["required_changes"], || {
                    let word = cut(&status.word);
                    format!("status is {word}, but required_changes has {required}")
                });
            }
            (Meaning::Other, None | Some(0)) if is_decision => {
                let at = match self.handoff.required_changes {
                    Field::Missing => &["status"],
                    _ => &["required_changes"],
                };
                self.report(at, || {
                    let word = cut(&status.word);
                    format!("status is {word}, but required_changes has none")
                });
            }
            _ => {}
        }
    }

    fn score(&mut self) {
        let score = value(&self.handoff.code_quality_score);
        if let Some(score) = score.filter(|score| !(0.0..=BEST_SCORE).contains(score)) {
            self.report(&["code_quality_score"], || {
                format!("code_quality_score is {score}, expected 0 to {BEST_SCORE}")
            });
        }
    }
}

fn suites<'h, 't>(handoff: &'h Handoff<'t>) -> impl Iterator<Item = (&'h str, &'h Suite<'t>)> {
    handoff
        .tests_run
        .present()
        .map_or(&[][..], |suites| &suites.0)
        .iter()
        .filter_map(|(key, suite)| Some((&**key, suite.present()?)))
}

fn value(number: &Field<Number>) -> Option<f64> {
    number.present().map(|number| number.0)
}

/// A path in dotted form, as messages show it.
fn name(at: &[&str]) -> String {
    let keys: Vec<_> = at.iter().map(|key| cut(key)).collect();
    keys.join(".")
}

fn cut(text: &str) -> String {
    escape::truncated(text).to_string()
}

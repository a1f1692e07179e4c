//! Handoff files: the members for the next agent are present, and neither they nor their counts contradict
//! each other or the status.

use std::borrow::Cow;

use crate::check::rules::metadata_file;
use crate::check::{Collector, Context, Diagnostic, Placeholder, values};
use crate::document::pointer::Pointer;
use crate::document::tree::Value;
use crate::evidence::claims::compared::differ;
use crate::profile::{Meaning, Need, Profile};
use crate::rule::{Rule, Step, ToAgent};
use crate::text::{escape, is_blank};

pub(super) static INCOMPLETE: Rule = Rule {
    id: "handoff-incomplete",
    applies: Profile::is_handoff,
    message: "Handoff lacks {what}",
    help: "Fix {agent} subagent to write {what} to its handoff file",
    message_to_agent: ToAgent::Words("Your handoff is incomplete"),
    advice_to_agent: "Add {what} to your handoff file",
    ..Rule::warning(Step::Fields)
};

/// Reports all members that the agent's handoff should have and lacks, in one finding.
pub(super) fn complete(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let context = collector.context;
    if !collector.is_enabled(&INCOMPLETE) {
        return;
    }
    let profile = context.profile;
    let at = |path: &str| {
        let mut names = path.split('.');
        names.try_fold(handoff, Value::member)
    };
    let is_missing =
        |path: &str| at(path).is_none_or(|it| it.is_null() || it.text().is_some_and(is_blank));
    let mut missing: Vec<Cow<'_, str>> = Vec::new();
    let routing = profile.routing.iter().map(|name| &**name);
    // The routing members are required as soon as there is one, but a session id alone does not count.
    let mut address = routing
        .clone()
        .filter(|name| profile.session_member().as_deref() != Some(name));
    if address.any(|name| !is_missing(name)) {
        missing.extend(routing.filter(|name| is_missing(name)).map(Cow::Borrowed));
    }
    let agent = context.acting_agent();
    if profile.has_fields_of(agent) {
        let asked = profile
            .fields_of(agent)
            .filter(|it| it.need == Need::Recommended);
        for path in asked.map(|field| &*field.path) {
            // If an object is missing, only the object is reported, not its members.
            let parent = path.rsplit_once('.').map(|(parent, _)| parent);
            if parent.is_none_or(|parent| at(parent).is_some_and(Value::is_object))
                && is_missing(path)
            {
                missing.push(Cow::Borrowed(path));
            }
        }
    }
    if !missing.is_empty() {
        let values = values![what = Placeholder::List(&missing)];
        collector.report(&INCOMPLETE, Pointer::root(), &values);
    }
}

pub(super) fn check(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    metadata_file::timestamp(collector, handoff, "timestamp");
    if has(collector.context, "decision") {
        decision(collector, handoff);
    }
    addressee(collector, handoff);
    if collector.is_enabled(&COUNTS) {
        counts(collector, handoff);
    }
}

pub(super) static DECISION: Rule = Rule {
    id: "handoff-decision",
    applies: Profile::is_handoff,
    message: "Decision is {found}, expected {expected}",
    help: "Fix {agent} subagent to write the decision that it returns as its status",
    advice_to_agent: "Write the decision that you return as your status",
    ..Rule::error(Step::Status)
};

fn decision(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let known = &collector.context.profile.decisions;
    let decision = handoff.text_of("decision");
    let Some(decision) = decision.filter(|it| !is_blank(it) && !known.is_empty()) else {
        return;
    };
    let is_known = |word: &str| known.iter().any(|it| it == word);
    let status = handoff.text_of("status").filter(|word| is_known(word));
    let expected = match status {
        Some(status) if status != decision => format!("{status} as in the status"),
        _ if !is_known(decision) => known.join(" or "),
        _ => return,
    };
    let values = values![found = decision, expected = &expected];
    collector.report(&DECISION, "decision", &values);
}

pub(super) static TO: Rule = Rule {
    id: "handoff-to",
    applies: Profile::is_handoff,
    message: "Handoff is addressed to {found}, but after {status} comes {expected}",
    advice_to_agent: "Address the next agent of the chain",
    ..Rule::warning(Step::Status)
};

fn addressee(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let context = collector.context;
    let Some(found) = handoff.text_of("to_agent").filter(|it| !is_blank(it)) else {
        return;
    };
    let agent = context.acting_agent();
    let is_known = agent.is_some_and(|name| context.profile.agent(name).is_some());
    let Some(status) = context.status.filter(|_| is_known) else {
        return;
    };
    if status.next.is_empty() || status.next.iter().any(|it| it == found) {
        return;
    }
    let expected = status.next.join(" or ");
    let values = values![found = found, status = &status.word, expected = &expected];
    collector.report(&TO, "to_agent", &values);
}

/// The highest possible review score.
const BEST_SCORE: f64 = 10.0;

fn counts(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
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
    for name in ["challenge_level_reached", "security_issues", "lint_issues"] {
        if has(context, name) {
            counts.not_negative(handoff, &[name]);
        }
    }
}

/// Whether the profile defines this member for handoffs of the acting agent.
fn has(context: &Context<'_, '_>, path: &str) -> bool {
    context.profile.has_field_of(path, context.acting_agent())
}

struct Counts<'w, 'c, 't, 'h> {
    collector: &'w mut Collector<'c, 't>,
    handoff: Value<'w, 'h>,
}

pub(super) static COUNTS: Rule = Rule {
    id: "handoff-counts",
    applies: Profile::is_handoff,
    message: "Implausible count: {why}",
    help: "Fix {agent} subagent to count again and to return the status that fits",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Count again and return the status that fits",
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
        let values = values![why = Placeholder::Untrusted(escape::full(&why))];
        let diagnostic = Diagnostic::new(&COUNTS, at, &values);
        self.collector.add(diagnostic);
    }

    /// Reports a negative number. It is the member of an object that the last of these names.
    fn not_negative(&mut self, object: Value<'_, '_>, at: &[&str]) {
        if let Some(number) = number(object, at).filter(|number| *number < 0.0) {
            self.report(at, || format!("{} is {number}", name(at)));
        }
    }

    fn success(&self) -> Option<String> {
        let status = self.collector.context.status?;
        (status.meaning == Meaning::Success).then(|| cut(&status.word))
    }

    /// Reports failed tests if the status is a success. Returns whether it did.
    fn failed_in_success(&mut self, object: Value<'_, '_>, at: &[&str]) -> bool {
        let failed = number(object, at).filter(|failed| *failed > 0.0);
        let (Some(failed), Some(status)) = (failed, self.success()) else {
            return false;
        };
        self.report(at, || {
            format!("status is {status}, but {} is {failed}", name(at))
        });
        true
    }

    fn tests(&mut self) {
        let Some(tests) = self.handoff.object_of("tests") else {
            return;
        };
        self.not_negative(tests, &["tests", "total"]);
        self.not_negative(tests, &["tests", "passing"]);
        self.not_negative(tests, &["tests", "failing"]);
        let parts = (tests.number_of("passing"), tests.number_of("failing"));
        if let (Some(total), (Some(passing), Some(failing))) = (tests.number_of("total"), parts)
            && differ(total, passing + failing)
        {
            let sum = passing + failing;
            self.report(&["tests", "total"], || {
                format!("tests.total is {total}, but passing and failing add up to {sum}")
            });
        }
        self.failed_in_success(tests, &["tests", "failing"]);
        self.lacks_unit(tests, &["tests", "coverage"]);
    }

    /// The document writes `92%`, but does not say that a bare number is wrong.
    fn lacks_unit(&mut self, object: Value<'_, '_>, at: &[&str]) {
        if let Some(number) = number(object, at) {
            self.report(at, || format!("{} is {number} without a unit", name(at)));
        }
    }

    fn suites(&mut self) {
        for suite in suites(self.handoff) {
            let key = suite.key();
            self.not_negative(suite, &["tests_run", key, "passed"]);
            self.not_negative(suite, &["tests_run", key, "failed"]);
            self.lacks_unit(suite, &["tests_run", key, "duration"]);
        }
    }

    fn totals(&mut self) {
        let Some(totals) = self.handoff.object_of("total_tests") else {
            return;
        };
        for member in ["passed", "failed"] {
            self.not_negative(totals, &["total_tests", member]);
            let parts = suites(self.handoff).map(|suite| suite.number_of(member));
            let parts: Option<Vec<f64>> = parts.collect();
            let parts = parts.filter(|parts| !parts.is_empty());
            let (Some(total), Some(parts)) = (totals.number_of(member), parts) else {
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
        if let Some(totals) = handoff.object_of("total_tests")
            && self.failed_in_success(totals, &["total_tests", "failed"])
        {
            return;
        }
        for suite in suites(handoff) {
            if self.failed_in_success(suite, &["tests_run", suite.key(), "failed"]) {
                return;
            }
        }
        let listed = handoff.list_of("failures").into_iter().flatten().count();
        if let Some(status) = self.success().filter(|_| listed > 0) {
            self.report(&["failures"], || {
                format!("status is {status}, but failures has {listed}")
            });
        }
    }

    fn changes(&mut self) {
        let required = self
            .handoff
            .list_of("required_changes")
            .map(Iterator::count);
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
                let at = match self.handoff.member("required_changes") {
                    None => &["status"],
                    Some(_) => &["required_changes"],
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
        let score = self.handoff.number_of("code_quality_score");
        if let Some(score) = score.filter(|score| !(0.0..=BEST_SCORE).contains(score)) {
            self.report(&["code_quality_score"], || {
                format!("code_quality_score is {score}, expected 0 to {BEST_SCORE}")
            });
        }
    }
}

fn suites<'h, 't>(handoff: Value<'h, 't>) -> impl Iterator<Item = Value<'h, 't>> {
    let suites = handoff.object_of("tests_run").into_iter();
    suites.flat_map(Value::members).filter(|it| it.is_object())
}

/// The number that the last of the names of a path is in an object.
fn number(object: Value<'_, '_>, at: &[&str]) -> Option<f64> {
    object.number_of(at.last()?)
}

/// A path in dotted form, as messages show it.
fn name(at: &[&str]) -> String {
    let keys: Vec<_> = at.iter().map(|key| cut(key)).collect();
    keys.join(".")
}

fn cut(text: &str) -> String {
    escape::truncated(text).to_string()
}

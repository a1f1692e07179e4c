//! Handoff files: the members for the next agent are present, and neither they nor their counts contradict
//! each other or the status.

use crate::check::rules::metadata_file;
use crate::check::{Collector, Location, Placeholder, values};
use crate::document::pointer::Segment;
use crate::document::tree::Value;
use crate::evidence::claims::compared::differ;
use crate::profile::{Meaning, Need, Profile};
use crate::rule::{Rule, Step, ToAgent};
use crate::text::escape::truncated;
use crate::text::is_blank;

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
    let (profile, agent) = (context.profile, context.acting_agent());
    let parent = |path: &str| {
        let (outer, name) = path.rsplit_once('.').unwrap_or(("", path));
        let mut names = outer.split('.').filter(|name| !name.is_empty());
        let outer = names.try_fold(handoff, Value::object_of);
        outer.map(|outer| (outer, name.to_owned()))
    };
    // If an object is missing, only the object is reported, not its members.
    let lacks = |path: &str| parent(path).is_some_and(|(outer, name)| outer.lacks_text(&name));
    let mut missing: Vec<&str> = Vec::new();
    // The routing members are required as soon as there is one, but a session id alone does not count.
    let routing = profile.routing.iter().map(|name| &**name);
    let session = profile.session_member();
    let is_session = |name: &str| session.as_deref() == Some(name);
    if routing
        .clone()
        .any(|name| !is_session(name) && !lacks(name))
    {
        missing.extend(routing.filter(|name| lacks(name)));
    }
    if profile.has_fields_of(agent) {
        let fields = profile.fields_of(agent);
        let asked = fields.filter(|it| it.need == Need::Recommended);
        missing.extend(asked.map(|field| &*field.path).filter(|path| lacks(path)));
    }
    if !missing.is_empty() {
        let values = values![what = Placeholder::list(missing)];
        collector.report(&INCOMPLETE, Location::Whole, &values);
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

pub(super) static TO: Rule = Rule {
    id: "handoff-to",
    applies: Profile::is_handoff,
    message: "Handoff is addressed to {found}, but after {status} comes {expected}",
    advice_to_agent: "Address the next agent of the chain",
    ..Rule::warning(Step::Status)
};

pub(super) static COUNTS: Rule = Rule {
    id: "handoff-counts",
    applies: Profile::is_handoff,
    message: "Implausible count: {why}",
    help: "Fix {agent} subagent to count again and to return the status that fits",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Count again and return the status that fits",
    ..Rule::warning(Step::Status)
};

pub(super) fn check(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let context = collector.context;
    let (profile, agent) = (context.profile, context.acting_agent());
    let has = |path| profile.has_field_of(path, agent);
    metadata_file::timestamp(collector, handoff, "timestamp");
    if has("decision") {
        decision(collector, handoff);
    }
    addressee(collector, handoff);
    let success = context.status.filter(|it| it.meaning == Meaning::Success);
    let mut counts = Counts {
        success: success.map(|it| truncated(&it.word).to_string()),
        collector,
    };
    if has("tests") {
        counts.tests(handoff);
    }
    if has("total_tests") {
        counts.suites(handoff);
    }
    if has("required_changes") {
        counts.changes(handoff);
    }
    for name in ["challenge_level_reached", "security_issues", "lint_issues"] {
        if has(name) {
            counts.not_negative(handoff, name);
        }
    }
}

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

fn addressee(collector: &mut Collector<'_, '_>, handoff: Value<'_, '_>) {
    let context = collector.context;
    let is_known = |name| context.profile.agent(name).is_some();
    if let Some(found) = handoff.text_of("to_agent").filter(|it| !is_blank(it))
        && let Some(status) = context.status
        && context.acting_agent().is_some_and(is_known)
        && !status.next.is_empty()
        && !status.next.iter().any(|it| it == found)
    {
        let expected = status.next.join(" or ");
        let values = values![found = found, status = &status.word, expected = &expected];
        collector.report(&TO, "to_agent", &values);
    }
}

/// The highest possible review score.
const BEST_SCORE: f64 = 10.0;

/// The counts of a handoff.
struct Counts<'w, 'c, 't> {
    collector: &'w mut Collector<'c, 't>,
    /// The status, if it is a success. Safe to print.
    success: Option<String>,
}

impl Counts<'_, '_, '_> {
    /// Reports a count. Names of suites can be as long as the handoff, so the message is not built for nothing.
    fn report(&mut self, at: Value<'_, '_>, why: impl FnOnce(&str) -> String) {
        if !self.collector.count_if_full(&COUNTS) {
            let pointer = at.pointer();
            let keys = pointer.steps().iter().map(|step| match step {
                Segment::Key(key) => truncated(key).to_string(),
                Segment::Index(index) => index.to_string(),
            });
            let name = keys.collect::<Vec<_>>().join(".");
            let values = values![why = Placeholder::Shown(why(&name))];
            self.collector.report(&COUNTS, at, &values);
        }
    }

    /// Reports a negative number.
    fn not_negative(&mut self, object: Value<'_, '_>, name: &str) {
        if let Some((at, number)) = number(object, name).filter(|(_, number)| *number < 0.0) {
            self.report(at, |name| format!("{name} is {number}"));
        }
    }

    /// The document writes `92%`, but does not say that a bare number is wrong.
    fn lacks_unit(&mut self, object: Value<'_, '_>, name: &str) {
        if let Some((at, number)) = number(object, name) {
            self.report(at, |name| format!("{name} is {number} without a unit"));
        }
    }

    /// Reports a total that is not the sum of its parts.
    fn total(&mut self, at: Value<'_, '_>, total: f64, sum: f64, parts: &str) {
        if differ(total, sum) {
            self.report(at, |name| {
                format!("{name} is {total}, but {parts} add up to {sum}")
            });
        }
    }

    /// Reports failed tests if the status is a success. Returns whether it did.
    fn failed_in_success(&mut self, object: Value<'_, '_>, name: &str) -> bool {
        let failed = number(object, name).filter(|(_, failed)| *failed > 0.0);
        let (Some((at, failed)), Some(status)) = (failed, self.success.clone()) else {
            return false;
        };
        self.report(at, |name| {
            format!("status is {status}, but {name} is {failed}")
        });
        true
    }

    fn tests(&mut self, handoff: Value<'_, '_>) {
        let Some(tests) = handoff.object_of("tests") else {
            return;
        };
        for name in ["total", "passing", "failing"] {
            self.not_negative(tests, name);
        }
        let parts = (tests.number_of("passing"), tests.number_of("failing"));
        if let (Some((at, total)), (Some(passing), Some(failing))) = (number(tests, "total"), parts)
        {
            self.total(at, total, passing + failing, "passing and failing");
        }
        self.failed_in_success(tests, "failing");
        self.lacks_unit(tests, "coverage");
    }

    fn suites(&mut self, handoff: Value<'_, '_>) {
        let suites = handoff.object_of("tests_run").into_iter();
        let suites = suites.flat_map(Value::members).filter(|it| it.is_object());
        for suite in suites.clone() {
            self.not_negative(suite, "passed");
            self.not_negative(suite, "failed");
            self.lacks_unit(suite, "duration");
        }
        let totals = handoff.object_of("total_tests");
        for (totals, name) in totals
            .into_iter()
            .flat_map(|it| [(it, "passed"), (it, "failed")])
        {
            self.not_negative(totals, name);
            let parts: Option<Vec<f64>> = suites.clone().map(|it| it.number_of(name)).collect();
            let parts = parts.filter(|parts| !parts.is_empty());
            if let (Some((at, total)), Some(parts)) = (number(totals, name), parts) {
                self.total(at, total, parts.iter().sum(), "the suites");
            }
        }
        // Only the first member with failed tests is reported.
        let mut counted = totals.into_iter().chain(suites);
        if !counted.any(|it| self.failed_in_success(it, "failed"))
            && let Some(failures) = handoff.member("failures")
            && let Some(status) = self.success.clone()
            && let listed @ 1.. = failures.items().count()
        {
            self.report(failures, |name| {
                format!("status is {status}, but {name} has {listed}")
            });
        }
    }

    /// Changes that are required contradict an approval, and none a refusal. A score is not above the highest.
    fn changes(&mut self, handoff: Value<'_, '_>) {
        let context = self.collector.context;
        let changes = handoff.member("required_changes");
        let required = changes
            .filter(|it| it.is_list())
            .map(|it| it.items().count());
        if let Some(status) = context.status {
            let is_decision = context.profile.decisions.contains(&status.word);
            let has = match (status.meaning, required) {
                (Meaning::Success, Some(required)) if required > 0 => required.to_string(),
                (Meaning::Other, None | Some(0)) if is_decision => "none".to_owned(),
                _ => String::new(),
            };
            let at = changes.or_else(|| handoff.member("status"));
            if let Some(at) = at.filter(|_| !has.is_empty()) {
                let word = truncated(&status.word);
                self.report(at, |_| {
                    format!("status is {word}, but required_changes has {has}")
                });
            }
        }
        let score = number(handoff, "code_quality_score");
        if let Some((at, score)) = score.filter(|(_, it)| !(0.0..=BEST_SCORE).contains(it)) {
            self.report(at, |name| {
                format!("{name} is {score}, expected 0 to {BEST_SCORE}")
            });
        }
    }
}

/// A member that is a number, and the number.
fn number<'v, 't>(object: Value<'v, 't>, name: &str) -> Option<(Value<'v, 't>, f64)> {
    let at = object.member(name)?;
    Some((at, at.number()?))
}

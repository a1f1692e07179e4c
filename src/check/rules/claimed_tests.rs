//! Step 6, only with evidence: the tests that a return claims ran and passed.

use crate::check::rules::assessed::AssessedClaim;
use crate::check::{Collector, fitting};
use crate::document::{Handoff, Returned};
use crate::evidence::Subject;
use crate::json::field::{Field, Number};
use crate::json::pointer::Pointer;
use crate::rule::{Applies, Example, Level, Rule, Step};

/// A claim of passing tests.
struct ClaimedTests {
    /// The member with the number of tests.
    member: &'static str,
    /// Whether the return counts no failed tests.
    all_passed: bool,
}

pub(crate) static UNTESTED: Rule = Rule {
    id: "claim-untested",
    step: Step::Artifacts,
    level: Level::Warning,
    applies: Applies::IfHandoff,
    message: "Tests are claimed that did not pass ({why})",
    help: "Have {agent} run the tests, and return what they say",
    message_to_agent: Some("You claim tests that did not pass ({why})"),
    advice_to_agent: "Run the tests, and return what they say",
    explanation: "Reported only with evidence: the handoff counts passing tests, and the complete \
                  record of the agent has no command that may have run tests, or the last tests \
                  failed. Runners and their options are known by a table; a script of your own, an \
                  unknown option without the runner's summary, a pipe, || true or the background \
                  leaves it unknown.",
    source: "Compact return protocol, handoff file schema by agent",
    example: Example::of_members(
        "handoff",
        r#""files_created": [], "files_modified": ["src/tides/table.rs"], "artifacts": {}"#,
        r#""files_created": [], "files_modified": ["src/tides/table.rs"], "artifacts": {}"#,
    )
    .with_each(
        "--transcript sessions/writes-code.jsonl --agent-id a1",
        "--transcript sessions/writes-code-and-tests.jsonl --agent-id a1",
    ),
};

pub(crate) static STALE: Rule = Rule {
    id: "claim-tests-stale",
    step: Step::Artifacts,
    level: Level::Warning,
    applies: Applies::IfHandoff,
    message: "Tests are claimed for older code ({why})",
    help: "Have {agent} run the tests again after its last change",
    message_to_agent: Some("You claim tests of older code ({why})"),
    advice_to_agent: "Run the tests again after your last change",
    explanation: "Reported only with evidence: the handoff counts passing tests, and the agent \
                  changed code after the last ones ran. Documents and data do not count as code, \
                  and a later command that may have run tests leaves it unknown.",
    source: "Compact return protocol, handoff file schema by agent",
    example: Example::of_members(
        "handoff",
        r#""files_created": [], "files_modified": ["src/tides/table.rs"], "artifacts": {}"#,
        r#""files_created": [], "files_modified": ["src/tides/table.rs"], "artifacts": {}"#,
    )
    .with_each(
        "--transcript sessions/tests-before-code.jsonl --agent-id a1",
        "--transcript sessions/writes-code-and-tests.jsonl --agent-id a1",
    ),
};

pub(super) fn check(collector: &mut Collector<'_, '_>, subject: &Subject<'_>) {
    let Some(Returned::Handoff(handoff)) = collector.context.returned else {
        return;
    };
    let Some(claimed) = claimed(handoff).filter(|_| subject.has_transcript()) else {
        return;
    };
    let pointer = Pointer::root().key(claimed.member);
    let of = |rule| AssessedClaim::new(rule, &pointer);
    if collector.is_enabled(&UNTESTED) {
        let tested = subject.tested(claimed.all_passed);
        of(fitting!(UNTESTED)).collect(collector, &tested);
    }
    if let Some(stale) = subject
        .changed_after_tests()
        .filter(|_| collector.is_enabled(&STALE))
    {
        of(fitting!(STALE)).collect(collector, &stale);
    }
}

/// The member in which a handoff claims passing tests. None if it claims none.
pub(super) fn member(handoff: &Handoff<'_>) -> Option<&'static str> {
    claimed(handoff).map(|claimed| claimed.member)
}

/// The passing tests that a handoff claims. None if it claims none.
fn claimed(handoff: &Handoff<'_>) -> Option<ClaimedTests> {
    if let Some(tests) = handoff.tests.present()
        && is_some(&tests.passing)
    {
        return Some(ClaimedTests {
            member: "tests",
            all_passed: !is_some(&tests.failing),
        });
    }
    let total = handoff.total_tests.present()?;
    is_some(&total.passed).then(|| ClaimedTests {
        member: "total_tests",
        all_passed: !is_some(&total.failed),
    })
}

fn is_some(count: &Field<Number>) -> bool {
    count.present().is_some_and(|count| count.0 > 0.0)
}

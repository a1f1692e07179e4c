//! Step 6, only with evidence: the tests that a return claims ran and passed.

use crate::check::Collector;
use crate::check::rules::assessed::AssessedClaim;
use crate::evidence::Subject;
use crate::json::field::{Field, Number};
use crate::json::pointer::Pointer;
use crate::profile::Profile;
use crate::profile::document::{Handoff, PassedTests, Returned};
use crate::rule::{Claimed, Example, Rule, Step, ToAgent};

pub(crate) static UNTESTED: Rule = Rule {
    id: "claim-untested",
    claim: Some((Claimed::Work, "the tests passed")),
    applies: Profile::can_claim_tests,
    message: "Tests are claimed that did not pass ({why})",
    help: "Have {agent} run the tests, and return what they say",
    message_to_agent: ToAgent::Words("You claim tests that did not pass ({why})"),
    advice_to_agent: "Run the tests, and return what they say",
    explanation: "Reported only with evidence: the return claims passing tests, and the complete \
                  record of the agent has no command that may have run tests, or the last tests \
                  failed. Runners and their options are known by a table. Behind a pipe or || true, \
                  the runner's own summary in the output counts. A script of your own, an unknown \
                  option without that summary, or the background leaves it unknown.",
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
    ..Rule::warning(Step::Artifacts)
};

pub(crate) static STALE: Rule = Rule {
    id: "claim-tests-stale",
    claim: Some((Claimed::Work, "no code was changed after the tests")),
    applies: Profile::can_claim_tests,
    message: "Tests are claimed for older code ({why})",
    help: "Have {agent} run the tests again after its last change",
    message_to_agent: ToAgent::Words("You claim tests of older code ({why})"),
    advice_to_agent: "Run the tests again after your last change",
    explanation: "Reported only with evidence: the return claims passing tests, and the agent \
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
    ..Rule::warning(Step::Artifacts)
};

pub(super) fn check(collector: &mut Collector<'_, '_>, subject: &Subject<'_>) {
    let claimed = match collector.context.returned {
        Some(Returned::Handoff(handoff)) => of_handoff(handoff),
        Some(Returned::Own(own)) => own.tests.clone(),
        _ => None,
    };
    let Some(claimed) = claimed.filter(|_| subject.has_transcript()) else {
        return;
    };
    let of = |rule| AssessedClaim::new(rule, &claimed.pointer);
    if collector.is_enabled(&UNTESTED) {
        let tested = subject.tested(claimed.all_passed);
        of(&UNTESTED).collect(collector, &tested);
    }
    if let Some(stale) = subject
        .changed_after_tests()
        .filter(|_| collector.is_enabled(&STALE))
    {
        of(&STALE).collect(collector, &stale);
    }
}

/// The member in which a handoff claims passing tests. None if it claims none.
pub(super) fn member(handoff: &Handoff<'_>) -> Option<&'static str> {
    claimed(handoff).map(|(member, _)| member)
}

fn of_handoff(handoff: &Handoff<'_>) -> Option<PassedTests> {
    let (member, all_passed) = claimed(handoff)?;
    let pointer = Pointer::root().key(member);
    Some(PassedTests {
        pointer,
        all_passed,
    })
}

/// The member in which a handoff claims passing tests, and whether it counts no failed ones. None if it
/// claims none.
fn claimed(handoff: &Handoff<'_>) -> Option<(&'static str, bool)> {
    if let Some(tests) = handoff.tests.present()
        && is_some(&tests.passing)
    {
        return Some(("tests", !is_some(&tests.failing)));
    }
    let total = handoff.total_tests.present()?;
    is_some(&total.passed).then(|| ("total_tests", !is_some(&total.failed)))
}

fn is_some(count: &Field<Number>) -> bool {
    count.present().is_some_and(|count| count.0 > 0.0)
}

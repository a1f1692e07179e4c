//! Whether the tests that a return claims ran and passed.

use crate::clients::run::{Call, CallKind, Outcome, Run, TestSummary, WriteEffect, is_code};
use crate::evidence::assessment::{Assessment, CallLabel, EvidenceReason, used};
use crate::evidence::place::has_succeeded;
use crate::evidence::shell;
use crate::evidence::shell::{Mask, TestRun};
use crate::evidence::subject::Subject;
use crate::evidence::writes::may_write;

#[derive(Default)]
struct TestTrace {
    /// The last run of a known test runner.
    tests: Option<LastTests>,
    /// The last call after these tests that changed code or may have.
    change: Option<CallLabel>,
    /// Whether that call is known to have changed code.
    has_changed: bool,
    /// The last call after these tests that may have run tests, too.
    maybe: Option<CallLabel>,
}

struct LastTests {
    runner: String,
    call: CallLabel,
    ended: TestOutcome,
}

enum TestOutcome {
    Passed,
    Failed,
    Masked(&'static str),
    Unknown,
}

impl Subject<'_> {
    /// Whether tests passed after the last change of code. `all_passed`: the return claims that no test
    /// failed.
    pub(crate) fn tested(&self, all_passed: bool) -> Assessment {
        let run = match self.run() {
            Ok(run) => run,
            Err(why) => return Assessment::unknown(why),
        };
        let trace = trace(run, &self.evidence.test_runners);
        let is_known = run.is_complete();
        let Some(tests) = trace.tests else {
            return match trace.maybe {
                Some(call) => maybe_tests(call),
                None if is_known => {
                    let used = used(run);
                    let reason =
                        EvidenceReason::from(format!("no command ran tests; the agent {used}"));
                    let to_agent = format!("no command of yours ran tests; you {used}");
                    Assessment::contradicted(reason.or_to_agent(to_agent))
                }
                None => Assessment::unknown("no known test runner ran"),
            };
        };
        let LastTests {
            runner,
            call,
            ended,
        } = tests;
        match (ended, trace.change, trace.maybe) {
            (TestOutcome::Passed, Some(change), Some(maybe)) if maybe.number > change.number => {
                maybe_tests(maybe)
            }
            (TestOutcome::Passed, Some(change), _) => {
                let text = format!("{change} may have changed code after the last tests");
                Assessment::unknown(EvidenceReason::of(text, change))
            }
            (TestOutcome::Passed, None, _) => {
                let text = format!("{runner} passed, {call}");
                Assessment::shown(EvidenceReason::of(text, call))
            }
            (TestOutcome::Failed, _, None) if is_known && all_passed => {
                let text = format!("{runner} failed the last time that it ran, {call}");
                Assessment::contradicted(EvidenceReason::of(text, call))
            }
            (TestOutcome::Failed, _, Some(maybe)) => maybe_tests(maybe),
            (TestOutcome::Masked(why), ..) => {
                let text = format!("the status of {call} says nothing of the tests: {why}");
                Assessment::unknown(EvidenceReason::of(text, call))
            }
            (TestOutcome::Failed | TestOutcome::Unknown, ..) => {
                let text = format!("the record does not tell how the tests of {call} ended");
                Assessment::unknown(EvidenceReason::of(text, call))
            }
        }
    }

    /// A contradiction if code was changed after the last tests, and no call since may have run tests.
    /// None otherwise.
    pub(crate) fn changed_after_tests(&self) -> Option<Assessment> {
        let run = self.run().ok().filter(|run| run.is_complete())?;
        let trace = trace(run, &self.evidence.test_runners);
        let (tests, change) = (trace.tests?.call, trace.change?);
        let is_known = trace.has_changed && trace.maybe.is_none();
        is_known.then(|| {
            let text = format!("{change} changed code after {tests} ran the last tests");
            Assessment::contradicted(EvidenceReason::of(text, change))
        })
    }
}

fn maybe_tests(call: CallLabel) -> Assessment {
    let text = format!("{call} may have run tests");
    Assessment::unknown(EvidenceReason::of(text, call))
}

fn trace(run: &Run, runners: &[String]) -> TestTrace {
    let mut trace = TestTrace::default();
    for (at, call) in run.calls.iter().enumerate() {
        if call.outcome == Outcome::Rejected {
            continue;
        }
        let name = || CallLabel::new(run, at);
        match call.kind {
            CallKind::Command => trace.command(call, name(), runners),
            CallKind::Other | CallKind::Delegate => trace.maybe = Some(name()),
            CallKind::Write if may_have_changed_code(call) => {
                trace.change = Some(name());
                trace.has_changed = call.outcome == Outcome::Succeeded;
            }
            _ => {}
        }
    }
    trace
}

impl TestTrace {
    fn command(&mut self, call: &Call, name: CallLabel, runners: &[String]) {
        let command = call.command.as_deref();
        let script = command.map(|command| shell::scan(command, runners));
        let Some(script) = script else {
            self.maybe = Some(name);
            return;
        };
        let Some(tests) = script.tests.last() else {
            let mut changes = script.changes.iter();
            // An unknown program may run tests.
            if script.may_run {
                self.maybe = Some(name);
            } else if changes.any(|it| is_code(&it.path)) || script.may_write {
                self.change = Some(name);
                self.has_changed = has_succeeded(call) && !script.may_write;
            }
            return;
        };
        let ended = match tests.mask {
            _ if call.background => Some(TestOutcome::Masked("it ran in the background")),
            Some(mask) => Some(match output_of(call, tests) {
                Some(TestSummary::Passed) => TestOutcome::Passed,
                Some(TestSummary::Failed) => TestOutcome::Failed,
                _ => TestOutcome::Masked(mask.reason()),
            }),
            None => ended(call, tests),
        };
        let Some(ended) = ended else {
            self.maybe = Some(name);
            return;
        };
        *self = Self {
            tests: Some(LastTests {
                runner: tests.runner.clone(),
                call: name,
                ended,
            }),
            ..Self::default()
        };
    }
}

/// How tests ended whose status is that of the call. None if it is not known whether any test ran.
fn ended(call: &Call, tests: &TestRun) -> Option<TestOutcome> {
    let is_ok = call.outcome == Outcome::Succeeded && call.exit_code.is_none_or(|it| it == 0);
    let is_own = !tests.needs_summary || tests.is_alone;
    let summary = call.test_summary.filter(|_| is_own);
    let has_failed = !tests.needs_summary || summary == Some(TestSummary::Failed);
    Some(match (call.outcome, summary) {
        (_, Some(TestSummary::NoTests)) if is_ok => return None,
        (_, None) if is_ok && tests.needs_summary => return None,
        (_, Some(TestSummary::Passed) | None) if is_ok => TestOutcome::Passed,
        (Outcome::Failed, _) if tests.failure_shows && has_failed => TestOutcome::Failed,
        _ => TestOutcome::Unknown,
    })
}

/// What the runner's own summary in the output of a call says, if the status says nothing. None if something
/// else may have printed it, or may have cut off that tests failed.
fn output_of(call: &Call, tests: &TestRun) -> Option<TestSummary> {
    let is_shown = matches!(tests.mask, Some(Mask::Pipe | Mask::Followed | Mask::Or));
    let has_ended = matches!(call.outcome, Outcome::Succeeded | Outcome::Failed);
    let summary = call
        .test_summary
        .filter(|_| is_shown && has_ended && tests.is_alone);
    summary.filter(|it| *it == TestSummary::Failed || !tests.is_cut)
}

fn may_have_changed_code(call: &Call) -> bool {
    let may_have_changed = may_write(call) && call.effect == WriteEffect::Change;
    may_have_changed && call.paths.iter().any(|path| is_code(path))
}

//! Whether the tests that a return claims ran and passed.

use crate::clients::run::{Call, CallKind, Outcome, Run, TestCount, TestSummary, is_code};
use crate::evidence::assessment::{Assessment, CallLabel, EvidenceReason};
use crate::evidence::calls::{ReadCall, has_succeeded, may_write};
use crate::evidence::shell::{Mask, Script, TestRun};
use crate::evidence::subject::Subject;
use crate::text::escape;

/// What the calls of a run did, as far as it is about tests.
#[derive(Default)]
struct TestTrace {
    /// The last run of a known test runner, its call, and how it ended.
    tests: Option<(String, CallLabel, TestOutcome)>,
    /// The last call after these tests that changed code or may have, and whether it certainly did.
    change: Option<(CallLabel, bool)>,
    /// The last call after these tests that may have run tests, too.
    maybe: Option<CallLabel>,
}

enum TestOutcome {
    Passed,
    Failed,
    Masked(&'static str),
    Unknown,
}

impl Subject<'_> {
    /// Whether a command ran, or may have.
    pub(crate) fn ran_command(&self) -> bool {
        let mut ran = self.run_calls().filter(|it| it.outcome != Outcome::Rejected);
        ran.any(|call| call.kind == CallKind::Command)
    }

    /// Whether tests passed after the last change of code. `all_passed`: the return claims that no test failed. Without
    /// any command, none ran; after one, a contradiction says that they failed.
    pub(crate) fn tested(&self, all_passed: bool) -> Assessment {
        let run = match self.run() {
            Ok(run) => run,
            Err(why) => return Assessment::unknown(why),
        };
        let TestTrace { tests, change, maybe } = trace(run, self.own_calls());
        let maybe_tests = |call: CallLabel| {
            Assessment::unknown(call.reason(|it| format!("{it} may have run tests")))
        };
        let Some((runner, call, ended)) = tests else {
            return match maybe {
                Some(call) => maybe_tests(call),
                None if run.is_complete() && !self.ran_command() => {
                    let reason = EvidenceReason::no_call(run, "command", "ran tests", "");
                    Assessment::contradicted(reason)
                }
                None => Assessment::unknown("no known test runner ran"),
            };
        };
        match (ended, change, maybe) {
            (TestOutcome::Passed, Some((change, _)), Some(maybe))
                if maybe.number > change.number =>
            {
                maybe_tests(maybe)
            }
            (TestOutcome::Passed, Some((change, _)), _) => Assessment::unknown(
                change.reason(|it| format!("{it} may have changed code after the last tests")),
            ),
            (TestOutcome::Passed, None, _) => {
                Assessment::shown(call.reason(|it| format!("{runner} passed, {it}")))
            }
            (TestOutcome::Failed, _, Some(maybe)) => maybe_tests(maybe),
            (TestOutcome::Failed, ..) if run.is_complete() && all_passed => {
                let last = |it: &_| format!("{runner} failed the last time that it ran, {it}");
                Assessment::contradicted(call.reason(last))
            }
            (TestOutcome::Masked(why), ..) => Assessment::unknown(
                call.reason(|it| format!("the status of {it} says nothing of the tests: {why}")),
            ),
            (TestOutcome::Failed | TestOutcome::Unknown, ..) => Assessment::unknown(
                call.reason(|it| format!("the record does not tell how the tests of {it} ended")),
            ),
        }
    }

    /// A contradiction if code was changed after the last tests, and no call since may have run tests.
    pub(crate) fn changed_after_tests(&self) -> Option<Assessment> {
        let run = self.run().ok().filter(|run| run.is_complete())?;
        let trace = trace(run, self.own_calls());
        let ((_, tests, _), (change, is_certain)) = (trace.tests?, trace.change?);
        (is_certain && trace.maybe.is_none()).then(|| {
            let text = |it: &_| format!("{it} changed code after {tests} ran the last tests");
            Assessment::contradicted(change.reason(text))
        })
    }
}

/// The last tests that the record shows, after which nothing may have been other tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestReceipt {
    pub(crate) runner: String,
    pub(crate) passed: bool,
    pub(crate) count: Option<TestCount>,
    /// Whether a call changed code after them.
    pub(crate) is_outdated: Option<bool>,
}

impl TestReceipt {
    pub(super) fn text(&self) -> String {
        let runner = escape::truncated(&self.runner);
        let ended = if self.passed { "passed" } else { "failed" };
        let counted = match self.count {
            Some(TestCount { ran, .. }) if self.passed => format!(" ({ran})"),
            Some(TestCount { failed, ran }) => format!(" ({failed} of {ran})"),
            None => String::new(),
        };
        let after = match self.is_outdated {
            Some(true) => ", code changed after it",
            Some(false) => ", no code changed after it",
            None => "",
        };
        format!("tests: {runner} {ended}{counted}{after}")
    }
}

/// The last tests of a complete run, if it is known how they ended, and no call since may have run others.
pub(super) fn last_tests(run: &Run, calls: &[ReadCall<'_>]) -> Option<TestReceipt> {
    let trace = trace(run, calls);
    let (runner, call, ended) = trace.tests.filter(|_| trace.maybe.is_none())?;
    let passed = match ended {
        TestOutcome::Passed => true,
        TestOutcome::Failed => false,
        TestOutcome::Masked(_) | TestOutcome::Unknown => return None,
    };
    let is_certain = trace.change.map(|(_, is_certain)| is_certain);
    Some(TestReceipt {
        runner,
        passed,
        count: run.calls[call.number - 1].test_count,
        is_outdated: is_certain.map_or(Some(false), |it| it.then_some(true)),
    })
}

fn trace(run: &Run, calls: &[ReadCall<'_>]) -> TestTrace {
    let mut trace = TestTrace::default();
    let calls = calls.iter().enumerate();
    for (at, read) in calls.filter(|(_, it)| it.call.outcome != Outcome::Rejected) {
        let (call, name) = (read.call, || CallLabel::new(run, at));
        match (call.kind, &read.script) {
            (CallKind::Command, Some(script)) => trace.command(call, script, name()),
            (CallKind::Command | CallKind::Other | CallKind::Delegate, _) => {
                trace.maybe = Some(name());
            }
            (CallKind::Write, _) if may_have_changed_code(call) => {
                trace.change = Some((name(), call.outcome == Outcome::Succeeded));
            }
            _ => {}
        }
    }
    trace
}

impl TestTrace {
    fn command(&mut self, call: &Call, script: &Script, name: CallLabel) {
        let Some(tests) = script.tests.last() else {
            let mut changes = script.changes.iter();
            // An unknown program may run tests.
            if script.may_run {
                self.maybe = Some(name);
            } else if changes.any(|it| is_code(&it.path)) || script.may_write {
                self.change = Some((name, has_succeeded(call) && !script.may_write));
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
        match ended {
            Some(ended) => {
                let tests = Some((tests.runner.clone(), name, ended));
                *self = Self { tests, ..Self::default() };
            }
            None => self.maybe = Some(name),
        }
    }
}

/// How tests ended whose status is that of the call. None if it is not known whether any test ran. The program may
/// be missing, find no tests, or fail for another reason than a test.
fn ended(call: &Call, tests: &TestRun) -> Option<TestOutcome> {
    let is_ok = call.outcome == Outcome::Succeeded && call.exit_code.is_none_or(|it| it == 0);
    let is_told = call.test_summary.is_some() && tests.is_alone;
    Some(match (call.outcome, call.test_summary) {
        (_, Some(TestSummary::NoTests)) if is_ok => return None,
        _ if is_ok && tests.needs_summary && !is_told => return None,
        (_, Some(TestSummary::Passed) | None) if is_ok => TestOutcome::Passed,
        (Outcome::Failed, Some(TestSummary::Failed)) if is_told => TestOutcome::Failed,
        _ => TestOutcome::Unknown,
    })
}

/// What the runner's own summary in the output of a call says, if the status says nothing. None if something
/// else may have printed it, or may have cut off that tests failed.
fn output_of(call: &Call, tests: &TestRun) -> Option<TestSummary> {
    let is_shown = matches!(tests.mask, Some(Mask::Followed | Mask::Joined));
    let has_ended = matches!(call.outcome, Outcome::Succeeded | Outcome::Failed);
    let summary = call.test_summary;
    let summary = summary.filter(|_| is_shown && has_ended && tests.is_alone);
    summary.filter(|it| *it == TestSummary::Failed || !tests.is_cut)
}

fn may_have_changed_code(call: &Call) -> bool {
    let may_have_changed = may_write(call) && !call.is_rewrite;
    may_have_changed && call.paths.iter().any(|path| is_code(path))
}

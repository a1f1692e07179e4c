//! The handoff file of the compact protocol, which one agent writes for the next. The members of
//! the developer, the QA expert and the tech lead are in one record, as in the standard.

use std::borrow::Cow;

use crate::json::decode::record::record;
use crate::json::field::{Amount, Anything, Dict, FieldList, Number};

record! {
    /// The information for the next agent.
    pub(crate) struct Handoff<'t> {
        /// The agent that wrote it.
        "from_agent" => pub from_agent: Cow<'t, str>,
        /// The agent that reads it.
        "to_agent" => pub to_agent: Cow<'t, str>,
        /// When it was written.
        "timestamp" => pub timestamp: Cow<'t, str>,
        /// The session that it belongs to.
        "session_id" => pub session_id: Cow<'t, str>,
        /// The work group that it belongs to.
        "group_id" => pub group_id: Cow<'t, str>,
        /// How the work ended.
        "status" => pub status: Cow<'t, str>,
        /// What was done.
        "summary" => pub summary: Cow<'t, str>,
        /// Files changed.
        "files_modified" => pub files_modified: FieldList<Cow<'t, str>>,
        /// Files created.
        "files_created" => pub files_created: FieldList<Cow<'t, str>>,
        /// Files with the details, by name.
        "artifacts" => pub artifacts: Dict<'t, Cow<'t, str>>,
        /// The developer's test run.
        "tests" => pub tests: TestCounts<'t>,
        /// The branch with the work.
        "branch" => pub branch: Cow<'t, str>,
        /// Questions for the reviewer.
        "concerns" => pub concerns: FieldList<Anything>,
        /// Whether technical debt was logged.
        "tech_debt_logged" => pub tech_debt_logged: bool,
        /// The QA expert's test suites, by name.
        "tests_run" => pub tests_run: Dict<'t, Suite<'t>>,
        /// The QA expert's totals.
        "total_tests" => pub total_tests: TotalTests<'t>,
        /// The hardest level of challenge reached.
        "challenge_level_reached" => pub challenge_level_reached: Number,
        /// The QA expert's assessment, as text.
        "quality_assessment" => pub quality_assessment: Cow<'t, str>,
        /// Tests that failed.
        "failures" => pub failures: FieldList<Anything>,
        /// The tech lead's decision.
        "decision" => pub decision: Cow<'t, str>,
        /// The tech lead's score.
        "code_quality_score" => pub code_quality_score: Number,
        /// The number of security issues.
        "security_issues" => pub security_issues: Number,
        /// The number of lint issues.
        "lint_issues" => pub lint_issues: Number,
        /// Whether the tests cover enough.
        "coverage_acceptable" => pub coverage_acceptable: bool,
        /// What was done well.
        "what_was_done_well" => pub what_was_done_well: FieldList<Anything>,
        /// Changes that are required for acceptance.
        "required_changes" => pub required_changes: FieldList<Anything>,
        /// Optional changes.
        "suggestions" => pub suggestions: FieldList<Anything>,
    }
}

record! {
    /// The developer's test run.
    pub(crate) struct TestCounts<'t> {
        /// The total number of tests.
        "total" => pub total: Number,
        /// The number of passing tests.
        "passing" => pub passing: Number,
        /// The number of failing tests.
        "failing" => pub failing: Number,
        /// The coverage, such as `92%`.
        "coverage" => pub coverage: Amount,
    }
}

record! {
    /// One of the QA expert's test suites.
    pub(crate) struct Suite<'t> {
        /// Tests passed.
        "passed" => pub passed: Number,
        /// Tests failed.
        "failed" => pub failed: Number,
        /// The duration, such as `1m45s`.
        "duration" => pub duration: Amount,
    }
}

record! {
    /// The QA expert's totals.
    pub(crate) struct TotalTests<'t> {
        /// Tests passed.
        "passed" => pub passed: Number,
        /// Tests failed.
        "failed" => pub failed: Number,
    }
}

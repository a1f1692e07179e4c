//! All rules in one table, in the order of the six steps.
//!
//! A rule's id, level, message, help and source are together in the file of its step; everything that
//! lists rules derives from [`RULES`]. A rule is declared as a static, used by the step that runs it, and
//! named in the table. Its explanation and its examples are in `src/check/rules.md`, its fixtures in
//! `fixtures/rules`.

mod agreement;
pub(crate) mod answered;
mod artifacts;
mod claimed_paths;
pub(crate) mod claims;
mod delegation;
mod fields;
pub(crate) mod form;
pub(crate) mod handoff;
mod handoff_content;
mod members;
mod metadata_file;
mod named_files;
mod places;
pub(crate) mod return_file;
mod session;
mod status;
mod summary;
pub(crate) mod taken;
#[cfg(test)]
mod tests;
pub(crate) mod typed;
mod work;
mod worthless;

pub(crate) use delegation::is_orchestrator;
pub(crate) use form::{WRAPPED as JSON_WRAPPED, WRAPPED_LONG as JSON_WRAPPED_LONG};
pub(crate) use metadata_file::STILL_IN_PROGRESS;
pub(crate) use status::UNKNOWN as STATUS_UNKNOWN;
pub(crate) use worthless::{FILLER as RETURN_FILLER, is_own};

pub(crate) use answered::{MISSING as RETURN_MISSING, is_worthless_message};
pub(crate) use work::{
    BY_ANOTHER as ARTIFACT_BY_ANOTHER, UNCHANGED as ARTIFACT_UNCHANGED,
    UNKNOWN as EVIDENCE_UNKNOWN, UNTESTED as CLAIM_UNTESTED, UNWRITTEN as ARTIFACT_UNWRITTEN,
};

pub(crate) use crate::rule::{Level, Rule, Step, Strictness};

use crate::check::Collector;
use crate::check::report::StepOutcome;
use taken::TakenValues;

impl Rule {
    /// The rule with this id. None if missing.
    ///
    /// ```
    /// let rule = retval::Rule::named("artifact-not-found").expect("a rule");
    /// assert_eq!(rule.step, retval::Step::Artifacts);
    /// ```
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Self> {
        RULES.iter().copied().find(|rule| rule.id == id)
    }

    /// Whether no later check is possible if this rule fails, so that it cannot be turned off.
    #[must_use]
    pub fn is_indispensable(&self) -> bool {
        let of_json = [&form::SYNTAX, &form::OBJECT, &form::LIMIT];
        let mut rules = of_json.into_iter().chain(form::UNREADABLE);
        rules.any(|rule| rule.id == self.id)
    }
}

/// Runs the checks of one step. The first step is not one of them, because it is the reading itself.
pub(crate) fn check<'t>(
    step: Step,
    taken: &TakenValues<'_, 't>,
    collector: &mut Collector<'_, 't>,
) -> StepOutcome {
    match step {
        Step::Json => StepOutcome::Pass,
        Step::Fields => fields::check(taken, collector),
        Step::Status => status::check(taken, collector),
        Step::Session => session::check(taken, collector),
        Step::Summary => summary::check(taken, collector),
        Step::Artifacts => {
            let outcome = if collector.context.profile.is_own() {
                named_files::check(taken, collector)
            } else {
                artifacts::check(collector)
            };
            work::check(collector);
            outcome
        }
    }
}

/// Every rule, in the order of the steps.
pub static RULES: [&Rule; 109] = [
    &form::SYNTAX,
    &form::OBJECT,
    &form::DUPLICATE_KEY,
    &form::LIMIT,
    &form::WRAPPED,
    &form::WRAPPED_LONG,
    &form::ENCODING,
    &form::PART_MISSING,
    &form::PART_AMBIGUOUS,
    &form::PART_NOT_LAST,
    &form::YAML_SYNTAX,
    &form::YAML_DUPLICATE_KEY,
    &answered::MISSING,
    &answered::CLIENT_FAILED,
    &return_file::LOCATION,
    &members::NOT_A_RETURN,
    &members::MISSING,
    &members::TYPE,
    &members::EMPTY,
    &worthless::ECHO,
    &worthless::FILLER,
    &places::NOT_EMPTY,
    &places::AMBIGUOUS,
    &places::UNKNOWN,
    &agreement::DIFFERENT,
    &agreement::SUM,
    &agreement::COUNT,
    &places::SCHEMA,
    &members::UNKNOWN,
    &members::COMPACT_EXTRA,
    &fields::NEXT_STEPS_LONG,
    &fields::ARTIFACT_INCOMPLETE,
    &fields::ARTIFACT_TYPE,
    &fields::ARTIFACT_DUPLICATE,
    &fields::ARTIFACT_SUMMARY_LONG,
    &fields::ARTIFACT_SUMMARY_FORM,
    &fields::ERROR_INCOMPLETE,
    &fields::ERROR_TYPE,
    &fields::ERROR_CODE_FORMAT,
    &fields::ERROR_MESSAGE_LONG,
    &delegation::DURATION_NEGATIVE,
    &delegation::PATH,
    &delegation::DEPTH,
    &delegation::CYCLE,
    &delegation::PATH_END,
    &handoff_content::INCOMPLETE,
    &status::UNKNOWN,
    &handoff_content::DECISION,
    &handoff_content::COUNTS,
    &handoff_content::TO,
    &status::ERRORS_MISSING,
    &metadata_file::STILL_IN_PROGRESS,
    &metadata_file::STARTED_AT_MISSING,
    &metadata_file::TIMESTAMP_FORMAT,
    &metadata_file::STARTED_AT_IMPLAUSIBLE,
    &metadata_file::PROGRESS_MISSING,
    &metadata_file::PROGRESS_INCONSISTENT,
    &metadata_file::COMPLETION_DATA_MISSING,
    &metadata_file::COMPLETION_SUMMARY_MISSING,
    &metadata_file::COMPLETION_SUMMARY_SENTENCES,
    &metadata_file::COMPLETION_DATA_CLAUDEMD,
    &session::MISMATCH,
    &session::AGENT_MISMATCH,
    &session::GIVEN,
    &session::HANDOFF_SESSION,
    &session::HANDOFF_GROUP,
    &session::HANDOFF_AGENT,
    &session::FORMAT,
    &return_file::STALE,
    &session::UNDELEGATED,
    &summary::TOO_LONG,
    &summary::RETURN_LONG,
    &summary::LONG,
    &summary::HANDOFF_LONG,
    &summary::SENTENCES,
    &summary::SHORT,
    &summary::EMOJI,
    &summary::MARKUP,
    &artifacts::NONE,
    &artifacts::PATH,
    &artifacts::OUTSIDE_ROOT,
    &artifacts::NOT_FOUND,
    &artifacts::NOT_A_FILE,
    &artifacts::EMPTY,
    &artifacts::UNREADABLE,
    &artifacts::NOT_RELATIVE,
    &artifacts::BLANK,
    &named_files::FILE,
    &named_files::UNREADABLE,
    &claims::cites::BEYOND_END,
    &claims::cites::NOT_THERE,
    &claims::commits::NOT_FOUND,
    &claims::commits::BEFORE_START,
    &claims::commits::WITHOUT_FILE,
    &claims::changes::UNCLAIMED,
    &claims::counted_tests::INCONSISTENT,
    &artifacts::PARTIAL_WITHOUT,
    &artifacts::CLAIMED_MISSING,
    &handoff::NOT_FOUND,
    &handoff::INVALID,
    &handoff::STATUS_MISMATCH,
    &work::NONE,
    &work::UNWRITTEN,
    &work::BY_ANOTHER,
    &work::STALE,
    &work::UNCHANGED,
    &work::UNTESTED,
    &work::TESTS_STALE,
    &work::UNKNOWN,
];

/// Levels that differ in a hook. A few lines around the JSON may come from the client, so they are
/// ignored; many lines are an error. An agent that stops with work in progress was interrupted.
pub(crate) const HOOK_LEVELS: [(&Rule, Level); 3] = [
    (&JSON_WRAPPED, Level::Off),
    (&JSON_WRAPPED_LONG, Level::Error),
    (&STILL_IN_PROGRESS, Level::Error),
];

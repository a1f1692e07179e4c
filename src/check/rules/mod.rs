//! All rules in one table, in the order of the six steps.
//!
//! A rule's id, level, message, help and source are together in the file of its step; everything that lists rules
//! derives from [`RULES`]. A rule is declared as a static, used by the step that runs it, and named in the table.
//! Its explanation and its examples are in `src/check/rules.md`, its fixtures in `fixtures/rules`.

mod agreement;
pub(crate) mod answered;
mod artifacts;
pub(crate) mod changes;
mod claimed_paths;
mod claims;
mod delegation;
mod fields;
pub(crate) mod form;
pub(crate) mod handoff;
mod members;
mod metadata_file;
mod named_files;
mod places;
pub(crate) mod return_file;
mod seen;
mod session;
mod status;
mod summary;
pub(crate) mod taken;
#[cfg(test)]
mod tests;
pub(crate) mod typed;
pub(crate) mod work;
mod worthless;

pub(crate) use delegation::is_orchestrator;
pub(crate) use form::WRAPPED as JSON_WRAPPED;
pub(crate) use metadata_file::STILL_IN_PROGRESS;
pub(crate) use status::UNKNOWN as STATUS_UNKNOWN;
pub(crate) use worthless::is_own;

pub(crate) use answered::{MISSING as RETURN_MISSING, is_worthless_message};

pub(crate) use crate::rule::{Level, Rule, Step, Strictness};

use crate::check::Collector;
use crate::check::report::StepOutcome;
use crate::text::suggest::nearest;
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

/// What to write in place of an id that no rule has: the ids of the rules with this word in their id or message, if
/// they are few, or else the most similar id.
pub(crate) fn meant_rule(id: &str) -> String {
    const FEW: usize = 6;
    let word = id.to_lowercase();
    let has_word = |rule: &&&Rule| {
        let text = format!("{} {}", rule.id, rule.message).to_lowercase();
        let mut words = text.split(|it: char| !it.is_alphanumeric());
        words.any(|it| it == word)
    };
    let found: Vec<_> = RULES.iter().filter(has_word).map(|it| it.id).collect();
    match (&*found, nearest(id, RULES.map(|it| it.id))) {
        (&[], Some(near)) => format!("did you mean `{near}`?"),
        (&[], None) => "`retval explain` lists the rules".to_owned(),
        (found, _) if found.len() > FEW => {
            let number = found.len();
            format!("`retval explain` lists the rules, {number} with this word")
        }
        (found, _) => format!("did you mean `{}`?", found.join("` or `")),
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

/// The rules of several files, each file with the names of some.
macro_rules! rules {
    ($($file:ident: $($rule:ident)+;)+) => { [$($(&$file::$rule),+),+] };
}

/// Every rule, in the order of the steps.
pub static RULES: [&Rule; 110] = rules! {
    form: SYNTAX OBJECT DUPLICATE_KEY LIMIT WRAPPED ENCODING PART_MISSING
        PART_AMBIGUOUS PART_NOT_LAST YAML_SYNTAX YAML_DUPLICATE_KEY;
    answered: MISSING CUT;
    return_file: LOCATION;
    members: NOT_A_RETURN MISSING TYPE EMPTY;
    worthless: ECHO FILLER;
    places: NOT_EMPTY AMBIGUOUS UNKNOWN;
    agreement: DIFFERENT SUM COUNT;
    places: SCHEMA;
    members: UNKNOWN COMPACT_EXTRA;
    fields: NEXT_STEPS_LONG ARTIFACT_INCOMPLETE ARTIFACT_TYPE ARTIFACT_DUPLICATE
        ARTIFACT_SUMMARY_LONG ARTIFACT_SUMMARY_FORM ERROR_INCOMPLETE ERROR_TYPE ERROR_CODE_FORMAT
        ERROR_MESSAGE_LONG;
    delegation: DURATION_NEGATIVE PATH DEPTH CYCLE PATH_END;
    handoff: INCOMPLETE;
    status: UNKNOWN;
    handoff: DECISION COUNTS TO;
    status: ERRORS_MISSING;
    metadata_file: STILL_IN_PROGRESS STARTED_AT_MISSING TIMESTAMP_FORMAT STARTED_AT_IMPLAUSIBLE
        PROGRESS_MISSING PROGRESS_INCONSISTENT COMPLETION_DATA_MISSING COMPLETION_SUMMARY_MISSING
        COMPLETION_SUMMARY_SENTENCES COMPLETION_DATA_CLAUDEMD;
    session: MISMATCH AGENT_MISMATCH GIVEN HANDOFF_SESSION HANDOFF_GROUP HANDOFF_AGENT FORMAT;
    return_file: STALE;
    session: UNDELEGATED;
    summary: TOO_LONG RETURN_LONG LONG SENTENCES SHORT EMOJI MARKUP;
    artifacts: NONE PATH OUTSIDE_ROOT NOT_FOUND NOT_A_FILE EMPTY UNREADABLE NOT_RELATIVE BLANK;
    named_files: FILE UNREADABLE;
    claims: CITE_BEYOND_END CITE_NOT_THERE;
    seen: UNREAD;
    claims: COMMIT_NOT_FOUND COMMIT_BEFORE_START CHANGE_UNCLAIMED TESTS_INCONSISTENT;
    artifacts: PARTIAL_WITHOUT CLAIMED_MISSING;
    handoff: NOT_FOUND INVALID STATUS_MISMATCH;
    work: NONE UNWRITTEN BY_ANOTHER STALE UNCHANGED;
    changes: UNCOMMITTED OUTSIDE;
    work: UNTESTED TESTS_FAILED TESTS_STALE UNKNOWN;
};

/// Levels that differ in a hook. Lines around the JSON may come from the client, so they are ignored. An agent that
/// stops with work in progress was interrupted.
pub(crate) const HOOK_LEVELS: [(&Rule, Level); 2] =
    [(&JSON_WRAPPED, Level::Off), (&STILL_IN_PROGRESS, Level::Error)];

//! Step 6: the files that a return claims although its status is not a success, or not known. They are
//! not validated like artifacts of a success, but whoever resumes the work begins with them.

use crate::check::report::ArtifactState;
use crate::check::rules::artifact_lookup::{self, ArtifactRoots, PathLookup, PathLookups};
use crate::check::rules::claimed_paths;
use crate::check::{Collector, Suggestion, values};
use crate::profile::document::Returned;
use crate::profile::{Meaning, Status};
use crate::root::Found as OnDisk;
use crate::rule::{Companion, Example, Requirement, Rule, Step, ToAgent};

pub(super) static PARTIAL_WITHOUT: Rule = Rule {
    id: "partial-without-artifacts",
    applies: |it| it.requires_companion(Companion::Artifacts),
    message: "Status is {status} but no artifacts are listed",
    help: "Fix {agent} subagent to list what it wrote, or to return failed or blocked",
    advice_to_agent: "List what you wrote, or return failed or blocked",
    explanation: "Partial means that some artifacts were created and that the work can be \
                  resumed from them. With none there is nothing to resume from.",
    source: "Subagent return format, status; Subagent return format, artifacts (required)",
    example: Example::of_members(
        "return",
        r#""status": "partial", "artifacts": [], "errors": [{"type": "timeout", "message": "No answer in 30 s", "recoverable": true, "recommendation": "Run /plan 12 again"}]"#,
        r#""status": "partial", "errors": [{"type": "timeout", "message": "No answer in 30 s", "recoverable": true, "recommendation": "Run /plan 12 again"}]"#,
    ),
    ..Rule::warning(Step::Artifacts)
};

/// Adds the claims of a return whose status is not a success to the report. With some statuses and
/// profiles their files are looked up, too.
pub(super) fn check<'t>(
    collector: &mut Collector<'_, 't>,
    returned: Returned<'_, 't>,
    status: &Status,
    count: Option<usize>,
) {
    if count == Some(0) && status.companions.contains(&Companion::Artifacts) {
        let values = values![status = &status.word];
        let location = claimed_paths::list(returned);
        collector.report(&PARTIAL_WITHOUT, location, &values);
    }
    if status.meaning == Meaning::Other {
        check_files(collector, returned, count);
    } else {
        list(collector, returned, count);
    }
}

/// Adds the claims of a return to the report, whatever its status is. Their files are looked up if the
/// profile enables that.
pub(super) fn check_files<'t>(
    collector: &mut Collector<'_, 't>,
    returned: Returned<'_, 't>,
    count: Option<usize>,
) {
    if collector.is_enabled(&CLAIMED_MISSING) || collector.context.status.is_none() {
        look_up(collector, returned, count.unwrap_or(0));
    } else {
        list(collector, returned, count);
    }
}

/// Adds the claims of a return to the report without looking up the files.
fn list<'t>(collector: &mut Collector<'_, 't>, returned: Returned<'_, 't>, count: Option<usize>) {
    let artifacts = &mut collector.facts.artifacts;
    *artifacts = Vec::with_capacity(count.unwrap_or(0));
    claimed_paths::each(returned, &mut |claim| {
        artifacts.push(claim.report(ArtifactState::Unchecked, None));
    });
}

pub(super) static CLAIMED_MISSING: Rule = Rule {
    id: "claimed-artifact-missing",
    applies: |it| it.requires(Requirement::ClaimsExist),
    message: "Claimed artifact does not exist: {path}",
    help: "Fix {agent} subagent to list only files that it wrote",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "List only files that you wrote",
    explanation: "The status claims no success or is not known, so the artifacts are not \
                  validated. But each listed file should exist: whoever resumes the work looks \
                  for it.",
    source: "Subagent return format 1.0, artifacts, validation rules; Subagent return \
             format, artifacts",
    example: Example::of_members(
        "return-v1",
        r#""status": "partial", "artifacts": [{"type": "documentation", "path": "docs/currents.md", "summary": "How to read the tables"}]"#,
        r#""status": "partial", "artifacts": [{"type": "documentation", "path": "docs/tides.md", "summary": "How to read the tables"}]"#,
    ),
    ..Rule::warning(Step::Artifacts)
};

fn look_up<'t>(collector: &mut Collector<'_, 't>, returned: Returned<'_, 't>, count: usize) {
    let context = collector.context;
    let mut lookups = PathLookups::new();
    artifact_lookup::look_up(
        &mut lookups,
        (returned, count),
        ArtifactRoots::of(context),
        false,
    );
    let is_missing = |lookup: &PathLookup| lookup.found() == Some(OnDisk::Nothing);
    collector.facts.artifacts = Vec::with_capacity(count);
    let mut lookups = lookups.iter();
    claimed_paths::each(returned, &mut |claim| {
        let Some(lookup) = lookups.next() else { return };
        if is_missing(lookup) {
            let values = values![path = claim.path];
            let near = artifact_lookup::near(collector, &CLAIMED_MISSING, &claim);
            let suggestion = near.as_deref().map(Suggestion::DidYouMean);
            let missing = claim.diagnostic(&CLAIMED_MISSING, &values);
            collector.add(missing.suggestion(suggestion));
        }
        let (state, bytes) = lookup.state();
        collector.facts.artifacts.push(claim.report(state, bytes));
    });
}

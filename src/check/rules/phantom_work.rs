//! Success without a claim that can be looked up: there is no list of artifacts, or none of its entries
//! has a usable path.
//!
//! The rules about fields report most of these returns, but their levels can be lowered and fields can
//! be made optional. Success without a file is still an error then.

use crate::check::rules::claimed_paths;
use crate::check::rules::fields::{EMPTY, MISSING};
use crate::check::rules::members::TYPE;
use crate::check::rules::path_target::PATH;
use crate::check::{Collector, Diagnostic, Ran, values};
use crate::json::field::{Field, Node as _, State};
use crate::profile::document::Returned;
use crate::profile::{Need, Status};
use crate::rule::{Example, Rule, Step, ToAgent};

pub(super) static NONE: Rule = Rule {
    id: "artifact-none",
    message: "Agent returned '{status}' status but created no artifacts\nError: Phantom work detected - status={status} but no artifacts",
    help: "Verify {agent} creates artifacts before updating status",
    message_to_agent: ToAgent::Words("You returned '{status}' status but created no artifacts"),
    advice_to_agent: "Create the artifacts before you claim success, or return a status that does not",
    explanation: "Phantom work: the status claims success, but the return lists no artifact, or \
                  none with a path. A missing field is reported once. A warning in return-v1 \
                  for an empty list, which it allows.",
    source: "Subagent return validation, step 5a; Subagent return format 1.0, artifacts",
    example: Example::of_members(
        "return",
        r#""status": "completed", "artifacts": []"#,
        r#""status": "completed", "artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
    ..Rule::error(Step::Artifacts)
};

/// Reports a success without a usable claim, unless it already fails a rule about fields. `why` is the
/// reason why nothing can be looked up.
pub(super) fn check(
    collector: &mut Collector<'_, '_>,
    returned: Returned<'_, '_>,
    why: &'static str,
) -> Ran {
    let Some(status) = collector.context.status else {
        return Ran::Skipped(why.into());
    };
    if has_failed(collector, returned) {
        return Ran::Skipped(why.into());
    }
    let place = match returned {
        Returned::Return(returned) if returned.artifacts != Field::Missing => "artifacts",
        _ => "status",
    };
    let values = values![status = &status.word];
    collector.add_at_default_level(Diagnostic::new(&NONE, place, &values));
    Ran::Checked
}

pub(super) fn nothing_listed(
    collector: &mut Collector<'_, '_>,
    returned: Returned<'_, '_>,
    status: &Status,
) {
    let values = values![status = &status.word];
    collector.report(&NONE, claimed_paths::list(returned), &values);
}

/// Whether the list, one of its entries or the path of an entry already fails a rule about fields.
fn has_failed(collector: &Collector<'_, '_>, returned: Returned<'_, '_>) -> bool {
    let context = collector.context;
    let Returned::Return(returned) = returned else {
        // In a handoff file the lists are optional, and a blank path is reported as an invalid path.
        let has_path = !collector.facts.artifacts.is_empty();
        return (has_path && collector.fails(&PATH))
            || (context.has_wrong_type && collector.fails(&TYPE));
    };
    let is_required = |field| {
        let mut required = context.profile.fields_with(Need::Required);
        required.any(|path| path == field)
    };
    let fails = |field, state| match state {
        State::Missing | State::Null => is_required(field) && collector.fails(&MISSING),
        State::Blank => is_required(field) && collector.fails(&EMPTY),
        State::Wrong(_) => collector.fails(&TYPE),
        State::Present => false,
    };
    let list = &returned.artifacts;
    let mut items = list.items().iter();
    fails("artifacts", list.state())
        || items.any(|item| match item {
            Field::Present(artifact) => fails("artifacts[].path", artifact.path.state()),
            Field::Wrong(_) => collector.fails(&TYPE),
            Field::Missing | Field::Null => false,
        })
}

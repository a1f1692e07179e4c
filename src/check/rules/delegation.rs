//! Step 2: the duration and the chain of delegations.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::check::{Collector, Value, values};
use crate::json::field::{Field, Integer};
use crate::json::pointer::Pointer;
use crate::profile::Profile;
use crate::profile::document::{Metadata, ReportedError, Return};
use crate::rule::{Requirement, Rule, Step, ToAgent};
use crate::text::escape;

/// The name of the first agent of a path contains this word.
const ORCHESTRATOR: &str = "orchestrator";

/// The type of an error that reports a cycle.
const CYCLE_ERROR: &str = "cycle";

pub(crate) static DURATION_NEGATIVE: Rule = Rule {
    id: "duration-negative",
    applies: |it| it.requires(Requirement::DurationNotNegative),
    message: "Duration is negative",
    advice_to_agent: "Measure duration_seconds from invocation to return",
    source: "Subagent return format 1.0, metadata, validation rules (required)",
    ..Rule::warning(Step::Fields)
};

pub(super) static PATH_END: Rule = Rule {
    id: "delegation-path-end",
    applies: |it| it.requires(Requirement::PathEndsWithAgent),
    message: "Delegation path ends with {found}, expected {expected}",
    help: "Fix {agent} subagent to end delegation_path with its own name",
    advice_to_agent: "End delegation_path with your own name",
    source: "Subagent return format, metadata; Return metadata file, metadata",
    ..Rule::warning(Step::Fields)
};

pub(super) fn check(collector: &mut Collector<'_, '_>, returned: &Return<'_>) {
    let Some(metadata) = returned.metadata.present() else {
        return;
    };
    let at = |name: &'static str| Pointer::root().key("metadata").key(name);
    let seconds = metadata.duration_seconds.present();
    if seconds.is_some_and(|seconds| seconds.0 < 0.0) {
        let location = at("duration_seconds");
        collector.report(&DURATION_NEGATIVE, location, &values![]);
    }
    depth(collector, metadata);
    let errors = returned.errors.items();
    recoverable_cycle(collector.context.profile, collector, errors);
    let Some(path) = metadata.delegation_path.present() else {
        return;
    };
    let path_at = || at("delegation_path");
    beginning(collector, path, path_at);
    if !errors.iter().any(reports_cycle) {
        cycle(collector, path, path_at);
    }
    let last = path.last().and_then(Field::present);
    if let (Some(last), Some(own)) = (last, metadata.agent_type.present())
        && last != own
    {
        let values = values![found = last, expected = own];
        collector.report(&PATH_END, path_at().index(path.len() - 1), &values);
    }
}

pub(crate) static DEPTH: Rule = Rule {
    id: "delegation-depth",
    applies: |it| it.has_field("metadata.delegation_depth"),
    message: "Delegation depth is {found}, expected {expected}",
    help: "Fix {agent} subagent to return the delegation depth that its task gives it",
    advice_to_agent: "Return the delegation depth that your task gives you",
    source: "Subagent return format, metadata; Subagent return format 1.0, metadata, optional \
             fields; Return metadata file, metadata",
    ..Rule::warning(Step::Fields)
};

fn depth(collector: &mut Collector<'_, '_>, metadata: &Metadata<'_>) {
    let Some(Integer(depth)) = metadata.delegation_depth.present() else {
        return;
    };
    let names = metadata.delegation_path.items().len();
    if *depth >= 0.0 && (names == 0 || is_less(*depth, names)) {
        return;
    }
    let values = values![
        found = Value::Amount(*depth),
        expected = Value::Depths(names),
    ];
    let at = Pointer::root().key("metadata").key("delegation_depth");
    collector.report(&DEPTH, at, &values);
}

#[allow(clippy::cast_precision_loss, reason = "no path has 2^52 names")]
fn is_less(depth: f64, names: usize) -> bool {
    depth < names as f64
}

type Path<'t> = [Field<Cow<'t, str>>];

pub(super) static PATH: Rule = Rule {
    id: "delegation-path",
    applies: |it| it.requires(Requirement::PathFromOrchestrator),
    message: "Delegation path does not begin with the orchestrator: {found}",
    help: "Fix {agent} subagent to return the delegation path that its task gives it",
    advice_to_agent: "Return the delegation path that your task gives you",
    source: "Subagent return format, metadata; Return metadata file, metadata",
    ..Rule::warning(Step::Fields)
};

fn beginning(
    collector: &mut Collector<'_, '_>,
    path: &Path<'_>,
    at: impl Fn() -> Pointer<'static>,
) {
    let (found, at) = match path.first() {
        None => (Value::Text("it is empty"), at()),
        Some(Field::Present(first)) if !is_orchestrator(first) => {
            (Value::from(first), at().index(0))
        }
        Some(_) => return,
    };
    collector.report(&PATH, at, &values![found = found]);
}

/// Whether a name contains `orchestrator`, in any case. Compares without a copy of the name.
pub(crate) fn is_orchestrator(name: &str) -> bool {
    let mut places = name.as_bytes().windows(ORCHESTRATOR.len());
    places.any(|place| place.eq_ignore_ascii_case(ORCHESTRATOR.as_bytes()))
}

pub(super) static CYCLE: Rule = Rule {
    id: "delegation-cycle",
    applies: |it| it.has_field("metadata.delegation_path"),
    message: "Delegation cycle: {what}",
    help: "Change the delegation of {agent} so that no agent calls itself",
    message_to_agent: ToAgent::Words("Your delegation path has a cycle: {what}"),
    advice_to_agent: "Return the delegation path that your task gives you, and call no agent in it",
    source: "Subagent return format 1.0, error handling patterns, on delegation cycle",
    ..Rule::warning(Step::Fields)
};

fn cycle(collector: &mut Collector<'_, '_>, path: &Path<'_>, at: impl Fn() -> Pointer<'static>) {
    let mut names = HashSet::new();
    for (index, name) in path.iter().enumerate() {
        let Some(name) = name.present() else { continue };
        if !names.insert(name.as_ref()) {
            let values = values![what = Value::Twice(escape::truncated(name))];
            collector.report(&CYCLE, at().index(index), &values);
        }
    }
}

fn reports_cycle(error: &Field<ReportedError<'_>>) -> bool {
    let kind = error.present().and_then(|error| error.kind.present());
    kind.is_some_and(|kind| kind == CYCLE_ERROR)
}

fn recoverable_cycle(
    profile: &Profile,
    collector: &mut Collector<'_, '_>,
    errors: &[Field<ReportedError<'_>>],
) {
    if !profile.error_types.iter().any(|kind| kind == CYCLE_ERROR) {
        return;
    }
    for (index, error) in errors.iter().enumerate() {
        let is_recoverable = |error: &ReportedError<'_>| error.recoverable.present() == Some(&true);
        if reports_cycle(error) && error.present().is_some_and(is_recoverable) {
            let values = values![what = Value::Text("the error says that it is recoverable")];
            let at = Pointer::root()
                .key("errors")
                .index(index)
                .key("recoverable");
            collector.report(&CYCLE, at, &values);
        }
    }
}

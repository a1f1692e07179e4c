//! Step 2: the duration and the chain of delegations.

use std::collections::HashSet;

use crate::check::{Collector, Placeholder, values};
use crate::document::pointer::Pointer;
use crate::document::tree::{Children, Value};
use crate::rule::{Requirement, Rule, Step, ToAgent};
use crate::text::escape;

/// The name of the first agent of a path contains this word.
const ORCHESTRATOR: &str = "orchestrator";

/// The type of an error that reports a cycle.
const CYCLE_ERROR: &str = "cycle";

pub(super) static DURATION_NEGATIVE: Rule = Rule {
    id: "duration-negative",
    applies: |it| it.requires(Requirement::DurationNotNegative),
    message: "Duration is negative",
    advice_to_agent: "Measure duration_seconds from invocation to return",
    ..Rule::warning(Step::Fields)
};

pub(super) static PATH_END: Rule = Rule {
    id: "delegation-path-end",
    applies: |it| it.requires(Requirement::PathEndsWithAgent),
    message: "Delegation path ends with {found}, expected {expected}",
    help: "Fix {agent} subagent to end delegation_path with its own name",
    advice_to_agent: "End delegation_path with your own name",
    ..Rule::warning(Step::Fields)
};

pub(super) fn check(collector: &mut Collector<'_, '_>, object: Value<'_, '_>) {
    let metadata = collector.context.returned.and_then(|it| it.metadata);
    let Some(metadata) = metadata else {
        return;
    };
    let at = |name: &'static str| Pointer::root().key("metadata").key(name);
    let seconds = metadata.number_of("duration_seconds");
    if seconds.is_some_and(|seconds| seconds < 0.0) {
        let location = at("duration_seconds");
        collector.report(&DURATION_NEGATIVE, location, &values![]);
    }
    depth(collector, metadata);
    let errors = object.list_of("errors");
    let cycles = errors.into_iter().flatten().filter(|it| reports_cycle(*it));
    recoverable_cycle(collector, cycles.clone());
    let Some(path) = metadata.list_of("delegation_path") else {
        return;
    };
    let path_at = || at("delegation_path");
    beginning(collector, path.clone(), path_at);
    if cycles.clone().next().is_none() {
        cycle(collector, path.clone(), path_at);
    }
    let last = path.last().and_then(|last| Some((last, last.text()?)));
    if let (Some((place, last)), Some(own)) = (last, metadata.text_of("agent_type"))
        && last != own
    {
        let values = values![found = last, expected = own];
        collector.report(&PATH_END, place.pointer(), &values);
    }
}

pub(super) static DEPTH: Rule = Rule {
    id: "delegation-depth",
    applies: |it| it.has_field("metadata.delegation_depth"),
    message: "Delegation depth is {found}, expected {expected}",
    help: "Fix {agent} subagent to return the delegation depth that its task gives it",
    advice_to_agent: "Return the delegation depth that your task gives you",
    ..Rule::warning(Step::Fields)
};

fn depth(collector: &mut Collector<'_, '_>, metadata: Value<'_, '_>) {
    let depth = metadata.number_of("delegation_depth");
    let Some(depth) = depth.filter(|it| it.fract() == 0.0) else {
        return;
    };
    let names = metadata
        .list_of("delegation_path")
        .into_iter()
        .flatten()
        .count();
    if depth >= 0.0 && (names == 0 || is_less(depth, names)) {
        return;
    }
    let values = values![
        found = Placeholder::Amount(depth),
        expected = Placeholder::Depths(names),
    ];
    let at = Pointer::root().key("metadata").key("delegation_depth");
    collector.report(&DEPTH, at, &values);
}

#[allow(clippy::cast_precision_loss, reason = "no path has 2^52 names")]
fn is_less(depth: f64, names: usize) -> bool {
    depth < names as f64
}

pub(super) static PATH: Rule = Rule {
    id: "delegation-path",
    applies: |it| it.requires(Requirement::PathFromOrchestrator),
    message: "Delegation path does not begin with the orchestrator: {found}",
    help: "Fix {agent} subagent to return the delegation path that its task gives it",
    advice_to_agent: "Return the delegation path that your task gives you",
    ..Rule::warning(Step::Fields)
};

fn beginning(
    collector: &mut Collector<'_, '_>,
    mut path: Children<'_, '_>,
    at: impl Fn() -> Pointer<'static>,
) {
    let first = path.next();
    let (found, at) = match first.map(Value::text) {
        None => (Placeholder::Text("it is empty"), at()),
        Some(Some(first)) if !is_orchestrator(first) => (Placeholder::from(first), at().index(0)),
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
    ..Rule::warning(Step::Fields)
};

fn cycle(
    collector: &mut Collector<'_, '_>,
    path: Children<'_, '_>,
    at: impl Fn() -> Pointer<'static>,
) {
    let mut names = HashSet::new();
    for (index, name) in path.enumerate() {
        let Some(name) = name.text() else { continue };
        if !names.insert(name) {
            let values = values![what = Placeholder::Twice(escape::truncated(name))];
            collector.report(&CYCLE, at().index(index), &values);
        }
    }
}

fn reports_cycle(error: Value<'_, '_>) -> bool {
    error.text_of("type") == Some(CYCLE_ERROR)
}

fn recoverable_cycle<'v, 't: 'v>(
    collector: &mut Collector<'_, '_>,
    cycles: impl Iterator<Item = Value<'v, 't>>,
) {
    let types = &collector.context.profile.error_types;
    if !types.iter().any(|kind| kind == CYCLE_ERROR) {
        return;
    }
    for error in cycles {
        let recoverable = error.member("recoverable");
        if recoverable.and_then(Value::boolean) == Some(true) {
            let values = values![what = Placeholder::Text("the error says that it is recoverable")];
            let at = error.pointer().key("recoverable");
            collector.report(&CYCLE, at, &values);
        }
    }
}

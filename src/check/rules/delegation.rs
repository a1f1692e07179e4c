//! Step 2: the duration and the chain of delegations.

use std::collections::HashSet;

use crate::check::{Collector, Placeholder, values};
use crate::document::tree::Value;
use crate::rule::{Requirement, Rule, Step};

/// The name of the first agent of a path contains this word.
const ORCHESTRATOR: &str = "orchestrator";

/// The type of an error that reports a cycle.
const CYCLE_ERROR: &str = "cycle";

pub(super) static DURATION_NEGATIVE: Rule = Rule::warning(Step::Fields, "duration-negative")
    .applies_to(|it| it.requires(Requirement::DurationNotNegative))
    .says("Duration is negative")
    .advises("Measure duration_seconds from invocation to return");

pub(super) static DEPTH: Rule = Rule::warning(Step::Fields, "delegation-depth")
    .applies_to(|it| it.has_field("metadata.delegation_depth"))
    .says("Delegation depth is {found}, expected {expected}")
    .advises("Return the delegation depth that your task gives you");

pub(super) static PATH: Rule = Rule::warning(Step::Fields, "delegation-path")
    .applies_to(|it| it.requires(Requirement::PathFromOrchestrator))
    .says("Delegation path does not begin with the orchestrator: {found}")
    .advises("Return the delegation path that your task gives you");

pub(super) static PATH_END: Rule = Rule::warning(Step::Fields, "delegation-path-end")
    .applies_to(|it| it.requires(Requirement::PathEndsWithAgent))
    .says("Delegation path ends with {found}, expected {expected}")
    .advises("End delegation_path with your own name");

pub(super) static CYCLE: Rule = Rule::warning(Step::Fields, "delegation-cycle")
    .applies_to(|it| it.has_field("metadata.delegation_path"))
    .says("Delegation cycle: {what}")
    .helps("Change the delegation of {agent} so that no agent calls itself")
    .advises("Return the delegation path that your task gives you, and call no agent in it");

pub(super) fn check(collector: &mut Collector<'_, '_>, object: Value<'_, '_>) {
    let Some(metadata) = object.object_of("metadata") else {
        return;
    };
    if let Some(at) = metadata.member("duration_seconds")
        && at.number().is_some_and(|seconds| seconds < 0.0)
    {
        collector.report(&DURATION_NEGATIVE, at, &[]);
    }
    let path = metadata.member("delegation_path").filter(|it| it.is_list());
    depth(collector, metadata, path);
    let errors = object.list_of("errors").into_iter().flatten();
    let mut cycles = errors.filter(|it| it.text_of("type") == Some(CYCLE_ERROR));
    if let Some(path) = path {
        begins(collector, path);
        let mut names = HashSet::new();
        let has_cycle_error = cycles.clone().next().is_some();
        for at in path.items().filter(|_| !has_cycle_error) {
            if let Some(name) = at.text().filter(|name| !names.insert(*name)) {
                let what = format!("{} occurs twice in the path", Placeholder::from(name));
                collector.report(&CYCLE, at, &values![what = Placeholder::Shown(what)]);
            }
        }
        if let Some(at) = path.items().last()
            && let (Some(last), Some(own)) = (at.text(), metadata.text_of("agent_type"))
            && last != own
        {
            collector.report(&PATH_END, at, &values![found = last, expected = own]);
        }
    }
    let types = &collector.context.profile.error_types;
    let recoverable = |error: Value<'_, '_>| error.member("recoverable")?.boolean();
    if types.iter().any(|kind| kind == CYCLE_ERROR)
        && let Some(error) = cycles.find(|it| recoverable(*it) == Some(true))
    {
        let what = Placeholder::Text("the error says that it is recoverable");
        let at = error.member("recoverable").unwrap_or(error);
        collector.report(&CYCLE, at, &values![what = what]);
    }
}

fn depth(collector: &mut Collector<'_, '_>, metadata: Value<'_, '_>, path: Option<Value<'_, '_>>) {
    let names = path.map_or(0, |path| path.items().count());
    #[allow(clippy::cast_precision_loss, reason = "no path has 2^52 names")]
    let is_within = |depth: f64| depth >= 0.0 && (names == 0 || depth < names as f64);
    if let Some(at) = metadata.member("delegation_depth")
        && let Some(depth) = at.number().filter(|it| it.fract() == 0.0 && !is_within(*it))
    {
        let expected = match names {
            0 => "0 or more".to_owned(),
            1 => "0 for a path of 1 name".to_owned(),
            _ => format!("0 to {} for a path of {names} names", names - 1),
        };
        let (found, expected) = (Placeholder::amount(depth), Placeholder::Shown(expected));
        collector.report(&DEPTH, at, &values![found = found, expected = expected]);
    }
}

fn begins(collector: &mut Collector<'_, '_>, path: Value<'_, '_>) {
    match path.items().next().map(|first| (first, first.text())) {
        None => {
            let found = Placeholder::Text("it is empty");
            collector.report(&PATH, path, &values![found = found]);
        }
        Some((at, Some(first))) if !is_orchestrator(first) => {
            collector.report(&PATH, at, &values![found = first]);
        }
        Some(_) => {}
    }
}

/// Whether a name contains `orchestrator`, in any case. Compares without a copy of the name.
pub(crate) fn is_orchestrator(name: &str) -> bool {
    let mut places = name.as_bytes().windows(ORCHESTRATOR.len());
    places.any(|place| place.eq_ignore_ascii_case(ORCHESTRATOR.as_bytes()))
}

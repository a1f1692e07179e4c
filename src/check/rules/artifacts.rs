//! Step 6: the files that a return claims.
//!
//! Those of a success exist and have content. Where the status is not a success, or not known, they are not
//! validated like that, but whoever resumes the work begins with them. A success without a claim that can
//! be looked up is phantom work: there is no list of artifacts, or none of its entries has a usable path.
//! The rules about fields report most of these returns, but their levels can be lowered and fields can be
//! made optional. Success without a file is still an error then.

use std::collections::HashMap;

use crate::check::report::{ArtifactReport, ArtifactState, StepOutcome};
use crate::check::returned::{ReadArtifact, ReadReturn};
use crate::check::rules::claimed_paths::{PathTarget, is_relative, look_up};
use crate::check::rules::members;
use crate::check::{Collector, Context, Diagnostic, Placeholder, Suggestion, values};
use crate::document::tree::{Tree, Value};
use crate::profile::fields::{State, WantedMember};
use crate::profile::{Meaning, Shape};
use crate::root::Found;
use crate::rule::{Companion, Rule, Step};
use crate::text::is_blank;

pub(super) static PARTIAL_WITHOUT: Rule =
    Rule::warning(Step::Artifacts, "partial-without-artifacts")
        .applies_to(|it| it.requires_companion(Companion::Artifacts))
        .says("Status is {status} but no artifacts are listed")
        .advises("List what you wrote, or return failed or blocked");

pub(super) fn check(collector: &mut Collector<'_, '_>) -> StepOutcome {
    let context = collector.context;
    let Some(returned) = context.returned else {
        return StepOutcome::Pass;
    };
    let Some(status) = context.status else {
        report_claims(collector, returned);
        return StepOutcome::Skip("the status is not known".into());
    };
    let why = match (status.meaning, returned.claimed) {
        (Meaning::Success, None) => "the return has no usable artifacts",
        (Meaning::Success, Some(0)) => {
            nothing_listed(collector, &status.word, false);
            return StepOutcome::Pass;
        }
        (Meaning::Success, Some(_)) if check_files(collector, returned) => {
            return StepOutcome::Pass;
        }
        (Meaning::Success, Some(_)) => "no artifact has a usable path",
        (_, claimed) => {
            if claimed == Some(0) && status.companions.contains(&Companion::Artifacts) {
                let values = values![status = &status.word];
                collector.report(&PARTIAL_WITHOUT, list(context), &values);
            }
            report_claims(collector, returned);
            return StepOutcome::NotApplicable;
        }
    };
    // Most of these returns fail a rule about fields.
    if has_failed(collector) {
        return StepOutcome::Skip(why.into());
    }
    let values = values![status = &status.word];
    collector.add_unlowered(Diagnostic::new(&NONE, list(context), &values));
    StepOutcome::Pass
}

/// Whether the list, an entry or its path already fails a rule about fields. In a handoff, the lists are optional.
fn has_failed(collector: &Collector<'_, '_>) -> bool {
    let context = collector.context;
    let Some(object) = context.object_of(Shape::Return) else {
        return collector.has_failed_by(&[&members::TYPE, &PATH]);
    };
    let fails = |wanted: &WantedMember<'_>, object: Value<'_, '_>| {
        let member = object.member(wanted.name);
        match wanted.of.state(member) {
            State::Missing | State::Null if wanted.is_required => {
                collector.fails(&members::MISSING)
            }
            State::Blank if wanted.is_required => collector.fails(&members::EMPTY),
            State::Wrong(_) => collector.fails(&members::TYPE),
            _ => false,
        }
    };
    let mut lists = context.required.members.iter();
    lists.find(|it| it.name == "artifacts").is_some_and(|list| {
        let path = list.inside.iter().find(|it| it.name == "path");
        let mut items = object.list_of("artifacts").into_iter().flatten();
        fails(list, object)
            || items.any(|item| match path {
                Some(path) if item.is_object() => fails(path, item),
                _ => collector.fails(&members::TYPE),
            })
    })
}

/// The value to point at if a return claims no files.
pub(super) fn list(context: &Context<'_, '_>) -> &'static str {
    let has_list = |tree: &Tree<'_>| tree.root().member("artifacts").is_some();
    let is_there = context.profile.is_own() || context.tree.is_none_or(has_list);
    if is_there && !context.profile.is_handoff() { "artifacts" } else { "status" }
}

pub(super) static NONE: Rule = Rule::error(Step::Artifacts, "artifact-none")
    .says("Agent returned '{status}' status but created no artifacts\nError: Phantom work detected - status={status} but no artifacts")
    .helps("Verify {agent} creates artifacts before updating status")
    .advises("Create the artifacts before claiming success, or return a status that does not");

/// Reports a success without a usable claim. What `names_some` has claims of which none can be looked up.
pub(super) fn nothing_listed(collector: &mut Collector<'_, '_>, status: &str, names_some: bool) {
    let at = list(collector.context);
    let why = names_some.then(|| "the return names no file that can be checked".to_owned());
    let values = values![status = status];
    let diagnostic = Diagnostic::new(&NONE, at, &values);
    collector.add(diagnostic.notes(why.into_iter().collect()));
}

pub(super) static PATH: Rule = Rule::error(Step::Artifacts, "artifact-path")
    .says("Invalid artifact path: {path} ({why})")
    .advises("Write paths relative to the project root, with forward slashes");

pub(super) static NOT_RELATIVE: Rule = Rule::warning(Step::Artifacts, "artifact-not-relative")
    .says("Artifact path is {what}: {path}")
    .advises("Write the path relative to the project root: {relative}");

pub(super) static OUTSIDE_ROOT: Rule = Rule::error(Step::Artifacts, "artifact-outside-root")
    .says("Artifact is outside the root: {path}")
    .helps("Verify {agent} writes artifacts inside the project")
    .advises("Write your artifacts inside the project");

pub(super) static NOT_FOUND: Rule = Rule::error(Step::Artifacts, "artifact-not-found")
    .says("Artifact does not exist: {path}\nError: Subagent claimed to create artifact but file does not exist")
    .helps("Verify {agent} writes artifacts to correct paths")
    .advises("Write the file, or return the path that you wrote to");

pub(super) static NOT_A_FILE: Rule = Rule::error(Step::Artifacts, "artifact-not-a-file")
    .says("Artifact is not a file: {path} ({what})")
    .helps("Verify {agent} lists regular files")
    .advises("List regular files");

pub(super) static EMPTY: Rule = Rule::error(Step::Artifacts, "artifact-empty")
    .says("Artifact is empty: {path}\nError: Subagent created file but wrote no content")
    .helps("Verify {agent} writes content to artifacts")
    .advises("Write content to your artifacts");

pub(super) static UNREADABLE: Rule = Rule::error(Step::Artifacts, "artifact-unreadable")
    .says("Artifact cannot be read: {path}")
    .helps("Verify {agent} creates artifacts that the orchestrator can read")
    .advises("Create artifacts that the orchestrator can read");

pub(super) static BLANK: Rule = Rule::warning(Step::Artifacts, "artifact-blank")
    .says("Artifact has no visible content: {path}")
    .helps("Verify {agent} writes content to artifacts")
    .advises("Write content to your artifacts");

/// Checks each file that a return claims. Returns whether any of the paths is not blank.
pub(super) fn check_files(
    collector: &mut Collector<'_, '_>,
    returned: &ReadReturn<'_, '_>,
) -> bool {
    let with_content = collector.is_enabled(&BLANK);
    for (claim, found) in looked_up(collector, returned, with_content) {
        match found {
            Ok(found) => check_file(collector, claim, found),
            // If the path is a required field, a blank one is already reported as an empty field.
            Err(_) if is_blank(&claim.path) && collector.context.profile.shape == Shape::Return => {
            }
            Err(why) => {
                let values = values![path = &claim.path, why = Placeholder::Text(why)];
                collector.report(&PATH, claim.at, &values);
            }
        }
        add_claim(collector, claim, Some(found));
    }
    returned.artifacts.iter().any(|it| !is_blank(&it.path))
}

/// The claims of a return, and what is there. A return may claim a path many times.
fn looked_up<'r, 'v, 't>(
    collector: &mut Collector<'_, '_>,
    returned: &'r ReadReturn<'v, 't>,
    with_content: bool,
) -> Vec<(&'r ReadArtifact<'v, 't>, Result<Found, &'static str>)> {
    collector.facts.artifacts.reserve(returned.artifacts.len());
    let mut known = HashMap::new();
    let look = |it: &'r ReadArtifact<'v, 't>| {
        let found = known.entry(&*it.path);
        let found = found.or_insert_with(|| look_up(collector.context, &it.path, with_content));
        (it, *found)
    };
    returned.artifacts.iter().map(look).collect()
}

fn check_file(collector: &mut Collector<'_, '_>, claim: &ReadArtifact<'_, '_>, found: Found) {
    if !is_relative(&claim.path)
        && found != Found::Outside
        && let PathTarget::Below(relative) = PathTarget::of(&claim.path, collector.context.root)
    {
        let what = if claim.path.starts_with('/') {
            Placeholder::Text("absolute")
        } else {
            Placeholder::Text("not relative to the root")
        };
        let values = values![path = &claim.path, what = what, relative = &relative];
        collector.report(&NOT_RELATIVE, claim.at, &values);
    }
    let (rule, what) = match found {
        Found::File { blank: false, .. } => return,
        Found::File { blank: true, .. } => (&BLANK, ""),
        Found::Empty => (&EMPTY, ""),
        Found::Nothing => return not_found(collector, &NOT_FOUND, claim),
        Found::NotAFile(what) => (&NOT_A_FILE, what),
        Found::Outside => (&OUTSIDE_ROOT, ""),
        Found::Unreadable => (&UNREADABLE, ""),
    };
    let values = values![path = &claim.path, what = Placeholder::Text(what)];
    collector.report(rule, claim.at, &values);
}

/// Reports a missing file, with the path of the one that was probably meant.
fn not_found(collector: &mut Collector<'_, '_>, rule: &'static Rule, claim: &ReadArtifact<'_, '_>) {
    /// The most missing files of one return for which another one is looked for, so that a return with
    /// many of them costs little more than one with a few.
    const AT_MOST: usize = 16;
    let root = collector.context.root;
    let mut near = None;
    if collector.is_enabled(rule) && collector.facts.missing_files < AT_MOST {
        collector.facts.missing_files += 1;
        if let PathTarget::Below(path) = PathTarget::of(&claim.path, root) {
            near = root.near(&path);
        }
    }
    let why = Placeholder::Text("does not exist");
    let values = values![path = &claim.path, why = why];
    let suggestion = near.as_deref().map(Suggestion::did_you_mean);
    collector.add(Diagnostic::new(rule, claim.at, &values).suggestion(suggestion));
}

/// Adds a claim to the report, with what was found. None if the file was not looked up.
fn add_claim(
    collector: &mut Collector<'_, '_>,
    claim: &ReadArtifact<'_, '_>,
    found: Option<Result<Found, &'static str>>,
) {
    let (state, bytes) = match found {
        None => (ArtifactState::Unchecked, None),
        Some(Err(_)) => (ArtifactState::InvalidPath, None),
        Some(Ok(Found::File { bytes, .. })) => (ArtifactState::Ok, Some(bytes)),
        Some(Ok(Found::Empty)) => (ArtifactState::Empty, Some(0)),
        Some(Ok(Found::Nothing)) => (ArtifactState::NotFound, None),
        Some(Ok(Found::NotAFile(_))) => (ArtifactState::NotAFile, None),
        Some(Ok(Found::Outside)) => (ArtifactState::OutsideRoot, None),
        Some(Ok(Found::Unreadable)) => (ArtifactState::Unreadable, None),
    };
    collector.facts.artifacts.push(ArtifactReport {
        path: claim.path.clone().into_owned(),
        state,
        bytes,
    });
}

pub(super) static CLAIMED_MISSING: Rule =
    Rule::warning(Step::Artifacts, "claimed-artifact-missing")
        .applies_to(|it| it.roles.artifacts.is_some())
        .says("Claimed artifact {why}: {path}")
        .advises("List only files that you wrote");

/// Adds the claims of a return that is no success to the report. Those that lead to nothing, or out of the root, get
/// a warning: whoever resumes the work begins with them. Unfinished work may list what it is going to write.
pub(super) fn report_claims(collector: &mut Collector<'_, '_>, returned: &ReadReturn<'_, '_>) {
    let status = collector.context.status;
    let is_unfinished = status.is_some_and(|it| it.meaning == Meaning::Unfinished);
    if is_unfinished || status.is_some() && !collector.is_enabled(&CLAIMED_MISSING) {
        for claim in &returned.artifacts {
            add_claim(collector, claim, None);
        }
        return;
    }
    for (claim, found) in looked_up(collector, returned, false) {
        let why = match found {
            Ok(Found::Outside) => Some("is outside the root"),
            Err(why) => Some(why).filter(|_| !is_blank(&claim.path)),
            Ok(_) => None,
        };
        if let Some(why) = why {
            let values = values![path = &claim.path, why = Placeholder::Text(why)];
            collector.report(&CLAIMED_MISSING, claim.at, &values);
        } else if found == Ok(Found::Nothing) {
            not_found(collector, &CLAIMED_MISSING, claim);
        }
        add_claim(collector, claim, Some(found));
    }
}

//! Step 6: the files that a return claims.
//!
//! Those of a success exist and have content. Where the status is not a success, or not known, they are not
//! validated like that, but whoever resumes the work begins with them. A success without a claim that can
//! be looked up is phantom work: there is no list of artifacts, or none of its entries has a usable path.
//! The rules about fields report most of these returns, but their levels can be lowered and fields can be
//! made optional. Success without a file is still an error then.

use crate::check::report::ArtifactState;
use crate::check::returned::{ReadArtifact, ReadReturn};
use crate::check::rules::artifact_lookup::{self, ArtifactRoots, PathLookup};
use crate::check::rules::claimed_paths::{self, PATH, PathTarget};
use crate::check::rules::members;
use crate::check::{Collector, Diagnostic, Placeholder, Ran, Suggestion, values};
use crate::profile::fields::{State, Type};
use crate::profile::{Meaning, Need, Shape, Status};
use crate::root::Found as OnDisk;
use crate::rule::{Companion, Requirement, Rule, Step, ToAgent};
use crate::text::is_blank;

pub(super) fn check(collector: &mut Collector<'_, '_>) -> Ran {
    let context = collector.context;
    let Some(returned) = context.returned else {
        return Ran::Checked;
    };
    let Some(status) = context.status else {
        report_claims(collector, returned);
        return Ran::Skipped("the status is not known".into());
    };
    if status.meaning != Meaning::Success {
        check_unfinished(collector, returned, status);
        return Ran::NotApplicable;
    }
    match returned.claimed {
        None => return phantom_work(collector, "the return has no usable artifacts"),
        Some(0) => nothing_listed(collector, status),
        Some(_) if check_files(collector, returned) => {}
        Some(_) => return phantom_work(collector, "no artifact has a usable path"),
    }
    Ran::Checked
}

/// Checks each file that a return claims. Returns whether any of the paths is not blank.
pub(super) fn check_files<'t>(
    collector: &mut Collector<'_, 't>,
    returned: &ReadReturn<'_, 't>,
) -> bool {
    let roots = ArtifactRoots::of(collector.context);
    let with_content = collector.is_enabled(&BLANK);
    let lookups = artifact_lookup::look_up(&returned.artifacts, roots, with_content);
    collector.facts.artifacts = Vec::with_capacity(lookups.len());
    let mut names_something = false;
    for (claim, lookup) in returned.artifacts.iter().zip(lookups) {
        match lookup {
            PathLookup::Relative(found) => check_file(collector, claim, found),
            PathLookup::Absolute(found) => {
                if found != OnDisk::Outside {
                    not_relative(collector, claim);
                }
                check_file(collector, claim, found);
            }
            PathLookup::Invalid(why) => claimed_paths::report_invalid(collector, claim, why),
        }
        names_something |= lookup.found().is_some() || !is_blank(&claim.path);
        let (state, bytes) = lookup.state();
        collector.facts.artifacts.push(claim.report(state, bytes));
    }
    names_something
}

pub(super) static NOT_RELATIVE: Rule = Rule {
    id: "artifact-not-relative",
    message: "Artifact path is absolute: {path}",
    advice_to_agent: "Write the path relative to the project root: {relative}",
    ..Rule::warning(Step::Artifacts)
};

fn not_relative(collector: &mut Collector<'_, '_>, claim: &ReadArtifact<'_, '_>) {
    let PathTarget::Below(relative) = PathTarget::of(&claim.path, collector.context.root) else {
        return;
    };
    let values = values![path = &claim.path, relative = &relative];
    collector.add(claim.diagnostic(&NOT_RELATIVE, &values));
}

pub(super) static OUTSIDE_ROOT: Rule = Rule {
    id: "artifact-outside-root",
    message: "Artifact is outside the root: {path}",
    help: "Verify {agent} writes artifacts inside the project",
    advice_to_agent: "Write your artifacts inside the project",
    ..Rule::error(Step::Artifacts)
};

pub(super) static NOT_FOUND: Rule = Rule {
    id: "artifact-not-found",
    message: "Artifact does not exist: {path}\nError: Subagent claimed to create artifact but file does not exist",
    help: "Verify {agent} writes artifacts to correct paths",
    advice_to_agent: "Write the file, or return the path that you wrote to",
    ..Rule::error(Step::Artifacts)
};

pub(super) static NOT_A_FILE: Rule = Rule {
    id: "artifact-not-a-file",
    message: "Artifact is not a file: {path} ({what})",
    help: "Verify {agent} lists regular files",
    advice_to_agent: "List regular files",
    ..Rule::error(Step::Artifacts)
};

pub(super) static EMPTY: Rule = Rule {
    id: "artifact-empty",
    message: "Artifact is empty: {path}\nError: Subagent created file but wrote no content",
    help: "Verify {agent} writes content to artifacts",
    advice_to_agent: "Write content to your artifacts",
    ..Rule::error(Step::Artifacts)
};

pub(super) static UNREADABLE: Rule = Rule {
    id: "artifact-unreadable",
    message: "Artifact cannot be read: {path}",
    help: "Verify {agent} creates artifacts that the orchestrator can read",
    advice_to_agent: "Create artifacts that the orchestrator can read",
    ..Rule::error(Step::Artifacts)
};

pub(super) static BLANK: Rule = Rule {
    id: "artifact-blank",
    message: "Artifact has no visible content: {path}",
    help: "Verify {agent} writes content to artifacts",
    advice_to_agent: "Write content to your artifacts",
    ..Rule::warning(Step::Artifacts)
};

fn check_file(collector: &mut Collector<'_, '_>, claim: &ReadArtifact<'_, '_>, found: OnDisk) {
    let (rule, what) = match found {
        OnDisk::File { blank: false, .. } => return,
        OnDisk::File { blank: true, .. } => (&BLANK, ""),
        OnDisk::Empty => (&EMPTY, ""),
        OnDisk::Nothing => (&NOT_FOUND, ""),
        OnDisk::NotAFile(what) => (&NOT_A_FILE, what),
        OnDisk::Outside => (&OUTSIDE_ROOT, ""),
        OnDisk::Unreadable => (&UNREADABLE, ""),
    };
    let values = values![path = &claim.path, what = Placeholder::Text(what)];
    let near =
        (found == OnDisk::Nothing).then(|| artifact_lookup::near(collector, &NOT_FOUND, claim));
    let near = near.flatten();
    let suggestion = near.as_deref().map(Suggestion::DidYouMean);
    collector.add(claim.diagnostic(rule, &values).suggestion(suggestion));
}

pub(super) static PARTIAL_WITHOUT: Rule = Rule {
    id: "partial-without-artifacts",
    applies: |it| it.requires_companion(Companion::Artifacts),
    message: "Status is {status} but no artifacts are listed",
    help: "Fix {agent} subagent to list what it wrote, or to return failed or blocked",
    advice_to_agent: "List what you wrote, or return failed or blocked",
    ..Rule::warning(Step::Artifacts)
};

/// Adds the claims of a return whose status is not a success to the report. With some statuses and
/// profiles their files are looked up, too.
fn check_unfinished<'t>(
    collector: &mut Collector<'_, 't>,
    returned: &ReadReturn<'_, 't>,
    status: &Status,
) {
    if returned.claimed == Some(0) && status.companions.contains(&Companion::Artifacts) {
        let values = values![status = &status.word];
        let location = claimed_paths::list(collector.context);
        collector.report(&PARTIAL_WITHOUT, location, &values);
    }
    if status.meaning == Meaning::Other {
        report_claims(collector, returned);
    } else {
        list_claims(collector, returned);
    }
}

/// Adds the claims of a return to the report, whatever its status is. Their files are looked up if the
/// profile enables that.
pub(super) fn report_claims<'t>(collector: &mut Collector<'_, 't>, returned: &ReadReturn<'_, 't>) {
    if collector.is_enabled(&CLAIMED_MISSING) || collector.context.status.is_none() {
        look_up_claims(collector, returned);
    } else {
        list_claims(collector, returned);
    }
}

/// Adds the claims of a return to the report without looking up the files.
fn list_claims<'t>(collector: &mut Collector<'_, 't>, returned: &ReadReturn<'_, 't>) {
    let claims = returned.artifacts.iter();
    let reports = claims.map(|claim| claim.report(ArtifactState::Unchecked, None));
    collector.facts.artifacts = reports.collect();
}

pub(super) static CLAIMED_MISSING: Rule = Rule {
    id: "claimed-artifact-missing",
    applies: |it| it.requires(Requirement::ClaimsExist),
    message: "Claimed artifact does not exist: {path}",
    help: "Fix {agent} subagent to list only files that it wrote",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "List only files that you wrote",
    ..Rule::warning(Step::Artifacts)
};

fn look_up_claims<'t>(collector: &mut Collector<'_, 't>, returned: &ReadReturn<'_, 't>) {
    let roots = ArtifactRoots::of(collector.context);
    let lookups = artifact_lookup::look_up(&returned.artifacts, roots, false);
    collector.facts.artifacts = Vec::with_capacity(lookups.len());
    for (claim, lookup) in returned.artifacts.iter().zip(lookups) {
        if lookup.found() == Some(OnDisk::Nothing) {
            let values = values![path = &claim.path];
            let near = artifact_lookup::near(collector, &CLAIMED_MISSING, claim);
            let suggestion = near.as_deref().map(Suggestion::DidYouMean);
            let missing = claim.diagnostic(&CLAIMED_MISSING, &values);
            collector.add(missing.suggestion(suggestion));
        }
        let (state, bytes) = lookup.state();
        collector.facts.artifacts.push(claim.report(state, bytes));
    }
}

pub(super) static NONE: Rule = Rule {
    id: "artifact-none",
    message: "Agent returned '{status}' status but created no artifacts\nError: Phantom work detected - status={status} but no artifacts",
    help: "Verify {agent} creates artifacts before updating status",
    message_to_agent: ToAgent::Words("You returned '{status}' status but created no artifacts"),
    advice_to_agent: "Create the artifacts before you claim success, or return a status that does not",
    ..Rule::error(Step::Artifacts)
};

/// Reports a success without a usable claim, unless it already fails a rule about fields. `why` is the
/// reason why nothing can be looked up.
fn phantom_work(collector: &mut Collector<'_, '_>, why: &'static str) -> Ran {
    let context = collector.context;
    let Some(status) = context.status.filter(|_| !has_failed(collector)) else {
        return Ran::Skipped(why.into());
    };
    let object = context.object_of(Shape::Return);
    let place = match object.and_then(|it| it.member("artifacts")) {
        Some(_) => "artifacts",
        None => "status",
    };
    let values = values![status = &status.word];
    collector.add_at_default_level(Diagnostic::new(&NONE, place, &values));
    Ran::Checked
}

pub(super) fn nothing_listed(collector: &mut Collector<'_, '_>, status: &Status) {
    let values = values![status = &status.word];
    collector.report(&NONE, claimed_paths::list(collector.context), &values);
}

/// Whether the list, one of its entries or the path of an entry already fails a rule about fields.
fn has_failed(collector: &Collector<'_, '_>) -> bool {
    let context = collector.context;
    let Some(object) = context.object_of(Shape::Return) else {
        // In a handoff file the lists are optional, and a blank path is reported as an invalid path.
        let has_path = !collector.facts.artifacts.is_empty();
        return (has_path && collector.fails(&PATH))
            || (context.has_wrong_type && collector.fails(&members::TYPE));
    };
    let is_required = |field| {
        let mut required = context.profile.fields_with(Need::Required);
        required.any(|path| path == field)
    };
    let fails = |field, state| match state {
        State::Missing | State::Null => is_required(field) && collector.fails(&members::MISSING),
        State::Blank => is_required(field) && collector.fails(&members::EMPTY),
        State::Wrong(_) => collector.fails(&members::TYPE),
        State::Present => false,
    };
    let list = object.member("artifacts");
    let mut items = object.list_of("artifacts").into_iter().flatten();
    fails("artifacts", Type::List(&Type::Anything).state(list))
        || items.any(|item| {
            if item.is_object() {
                fails("artifacts[].path", Type::Text.state(item.member("path")))
            } else {
                collector.fails(&members::TYPE)
            }
        })
}

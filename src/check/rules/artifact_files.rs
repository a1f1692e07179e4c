//! Step 6: the files that a successful return claims exist and have content.

use crate::check::rules::artifact_lookup::{self, ArtifactRoots, PathLookup, PathLookups};
use crate::check::rules::claimed_paths::{self, ClaimedPath};
use crate::check::rules::path_target::{self, PathTarget, with_path};
use crate::check::rules::phantom_work;
use crate::check::rules::unfinished_claims;
use crate::check::{Collector, Ran, Suggestion, Value, values};
use crate::profile::Meaning;
use crate::profile::document::Returned;
use crate::root::Found as OnDisk;
use crate::rule::{Example, Rule, Step};
use crate::text::is_blank;

pub(crate) fn check(collector: &mut Collector<'_, '_>) -> Ran {
    let context = collector.context;
    let Some(returned) = context.returned else {
        return Ran::Checked;
    };
    let count = claimed_paths::count(returned);
    let Some(status) = context.status else {
        unfinished_claims::check_files(collector, returned, count);
        return Ran::Skipped("the status is not known".into());
    };
    if status.meaning != Meaning::Success {
        unfinished_claims::check(collector, returned, status, count);
        return Ran::NotApplicable;
    }
    let Some(count) = count else {
        let why = "the return has no usable artifacts";
        return phantom_work::check(collector, returned, why);
    };
    if count == 0 {
        phantom_work::nothing_listed(collector, returned, status);
        return Ran::Checked;
    }
    if !check_files(collector, returned, count) {
        return phantom_work::check(collector, returned, "no artifact has a usable path");
    }
    Ran::Checked
}

/// Checks each file that a return claims. Returns whether any of the paths is not blank.
pub(super) fn check_files<'t>(
    collector: &mut Collector<'_, 't>,
    returned: Returned<'_, 't>,
    count: usize,
) -> bool {
    let context = collector.context;
    let with_content = collector.is_enabled(&BLANK);
    let mut lookups = PathLookups::new();
    artifact_lookup::look_up(
        &mut lookups,
        (returned, count),
        ArtifactRoots::of(context),
        with_content,
    );
    collector.facts.artifacts = Vec::with_capacity(count);
    let mut lookups = lookups.iter();
    let mut names_something = false;
    claimed_paths::each(returned, &mut |claim| {
        let Some(lookup) = lookups.next() else { return };
        match *lookup {
            PathLookup::Relative(found) => check_file(collector, &claim, found),
            PathLookup::Absolute(found) => {
                if found != OnDisk::Outside {
                    not_relative(collector, &claim);
                }
                check_file(collector, &claim, found);
            }
            PathLookup::Invalid(why) => path_target::invalid(collector, &claim, why),
        }
        names_something |= lookup.found().is_some() || !is_blank(claim.path);
        let (state, bytes) = lookup.state();
        collector.facts.artifacts.push(claim.report(state, bytes));
    });
    names_something
}

pub(super) static NOT_RELATIVE: Rule = Rule {
    id: "artifact-not-relative",
    message: "Artifact path is absolute: {path}",
    advice_to_agent: "Write the path relative to the project root: {relative}",
    explanation: "The file is inside the root but its path is absolute, and so wrong on every \
                  other machine. An error in return-v1, which forbids absolute paths.",
    source: "Subagent return format 1.0, artifacts, path; Subagent return format, \
             artifacts; Return metadata file, artifacts",
    example: with_path!("{root}/specs/12_tide_tables/plans/implementation-001.md"),
    ..Rule::warning(Step::Artifacts)
};

fn not_relative(collector: &mut Collector<'_, '_>, claim: &ClaimedPath<'_, '_>) {
    let PathTarget::Below(relative) = PathTarget::of(claim.path, collector.context.root) else {
        return;
    };
    let values = values![path = claim.path, relative = &relative];
    collector.add(claim.diagnostic(&NOT_RELATIVE, &values));
}

pub(super) static OUTSIDE_ROOT: Rule = Rule {
    id: "artifact-outside-root",
    message: "Artifact is outside the root: {path}",
    help: "Verify {agent} writes artifacts inside the project",
    advice_to_agent: "Write your artifacts inside the project",
    explanation: "The path leaves the root once symbolic links and `..` are followed, or is \
                  absolute and outside the root. Nothing outside the root is opened or \
                  described.",
    source: "Subagent return format, artifacts (relative to the project root)",
    example: with_path!("../../etc/hostname"),
    ..Rule::error(Step::Artifacts)
};

pub(super) static NOT_FOUND: Rule = Rule {
    id: "artifact-not-found",
    message: "Artifact does not exist: {path}\nError: Subagent claimed to create artifact but file does not exist",
    help: "Verify {agent} writes artifacts to correct paths",
    advice_to_agent: "Write the file, or return the path that you wrote to",
    explanation: "Phantom work: the return lists a file that does not exist.",
    source: "Subagent return validation, step 5b; Subagent return format, validation rule 6",
    example: with_path!("specs/12_tide_tables/plans/implementation-002.md"),
    ..Rule::error(Step::Artifacts)
};

pub(super) static NOT_A_FILE: Rule = Rule {
    id: "artifact-not-a-file",
    message: "Artifact is not a file: {path} ({what})",
    help: "Verify {agent} lists regular files",
    advice_to_agent: "List regular files",
    explanation: "The path leads to a folder, a FIFO, a device or a socket. None of these is \
                  opened.",
    source: "Subagent return validation, step 5b (a regular file)",
    example: with_path!("specs/12_tide_tables/plans"),
    ..Rule::error(Step::Artifacts)
};

pub(super) static EMPTY: Rule = Rule {
    id: "artifact-empty",
    message: "Artifact is empty: {path}\nError: Subagent created file but wrote no content",
    help: "Verify {agent} writes content to artifacts",
    advice_to_agent: "Write content to your artifacts",
    explanation: "Phantom work: the file was created, but nothing was written to it.",
    source: "Subagent return validation, step 5c",
    example: with_path!("notes/empty.md"),
    ..Rule::error(Step::Artifacts)
};

pub(super) static UNREADABLE: Rule = Rule {
    id: "artifact-unreadable",
    message: "Artifact cannot be read: {path}",
    help: "Verify {agent} creates artifacts that the orchestrator can read",
    advice_to_agent: "Create artifacts that the orchestrator can read",
    explanation: "The path exists but cannot be read, so that the orchestrator cannot use it.",
    source: "Subagent return validation, step 5c",
    example: with_path!("locked/plan.md"),
    ..Rule::error(Step::Artifacts)
};

pub(super) static BLANK: Rule = Rule {
    id: "artifact-blank",
    message: "Artifact has no visible content: {path}",
    help: "Verify {agent} writes content to artifacts",
    advice_to_agent: "Write content to your artifacts",
    explanation: "The file is not empty, but nothing in it can be read: only white space, NUL \
                  bytes and invisible characters. A file with more than 64 KiB of them is not \
                  reported, unless it is sparse.",
    source: "Subagent return validation, step 5c (content was written)",
    example: with_path!("notes/blank.md"),
    ..Rule::warning(Step::Artifacts)
};

fn check_file(collector: &mut Collector<'_, '_>, claim: &ClaimedPath<'_, '_>, found: OnDisk) {
    let (rule, what) = match found {
        OnDisk::File { blank: false, .. } => return,
        OnDisk::File { blank: true, .. } => (&BLANK, ""),
        OnDisk::Empty => (&EMPTY, ""),
        OnDisk::Nothing => (&NOT_FOUND, ""),
        OnDisk::NotAFile(what) => (&NOT_A_FILE, what),
        OnDisk::Outside => (&OUTSIDE_ROOT, ""),
        OnDisk::Unreadable => (&UNREADABLE, ""),
    };
    let values = values![path = claim.path, what = Value::Text(what)];
    let near =
        (found == OnDisk::Nothing).then(|| artifact_lookup::near(collector, &NOT_FOUND, claim));
    let near = near.flatten();
    let suggestion = near.as_deref().map(Suggestion::DidYouMean);
    collector.add(claim.diagnostic(rule, &values).suggestion(suggestion));
}

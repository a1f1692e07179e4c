//! Step 6: the files that a successful return claims exist and have content.

use crate::diagnostics::{Collector, Context, Diagnostic, Location, Ran, Value};
use crate::document::Returned;
use crate::level::Level;
use crate::profile::Meaning;
use crate::recycled;
use crate::root::Found as OnDisk;
use crate::rule::{Applies, Example, Rule, Template, Word};
use crate::rules::artifact_lookup::{self, PathLookup, PathLookups};
use crate::rules::claimed_paths::{self, ClaimedPath};
use crate::rules::path_target::{PATH, PathTarget};
use crate::rules::phantom_work::{self, NONE};
use crate::rules::unfinished_claims;
use crate::step::Step;
use crate::text::is_blank;

/// The path leaves the root.
pub(super) static OUTSIDE_ROOT: Rule = Rule {
    id: "artifact-outside-root",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfArtifacts,
    message: Template::new("Artifact is outside the root: {path}"),
    help: Template::new("Verify {agent} writes artifacts inside the project"),
    explanation: "The path leaves the root once symbolic links and `..` are followed, or is \
                  absolute and outside the root. Nothing outside the root is opened or \
                  described.",
    source: "Subagent return format, artifacts (relative to the project root)",
    example: Example::of_members(
        "return",
        r#""artifacts": [{"type": "plan", "path": "../../etc/hostname", "summary": "Plan with three phases"}]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
};

/// The file does not exist.
pub(super) static NOT_FOUND: Rule = Rule {
    id: "artifact-not-found",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfArtifacts,
    message: Template::new("Artifact does not exist: {path}").with_error(
        const { &Template::new("Subagent claimed to create artifact but file does not exist") },
    ),
    help: Template::new("Verify {agent} writes artifacts to correct paths"),
    explanation: "Phantom work: the return lists a file that does not exist.",
    source: "Subagent return validation, step 5b; Subagent return format, validation rule 6",
    example: Example::of_members(
        "return",
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-002.md", "summary": "Plan with three phases"}]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
};

/// The path leads to something other than a file.
pub(super) static NOT_A_FILE: Rule = Rule {
    id: "artifact-not-a-file",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfArtifacts,
    message: Template::new("Artifact is not a file: {path} ({what})"),
    help: Template::new("Verify {agent} lists regular files"),
    explanation: "The path leads to a folder, a FIFO, a device or a socket. None of these is \
                  opened.",
    source: "Subagent return validation, step 5b (a regular file)",
    example: Example::of_members(
        "return",
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans", "summary": "Plan with three phases"}]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
};

/// The file is empty.
pub(super) static EMPTY: Rule = Rule {
    id: "artifact-empty",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfArtifacts,
    message: Template::new("Artifact is empty: {path}")
        .with_error(const { &Template::new("Subagent created file but wrote no content") }),
    help: Template::new("Verify {agent} writes content to artifacts"),
    explanation: "Phantom work: the file was created, but nothing was written to it.",
    source: "Subagent return validation, step 5c",
    example: Example::of_members(
        "return",
        r#""artifacts": [{"type": "plan", "path": "notes/empty.md", "summary": "Plan with three phases"}]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
};

/// The file cannot be read.
pub(super) static UNREADABLE: Rule = Rule {
    id: "artifact-unreadable",
    step: Step::Artifacts,
    level: Level::Error,
    applies: Applies::IfArtifacts,
    message: Template::new("Artifact cannot be read: {path}"),
    help: Template::new("Verify {agent} creates artifacts that the orchestrator can read"),
    explanation: "The path exists but cannot be read, so that the orchestrator cannot use it.",
    source: "Subagent return validation, step 5c",
    example: Example::of_members(
        "return",
        r#""artifacts": [{"type": "plan", "path": "locked/plan.md", "summary": "Plan with three phases"}]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
};

/// The path is absolute, though inside the root.
pub(super) static NOT_RELATIVE: Rule = Rule {
    id: "artifact-not-relative",
    step: Step::Artifacts,
    level: Level::Warning,
    applies: Applies::IfArtifacts,
    message: Template::new("Artifact path is absolute: {path}"),
    help: Template::new(
        "Fix {agent} subagent to write the path relative to the project root: {relative}",
    ),
    explanation: "The file is inside the root but its path is absolute, and so wrong on every \
                  other machine. An error in return-v1, which forbids absolute paths.",
    source: "Subagent return format 1.0, artifacts, path; Subagent return format, \
             artifacts; Return metadata file, artifacts",
    example: Example::of_members(
        "return",
        r#""artifacts": [{"type": "plan", "path": "{root}/specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
};

/// The file has no visible content.
pub(super) static BLANK: Rule = Rule {
    id: "artifact-blank",
    step: Step::Artifacts,
    level: Level::Warning,
    applies: Applies::IfArtifacts,
    message: Template::new("Artifact has no visible content: {path}"),
    help: Template::new("Verify {agent} writes content to artifacts"),
    explanation: "The file is not empty, but nothing in it can be read: only white space, NUL \
                  bytes and invisible characters. A file with more than 64 KiB of them is not \
                  reported, unless it is sparse.",
    source: "Subagent return validation, step 5c (content was written)",
    example: Example::of_members(
        "return",
        r#""artifacts": [{"type": "plan", "path": "notes/blank.md", "summary": "Plan with three phases"}]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
};

pub(crate) fn check<'t>(context: &Context<'_, 't>, collector: &mut Collector<'_, 't>) -> Ran {
    let Some(returned) = context.returned else {
        return Ran::Checked;
    };
    let count = claimed_paths::count(returned);
    let Some(status) = context.status else {
        unfinished_claims::check_files(context, collector, returned, count);
        return Ran::Skipped("the status is not known".into());
    };
    if status.meaning != Meaning::Success {
        unfinished_claims::check(context, collector, returned, status, count);
        return Ran::Idle;
    }
    let Some(count) = count else {
        let why = "the return has no usable artifacts";
        return phantom_work::check(context, collector, returned, why);
    };
    if count == 0 {
        let location = Location::member(claimed_paths::list(returned));
        let words = [(Word::Status, Value::untrusted(&status.word))];
        collector.add(Diagnostic::new(&NONE, location).words(&words));
        return Ran::Checked;
    }
    if !check_files(context, collector, returned, count) {
        return phantom_work::check(
            context,
            collector,
            returned,
            "no artifact has a usable path",
        );
    }
    Ran::Checked
}

/// Checks each file that a return claims. Returns whether any of the paths is not blank.
fn check_files<'t>(
    context: &Context<'_, 't>,
    collector: &mut Collector<'_, 't>,
    returned: Returned<'_, 't>,
    count: usize,
) -> bool {
    let with_content = collector.is_enabled(&BLANK);
    let mut lookups = PathLookups::new();
    artifact_lookup::look_up(&mut lookups, (returned, count), context.root, with_content);
    let is_fine =
        |it: &PathLookup| matches!(it, PathLookup::Relative(OnDisk::File { blank: false, .. }));
    if lookups.iter().all(is_fine) && !collector.lists_artifacts() {
        return !lookups.is_empty();
    }
    collector.facts.artifacts = recycled::take_artifacts(count);
    let mut lookups = lookups.iter();
    let mut names_something = false;
    claimed_paths::each(returned, &mut |claim| {
        let Some(lookup) = lookups.next() else { return };
        match *lookup {
            PathLookup::Relative(found) => check_file(collector, &claim, found),
            PathLookup::Absolute(found) => {
                if found != OnDisk::Outside {
                    not_relative(context, collector, &claim);
                }
                check_file(collector, &claim, found);
            }
            PathLookup::Invalid(why) => invalid_path(collector, &claim, why),
        }
        names_something |= lookup.found().is_some() || !is_blank(claim.path);
        let (state, bytes) = lookup.state();
        collector.facts.artifacts.push(claim.report(state, bytes));
    });
    names_something
}

fn invalid_path(collector: &mut Collector<'_, '_>, claim: &ClaimedPath<'_, '_>, why: &'static str) {
    // If the path is a required field, a blank one is already reported as an empty field.
    if is_blank(claim.path) && claim.is_required() {
        return;
    }
    let words = [
        (Word::Path, Value::untrusted(claim.path)),
        (Word::Why, Value::Text(why)),
    ];
    collector.add(claim.diagnostic(&PATH).words(&words));
}

/// Reports an absolute path that leads below the root.
fn not_relative(
    context: &Context<'_, '_>,
    collector: &mut Collector<'_, '_>,
    claim: &ClaimedPath<'_, '_>,
) {
    let PathTarget::Below(relative) = PathTarget::of(claim.path, context.root) else {
        return;
    };
    let words = [
        (Word::Path, Value::untrusted(claim.path)),
        (Word::Relative, Value::untrusted(&relative)),
    ];
    collector.add(claim.diagnostic(&NOT_RELATIVE).words(&words));
}

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
    let words = [
        (Word::Path, Value::untrusted(claim.path)),
        (Word::What, Value::Text(what)),
    ];
    collector.add(claim.diagnostic(rule).words(&words));
}

//! Step 6, only with evidence: where the agent wrote files, and whether git has committed them.

use std::collections::BTreeSet;
use std::path::Path;

use crate::check::report::ArtifactState;
use crate::check::returned::ReadReturn;
use crate::check::rules::artifacts;
use crate::check::rules::claimed_paths::{PathTarget, comparable};
use crate::check::{Collector, Context, Location};
use crate::evidence::Subject;
use crate::rule::{Claimed, Level, Rule, Step};

/// The most files of each rule.
const FILES_AT_MOST: usize = 50;

pub(super) static OUTSIDE: Rule = Rule::warning(Step::Artifacts, "change-outside")
    .applies_to(|_| true)
    .claims(Claimed::Work, "the agent wrote only files that it may write")
    .says("File was written that the agent may not write: {path} ({why})")
    .advises("Write only the files that your task allows");

/// Reports what the agent wrote outside of the globs of its table, or else of its profile, whatever it returns.
pub(crate) fn check_outside(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let own = context.profile.writes.as_deref();
    let Some(globs) = context.expected.writes.or(own) else {
        return;
    };
    let subject = context.subject().filter(|_| collector.is_enabled(&OUTSIDE));
    let written = subject.map(|it| it.written_files(context.root));
    let may_be =
        |path: &Path| globs.iter().any(|glob| glob.is_around(path)) || is_return(context, path);
    let outside = written.into_iter().flatten().filter(|it| !may_be(&it.0));
    for (path, wrote) in outside.take(FILES_AT_MOST) {
        let path = path.to_string_lossy();
        collector.assess(&OUTSIDE, Location::Whole, (Some(&*path), ""), &wrote);
    }
}

/// Whether a path is that of the return, or of a file in which agents of the profile return, or lies where artifacts
/// may lie outside of the root.
fn is_return(context: &Context<'_, '_>, path: &Path) -> bool {
    let whole = context.root.absolute(path);
    let own = context.input.file.path.map(|it| context.root.absolute(it));
    let handoff = context.profile.handoff();
    let mut extra = context.profile.extra_roots.iter();
    own.is_some_and(|own| own == whole)
        || context.profile.matches_path(path)
        || handoff.is_some_and(|it| it.matches_path(path))
        || extra.any(|folder| whole.starts_with(folder))
}

pub(super) static UNCOMMITTED: Rule = Rule::warning(Step::Artifacts, "artifact-uncommitted")
    .at(Level::Off)
    .claims(Claimed::Work, "git has committed the file")
    .says("File is not committed: {path} ({why})")
    .advises("Commit the file");

/// Reports artifacts, and other files that the agent wrote, of which the last commit does not have the content.
pub(super) fn check_committed(
    collector: &mut Collector<'_, '_>,
    returned: &ReadReturn<'_, '_>,
    subject: &Subject<'_>,
) {
    if !collector.is_enabled(&UNCOMMITTED) {
        return;
    }
    let context = collector.context;
    let states = collector.facts.artifacts.iter().map(|it| it.state);
    let claims = returned.artifacts.iter().zip(states);
    let claims = claims.filter(|(_, it)| matches!(it, ArtifactState::Ok | ArtifactState::Empty));
    let claims = claims.map(|(claim, _)| (claim.at.into(), claim.path.clone().into_owned()));
    let written = subject.changed_files(context.root).into_iter();
    let list = Location::from(artifacts::list(context));
    let files: Vec<_> = claims.chain(written.map(|(path, _)| (list, path))).collect();
    let mut seen = BTreeSet::new();
    for (at, path) in files {
        let PathTarget::Below(relative) = PathTarget::of(&path, context.root) else {
            continue;
        };
        if seen.len() < FILES_AT_MOST && seen.insert(comparable(&path, context.root).into_owned()) {
            let file = subject.file(context.root, &relative);
            collector.assess(&UNCOMMITTED, at, (Some(&path), ""), &subject.committed(&file));
        }
    }
}

//! Step 6, only with evidence: the agent changed the files that it lists, and lists the files that it
//! changed.

use std::path::Path;

use crate::check::returned::ReadArtifact;
use crate::check::rules::claimed_paths::{PathTarget, comparable};
use crate::check::rules::work;
use crate::check::{Collector, Location};
use crate::evidence::{ClaimedFile, EvidenceValue, Subject};
use crate::root::Found;
use crate::rule::{Claimed, Level, Rule, Step, ToAgent};

/// Most files that are reported as left out.
const UNCLAIMED_AT_MOST: usize = 50;

pub(crate) static UNCLAIMED: Rule = Rule {
    id: "change-unclaimed",
    claim: Some((Claimed::Work, "the agent changed no other file")),
    level: Level::Warning,
    message: "Changed file is not listed: {path} ({why})",
    help: "Have {agent} list every file that it changed",
    message_to_agent: ToAgent::Words("You changed a file that you do not list: {path} ({why})"),
    advice_to_agent: "List every file that you changed",
    ..Rule::of_own_profile(Step::Artifacts)
};

/// Compares the list of changed files with the record of the agent and the repository. `others` are files that the
/// return lists elsewhere. A list `is_open` if it names files in a way that cannot be looked up, so that it may
/// mean any.
pub(in crate::check::rules) fn check(
    collector: &mut Collector<'_, '_>,
    files: &[ReadArtifact<'_, '_>],
    others: &[ReadArtifact<'_, '_>],
    is_open: bool,
) {
    let context = collector.context;
    let Some(subject) = context.subject() else {
        return;
    };
    for file in files {
        changed(collector, subject, file);
    }
    if is_open || !collector.is_enabled(&UNCLAIMED) {
        return;
    }
    let listed = files.iter().chain(others).map(|file| {
        let path = comparable(&file.path, context.root);
        path.trim_end_matches('/').to_owned()
    });
    let listed: Vec<String> = listed.collect();
    let is_listed = |path: &Path| {
        let mut listed = listed.iter();
        listed.any(|own| {
            own.contains('*') || path.starts_with(own) || path.ends_with(own) || own == "."
        })
    };
    let unclaimed = subject.changed_files(context.root).into_iter();
    let unclaimed = unclaimed.filter(|(path, _)| !is_listed(Path::new(path)));
    for (path, wrote) in unclaimed.take(UNCLAIMED_AT_MOST) {
        let at = Location::Member("changed");
        collector.assess(&UNCLAIMED, at, (Some(&*path), ""), &wrote);
    }
}

/// Whether the agent changed a file that it lists.
fn changed(collector: &mut Collector<'_, '_>, subject: &Subject<'_>, file: &ReadArtifact<'_, '_>) {
    let root = collector.context.root;
    let PathTarget::Below(relative) = PathTarget::of(&file.path, root) else {
        return;
    };
    let found = root.stat(Path::new(&*relative), false);
    if !matches!(found, Found::File { .. } | Found::Empty) {
        return;
    }
    let claimed = ClaimedFile::new(root, &relative).work_trees(subject.work_trees());
    let wrote = subject.wrote(&claimed);
    let is_shown = wrote.value == EvidenceValue::Shown;
    let differs = work::differs(subject, &claimed, Some(&wrote)).filter(|_| !is_shown);
    if let Some(assessed) = differs.or(is_shown.then_some(wrote)) {
        let about = (Some(&*file.path), "");
        collector.assess(&work::UNCHANGED, file.at.into(), about, &assessed);
    }
}

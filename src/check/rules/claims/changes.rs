//! Step 6, only with evidence: the agent changed the files that it lists, and lists the files that it
//! changed.

use std::path::Path;

use crate::check::Collector;
use crate::check::returned::ReadArtifact;
use crate::check::rules::claimed_paths::{PathTarget, comparable};
use crate::check::rules::work::{self, AssessedClaim};
use crate::document::pointer::Pointer;
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

/// The list of changed files of a return.
pub(in crate::check::rules) struct ChangedFiles<'p, 't> {
    pub(in crate::check::rules) files: &'p [ReadArtifact<'p, 't>],
    /// Files that the return lists elsewhere.
    pub(in crate::check::rules) others: &'p [ReadArtifact<'p, 't>],
    pub(in crate::check::rules) pointer: &'p Pointer<'static>,
    /// Whether it names files in a way that cannot be looked up, so that it may mean any.
    pub(in crate::check::rules) is_open: bool,
}

/// Compares the list of changed files with the record of the agent and the repository.
pub(in crate::check::rules) fn check(
    collector: &mut Collector<'_, '_>,
    list: &ChangedFiles<'_, '_>,
) {
    let context = collector.context;
    let Some(subject) = context.subject() else {
        return;
    };
    for file in list.files {
        changed(collector, subject, file);
    }
    if list.is_open || !collector.is_enabled(&UNCLAIMED) {
        return;
    }
    let paths = list.files.iter().chain(list.others);
    let listed: Vec<String> = paths
        .map(|file| {
            comparable(&file.path, context.root)
                .trim_end_matches('/')
                .to_owned()
        })
        .collect();
    let is_listed = |path: &str| {
        let mut listed = listed.iter();
        listed.any(|own| {
            own.contains('*')
                || Path::new(path).starts_with(own)
                || Path::new(path).ends_with(own)
                || own == "."
        })
    };
    let unclaimed = subject.changed_files(context.root);
    let unclaimed = unclaimed.into_iter().filter(|(path, _)| !is_listed(path));
    for (path, wrote) in unclaimed.take(UNCLAIMED_AT_MOST) {
        AssessedClaim::new(&UNCLAIMED, list.pointer)
            .path(&path)
            .collect(collector, &wrote);
    }
}

/// Whether the agent changed a file that it lists.
fn changed(collector: &mut Collector<'_, '_>, subject: &Subject<'_>, file: &ReadArtifact<'_, '_>) {
    let root = collector.context.root;
    let PathTarget::Below(relative) = PathTarget::of(&file.path, root) else {
        return;
    };
    if !matches!(
        root.stat(Path::new(&*relative), false),
        Found::File { .. } | Found::Empty
    ) {
        return;
    }
    let claimed = ClaimedFile::new(root, &relative).work_trees(subject.work_trees());
    let wrote = subject.wrote(&claimed);
    let is_shown = wrote.value == EvidenceValue::Shown;
    let differs = work::differs(subject, &claimed, Some(&wrote)).filter(|_| !is_shown);
    let assessed = match differs {
        Some(differs) => differs,
        None if is_shown => wrote,
        None => return,
    };
    AssessedClaim::new(&work::UNCHANGED, &file.at.pointer())
        .path(&file.path)
        .collect(collector, &assessed);
}

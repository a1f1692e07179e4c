//! Step 6, only with evidence: the repository has the commits that the return names.

use crate::check::Collector;
#[cfg(not(feature = "git"))]
use crate::evidence::Assessment;
use crate::evidence::NO_REPOSITORY;
#[cfg(feature = "git")]
use crate::evidence::Subject;
#[cfg(feature = "git")]
use crate::evidence::claims::commit::AssessedCommit;
use crate::profile::RoleMember;
use crate::profile::commits::{NamedCommit, named};
use crate::profile::role::{ClaimedTexts, Piece};
use crate::rule::{Claimed, Rule, Step, ToAgent};

/// Most commits of one return that are looked up.
const COMMITS_AT_MOST: usize = 200;

pub(crate) static NOT_FOUND: Rule = Rule {
    id: "commit-not-found",
    claim: Some((Claimed::Declared, "the repository has the commit")),
    message: "Commit does not exist: {found} ({why})",
    help: "Have {agent} commit its work, and return the id that git prints",
    message_to_agent: ToAgent::Words("Your commit {found} does not exist: {why}"),
    advice_to_agent: "Commit your work, and return the id that git prints",
    ..Rule::of_own_profile(Step::Artifacts)
};

pub(crate) static BEFORE_START: Rule = Rule {
    id: "commit-before-start",
    claim: Some((Claimed::Declared, "the commit was made in this run")),
    message: "Commit is older than the run of the agent: {found} ({why})",
    help: "Have {agent} return only commits that it made in this run",
    message_to_agent: ToAgent::Words("Your commit {found} is older than your run: {why}"),
    advice_to_agent: "Return only commits that you made in this run",
    ..Rule::of_own_profile(Step::Artifacts)
};

pub(crate) static WITHOUT_FILE: Rule = Rule {
    id: "commit-without-file",
    claim: Some((Claimed::Declared, "the commit has the file")),
    message: "Commit does not have the file: {path} ({why})",
    help: "Have {agent} name the files of each commit as git does",
    message_to_agent: ToAgent::Words("Your commit {found} does not have {path}: {why}"),
    advice_to_agent: "Commit the file, or leave it out of that commit",
    ..Rule::of_own_profile(Step::Artifacts)
};

/// Whether a return names commits.
pub(in crate::check::rules) fn are_named(claims: &[ClaimedTexts<'_, '_>]) -> bool {
    let id = |claim: &ClaimedTexts<'_, '_>| {
        let piece = claim.whole_or(RoleMember::Commit);
        piece.is_some_and(|piece| named(&piece.text).next().is_some())
    };
    claims.iter().any(id)
}

/// Compares the commits of a return with the repository.
pub(in crate::check::rules) fn check(
    collector: &mut Collector<'_, '_>,
    claims: &[ClaimedTexts<'_, '_>],
) {
    let mut left = COMMITS_AT_MOST;
    for claim in claims {
        let Some(piece) = claim.whole_or(RoleMember::Commit) else {
            continue;
        };
        let files: Vec<&Piece<'_, '_>> = claim.all(RoleMember::Path).collect();
        for commit in named(&piece.text).take(left) {
            left -= 1;
            one(collector, commit, piece, &files);
        }
    }
}

#[cfg(feature = "git")]
fn one(
    collector: &mut Collector<'_, '_>,
    commit: NamedCommit<'_>,
    piece: &Piece<'_, '_>,
    files: &[&Piece<'_, '_>],
) {
    let context = collector.context;
    let paths: Vec<&str> = files.iter().map(|file| &*file.text).collect();
    let assess = |it: &Subject<'_>| it.commit(context.root, commit, &paths);
    let none = || AssessedCommit::unknown(NO_REPOSITORY);
    let assessed = context.subject().map_or_else(none, assess);
    let (at, about) = (piece.at.into(), (None, commit.digits));
    collector.assess(&NOT_FOUND, at, about, &assessed.exists);
    if let Some(is_new) = &assessed.is_new {
        collector.assess(&BEFORE_START, at, about, is_new);
    }
    for (file, found) in files.iter().zip(&assessed.files) {
        let about = (Some(&*file.text), commit.digits);
        collector.assess(&WITHOUT_FILE, file.at.into(), about, found);
    }
}

#[cfg(not(feature = "git"))]
fn one(
    collector: &mut Collector<'_, '_>,
    commit: NamedCommit<'_>,
    piece: &Piece<'_, '_>,
    _: &[&Piece<'_, '_>],
) {
    let unknown = Assessment::unknown(NO_REPOSITORY);
    collector.assess(&NOT_FOUND, piece.at.into(), (None, commit.digits), &unknown);
}

//! Step 6: claims that a standard of one's own declares: lines and texts that the agent cites, commits, numbers of
//! tests and changed files. Each is shown, contradicted or unknown; only a contradiction is a finding.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

use crate::check::returned::{PassedTests, ReadArtifact};
use crate::check::rules::claimed_paths::{PathTarget, comparable};
use crate::check::rules::work;
use crate::check::{Collector, Location};
use crate::document::Form;
use crate::document::tree::Value;
use crate::evidence::claims::cite::{self, Cite};
use crate::evidence::claims::tally::Tally;
use crate::evidence::{Assessment, NO_REPOSITORY, Subject};
use crate::profile::RoleMember;
use crate::profile::commits::named;
use crate::profile::paths::{self, PathMention, range};
use crate::profile::role::{ClaimedTexts, Piece};
use crate::profile::words::is_none;
use crate::root::Found;
use crate::rule::{Claimed, Level, Rule, Step};

const COMMITS_AT_MOST: usize = 200;
const UNCLAIMED_AT_MOST: usize = 50;

pub(super) static CITE_BEYOND_END: Rule = Rule::of_own_profile(Step::Artifacts, "cite-beyond-end")
    .claims(Claimed::Work, "the file has the cited line")
    .says("Cited line does not exist: {found} ({why})")
    .advises("Open the file, and cite the right line");

pub(super) static CITE_NOT_THERE: Rule = Rule::of_own_profile(Step::Artifacts, "cite-not-there")
    .claims(Claimed::Work, "the file has the quoted text")
    .says("Quoted text is not in the file: {found} ({why})")
    .advises("Open the file, and quote what it says");

pub(super) fn names_cites(claims: &[ClaimedTexts<'_, '_>], form: Form) -> bool {
    let pieces = claims.iter();
    let pieces = pieces.filter_map(|claim| claim.whole_or(RoleMember::Path));
    let mut is_named = pieces.map(|piece| match form {
        Form::Text => paths_in(piece).next().is_some(),
        Form::Json | Form::Yaml => {
            let path = paths::exactly(&piece.text).without_lines();
            piece.doubt.is_none() && matches!(path, PathMention::Path(..))
        }
    });
    is_named.any(|is_named| is_named)
}

pub(super) fn check_cites(
    collector: &mut Collector<'_, '_>,
    claims: &[ClaimedTexts<'_, '_>],
    form: Form,
    none: &[String],
) {
    let cites = claims.iter().flat_map(|claim| cites_of(claim, form, none));
    let cites: Vec<_> = cites.collect();
    if cites.is_empty() {
        return;
    }
    let (cites, places): (Vec<_>, Vec<_>) = cites.into_iter().unzip();
    let context = collector.context;
    let assessed = cite::assess(context.root, context.subject(), &cites);
    for ((cite, found), [line, quote]) in cites.iter().zip(assessed).zip(places) {
        let shown = match cite.lines {
            Some([first, last]) if first < last => format!("{}:{first}-{last}", cite.path),
            Some([line, _]) => format!("{}:{line}", cite.path),
            None => cite.path.clone().into_owned(),
        };
        for (rule, at, found) in
            [(&CITE_BEYOND_END, line, found.lines), (&CITE_NOT_THERE, quote, found.quote)]
        {
            if let Some(found) = found {
                collector.assess(rule, at.into(), (None, &*shown), &found);
            }
        }
    }
}

/// The cites of a claim, with the places of the line and the quote of each. A text may name several.
pub(super) fn cites_of<'v, 't>(
    claim: &ClaimedTexts<'v, 't>,
    form: Form,
    none: &[String],
) -> Vec<(Cite<'t>, [Value<'v, 't>; 2])> {
    let piece = claim.whole_or(RoleMember::Path);
    let Some(piece) = piece.filter(|piece| !is_none(&piece.text, none)) else {
        return Vec::new();
    };
    let line = claim.get(RoleMember::Line);
    let quote = claim.get(RoleMember::Quote);
    let quote = quote.filter(|quote| !is_none(&quote.text, none));
    let cite = |path: Cow<'t, str>| {
        let cite = Cite::read(path);
        let lines = line.and_then(|line| range(line.text.trim()));
        let doubt = if line.is_none() { doubt(&piece.source, &cite) } else { None };
        let quoted = quote.map(|quote| quote.text.clone());
        let cite = Cite { lines: lines.or(cite.lines), quote: quoted, doubt, ..cite };
        (cite, [line.unwrap_or(piece).at, quote.unwrap_or(piece).at])
    };
    let named: Vec<_> = paths_in(piece).filter(|_| form == Form::Text).collect();
    // Where there is no path in a text, it is passed as it is: no file has that name.
    let whole = named.is_empty().then(|| piece.source.clone());
    let paths = named.into_iter().map(Cow::Owned).chain(whole);
    paths.map(cite).collect()
}

/// Why it is not certain which lines a text cites: it has other numbers, or speaks of another version.
fn doubt(source: &str, cite: &Cite<'_>) -> Option<&'static str> {
    const UNCLEAR: &str = "it is not clear which lines are meant";
    const VERSIONS: [&str; 5] = ["branch", "commit", "patch", "revision", "version"];
    const TIMES: [&str; 6] = ["after", "before", "old", "original", "previous", "was"];
    // The work for a text with many paths must not grow with its square.
    const LONGEST: usize = 4096;
    if source.len() > LONGEST {
        return Some(UNCLEAR);
    }
    let has = |text: &str, known: &[&str]| {
        let mut words = text.split(|it: char| !it.is_alphanumeric());
        words.any(|word| known.iter().any(|it| it.eq_ignore_ascii_case(word)))
    };
    let mut remarks = source.split('(').skip(1).filter_map(|it| it.split(')').next());
    if has(source, &VERSIONS) || remarks.any(|it| has(it, &TIMES)) {
        return Some("another version of the file may be meant");
    }
    let is_digit = |it: char| it.is_ascii_digit();
    let is_of_lines = |it: char| is_digit(it) || "LC:#-\u{2013}".contains(it);
    let mut behind = source.split(&*cite.path).skip(1);
    let has_others = behind.any(|rest| match cite.lines {
        Some(_) => {
            let more = rest.trim_start_matches(is_of_lines).strip_prefix(',');
            more.is_some_and(|it| it.trim_start().starts_with(is_digit))
        }
        None => rest.contains(is_digit),
    });
    has_others.then_some(UNCLEAR)
}

fn paths_in(piece: &Piece<'_, '_>) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    paths::each(&piece.source, |named| {
        if let PathMention::Path(path, _) = named {
            found.push(path);
        }
    });
    found.into_iter()
}

pub(super) static COMMIT_NOT_FOUND: Rule =
    Rule::of_own_profile(Step::Artifacts, "commit-not-found")
        .claims(Claimed::Work, "the repository has the commit")
        .says("Commit does not exist: {found} ({why})")
        .advises("Commit your work, and return the id that git prints");

pub(super) static COMMIT_BEFORE_START: Rule =
    Rule::of_own_profile(Step::Artifacts, "commit-before-start")
        .claims(Claimed::Work, "the commit was made in this run")
        .says("Commit is older than the run of the agent: {found} ({why})")
        .advises("Return only commits that you made in this run");

pub(super) fn names_commits(claims: &[ClaimedTexts<'_, '_>]) -> bool {
    let pieces = claims.iter();
    let mut pieces = pieces.filter_map(|claim| claim.whole_or(RoleMember::Commit));
    pieces.any(|piece| named(&piece.text).next().is_some())
}

pub(super) fn check_commits(collector: &mut Collector<'_, '_>, claims: &[ClaimedTexts<'_, '_>]) {
    let context = collector.context;
    let commits = claims.iter().flat_map(|claim| {
        let pieces = claim.whole_or(RoleMember::Commit).into_iter();
        pieces.flat_map(|piece| named(&piece.text).map(move |it| (piece, it)))
    });
    for (piece, commit) in commits.take(COMMITS_AT_MOST) {
        let (at, about) = (piece.at.into(), (None, commit.digits));
        let Some(subject) = context.subject() else {
            let unknown = Assessment::unknown(NO_REPOSITORY);
            collector.assess(&COMMIT_NOT_FOUND, at, about, &unknown);
            continue;
        };
        let assessed = subject.commit(context.root, commit);
        collector.assess(&COMMIT_NOT_FOUND, at, about, &assessed.exists);
        if let Some(is_new) = &assessed.is_new {
            collector.assess(&COMMIT_BEFORE_START, at, about, is_new);
        }
    }
}

pub(super) static TESTS_INCONSISTENT: Rule =
    Rule::of_own_profile(Step::Artifacts, "tests-inconsistent")
        .claims(Claimed::Within, "the numbers of tests agree")
        .says("Numbers of tests contradict each other: {found} ({why})")
        .advises("Return the numbers that the test runner prints");

/// Whether a return has numbers of tests, or says that they passed.
pub(super) fn names_tests(claims: &[ClaimedTexts<'_, '_>]) -> bool {
    numbers(claims).iter().any(|(_, text)| {
        let has_number = text.contains(|it: char| it.is_ascii_digit());
        has_number || Tally::read(text).claims_passed().is_some()
    })
}

pub(super) fn check_tests(collector: &mut Collector<'_, '_>, claims: &[ClaimedTexts<'_, '_>]) {
    for (at, text) in numbers(claims) {
        if let Some(assessed) = Tally::read(&text).check() {
            collector.assess(&TESTS_INCONSISTENT, at.into(), (None, &*text), &assessed);
        }
    }
}

/// The tests that are claimed to have passed. None if there are none.
pub(super) fn passed_tests<'v, 't>(claims: &[ClaimedTexts<'v, 't>]) -> Option<PassedTests<'v, 't>> {
    let numbers = numbers(claims);
    let tallies = numbers.iter().map(|(at, text)| (*at, Tally::read(text)));
    let has_failed = tallies.clone().any(|(_, tally)| tally.claims_failed());
    let mut passed = tallies.filter_map(|(at, tally)| Some((at, tally.claims_passed()?)));
    let (at, all_passed) = passed.next()?;
    Some(PassedTests {
        at,
        all_passed: all_passed && !has_failed && passed.all(|(_, all_passed)| all_passed),
    })
}

/// The texts of all claims, each with its place. Numbers in one object or list are one text.
fn numbers<'v, 't>(claims: &[ClaimedTexts<'v, 't>]) -> Vec<(Value<'v, 't>, String)> {
    let mut all: Vec<(Value<'v, 't>, String)> = Vec::new();
    let mut object = None;
    let pieces = claims.iter();
    for piece in pieces.filter_map(|claim| claim.get(RoleMember::Whole)) {
        let counted = counted(piece);
        match (&counted, all.last_mut()) {
            (Some((parent, named)), Some((_, last))) if object == Some(*parent) => {
                let _ = write!(last, ", {named}");
            }
            (Some((parent, named)), _) => all.push((*parent, named.clone())),
            (None, _) => all.push((piece.at, piece.text.clone().into_owned())),
        }
        object = counted.map(|(parent, _)| parent);
    }
    all
}

/// The object or list of a member that is a number, and the name and the number.
fn counted<'v, 't>(piece: &Piece<'v, 't>) -> Option<(Value<'v, 't>, String)> {
    let parent = piece.at.parent()?;
    let named = piece.text.split_once(':');
    let (name, number) = if parent.is_object() {
        (piece.at.key(), named.map_or(&*piece.text, |(_, number)| number))
    } else {
        named?
    };
    let number = number.trim();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (parent, format!("{name}: {number}")))
}

pub(super) static CHANGE_UNCLAIMED: Rule =
    Rule::of_own_profile(Step::Artifacts, "change-unclaimed")
        .at(Level::Warning)
        .claims(Claimed::Work, "the agent changed no other file")
        .says("Changed file is not listed: {path} ({why})")
        .advises("List every file that you changed");

/// Compares the changed files with the record and the repository. `others` are files that the return lists elsewhere. A
/// list `is_open` if it names files in a way that cannot be looked up, so that it may mean any.
pub(super) fn check_changes(
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
    if is_open || !collector.is_enabled(&CHANGE_UNCLAIMED) {
        return;
    }
    let listed = files.iter().chain(others);
    let listed = listed.map(|file| comparable(&file.path, context.root));
    let listed: Vec<_> = listed.collect();
    let is_listed = |path: &Path| {
        let mut listed = listed.iter().map(|own| own.trim_end_matches('/'));
        listed.any(|own| {
            own.contains('*') || path.starts_with(own) || path.ends_with(own) || own == "."
        })
    };
    let unclaimed = subject.changed_files(context.root).into_iter();
    let unclaimed = unclaimed.filter(|(path, _)| !is_listed(Path::new(path)));
    for (path, wrote) in unclaimed.take(UNCLAIMED_AT_MOST) {
        let at = Location::Member("changed");
        collector.assess(&CHANGE_UNCLAIMED, at, (Some(&*path), ""), &wrote);
    }
}

fn changed(collector: &mut Collector<'_, '_>, subject: &Subject<'_>, file: &ReadArtifact<'_, '_>) {
    let root = collector.context.root;
    let PathTarget::Below(relative) = PathTarget::of(&file.path, root) else {
        return;
    };
    let claimed = subject.file(root, &relative);
    let about = (Some(&*file.path), "");
    match root.stat(Path::new(&*relative), false) {
        Found::File { .. } | Found::Empty => {}
        Found::Nothing => {
            if let Some(removed) = subject.removed(&claimed) {
                collector.assess(&work::UNCHANGED, file.at.into(), about, &removed);
            }
            return;
        }
        _ => return,
    }
    let wrote = subject.wrote(&claimed);
    let assessed =
        if wrote.is_shown() { Some(wrote) } else { subject.differs(&claimed, Some(&wrote)) };
    if let Some(assessed) = assessed {
        collector.assess(&work::UNCHANGED, file.at.into(), about, &assessed);
    }
}

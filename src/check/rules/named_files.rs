//! Step 6: the files that a return names are there.

use std::borrow::Cow;

use crate::check::report::StepOutcome;
use crate::check::returned::ReadArtifact;
use crate::check::rules::claimed_paths::look_up;
use crate::check::rules::places::to_write;
use crate::check::rules::taken::{Taken, TakenValues, pieces, place_name};
use crate::check::rules::{artifacts, claims, members};
use crate::check::{Collector, Context, Diagnostic, Placeholder, Suggestion, values};
use crate::document::Form;
use crate::document::tree::Value;
use crate::profile::paths::{self, NO_FILE, PathMention, UNCLEAR, names_file};
use crate::profile::place::is_nothing;
use crate::profile::role::{Doubt, Piece};
use crate::profile::words::is_none;
use crate::profile::{Place, Profile};
use crate::root::Found;
use crate::rule::{Level, Rule, Step};
use crate::text::is_blank;

pub(crate) static UNREADABLE: Rule = Rule::of_own_profile(Step::Artifacts, "claim-unreadable")
    .at(Level::Warning)
    .says("Cannot read {what}: {path} ({why})")
    .advises("Write {expected}");

pub(crate) static FILE: Rule = Rule::of_own_profile(Step::Artifacts, "file-not-found")
    .says("Named file {why}: {path}")
    .advises("Name files by their paths relative to the project root");

/// What is claimed at a place, and what should stand there.
type Claimable = [&'static str; 3];

const A_FILE: Claimable =
    ["which file is meant", "it has no path", "the path of one file, relative to the project root"];
const A_COMMIT: Claimable =
    ["which commit is meant", "it has no id of a commit", "the id that git prints"];
const TESTS: Claimable =
    ["how many tests passed", "it has no numbers", "the numbers that the test runner prints"];

pub(super) fn check(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) -> StepOutcome {
    let outcome = files(taken, collector);
    let (profile, roles) = (taken.profile, &taken.profile.roles);
    let is_named = |taken: &Taken<'_, '_>| pieces(taken).is_none_or(|it| !it.is_empty());
    let are_cited = claims::names_cites(&taken.cites, profile.form);
    for (role, is_read, claimable) in [
        (&roles.files, is_named(&taken.files), A_FILE),
        (&roles.covers, is_named(&taken.covers), A_FILE),
        (&roles.changed, is_named(&taken.changed), A_FILE),
        (&roles.cites, are_cited, A_FILE),
        (&roles.commits, claims::names_commits(&taken.commits), A_COMMIT),
        (&roles.tests, claims::names_tests(&taken.tests), TESTS),
    ] {
        if let Some(role) = role.as_ref().filter(|_| !is_read) {
            nothing_read(taken, collector, role, claimable);
        }
    }
    claims::check_cites(collector, &taken.cites, profile.form, &profile.none);
    claims::check_commits(collector, &taken.commits);
    changed(taken, collector);
    claims::check_tests(collector, &taken.tests);
    let has_files = taken.artifacts.is_some() || taken.files.is_some();
    match outcome {
        StepOutcome::Skip(_) if !has_files && roles.has_claims() => StepOutcome::Pass,
        outcome => outcome,
    }
}

fn files(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) -> StepOutcome {
    let context = collector.context;
    let has_files = taken.artifacts.is_some() || taken.files.is_some();
    let Some(returned) = context.returned.filter(|_| has_files) else {
        return StepOutcome::Skip("the profile has no field for files".into());
    };
    unreadable(&taken.files, collector);
    other_files(taken, collector);
    if !context.claims_success() {
        artifacts::report_claims(collector, returned);
        return match context.status {
            None => StepOutcome::Skip("the status is not known".into()),
            Some(_) => StepOutcome::NotApplicable,
        };
    }
    unreadable(&taken.artifacts, collector);
    artifacts::check_files(collector, returned);
    if returned.artifacts.is_empty() && taken.profile.requires_artifacts {
        return nothing(taken, collector, returned.claimed > Some(0));
    }
    StepOutcome::Pass
}

/// The paths that a role names, and the number of files that it names otherwise.
pub(super) fn paths<'d, 't>(
    taken: &Taken<'d, 't>,
    profile: &Profile,
) -> (Vec<ReadArtifact<'d, 't>>, usize) {
    let (mut paths, mut unreadable) = (Vec::new(), 0);
    each(taken, profile, |piece, named| match named {
        PathMention::Path(path, doubt) => {
            paths.push(ReadArtifact { doubt, ..ReadArtifact::new(path.into(), piece.at) });
        }
        PathMention::Unreadable(_) => unreadable += 1,
    });
    (paths, unreadable)
}

/// Why nothing is known of a file: it is not there, and the text may say so, for this reason.
pub(super) fn doubt(
    path: &str,
    why: Option<&'static str>,
    context: &Context<'_, '_>,
) -> Option<&'static str> {
    let why = why?;
    match look_up(context, path, false) {
        Ok(Found::Nothing) => Some(why),
        Ok(Found::NotAFile(_)) if why != NO_FILE => Some("is not a regular file"),
        _ => None,
    }
}

/// Passes what each text of a role names to `say`. In a text, paths are taken out of what stands there.
fn each<'p, 'd, 't>(
    taken: &'p Taken<'d, 't>,
    profile: &Profile,
    mut say: impl FnMut(&'p Piece<'d, 't>, PathMention),
) {
    let pieces = pieces(taken).unwrap_or_default().iter();
    for piece in pieces.filter(|piece| piece.is_matched) {
        if is_none(paths::before_remark(piece.text.trim()), &profile.none) {
            continue;
        }
        let mut say = |named: PathMention| say(piece, named.without_lines());
        match piece.doubt {
            Some(Doubt::Member) => say(PathMention::Unreadable("is a member of an object")),
            _ if profile.form != Form::Text => {
                // A block of YAML ends with the end of a line, and may have a path on each.
                let text = piece.text.trim_end_matches('\n');
                let lines = text.split('\n');
                let lines = lines.filter(|line| !line.is_empty() || text.is_empty());
                lines.for_each(|it| say(paths::exactly(it)));
            }
            // Another list may follow the one of files.
            Some(Doubt::Told) if !names_file(&piece.source) => {}
            Some(Doubt::Told) => paths::each(&piece.source, |it| say(it.in_doubt(UNCLEAR))),
            None => paths::each(&piece.source, say),
        }
    }
}

fn changed(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) {
    let Some(pieces) = pieces(&taken.changed).filter(|_| collector.context.claims_success()) else {
        return;
    };
    let of = |role| paths(role, taken.profile);
    let (files, unreadable) = of(&taken.changed);
    let (artifacts, others) = (of(&taken.artifacts), of(&taken.files));
    let text = collector.context.input.text;
    let is_below = (pieces.iter()).any(|it| taken.may_stand_below(it.at, text));
    // Where nothing stands, nothing is claimed to be all.
    let is_open = pieces.is_empty() || unreadable + artifacts.1 + others.1 > 0 || is_below;
    let others = [artifacts.0, others.0].concat();
    claims::check_changes(collector, &files, &others, is_open);
}

/// Reports what cannot be looked up, and files that are not there for a reason that cannot be read.
fn unreadable(taken: &Taken<'_, '_>, collector: &mut Collector<'_, '_>) {
    let mut last: Option<&Piece<'_, '_>> = None;
    each(taken, collector.context.profile, |piece, named| {
        let why = match named {
            PathMention::Unreadable(why) => Some(why),
            PathMention::Path(path, why) => doubt(&path, why, collector.context),
        };
        let is_new = last.is_none_or(|last| !std::ptr::eq(last, piece));
        if let Some(why) = why.filter(|_| is_new) {
            last = Some(piece);
            let [what, _, expected] = A_FILE;
            report_unreadable(collector, piece.at, &piece.source, [what, why, expected]);
        }
    });
}

/// Reports a place that holds something of which nothing can be read.
fn nothing_read(
    taken: &TakenValues<'_, '_>,
    collector: &mut Collector<'_, '_>,
    role: &Place,
    claimable: Claimable,
) {
    let mut found = taken.values_at(role).into_iter();
    if let Some(at) = found.find(|it| !is_nothing(*it, &taken.profile.none)) {
        let text = at.scalar();
        let text = text.as_deref().unwrap_or(place_name(role));
        report_unreadable(collector, at, text, claimable);
    }
}

fn report_unreadable(
    collector: &mut Collector<'_, '_>,
    at: Value<'_, '_>,
    text: &str,
    claimable: Claimable,
) {
    let [what, why, expected] = claimable.map(Placeholder::Text);
    let values = values![what = what, path = text, why = why, expected = expected];
    collector.report(&UNREADABLE, at, &values);
}

/// Checks the files that only have to be there, whoever wrote them.
fn other_files(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) {
    let (files, _) = paths(&taken.files, taken.profile);
    for file in files {
        let why = match look_up(collector.context, &file.path, false) {
            Ok(Found::File { .. } | Found::Empty) => continue,
            _ if doubt(&file.path, file.doubt, collector.context).is_some() => continue,
            Ok(Found::Nothing) => "does not exist",
            Ok(Found::NotAFile(_)) => "is not a regular file",
            Ok(Found::Outside) => "is outside the root",
            Ok(Found::Unreadable) => "cannot be read",
            Err(why) => why,
        };
        let values = values![path = &file.path, why = Placeholder::Text(why)];
        collector.report(&FILE, file.at, &values);
    }
}

/// Reports a success without files, unless step 2 already reports that their place is empty.
fn nothing(
    taken: &TakenValues<'_, '_>,
    collector: &mut Collector<'_, '_>,
    names_some: bool,
) -> StepOutcome {
    const NAMES_NONE: StepOutcome = StepOutcome::Skip(Cow::Borrowed("the return names no file"));
    let context = collector.context;
    let Some((role, Ok(pieces))) = &taken.artifacts else {
        return StepOutcome::Skip("the field of the files is ambiguous".into());
    };
    // Step 2 fails it for that.
    if collector.has_failed_by(&[&members::MISSING, &members::EMPTY]) {
        return NAMES_NONE;
    }
    let first = pieces.first().map(|piece| piece.at);
    let text = context.input.text;
    let names_some = names_some || first.is_some_and(|at| taken.may_stand_below(at, text));
    let found = taken.values_at(role);
    let is_empty = |it: &Value<'_, '_>| it.is_list() && it.items().next().is_none();
    let is_listed = found.iter().any(is_empty)
        || role.paths.iter().any(|it| it.ends_in_nothing(taken.document));
    let values = values![field = Placeholder::Text("field"), name = place_name(role)];
    if found.is_empty() && !is_listed && !names_some && collector.fails(&members::MISSING) {
        let at = role.path().nearest_to(taken.document);
        let write = to_write(taken, context.profile, role.as_str(), true);
        let diagnostic = Diagnostic::new(&members::MISSING, at, &values);
        collector.add(diagnostic.suggestion(write.map(Suggestion::Say)));
        return NAMES_NONE;
    }
    if let Some(status) = context.status {
        artifacts::nothing_listed(collector, &status.word, names_some);
    } else if !names_some && pieces.iter().all(|it| is_blank(&it.text)) && !is_listed {
        // Without a status, an empty list claims nothing.
        collector.report(&members::EMPTY, "artifacts", &values);
    }
    StepOutcome::Pass
}

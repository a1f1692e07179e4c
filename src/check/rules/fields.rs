//! Step 2: the required fields are present and have the right type, and so have the entries of the lists
//! of artifacts and errors, whether or not the files exist.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::check::report::StepOutcome;
use crate::check::rules::claimed_paths::comparable;
use crate::check::rules::summary::is_emoji;
use crate::check::rules::taken::TakenValues;
use crate::check::rules::{delegation, handoff, members, places, return_file, worthless};
use crate::check::{Collector, Diagnostic, Placeholder, Suggestion, values};
use crate::document::tree::Value;
use crate::profile::{Profile, Shape};
use crate::rule::{Requirement, Rule, Step};
use crate::text::markup::markup;
use crate::text::sentences::sentences;
use crate::text::suggest::nearest;
use crate::text::{count, is_blank};

pub(super) static NEXT_STEPS_LONG: Rule = Rule::warning(Step::Fields, "next-steps-long")
    .applies_to(|it| it.limits.next_steps_at_most.is_some())
    .says("Next steps are too long: {length} (limit {most})")
    .advises("Keep next_steps within {most} characters");

pub(super) fn check<'t>(
    taken: &TakenValues<'_, 't>,
    collector: &mut Collector<'_, 't>,
) -> StepOutcome {
    let context = collector.context;
    return_file::check_location(collector);
    let object = taken.document;
    if !context.profile.fields.is_empty() && !members::check(collector, object) {
        return StepOutcome::Pass;
    }
    match context.profile.shape {
        Shape::Return => {
            let most = context.profile.limits.next_steps_at_most;
            at_most(collector, &NEXT_STEPS_LONG, (object, "next_steps"), most);
            artifacts(collector, object);
            errors(collector, object);
            delegation::check(collector, object);
        }
        Shape::Handoff => handoff::complete(collector, object),
        Shape::Message | Shape::Own => {}
    }
    let names_places = context.profile.is_own() || context.expected.schema.is_some();
    if names_places {
        places::check(taken, collector);
    }
    StepOutcome::Pass
}

pub(super) static ARTIFACT_INCOMPLETE: Rule = Rule::warning(Step::Fields, "artifact-incomplete")
    .applies_to(|it| it.recommends_below("artifacts[]."))
    .says("Artifact has no {what}: {name}")
    .advises("Describe each artifact with type, path and summary");

pub(super) static ARTIFACT_TYPE: Rule = Rule::warning(Step::Fields, "artifact-type")
    .applies_to(|it| !it.artifact_types.is_empty())
    .says("Unknown artifact type: {kind}")
    .advises("Use one of {types}");

pub(super) static ARTIFACT_DUPLICATE: Rule = Rule::warning(Step::Fields, "artifact-duplicate")
    .applies_to(|it| it.requires(Requirement::UniqueArtifacts))
    .says("Artifact is listed twice: {path}")
    .advises("List each artifact once");

pub(super) static ARTIFACT_SUMMARY_LONG: Rule =
    Rule::warning(Step::Fields, "artifact-summary-long")
        .applies_to(|it| it.limits.artifact_summary_at_most.is_some())
        .says("Artifact summary is too long: {length} (limit {most})")
        .advises("Keep artifact summaries within {most} characters");

pub(super) static ARTIFACT_SUMMARY_FORM: Rule =
    Rule::warning(Step::Fields, "artifact-summary-form")
        .applies_to(|it| it.requires(Requirement::OneSentenceArtifacts))
        .says("Artifact summary is not one plain sentence: it has {what}")
        .advises("Describe each artifact in one plain sentence");

fn artifacts(collector: &mut Collector<'_, '_>, object: Value<'_, '_>) {
    let context = collector.context;
    let (profile, recommended) = (context.profile, &context.required.recommended_of_artifacts);
    let mut paths = HashSet::new();
    let artifacts = object.list_of("artifacts").into_iter().flatten();
    for artifact in artifacts.filter(|it| it.is_object()) {
        recommend(collector, &ARTIFACT_INCOMPLETE, artifact, recommended);
        one_of(collector, &ARTIFACT_TYPE, artifact, &profile.artifact_types);
        if let Some(at) = artifact.member("path")
            && let Some(path) = at.text()
            && collector.is_enabled(&ARTIFACT_DUPLICATE)
            && !paths.insert(comparable(path, context.root))
        {
            collector.report(&ARTIFACT_DUPLICATE, at, &values![path = path]);
        }
        let (text, most) = ((artifact, "summary"), profile.limits.artifact_summary_at_most);
        at_most(collector, &ARTIFACT_SUMMARY_LONG, text, most);
        if let Some(at) = artifact.member("summary")
            && let Some(text) = at.text()
        {
            worthless::check_copied(collector, text, at);
            if let Some(what) = unplain(profile, text) {
                collector.report(&ARTIFACT_SUMMARY_FORM, at, &values![what = what]);
            }
        }
    }
}

/// Why an artifact's summary is not one plain sentence. None if it is one.
fn unplain<'v>(profile: &Profile, text: &'v str) -> Option<Placeholder<'v>> {
    let of = |requirement| profile.requires(requirement).then_some(text);
    let number = of(Requirement::OneSentenceArtifacts).map(sentences)?;
    let several = (number > 1).then(|| Placeholder::Shown(count(number, "sentence")));
    let emoji = || of(Requirement::NoEmoji)?.matches(is_emoji).next().map(Placeholder::from);
    let markup = || markup(of(Requirement::NoMarkup)?).map(Placeholder::Text);
    several.or_else(emoji).or_else(markup)
}

pub(super) static ERROR_INCOMPLETE: Rule = Rule::warning(Step::Fields, "error-incomplete")
    .applies_to(|it| it.recommends_below("errors[]."))
    .says("Error has no {what}: {name}")
    .advises("Include {what} in every error");

pub(super) static ERROR_TYPE: Rule = Rule::warning(Step::Fields, "error-type")
    .applies_to(|it| !it.error_types.is_empty())
    .says("Unknown error type: {kind}")
    .advises("Use one of {types}");

pub(super) static ERROR_MESSAGE_LONG: Rule = Rule::warning(Step::Fields, "error-message-long")
    .applies_to(|it| it.limits.error_message_at_most.is_some())
    .says("Error message is too long: {length} (limit {most})")
    .advises("Keep error messages within {most} characters");

pub(super) static ERROR_CODE_FORMAT: Rule = Rule::warning(Step::Fields, "error-code-format")
    .applies_to(|it| it.requires(Requirement::UpperSnakeErrorCodes))
    .says("Error code is not in UPPERCASE_SNAKE_CASE: {code}")
    .advises("Write error codes like TIMEOUT_EXCEEDED");

fn errors(collector: &mut Collector<'_, '_>, object: Value<'_, '_>) {
    let context = collector.context;
    let profile = context.profile;
    let errors = object.list_of("errors").into_iter().flatten();
    for error in errors.filter(|it| it.is_object()) {
        let recommended = &context.required.recommended_of_errors;
        recommend(collector, &ERROR_INCOMPLETE, error, recommended);
        one_of(collector, &ERROR_TYPE, error, &profile.error_types);
        if let Some(at) = error.member("code")
            && let Some(code) = at.text().filter(|code| !is_upper_snake(code))
        {
            collector.report(&ERROR_CODE_FORMAT, at, &values![code = code]);
        }
        let most = profile.limits.error_message_at_most;
        at_most(collector, &ERROR_MESSAGE_LONG, (error, "message"), most);
    }
}

fn is_upper_snake(code: &str) -> bool {
    let is_of_word = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(is_of_word);
    code.split('_').all(is_word) && code.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Reports each of the `recommended` members that an object lacks.
fn recommend(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    object: Value<'_, '_>,
    recommended: &[&str],
) {
    for member in recommended.iter().filter(|it| object.lacks_text(it)) {
        let name = Placeholder::cut(&object.pointer().dotted());
        collector.report(rule, object, &values![what = *member, name = name]);
    }
}

/// Reports a type that is not in `allowed`. An empty list allows every type.
fn one_of(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    object: Value<'_, '_>,
    allowed: &[Cow<'_, str>],
) {
    let at = object.member("type");
    let Some((at, found)) = at.and_then(|at| Some((at, at.text()?))) else {
        return;
    };
    if is_blank(found) || allowed.is_empty() || allowed.iter().any(|it| it == found) {
        return;
    }
    let values = values![kind = found, types = Placeholder::list(allowed)];
    let similar = nearest(found, allowed.iter().map(AsRef::as_ref));
    let diagnostic = Diagnostic::new(rule, at, &values);
    collector.add(diagnostic.suggestion(similar.map(Suggestion::did_you_mean)));
}

/// Reports a member that is a text of more than `most` characters. None means no limit.
fn at_most(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    (object, name): (Value<'_, '_>, &'static str),
    most: Option<usize>,
) {
    if let (Some(most), Some(at)) = (most, object.member(name))
        && let length = at.text().map_or(0, |text| text.chars().count())
        && length > most
    {
        let length = Placeholder::Shown(count(length, "character"));
        collector.report(rule, at, &values![length = length, most = most]);
    }
}

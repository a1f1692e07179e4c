//! Step 2: the required fields are present and have the right type, and so have the entries of the lists
//! of artifacts and errors, whether or not the files exist.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::check::report::StepOutcome;
use crate::check::rules::claimed_paths::comparable;
use crate::check::rules::summary::is_emoji;
use crate::check::rules::taken::TakenValues;
use crate::check::rules::{delegation, handoff_content, members, places, return_file, worthless};
use crate::check::{Collector, Diagnostic, Placeholder, Suggestion, values};
use crate::document::tree::Value;
use crate::profile::{Profile, Shape};
use crate::rule::{Requirement, Rule, Step, ToAgent};
use crate::text::markup::markup;
use crate::text::sentences::sentences;
use crate::text::suggest::nearest;
use crate::text::{count, is_blank};

pub(super) static NEXT_STEPS_LONG: Rule = Rule {
    id: "next-steps-long",
    applies: |it| it.limits.next_steps_at_most.is_some(),
    message: "Next steps are too long: {length} (limit {most})",
    advice_to_agent: "Keep next_steps within {most} characters",
    ..Rule::warning(Step::Fields)
};

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
        Shape::Handoff => handoff_content::complete(collector, object),
        Shape::Message | Shape::Own => {}
    }
    let names_places = context.profile.is_own() || context.expected.schema.is_some();
    if names_places {
        places::check(taken, collector);
    }
    StepOutcome::Pass
}

pub(super) static ARTIFACT_INCOMPLETE: Rule = Rule {
    id: "artifact-incomplete",
    applies: |it| it.recommends_below("artifacts[]."),
    message: "Artifact has no {what}: {name}",
    advice_to_agent: "Describe each artifact with type, path and summary",
    ..Rule::warning(Step::Fields)
};

pub(super) static ARTIFACT_TYPE: Rule = Rule {
    id: "artifact-type",
    applies: |it| !it.artifact_types.is_empty(),
    message: "Unknown artifact type: {kind}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Use one of {types}",
    ..Rule::warning(Step::Fields)
};

pub(super) static ARTIFACT_DUPLICATE: Rule = Rule {
    id: "artifact-duplicate",
    applies: |it| it.requires(Requirement::UniqueArtifacts),
    message: "Artifact is listed twice: {path}",
    advice_to_agent: "List each artifact once",
    ..Rule::warning(Step::Fields)
};

pub(super) static ARTIFACT_SUMMARY_LONG: Rule = Rule {
    id: "artifact-summary-long",
    applies: |it| it.limits.artifact_summary_at_most.is_some(),
    message: "Artifact summary is too long: {length} (limit {most})",
    advice_to_agent: "Keep artifact summaries within {most} characters",
    ..Rule::warning(Step::Fields)
};

pub(super) static ARTIFACT_SUMMARY_FORM: Rule = Rule {
    id: "artifact-summary-form",
    applies: |it| it.requires(Requirement::OneSentenceArtifacts),
    message: "Artifact summary is not one plain sentence: it has {what}",
    advice_to_agent: "Describe each artifact in one plain sentence",
    ..Rule::warning(Step::Fields)
};

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
        let most = profile.limits.artifact_summary_at_most;
        at_most(
            collector,
            &ARTIFACT_SUMMARY_LONG,
            (artifact, "summary"),
            most,
        );
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
    if !profile.requires(Requirement::OneSentenceArtifacts) {
        return None;
    }
    let number = sentences(text);
    if number > 1 {
        return Some(Placeholder::Shown(count(number, "sentence")));
    }
    if profile.requires(Requirement::NoEmoji)
        && let Some(emoji) = text.matches(is_emoji).next()
    {
        return Some(Placeholder::from(emoji));
    }
    let markup = || markup(text).map(Placeholder::Text);
    profile.requires(Requirement::NoMarkup).then(markup)?
}

pub(super) static ERROR_INCOMPLETE: Rule = Rule {
    id: "error-incomplete",
    applies: |it| it.recommends_below("errors[]."),
    message: "Error has no {what}: {name}",
    advice_to_agent: "Include {what} in every error",
    ..Rule::warning(Step::Fields)
};

pub(super) static ERROR_TYPE: Rule = Rule {
    id: "error-type",
    applies: |it| !it.error_types.is_empty(),
    message: "Unknown error type: {kind}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Use one of {types}",
    ..Rule::warning(Step::Fields)
};

pub(super) static ERROR_MESSAGE_LONG: Rule = Rule {
    id: "error-message-long",
    applies: |it| it.limits.error_message_at_most.is_some(),
    message: "Error message is too long: {length} (limit {most})",
    advice_to_agent: "Keep error messages within {most} characters",
    ..Rule::warning(Step::Fields)
};

fn errors(collector: &mut Collector<'_, '_>, object: Value<'_, '_>) {
    let context = collector.context;
    let profile = context.profile;
    let errors = object.list_of("errors").into_iter().flatten();
    for error in errors.filter(|it| it.is_object()) {
        let recommended = &context.required.recommended_of_errors;
        recommend(collector, &ERROR_INCOMPLETE, error, recommended);
        one_of(collector, &ERROR_TYPE, error, &profile.error_types);
        code(collector, error);
        let most = profile.limits.error_message_at_most;
        at_most(collector, &ERROR_MESSAGE_LONG, (error, "message"), most);
    }
}

pub(super) static ERROR_CODE_FORMAT: Rule = Rule {
    id: "error-code-format",
    applies: |it| it.requires(Requirement::UpperSnakeErrorCodes),
    message: "Error code is not in UPPERCASE_SNAKE_CASE: {code}",
    advice_to_agent: "Write error codes like TIMEOUT_EXCEEDED",
    ..Rule::warning(Step::Fields)
};

fn code(collector: &mut Collector<'_, '_>, error: Value<'_, '_>) {
    let code = error.text_of("code").filter(|code| !is_upper_snake(code));
    if let Some(code) = code {
        let at = error.member("code").unwrap_or(error);
        collector.report(&ERROR_CODE_FORMAT, at, &values![code = code]);
    }
}

fn is_upper_snake(code: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
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

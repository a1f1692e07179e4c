//! Step 2: the required fields are present and have the right type, and so have the entries of the lists
//! of artifacts and errors, whether or not the files exist.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::check::rules::claimed_paths::comparable;
use crate::check::rules::members::{self, state_of_unknown};
use crate::check::rules::summary::is_emoji;
use crate::check::rules::{delegation, handoff_content, worthless};
use crate::check::{Collector, Diagnostic, Ran, Suggestion, Value, values};
use crate::json::field::{Field, Node, State};
use crate::json::pointer::Pointer;
use crate::profile::Profile;
use crate::profile::document::{ReportedError, Return, Returned};
use crate::rule::{Requirement, Rule, Step, ToAgent};
use crate::text::markup::markup;
use crate::text::sentences::sentences;
use crate::text::suggest::nearest;

pub(crate) static NEXT_STEPS_LONG: Rule = Rule {
    id: "next-steps-long",
    applies: |it| it.limits.next_steps_at_most.is_some(),
    message: "Next steps are too long: {length} (limit {most})",
    advice_to_agent: "Keep next_steps within {most} characters",
    source: "Subagent return format 1.0, next_steps, content guidelines",
    ..Rule::warning(Step::Fields)
};

pub(super) fn check(collector: &mut Collector<'_, '_>) -> Ran {
    let context = collector.context;
    let Some(returned) = context.returned else {
        return Ran::Checked;
    };
    if !members::check(collector, returned.node()) {
        return Ran::Checked;
    }
    match returned {
        Returned::Return(returned) => {
            let most = context.profile.limits.next_steps_at_most;
            let (rule, text) = (&NEXT_STEPS_LONG, &returned.next_steps);
            at_most(collector, rule, text, most, || {
                Pointer::root().key("next_steps")
            });
            artifacts(collector, returned);
            errors(collector, returned);
            delegation::check(collector, returned);
        }
        Returned::Handoff(handoff) => handoff_content::complete(collector, handoff),
        Returned::Own(_) => {}
    }
    Ran::Checked
}

pub(super) static ARTIFACT_INCOMPLETE: Rule = Rule {
    id: "artifact-incomplete",
    applies: |it| it.recommends_below("artifacts[]."),
    message: "Artifact has no {what}: {name}",
    advice_to_agent: "Describe each artifact with type, path and summary",
    source: "Subagent return format, artifacts (required); Return metadata file, artifacts (required)",
    ..Rule::warning(Step::Fields)
};

pub(crate) static ARTIFACT_TYPE: Rule = Rule {
    id: "artifact-type",
    applies: |it| !it.artifact_types.is_empty(),
    message: "Unknown artifact type: {kind}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Use one of {types}",
    source: "Subagent return format, artifacts (required); Subagent return format 1.0, artifacts, \
             fields (required); Return metadata file, artifacts (required)",
    ..Rule::warning(Step::Fields)
};

pub(super) static ARTIFACT_DUPLICATE: Rule = Rule {
    id: "artifact-duplicate",
    applies: |it| it.requires(Requirement::UniqueArtifacts),
    message: "Artifact is listed twice: {path}",
    advice_to_agent: "List each artifact once",
    source: "Subagent return format 1.0, artifacts, validation rules (required)",
    ..Rule::warning(Step::Fields)
};

pub(crate) static ARTIFACT_SUMMARY_LONG: Rule = Rule {
    id: "artifact-summary-long",
    applies: |it| it.limits.artifact_summary_at_most.is_some(),
    message: "Artifact summary is too long: {length} (limit {most})",
    advice_to_agent: "Keep artifact summaries within {most} characters",
    source: "Subagent return format 1.0, artifacts, fields",
    ..Rule::warning(Step::Fields)
};

pub(super) static ARTIFACT_SUMMARY_FORM: Rule = Rule {
    id: "artifact-summary-form",
    applies: |it| it.requires(Requirement::OneSentenceArtifacts),
    message: "Artifact summary is not one plain sentence: it has {what}",
    advice_to_agent: "Describe each artifact in one plain sentence",
    source: "Subagent return format 1.0, artifacts, fields; Return metadata file, artifacts",
    ..Rule::warning(Step::Fields)
};

fn artifacts(collector: &mut Collector<'_, '_>, returned: &Return<'_>) {
    let context = collector.context;
    let profile = context.profile;
    let artifacts = returned.artifacts.items();
    let mut paths = HashSet::new();
    let compares = artifacts.len() > 1 && collector.is_enabled(&ARTIFACT_DUPLICATE);
    for (index, artifact) in artifacts.iter().enumerate() {
        let Some(artifact) = artifact.present() else {
            continue;
        };
        let at = || Pointer::root().key("artifacts").index(index);
        let recommended = &context.required.recommended_of_artifacts;
        recommend(collector, &ARTIFACT_INCOMPLETE, artifact, recommended, at);
        if let Some(text) = artifact.summary.present() {
            worthless::check_copied(collector, text, || at().key("summary"));
        }
        let types = &profile.artifact_types;
        one_of(collector, &ARTIFACT_TYPE, &artifact.kind, types, || {
            at().key("type")
        });
        if let Field::Present(path) = &artifact.path
            && compares
            && !paths.insert(comparable(path, context.root))
        {
            collector.report(&ARTIFACT_DUPLICATE, at().key("path"), &values![path = path]);
        }
        let most = profile.limits.artifact_summary_at_most;
        at_most(
            collector,
            &ARTIFACT_SUMMARY_LONG,
            &artifact.summary,
            most,
            || at().key("summary"),
        );
        if let Field::Present(text) = &artifact.summary
            && let Some(what) = unplain(profile, text)
        {
            let values = values![what = what];
            collector.report(&ARTIFACT_SUMMARY_FORM, at().key("summary"), &values);
        }
    }
}

/// Why an artifact's summary is not one plain sentence. None if it is one.
fn unplain<'v>(profile: &Profile, text: &'v str) -> Option<Value<'v>> {
    if !profile.requires(Requirement::OneSentenceArtifacts) {
        return None;
    }
    let count = sentences(text);
    if count > 1 {
        return Some(Value::Count(count, "sentence"));
    }
    if profile.requires(Requirement::NoEmoji)
        && let Some(emoji) = text.matches(is_emoji).next()
    {
        return Some(Value::from(emoji));
    }
    let markup = || markup(text).map(Value::Text);
    profile.requires(Requirement::NoMarkup).then(markup)?
}

pub(super) static ERROR_INCOMPLETE: Rule = Rule {
    id: "error-incomplete",
    applies: |it| it.recommends_below("errors[]."),
    message: "Error has no {what}: {name}",
    advice_to_agent: "Include {what} in every error",
    source: "Subagent return format, errors (required); Subagent return format 1.0, errors, fields (required); \
             Return metadata file, errors (required)",
    ..Rule::warning(Step::Fields)
};

pub(crate) static ERROR_TYPE: Rule = Rule {
    id: "error-type",
    applies: |it| !it.error_types.is_empty(),
    message: "Unknown error type: {kind}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Use one of {types}",
    source: "Subagent return format 1.0, errors, fields (required); Return metadata file, schema",
    ..Rule::warning(Step::Fields)
};

pub(crate) static ERROR_MESSAGE_LONG: Rule = Rule {
    id: "error-message-long",
    applies: |it| it.limits.error_message_at_most.is_some(),
    message: "Error message is too long: {length} (limit {most})",
    advice_to_agent: "Keep error messages within {most} characters",
    source: "Subagent return format 1.0, errors, fields",
    ..Rule::warning(Step::Fields)
};

fn errors(collector: &mut Collector<'_, '_>, returned: &Return<'_>) {
    let context = collector.context;
    let profile = context.profile;
    let errors = returned.errors.items();
    for (index, error) in errors.iter().enumerate() {
        let Some(error) = error.present() else {
            continue;
        };
        let at = || Pointer::root().key("errors").index(index);
        let recommended = &context.required.recommended_of_errors;
        recommend(collector, &ERROR_INCOMPLETE, error, recommended, at);
        let types = &profile.error_types;
        one_of(collector, &ERROR_TYPE, &error.kind, types, || {
            at().key("type")
        });
        code(collector, error, at);
        let most = profile.limits.error_message_at_most;
        at_most(collector, &ERROR_MESSAGE_LONG, &error.message, most, || {
            at().key("message")
        });
    }
}

pub(super) static ERROR_CODE_FORMAT: Rule = Rule {
    id: "error-code-format",
    applies: |it| it.requires(Requirement::UpperSnakeErrorCodes),
    message: "Error code is not in UPPERCASE_SNAKE_CASE: {code}",
    advice_to_agent: "Write error codes like TIMEOUT_EXCEEDED",
    source: "Subagent return format 1.0, errors, fields",
    ..Rule::warning(Step::Fields)
};

fn code(
    collector: &mut Collector<'_, '_>,
    error: &ReportedError<'_>,
    at: impl Fn() -> Pointer<'static>,
) {
    let Some(code) = error.code.present() else {
        return;
    };
    if collector.is_enabled(&ERROR_CODE_FORMAT) && !is_upper_snake(code) {
        let values = values![code = code];
        collector.report(&ERROR_CODE_FORMAT, at().key("code"), &values);
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

type TextField<'t> = Field<Cow<'t, str>>;

/// Reports each of the `recommended` members that an object lacks.
fn recommend(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    object: &dyn Node,
    recommended: &[&str],
    at: impl Fn() -> Pointer<'static>,
) {
    for member in recommended {
        let state = match object.member(member) {
            Some(member) => member.state(),
            None => state_of_unknown(object, member),
        };
        if matches!(state, State::Missing | State::Null | State::Blank) {
            let at = at();
            let name = at.dotted().into_owned();
            collector.report(rule, at, &values![what = *member, name = &name]);
        }
    }
}

/// Reports a word that is not in `allowed`. An empty list allows every word.
fn one_of(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    word: &TextField<'_>,
    allowed: &[Cow<'_, str>],
    at: impl FnOnce() -> Pointer<'static>,
) {
    let Some(found) = word.present().filter(|_| !word.is_unfilled()) else {
        return;
    };
    if allowed.is_empty() || allowed.contains(found) {
        return;
    }
    let values = values![kind = found, types = Value::List(allowed)];
    let similar = nearest(found, allowed.iter().map(AsRef::as_ref));
    let diagnostic = Diagnostic::new(rule, at(), &values);
    collector.add(diagnostic.suggestion(similar.map(Suggestion::DidYouMean)));
}

/// Reports a text with more than `most` characters. None means no limit.
fn at_most(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    text: &TextField<'_>,
    most: Option<usize>,
    at: impl FnOnce() -> Pointer<'static>,
) {
    let Some(most) = most else { return };
    let length = text.present().map_or(0, |text| text.chars().count());
    if length > most {
        let values = values![length = Value::Count(length, "character"), most = most];
        collector.report(rule, at(), &values);
    }
}

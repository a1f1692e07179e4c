//! Step 3: the status is one of the profile's statuses, and the return has the fields that it requires.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::check::report::StepOutcome;
use crate::check::rules::taken::{TakenValues, first, pieces};
use crate::check::rules::{handoff, metadata_file};
use crate::check::{Collector, Diagnostic, Suggestion, values};
use crate::document::Form;
use crate::document::tree::Value;
use crate::profile::role::Piece;
use crate::profile::words::{self, Said};
use crate::profile::{Profile, Shape, Status};
use crate::rule::{Companion, Rule, Step};
use crate::text::escape;
use crate::text::is_blank;
use crate::text::suggest::nearest;

/// The status as the return has it or, if the profile knows it, its word; and what it means.
pub(super) fn of<'t>(
    taken: &TakenValues<'_, 't>,
    profile: &'t Profile,
    agent: Option<&str>,
) -> (Option<Cow<'t, str>>, Option<&'t Status>) {
    let Some(piece) = first(&taken.status) else {
        return (None, None);
    };
    match said(taken, profile, agent, piece) {
        Said::Word(words::ANY) => (Some(piece.text.clone()), profile.status(words::ANY, agent)),
        Said::Word(word) => (Some(word.into()), profile.status(word, agent)),
        Said::Two(..) => (None, None),
        Said::Nothing => (Some(piece.text.clone()), None),
    }
}

/// What a text says of the words of the profile.
pub(super) fn said<'t>(
    taken: &TakenValues<'_, 't>,
    profile: &'t Profile,
    agent: Option<&str>,
    piece: &Piece<'_, '_>,
) -> Said<'t> {
    let words = profile.statuses_of(agent).map(|status| &*status.word);
    let role = taken.profile.roles.status.as_ref();
    let is_text = role.is_some_and(|it| it.expression.is_none()) && piece.at.text().is_some();
    if !piece.is_matched {
        Said::Nothing
    } else if taken.profile.form == Form::Text {
        words::spoken(&piece.text, &words.collect::<Vec<_>>())
    } else {
        words::exact(&piece.text, is_text, &words.collect::<Vec<_>>())
    }
}

pub(super) fn check(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) -> StepOutcome {
    let context = collector.context;
    if let Some(handoff) = context.object_of(Shape::Handoff) {
        handoff::check(collector, handoff);
    }
    if context.profile.is_own() && taken.status.is_none() {
        return StepOutcome::Skip("the profile has no field for a status".into());
    }
    let Some(word) = context.returned.and_then(|it| it.status.as_ref()) else {
        let is_none =
            context.profile.is_own() && pieces(&taken.status).is_some_and(<[_]>::is_empty);
        return StepOutcome::Skip(if is_none {
            "the return has no status".into()
        } else {
            "the return has no usable status".into()
        });
    };
    if is_blank(word) {
        return StepOutcome::Skip("the status is empty".into());
    }
    let Some(status) = context.status else {
        unknown(collector, word);
        return StepOutcome::Pass;
    };
    if let Some(object) = context.object_of(Shape::Return) {
        if status.companions.contains(&Companion::Errors) {
            require_errors(collector, object, &status.word);
        }
        metadata_file::check(collector, object, status);
    }
    StepOutcome::Pass
}

pub(crate) static UNKNOWN: Rule = Rule::error(Step::Status, "status-unknown")
    .says("Invalid status: {status}")
    .helps("Fix {agent} subagent to use valid status enum")
    .advises("Use one of the valid statuses");

/// Reports a word that is no status.
fn unknown(collector: &mut Collector<'_, '_>, word: &str) {
    let context = collector.context;
    let (profile, agent) = (context.profile, context.acting_agent());
    let words = || profile.statuses_of(agent).map(|status| &*status.word);
    let mut seen = HashSet::new();
    let valid = words().filter(|word| seen.insert(*word));
    let forbidden = profile.forbidden.iter().find(|(known, _)| *known == word);
    let is_matched = profile.roles.status.as_ref().is_some_and(|it| it.expression.is_some());
    let mut hint = None;
    let suggestion = match forbidden {
        Some((_, why)) => Some(Suggestion::Say(escape::full(why).to_string())),
        None if is_matched && words().any(|it| it == word) => {
            hint = Some("correct the `match` of `at.status`".to_owned());
            Some(Suggestion::Fix("write it in the form that was asked for".into()))
        }
        None => nearest(word, words()).map(Suggestion::did_you_mean),
    };
    let values = values![status = word];
    let notes = vec![format!("Valid statuses: {}", escape::list(valid))];
    let diagnostic = Diagnostic::new(&UNKNOWN, "status", &values);
    collector.add(diagnostic.notes(notes).suggestion(suggestion).hint(hint));
}

pub(super) static ERRORS_MISSING: Rule = Rule::warning(Step::Status, "errors-missing")
    .applies_to(|it| it.requires_companion(Companion::Errors))
    .says("Status is {status} but no errors are listed")
    .advises("Say in errors what went wrong");

/// Reports a return without errors, if its status requires them.
fn require_errors(collector: &mut Collector<'_, '_>, object: Value<'_, '_>, status: &str) {
    let member = match object.list_of("errors").map(Iterator::count) {
        None if object.lacks("errors") => "status",
        Some(0) => "errors",
        _ => return,
    };
    collector.report(&ERRORS_MISSING, member, &values![status = status]);
}

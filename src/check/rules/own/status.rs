//! Step 3: the status is one of the words of the profile.

use std::borrow::Cow;

use crate::check::returned::Field;
use crate::check::rules::own::{OwnDocument, first, pieces};
use crate::check::rules::status::unknown;
use crate::check::{Collector, Ran};
use crate::document::Form;
use crate::profile::standard::role::Piece;
use crate::profile::standard::words::{self, Said};
use crate::profile::{Profile, Status};
use crate::text::escape::multiline;
use crate::text::is_blank;

/// The status as the return has it or, if the profile knows it, its word; and what it means.
pub(super) fn of<'t>(
    own: &OwnDocument<'_, 't>,
    profile: &'t Profile,
    agent: Option<&str>,
) -> (Field<Cow<'t, str>>, Option<&'t Status>) {
    let Some(piece) = first(&own.status) else {
        return (Field::Missing, None);
    };
    match said(own, profile, agent, piece) {
        Said::Word(words::ANY) => (
            Field::Present(piece.text.clone()),
            profile.status(words::ANY, agent),
        ),
        Said::Word(word) => (Field::Present(word.into()), profile.status(word, agent)),
        Said::Two(..) => (Field::Missing, None),
        Said::Nothing => (Field::Present(piece.text.clone()), None),
    }
}

/// What a text says of the words of the profile.
pub(super) fn said<'t>(
    own: &OwnDocument<'_, 't>,
    profile: &'t Profile,
    agent: Option<&str>,
    piece: &Piece<'_, '_>,
) -> Said<'t> {
    let words = profile.statuses_of(agent).map(|status| &*status.word);
    if !piece.is_matched {
        Said::Nothing
    } else if own.standard.form == Form::Text {
        words::spoken(&piece.text, &words.collect::<Vec<_>>())
    } else {
        words::exact(&piece.text, &words.collect::<Vec<_>>())
    }
}

pub(super) fn check(own: &OwnDocument<'_, '_>, collector: &mut Collector<'_, '_>) -> Ran {
    let context = collector.context;
    if own.status.is_none() {
        return Ran::Skipped("the profile has no place of a status".into());
    }
    let word = context.returned.and_then(|it| it.status.present());
    let Some(word) = word else {
        let none = pieces(&own.status).is_some_and(<[_]>::is_empty);
        let why = if none {
            "the return has no status"
        } else {
            "the return has no usable status"
        };
        return Ran::Skipped(why.into());
    };
    if is_blank(word) {
        return Ran::Skipped("the status is empty".into());
    }
    if context.status.is_none() {
        unknown(collector, word, expected(own).as_deref());
    }
    Ran::Checked
}

/// The expression of the status, if its place has something that does not fit it. Safe to print.
fn expected(own: &OwnDocument<'_, '_>) -> Option<String> {
    let (role, pieces) = own.status.as_ref()?;
    let is_matched = pieces.as_ref().ok()?.first()?.is_matched;
    let expression = role.expression.as_ref().filter(|_| !is_matched)?;
    Some(multiline(expression.as_str()))
}

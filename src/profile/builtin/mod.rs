//! The built-in profiles.

mod any;
mod compact;
mod returns;

use std::borrow::Cow;

use crate::document::pointer::PointerStep;
use crate::profile::Profile;

pub(crate) use any::{ANY, claims_files};
pub use compact::{COMPACT, HANDOFF};
pub use returns::{RETURN, RETURN_META, RETURN_V1};

/// A static list of words. It allocates no memory.
macro_rules! words {
    ($($word:literal),* $(,)?) => {
        &[$(::std::borrow::Cow::Borrowed($word)),*]
    };
}
use words;

/// Fields by their need and the agents whose documents have them; of an empty list, all have.
macro_rules! fields {
    ($($need:ident $agents:tt: $($path:literal),+;)+) => {
        ::std::borrow::Cow::Borrowed(&[$($($crate::profile::FieldSpec {
            path: ::std::borrow::Cow::Borrowed($path),
            need: $crate::profile::Need::$need,
            agents: ::std::borrow::Cow::Borrowed($agents),
        }),+),+])
    };
}
use fields;

/// Status words: what each means and what must be there with it, who continues, and what follows otherwise.
macro_rules! statuses {
    ($($word:literal: $meaning:ident [$($companion:ident),*] $next:expr, $action:expr;)+) => {
        ::std::borrow::Cow::Borrowed(&[$($crate::profile::Status {
            word: ::std::borrow::Cow::Borrowed($word),
            meaning: $crate::profile::Meaning::$meaning,
            companions: ::std::borrow::Cow::Borrowed(&[$($crate::profile::Companion::$companion),*]),
            next: ::std::borrow::Cow::Borrowed($next),
            own_action: $action,
        }),+])
    };
}
use statuses;

/// The path of a member in objects.
macro_rules! pointer {
    ($($name:literal)/ *) => {{
        const STEPS: &[$crate::document::pointer::PointerStep] =
            &[$($crate::profile::builtin::step($name)),*];
        $crate::profile::PlacePath::fixed(concat!($("/", $name),*), STEPS)
    }};
}

macro_rules! place {
    ($($($name:literal)/ *),+) => {{
        const PATHS: &[$crate::profile::PlacePath] =
            &[$($crate::profile::builtin::pointer!($($name)/ *)),+];
        $crate::profile::Place {
            paths: ::std::borrow::Cow::Borrowed(PATHS),
            is_of_texts: true,
            ..$crate::profile::Place::BASE
        }
    }};
}
use {place, pointer};

const fn step(name: &'static str) -> PointerStep {
    match name.as_bytes() {
        b"*" => PointerStep::Every,
        _ => PointerStep::Name(Cow::Borrowed(name)),
    }
}

type Words = &'static [Cow<'static, str>];

/// The built-in profiles that describe a document; the first is the default. `any` is not among them.
pub static PROFILES: [&Profile; 5] = [&RETURN, &RETURN_V1, &RETURN_META, &COMPACT, &HANDOFF];

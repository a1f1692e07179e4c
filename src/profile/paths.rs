//! A profile's members, taken apart once for any number of returns.

use super::{Need, Profile};

/// The members that a return must have, and those that its artifacts and errors should have.
#[derive(Debug)]
pub(crate) struct Paths<'p> {
    pub(crate) required: Vec<Vec<Part<'p>>>,
    pub(crate) wanted_of_artifacts: Vec<&'p str>,
    pub(crate) wanted_of_errors: Vec<&'p str>,
}

/// One step of a dotted path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'p> {
    pub(crate) name: &'p str,
    /// `name[]`: every item of the list there.
    pub(crate) each: bool,
}

impl<'p> Paths<'p> {
    pub(crate) fn of(profile: &Profile<'p>) -> Self {
        let wanted = |list| {
            profile
                .asked(Need::Wanted)
                .filter_map(move |path| path.strip_prefix(list))
        };
        Self {
            required: profile.asked(Need::Required).map(parts).collect(),
            wanted_of_artifacts: wanted("artifacts[].").collect(),
            wanted_of_errors: wanted("errors[].").collect(),
        }
    }
}

fn parts(path: &str) -> Vec<Part<'_>> {
    path.split('.').map(part).collect()
}

fn part(name: &str) -> Part<'_> {
    match name.strip_suffix("[]") {
        Some(name) => Part { name, each: true },
        None => Part { name, each: false },
    }
}

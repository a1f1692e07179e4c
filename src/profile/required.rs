//! The members of a format as a tree, with those that a profile requires. It is built once for any number of
//! returns.

use crate::profile::fields::{Member, Type};
use crate::profile::{Need, Profile};

/// The members that a return can have and must have, and those that its artifacts and errors should have.
#[derive(Debug)]
pub(crate) struct RequiredPaths<'p> {
    pub(crate) members: Vec<WantedMember<'p>>,
    pub(crate) recommended_of_artifacts: Vec<&'p str>,
    pub(crate) recommended_of_errors: Vec<&'p str>,
}

/// A member that the format defines, or that the profile requires.
#[derive(Debug)]
pub(crate) struct WantedMember<'p> {
    pub(crate) name: &'p str,
    /// None if no format defines it.
    pub(crate) of: Option<Type>,
    pub(crate) is_required: bool,
    /// The members of the object, or of each object in the list.
    pub(crate) inside: Vec<WantedMember<'p>>,
}

impl WantedMember<'_> {
    /// Whether it or anything inside of it is required.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_required || self.inside.iter().any(Self::is_wanted)
    }
}

impl<'p> RequiredPaths<'p> {
    pub(crate) fn of(profile: &'p Profile) -> Self {
        let recommended = |list| {
            profile
                .fields_with(Need::Recommended)
                .filter_map(move |path| path.strip_prefix(list))
        };
        let mut members = defined(profile.shape.form());
        for path in profile.fields_with(Need::Required) {
            require(&mut members, path);
        }
        Self {
            members,
            recommended_of_artifacts: recommended("artifacts[].").collect(),
            recommended_of_errors: recommended("errors[].").collect(),
        }
    }
}

/// The members of an object, or of each object in a list.
fn defined<'p>(of: Type) -> Vec<WantedMember<'p>> {
    let members = match of {
        Type::List(item) => item.members(),
        of => of.members(),
    };
    let wanted = |it: &'static Member| WantedMember {
        name: it.name,
        of: Some(it.of),
        is_required: false,
        inside: defined(it.of),
    };
    members.iter().map(wanted).collect()
}

fn require<'p>(members: &mut Vec<WantedMember<'p>>, path: &'p str) {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let name = name.trim_end_matches("[]");
    let known = members.iter().position(|it| it.name == name);
    let at = known.unwrap_or_else(|| {
        members.push(WantedMember {
            name,
            of: None,
            is_required: false,
            inside: Vec::new(),
        });
        members.len() - 1
    });
    match rest {
        "" => members[at].is_required = true,
        rest => require(&mut members[at].inside, rest),
    }
}

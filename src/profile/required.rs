//! A profile's members, taken apart once for any number of returns.

use crate::profile::{Need, Profile};

/// The members that a return must have, and those that its artifacts and errors should have.
#[derive(Debug)]
pub(crate) struct RequiredPaths<'p> {
    pub(crate) required: Vec<Member<'p>>,
    pub(crate) recommended_of_artifacts: Vec<&'p str>,
    pub(crate) recommended_of_errors: Vec<&'p str>,
}

/// A member on the way to something that a return must have.
#[derive(Debug)]
pub(crate) struct Member<'p> {
    pub(crate) name: &'p str,
    /// Whether it must be there itself.
    pub(crate) is_required: bool,
    /// What it must have, if it is there.
    pub(crate) members: Vec<Member<'p>>,
    /// What every item of it must have, if it is a list.
    pub(crate) members_of_each: Vec<Member<'p>>,
}

impl<'p> RequiredPaths<'p> {
    pub(crate) fn of(profile: &'p Profile) -> Self {
        let recommended = |list| {
            profile
                .fields_with(Need::Recommended)
                .filter_map(move |path| path.strip_prefix(list))
        };
        let mut required = Vec::new();
        for path in profile.fields_with(Need::Required) {
            require(&mut required, path);
        }
        Self {
            required,
            recommended_of_artifacts: recommended("artifacts[].").collect(),
            recommended_of_errors: recommended("errors[].").collect(),
        }
    }
}

/// Adds a dotted path.
fn require<'p>(members: &mut Vec<Member<'p>>, path: &'p str) {
    let (part, rest) = path.split_once('.').unzip();
    let part = part.unwrap_or(path);
    let list = part.strip_suffix("[]");
    let member = member(members, list.unwrap_or(part));
    match rest {
        None => member.is_required = true,
        Some(rest) if list.is_some() => require(&mut member.members_of_each, rest),
        Some(rest) => require(&mut member.members, rest),
    }
}

/// The last member if it has this name, else a new one: what lies in one place is listed together.
fn member<'m, 'p>(members: &'m mut Vec<Member<'p>>, name: &'p str) -> &'m mut Member<'p> {
    if members.last().is_none_or(|last| last.name != name) {
        members.push(Member {
            name,
            is_required: false,
            members: Vec::new(),
            members_of_each: Vec::new(),
        });
    }
    let last = members.len() - 1;
    &mut members[last]
}

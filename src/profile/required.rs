//! The required and recommended members of a profile as a tree, which is built once for any number of
//! returns.

use crate::document::tree::mark;
use crate::profile::fields::{self, Member, Type};
use crate::profile::{Need, Profile};

/// The members that a return must have, and those that its artifacts and errors should have.
#[derive(Debug)]
pub(crate) struct RequiredPaths<'p> {
    pub(crate) required: Vec<RequiredMember<'p>>,
    /// All members that the format defines. None if the profile requires others.
    pub(crate) known: Option<Vec<KnownMember>>,
    pub(crate) recommended_of_artifacts: Vec<&'p str>,
    pub(crate) recommended_of_errors: Vec<&'p str>,
}

/// A required member, or one that contains required members.
#[derive(Debug)]
pub(crate) struct RequiredMember<'p> {
    pub(crate) name: &'p str,
    /// The mark of the name.
    pub(crate) mark: u32,
    /// None if no format defines it.
    pub(crate) of: Option<Type>,
    /// Whether the member itself is required.
    pub(crate) is_required: bool,
    /// The members that it must have if it exists.
    pub(crate) members: Vec<RequiredMember<'p>>,
    /// The members that each of its items must have if it is a list.
    pub(crate) members_of_each: Vec<RequiredMember<'p>>,
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
            require(&mut required, path, profile.shape.form());
        }
        let members = profile.shape.form().members();
        Self {
            known: are_known(&required).then(|| known(members, &required)),
            required,
            recommended_of_artifacts: recommended("artifacts[].").collect(),
            recommended_of_errors: recommended("errors[].").collect(),
        }
    }
}

/// A member that the format defines, with what is needed to see at once that nothing is wrong with it.
#[derive(Debug)]
pub(crate) struct KnownMember {
    pub(crate) member: &'static Member,
    pub(crate) is_required: bool,
    /// The members of the object, or of each object in the list.
    pub(crate) inside: Vec<KnownMember>,
}

fn are_known(required: &[RequiredMember<'_>]) -> bool {
    let inside = |it: &RequiredMember<'_>| are_known(&it.members) && are_known(&it.members_of_each);
    required.iter().all(|it| it.of.is_some() && inside(it))
}

fn known(members: &'static [Member], required: &[RequiredMember<'_>]) -> Vec<KnownMember> {
    let known = |member: &'static Member| {
        let wanted = required.iter().find(|it| it.name == member.name);
        let inside = match member.of {
            Type::List(item) => known(item.members(), wanted.map_or(&[], |it| &it.members_of_each)),
            of => known(of.members(), wanted.map_or(&[], |it| &it.members)),
        };
        KnownMember {
            member,
            is_required: wanted.is_some_and(|it| it.is_required),
            inside,
        }
    };
    members.iter().map(known).collect()
}

fn require<'p>(members: &mut Vec<RequiredMember<'p>>, path: &'p str, of: Type) {
    let (part, rest) = path.split_once('.').unzip();
    let part = part.unwrap_or(path);
    let list = part.strip_suffix("[]");
    let member = member(members, list.unwrap_or(part), of);
    let inside = member.of.unwrap_or(Type::Anything);
    match (rest, inside) {
        (None, _) => member.is_required = true,
        (Some(rest), Type::List(item)) => require(&mut member.members_of_each, rest, *item),
        (Some(rest), _) if list.is_some() => {
            require(&mut member.members_of_each, rest, Type::Anything);
        }
        (Some(rest), _) => require(&mut member.members, rest, inside),
    }
}

/// Returns the last member if it has this name, or adds a new one. The paths of one object follow each
/// other, so only the last member can have the name.
fn member<'m, 'p>(
    members: &'m mut Vec<RequiredMember<'p>>,
    name: &'p str,
    of: Type,
) -> &'m mut RequiredMember<'p> {
    if members.last().is_none_or(|last| last.name != name) {
        members.push(RequiredMember {
            name,
            mark: mark(name.as_bytes()),
            of: fields::member(of.members(), name).map(|it| it.of),
            is_required: false,
            members: Vec::new(),
            members_of_each: Vec::new(),
        });
    }
    let last = members.len() - 1;
    &mut members[last]
}

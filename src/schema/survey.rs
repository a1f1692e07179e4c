//! The requirements of a profile for each value of its documents, independent of the target.

use std::collections::HashMap;

use crate::document::pointer::below;
use crate::profile::fields::{Member, Type, member};
use crate::profile::{Agent, FieldSpec, Need, Profile};

/// A value that a profile describes.
pub(super) struct SchemaPlace<'p> {
    /// Its path, as in [`FieldSpec::path`](crate::profile::FieldSpec::path).
    pub(super) path: String,
    pub(super) need: Need,
    /// Its purpose, in a sentence.
    pub(super) about: Option<&'static str>,
    pub(super) what: What<'p>,
}

pub(super) enum What<'p> {
    Leaf(Type),
    /// A custom member of the profile. Only its name is known.
    Unread,
    List(Box<SchemaPlace<'p>>),
    /// An object with arbitrary keys.
    Map(Box<SchemaPlace<'p>>),
    Record(Vec<(&'p str, SchemaPlace<'p>)>),
}

/// Which members of a document are described.
#[derive(Clone, Copy)]
pub(super) enum Whose<'p> {
    /// The members of the documents of any agent.
    All,
    /// The members of the documents of this agent.
    Of(&'p Agent),
    /// The members that the documents of all agents have.
    Common,
    /// The members that the documents of this agent have in addition to those of all agents. None is an
    /// agent that the profile does not know.
    Own(Option<&'p Agent>),
}

impl Whose<'_> {
    fn has(self, field: &FieldSpec, is_top: bool) -> bool {
        match self {
            Self::All => true,
            Self::Of(agent) => field.is_of(Some(agent)),
            Self::Common => field.agents.is_empty(),
            Self::Own(agent) => field.is_of(agent) && !(is_top && field.agents.is_empty()),
        }
    }
}

/// Returns the description of the whole document.
pub(super) fn document<'p>(profile: &'p Profile, whose: Whose<'p>) -> SchemaPlace<'p> {
    let mut about = HashMap::new();
    profile.shape.form().about("", &mut |at, text| {
        about.insert(at.to_owned(), text);
    });
    let survey = Survey {
        profile,
        whose,
        about,
    };
    survey.place(profile.shape.form(), String::new(), false)
}

struct Survey<'p> {
    profile: &'p Profile,
    whose: Whose<'p>,
    about: HashMap<String, &'static str>,
}

impl<'p> Survey<'p> {
    /// Returns the description of the value at `path`. `free` means that the value is inside an object
    /// with arbitrary keys, where every member is described.
    fn place(&self, form: Type, path: String, free: bool) -> SchemaPlace<'p> {
        let what = match form {
            Type::List(item) => What::List(Box::new(self.place(*item, format!("{path}[]"), free))),
            Type::Map(value) => What::Map(Box::new(self.place(*value, below(&path, "*"), true))),
            Type::Record(members) if free => What::Record(
                members
                    .iter()
                    .map(|it| (it.name, self.place(it.of, below(&path, it.name), true)))
                    .collect(),
            ),
            Type::Record(members) => What::Record(self.members(members, &path)),
            leaf => What::Leaf(leaf),
        };
        self.made(path, what)
    }

    /// Returns the members that the profile has in the object at `path`, in the order of the profile.
    fn members(&self, members: &'static [Member], path: &str) -> Vec<(&'p str, SchemaPlace<'p>)> {
        let named = self.profile.fields.iter().filter_map(|field| {
            let (parent, name) = field.path.rsplit_once('.').unwrap_or(("", &field.path));
            let is_wanted = parent == path && self.whose.has(field, path.is_empty());
            is_wanted.then_some((field.path.to_string(), name))
        });
        let mut seen = Vec::new();
        let named = named.filter(|(_, name)| {
            let is_new = !seen.contains(name);
            seen.push(*name);
            is_new
        });
        let places = named.map(|(path, name)| {
            let place = match member(members, name) {
                Some(known) => self.place(known.of, path, false),
                None => self.made(path, What::Unread),
            };
            (name, place)
        });
        places.collect()
    }

    fn made(&self, path: String, what: What<'p>) -> SchemaPlace<'p> {
        let mut fields = self.profile.fields.iter();
        let field = fields.find(|field| field.path == path && self.whose.has(field, false));
        // A member that only some agents should write is optional for the others.
        let is_for_agents = |field: &&FieldSpec| {
            field.agents.is_empty()
                || field.need == Need::Required
                || !matches!(self.whose, Whose::All)
        };
        SchemaPlace {
            need: field
                .filter(is_for_agents)
                .map_or(Need::Optional, |field| field.need),
            about: self.about.get(&path).copied(),
            path,
            what,
        }
    }
}

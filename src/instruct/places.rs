//! The view of a standard of one's own: its places, as the members of the document that they lead to.

use crate::document::pointer::{PointerStep, below};
use crate::document::{Form, is_label_name};
use crate::instruct::Instruction;
use crate::instruct::view::{ValueView, What, quoted, words};
use crate::profile::fields::Type;
use crate::profile::sample::{AGENT, FILLER, PATH, SESSION, SUMMARY};
use crate::profile::{Condition, LengthLimit, Need, Place, PlacePath, Profile};

/// What stands at the end of a place: how much it is needed, and the sample of an example.
fn shown<'p>(need: Need, sample: &str) -> ValueView<'p> {
    let sample = match sample {
        // The words of a status may be booleans.
        "true" | "false" | "[]" => sample.to_owned(),
        text => quoted(text),
    };
    let view = empty(String::new());
    ValueView { need, sample, ..view }
}

fn one_of(words: Vec<&str>) -> ValueView<'_> {
    let view = empty(String::new());
    ValueView { words, ..view }
}

pub(super) fn document<'p>(instruction: &Instruction<'p>) -> ValueView<'p> {
    let profile = instruction.profile;
    let roles = &profile.roles;
    let status = instruction.success();
    let now = |conditions: &'p [Condition]| {
        let is_now = |it: &&Condition| it.words.iter().any(|word| word == status);
        conditions.iter().filter(is_now).flat_map(|it| &it.places)
    };
    let mut view = PlaceView {
        profile,
        empty: now(&profile.empty_if).map(Place::path).collect(),
        root: empty(String::new()),
    };
    if let Some(role) = &roles.status {
        let is_needed = role.paths.len() == 1 && !role.is_optional;
        let need = [Need::Recommended, Need::Required][usize::from(is_needed)];
        view.role(role, need, status);
        if role.expression.is_none() && role.members.is_empty() {
            for place in &*role.paths {
                let words = words(profile.statuses_of(instruction.agent));
                view.put(place, &[], &one_of(words));
            }
        }
    }
    let path = match profile.form {
        Form::Text => format!("`{PATH}`"),
        Form::Json | Form::Yaml => PATH.to_owned(),
    };
    let is_long = |it: LengthLimit| !it.allows(it.measure(SUMMARY));
    let is_long = profile.length.is_some_and(is_long);
    for (role, sample) in [
        (&roles.session, instruction.session.unwrap_or(SESSION)),
        (&roles.agent, instruction.agent.unwrap_or(AGENT)),
        (&roles.summary, if is_long { FILLER } else { SUMMARY }),
        (&roles.artifacts, &path),
        (&roles.files, &path),
    ] {
        if let Some(role) = role {
            view.role(role, Need::Recommended, sample);
        }
    }
    for (name, role) in &*roles.given {
        view.role(role, Need::Recommended, &format!("the {name} of this task"));
    }
    for place in &*profile.required {
        view.fill(place, Need::Required);
    }
    for place in now(&profile.required_if) {
        view.fill(place, Need::Recommended);
    }
    for allowed in &*profile.claims.values {
        let words = allowed.words.iter().map(String::as_str).collect();
        view.end(&allowed.place, &one_of(words));
    }
    view.root
}

struct PlaceView<'p> {
    profile: &'p Profile,
    /// The places that must hold nothing in this example.
    empty: Vec<&'p PlacePath>,
    root: ValueView<'p>,
}

impl<'p> PlaceView<'p> {
    fn role(&mut self, place: &'p Place, need: Need, sample: &str) {
        if place.default.is_none() {
            self.end(place, &shown(need, sample));
        }
    }

    /// Adds what stands at the first path of a place, or in the first member that counts there.
    fn end(&mut self, place: &'p Place, end: &ValueView<'p>) {
        let member = place.members.first().map(|(_, member)| member.steps());
        self.put(place.path(), member.unwrap_or_default(), end);
    }

    /// Adds a word that is allowed at a place, or else any text.
    fn fill(&mut self, place: &'p Place, need: Need) {
        let mut values = self.profile.claims.values.iter();
        let allowed = values.find(|it| it.place == *place);
        let word = allowed.and_then(|it| it.words.first());
        let sample = word.map_or(FILLER, String::as_str);
        self.role(place, need, sample);
    }

    /// Adds what stands at a place, or in a member of what stands there, if nothing around it must be empty.
    fn put(&mut self, place: &'p PlacePath, member: &'p [PointerStep], end: &ValueView<'p>) {
        let mut empty = self.empty.iter().copied();
        let around =
            empty.find(|it| it.name() == place.name() && place.steps().starts_with(it.steps()));
        if let Some(around) = around.filter(|_| !end.sample.is_empty()) {
            let is_text = self.profile.form == Form::Text;
            let nothing = if is_text { "none" } else { "[]" };
            let steps = self.steps(around, &[]);
            let end = shown(Need::Recommended, nothing);
            put(&mut self.root, &steps, &end);
        } else {
            let steps = self.steps(place, member);
            put(&mut self.root, &steps, end);
        }
    }

    /// The steps to a place from the document on; None is an item of a list. What stands under a name in a text
    /// is written as a label, or as a section if it cannot be one.
    fn steps(&self, place: &'p PlacePath, member: &'p [PointerStep]) -> Vec<Option<&'p str>> {
        const PARTS: [&str; 5] = ["text", "labels", "list", "table", "sections"];
        let step = |step: &'p PointerStep| match step {
            PointerStep::Name(name) => Some(&**name).filter(|name| *name != "0"),
            PointerStep::Every => None,
        };
        let own = place.steps().iter().chain(member).map(step);
        let Some(name) = place.name() else {
            return own.collect();
        };
        let parts = PARTS.map(|part| Some(PointerStep::Name(part.into())));
        let is_part = |it: &PlacePath| parts.contains(&it.steps().first().cloned());
        let mut places = self.profile.paths();
        let is_section =
            !is_label_name(name) || places.any(|it| it.name() == Some(name) && is_part(it));
        let part = match place.steps().first() {
            _ if is_part(place) => None,
            None => Some("text"),
            Some(PointerStep::Every) => Some("list"),
            Some(PointerStep::Name(_)) => Some("labels"),
        };
        let way = match (is_section, part) {
            (false, _) => [Some("labels"), Some(name), None],
            (true, part) => [Some("sections"), Some(name), part],
        };
        way.into_iter().flatten().map(Some).chain(own).collect()
    }
}

fn put<'p>(node: &mut ValueView<'p>, steps: &[Option<&'p str>], end: &ValueView<'p>) {
    if end.need == Need::Required || node.need == Need::Optional {
        node.need = end.need;
    }
    node.is_shown |= !end.sample.is_empty();
    let Some((step, rest)) = steps.split_first() else {
        if node.words.is_empty() {
            node.words.clone_from(&end.words);
        }
        if matches!(node.what, What::Leaf(_)) && node.sample.is_empty() {
            node.sample.clone_from(&end.sample);
        }
        return;
    };
    node.sample.clear();
    match (step, &node.what) {
        (_, What::Record(_)) | (None, What::List(_)) => {}
        (None, _) => node.what = What::List(Box::new(empty(format!("{}[]", node.path)))),
        (Some(_), _) => node.what = What::Record(Vec::new()),
    }
    match (step, &mut node.what) {
        (None, What::List(item)) => put(item, rest, end),
        // Every member is there if one is.
        (None, What::Record(members)) => put(&mut members[0].1, rest, end),
        (Some(name), What::Record(members)) => {
            let known = members.iter().position(|(known, _)| known == name);
            let at = known.unwrap_or(members.len());
            if known.is_none() {
                members.push((name, empty(below(&node.path, name))));
            }
            put(&mut members[at].1, rest, end);
        }
        _ => {}
    }
}

fn empty<'p>(path: String) -> ValueView<'p> {
    ValueView {
        path,
        need: Need::Optional,
        about: None,
        words: Vec::new(),
        sample: String::new(),
        is_shown: false,
        what: What::Leaf(Type::Anything),
    }
}

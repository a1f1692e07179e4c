//! The view of a standard of one's own: its places, as the members of the document that they lead to.

use crate::document::lookup::PointerStep;
use crate::document::pointer::below;
use crate::document::{Form, is_label_name};
use crate::instruct::Instruction;
use crate::instruct::view::{Node, What, quoted, words};
use crate::profile::Need;
use crate::profile::sample::{AGENT, FILLER, PATH, SESSION, SUMMARY};
use crate::profile::standard::{Role, Standard, ValuePlace};

/// What stands at the end of a place.
struct Leaf<'p> {
    need: Need,
    words: Vec<&'p str>,
    /// None if no example has it.
    sample: Option<String>,
}

impl<'p> Leaf<'p> {
    fn shown(need: Need, sample: &str) -> Self {
        Self {
            need,
            words: Vec::new(),
            sample: Some(as_json(sample)),
        }
    }

    fn one_of(words: Vec<&'p str>) -> Self {
        Self {
            need: Need::Optional,
            words,
            sample: None,
        }
    }
}

/// The document of a return of success.
pub(super) fn document<'p>(instruction: &Instruction<'p>, standard: &'p Standard) -> Node<'p> {
    let mut view = PlaceView {
        standard,
        status: instruction.success(),
        root: empty(String::new()),
    };
    let roles = &standard.roles;
    let limit = instruction.profile.length;
    let is_short = limit.is_none_or(|it| it.allows(it.measure(SUMMARY)));
    let path = match standard.form {
        Form::Text => format!("`{PATH}`"),
        Form::Json | Form::Yaml => PATH.to_owned(),
    };
    if let Some(role) = &roles.status {
        let is_needed = role.places.len() == 1 && !role.is_optional;
        let need = if is_needed {
            Need::Required
        } else {
            Need::Recommended
        };
        view.role(role, Leaf::shown(need, view.status));
        if role.expression.is_none() && role.members.is_empty() {
            for place in &role.places {
                let words = words(instruction.profile.statuses_of(instruction.agent));
                view.put(place, &[], Leaf::one_of(words));
            }
        }
    }
    for (role, sample) in [
        (&roles.session, instruction.session.unwrap_or(SESSION)),
        (&roles.agent, instruction.agent.unwrap_or(AGENT)),
        (&roles.summary, if is_short { SUMMARY } else { FILLER }),
        (&roles.artifacts, &path),
        (&roles.files, &path),
    ] {
        if let Some(role) = role {
            view.role(role, Leaf::shown(Need::Recommended, sample));
        }
    }
    for (name, role) in &roles.given {
        let sample = format!("the {name} of this task");
        view.role(role, Leaf::shown(Need::Recommended, &sample));
    }
    for place in &standard.required {
        view.put(place, &[], Leaf::shown(Need::Required, view.filler(place)));
    }
    for condition in &standard.required_if {
        if condition.words.iter().any(|word| word == view.status) {
            for place in &condition.places {
                view.put(
                    place,
                    &[],
                    Leaf::shown(Need::Recommended, view.filler(place)),
                );
            }
        }
    }
    for allowed in &standard.claims.values {
        let words = allowed.words.iter().map(String::as_str).collect();
        view.put(&allowed.place, &[], Leaf::one_of(words));
    }
    view.root
}

struct PlaceView<'p> {
    standard: &'p Standard,
    status: &'p str,
    root: Node<'p>,
}

impl<'p> PlaceView<'p> {
    fn role(&mut self, role: &'p Role, leaf: Leaf<'p>) {
        let member = role.members.first().map(|(_, member)| member.steps());
        if let (Some(place), None) = (role.places.first(), &role.default) {
            self.put(place, member.unwrap_or_default(), leaf);
        }
    }

    /// Adds what stands at a place, or in a member of what stands there. With a status that it must be empty
    /// with, it is.
    fn put(&mut self, place: &'p ValuePlace, member: &'p [PointerStep], leaf: Leaf<'p>) {
        let standard = self.standard;
        let conditions = standard.empty_if.iter();
        let conditions = conditions.filter(|it| it.words.iter().any(|word| word == self.status));
        let mut places = conditions.flat_map(|it| &it.places);
        let around =
            places.find(|it| it.name() == place.name() && place.steps().starts_with(it.steps()));
        match around.filter(|_| leaf.sample.is_some()) {
            Some(around) => {
                let nothing = match standard.form {
                    Form::Text => "none",
                    Form::Json | Form::Yaml => "[]",
                };
                let steps = self.steps(around, &[]);
                put(
                    &mut self.root,
                    &steps,
                    &Leaf::shown(Need::Recommended, nothing),
                );
            }
            None => {
                let steps = self.steps(place, member);
                put(&mut self.root, &steps, &leaf);
            }
        }
    }

    /// The steps to a place from the document on. What stands under a name in a text is written as a label, or
    /// as a section if it cannot be one.
    fn steps(&self, place: &'p ValuePlace, member: &'p [PointerStep]) -> Vec<Step<'p>> {
        const PARTS: [&str; 5] = ["text", "labels", "list", "table", "sections"];
        let is_part = |steps: &[PointerStep]| match steps.first() {
            Some(PointerStep::Name(first)) => PARTS.contains(&&**first),
            _ => false,
        };
        let own = place.steps().iter().chain(member).map(Step::of);
        let Some(name) = place.name() else {
            return own.collect();
        };
        let mut all = self.standard.places();
        let is_section =
            !is_label_name(name) || all.any(|it| it.name() == Some(name) && is_part(it.steps()));
        let way: &[_] = match (is_section, place.steps().first()) {
            (false, _) => &[Step::Name("labels"), Step::Name(name)],
            (true, None) => &[Step::Name("sections"), Step::Name(name), Step::Name("text")],
            (true, Some(PointerStep::Every)) => {
                &[Step::Name("sections"), Step::Name(name), Step::Name("list")]
            }
            (true, Some(_)) if is_part(place.steps()) => {
                &[Step::Name("sections"), Step::Name(name)]
            }
            (true, Some(_)) => &[
                Step::Name("sections"),
                Step::Name(name),
                Step::Name("labels"),
            ],
        };
        way.iter().copied().chain(own).collect()
    }

    /// A word that is allowed at a place, or else any text.
    fn filler(&self, place: &ValuePlace) -> &'p str {
        let mut values = self.standard.claims.values.iter();
        let allowed = values.find(|it| it.place == *place);
        let word = allowed.and_then(|it| it.words.first());
        word.map_or(FILLER, String::as_str)
    }
}

/// A step to a member, or to an item of a list.
#[derive(Clone, Copy)]
enum Step<'p> {
    Name(&'p str),
    Item,
}

impl<'p> Step<'p> {
    fn of(step: &'p PointerStep) -> Self {
        match step {
            PointerStep::Name(name) if name != "0" => Self::Name(name),
            _ => Self::Item,
        }
    }
}

fn put<'p>(node: &mut Node<'p>, steps: &[Step<'p>], leaf: &Leaf<'p>) {
    if leaf.need == Need::Required || node.need == Need::Optional {
        node.need = leaf.need;
    }
    node.is_shown |= leaf.sample.is_some();
    let Some((step, rest)) = steps.split_first() else {
        if node.words.is_empty() {
            node.words.clone_from(&leaf.words);
        }
        if let (What::Unread, Some(sample), "") = (&node.what, &leaf.sample, &*node.sample) {
            node.sample.clone_from(sample);
        }
        return;
    };
    node.sample.clear();
    if let (Step::Item, What::Record(members)) = (step, &mut node.what) {
        // Every member is there if one is.
        return put(&mut members[0].1, rest, leaf);
    }
    match step {
        Step::Item => {
            if !matches!(node.what, What::List(_)) {
                node.what = What::List(Box::new(empty(format!("{}[]", node.path))));
            }
            if let What::List(item) = &mut node.what {
                put(item, rest, leaf);
            }
        }
        Step::Name(name) => {
            if !matches!(node.what, What::Record(_)) {
                node.what = What::Record(Vec::new());
            }
            if let What::Record(members) = &mut node.what {
                let known = members.iter().position(|(known, _)| known == name);
                let index = known.unwrap_or(members.len());
                if known.is_none() {
                    members.push((name, empty(below(&node.path, name))));
                }
                put(&mut members[index].1, rest, leaf);
            }
        }
    }
}

fn empty<'p>(path: String) -> Node<'p> {
    Node {
        path,
        need: Need::Optional,
        about: None,
        words: Vec::new(),
        sample: String::new(),
        is_shown: false,
        rank: 0,
        what: What::Unread,
    }
}

/// A sample as JSON: the words of a status may be booleans.
fn as_json(sample: &str) -> String {
    match sample {
        "true" | "false" | "[]" => sample.to_owned(),
        text => quoted(text),
    }
}

//! The fields of a profile of one's own with their samples: as lines of a text, or as the members of the document
//! that they lead to. What an example cannot be made of is left out; the check then says that one is needed.

use std::fmt::Write as _;

use crate::document::pointer::{PointerStep, below};
use crate::document::{Form, is_label_name};
use crate::instruct::Instruction;
use crate::instruct::view::{ValueView, What, quoted, words};
use crate::profile::fields::Type;
use crate::profile::sample::{AGENT, FILLER, PATH, SESSION, SUMMARY};
use crate::profile::told::visible;
use crate::profile::{LengthLimit, Need, Place};

/// A field of the profile, how much it is needed, its sample, and the words that it can be.
struct Field<'p> {
    place: &'p Place,
    need: Need,
    sample: String,
    words: Vec<&'p str>,
}

fn fields<'p>(instruction: &Instruction<'p>) -> Vec<Field<'p>> {
    let profile = instruction.profile;
    let (roles, status) = (&profile.roles, instruction.success());
    let mut fields = Vec::new();
    let mut add = |place: &'p Place, need, sample: &str, words| {
        if place.default.is_none() {
            fields.push(Field { place, need, sample: sample.to_owned(), words });
        }
    };
    if let Some(role) = &roles.status {
        let is_needed = role.paths.len() == 1 && !role.is_optional;
        let need = if is_needed { Need::Required } else { Need::Recommended };
        let is_whole = role.expression.is_none() && role.members.is_empty();
        let known = words(profile.statuses_of(instruction.agent));
        add(role, need, status, if is_whole { known } else { Vec::new() });
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
            add(role, Need::Recommended, sample, Vec::new());
        }
    }
    for (name, role) in &*roles.given {
        add(role, Need::Recommended, &format!("the {name} of this task"), Vec::new());
    }
    let now = profile.required_if.iter();
    let now = now.filter(|it| it.words.iter().any(|word| word == status));
    let now = now.flat_map(|it| &it.places).map(|it| (it, Need::Recommended));
    for (place, need) in profile.required.iter().map(|it| (it, Need::Required)).chain(now) {
        let mut values = profile.claims.values.iter();
        let word = values.find(|it| it.place == *place).and_then(|it| it.words.first());
        add(place, need, word.map_or(FILLER, String::as_str), Vec::new());
    }
    for allowed in &*profile.claims.values {
        let words = allowed.words.iter().map(String::as_str).collect();
        add(&allowed.place, Need::Optional, "", words);
    }
    fields
}

/// The fields that are names as a text: a label each, or a section where the name can be no label.
pub(super) fn text(instruction: &Instruction<'_>) -> String {
    let (mut labels, mut sections, mut known) = (String::new(), String::new(), Vec::new());
    for Field { place, sample, .. } in fields(instruction) {
        let path = place.path();
        let Some(name) = path.name().filter(|_| path.steps().is_empty() && !sample.is_empty())
        else {
            continue;
        };
        if known.contains(&name) {
            continue;
        }
        known.push(name);
        let shown = visible(name);
        let _ = if is_label_name(name) {
            writeln!(labels, "{shown}: {sample}")
        } else {
            writeln!(sections, "\n## {shown}\n\n{sample}")
        };
    }
    labels + &sections
}

/// The fields as members of a document.
pub(super) fn document<'p>(instruction: &Instruction<'p>) -> ValueView<'p> {
    let mut root = empty(String::new());
    for Field { place, need, sample, words } in fields(instruction) {
        let sample = match &*sample {
            // The words of a status may be booleans.
            "true" | "false" | "" => sample,
            text => quoted(text),
        };
        let end = ValueView { need, words, sample, ..empty(String::new()) };
        // Any of its paths can have the words, and the first one has the sample.
        let count = if end.words.is_empty() { 1 } else { place.paths.len() };
        for (index, path) in place.paths.iter().take(count).enumerate() {
            let member = place.members.first().map(|(_, member)| member.steps());
            let steps = path.steps().iter().chain(member.unwrap_or_default());
            let name = path.name().map(Some).into_iter();
            // None is an item of a list.
            let steps = name.chain(steps.map(|step| match step {
                PointerStep::Name(name) => Some(&**name).filter(|name| *name != "0"),
                PointerStep::Every => None,
            }));
            let steps: Vec<_> = steps.collect();
            if index == 0 {
                put(&mut root, &steps, &end);
            } else {
                let words = end.words.clone();
                put(&mut root, &steps, &ValueView { words, ..empty(String::new()) });
            }
        }
    }
    root
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

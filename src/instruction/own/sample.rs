//! What each place of a standard is filled with in an example.

use crate::form::Form;
use crate::instruction::Instruction;
use crate::instruction::skeleton::{AGENT, PATH, SESSION, SUMMARY};
use crate::profile::Meaning;
use crate::profile::standard::{Expression, Role, Standard, ValuePlace};

/// A place, and the text that an example has there.
pub(super) struct Filled<'s> {
    pub(super) place: &'s ValuePlace,
    /// The member of an object there that has the text.
    pub(super) member: Option<&'s ValuePlace>,
    pub(super) text: String,
    /// Whether the text is the path of a file.
    pub(super) is_path: bool,
}

/// What stands for a text that the agent writes.
pub(super) const FILLER: &str = "...";

/// An empty list in JSON.
pub(super) const EMPTY: &str = "[]";

/// The places that a return of success has, in the order of the steps.
pub(super) fn all<'s>(instruction: &Instruction<'_>, standard: &'s Standard) -> Vec<Filled<'s>> {
    let roles = &standard.roles;
    let status = success(instruction);
    let limit = instruction.profile.length;
    let is_short = limit.is_none_or(|it| it.allows(it.measure(SUMMARY)));
    let named = [
        (&roles.status, status.as_str()),
        (&roles.session, instruction.session.unwrap_or(SESSION)),
        (&roles.agent, instruction.agent.unwrap_or(AGENT)),
        (&roles.summary, if is_short { SUMMARY } else { FILLER }),
        (&roles.artifacts, PATH),
        (&roles.files, PATH),
    ];
    let mut filled = Vec::new();
    for (role, sample) in named {
        let role = role.as_ref().filter(|role| role.default.is_none());
        filled.extend(role.and_then(|role| of_role(role, sample)));
    }
    for (name, role) in &roles.given {
        filled.extend(of_role(role, &format!("the {name} of this task")));
    }
    let with_status = standard.required_if.iter();
    let with_status = with_status.filter(|it| it.words.contains(&status));
    let places = with_status.flat_map(|it| &it.places);
    for place in standard.required.iter().chain(places) {
        if filled.iter().all(|it: &Filled<'_>| it.place != place) {
            filled.push(Filled {
                place,
                member: None,
                text: word(standard, place),
                is_path: false,
            });
        }
    }
    empty(standard, &status, &mut filled);
    filled
}

/// Leaves empty what must hold nothing with this status.
fn empty<'s>(standard: &'s Standard, status: &String, filled: &mut Vec<Filled<'s>>) {
    let with_status = standard.empty_if.iter();
    let with_status = with_status.filter(|it| it.words.contains(status));
    for place in with_status.flat_map(|it| &it.places) {
        let is_below = |it: &Filled<'_>| {
            it.place.name() == place.name() && it.place.steps().starts_with(place.steps())
        };
        let before = filled.len();
        filled.retain(|it| !is_below(it));
        if filled.len() < before {
            let is_text = standard.form == Form::Text;
            let text = if is_text { "none" } else { EMPTY };
            filled.push(Filled {
                place,
                member: None,
                text: text.to_owned(),
                is_path: false,
            });
        }
    }
}

/// None if the expression of the role takes another part of the text.
fn of_role<'s>(role: &'s Role, sample: &str) -> Option<Filled<'s>> {
    let is_taken = |it: &Expression| it.find(sample) == Some(0..sample.len());
    if !role.expression.as_ref().is_none_or(is_taken) {
        return None;
    }
    Some(Filled {
        place: role.places.first()?,
        member: role.members.first().map(|(_, member)| member),
        text: sample.to_owned(),
        is_path: sample == PATH,
    })
}

/// A word that the standard allows at a place, or else any text.
fn word(standard: &Standard, place: &ValuePlace) -> String {
    let allowed = standard.claims.values.iter().find(|it| it.place == *place);
    let word = allowed.and_then(|it| it.words.first());
    word.map_or_else(|| FILLER.to_owned(), String::clone)
}

fn success(instruction: &Instruction<'_>) -> String {
    let statuses = || instruction.profile.statuses_of(instruction.agent);
    let success = statuses().find(|status| status.meaning == Meaning::Success);
    let word = success
        .or_else(|| statuses().next())
        .map(|status| &*status.word);
    match word {
        None | Some("*") => "status".to_owned(),
        Some(word) => word.to_owned(),
    }
}

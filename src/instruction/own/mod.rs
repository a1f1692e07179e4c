//! The instruction for a standard of one's own: a return in its form, made from its places.

mod example;

use std::fmt::{Display, Write as _};

use crate::document::Form;
use crate::instruction::{HEADING, Instruction};
use crate::profile::Meaning;
use crate::profile::Profile;
use crate::profile::standard::{Claims, Condition, CountRule, CountedThings, Place};
use crate::text::count;
use crate::text::escape::{full, list, multiline};

pub(super) use example::skeleton;

/// The whole instruction.
pub(super) fn write(instruction: &Instruction<'_>, standard: &Profile, text: &mut String) {
    let skeleton = skeleton(instruction, standard);
    text.push_str(HEADING);
    text.push_str(match (standard.form, &standard.part) {
        (_, Some(part)) if part.is_last => "End your final report with this, and nothing after it:\n",
        (_, Some(_)) => "Your final report must have this in it, once:\n",
        (Form::Json, None) => {
            "Your whole final report must be JSON of this form, and nothing else: no text around it, no \
             Markdown fence, no comments.\n"
        }
        (Form::Yaml, None) => {
            "Your whole final report must be YAML of this form, and nothing else: no text around it, no \
             Markdown fence.\n"
        }
        (Form::Text, None) if skeleton.is_empty() => "Your final report is a text of your own words.\n",
        (Form::Text, None) => "Your final report must have this form:\n",
    });
    match &*skeleton {
        "" => text.push('\n'),
        skeleton => {
            let _ = writeln!(text, "\n{skeleton}\n");
        }
    }
    requirements(instruction, standard, text);
    schema(standard, text);
    if text.ends_with("\n\n") {
        text.pop();
    }
    text.push_str(
        "\nWhat you return is validated before anyone acts on it. A return that lacks a value, or names a file \
         that does not exist, is rejected, and the task counts as failed.\n",
    );
}

fn requirements(instruction: &Instruction<'_>, standard: &Profile, text: &mut String) {
    let mut say = |requirement: &dyn Display| {
        let _ = writeln!(text, "- {requirement}");
    };
    let profile = instruction.profile;
    let words = |meaning: Option<Meaning>| {
        let words = profile.statuses_of(instruction.agent);
        let words = words.filter(move |it| meaning.is_none_or(|meaning| it.meaning == meaning));
        list(words.map(|it| &*it.word).filter(|word| *word != "*"))
    };
    if let Some(role) = &standard.roles.status {
        let is_open = profile
            .statuses_of(instruction.agent)
            .any(|it| &*it.word == "*");
        let others = if is_open { ", or another word" } else { "" };
        say(&format_args!(
            "{} is one of {}{others}.",
            named(role),
            words(None)
        ));
    }
    for (role, (what, so)) in [
        (
            &standard.roles.artifacts,
            ("files that you wrote", "They exist and have content."),
        ),
        (&standard.roles.files, ("files", "They exist.")),
    ] {
        let Some(role) = role else { continue };
        let success = words(Some(Meaning::Success));
        let with = match &*success {
            "" => String::new(),
            success => format!("With {success}: "),
        };
        let role = named(role);
        say(&format_args!(
            "{with}{role} names {what}, relative to the project root. {so}"
        ));
    }
    for condition in &*standard.required_if {
        let (words, places) = said(condition);
        say(&format_args!("With {words}: fill in {places}."));
    }
    for condition in &*standard.empty_if {
        let (words, places) = said(condition);
        say(&format_args!("With {words}: leave {places} empty."));
    }
    claims(&standard.claims, &mut say);
    let roles = &standard.roles;
    for (role, what) in [
        (
            &roles.changed,
            "names all files that you changed, relative to the project root",
        ),
        (
            &roles.cites,
            "cites lines of files as `path:line`; what you quote stands there",
        ),
        (&roles.commits, "names commits by their hash"),
        (
            &roles.tests,
            "says how many tests ran and passed, as `14/14`",
        ),
    ] {
        if let Some(role) = role {
            say(&format_args!("{} {what}.", named(role)));
        }
    }
    let mut matched: Vec<&Place> = Vec::new();
    for place in standard.places() {
        if let Some(expression) = &place.expression
            && !matched.contains(&place)
        {
            let expression = multiline(expression.as_str());
            say(&format_args!("{} matches `{expression}`.", named(place)));
            matched.push(place);
        }
    }
    let limits = &standard.message_limits;
    for (most, what) in [
        (limits.lines, "line"),
        (limits.characters, "character"),
        (limits.tokens, "token"),
    ] {
        if let Some(most) = most {
            let most = count(most, what);
            say(&format_args!("The whole message has at most {most}."));
        }
    }
    if let (Some(limit), Some(role)) = (profile.length, &standard.roles.summary) {
        say(&format_args!("{} stays {}.", named(role), limit.bound()));
    }
    if let (Some((fewest, most)), Some(role)) = (profile.sentences, &standard.roles.summary) {
        let sentences = sentences(fewest, most);
        say(&format_args!("{} has {sentences}.", named(role)));
    }
}

/// Says each condition with a sentence.
fn claims(claims: &Claims, say: &mut impl FnMut(&dyn Display)) {
    for allowed in &*claims.values {
        let (place, words) = (named(&allowed.place), list(&allowed.words));
        say(&format_args!("{place} is one of {words}."));
    }
    for (words, values) in &*claims.values_if {
        for allowed in values {
            let (place, known) = (named(&allowed.place), list(&allowed.words));
            let words = list(words);
            say(&format_args!("With {words}: {place} is one of {known}."));
        }
    }
    for places in &*claims.same {
        say(&format_args!("{} have the same value.", all(places)));
    }
    for (total, parts) in &*claims.sums {
        say(&format_args!(
            "{} is the sum of {}.",
            named(total),
            all(parts)
        ));
    }
    for rule in &*claims.counts {
        say(&counted(rule));
    }
}

fn counted(rule: &CountRule) -> String {
    let number = named(&rule.number);
    match &rule.counted {
        CountedThings::Items { place, members } => {
            let members = members
                .iter()
                .map(|(member, value)| format!("{} is `{}`", quoted(member.as_str()), full(value)));
            let members: Vec<_> = members.collect();
            let of = if members.is_empty() { "" } else { " of which " };
            let members = members.join(" and ");
            format!(
                "{number} is the number of items in {}{of}{members}.",
                named(place)
            )
        }
        CountedThings::Files { folder, glob } => {
            let (folder, glob) = (named(folder), full(glob.as_str()));
            format!("{number} is the number of files `{glob}` in the folder {folder}.")
        }
    }
}

fn all(places: &[Place]) -> String {
    let (last, first) = match places {
        [first @ .., last] if !first.is_empty() => (last, first),
        _ => return places.iter().map(named).collect(),
    };
    let first: Vec<_> = first.iter().map(named).collect();
    format!("{} and {}", first.join(", "), named(last))
}

/// The schema, and what it is for.
fn schema(standard: &Profile, text: &mut String) {
    let Some(rule) = &standard.schema else { return };
    let what = match &rule.place {
        Some(place) => format!("What {} holds", named(place)),
        None => "The whole document".to_owned(),
    };
    let schema = multiline(rule.schema.text().trim());
    let _ = writeln!(text, "\n{what} must fit this JSON Schema:\n\n{schema}");
}

fn sentences(fewest: usize, most: usize) -> String {
    if fewest == most {
        count(most, "sentence")
    } else {
        format!("{fewest} to {}", count(most, "sentence"))
    }
}

fn said(condition: &Condition) -> (String, String) {
    let places: Vec<_> = condition.places.iter().map(named).collect();
    (list(&condition.words), places.join(", "))
}

fn named(place: &Place) -> String {
    quoted(place.as_str())
}

fn quoted(name: &str) -> String {
    format!("`{}`", full(&visible(name)))
}

/// A name without the mark that makes an emoji colourful, which names are compared without.
fn visible(name: &str) -> String {
    name.replace('\u{fe0f}', "")
}

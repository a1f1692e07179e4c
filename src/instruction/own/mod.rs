//! The instruction for a standard of one's own: a return in its form, made from its places.

mod claims;
mod json;
mod sample;
mod text;

use std::fmt::{Display, Write as _};

use crate::form::Form;
use crate::form::lookup::PointerStep;
use crate::form::part::PartMarks;
use crate::instruction::Instruction;
use crate::profile::Meaning;
use crate::profile::standard::{Condition, Role, Standard, ValuePlace};
use crate::text::count;
use crate::text::escape::{full, list, multiline};

use sample::{FILLER, Filled};

/// The whole instruction.
pub(super) fn write(instruction: &Instruction<'_>, standard: &Standard, text: &mut String) {
    let skeleton = skeleton(instruction, standard);
    text.push_str("RETURN FORMAT\n");
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

/// An example return, safe to print.
pub(super) fn skeleton(instruction: &Instruction<'_>, standard: &Standard) -> String {
    if let Some(example) = &standard.example {
        return multiline(example.trim());
    }
    let filled = sample::all(instruction, standard);
    let text = match standard.form {
        Form::Json => json::text(&json::value(&filled)),
        Form::Yaml => json::yaml(&json::value(&filled)),
        Form::Text if filled.is_empty() && standard.part.is_some() => FILLER.to_owned(),
        Form::Text => text::text(&filled),
    };
    let text = marked(standard, text);
    if holds(standard, &text, &filled) {
        return text;
    }
    let places = filled.iter();
    let places = places.map(|it| format!("At {}: {}", quoted(it.place), multiline(&it.text)));
    marked(standard, places.collect::<Vec<_>>().join("\n"))
}

/// A text between the marks of the part that is read.
fn marked(standard: &Standard, text: String) -> String {
    match standard.part.as_ref().map(|part| &part.marks) {
        None => text,
        Some(PartMarks::Fence(words)) => {
            let word = words.first().map_or("", String::as_str);
            format!("```{}\n{text}\n```", multiline(word))
        }
        Some(PartMarks::Between([start, end])) => {
            format!("{}\n{text}\n{}", multiline(start), multiline(end))
        }
        Some(PartMarks::Tag(name)) => format!("<{name}>\n{text}\n</{name}>"),
    }
}

/// Whether an example has something at each place that it was filled at. The steps of some places do not say
/// how to write what they lead to.
fn holds(standard: &Standard, text: &str, filled: &[Filled<'_>]) -> bool {
    let Ok(document) = standard.read(text) else {
        return false;
    };
    let is_there = |it: &Filled<'_>| {
        // Lists may be empty.
        let is_of_list = it.place.steps().contains(&PointerStep::Every);
        let found = it.place.find(&document);
        found.is_ok_and(|found| is_of_list || !found.is_empty())
    };
    filled.iter().all(is_there)
}

fn requirements(instruction: &Instruction<'_>, standard: &Standard, text: &mut String) {
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
    for condition in &standard.required_if {
        let (words, places) = said(condition);
        say(&format_args!("With {words}: fill in {places}."));
    }
    for condition in &standard.empty_if {
        let (words, places) = said(condition);
        say(&format_args!("With {words}: leave {places} empty."));
    }
    claims::claims(&standard.claims, &mut say);
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
    for role in standard.roles.all() {
        if let Some(expression) = &role.expression {
            let expression = multiline(expression.as_str());
            say(&format_args!("{} matches `{expression}`.", named(role)));
        }
    }
    let limits = &standard.limits;
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

/// The schema, and what it is for.
fn schema(standard: &Standard, text: &mut String) {
    let Some(rule) = &standard.schema else { return };
    let what = match &rule.place {
        Some(place) => format!("What {} holds", quoted(place)),
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
    let places: Vec<_> = condition.places.iter().map(quoted).collect();
    (list(&condition.words), places.join(", "))
}

fn named(role: &Role) -> String {
    role.places.first().map_or_else(String::new, quoted)
}

fn quoted(place: &ValuePlace) -> String {
    format!("`{}`", full(&visible(place.as_str())))
}

/// A name without the mark that makes an emoji colourful, which names are compared without.
fn visible(name: &str) -> String {
    name.replace('\u{fe0f}', "")
}

/// The pieces that one place is filled with, in one line.
fn joined(filled: &[&Filled]) -> String {
    let pieces: Vec<_> = filled.iter().map(|it| &*it.text).collect();
    pieces.join(" ")
}

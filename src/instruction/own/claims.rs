//! What an instruction says of values that are compared, and of what artifacts contain.

use std::fmt::Display;

use crate::form::Form;
use crate::instruction::own::quoted;
use crate::profile::standard::ValuePlace;
use crate::profile::standard::claims::{Claims, ContentRule, CountRule, CountedThings};
use crate::text::escape::{full, list, multiline};

/// Says each condition with a sentence.
pub(super) fn claims(claims: &Claims, say: &mut impl FnMut(&dyn Display)) {
    for allowed in &claims.values {
        let (place, words) = (quoted(&allowed.place), list(&allowed.words));
        say(&format_args!("{place} is one of {words}."));
    }
    for (words, values) in &claims.values_if {
        for allowed in values {
            let (place, known) = (quoted(&allowed.place), list(&allowed.words));
            let words = list(words);
            say(&format_args!("With {words}: {place} is one of {known}."));
        }
    }
    for places in &claims.same {
        say(&format_args!("{} have the same value.", all(places)));
    }
    for (total, parts) in &claims.sums {
        say(&format_args!(
            "{} is the sum of {}.",
            quoted(total),
            all(parts)
        ));
    }
    for rule in &claims.counts {
        say(&counted(rule));
    }
    for rule in &claims.contents {
        content(rule, say);
    }
}

fn counted(rule: &CountRule) -> String {
    let number = quoted(&rule.number);
    match &rule.counted {
        CountedThings::Items { place, members } => {
            let members = members
                .iter()
                .map(|(member, value)| format!("{} is `{}`", quoted(member), full(value)));
            let members: Vec<_> = members.collect();
            let of = if members.is_empty() { "" } else { " of which " };
            let members = members.join(" and ");
            format!(
                "{number} is the number of items in {}{of}{members}.",
                quoted(place)
            )
        }
        CountedThings::Files { folder, glob } => {
            let (folder, glob) = (quoted(folder), full(glob.as_str()));
            format!("{number} is the number of files `{glob}` in the folder {folder}.")
        }
    }
}

fn content(rule: &ContentRule, say: &mut impl FnMut(&dyn Display)) {
    let files = format!("A file that fits `{}`", full(rule.glob.as_str()));
    if !rule.headings.is_empty() {
        let order = if rule.is_ordered {
            ", in this order"
        } else {
            ""
        };
        let headings = list(&rule.headings);
        say(&format_args!("{files} has the headings {headings}{order}."));
    }
    if !rule.required.is_empty() {
        say(&format_args!(
            "{files} has something at {}.",
            all(&rule.required)
        ));
    }
    for text in &rule.contains {
        say(&format_args!("{files} contains `{}`.", full(text)));
    }
    let form = match rule.form {
        Form::Json => "JSON",
        Form::Yaml => "YAML",
        Form::Text => return,
    };
    match &rule.schema {
        None if rule.required.is_empty() => {}
        None => say(&format_args!("{files} is {form}.")),
        Some(schema) => {
            let schema = multiline(schema.text().trim());
            say(&format_args!(
                "{files} is {form} that fits this JSON Schema:\n\n{schema}\n"
            ));
        }
    }
}

fn all(places: &[ValuePlace]) -> String {
    let (last, first) = match places {
        [first @ .., last] if !first.is_empty() => (last, first),
        _ => return places.iter().map(quoted).collect(),
    };
    let first: Vec<_> = first.iter().map(quoted).collect();
    format!("{} and {}", first.join(", "), quoted(last))
}

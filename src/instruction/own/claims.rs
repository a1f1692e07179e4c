//! What an instruction says of values that are compared.

use std::fmt::Display;

use crate::instruction::own::quoted;
use crate::profile::standard::{Claims, CountRule, CountedThings, ValuePlace};
use crate::text::escape::{full, list};

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

fn all(places: &[ValuePlace]) -> String {
    let (last, first) = match places {
        [first @ .., last] if !first.is_empty() => (last, first),
        _ => return places.iter().map(quoted).collect(),
    };
    let first: Vec<_> = first.iter().map(quoted).collect();
    format!("{} and {}", first.join(", "), quoted(last))
}

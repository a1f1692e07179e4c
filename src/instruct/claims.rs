//! The requirements of a standard of one's own, one line each: what its places hold, and what else must be
//! true of them.

use crate::document::Form;
use crate::instruct::Instruction;
use crate::instruct::view::words;
use crate::profile::told::told;
use crate::profile::words::ANY;
use crate::profile::{AllowedWords, CountRule, CountedThings, Meaning, Place, Profile};
use crate::text::count;
use crate::text::escape::{full, list, multiline};

pub(super) fn requirements(instruction: &Instruction<'_>) -> Vec<String> {
    let profile = instruction.profile;
    let mut lines = Vec::new();
    let (roles, claims, form) = (&profile.roles, &profile.claims, profile.form);
    let at = |place: &Place| place_of(place, form);
    let all = |places: &[Place]| and(&places.iter().map(at).collect::<Vec<_>>());
    let statuses = || profile.statuses_of(instruction.agent);
    if let Some(role) = &roles.status {
        let (place, words) = (at(role), one_of(&words(statuses())));
        lines.push(match role.expression {
            None => format!("{place} is one of {words}."),
            // It is a part of what stands there.
            Some(_) => format!("{place} says one of {words}, in the form of the example."),
        });
    }
    let success = statuses().filter(|it| it.meaning == Meaning::Success && it.word != ANY);
    let with = match &*list(success.map(|it| &*it.word)) {
        "" => String::new(),
        success => format!("With {success}: "),
    };
    for (role, with, what) in [
        (
            &roles.artifacts,
            &*with,
            "names files that you wrote, relative to the project root{alone}. They exist and have content",
        ),
        (&roles.files, &*with, "names files, relative to the project root{alone}. They exist"),
        (&roles.covers, "", "names the files that you read for it, relative to the project root"),
        (
            &roles.changed,
            "",
            "names all files that you changed, relative to the project root{alone}",
        ),
        (&roles.cites, "", "cites lines of files{how}; quote only text of these lines"),
        (&roles.commits, "", "names commits by their hash"),
        (&roles.tests, "", "says how many tests ran and passed"),
    ] {
        let line = |role: &Place| {
            let is_alone = form == Form::Text
                && role.members.is_empty()
                && role.expression.is_none()
                && !role.as_str().contains("/table")
                && profile.example.as_deref().is_none_or(|it| !it.contains('|'));
            let alone = ["", ", one path on each line, without remarks"][usize::from(is_alone)];
            let how = if role.members.is_empty() { " as `path:line`" } else { "" };
            let what = what.replace("{alone}", alone).replace("{how}", how);
            format!("{with}{} {what}.", at(role))
        };
        lines.extend(role.as_ref().map(line));
    }
    for condition in &*profile.required_if {
        let (words, places) = (list(&condition.words), all(&condition.places));
        lines.push(format!("With {words}: fill in {places}."));
    }
    for condition in &*profile.empty_if {
        let (words, places) = (list(&condition.words), all(&condition.places));
        lines.push(format!("With {words}: leave {places} empty."));
    }
    let allowed = |it: &AllowedWords| format!("{} is one of {}.", at(&it.place), one_of(&it.words));
    lines.extend(claims.values.iter().map(allowed));
    for (words, values) in &*claims.values_if {
        let with = |it| format!("With {}: {}", list(words), allowed(it));
        lines.extend(values.iter().map(with));
    }
    let same = claims.same.iter();
    lines.extend(same.map(|places| format!("{} have the same value.", all(places))));
    for (total, parts) in &*claims.sums {
        lines.push(format!("{} is the sum of {}.", at(total), all(parts)));
    }
    let counts = claims.counts.iter();
    lines.extend(counts.filter_map(|rule| counted(rule, form)));
    let limits = &profile.message_limits;
    let limits =
        [(limits.lines, "line"), (limits.characters, "character"), (limits.tokens, "token")];
    lines.extend(limits.into_iter().filter_map(|(most, what)| {
        let most = count(most?, what);
        Some(format!("The whole message has at most {most}."))
    }));
    let summary = roles.summary.as_ref();
    lines.extend(summary.and_then(|role| instruction.length(&at(role))));
    lines
}

/// The first path of a place. If one member of what stands there counts, that member.
fn place_of(place: &Place, form: Form) -> String {
    let path = place.as_str();
    let [(_, member)] = &place.members[..] else {
        return told(path, form);
    };
    let member = member.as_str().trim_start_matches('/');
    told(&format!("{path}/{member}"), form)
}

fn counted(rule: &CountRule, form: Form) -> Option<String> {
    let at = |place: &Place| place_of(place, form);
    let (place, members) = match &rule.counted {
        CountedThings::Items { place, members } => (place, members),
        CountedThings::Files { folder, glob } => {
            let end = glob.as_str().strip_prefix('*')?;
            let (number, end) =
                (at(&rule.number), (!end.contains(['*', '?', '[', '{'])).then(|| full(end))?);
            let folder = at(folder);
            return Some(format!(
                "{number} is the number of files in the folder {folder} whose name ends with `{end}`."
            ));
        }
    };
    let parts = members.iter().map(|(member, value)| {
        format!("{} is `{}`", told(member.as_str(), form), full(&value.text))
    });
    let which = if members.is_empty() { "" } else { " of which " };
    let parts = parts.collect::<Vec<_>>().join(" and ");
    let [number, items] = [&rule.number, place].map(at);
    Some(format!("{number} is the number of items in {items}{which}{parts}."))
}

fn and(places: &[String]) -> String {
    match places {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => places.concat(),
    }
}

fn one_of(words: &[impl AsRef<str>]) -> String {
    let words = words.iter().map(AsRef::as_ref);
    let (open, known): (Vec<&str>, Vec<_>) = words.partition(|word| *word == ANY);
    list(known) + ["", ", or another word"][open.len().min(1)]
}

/// The JSON Schema of the standard, and what it is for. Empty if there is none that can be shown.
pub(super) fn schema(profile: &Profile) -> String {
    // Agents are not told expressions and pointers.
    let is_plain = |text: &str| !text.contains("\"pattern") && !text.contains('#');
    let shown = profile.schema.as_ref().filter(|rule| is_plain(rule.schema.as_str()));
    let Some(rule) = shown else {
        return String::new();
    };
    let what = match &rule.place {
        Some(place) => format!("The content of {}", place_of(place, profile.form)),
        None => "The whole document".to_owned(),
    };
    let schema = multiline(rule.schema.as_str().trim());
    format!("\n{what} must fit this JSON Schema:\n\n{schema}\n")
}

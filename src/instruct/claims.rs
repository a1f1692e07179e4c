//! The requirements of a standard of one's own, one line each: what its places hold, and what else must be
//! true of them.

use serde_json::Value as Json;

use crate::document::Form;
use crate::document::tree::Value;
use crate::instruct::Instruction;
use crate::instruct::view::words;
use crate::profile::told::told;
use crate::profile::words::ANY;
use crate::profile::{AllowedWords, CountRule, CountedThings, Meaning, Place, Profile, RoleMember};
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
    let cites = cited(roles.cites.as_ref(), form);
    let is_told = roles.tests.as_ref().is_some_and(|it| it.paths.len() == 1)
        && profile.example.is_none()
        && profile.schema.is_none();
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
        (&roles.cites, "", &*cites),
        (&roles.commits, "", "names commits by their hash"),
        (
            &roles.tests,
            "",
            [
                "says how many tests ran and passed",
                "says how many tests ran and passed, as `14/14`",
            ][usize::from(is_told)],
        ),
    ] {
        let line = |role: &Place| {
            let is_alone = form == Form::Text && is_of_lines(role, profile);
            let alone = ["", ", one path on each line, without remarks"][usize::from(is_alone)];
            format!("{with}{} {}.", at(role), what.replace("{alone}", alone))
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

/// Whether paths stand there as they are, and neither the profile nor its example has them in a table.
fn is_of_lines(role: &Place, profile: &Profile) -> bool {
    let example = profile.example.as_deref();
    let example = example.and_then(|it| profile.read(it).ok());
    let has_rows = example.is_some_and(|it| {
        let found = role.path().find(it.root()).unwrap_or_default();
        found.iter().any(|it| it.items().any(Value::is_object))
    });
    role.members.is_empty()
        && role.expression.is_none()
        && !role.as_str().contains("/table")
        && !has_rows
}

/// What a place of cites says, with the names of their parts.
fn cited(role: Option<&Place>, form: Form) -> String {
    let members = role.map_or(&[][..], |it| &*it.members);
    let has_line = members.iter().any(|it| it.0 == RoleMember::Line);
    let parts = members.iter().filter_map(|(member, path)| {
        let what = match member {
            RoleMember::Path if has_line => "the path",
            RoleMember::Path => "`path:line`",
            RoleMember::Line => "the line",
            RoleMember::Quote => "the quotation",
            _ => return None,
        };
        let path = path.as_str().trim_start_matches('/');
        Some(format!("{what} in {}", told(path, form)))
    });
    let parts: Vec<_> = parts.collect();
    let how = match &parts[..] {
        [] | [_] => "as `path:line`".to_owned(),
        parts => format!("with {}", and(parts)),
    };
    format!("cites lines of files {how}; quote only text of these lines")
}

/// None of files whose names cannot be told in words.
fn counted(rule: &CountRule, form: Form) -> Option<String> {
    let at = |place: &Place| place_of(place, form);
    let (of, which, parts): (_, _, Vec<_>) = match &rule.counted {
        CountedThings::Items { place, members } => {
            let parts = members.iter().map(|(member, value)| {
                let member = told(member.as_str(), form);
                format!("{member} is `{}`", full(&value.text))
            });
            (format!("items in {}", at(place)), " of which ", parts.collect())
        }
        CountedThings::Files { folder, glob } => {
            let (start, end) = glob.as_str().split_once('*')?;
            if end.contains(['*', '?', '[', '{']) {
                return None;
            }
            let mut parts = vec![("begins", start), ("ends", end)];
            parts.retain(|(_, part)| !part.is_empty());
            let parts = parts.into_iter();
            let parts = parts.map(|(what, part)| format!("{what} with `{}`", full(part)));
            (format!("files in the folder {}", at(folder)), " whose name ", parts.collect())
        }
    };
    let which = if parts.is_empty() { "" } else { which };
    let (number, parts) = (at(&rule.number), parts.join(" and "));
    Some(format!("{number} is the number of {of}{which}{parts}."))
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
    let shown = profile.schema.as_ref().filter(|rule| {
        let schema = serde_json::from_str(rule.schema.as_str());
        is_plain(&schema.unwrap_or_default())
    });
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

/// Whether a schema has no expressions and no pointers, which agents are not told.
fn is_plain(schema: &Json) -> bool {
    match schema {
        Json::Object(keywords) => keywords.iter().all(|(name, value)| match name.as_str() {
            "pattern" | "patternProperties" => false,
            "$ref" => !value.as_str().is_some_and(|target| target.contains('#')),
            _ => is_plain(value),
        }),
        Json::Array(items) => items.iter().all(is_plain),
        _ => true,
    }
}

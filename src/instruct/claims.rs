//! The requirements of a standard of one's own, one line each: what its places hold, and what else must be
//! true of them.

use serde_json::Value;

use crate::instruct::Instruction;
use crate::instruct::view::words;
use crate::profile::Meaning;
use crate::profile::standard::told::told;
use crate::profile::standard::words::ANY;
use crate::profile::standard::{
    AllowedWords, Condition, CountRule, CountedThings, Role, Standard, ValuePlace,
};
use crate::text::count;
use crate::text::escape::{full, list, multiline};

pub(super) fn requirements(
    instruction: &Instruction<'_>,
    standard: &Standard,
    say: &mut impl FnMut(String),
) {
    let teller = Teller { standard };
    let (profile, roles) = (instruction.profile, &standard.roles);
    if let Some(role) = &roles.status {
        let words = one_of(&words(profile.statuses_of(instruction.agent)));
        let status = teller.role(role);
        say(match role.expression {
            None => format!("{status} is one of {words}."),
            // It is a part of what stands there.
            Some(_) => format!("{status} says one of {words}, in the form of the example."),
        });
    }
    let success = profile.statuses_of(instruction.agent);
    let success = success.filter(|it| it.meaning == Meaning::Success && it.word != ANY);
    let with = match &*list(success.map(|it| &*it.word)) {
        "" => String::new(),
        success => format!("With {success}: "),
    };
    for (role, what) in [
        (
            &roles.artifacts,
            "files that you wrote, relative to the project root. They exist and have content",
        ),
        (
            &roles.files,
            "files, relative to the project root. They exist",
        ),
    ] {
        if let Some(role) = role {
            say(format!("{with}{} names {what}.", teller.member(role)));
        }
    }
    for condition in &standard.required_if {
        let (words, places) = teller.condition(condition);
        say(format!("With {words}: fill in {places}."));
    }
    for condition in &standard.empty_if {
        let (words, places) = teller.condition(condition);
        say(format!("With {words}: leave {places} empty."));
    }
    teller.claims(say);
    let is_of_members = (roles.cites.as_ref()).is_some_and(|role| !role.members.is_empty());
    for (role, what) in [
        (
            &roles.changed,
            "names all files that you changed, relative to the project root",
        ),
        (
            &roles.cites,
            if is_of_members {
                "cites lines of files; what you quote stands there"
            } else {
                "cites lines of files as `path:line`; what you quote stands there"
            },
        ),
        (&roles.commits, "names commits by their hash"),
        (
            &roles.tests,
            "says how many tests ran and passed, as `14/14`",
        ),
    ] {
        if let Some(role) = role {
            say(format!("{} {what}.", teller.role(role)));
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
            say(format!("The whole message has at most {most}."));
        }
    }
    if let Some(role) = &roles.summary {
        let summary = teller.role(role);
        if let Some(limit) = profile.length {
            say(format!("{summary} stays {}.", limit.bound()));
        }
        if let Some((fewest, most)) = profile.sentences {
            let fewest = Some(fewest).filter(|fewest| *fewest != most);
            let fewest = fewest.map_or(String::new(), |fewest| format!("{fewest} to "));
            say(format!(
                "{summary} has {fewest}{}.",
                count(most, "sentence")
            ));
        }
    }
}

/// The JSON Schema of the standard, and what it is for. Empty if there is none that can be shown.
pub(super) fn schema(standard: &Standard) -> String {
    let shown = standard.schema.as_ref().filter(|rule| {
        let schema: Value = serde_json::from_str(rule.schema.text()).unwrap_or_default();
        is_plain(&schema)
    });
    let Some(rule) = shown else {
        return String::new();
    };
    let what = match &rule.place {
        Some(place) => format!("What {} holds", told(place.as_str(), standard.form)),
        None => "The whole document".to_owned(),
    };
    let schema = multiline(rule.schema.text().trim());
    format!("\n{what} must fit this JSON Schema:\n\n{schema}\n")
}

/// Whether a schema has no expressions and no pointers.
fn is_plain(schema: &Value) -> bool {
    match schema {
        Value::Object(keywords) => keywords.iter().all(|(name, value)| match name.as_str() {
            "pattern" | "patternProperties" => false,
            "$ref" => !value.as_str().is_some_and(|target| target.contains('#')),
            _ => is_plain(value),
        }),
        Value::Array(items) => items.iter().all(is_plain),
        _ => true,
    }
}

fn one_of(words: &[impl AsRef<str>]) -> String {
    let words = words.iter().map(AsRef::as_ref);
    let (open, known): (Vec<_>, Vec<_>) = words.partition(|word| *word == ANY);
    let others = if open.is_empty() {
        ""
    } else {
        ", or another word"
    };
    list(known) + others
}

/// Tells the places of a standard in words.
struct Teller<'s> {
    standard: &'s Standard,
}

impl Teller<'_> {
    fn place(&self, place: &ValuePlace) -> String {
        told(place.as_str(), self.standard.form)
    }

    fn role(&self, role: &Role) -> String {
        let first = role.places.first();
        first.map_or_else(String::new, |place| self.place(place))
    }

    /// The member of each value that counts, or the role itself.
    fn member(&self, role: &Role) -> String {
        let (Some(place), Some((_, member))) = (role.places.first(), role.members.first()) else {
            return self.role(role);
        };
        let member = member.as_str();
        let slash = if member.starts_with('/') { "" } else { "/" };
        told(
            &format!("{}{slash}{member}", place.as_str()),
            self.standard.form,
        )
    }

    fn all(&self, places: &[ValuePlace]) -> String {
        let places: Vec<_> = places.iter().map(|place| self.place(place)).collect();
        match &places[..] {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => places.concat(),
        }
    }

    fn condition(&self, condition: &Condition) -> (String, String) {
        let places: Vec<_> = condition.places.iter().map(|it| self.place(it)).collect();
        (list(&condition.words), places.join(", "))
    }

    fn claims(&self, say: &mut impl FnMut(String)) {
        let claims = &self.standard.claims;
        let allowed = |allowed: &AllowedWords| {
            let words = one_of(&allowed.words);
            format!("{} is one of {words}.", self.place(&allowed.place))
        };
        claims.values.iter().for_each(|it| say(allowed(it)));
        for (words, values) in &claims.values_if {
            let words = list(words);
            for value in values {
                say(format!("With {words}: {}", allowed(value)));
            }
        }
        for places in &claims.same {
            say(format!("{} have the same value.", self.all(places)));
        }
        for (total, parts) in &claims.sums {
            let (total, parts) = (self.place(total), self.all(parts));
            say(format!("{total} is the sum of {parts}."));
        }
        let counts = claims.counts.iter();
        counts.filter_map(|rule| self.counted(rule)).for_each(say);
    }

    /// None of files whose names cannot be told in words.
    fn counted(&self, rule: &CountRule) -> Option<String> {
        let number = self.place(&rule.number);
        Some(match &rule.counted {
            CountedThings::Items { place, members } => {
                let members = members
                    .iter()
                    .map(|(member, value)| format!("{} is `{}`", self.place(member), full(value)));
                let members: Vec<_> = members.collect();
                let of = if members.is_empty() { "" } else { " of which " };
                let (place, members) = (self.place(place), members.join(" and "));
                format!("{number} is the number of items in {place}{of}{members}.")
            }
            CountedThings::Files { folder, glob } => {
                let (start, end) = glob.as_str().split_once('*')?;
                let name = |what: &str, part: &str| {
                    (!part.is_empty()).then(|| format!("{what} with `{}`", full(part)))
                };
                let name = [name("begins", start), name("ends", end)];
                let name: Vec<_> = name.into_iter().flatten().collect();
                let which = if name.is_empty() { "" } else { " whose name " };
                let (folder, name) = (self.place(folder), name.join(" and "));
                let is_plain = !end.contains(['*', '?', '[', '{']);
                return is_plain.then(|| {
                    format!("{number} is the number of files in the folder {folder}{which}{name}.")
                });
            }
        })
    }
}

//! Whether the answer of a resumed agent is free: prose in which nothing looks like a return.
//!
//! JSON is found as it is for `--extract`. A return in another form is recognized by the names of its
//! members. Text about such members, and program code that has members of the same names, is prose.

use std::collections::BTreeSet;
use std::str::Chars;

use crate::Profile;
use crate::json::extract::holds_json;
use crate::profile::Need;
use crate::text::is_blank;
use crate::text::is_invisible;

const QUOTES: [char; 2] = ['"', '\''];

pub(super) fn is_free(message: &str, profile: &Profile, agent: Option<&str>) -> bool {
    !is_blank(message) && !holds_json(message) && !is_like_return(&bare(message), profile, agent)
}

/// Whether two of the profile's members have a value in the text, or a status alone is enough.
fn is_like_return(text: &str, profile: &Profile, agent: Option<&str>) -> bool {
    let is_top = |path: &&str| !path.contains(['.', '[']);
    let names = profile.fields_of(agent).map(|field| &*field.path);
    let names: BTreeSet<_> = names.filter(is_top).collect();
    let is_only = profile.fields_with(Need::Required).filter(is_top).count() == 1;
    let mut found = BTreeSet::new();
    for line in text.lines().map(str::trim) {
        for name in &names {
            for value in values(line, name) {
                let is_word = || profile.status(word(value.text), agent).is_some();
                if *name == "status" && (value.has_quoted_key || is_only && is_word()) {
                    return true;
                }
                found.insert(*name);
            }
        }
    }
    found.len() > 1
}

/// What follows a key on its line.
struct MemberValue<'t> {
    text: &'t str,
    has_quoted_key: bool,
}

/// The values of a key in a line. Without quotes, a key must begin the line or an object that begins it,
/// and a line that ends as a statement or a field of program code does has no value.
fn values<'t>(line: &'t str, name: &str) -> impl Iterator<Item = MemberValue<'t>> {
    let brace = line.find('{').unwrap_or(line.len());
    let is_code = line.ends_with([',', ';']);
    let is_object = line.starts_with(['{', '[']);
    line.match_indices(name).filter_map(move |(at, name)| {
        let before = line[..at].trim_end_matches(QUOTES);
        let after = &line[at + name.len()..];
        let has_quoted_key = before.len() < at && after.starts_with(QUOTES);
        let before = before.trim_end();
        let is_inside = brace < at && before.ends_with(['{', ',']);
        let begins = before.is_empty() || (is_inside && (has_quoted_key || is_object));
        let after = after.trim_start_matches(QUOTES);
        let text = after.trim_start().strip_prefix(':')?.trim_start();
        let is_value = has_quoted_key || !(is_code || text.is_empty() || text.starts_with(':'));
        (begins && is_value).then_some(MemberValue {
            text,
            has_quoted_key,
        })
    })
}

fn word(value: &str) -> &str {
    let value = value.trim_start_matches(QUOTES);
    let is_part = |character: char| character.is_alphanumeric() || "_-".contains(character);
    value.split(|it| !is_part(it)).next().unwrap_or(value)
}

/// The text without what makes a key look different: escapes, typographic quotes and invisible
/// characters.
fn bare(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let character = match character {
            '\\' => unescaped(&mut rest),
            other => Some(other),
        };
        bare.extend(character.and_then(|character| match character {
            '“' | '”' | '„' | '‟' | '«' | '»' => Some('"'),
            '‘' | '’' | '‚' | '‛' => Some('\''),
            other => (other.is_whitespace() || !is_invisible(other)).then_some(other),
        }));
    }
    bare
}

/// The character that an escape stands for, however often it was escaped. `rest` begins after its first
/// backslash.
fn unescaped(rest: &mut Chars<'_>) -> Option<char> {
    match rest.find(|character| *character != '\\')? {
        'n' => Some('\n'),
        'r' | 't' => Some(' '),
        'u' => {
            let code = rest.as_str().get(..4);
            let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
            let Some(code) = code else { return Some('u') };
            *rest = rest.as_str()[4..].chars();
            char::from_u32(code)
        }
        other => Some(other),
    }
}

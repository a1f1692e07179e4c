//! Returns as an agent might write them: documents of a standard with changes, in various spellings
//! of JSON, and with mistakes that no JSON serializer makes.

use crate::profile::{PROFILES, Profile};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use super::{Edit, apply, edit, filled, required};

/// Text that could be interpreted by a terminal, a build log, an XML parser, or a template.
const HOSTILE: &[&str] = &[
    "\n::error::x",
    "::stop-commands::x",
    "##[group]x##vso[task.complete]",
    "\u{1b}[2J\u{1b}]0;x\u{7}",
    "\u{202e}\u{2066}a\u{feff}",
    "{agent} {session} {{}} [x](y)",
    "]]></failure>&#0;<!--",
    "\u{fffe}\u{fdd0}\u{e0041}",
    "a\r\nb\tc\u{85}\u{2028}",
    " ends in spaces  ",
    "%0A%25,file=x::y",
    "#",
    "[PASS] Return validation succeeded",
    "../../etc/passwd",
    "specs/12_tide_tables/plans/implementation-001.md",
    "/dev/zero",
    "C:\\x",
    "\0",
];

/// A text that is hostile, arbitrary, or long.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => vec(select(HOSTILE), 1..4).prop_map(|parts| parts.concat()),
        2 => ".{0,40}",
        1 => (select(HOSTILE), 1..300_usize).prop_map(|(part, times)| part.repeat(times)),
    ]
}

fn hostile_edit() -> impl Strategy<Value = (Index, Edit)> {
    let value = prop_oneof![
        text().prop_map(Value::from),
        text().prop_map(|text| json!([text, { "path": text, "type": text }])),
        text().prop_map(|text| json!({ text.clone(): text, "path": text })),
    ];
    (any::<Index>(), value.prop_map(Edit::Replace))
}

/// One change to the text of a JSON document.
#[derive(Debug, Clone)]
enum Slip {
    /// Inserts a part at an arbitrary position.
    Insert(&'static str),
    /// Inserts a part at the start of an object.
    Begin(&'static str),
    /// Truncates the text.
    Truncate,
    /// Replaces a character.
    Replace(char),
    /// Nests a value deeply.
    Nest(usize),
    /// Duplicates every member.
    Double,
    /// Uses white space and line endings of other systems.
    Spread,
}

const PARTS: &[&str] = &[
    "\"status\": \"x\",",
    "\"a\\u0062\": 1, \"ab\": 2,",
    "\\ud800",
    "\\u0000\\u001b",
    "1e999",
    ",",
    "// x\n",
    "\u{feff}",
    "NaN",
    "{",
    "}",
    "```",
    "<think>",
    "</think>",
    "{\"status\":\"completed\"}",
];

fn slip() -> impl Strategy<Value = (Index, Slip)> {
    let slip = prop_oneof![
        2 => select(PARTS).prop_map(Slip::Insert),
        2 => select(PARTS).prop_map(Slip::Begin),
        1 => Just(Slip::Truncate),
        1 => any::<char>().prop_map(Slip::Replace),
        1 => (1..200_usize).prop_map(Slip::Nest),
        1 => Just(Slip::Double),
        2 => Just(Slip::Spread),
    ];
    (any::<Index>(), slip)
}

fn slipped(text: &str, place: Index, slip: &Slip) -> String {
    let places: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
    if places.is_empty() {
        return text.to_owned();
    }
    let at = *place.get(&places);
    let (before, after) = text.split_at(at);
    match slip {
        Slip::Insert(part) => format!("{before}{part}{after}"),
        Slip::Begin(part) => text.replacen('{', &format!("{{{part}"), 1),
        Slip::Truncate => before.to_owned(),
        Slip::Replace(character) => format!("{before}{character}{}", after.get(1..).unwrap_or("")),
        Slip::Nest(depth) => {
            let (open, close) = ("[".repeat(*depth), "]".repeat(*depth));
            format!("{{\"deep\":{open}{text}{close}}}")
        }
        Slip::Double => match text.trim().strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
            Some(members) => format!("{{{members},{members}}}"),
            None => text.to_owned(),
        },
        Slip::Spread => text.replace(',', " ,\r\n\t"),
    }
}

/// A valid or nearly valid return of a standard, and the profile of that standard.
pub(crate) fn returned() -> impl Strategy<Value = (&'static Profile, String)> {
    let changes = vec(prop_oneof![edit(), hostile_edit()], 0..5);
    let slips = prop_oneof![3 => vec(slip(), 0..1), 1 => vec(slip(), 1..4)];
    let chosen = (select(PROFILES.to_vec()), 0..3_u8, any::<bool>());
    (chosen, changes, slips).prop_map(|((profile, which, is_pretty), changes, slips)| {
        let document = filled(profile, profile.shape.form(), "", which > 0);
        let mut document = if which == 1 { required(profile, document) } else { document };
        for (place, change) in &changes {
            apply(&mut document, *place, change);
        }
        let text = if is_pretty { format!("{document:#}") } else { document.to_string() };
        let slipped = |text: String, (place, slip): &(Index, Slip)| slipped(&text, *place, slip);
        (profile, slips.iter().fold(text, slipped))
    })
}

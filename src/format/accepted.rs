//! `return`: the accepted return as it was found, or what stands at places of it.

use crate::check::report::Report;
use crate::document::Form;
use crate::document::lookup::{PointerPattern, find_below};
use crate::document::raw::compact;
use crate::document::tree::{Content, Tree, Value};
use crate::format::json;
use crate::profile::standard::role::ReadMessage;
use crate::profile::standard::{Place, PlacePath};
use crate::profile::{Profile, Shape};
use crate::text::escape;

/// Writes a valid return or, if there are `places`, what stands there, each value on a line of its own. A place
/// is the name of a role, the name of a member, or a JSON Pointer. Texts are as they are for a reader that is a
/// program, otherwise escaped.
pub(super) fn report(
    places: Option<&[String]>,
    profile: &Profile,
    report: &Report<'_>,
    is_raw: bool,
    out: &mut Vec<u8>,
) {
    let Some(text) = report.text.as_deref() else {
        return;
    };
    let Some(places) = places else {
        return if report.form != Form::Json || report.shape == Shape::Message {
            push_text(text, is_raw, out);
        } else {
            push_json(text.trim(), is_raw, out);
        };
    };
    let document = profile.read(text).unwrap_or_else(|_| Tree::null());
    for place in places {
        let start = out.len();
        push_field(place, profile, (document.root(), text), is_raw, out);
        if out.len() == start {
            out.push(b'\n');
        }
    }
}

/// Writes a text and ends its line.
fn push_text(text: &str, is_raw: bool, out: &mut Vec<u8>) {
    if is_raw {
        out.extend_from_slice(text.as_bytes());
    } else {
        out.extend_from_slice(escape::multiline(text).as_bytes());
    }
    if out.last() != Some(&b'\n') {
        out.push(b'\n');
    }
}

fn push_json(text: &str, is_raw: bool, out: &mut Vec<u8>) {
    if is_raw {
        out.extend_from_slice(text.as_bytes());
    } else {
        escape::push_json(out, |out| out.extend_from_slice(text.as_bytes()));
    }
    out.push(b'\n');
}

/// Writes what stands at a place, if anything does. Null is as good as missing.
fn push_field(
    place: &str,
    profile: &Profile,
    (document, text): (Value<'_, '_>, &str),
    is_raw: bool,
    out: &mut Vec<u8>,
) {
    if let Some(role) = role(profile, place) {
        let message = ReadMessage {
            form: profile.form,
            text,
            gone: matches!(place, "artifacts" | "files").then_some(&[][..]),
        };
        for piece in role.take(document, message).unwrap_or_default() {
            push_text(&piece.text, is_raw, out);
        }
        return;
    }
    let found = if place.is_empty() || place.starts_with('/') {
        PointerPattern::read(place).map(|it| find_below(document, it.steps()))
    } else {
        named(profile, place).and_then(|place| place.find(document).ok())
    };
    for found in found.unwrap_or_default() {
        let place = found.place().filter(|_| profile.form == Form::Json);
        let source = place.and_then(|place| text.get(place.start..place.end));
        match (found.content(), source) {
            (Content::Text(text), _) => push_text(text, is_raw, out),
            (Content::Null, _) => {}
            (_, Some(source)) => push_json(&compact(source), is_raw, out),
            (_, None) => {
                json::write(&found, out);
                out.push(b'\n');
            }
        }
    }
}

/// The role of this name in a standard of one's own.
fn role<'p>(profile: &'p Profile, name: &str) -> Option<&'p Place> {
    let roles = &profile.roles;
    match name {
        "status" => roles.status.as_ref(),
        "session" => roles.session.as_ref(),
        "agent" => roles.agent.as_ref(),
        "summary" => roles.summary.as_ref(),
        "artifacts" => roles.artifacts.as_ref(),
        "files" => roles.files.as_ref(),
        _ => None,
    }
}

/// The place that a name means: what a text has under it, else a member of the document, or where a built-in
/// profile has the session and the agent.
fn named(profile: &Profile, name: &str) -> Option<PlacePath> {
    if profile.form == Form::Text {
        return PlacePath::read(name, Form::Text).ok();
    }
    let path = match name {
        "session" => profile.session.as_deref(),
        "agent" => profile.agent.as_deref(),
        _ => None,
    };
    let pointer = path.map(|path| format!("/{}", path.replace('.', "/")));
    PlacePath::read_member(pointer.as_deref().unwrap_or(name)).ok()
}

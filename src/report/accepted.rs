//! `return`: the accepted return as it was found, or what stands at places of it.

use crate::check::report::Report;
use crate::document::Form;
use crate::document::json::compact;
use crate::document::lookup::find_below;
use crate::document::pointer::PointerPattern;
use crate::document::tree::{Content, Tree, Value};
use crate::profile::role::ReadMessage;
use crate::profile::{Place, PlacePath, Profile, Shape};
use crate::report::line;
use crate::text::escape;

/// Writes a valid return or, if there are `places`, what stands there, each value on a line of its own. A place
/// is the name of a role, the name of a member, or a JSON Pointer. Texts are as they are for a reader that is a
/// program, otherwise escaped.
pub(super) fn report(
    places: Option<&[String]>,
    profile: &Profile,
    report: &Report,
    is_raw: bool,
    out: &mut Vec<u8>,
) {
    let Some(text) = report.text.as_deref() else {
        return;
    };
    let mut lines = ValueLines { is_raw, out };
    let Some(places) = places else {
        return if report.form != Form::Json || report.shape == Shape::Message {
            lines.text(text);
        } else {
            lines.json(text.trim());
        };
    };
    let document = profile.read(text).unwrap_or_else(|_| Tree::null());
    for place in places {
        let start = lines.out.len();
        lines.field(place, profile, document.root(), text);
        if lines.out.len() == start {
            lines.out.push(b'\n');
        }
    }
}

struct ValueLines<'o> {
    is_raw: bool,
    out: &'o mut Vec<u8>,
}

impl ValueLines<'_> {
    fn text(&mut self, text: &str) {
        let text = if self.is_raw { text } else { &escape::multiline(text) };
        self.out.extend_from_slice(text.as_bytes());
        if self.out.last() != Some(&b'\n') {
            self.out.push(b'\n');
        }
    }

    fn json(&mut self, text: &str) {
        let text = if self.is_raw { text } else { &escape::json(text) };
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    /// Writes what stands at a place, if anything does. Null is as good as missing.
    fn field(&mut self, place: &str, profile: &Profile, document: Value<'_, '_>, text: &str) {
        if let Some(role) = role(profile, place) {
            let message = ReadMessage {
                form: profile.form,
                text,
                gone: matches!(place, "artifacts" | "files").then_some(&[][..]),
            };
            for piece in role.take(document, message).unwrap_or_default() {
                self.text(&piece.text);
            }
            return;
        }
        let found = if place.is_empty() || place.starts_with('/') {
            PointerPattern::read(place).map(|it| find_below(document, it.steps()))
        } else {
            // What a text has under the name, else a member of the document.
            let path = match profile.form {
                Form::Text => PlacePath::read(place, Form::Text),
                Form::Json | Form::Yaml => PlacePath::read_member(place),
            };
            path.ok().and_then(|path| path.find(document).ok())
        };
        for found in found.unwrap_or_default() {
            let place = found.place().filter(|_| profile.form == Form::Json);
            let source = place.and_then(|place| text.get(place.start..place.end));
            match (found.content(), source) {
                (Content::Text(text), _) => self.text(text),
                (Content::Null, _) => {}
                (_, Some(source)) => self.json(&compact(source)),
                (_, None) => self.json(&line(&found)),
            }
        }
    }
}

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

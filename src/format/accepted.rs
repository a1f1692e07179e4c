//! `return`: the accepted return as it was found, or what stands at places of it. Nothing of a return that is
//! invalid.

use crate::check::report::Report;
use crate::document::tree::{Content, Tree, Value};
use crate::form::lookup::{PointerPattern, find_below};
use crate::form::{self, Form, ReadOptions};
use crate::format::{Checked, Profiles, ReportOptions, Reporter, Source, json};
use crate::json::raw::compact;
use crate::profile::standard::role::ReadMessage;
use crate::profile::standard::{Role, ValuePlace};
use crate::profile::{Profile, Shape};
use crate::text::escape;

/// The format `return`.
#[derive(Debug)]
pub(super) struct AcceptedReturn {
    /// Whether texts are written as they are, for a reader that is a program. Otherwise they are escaped.
    pub(super) is_raw: bool,
}

impl Reporter for AcceptedReturn {
    fn report(&self, _source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let Some((report, text)) = accepted(checked) else {
            return;
        };
        let bytes = text.trim().as_bytes();
        if report.form != Form::Json || report.shape == Shape::Message {
            push_text(text, self.is_raw, out);
        } else if self.is_raw {
            out.extend_from_slice(bytes);
            out.push(b'\n');
        } else {
            escape::push_json(out, |out| out.extend_from_slice(bytes));
            out.push(b'\n');
        }
    }
}

/// A report on an accepted return, and its text.
fn accepted(checked: Checked<'_>) -> Option<(&Report<'_>, &str)> {
    let Checked::Report(report) = checked else {
        return None;
    };
    let text = report.text.as_deref().filter(|_| report.is_valid())?;
    Some((report, text))
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

/// What stands at places of accepted returns, each value on a line of its own.
#[derive(Debug)]
struct FieldValues {
    places: Vec<String>,
    profiles: Profiles,
    is_raw: bool,
}

/// A reporter of what stands at places of accepted returns. A place is the name of a role, the name of a
/// member, or a JSON Pointer.
pub(crate) fn fields(
    places: Vec<String>,
    options: &ReportOptions,
    profiles: &Profiles,
) -> Box<dyn Reporter> {
    Box::new(FieldValues {
        places,
        profiles: profiles.clone(),
        is_raw: options.raw,
    })
}

impl Reporter for FieldValues {
    fn report(&self, _source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let Some((report, text)) = accepted(checked) else {
            return;
        };
        let profile = self.profiles.of(report);
        let document = match &profile.standard {
            Some(standard) => standard.read(text).ok(),
            None => form::read(Form::Json, text, &ReadOptions::default()).ok(),
        };
        let document = document.unwrap_or_else(Tree::null);
        for place in &self.places {
            let start = out.len();
            self.push(place, profile, (document.root(), text), out);
            if out.len() == start {
                out.push(b'\n');
            }
        }
    }
}

impl FieldValues {
    /// Writes what stands at a place, if anything does.
    fn push(
        &self,
        place: &str,
        profile: &Profile,
        (document, text): (Value<'_, '_>, &str),
        out: &mut Vec<u8>,
    ) {
        if let Some(role) = role(profile, place) {
            let message = ReadMessage {
                form: profile.form(),
                text,
                gone: matches!(place, "artifacts" | "files").then_some(&[][..]),
            };
            for piece in role.take(document, message).unwrap_or_default() {
                push_text(&piece.text, self.is_raw, out);
            }
            return;
        }
        let found = if place.is_empty() || place.starts_with('/') {
            PointerPattern::read(place).map(|it| find_below(document, it.steps()))
        } else {
            let place = named(profile, place);
            place.and_then(|place| place.find(document).ok())
        };
        for found in found.unwrap_or_default() {
            let place = found.place().filter(|_| profile.form() == Form::Json);
            let source = place.and_then(|place| text.get(place.start..place.end));
            self.push_value(found, source, out);
        }
    }

    /// Writes a text as such, and any other value as JSON on one line. Null is as good as missing.
    fn push_value(&self, value: Value<'_, '_>, source: Option<&str>, out: &mut Vec<u8>) {
        match (value.content(), source) {
            (Content::Text(text), _) => return push_text(text, self.is_raw, out),
            (Content::Null, _) => return,
            (_, Some(source)) if self.is_raw => {
                out.extend_from_slice(compact(source).as_bytes());
            }
            (_, Some(source)) => {
                escape::push_json(out, |out| out.extend_from_slice(compact(source).as_bytes()));
            }
            (_, None) => json::write(&value, out),
        }
        out.push(b'\n');
    }
}

/// The role of this name in a standard of one's own.
fn role<'p>(profile: &'p Profile, name: &str) -> Option<&'p Role> {
    let roles = &profile.standard.as_ref()?.roles;
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
fn named(profile: &Profile, name: &str) -> Option<ValuePlace> {
    if profile.form() == Form::Text {
        return ValuePlace::read(name, Form::Text).ok();
    }
    let path = match name {
        "session" => profile.session.as_deref(),
        "agent" => profile.agent.as_deref(),
        _ => None,
    };
    let pointer = path.map(|path| format!("/{}", path.replace('.', "/")));
    ValuePlace::read_member(pointer.as_deref().unwrap_or(name)).ok()
}

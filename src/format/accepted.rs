//! `return`: the accepted return as it was found, or the members of it at a pointer. Nothing of a return
//! that is invalid.

use crate::check::report::Report;
use crate::form::document::{Content, PlacedValue};
use crate::form::lookup::PointerPattern;
use crate::form::{self, Form, ReadOptions};
use crate::format::{Checked, Profiles, Reporter, Source, json};
use crate::json::compact::compact;
use crate::profile::Shape;
use crate::text::escape;

/// The format `return`.
#[derive(Debug)]
pub(super) struct AcceptedReturn {
    pub(super) profiles: Profiles,
    /// What is written of the return. None for all.
    pub(super) at: Option<PointerPattern>,
    /// Whether texts are written as they are, for a reader that is a program.
    pub(super) is_raw: bool,
}

impl AcceptedReturn {
    /// Writes a text and ends its line.
    fn text(&self, text: &str, out: &mut Vec<u8>) {
        if self.is_raw {
            out.extend_from_slice(text.as_bytes());
        } else {
            out.extend_from_slice(escape::multiline(text).as_bytes());
        }
        if out.last() != Some(&b'\n') {
            out.push(b'\n');
        }
    }

    /// Writes a text as such, and any other value as JSON on one line. Null is as good as missing.
    fn value(&self, value: &PlacedValue<'_>, source: Option<&str>, out: &mut Vec<u8>) {
        match (&value.content, source) {
            (Content::Text(text), _) => {
                self.text(text, out);
                return;
            }
            (Content::Null, _) => return,
            (_, Some(source)) => {
                escape::push_json(out, |out| out.extend_from_slice(compact(source).as_bytes()));
            }
            (_, None) => json::write(value, out),
        }
        out.push(b'\n');
    }

    fn members(&self, at: &PointerPattern, report: &Report<'_>, text: &str, out: &mut Vec<u8>) {
        let standard = &self.profiles.of(report).standard;
        let document = match standard {
            Some(standard) => standard.read(text).ok(),
            None => form::read(Form::Json, text, &ReadOptions::default()).ok(),
        };
        let Some(document) = document else {
            return;
        };
        for found in at.find(&document) {
            let place = found.value.place.filter(|_| report.form == Form::Json);
            let source = place.and_then(|place| text.get(place.start..place.end));
            self.value(found.value, source, out);
        }
    }
}

impl Reporter for AcceptedReturn {
    fn report(&self, _source: &Source<'_>, checked: Checked<'_>, out: &mut Vec<u8>) {
        let Checked::Report(report) = checked else {
            return;
        };
        let Some(text) = report.text.as_deref().filter(|_| report.is_valid()) else {
            return;
        };
        match &self.at {
            Some(at) => self.members(at, report, text, out),
            None if report.form == Form::Json && report.shape != Shape::Message => {
                escape::push_json(out, |out| out.extend_from_slice(text.trim().as_bytes()));
                out.push(b'\n');
            }
            None => self.text(text, out),
        }
    }
}

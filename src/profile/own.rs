//! A standard of one's own without a configuration, from the options of a command.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use crate::form::document::PlacedValue;
use crate::form::error::FormError;
use crate::form::part::PartError;
use crate::form::{self, Form, ReadOptions};
use crate::profile::standard::read::Unreadable;
use crate::profile::standard::words::ANY;
use crate::profile::standard::{ReturnPart, Role, Roles, Schema, SchemaRule, Standard, ValuePlace};
use crate::profile::{Meaning, Profile, Status};
use crate::text::{Span, escape};

/// A standard in a few options.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnOptions<'o> {
    /// How a return is written.
    pub form: Form,
    /// The place of the status.
    pub status_at: Option<&'o str>,
    /// The words of the status that claim success. Any other is no success.
    pub success: &'o [String],
    /// The places of the files that the agent wrote.
    pub artifacts_at: &'o [String],
    /// The file with the JSON Schema of the document.
    pub schema: Option<&'o Path>,
}

impl Profile {
    /// A profile of this name that is made of options.
    pub(crate) fn of_options(id: &'static str, options: &OwnOptions<'_>) -> Result<Self, String> {
        if options.status_at.is_some() == options.success.is_empty() {
            return Err("--status-at and --success need each other".to_owned());
        }
        let status = options.status_at.map(|place| role(&[place], options.form));
        let artifacts: Vec<_> = options.artifacts_at.iter().map(String::as_str).collect();
        let schema = options.schema.map(schema).transpose()?;
        let has_artifacts = !artifacts.is_empty();
        let artifacts = has_artifacts.then(|| role(&artifacts, options.form));
        let standard = Standard {
            form: options.form,
            roles: Roles {
                status: status.transpose()?,
                artifacts: artifacts.transpose()?,
                ..Roles::default()
            },
            requires_artifacts: has_artifacts,
            schema,
            is_instructed: true,
            ..Standard::default()
        };
        let words = options
            .success
            .iter()
            .map(|word| (word.as_str(), Meaning::Success));
        let words = words.chain([(ANY, Meaning::Other)]);
        let statuses = words.map(|(word, meaning)| Status {
            word: Cow::Owned(word.to_owned()),
            meaning,
            ..Status::BASE
        });
        Ok(Self {
            id: Cow::Borrowed(id),
            document: Cow::Borrowed("return"),
            statuses: options
                .status_at
                .map_or_else(Vec::new, |_| statuses.collect())
                .into(),
            standard: Some(Arc::new(standard)),
            ..Self::BASE
        })
    }
}

impl Profile {
    /// The document that a return of this profile is read into.
    pub(crate) fn read<'t>(&self, text: &'t str) -> Result<PlacedValue<'t>, (String, Span)> {
        let Some(standard) = &self.standard else {
            let read = form::read(Form::Json, text, &ReadOptions::default());
            return read.map_err(|error| in_words(&error));
        };
        standard.read(text).map_err(|unreadable| match unreadable {
            Unreadable::Form(error) => in_words(&error),
            Unreadable::Part(error) => {
                let name = standard
                    .part
                    .as_ref()
                    .map(ReturnPart::name)
                    .unwrap_or_default();
                match error {
                    PartError::Missing => (format!("has no {name}"), Span::default()),
                    PartError::Ambiguous(parts) => {
                        let second = parts.get(1).copied().unwrap_or_default();
                        (format!("has {} of {name}", parts.len()), second)
                    }
                    PartError::NotLast(rest) => (format!("goes on after {name}"), rest),
                }
            }
        })
    }
}

fn in_words(error: &FormError) -> (String, Span) {
    (format!("{}: {}", error.what, error.fix), error.place)
}

/// The schema of a document, in a file that can refer to others below its folder.
fn schema(path: &Path) -> Result<SchemaRule, String> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let file = path.file_name().and_then(|name| name.to_str());
    let file = file.ok_or_else(|| format!("{} names no file", escape::path(path)))?;
    let schema = Schema::read(file, folder.unwrap_or(Path::new(".")))?;
    Ok(SchemaRule {
        place: None,
        schema: Arc::new(schema),
    })
}

fn role(places: &[&str], form: Form) -> Result<Role, String> {
    let read = |place: &&str| {
        let read = ValuePlace::read(place, form);
        read.map_err(|error| {
            let place = escape::truncated(place);
            format!("the place `{place}` {error}")
        })
    };
    Ok(Role {
        places: places.iter().map(read).collect::<Result<_, _>>()?,
        ..Role::default()
    })
}

//! A standard of one's own without a configuration, and the document of any return.

use std::borrow::Cow;
use std::sync::Arc;

use crate::form::document::PlacedValue;
use crate::form::error::FormError;
use crate::form::part::PartError;
use crate::form::{self, Form, ReadOptions};
use crate::profile::Profile;
use crate::profile::standard::read::Unreadable;
use crate::profile::standard::{ReturnPart, Standard};
use crate::text::Span;

impl Profile {
    /// A profile of any JSON document, for one that only a schema is for.
    #[cfg(feature = "cli")]
    pub(crate) fn of_any_json() -> Self {
        Self {
            id: Cow::Borrowed("schema"),
            document: Cow::Borrowed("return"),
            standard: Some(Arc::new(Standard::default())),
            ..Self::BASE
        }
    }

    /// The document that a return of this profile is read into.
    ///
    /// # Errors
    ///
    /// Why there is none, which may cite the text and is not escaped, and the bytes where it is.
    #[doc(hidden)]
    pub fn read<'t>(&self, text: &'t str) -> Result<PlacedValue<'t>, (String, Span)> {
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

//! JSON Schemas that a standard holds values to.

#[cfg(feature = "schema")]
mod compile;
#[cfg(feature = "schema")]
mod counted;
#[cfg(feature = "schema")]
mod graph;

use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "schema")]
use self::counted::Work;
use crate::document::tree::Value;
use crate::profile::place::{Place, PlaceValue};

/// A schema, and the values that it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SchemaRule {
    /// None for the document.
    pub(crate) place: Option<Place>,
    pub(crate) schema: Arc<Schema>,
}

/// A schema of a file. Compiled once.
#[derive(Debug)]
pub(crate) struct Schema {
    /// The schema with all that it refers to.
    text: String,
    #[cfg(feature = "schema")]
    validator: jsonschema::Validator<counted::CountedJson>,
    /// What it costs at most to hold one value to it.
    #[cfg(feature = "schema")]
    weight: usize,
}

pub(crate) struct Violation<'v> {
    /// The value, or the one that should contain it. It takes time to find.
    pub(crate) at: &'v dyn Fn() -> Value<'v, 'v>,
    pub(crate) keyword: &'v str,
    /// The member that is missing, if that is what is wrong.
    pub(crate) missing: Option<&'v str>,
    /// What is wrong. Not safe to print.
    pub(crate) why: &'v dyn Fn() -> String,
}

impl Schema {
    /// The schema of a file. `folder` is the one that it may refer to files below.
    pub(crate) fn read(file: &str, folder: &Path) -> Result<Self, String> {
        #[cfg(feature = "schema")]
        return compile::compile(file, folder);
        #[cfg(not(feature = "schema"))]
        {
            let _ = folder;
            Err(format!(
                "cannot read {}: this retval was built without the feature `schema`",
                crate::text::escape::truncated(file)
            ))
        }
    }

    /// The schema of a file, which may refer to others below its folder.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and where; safe to print.
    #[cfg(feature = "cli")]
    pub(crate) fn of_file(path: &Path) -> Result<Self, String> {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let file = path.file_name().and_then(|name| name.to_str());
        Self::read(file.ok_or("it names no file")?, folder.unwrap_or(Path::new(".")))
    }

    /// The schema with all that it refers to, as JSON. Not safe to print.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Passes on whatever is wrong with values, or that one is too deep or too large to tell.
    #[cfg(feature = "schema")]
    pub(crate) fn check(&self, found: &[PlaceValue<'_, '_>], mut say: impl FnMut(Violation<'_>)) {
        let (checks, mistakes) = (Work::new(self.weight), Work::new(self.weight));
        for value in found {
            // What a text states several times is an object, as `retval read` prints it.
            let json = serde_json::to_value(value).unwrap_or_default();
            let mut errors = None;
            // Most values are valid, and to know only that is faster.
            if !self.validator.is_valid(checks.on(&json)) && !checks.is_used_up() {
                errors = Some(self.validator.iter_errors(mistakes.on(&json)));
            }
            if checks.is_used_up() || mistakes.is_used_up() {
                return say(Violation {
                    at: &|| value.at,
                    keyword: "depth",
                    missing: None,
                    why: &|| "it is too deep or too large for the schema".to_owned(),
                });
            }
            for error in errors.into_iter().flatten() {
                say(Violation {
                    at: &|| compile::at(value.at, error.instance_path()),
                    keyword: error.kind().keyword(),
                    missing: compile::missing(&error),
                    why: &|| compile::why(&error),
                });
            }
        }
    }

    #[cfg(not(feature = "schema"))]
    #[expect(clippy::unused_self, reason = "it is the same call with the feature")]
    pub(crate) fn check(&self, _: &[PlaceValue<'_, '_>], _: impl FnMut(Violation<'_>)) {}
}

//! Reads a schema and the files that it refers to, and says what is wrong with a value in the words of the
//! library that validates.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::paths::Location;
use jsonschema::{PatternOptions, ReferencingError, Registry, Retrieve, Uri, ValidationError};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::Value;

use super::counted::CountedJson;
use super::{Schema, graph};
use crate::document::lookup::find_below;
use crate::document::pointer::PointerPattern;
use crate::document::tree;
use crate::root::{Found, Root};
use crate::text::escape::truncated;

const BYTES_AT_MOST: u64 = 1024 * 1024;

const FILES_AT_MOST: usize = 100;

const PATTERN_BYTES: usize = 1024 * 1024;

/// Where the folder of the files is for the library that resolves references. It is deep, so that a `..`
/// that leaves the folder is seen.
const BASE: &str = "file:///1/2/3/4/5/6/7/8/";

/// What a path in an address keeps.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');

pub(super) fn compile(file: &str, folder: &Path) -> Result<Schema, String> {
    let root = Root::open(folder).map_err(|error| error.to_string())?;
    let files = Arc::new(SchemaFiles { root, read: AtomicUsize::new(0) });
    let mut text = files.text(file)?;
    let schema = parsed(file, &text)?;
    let base = format!("{BASE}{}", utf8_percent_encode(file, KEPT));
    let refused = |error: &ReferencingError| reference(file, error);
    let registry = Registry::new().retriever(Retriever(files.clone()));
    let registry = registry.add(&base, &schema).map_err(|it| refused(&it))?;
    let registry = registry.prepare().map_err(|it| refused(&it))?;
    let weight =
        graph::weight(&registry, &base).map_err(|why| format!("{} {why}", truncated(file)))?;
    let pattern = PatternOptions::regex().size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES);
    let options = jsonschema::options_for::<CountedJson>()
        .with_registry(&registry)
        .with_base_uri(base)
        .with_pattern_options(pattern);
    let validator = options.build(&schema);
    let validator = validator.map_err(|error| invalid(file, &error))?;
    if files.read.load(Ordering::Relaxed) > 0 {
        let whole = options.bundle(&schema).map_err(|it| refused(&it))?;
        text = serde_json::to_string_pretty(&whole).unwrap_or(text).replace(BASE, "");
    }
    Ok(Schema { text, validator, weight })
}

#[derive(Debug)]
struct SchemaFiles {
    root: Root,
    /// How many files it refers to.
    read: AtomicUsize,
}

impl SchemaFiles {
    fn text(&self, file: &str) -> Result<String, String> {
        let why = match self.root.read(Path::new(file), BYTES_AT_MOST) {
            Ok(bytes) if bytes.len() as u64 > BYTES_AT_MOST => {
                format!("it is larger than {BYTES_AT_MOST} bytes")
            }
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => return Ok(text),
                Err(_) => "it is not UTF-8".to_owned(),
            },
            Err(Found::Nothing) => "it does not exist".to_owned(),
            Err(Found::Outside) => "it is outside of the folder of the configuration".to_owned(),
            Err(_) => "it is no file with content that can be opened".to_owned(),
        };
        Err(format!("cannot read {}: {why}", truncated(file)))
    }
}

struct Retriever(Arc<SchemaFiles>);

impl Retrieve for Retriever {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        let Some(path) = uri.as_str().strip_prefix(BASE) else {
            return Err(OUTSIDE.into());
        };
        if self.0.read.fetch_add(1, Ordering::Relaxed) >= FILES_AT_MOST {
            return Err(format!("it refers to more than {FILES_AT_MOST} files").into());
        }
        let path = percent_decode_str(path).decode_utf8()?;
        let text = self.0.text(&path)?;
        Ok(parsed(&path, &text)?)
    }
}

const OUTSIDE: &str =
    "only files below the folder of the configuration are read, and nothing from the network";

fn parsed(file: &str, text: &str) -> Result<Value, String> {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        let (line, column) = (error.line(), error.column().max(1));
        let what = error.to_string();
        let what = what.rsplit_once(" at line ").map_or(&*what, |(what, _)| what);
        let file = truncated(file);
        format!("{file}:{line}:{column}: {}", truncated(what))
    })
}

fn reference(file: &str, error: &ReferencingError) -> String {
    let file = truncated(file);
    if let ReferencingError::Unretrievable { uri, source } = error {
        let uri = uri.replace(BASE, "");
        return format!("{file}: cannot read `$ref` {}: {source}", truncated(&uri));
    }
    format!("{file}: {}", truncated(&error.to_string().replace(BASE, "")))
}

fn invalid(file: &str, error: &ValidationError<'_>) -> String {
    if let Kind::Referencing(error) = error.kind() {
        return reference(file, error);
    }
    let at = error.instance_path().as_str();
    let at = if at.is_empty() { "the top" } else { at };
    let what = match error.kind() {
        Kind::Format { format } if format == "regex" => {
            "a pattern that is wrong, too large, or looks around or back".to_owned()
        }
        _ => why(error),
    };
    format!("{} at {}: {}", truncated(file), truncated(at), truncated(&what))
}

/// The most bytes of a text that is shown.
const SHOWN: usize = 60;

/// The value at the end of a way below another, or that value itself.
pub(super) fn at<'v, 't>(value: tree::Value<'v, 't>, path: &Location) -> tree::Value<'v, 't> {
    let way = PointerPattern::read(path.as_str()).unwrap_or_default();
    find_below(value, way.steps()).first().copied().unwrap_or(value)
}

pub(super) fn missing<'e>(error: &'e ValidationError<'_>) -> Option<&'e str> {
    match error.kind() {
        Kind::Required { property } => property.as_str(),
        _ => None,
    }
}

/// What is wrong. A value that is long is not shown.
pub(super) fn why(error: &ValidationError<'_>) -> String {
    let value = error.instance();
    let is_long = value.as_str().is_some_and(|text| text.len() > SHOWN);
    if is_long || value.is_array() || value.is_object() {
        error.masked().to_string()
    } else {
        error.to_string()
    }
}

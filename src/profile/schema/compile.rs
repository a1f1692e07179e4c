//! Reads a schema and the files that it refers to, refuses one that never ends, and says what is wrong with a
//! value in the words of the library that validates.

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{
    Draft, PatternOptions, ReferencingError, Registry, Retrieve, Uri, ValidationError, uri,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use referencing::Resolver;
use serde_json::Value;

use super::Schema;
use crate::document::tree;
use crate::root::{Found, Root};
use crate::text::escape::truncated;

/// The most bytes of a file with a schema.
const BYTES_AT_MOST: u64 = 1024 * 1024;

/// The most files that a schema can refer to.
const FILES_AT_MOST: usize = 100;

/// The most bytes of a compiled regular expression.
const PATTERN_BYTES: usize = 1024 * 1024;

/// Where the folder of the files is for the library that resolves references. It is deep, so that a `..`
/// that leaves the folder is seen.
const BASE: &str = "file:///1/2/3/4/5/6/7/8/";

/// What a path in an address keeps.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_');

pub(super) fn compile(file: &str, folder: &Path) -> Result<Schema, String> {
    let root = Root::open(folder).map_err(|error| error.to_string())?;
    let files = Arc::new(SchemaFiles {
        root,
        read: AtomicUsize::new(0),
    });
    let mut text = files.text(file)?;
    let schema = parsed(file, &text)?;
    let base = format!("{BASE}{}", utf8_percent_encode(file, KEPT));
    let refused = |error: &ReferencingError| reference(file, error);
    let registry = Registry::new().retriever(Retriever(files.clone()));
    let registry = registry.add(&base, &schema).map_err(|it| refused(&it))?;
    let registry = registry.prepare().map_err(|it| refused(&it))?;
    refuse_loops(&registry, &base).map_err(|why| format!("{} {why}", truncated(file)))?;
    let pattern = PatternOptions::regex()
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_BYTES);
    let options = jsonschema::options()
        .with_registry(&registry)
        .with_base_uri(base)
        .with_pattern_options(pattern);
    let validator = options.build(&schema);
    let validator = validator.map_err(|error| invalid(file, &error))?;
    if files.read.load(Ordering::Relaxed) > 0 {
        let whole = options.bundle(&schema).map_err(|it| refused(&it))?;
        text = serde_json::to_string_pretty(&whole)
            .unwrap_or(text)
            .replace(BASE, "");
    }
    Ok(Schema {
        file: file.to_owned(),
        text,
        validator,
    })
}

/// The files below the folder.
#[derive(Debug)]
struct SchemaFiles {
    root: Root,
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
            Err(Found::Empty) => "it is empty".to_owned(),
            Err(Found::Nothing) => "it does not exist".to_owned(),
            Err(Found::NotAFile(what)) => format!("it is {what}"),
            Err(Found::Outside) => "it is outside of the folder of the configuration".to_owned(),
            Err(Found::Unreadable | Found::File { .. }) => "it cannot be opened".to_owned(),
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
        let what = what
            .rsplit_once(" at line ")
            .map_or(&*what, |(what, _)| what);
        let file = truncated(file);
        format!("{file}:{line}:{column}: {}", truncated(what))
    })
}

fn reference(file: &str, error: &ReferencingError) -> String {
    let file = truncated(file);
    match error {
        ReferencingError::Unretrievable { uri, source } if uri.starts_with(BASE) => {
            format!("{file}: {source}")
        }
        ReferencingError::Unretrievable { uri, source } => {
            let uri = outside(uri);
            format!("{file}: cannot read `$ref` {}: {source}", truncated(&uri))
        }
        ReferencingError::UnknownSpecification { specification } => format!(
            "{file}: unknown `$schema` {}; known are draft-04, draft-06, draft-07, 2019-09 and 2020-12",
            truncated(specification)
        ),
        ReferencingError::PointerToNowhere { pointer } => {
            format!(
                "{file}: `$ref` leads to {}, which is not there",
                truncated(pointer)
            )
        }
        error => format!("{file}: {}", truncated(&error.to_string())),
    }
}

/// An address that is not below the folder, as a reference would have it.
fn outside(uri: &str) -> String {
    let Some(path) = uri.strip_prefix("file:///") else {
        return uri.to_owned();
    };
    let folders = || BASE["file:///".len()..].split_terminator('/');
    let shared = path
        .split('/')
        .zip(folders())
        .take_while(|(own, it)| own == it);
    match shared.count() {
        0 => format!("/{path}"),
        shared => {
            let rest: Vec<_> = path.split('/').skip(shared).collect();
            "../".repeat(folders().count() - shared) + &rest.join("/")
        }
    }
}

/// The message about a schema that is none.
fn invalid(file: &str, error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Referencing(error) => reference(file, error),
        Kind::Format { format } if format == "regex" => {
            let at = truncated(error.instance_path().as_str());
            let file = truncated(file);
            let pattern = error.instance().as_str().unwrap_or_default();
            let pattern = truncated(pattern);
            format!(
                "{file} at {at}: the pattern `{pattern}` cannot be used: it is wrong, too large, or looks around or back, which can take for ever"
            )
        }
        _ => {
            let at = error.instance_path().as_str();
            let at = if at.is_empty() { "the top" } else { at };
            let (file, at, why) = (truncated(file), truncated(at), why(error));
            format!("{file} at {at}: {}", truncated(&why))
        }
    }
}

/// The most schemas that are applied to one value, one within or behind the other.
const CHAIN_AT_MOST: usize = 100;

/// Refuses a schema that would be applied to one value again and again.
fn refuse_loops(registry: &Registry<'_>, base: &str) -> Result<(), String> {
    let Ok(uri) = uri::from_str(base) else {
        return Ok(());
    };
    let resolver = registry.resolver(uri);
    let Ok(whole) = resolver.lookup("") else {
        return Ok(());
    };
    let mut walk = LoopWalk::default();
    let (schema, resolver, draft) = whole.into_inner();
    walk.below(schema, &resolver, draft)
}

#[derive(Default)]
struct LoopWalk {
    /// The schemas that are applied to the value at hand, by address.
    chain: Vec<*const Value>,
    /// The schemas that are known to be no part of a loop.
    known: HashSet<*const Value>,
    /// The schemas whose parts were walked.
    walked: HashSet<*const Value>,
}

impl LoopWalk {
    /// Looks at a schema and at all in it and behind it.
    fn below<'r>(
        &mut self,
        schema: &'r Value,
        resolver: &Resolver<'r>,
        draft: Draft,
    ) -> Result<(), String> {
        let mut open = vec![(schema, resolver.clone(), draft)];
        while let Some((schema, resolver, draft)) = open.pop() {
            if !self.walked.insert(schema) {
                continue;
            }
            let draft = draft.detect(schema);
            let own = resolver.in_subresource(draft.create_resource_ref(schema));
            let resolver = own.unwrap_or(resolver);
            self.applied(schema, &resolver, draft)?;
            for part in draft.subresources_of(schema) {
                open.push((part, resolver.clone(), draft));
            }
            for reference in references(schema) {
                if let Ok(target) = resolver.lookup(reference) {
                    open.push(target.into_inner());
                }
            }
        }
        Ok(())
    }

    /// Follows whatever a schema applies to the same value.
    fn applied<'r>(
        &mut self,
        schema: &'r Value,
        resolver: &Resolver<'r>,
        draft: Draft,
    ) -> Result<(), String> {
        let address: *const Value = schema;
        if self.chain.len() >= CHAIN_AT_MOST {
            return Err(format!(
                "has more than {CHAIN_AT_MOST} schemas for one value in a chain"
            ));
        }
        if self.known.contains(&address) {
            return Ok(());
        }
        self.chain.push(address);
        for part in parts(schema) {
            let own = resolver.in_subresource(draft.create_resource_ref(part));
            self.applied(part, own.as_ref().unwrap_or(resolver), draft)?;
        }
        for reference in references(schema) {
            // A reference to nothing is reported when the schema is compiled.
            let Ok(target) = resolver.lookup(reference) else {
                continue;
            };
            let (schema, resolver, draft) = target.into_inner();
            if self.chain.contains(&std::ptr::from_ref(schema)) {
                let reference = truncated(reference);
                return Err(format!(
                    "refers to itself: following `$ref` {reference} never ends"
                ));
            }
            self.applied(schema, &resolver, draft)?;
        }
        self.chain.pop();
        self.known.insert(address);
        Ok(())
    }
}

/// The references of a schema.
fn references(schema: &Value) -> impl Iterator<Item = &str> {
    let keys = ["$ref", "$dynamicRef", "$recursiveRef"].into_iter();
    keys.filter_map(|key| schema.get(key)?.as_str())
}

/// The schemas in a schema that are applied to the same value.
fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    let one = ["not", "if", "then", "else"].into_iter();
    let one = one.filter_map(|key| schema.get(key));
    let lists = ["allOf", "anyOf", "oneOf"].into_iter();
    let lists = lists
        .filter_map(|key| schema.get(key)?.as_array())
        .flatten();
    let members = ["dependentSchemas", "dependencies"].into_iter();
    let members = members.filter_map(|key| schema.get(key)?.as_object());
    let members = members.flat_map(|members| members.values());
    one.chain(lists).chain(members).filter(|it| it.is_object())
}

/// The most bytes of a text that is shown.
const SHOWN: usize = 60;

/// The value at the end of a way below another, as far as the document has it.
pub(super) fn at<'v, 't>(mut value: tree::Value<'v, 't>, path: &Location) -> tree::Value<'v, 't> {
    for segment in path.segments() {
        let next = match segment {
            LocationSegment::Index(index) if value.is_list() => value.items().nth(index),
            segment => {
                let name = segment.to_string();
                value.members().find(|it| it.key() == name)
            }
        };
        let Some(next) = next else { break };
        value = next;
    }
    value
}

/// The member that an object lacks.
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

//! The form of YAML: one document of YAML 1.2 with the core schema, as far as JSON can hold it.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, ScanError};

use super::document::{Content, PlacedValue};
use super::error::{FormError, FormErrorKind};
use super::json;
use super::tree::{Budget, OpenTree, check_depth};
use crate::json::{BYTES_AT_MOST, DEPTH_AT_MOST};
use crate::text::{Span, escape};

/// Reads one YAML document.
pub(super) fn read<'t>(text: &'t str, budget: &mut Budget) -> Result<PlacedValue<'t>, FormError> {
    let options = granit_parser::options! {
        flow_nesting_limit: DEPTH_AT_MOST + 1,
        block_nesting_limit: DEPTH_AT_MOST + 1,
    };
    let mut reader = YamlReader {
        tree: OpenTree::default(),
        anchors: HashMap::new(),
        copied: 0,
        has_document: false,
        second: None,
        budget,
    };
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| not_yaml(&error))?;
        let range = span.byte_range().unwrap_or_default();
        if event.tag().is_some() {
            let start = span.tag_start().and_then(|it| it.byte_offset());
            let place = Span::new(start.unwrap_or(range.start), 0);
            return Err(syntax("has a tag, which JSON cannot hold", place));
        }
        let (start, end) = (range.start, range.end);
        reader.event(event, Span { start, end })?;
    }
    let value = reader.tree.finish();
    Ok(value.unwrap_or_else(|| PlacedValue::unplaced(Content::Null)))
}

struct YamlReader<'t, 'b> {
    tree: OpenTree<'t>,
    /// The values with an anchor so far.
    anchors: HashMap<usize, PlacedValue<'t>>,
    /// The bytes of text that were copied for aliases.
    copied: usize,
    has_document: bool,
    /// Where a second document begins. An empty one is none.
    second: Option<Span>,
    budget: &'b mut Budget,
}

impl<'t> YamlReader<'t, '_> {
    fn event(&mut self, event: Event<'t>, span: Span) -> Result<(), FormError> {
        match event {
            Event::DocumentStart(..) if self.second.is_none() => {
                self.second =
                    Some(span).filter(|_| std::mem::replace(&mut self.has_document, true));
                Ok(())
            }
            Event::Scalar(..) if self.second.is_some() && span.start == span.end => Ok(()),
            Event::DocumentStart(..)
            | Event::Scalar(..)
            | Event::SequenceStart(..)
            | Event::MappingStart(..)
                if let Some(second) = self.second =>
            {
                Err(syntax("has more than one YAML document", second))
            }
            Event::Scalar(text, ..) if self.tree.expects_key() => self.key(text, span),
            Event::Scalar(text, style, anchor, _) => {
                let content = match style {
                    ScalarStyle::Plain => plain(text, span)?,
                    _ => Content::Text(text),
                };
                self.put(PlacedValue::at(content, span), anchor)
            }
            Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(_)
                if self.tree.expects_key() =>
            {
                Err(syntax("has a key that is not a text", span))
            }
            Event::SequenceStart(_, anchor, _) => self.tree.open(false, span.start, anchor),
            Event::MappingStart(_, anchor, _) => self.tree.open(true, span.start, anchor),
            Event::SequenceEnd | Event::MappingEnd => match self.tree.close(span.end) {
                Some((value, anchor)) => self.put(value, anchor),
                None => Ok(()),
            },
            Event::Alias(anchor) => self.alias(anchor, span),
            _ => Ok(()),
        }
    }

    fn key(&mut self, key: Cow<'t, str>, place: Span) -> Result<(), FormError> {
        let shown = escape::truncated(&key).to_string();
        if self.tree.key(key) {
            return Ok(());
        }
        Err(FormError {
            kind: FormErrorKind::YamlDuplicateKey,
            what: format!("has the key `{shown}` twice in one mapping"),
            fix: "write each key once",
            place,
        })
    }

    fn put(&mut self, value: PlacedValue<'t>, anchor: usize) -> Result<(), FormError> {
        self.budget.take(1, value.place.unwrap_or_default())?;
        if anchor != 0 {
            let copy = self.copy(&value, value.place.unwrap_or_default())?;
            self.anchors.insert(anchor, copy);
        }
        self.tree.value(value);
        Ok(())
    }

    fn alias(&mut self, anchor: usize, place: Span) -> Result<(), FormError> {
        let Some(value) = self.anchors.remove(&anchor) else {
            return Err(syntax("has an alias inside of what it stands for", place));
        };
        let mut copy = self.copy(&value, place)?;
        copy.place = Some(place);
        self.anchors.insert(anchor, value);
        self.tree.value(copy);
        Ok(())
    }

    /// Copies a value, within the limits of the whole document.
    fn copy(&mut self, value: &PlacedValue<'t>, place: Span) -> Result<PlacedValue<'t>, FormError> {
        let weight = Weight::of(value);
        check_depth(self.tree.depth() + weight.depth, place)
            .and_then(|()| self.budget.take(weight.items, place))
            .map_err(|_| syntax("has aliases that exceed the limits", place))?;
        self.copied += weight.bytes;
        if self.copied as u64 > BYTES_AT_MOST {
            return Err(syntax("has aliases that exceed the limits", place));
        }
        Ok(value.clone())
    }
}

/// What a copy of a value takes.
#[derive(Clone, Copy)]
struct Weight {
    items: usize,
    depth: usize,
    bytes: usize,
}

impl Weight {
    fn of(value: &PlacedValue<'_>) -> Self {
        let leaf = |bytes| Self {
            items: 1,
            depth: 0,
            bytes,
        };
        match &value.content {
            Content::Text(text) => leaf(text.len()),
            Content::List(items) => items.iter().map(Self::of).fold(leaf(0), Self::with),
            Content::Object(object) => {
                let members = object.members.iter().map(|(key, value)| {
                    let value = Self::of(value);
                    Self {
                        bytes: value.bytes + key.len(),
                        ..value
                    }
                });
                members.fold(leaf(0), Self::with)
            }
            _ => leaf(0),
        }
    }

    fn with(self, inner: Self) -> Self {
        Self {
            items: self.items + inner.items,
            depth: self.depth.max(inner.depth + 1),
            bytes: self.bytes + inner.bytes,
        }
    }
}

/// A scalar without quotes, by the core schema.
fn plain(text: Cow<'_, str>, place: Span) -> Result<Content<'_>, FormError> {
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Content::Null),
        "true" | "True" | "TRUE" => return Ok(Content::Bool(true)),
        "false" | "False" | "FALSE" => return Ok(Content::Bool(false)),
        _ => {}
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(&text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(&*text, ".nan" | ".NaN" | ".NAN") {
        return Err(syntax("has a number that JSON cannot hold", place));
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        let digits = text.strip_prefix(prefix);
        let is_plain = |digits: &&str| digits.starts_with(|it: char| it.is_digit(radix));
        if let Some(digits) = digits.filter(is_plain)
            && let Ok(value) = u64::from_str_radix(digits, radix)
        {
            return Ok(Content::Number(value.into(), text));
        }
    }
    match decimal(&text) {
        Some(decimal) => Ok(Content::Number(json::number(&decimal), text)),
        None => Ok(Content::Text(text)),
    }
}

/// A decimal number of the core schema, as JSON writes it: `+1`, `01`, `.5` and `1.` are not JSON.
fn decimal(text: &str) -> Option<String> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    let is_exponent = exponent.is_none_or(|text| {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        !digits.is_empty() && are_digits(digits)
    });
    if !(has_digits && are_digits(whole) && are_digits(fraction) && is_exponent) {
        return None;
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let mut number = format!("{sign}{whole}");
    if !fraction.is_empty() {
        number.push('.');
        number.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        number.push('e');
        number.push_str(exponent);
    }
    Some(number)
}

fn syntax(what: &str, place: Span) -> FormError {
    FormError {
        kind: FormErrorKind::YamlSyntax,
        what: what.to_owned(),
        fix: "write one YAML document of mappings, sequences and plain values",
        place,
    }
}

fn not_yaml(error: &ScanError) -> FormError {
    let at = error.marker().byte_offset().unwrap_or_default();
    let what = format!("is not YAML: {}", error.info());
    syntax(&what, Span::new(at, 0))
}

//! The form of YAML: one document of YAML 1.2 with the core schema, as far as JSON can hold it.

use std::borrow::Cow;

use granit_parser::{Event, Parser, ScalarStyle};

use crate::document::DEPTH_AT_MOST;
use crate::document::error::{Budget, FormError, FormErrorKind};
use crate::document::tree::{Chars, Kind, NodeKey, Tree, number};
use crate::text::{Span, escape};

/// Reads a part of the text of a tree, which is one YAML document, and adds it with this name.
pub(super) fn read_part(
    tree: &mut Tree<'_>,
    part: Span,
    key: NodeKey,
    budget: &mut Budget,
) -> Result<(), FormError> {
    let options = granit_parser::options! {
        flow_nesting_limit: DEPTH_AT_MOST + 1,
        block_nesting_limit: DEPTH_AT_MOST + 1,
    };
    let first = tree.len();
    let text = &tree.text()[part.start..part.end];
    let mut reader = YamlReader {
        tree,
        key: Some(key),
        open: Vec::new(),
        has_document: false,
        second: None,
        budget,
    };
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| {
            let at = part.start + error.marker().byte_offset().unwrap_or_default();
            syntax(format!("is not YAML: {}", error.info()), Span::new(at, 0))
        })?;
        let range = span.byte_range().unwrap_or_default();
        let [start, end] = [range.start, range.end].map(|it| part.start + it);
        if event.tag().is_some() {
            let tag = span.tag_start().and_then(|it| it.byte_offset());
            let place = Span::new(tag.map_or(start, |it| part.start + it), 0);
            return Err(syntax("has a tag, which JSON does not have", place));
        }
        reader.event(event, Span { start, end })?;
    }
    if reader.tree.len() == first {
        let key = reader.next_key();
        (reader.tree).push(Kind::Null, key, Chars::default(), None);
    }
    if let Some(twice) = reader.tree.duplicate_keys().first() {
        let (key, place) = (escape::truncated(twice.key()), twice.key_place());
        let what = format!("has the key `{key}` twice in one mapping");
        let kind = FormErrorKind::YamlDuplicateKey;
        return Err(FormError::twice(kind, what, place.unwrap_or_default()));
    }
    Ok(())
}

struct YamlReader<'t, 'b> {
    tree: &'b mut Tree<'t>,
    key: Option<NodeKey>,
    open: Vec<OpenValue>,
    has_document: bool,
    /// Where a second document begins. An empty one is none.
    second: Option<Span>,
    budget: &'b mut Budget,
}

struct OpenValue {
    at: usize,
    key: Option<NodeKey>,
}

impl<'t> YamlReader<'t, '_> {
    fn event(&mut self, event: Event<'t>, span: Span) -> Result<(), FormError> {
        let open = self.open.last().filter(|it| it.key.is_none());
        let expects_key = open.is_some_and(|it| self.tree.value(it.at).is_object());
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
            Event::Scalar(text, ..) if expects_key => {
                let key = Some((self.tree.keep(&text), Some(span)));
                self.open.last_mut().into_iter().for_each(|it| it.key = key);
                Ok(())
            }
            Event::Scalar(text, style, ..) => {
                let (kind, text) = match style {
                    ScalarStyle::Plain => plain(text, span)?,
                    _ => (Kind::String, text),
                };
                let (key, chars) = (self.next_key(), self.tree.keep(&text));
                self.tree.push(kind, key, chars, Some(span));
                self.budget.take(1, span)
            }
            Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(_) if expects_key => {
                Err(syntax("has a key that is not a text", span))
            }
            Event::SequenceStart(..) => self.open(Kind::Array, span),
            Event::MappingStart(..) => self.open(Kind::Object, span),
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = self.open.pop() else {
                    return Ok(());
                };
                self.tree.close(open.at, span.end);
                self.tree.watch_keys(open.at);
                self.budget.take(1, span)
            }
            Event::Alias(_) => Err(syntax("has an alias in place of a value", span)),
            _ => Ok(()),
        }
    }

    fn open(&mut self, kind: Kind, place: Span) -> Result<(), FormError> {
        if self.open.len() == DEPTH_AT_MOST {
            return Err(FormError::too_deep(Span::new(place.start, 1)));
        }
        let key = self.next_key();
        self.open.push(OpenValue {
            at: self.tree.push(kind, key, Chars::default(), Some(place)),
            key: None,
        });
        Ok(())
    }

    fn next_key(&mut self) -> NodeKey {
        let own = self.open.last_mut().map_or(&mut self.key, |it| &mut it.key);
        own.take().unwrap_or_default()
    }
}

/// A scalar without quotes, by the core schema: what it is, and how JSON or the document writes it.
fn plain(text: Cow<'_, str>, place: Span) -> Result<(Kind, Cow<'_, str>), FormError> {
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok((Kind::Null, text)),
        "true" | "True" | "TRUE" => return Ok((Kind::Boolean, Cow::Borrowed("true"))),
        "false" | "False" | "FALSE" => return Ok((Kind::Boolean, Cow::Borrowed("false"))),
        _ => {}
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(&text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(&*text, ".nan" | ".NaN" | ".NAN") {
        return Err(syntax("has a number that JSON does not have", place));
    }
    let kind = number(&text).map_or(Kind::String, |_| Kind::Integer);
    Ok((kind, text))
}

fn syntax(what: impl Into<String>, place: Span) -> FormError {
    let fix = "write one YAML document of mappings, sequences and plain values";
    FormError::new(FormErrorKind::YamlSyntax, what, fix, place)
}

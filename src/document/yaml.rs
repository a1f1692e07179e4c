//! The form of YAML: one document of YAML 1.2 with the core schema, as far as JSON can hold it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, ScanError};

use crate::document::error::{Budget, FormError, FormErrorKind};
use crate::document::tree::{Chars, NodeKey, NodeKind, Tree, Value, number};
use crate::document::{BYTES_AT_MOST, DEPTH_AT_MOST};
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
        anchors: HashMap::new(),
        copied: 0,
        has_document: false,
        second: None,
        budget,
    };
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| not_yaml(&error, part.start))?;
        let range = span.byte_range().unwrap_or_default();
        let [start, end] = [range.start, range.end].map(|it| part.start + it);
        if event.tag().is_some() {
            let tag = span.tag_start().and_then(|it| it.byte_offset());
            let place = Span::new(tag.map_or(start, |it| part.start + it), 0);
            return Err(syntax("has a tag, which JSON cannot hold", place));
        }
        reader.event(event, Span { start, end })?;
    }
    if reader.tree.len() == first {
        let key = reader.next_key();
        reader
            .tree
            .push(NodeKind::Null, key, Chars::default(), None);
    }
    if let Some(twice) = reader.tree.duplicate_keys().first() {
        let key = escape::truncated(twice.key());
        let what = format!("has the key `{key}` twice in one mapping");
        let place = twice.key_place().unwrap_or_default();
        return Err(FormError::twice(
            FormErrorKind::YamlDuplicateKey,
            what,
            place,
        ));
    }
    Ok(())
}

struct YamlReader<'t, 'b> {
    tree: &'b mut Tree<'t>,
    /// The name of the whole.
    key: Option<NodeKey>,
    open: Vec<OpenValue>,
    /// The values with an anchor so far, by the numbers of what is in them.
    anchors: HashMap<usize, Range<usize>>,
    /// The bytes of text that were copied for aliases.
    copied: usize,
    has_document: bool,
    /// Where a second document begins. An empty one is none.
    second: Option<Span>,
    budget: &'b mut Budget,
}

/// A sequence or a mapping that is open.
struct OpenValue {
    at: usize,
    anchor: usize,
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
            Event::Scalar(text, style, anchor, _) => {
                let (kind, text) = match style {
                    ScalarStyle::Plain => plain(text, span)?,
                    _ => (NodeKind::Text, text),
                };
                let (key, chars) = (self.next_key(), self.tree.keep(&text));
                let at = self.tree.push(kind, key, chars, Some(span));
                self.put(at, anchor)
            }
            Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(_) if expects_key => {
                Err(syntax("has a key that is not a text", span))
            }
            Event::SequenceStart(_, anchor, _) => self.open(NodeKind::List, span, anchor),
            Event::MappingStart(_, anchor, _) => self.open(NodeKind::Object, span, anchor),
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = self.open.pop() else {
                    return Ok(());
                };
                self.tree.close(open.at, span.end);
                self.tree.watch_keys(open.at);
                self.put(open.at, open.anchor)
            }
            Event::Alias(anchor) => self.alias(anchor, span),
            _ => Ok(()),
        }
    }

    /// Opens a sequence or a mapping.
    fn open(&mut self, kind: NodeKind, place: Span, anchor: usize) -> Result<(), FormError> {
        if self.open.len() == DEPTH_AT_MOST {
            return Err(FormError::too_deep(Span::new(place.start, 1)));
        }
        let key = self.next_key();
        self.open.push(OpenValue {
            at: self.tree.push(kind, key, Chars::default(), Some(place)),
            anchor,
            key: None,
        });
        Ok(())
    }

    /// The key that the next value has.
    fn next_key(&mut self) -> NodeKey {
        let own = self.open.last_mut().map_or(&mut self.key, |it| &mut it.key);
        own.take().unwrap_or_default()
    }

    /// Counts a value that is complete, and keeps it if it has an anchor.
    fn put(&mut self, at: usize, anchor: usize) -> Result<(), FormError> {
        let place = self.tree.value(at).place().unwrap_or_default();
        self.budget.take(1, place)?;
        if anchor != 0 {
            let value = at..self.tree.len();
            self.weigh(&value, place)?;
            self.anchors.insert(anchor, value);
        }
        Ok(())
    }

    fn alias(&mut self, anchor: usize, place: Span) -> Result<(), FormError> {
        let Some(value) = self.anchors.get(&anchor).cloned() else {
            return Err(syntax("has an alias inside of what it stands for", place));
        };
        self.weigh(&value, place)?;
        let key = self.next_key();
        self.tree.copy(value, key, place);
        Ok(())
    }

    /// Counts a copy of a value, within the limits of the whole document.
    fn weigh(&mut self, value: &Range<usize>, place: Span) -> Result<(), FormError> {
        let inside = value.clone().map(|at| self.tree.value(at));
        let bytes = inside.map(|it| it.key().len() + it.text().map_or(0, str::len));
        self.copied += bytes.sum::<usize>();
        let is_within = self.open.len() + depth(self.tree.value(value.start)) <= DEPTH_AT_MOST
            && self.budget.take(value.len(), place).is_ok()
            && self.copied as u64 <= BYTES_AT_MOST;
        if is_within {
            return Ok(());
        }
        Err(syntax("has aliases that exceed the limits", place))
    }
}

/// The nesting of a value: 1 for a list of texts.
fn depth(value: Value<'_, '_>) -> usize {
    let inside = value.children().map(|it| depth(it) + 1);
    inside.max().unwrap_or_default()
}

/// A scalar without quotes, by the core schema: what it is, and how JSON or the document writes it.
fn plain(text: Cow<'_, str>, place: Span) -> Result<(NodeKind, Cow<'_, str>), FormError> {
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok((NodeKind::Null, text)),
        "true" | "True" | "TRUE" => return Ok((NodeKind::Boolean, Cow::Borrowed("true"))),
        "false" | "False" | "FALSE" => return Ok((NodeKind::Boolean, Cow::Borrowed("false"))),
        _ => {}
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(&text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(&*text, ".nan" | ".NaN" | ".NAN") {
        return Err(syntax("has a number that JSON cannot hold", place));
    }
    let kind = number(&text).map_or(NodeKind::Text, |_| NodeKind::Number);
    Ok((kind, text))
}

fn syntax(what: impl Into<String>, place: Span) -> FormError {
    let fix = "write one YAML document of mappings, sequences and plain values";
    FormError::new(FormErrorKind::YamlSyntax, what, fix, place)
}

fn not_yaml(error: &ScanError, start: usize) -> FormError {
    let at = start + error.marker().byte_offset().unwrap_or_default();
    let what = format!("is not YAML: {}", error.info());
    syntax(what, Span::new(at, 0))
}

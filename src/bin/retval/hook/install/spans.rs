//! Where the values of a JSON text are.

use anyhow::{Context as _, anyhow};
use retval::internal::tokens::{Token, Walker};
use serde_json::Value;

use super::comments;

/// A settings file that is JSON, with the place of every value.
pub(super) struct SpannedText<'t> {
    pub(super) text: &'t str,
    /// The text without comments; every value is at the same place.
    pub(super) blanked: String,
    pub(super) root: SpannedValue,
}

/// A value: the byte offset of its start, and that after its end.
#[derive(Debug, Clone)]
pub(super) struct SpannedValue {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The items, if it is an object or a list.
    pub(super) items: Vec<SpannedItem>,
}

/// A value in another one.
#[derive(Debug, Clone)]
pub(super) struct SpannedItem {
    /// Only in objects.
    pub(super) key: Option<String>,
    /// Where the key starts, or else the value.
    pub(super) start: usize,
    pub(super) value: SpannedValue,
}

impl<'t> SpannedText<'t> {
    /// # Errors
    ///
    /// If the text is not JSON; the error says where.
    pub(super) fn read(text: &'t str, takes_comments: bool) -> anyhow::Result<Self> {
        let blanked = comments::blanked(text, takes_comments);
        serde_json::from_str::<Value>(&blanked).map_err(|error| {
            anyhow!(
                "it is not valid JSON: {error}\n       nothing was changed: correct the file and try again"
            )
        })?;
        let mut tokens = Walker::new(&blanked);
        let root = value(&blanked, &mut tokens).context("it is empty")?;
        Ok(Self {
            text,
            blanked,
            root,
        })
    }

    /// The value itself, without its offsets.
    pub(super) fn value(&self, value: &SpannedValue) -> Value {
        serde_json::from_str(&self.blanked[value.start..value.end]).unwrap_or_default()
    }

    pub(super) fn is_object(&self, value: &SpannedValue) -> bool {
        self.blanked[value.start..].starts_with('{')
    }

    pub(super) fn is_list(&self, value: &SpannedValue) -> bool {
        self.blanked[value.start..].starts_with('[')
    }
}

impl SpannedValue {
    /// The index of an object's member.
    ///
    /// # Errors
    ///
    /// If the key is there twice: clients differ in which one they read.
    pub(super) fn member(&self, key: &str) -> anyhow::Result<Option<usize>> {
        let mut places =
            (0..self.items.len()).filter(|index| self.items[*index].key.as_deref() == Some(key));
        let found = places.next();
        match places.next() {
            Some(_) => Err(anyhow!(
                "it has the key `{key}` twice\n       nothing was changed: remove one of them"
            )),
            None => Ok(found),
        }
    }
}

fn value(text: &str, tokens: &mut Walker<'_>) -> Option<SpannedValue> {
    let (token, span) = tokens.next()?;
    let mut found = SpannedValue {
        start: span.start,
        end: span.end,
        items: Vec::new(),
    };
    if token != Token::Open {
        return Some(found);
    }
    loop {
        let mut ahead = tokens.clone();
        let (token, span) = ahead.next()?;
        let key = match token {
            Token::Close => {
                *tokens = ahead;
                found.end = span.end;
                return Some(found);
            }
            Token::Key => {
                *tokens = ahead;
                serde_json::from_str(&text[span.start..span.end]).ok()
            }
            Token::Open | Token::Scalar => None,
        };
        found.items.push(SpannedItem {
            key,
            start: span.start,
            value: value(text, tokens)?,
        });
    }
}

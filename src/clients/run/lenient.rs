//! Reads values of a record that may have any type. A value of an unexpected type is skipped.
//!
//! Only strings with escapes are copied. Only text that is not JSON is an error.

use std::borrow::Cow;

use super::cursor::JsonCursor;
use super::members::ReadMembers;

/// The most elements that are read of one list.
const ELEMENTS_AT_MOST: usize = 256;

/// A value that is read into its final place: records are large, and moving them costs more than reading
/// them.
pub(in crate::clients) trait Lenient<'a>: Default {
    /// Reads the value that begins here. None if the text is not JSON.
    fn read(&mut self, json: &mut JsonCursor<'a>) -> Option<()>;
}

impl<'a> JsonCursor<'a> {
    /// Reads a value. If the text is not JSON, the cursor does not move.
    pub(in crate::clients) fn value<T: Lenient<'a>>(&mut self) -> Option<T> {
        let mut value = T::default();
        self.read_into(&mut value).map(|()| value)
    }

    /// Reads a large value into its final place. If the text is not JSON, the cursor does not move.
    pub(in crate::clients) fn read_into<T: Lenient<'a>>(&mut self, value: &mut T) -> Option<()> {
        self.peek();
        let start = (self.at, self.line);
        let result = value.read(self);
        if result.is_none() {
            (self.at, self.line) = start;
        }
        result
    }
}

/// A string. None for any other value, and for a string that is too long to be copied.
#[derive(Debug, Default, Clone)]
pub(in crate::clients) struct LenientText<'a>(pub(in crate::clients) Option<Cow<'a, str>>);

impl LenientText<'_> {
    pub(in crate::clients) fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The string, or an empty one.
    pub(in crate::clients) fn or_empty(&self) -> &str {
        self.get().unwrap_or_default()
    }
}

impl<'a> Lenient<'a> for LenientText<'a> {
    #[inline(never)]
    fn read(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        if json.peek()? != b'"' {
            return json.skip();
        }
        json.read_text(&mut self.0)
    }
}

/// The JSON text of a value, which is read later if it is needed. None for null.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::clients) struct RawText<'a>(pub(in crate::clients) Option<&'a str>);

impl<'a> RawText<'a> {
    /// Reads the value. The default if that is not possible.
    pub(in crate::clients) fn later<T: Lenient<'a>>(self) -> T {
        self.0.and_then(whole).unwrap_or_default()
    }
}

/// Reads a text that is one JSON value and nothing else.
pub(in crate::clients) fn whole<'a, T: Lenient<'a>>(text: &'a str) -> Option<T> {
    let mut json = JsonCursor::new(text);
    let value = json.value()?;
    json.is_at_end().then_some(value)
}

impl<'a> Lenient<'a> for RawText<'a> {
    #[inline(never)]
    fn read(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        self.0 = Some(json.raw()?).filter(|raw| *raw != "null");
        Some(())
    }
}

/// An integer. None for any other value.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::clients) struct LenientNumber(pub(in crate::clients) Option<i64>);

impl LenientNumber {
    pub(in crate::clients) fn count(self) -> Option<u64> {
        self.0.and_then(|number| u64::try_from(number).ok())
    }
}

impl<'a> Lenient<'a> for LenientNumber {
    #[inline(never)]
    fn read(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        if !matches!(json.peek()?, b'-' | b'0'..=b'9') {
            return json.skip();
        }
        self.0 = match json.small_number() {
            None => json.raw()?.parse().ok(),
            small => small,
        };
        Some(())
    }
}

/// A boolean. None for any other value.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::clients) struct Flag(pub(in crate::clients) Option<bool>);

impl Flag {
    pub(in crate::clients) fn is_true(self) -> bool {
        self.0 == Some(true)
    }
}

impl<'a> Lenient<'a> for Flag {
    #[inline(never)]
    fn read(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        self.0 = match json.peek()? {
            b't' => Some(true),
            b'f' => Some(false),
            _ => None,
        };
        json.skip()
    }
}

/// An object. None for any other value.
#[derive(Debug, Clone)]
pub(in crate::clients) struct Object<T>(pub(in crate::clients) Option<T>);

impl<T> Default for Object<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'a, T: ReadMembers<'a>> Lenient<'a> for Object<T> {
    fn read(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        match json.peek()? {
            b'{' => self.0.insert(T::default()).members(json),
            _ => json.skip(),
        }
    }
}

/// A string or a list of objects. `Nothing` for any other value.
#[derive(Debug, Default)]
pub(in crate::clients) enum Content<'a, T> {
    #[default]
    Nothing,
    Text(Cow<'a, str>),
    List(List<T>),
}

impl<T> Content<'_, T> {
    /// The objects of the list. Empty if it is not a list.
    pub(in crate::clients) fn list(&self) -> impl Iterator<Item = &T> {
        let list = match self {
            Self::List(list) => Some(list),
            Self::Nothing | Self::Text(_) => None,
        };
        list.into_iter().flat_map(List::iter)
    }
}

impl<'a, T: ReadMembers<'a>> Lenient<'a> for Content<'a, T> {
    fn read(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        match json.peek()? {
            b'"' => {
                let mut text = None;
                json.read_text(&mut text)?;
                *self = text.map_or(Self::Nothing, Self::Text);
            }
            b'[' => {
                *self = Self::List(List::default());
                if let Self::List(list) = self {
                    list.read(json)?;
                }
            }
            _ => json.skip()?,
        }
        Some(())
    }
}

/// The objects of a list, of which at most `ELEMENTS_AT_MOST` are kept.
#[derive(Debug)]
pub(in crate::clients) struct List<T> {
    /// Apart from the others, because most lists have one object, which then needs no allocation.
    first: Option<T>,
    others: Vec<T>,
    /// Whether the list has more objects than are kept.
    pub(in crate::clients) is_cut: bool,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            first: None,
            others: Vec::new(),
            is_cut: false,
        }
    }
}

impl<T> List<T> {
    pub(in crate::clients) fn iter(&self) -> impl Iterator<Item = &T> {
        self.first.iter().chain(&self.others)
    }

    pub(in crate::clients) fn first(&self) -> Option<&T> {
        self.first.as_ref()
    }

    pub(in crate::clients) fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.others.len()
    }
}

impl<'a, T: ReadMembers<'a>> Lenient<'a> for List<T> {
    fn read(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        json.elements(|json| {
            if self.len() == ELEMENTS_AT_MOST {
                self.is_cut = true;
                return json.skip();
            }
            if json.peek()? != b'{' {
                return json.skip();
            }
            if self.first.is_none() {
                return self.first.insert(T::default()).members(json);
            }
            self.others.push(T::default());
            self.others.last_mut()?.members(json)
        })
    }
}

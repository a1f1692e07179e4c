//! Values of a record that may have any type. A value of an unexpected type is passed over.
//!
//! Only strings with escapes are copied. Only text that is not JSON is an error.

use std::borrow::Cow;
use std::fmt::{self, Formatter};
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};

use crate::json::reader::JsonReader;

/// Declares records, with the members that are read. Each may be missing, others are skipped, and texts are
/// not copied. The first member has the lifetime of the text, if the record has one.
macro_rules! records {
    () => {};
    (
        $(#[$about:meta])*
        struct $record:ident<$text:lifetime> {
            $(#[$about_first:meta])* $first:ident: $kind_of_first:ty,
            $($(#[$about_member:meta])* $member:ident: $kind:ty,)*
        }
        $($others:tt)*
    ) => {
        #[derive(Debug, Default, serde::Deserialize)]
        #[serde(default)]
        $(#[$about])*
        pub(in crate::clients) struct $record<$text> {
            $(#[$about_first])*
            #[serde(borrow)]
            pub(in crate::clients) $first: $kind_of_first,
            $($(#[$about_member])* pub(in crate::clients) $member: $kind,)*
        }

        records! { $($others)* }
    };
    (
        $(#[$about:meta])*
        struct $record:ident { $($(#[$about_member:meta])* $member:ident: $kind:ty,)* }
        $($others:tt)*
    ) => {
        #[derive(Debug, Default, serde::Deserialize)]
        #[serde(default)]
        $(#[$about])*
        pub(in crate::clients) struct $record {
            $($(#[$about_member])* pub(in crate::clients) $member: $kind,)*
        }

        records! { $($others)* }
    };
}
pub(in crate::clients) use records;

/// The most elements that are read of one list.
const ELEMENTS_AT_MOST: usize = 256;

/// A string. None for any other value, and for a string that is too long to be copied.
#[derive(Debug, Default, Clone)]
pub(in crate::clients) struct LenientText<'a>(pub(in crate::clients) Option<Cow<'a, str>>);

impl LenientText<'_> {
    pub(in crate::clients) fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }

    pub(in crate::clients) fn as_str(&self) -> &str {
        self.get().unwrap_or_default()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for LenientText<'a> {
    #[inline(never)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match deserializer.deserialize_string(ScalarVisitor)? {
            Scalar::Text(text) => Self(Some(text)),
            _ => Self(None),
        })
    }
}

/// The JSON text of a value, which is read later if it is needed. None for null.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::clients) struct RawText<'a>(pub(in crate::clients) Option<&'a str>);

impl<'a> RawText<'a> {
    /// Reads the value. The default if that is not possible.
    pub(in crate::clients) fn parse<T: Deserialize<'a> + Default>(self) -> T {
        self.0.and_then(whole).unwrap_or_default()
    }

    /// Reads one member of an object. The default if that is not possible.
    pub(in crate::clients) fn member<T: Deserialize<'a> + Default>(self, name: &str) -> T {
        let mut member = T::default();
        entries(self, |key, value| {
            if key == name {
                member = value.parse();
            }
        });
        member
    }
}

/// Reads a text that is one JSON value and nothing else.
pub(in crate::clients) fn whole<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    let mut json = JsonReader::new(text, &mut []);
    let value = json.value().ok()?;
    json.end().ok().map(|()| value)
}

/// Calls a function with each element of a list, up to the first that cannot be read.
pub(in crate::clients) fn elements<'a>(list: RawText<'a>, mut read: impl FnMut(RawText<'a>)) {
    let _ = JsonReader::new(list.0.unwrap_or_default(), &mut []).items(|json| {
        read(json.value()?);
        Ok(())
    });
}

/// Calls a function with the key and the value of each member of an object, up to the first that cannot
/// be read.
pub(in crate::clients) fn entries<'a>(
    object: RawText<'a>,
    mut read: impl FnMut(&str, RawText<'a>),
) {
    let _ = JsonReader::new(object.0.unwrap_or_default(), &mut []).members(|json, name| {
        read(name, json.value()?);
        Ok(())
    });
}

impl<'de: 'a, 'a> Deserialize<'de> for RawText<'a> {
    #[inline(never)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(
            match deserializer.deserialize_newtype_struct("", ScalarVisitor)? {
                Scalar::Text(Cow::Borrowed(raw)) if raw != "null" => Self(Some(raw)),
                _ => Self(None),
            },
        )
    }
}

/// These texts, joined.
pub(in crate::clients) fn texts<'a>(texts: impl Iterator<Item = RawText<'a>>) -> String {
    let texts = texts.map(|text| text.parse::<LenientText>().0.unwrap_or_default());
    texts.collect()
}

/// An integer. None for any other value.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::clients) struct LenientNumber(pub(in crate::clients) Option<i64>);

impl LenientNumber {
    pub(in crate::clients) fn count(self) -> Option<u64> {
        self.0.and_then(|number| u64::try_from(number).ok())
    }
}

impl<'de> Deserialize<'de> for LenientNumber {
    #[inline(never)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match deserializer.deserialize_i64(ScalarVisitor)? {
            Scalar::Number(number) => Self(Some(number)),
            _ => Self(None),
        })
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

impl<'de> Deserialize<'de> for Flag {
    #[inline(never)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match deserializer.deserialize_bool(ScalarVisitor)? {
            Scalar::Flag(flag) => Self(Some(flag)),
            _ => Self(None),
        })
    }
}

enum Scalar<'a> {
    Other,
    Text(Cow<'a, str>),
    Number(i64),
    Flag(bool),
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Scalar::Other)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Scalar::Text(Cow::Owned(text)))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Scalar::Number(number))
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Self::Value, E> {
        Ok(Scalar::Flag(flag))
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
    pub(in crate::clients) fn list(&self) -> &[T] {
        match self {
            Self::List(list) => &list.objects,
            Self::Nothing | Self::Text(_) => &[],
        }
    }
}

impl<'de: 'a, 'a, T: Default + Deserialize<'de>> Deserialize<'de> for Content<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ContentVisitor(PhantomData))
    }
}

struct ContentVisitor<T>(PhantomData<T>);

impl<'de, T: Default + Deserialize<'de>> Visitor<'de> for ContentVisitor<T> {
    type Value = Content<'de, T>;

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Content::Nothing)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = List {
            // Most lists have one object.
            objects: Vec::with_capacity(1),
            is_cut: false,
        };
        while list.objects.len() < ELEMENTS_AT_MOST {
            match items.next_element()? {
                Some(Some(object)) => list.objects.push(object),
                // Not an object.
                Some(None) => {}
                None => return Ok(Content::List(list)),
            }
        }
        while items.next_element::<IgnoredAny>()?.is_some() {
            list.is_cut = true;
        }
        Ok(Content::List(list))
    }
}

/// The objects of a list, of which at most `ELEMENTS_AT_MOST` are kept.
#[derive(Debug, Default)]
pub(in crate::clients) struct List<T> {
    pub(in crate::clients) objects: Vec<T>,
    /// Whether the list has more objects than are kept.
    pub(in crate::clients) is_cut: bool,
}

impl<'de, T: Default + Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Content::deserialize(deserializer)? {
            Content::List(list) => list,
            Content::Nothing | Content::Text(_) => Self::default(),
        })
    }
}

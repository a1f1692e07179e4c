//! The members of an object with their source text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object, in order, exactly as in the source.
pub(crate) struct RawMembers<'t>(pub(crate) Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'t> Deserialize<'t> for RawMembers<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RawVisitor)
    }
}

struct RawVisitor;

impl<'t> Visitor<'t> for RawVisitor {
    type Value = RawMembers<'t>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut object: A) -> Result<RawMembers<'t>, A::Error> {
        let mut members = Vec::new();
        while let Some(key) = object.next_key()? {
            members.push((key, object.next_value()?));
        }
        Ok(RawMembers(members))
    }
}

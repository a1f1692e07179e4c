//! JSON as it is written.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of an object, in order, exactly as in the source.
pub(crate) struct RawMembers<'t>(pub(crate) Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'t> Deserialize<'t> for RawMembers<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self(Vec::new()))
    }
}

impl<'t> Visitor<'t> for RawMembers<'t> {
    type Value = Self;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(mut self, mut object: A) -> Result<Self, A::Error> {
        while let Some(member) = object.next_entry()? {
            self.0.push(member);
        }
        Ok(self)
    }
}

/// The text without white space between its tokens, if it has line breaks or tabs there. The text must be
/// JSON.
pub(crate) fn compact(json: &str) -> Cow<'_, str> {
    if !json.contains(['\n', '\r', '\t']) {
        return Cow::Borrowed(json);
    }
    let (mut is_inside, mut is_escaped) = (false, false);
    let is_kept = |character: &char| {
        is_inside ^= *character == '"' && !is_escaped;
        is_escaped = *character == '\\' && !is_escaped;
        is_inside || !character.is_ascii_whitespace()
    };
    Cow::Owned(json.chars().filter(is_kept).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_between_tokens_is_left_out() {
        let text = "{\n\t\"a \\\" b\": [ 1,\r\n 2.0 ],\n  \"c\\\\\": \" \"\n}\n";
        assert_eq!(compact(text), r#"{"a \" b":[1,2.0],"c\\":" "}"#);
        assert_eq!(compact("{ \"a\": 1 }"), "{ \"a\": 1 }");
    }
}

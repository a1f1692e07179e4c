//! Reads selected members of a payload. Everything else is skipped and uses no memory.

use std::collections::HashMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The step of a pointer that stands for any item of an array.
const ANY: &str = "-";

/// Values by their JSON pointers. Arrays and objects are kept without their contents. Strings at a
/// pointer with `-` are concatenated.
#[derive(Debug, Default)]
pub(super) struct Picked<'w>(HashMap<&'w str, Value>);

impl<'w> Picked<'w> {
    /// Reads the values at the pointers `wanted` and at each step towards them.
    pub(super) fn read(bytes: &[u8], wanted: &[&'w [&'w str]]) -> serde_json::Result<Self> {
        let (found, result) = Self::read_until_error(bytes, wanted);
        result.map(|()| found)
    }

    /// Reads the values before the place where the text ends or is not JSON.
    pub(super) fn read_beginning(bytes: &[u8], wanted: &[&'w [&'w str]]) -> Self {
        Self::read_until_error(bytes, wanted).0
    }

    fn read_until_error(bytes: &[u8], wanted: &[&'w [&'w str]]) -> (Self, serde_json::Result<()>) {
        let mut found = Self::default();
        let mut source = serde_json::Deserializer::from_slice(bytes);
        let reader = PickSeed {
            at: "",
            wanted,
            found: &mut found,
        };
        let result = reader.deserialize(&mut source);
        (found, result.and_then(|()| source.end()))
    }

    pub(super) fn get(&self, pointer: &str) -> Option<&Value> {
        self.0.get(pointer)
    }

    pub(super) fn text(&self, pointer: &str) -> Option<&str> {
        self.get(pointer)?.as_str()
    }
}

/// The pointer `at` extended by `step`. None if no wanted pointer begins with it.
fn below<'w>(at: &str, step: &str, wanted: &[&[&'w str]]) -> Option<&'w str> {
    wanted.iter().copied().flatten().find_map(|pointer| {
        let rest = pointer.strip_prefix(at)?.strip_prefix('/')?;
        let next = rest.split('/').next()?;
        (next == step).then(|| &pointer[..at.len() + 1 + step.len()])
    })
}

struct PickSeed<'r, 'w> {
    at: &'w str,
    wanted: &'r [&'w [&'w str]],
    found: &'r mut Picked<'w>,
}

impl<'w> PickSeed<'_, 'w> {
    fn keep(self, value: impl Into<Value>) {
        match (self.found.0.get_mut(self.at), value.into()) {
            (Some(Value::String(before)), Value::String(text)) => before.push_str(&text),
            (_, value) => {
                self.found.0.insert(self.at, value);
            }
        }
    }

    fn below(&mut self, step: &str) -> Option<PickSeed<'_, 'w>> {
        let at = below(self.at, step, self.wanted)?;
        Some(PickSeed {
            at,
            wanted: self.wanted,
            found: self.found,
        })
    }

    /// Removes the values of an earlier key of the same name, so that the last one counts. Items of an
    /// array do not replace each other.
    fn forget(&mut self) {
        if self.at.split('/').all(|step| step != ANY) {
            let is_within = |pointer: &str| {
                let rest = pointer.strip_prefix(self.at);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            self.found.0.retain(|pointer, _| !is_within(pointer));
        }
    }
}

impl<'t> DeserializeSeed<'t> for PickSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(mut self, deserializer: D) -> Result<(), D::Error> {
        self.forget();
        deserializer.deserialize_any(self)
    }
}

impl<'t> Visitor<'t> for PickSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a payload")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, boolean: bool) -> Result<(), E> {
        self.keep(boolean);
        Ok(())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.keep(number);
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.keep(number);
        Ok(())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        self.keep(number);
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.keep(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'t>>(mut self, mut list: A) -> Result<(), A::Error> {
        let mut index = 0;
        loop {
            let number = index.to_string();
            let is_named = below(self.at, &number, self.wanted).is_some();
            let step = if is_named { &number } else { ANY };
            let item = match self.below(step) {
                Some(reader) => list.next_element_seed(reader)?,
                None => list.next_element::<IgnoredAny>()?.map(drop),
            };
            if item.is_none() {
                break;
            }
            index += 1;
        }
        self.keep(Value::Array(Vec::new()));
        Ok(())
    }

    fn visit_map<A: MapAccess<'t>>(mut self, mut object: A) -> Result<(), A::Error> {
        while let Some(key) = object.next_key::<String>()? {
            match self.below(&key) {
                Some(reader) => object.next_value_seed(reader)?,
                None => object.next_value::<IgnoredAny>().map(drop)?,
            }
        }
        self.keep(Value::Object(serde_json::Map::new()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: &[&[&str]] = &[&["/a", "/b/c"], &["/list/0", "/parts/-/text", "/ab"]];

    fn read(text: &str) -> Vec<(&'static str, String)> {
        let found = Picked::read(text.as_bytes(), WANTED).expect("JSON");
        let mut kept: Vec<_> = found
            .0
            .iter()
            .map(|(at, value)| (*at, value.to_string()))
            .collect();
        kept.retain(|(at, _)| WANTED.concat().contains(at));
        kept.sort();
        kept
    }

    #[test]
    fn only_wanted_members_are_kept() {
        let text = r#"{"a":null,"b":{"c":1,"d":[{}]},"list":["x",{"y":[]}],"ab":true,"z":{"a":2}}"#;
        let expected = [("/ab", "true"), ("/b/c", "1"), ("/list/0", "\"x\"")];
        assert_eq!(
            read(text),
            expected.map(|(at, value)| (at, value.to_owned()))
        );
    }

    #[test]
    fn parts_are_concatenated() {
        let text = r#"{"parts":[{"text":"a"},7,{"type":"x"},{"text":"b"}]}"#;
        assert_eq!(read(text), [("/parts/-/text", "\"ab\"".to_owned())]);
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        let text =
            r#"{"a":"x","b":{"c":1},"ab":1,"parts":[{"text":"a"}],"b":{},"a":"y","parts":0}"#;
        let expected = [("/a", "\"y\""), ("/ab", "1")];
        assert_eq!(
            read(text),
            expected.map(|(at, value)| (at, value.to_owned()))
        );
    }

    #[test]
    fn input_that_is_not_one_json_value_is_an_error() {
        for text in ["", "{", "{} {}", "[1,]"] {
            assert!(Picked::read(text.as_bytes(), WANTED).is_err(), "{text}");
        }
    }
}

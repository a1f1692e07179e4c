//! The payload of a record, of which most is not read where its kind says so first.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::{CowStrDeserializer, MapAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::record::RolloutPayload;
use crate::transcript::lenient::LenientText;

/// Payloads that say nothing of calls. They are long, and a third of a rollout.
const IGNORED: [&str; 3] = ["reasoning", "agent_reasoning", "thread_settings_applied"];

#[derive(Debug)]
pub(super) struct ReadPayload<'a>(pub(super) RolloutPayload<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for ReadPayload<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PayloadVisitor).map(Self)
    }
}

struct PayloadVisitor;

impl<'de> Visitor<'de> for PayloadVisitor {
    type Value = RolloutPayload<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Some(first) = map.next_key::<LenientText>()? else {
            return Ok(RolloutPayload::default());
        };
        if first.get() != Some("type") {
            let first = first.0;
            return RolloutPayload::deserialize(MapAccessDeserializer::new(WithKey { first, map }));
        }
        let kind: LenientText = map.next_value()?;
        if IGNORED.contains(&kind.or_empty()) {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(RolloutPayload {
                kind,
                ..RolloutPayload::default()
            });
        }
        let mut payload = RolloutPayload::deserialize(MapAccessDeserializer::new(map))?;
        payload.kind = kind;
        Ok(payload)
    }
}

/// An object of which the first key is read already.
struct WithKey<'de, A> {
    first: Option<Cow<'de, str>>,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithKey<'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        match self.first.take() {
            Some(first) => seed.deserialize(CowStrDeserializer::new(first)).map(Some),
            None => self.map.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

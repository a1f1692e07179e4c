//! A record of a rollout. If the payload begins with an ignored kind, the rest of it is passed over.

use std::borrow::Cow;
use std::fmt::{self, Formatter};

use serde::Deserialize;
use serde::de::value::{CowStrDeserializer, MapAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::record::RolloutPayload;
use crate::clients::run::{LenientNumber, LenientText};

/// Kinds of payloads that have no calls. They are long, and a third of a rollout.
const IGNORED: [&str; 3] = ["reasoning", "agent_reasoning", "thread_settings_applied"];

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RolloutRecord<'a> {
    #[serde(borrow)]
    pub(super) timestamp: LenientText<'a>,
    pub(super) ordinal: LenientNumber,
    #[serde(rename = "type")]
    pub(super) kind: LenientText<'a>,
    pub(super) payload: Option<Box<ReadPayload<'a>>>,
}

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

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("a payload")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut first = members
            .next_key::<LenientText<'de>>()?
            .map(|key| key.0.unwrap_or_default());
        let kind: Option<LenientText<'de>> = match first.take_if(|key| *key == "type") {
            Some(_) => Some(members.next_value()?),
            None => None,
        };
        let is_ignored = |kind: &LenientText| IGNORED.contains(&kind.as_str());
        let mut payload = if kind.as_ref().is_some_and(is_ignored) {
            while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            RolloutPayload::default()
        } else {
            RolloutPayload::deserialize(MapAccessDeserializer::new(PayloadMembers {
                first,
                members,
            }))?
        };
        if let Some(kind) = kind {
            payload.kind = kind;
        }
        Ok(payload)
    }
}

/// The members of an object whose first key may have been read.
struct PayloadMembers<'de, A> {
    first: Option<Cow<'de, str>>,
    members: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for PayloadMembers<'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        match self.first.take() {
            Some(key) => seed.deserialize(CowStrDeserializer::new(key)).map(Some),
            None => self.members.next_key_seed(seed),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.members.next_value_seed(seed)
    }
}

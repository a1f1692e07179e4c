//! A record of a rollout. If the payload begins with an ignored kind, the rest of it is skipped.

use super::record::RolloutPayload;
use crate::clients::run::cursor::JsonCursor;
use crate::clients::run::lenient::{LenientNumber, LenientText, Object};
use crate::clients::run::members::ReadMembers;
use crate::clients::run::record::record;

/// Kinds of payloads that have no calls. They are long, and a third of a rollout.
const IGNORED: [&str; 3] = ["reasoning", "agent_reasoning", "thread_settings_applied"];

record! {
    struct RolloutRecord<'a> {
        timestamp: LenientText<'a> = "timestamp",
        ordinal: LenientNumber = "ordinal",
        kind: LenientText<'a> = "type",
        payload: Object<ReadPayload<'a>> = "payload",
    }
}

#[derive(Debug, Default)]
pub(super) struct ReadPayload<'a> {
    pub(super) payload: RolloutPayload<'a>,
}

impl<'a> ReadMembers<'a> for ReadPayload<'a> {
    fn rest(&mut self, seen: &mut u32, json: &mut JsonCursor<'a>) -> Option<()> {
        json.peek()?;
        if !json.take_prefix("\"type\":") {
            return self.payload.rest(seen, json);
        }
        let kind: LenientText = json.value()?;
        let is_ignored = IGNORED.contains(&kind.or_empty());
        if !json.take_separator(b'}')? {
            self.payload.kind = kind;
        } else if is_ignored {
            self.payload.kind = kind;
            json.skip_members()?;
        } else {
            self.payload.rest(seen, json)?;
            self.payload.kind = kind;
        }
        Some(())
    }
}

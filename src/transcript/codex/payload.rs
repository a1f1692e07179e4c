//! The payload of a record, of which most is not read where its kind says so first.

use super::record::RolloutPayload;
use crate::transcript::cursor::JsonCursor;
use crate::transcript::lenient::LenientText;
use crate::transcript::record::ReadMembers;

/// Payloads that say nothing of calls. They are long, and a third of a rollout.
const IGNORED: [&str; 3] = ["reasoning", "agent_reasoning", "thread_settings_applied"];

#[derive(Debug, Default)]
pub(super) struct ReadPayload<'a> {
    pub(super) payload: RolloutPayload<'a>,
    has_begun: bool,
    /// The kind, if it is the first member.
    kind: Option<LenientText<'a>>,
    is_ignored: bool,
}

impl<'a> ReadMembers<'a> for ReadPayload<'a> {
    fn member(&mut self, name: &str, seen: &mut u32, json: &mut JsonCursor<'a>) -> Option<()> {
        if !std::mem::replace(&mut self.has_begun, true) && name == "type" {
            let kind: LenientText = json.value()?;
            self.is_ignored = IGNORED.contains(&kind.or_empty());
            self.kind = Some(kind);
            return Some(());
        }
        if self.is_ignored {
            return json.skip();
        }
        self.payload.member(name, seen, json)
    }

    fn members(&mut self, json: &mut JsonCursor<'a>) -> Option<()> {
        let mut seen = 0;
        json.members(|json, name| self.member(name, &mut seen, json))?;
        if let Some(kind) = self.kind.take() {
            self.payload.kind = kind;
        }
        Some(())
    }
}

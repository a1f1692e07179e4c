//! Records of the compact transcripts that Entire writes of Claude Code (November 2026, version 1). They
//! have the calls of a session, each with its result, but no session, no folder, and of the result of an
//! agent only an error: its return is a list, in place of which they have an empty text.
//!
//! Source: `transcript/README.md` and `compact.go` of <https://github.com/entireio/cli>.

use super::record::{ClaudeMessage, ClaudeRecord, ContentBlock};
use super::{Claude, RecordPlace};
use crate::clients::claude::output::START;
use crate::clients::run::{Content, Flag, Gap, LenientText};

impl Claude {
    pub(super) fn on_compact(&mut self, record: &ClaudeRecord, line: u64) {
        // Records of agents among their caller's are not told apart.
        self.runs.record_gap(Gap::Elsewhere);
        let run = self.run_of(record);
        let draft = self.runs.draft(run);
        draft.has_records = true;
        draft.at(record.timestamp.as_str());
        let message = ClaudeMessage {
            id: record.id.clone(),
            content: record.content.parse(),
            ..ClaudeMessage::default()
        };
        if record.kind.as_str() == "user" {
            let text = user_text(&message);
            if text.as_str().trim_start().starts_with(START) {
                self.on_notification(text.as_str());
            } else {
                self.runs.task(run, text.as_str());
            }
            return;
        }
        let place = RecordPlace {
            run,
            cwd: None,
            uuid: None,
            line,
        };
        self.on_assistant(&message, &place);
        for block in message.content.list() {
            let Some(result) = &block.result else {
                continue;
            };
            let result = ContentBlock {
                tool_use_id: block.id.clone(),
                content: result.output,
                is_error: Flag(Some(result.status.as_str() == "error")),
                ..ContentBlock::default()
            };
            self.result_of(&result, None, false);
        }
    }
}

/// The text of the user. Its block has no type.
fn user_text<'a>(message: &ClaudeMessage<'a>) -> LenientText<'a> {
    if let Content::Text(text) = &message.content {
        return LenientText(Some(text.clone()));
    }
    let mut blocks = message.content.list().iter();
    let block = blocks.find(|block| block.text.0.is_some());
    block.map(|block| block.text).unwrap_or_default().parse()
}

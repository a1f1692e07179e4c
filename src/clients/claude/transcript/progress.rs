//! Reads records of an agent inside progress records of its caller.

use super::record::{ClaudeRecord, ProgressRecord};
use super::{Claude, RecordPlace, end_of, text_of};
use crate::clients::run::FirstTask;

impl Claude {
    pub(super) fn on_progress(&mut self, record: &ClaudeRecord, line: u64) {
        let Some(data) = &record.data else { return };
        let (Some(id), "agent_progress") = (data.agent_id.get(), data.kind.as_str()) else {
            return;
        };
        let call = record.parent_tool_use_id.as_str();
        let run = self.runs.called_agent(call, id);
        self.runs.draft(run).has_records = true;
        self.runs
            .set(run, |it| &mut it.details.cwd, record.cwd.get());
        let version = record.version.get();
        self.runs
            .set(run, |it| &mut it.details.client_version, version);
        if let Some(inner) = &data.message {
            let place = RecordPlace {
                run,
                cwd: record.cwd.get(),
                uuid: record.uuid.get(),
                line,
            };
            self.progressed(record, inner, &place);
        }
    }

    fn progressed(&mut self, record: &ClaudeRecord, inner: &ProgressRecord, place: &RecordPlace) {
        self.runs.draft(place.run).at(inner.timestamp.as_str());
        let Some(message) = &inner.message else {
            return;
        };
        match inner.kind.as_str() {
            "user" => {
                let results = message.content.list().iter();
                let results = results.filter(|block| block.kind.as_str() == "tool_result");
                for block in results {
                    self.progress_result(inner, block);
                }
                if self.runs.draft(place.run).first_task == FirstTask::Missing {
                    let text = text_of(&message.content);
                    self.runs.task(place.run, &text);
                }
            }
            "assistant" if inner.is_api_error_message.is_true() => {
                let end = end_of(record.api_error_status.0, record.error.as_str(), message);
                self.runs.end(place.run, end);
            }
            "assistant" => self.on_assistant(message, place),
            _ => {}
        }
    }
}

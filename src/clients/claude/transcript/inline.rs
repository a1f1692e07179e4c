//! Which run a record belongs to, also for agents among their caller's records that have no id.

use std::borrow::Cow;

use super::record::ClaudeRecord;
use super::{CHAINED_AT_MOST, Claude, text_of};

impl Claude {
    pub(super) fn run_of(&mut self, record: &ClaudeRecord) -> usize {
        match record.agent_id.get() {
            Some(id) => self.runs.agent(id),
            None if record.is_sidechain.is_true() => self.inline_run(record),
            None => *self.main.get_or_insert_with(|| {
                let run = self.runs.add();
                self.runs.draft(run).run.depth = Some(0);
                run
            }),
        }
    }

    /// The run of a record without an agent id: the run of its parent record, or the last such run if
    /// that is not known. Without a parent, a new run.
    pub(super) fn inline_run(&mut self, record: &ClaudeRecord) -> usize {
        let parent = record.parent_uuid.get();
        let before = parent.and_then(|uuid| self.chain.get(&self.runs.hash(uuid)).copied());
        let run = match (before, parent, self.inline) {
            (Some(run), ..) | (None, Some(_), Some(run)) => run,
            _ => self.new_inline_run(record),
        };
        self.inline = Some(run);
        if let Some(uuid) = record.uuid.get()
            && self.chain.len() < CHAINED_AT_MOST
        {
            self.chain.insert(self.runs.hash(uuid), run);
        }
        run
    }

    /// The run of the first record of a chain: the run of a call with the same prompt, or else a new
    /// one.
    fn new_inline_run(&mut self, record: &ClaudeRecord) -> usize {
        let prompt = record.message.as_ref();
        let prompt = prompt.map_or(Cow::Borrowed(""), |message| text_of(&message.content));
        let mut waiting = self.delegated.get_mut(&self.runs.hash(prompt.trim()));
        while let Some(run) = waiting.as_mut().and_then(|runs| runs.pop_front()) {
            if !self.runs.draft(run).has_records {
                return run;
            }
        }
        self.runs.add()
    }
}

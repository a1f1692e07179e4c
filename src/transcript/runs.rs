//! The runs of a transcript that is being read, in bounded memory.

use std::sync::Arc;

use super::draft::{Draft, LastRecord};
use super::ids::{IdHashes, IdMap};
use super::new_call::{CallPlace, EnteredCall, NewCall};
use super::run::{Call, End, Gap, Outcome, Run, Tokens};

/// The most runs that are kept of one transcript.
const RUNS_AT_MOST: usize = 2_048;
/// The most calls that are kept of one transcript, in all its runs.
const CALLS_AT_MOST: usize = 12 << 10;
/// The most bytes of text that are kept of one transcript, with the overhead of each text.
const TEXT_AT_MOST: usize = 3 << 20;
/// The overhead of each kept text, in bytes.
const TEXT_OVERHEAD: usize = 32;
/// The length of the longest id, name or path that is kept, in bytes. Real ones are shorter.
const NAME_AT_MOST: usize = 4 << 10;
/// The length of the longest command that is kept, in bytes.
const COMMAND_AT_MOST: usize = 64 << 10;
/// The most names of tools that calls share.
const TOOLS_AT_MOST: usize = 64;
/// The most paths that are kept of one call.
pub(crate) const PATHS_OF_CALL_AT_MOST: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Runs {
    drafts: Vec<Draft>,
    hashes: IdHashes,
    by_agent: IdMap<usize>,
    /// The run that `agent` returned last. Most records are of the same agent as the one before.
    last_agent: Option<usize>,
    by_call: IdMap<usize>,
    calls: IdMap<CallPlace>,
    kept_calls: usize,
    cwd: Option<Arc<str>>,
    /// Names of tools that calls share.
    tools: Vec<Arc<str>>,
    text_used: usize,
    /// The number of messages whose ids are kept to count their tokens once.
    counted: usize,
    /// A gap that may belong to any run.
    lost: Option<Gap>,
    /// The current line has a record that the reader does not know.
    has_foreign: bool,
}

impl Runs {
    /// Adds a run and returns its index. If there are too many runs, the index of the last one.
    pub(super) fn add(&mut self) -> usize {
        if self.drafts.len() == RUNS_AT_MOST {
            self.lose(Gap::TooMuch);
            return RUNS_AT_MOST - 1;
        }
        self.drafts.push(Draft::default());
        self.drafts.len() - 1
    }

    pub(super) fn of_agent(&self, id: &str) -> Option<usize> {
        self.by_agent.get(&self.hash(id)).copied()
    }

    /// The run of an agent. Adds one if there is none.
    pub(super) fn agent(&mut self, id: &str) -> usize {
        if let Some(run) = self.last_agent
            && self.drafts[run].run.agent_id.as_deref() == Some(id)
        {
            return run;
        }
        let run = self.of_agent(id).unwrap_or_else(|| {
            let run = self.add();
            self.name_agent(run, id);
            run
        });
        self.last_agent = Some(run);
        run
    }

    /// Sets the agent of a run, unless it has one or the id is too long.
    pub(super) fn name_agent(&mut self, run: usize, id: &str) {
        if id.len() <= NAME_AT_MOST && self.drafts[run].run.agent_id.is_none() {
            self.drafts[run].run.agent_id = self.keep(id);
            let id = self.hash(id);
            self.by_agent.insert(id, run);
            self.last_agent = None;
        }
    }

    /// The run that a tool call started.
    pub(super) fn started_by(&self, call: &str) -> Option<usize> {
        self.by_call.get(&self.hash(call)).copied()
    }

    /// The run that a tool call starts. Adds one if there is none.
    pub(super) fn start(&mut self, caller: usize, call: &str) -> usize {
        if let Some(run) = self.started_by(call) {
            return run;
        }
        let run = self.add();
        if call.len() <= NAME_AT_MOST {
            let id = self.hash(call);
            self.by_call.insert(id, run);
        }
        self.link(run, caller, call);
        run
    }

    /// Sets the call that started a run.
    pub(super) fn link(&mut self, run: usize, caller: usize, call: &str) {
        let parent = self.drafts[caller].run.agent_id.clone();
        let depth = self.drafts[caller].run.depth;
        let id = self.keep(call);
        let child = &mut self.drafts[run].run;
        child.parent = parent;
        child.depth = depth.and_then(|depth| depth.checked_add(1));
        child.tool_call_id = id;
    }

    /// The hash of an id, by which runs, calls and messages are found.
    pub(super) fn hash(&self, id: &str) -> u64 {
        self.hashes.of(id)
    }

    pub(super) fn draft(&mut self, run: usize) -> &mut Draft {
        &mut self.drafts[run]
    }

    /// Copies a text. None if too much is kept already, which is recorded as a gap.
    pub(super) fn keep(&mut self, text: &str) -> Option<String> {
        let size = text.len() + TEXT_OVERHEAD;
        if size > TEXT_AT_MOST - self.text_used {
            self.lose(Gap::TooMuch);
            return None;
        }
        self.text_used += size;
        Some(text.to_owned())
    }

    /// Records a gap. The first one is kept, but a record of another client replaces other gaps.
    pub(super) fn lose(&mut self, gap: Gap) {
        let is_other = |gap: &Gap| matches!(gap, Gap::OtherClient { .. });
        if self
            .lost
            .is_none_or(|lost| is_other(&gap) && !is_other(&lost))
        {
            self.lost = Some(gap);
        }
    }

    /// Records that a record is of no kind that the client writes.
    pub(super) fn pass_foreign(&mut self) {
        self.has_foreign = true;
    }

    /// Whether there was such a record since the last call of this function.
    pub(super) fn take_foreign(&mut self) -> bool {
        std::mem::take(&mut self.has_foreign)
    }

    /// The agent gets a message, so its last text is not its answer.
    pub(super) fn message(&mut self, run: usize) {
        self.clear_answer(run);
        let draft = &mut self.drafts[run];
        draft.last = LastRecord::Message;
        draft.run.end = End::Unknown;
    }

    /// A hook does not let the agent stop.
    pub(super) fn send_back(&mut self, run: usize) {
        self.message(run);
        self.drafts[run].run.times_sent_back += 1;
    }

    /// The agent gets a task. The first one is its prompt. A task after an answer resumes the agent.
    pub(super) fn task(&mut self, run: usize, text: &str) {
        self.message(run);
        self.drafts[run].run.resumed |= self.drafts[run].has_answered;
        self.drafts[run].has_start = true;
        self.drafts[run].run.times_sent_back = 0;
        if self.drafts[run].run.prompt.is_none() {
            self.drafts[run].run.prompt = self.keep(text);
        }
    }

    /// The agent says something.
    pub(super) fn text(&mut self, run: usize, text: &str) {
        self.clear_answer(run);
        let text = self.keep(text);
        let draft = &mut self.drafts[run];
        draft.run.final_message = text;
        draft.run.end = End::Unknown;
        draft.last = LastRecord::Text;
        draft.has_answered = true;
    }

    fn clear_answer(&mut self, run: usize) {
        if let Some(text) = self.drafts[run].run.final_message.take() {
            self.text_used -= text.len() + TEXT_OVERHEAD;
        }
    }

    /// Counts the tokens of a message.
    pub(super) fn usage(&mut self, run: usize, message: &str, tokens: Tokens) {
        let message = self.hash(message);
        let draft = &mut self.drafts[run];
        draft.usage(message, tokens, &mut self.counted);
    }

    pub(super) fn call_place(&self, id: &str) -> Option<CallPlace> {
        self.calls.get(&self.hash(id)).copied()
    }

    pub(super) fn call_at(&mut self, (run, at): CallPlace) -> &mut Call {
        &mut self.drafts[run].run.calls[at]
    }

    /// The agent calls a tool.
    pub(super) fn call(&mut self, run: usize, new: &NewCall) -> EnteredCall {
        let id = self.hash(new.id);
        // A call with an empty id has no id: it is always new, and no result belongs to it.
        let known = self.calls.get(&id).filter(|_| !new.id.is_empty());
        if let Some(place) = known.copied() {
            // Several records may have the same call.
            if !new.repeats(self.call_at(place)) {
                self.lose(Gap::SameId);
            }
            return EnteredCall {
                is_new: false,
                place: Some(place),
            };
        }
        if self.kept_calls == CALLS_AT_MOST || new.id.len() > NAME_AT_MOST {
            self.lose(Gap::TooMuch);
            return EnteredCall::default();
        }
        self.kept_calls += 1;
        let call = self.new_call(run, new);
        let place = (run, self.drafts[run].call(call));
        let place = Some(place).filter(|_| !new.id.is_empty());
        if let Some(place) = place {
            self.calls.insert(id, place);
        }
        EnteredCall {
            is_new: true,
            place,
        }
    }

    /// Whether a command of the run has no result yet. Such a command may still change the working
    /// directory.
    pub(super) fn has_open_command(&self, run: usize) -> bool {
        self.drafts[run].open_commands > 0
    }

    fn new_call(&mut self, run: usize, new: &NewCall) -> Call {
        let short = |text: &&str| text.len() <= NAME_AT_MOST;
        let command = new.command.filter(|text| text.len() <= COMMAND_AT_MOST);
        let mut paths = Vec::with_capacity(new.paths.len().min(PATHS_OF_CALL_AT_MOST));
        for path in new.paths {
            self.add_path(&mut paths, path);
        }
        Call {
            name: self.tool(Some(new.name).filter(short).unwrap_or_default()),
            kind: new.kind,
            paths,
            command: command.and_then(|command| self.keep(command)),
            background: new.background,
            agent_id: None,
            cwd: new.cwd.and_then(|cwd| self.folder(cwd)),
            shell: new.shell,
            outcome: Outcome::Unknown,
            effect: new.effect,
            exit_code: None,
            time: self.drafts[run].now(),
            line: new.line,
        }
    }

    /// Adds a path to the paths of a call.
    pub(super) fn add_path(&mut self, paths: &mut Vec<String>, path: &str) {
        if paths.len() == PATHS_OF_CALL_AT_MOST || path.len() > NAME_AT_MOST {
            self.lose(Gap::TooMuch);
        } else {
            paths.extend(self.keep(path));
        }
    }

    /// The name of a tool. Calls share it, because there are few tools and many calls.
    fn tool(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.tools.iter().find(|known| ***known == *name) {
            return Arc::clone(known);
        }
        let name = Arc::from(self.keep(name).unwrap_or_default());
        if self.tools.len() < TOOLS_AT_MOST {
            self.tools.push(Arc::clone(&name));
        }
        name
    }

    fn folder(&mut self, cwd: &str) -> Option<Arc<str>> {
        if self.cwd.as_deref() != Some(cwd) {
            self.cwd = Some(cwd)
                .filter(|cwd| cwd.len() <= NAME_AT_MOST)
                .and_then(|cwd| self.keep(cwd))
                .map(Arc::from);
        }
        self.cwd.clone()
    }

    /// A call ends. The agent goes on, so its last text is not its answer.
    pub(super) fn result(&mut self, id: &str, outcome: Outcome) -> Option<CallPlace> {
        let place = self.call_place(id)?;
        self.result_at(place, outcome);
        Some(place)
    }

    /// Like [`Runs::result`], for a call whose place is known.
    pub(super) fn result_at(&mut self, place: CallPlace, outcome: Outcome) {
        self.clear_answer(place.0);
        self.drafts[place.0].result(place.1, outcome);
    }

    /// The run ends.
    pub(super) fn end(&mut self, run: usize, end: End) {
        let draft = &mut self.drafts[run];
        draft.run.end = end;
        draft.last = LastRecord::End;
    }

    pub(super) fn finish(self) -> Vec<Run> {
        let lost = self.lost;
        let drafts = self.drafts.into_iter();
        drafts.map(|draft| draft.finish(lost)).collect()
    }
}

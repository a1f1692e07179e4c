//! The runs of a transcript that is being read, in bounded memory.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use super::draft::{CallPlace, Draft, EnteredCall, LastRecord, NewCall};
use super::join::joined;
use super::{Call, End, Gap, Outcome, Run, Tokens};

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

/// A member of a run that is set by the first record that has it.
pub(in crate::clients) type RunMember = fn(&mut Run) -> &mut Option<String>;

pub(in crate::clients) const SESSION: RunMember = |it| &mut it.session;
pub(in crate::clients) const PARENT: RunMember = |it| &mut it.parent;
pub(in crate::clients) const AGENT_TYPE: RunMember = |it| &mut it.agent_type;
pub(in crate::clients) const CWD: RunMember = |it| &mut it.details.cwd;
pub(in crate::clients) const MODEL: RunMember = |it| &mut it.details.model;
pub(in crate::clients) const VERSION: RunMember = |it| &mut it.details.client_version;
pub(in crate::clients) const DESCRIPTION: RunMember = |it| &mut it.details.description;

/// The runs so far. Runs and calls are never removed, so their indices stay valid. All maps lead to
/// existing ones, by hashes of ids that are made with the same key. `text_used` counts all
/// kept texts and is never above the limit: what does not fit is left out, and the gap is recorded.
#[derive(Debug, Default)]
pub(in crate::clients) struct Runs {
    drafts: Vec<Draft>,
    hashes: RandomState,
    by_agent: HashMap<u64, usize>,
    /// Whether several runs have the same agent.
    has_parts: bool,
    by_call: HashMap<u64, usize>,
    calls: HashMap<u64, CallPlace>,
    /// The calls whose paths the client has reported. Their arguments may have had others.
    reported: HashSet<CallPlace>,
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
    has_unknown_record: bool,
}

impl Runs {
    /// Adds a run and returns its index. If there are too many runs, the index of the last one.
    pub(in crate::clients) fn add(&mut self) -> usize {
        if self.drafts.len() == RUNS_AT_MOST {
            self.record_gap(Gap::TooMuch);
            return RUNS_AT_MOST - 1;
        }
        self.drafts.push(Draft::default());
        self.drafts.len() - 1
    }

    pub(in crate::clients) fn of_agent(&self, id: &str) -> Option<usize> {
        self.by_agent.get(&self.hash(id)).copied()
    }

    /// The run of an agent. Adds one if there is none.
    pub(in crate::clients) fn agent(&mut self, id: &str) -> usize {
        self.of_agent(id).unwrap_or_else(|| {
            let run = self.add();
            self.name_agent(run, id);
            run
        })
    }

    /// Sets the agent of a run, unless it has one or the id is too long.
    pub(in crate::clients) fn name_agent(&mut self, run: usize, id: &str) {
        if id.len() <= NAME_AT_MOST && self.drafts[run].run.agent_id.is_none() {
            self.drafts[run].run.agent_id = self.store(id);
            let id = self.hash(id);
            self.has_parts |= self.by_agent.insert(id, run).is_some();
        }
    }

    pub(in crate::clients) fn started_by(&self, call: &str) -> Option<usize> {
        self.by_call.get(&self.hash(call)).copied()
    }

    /// The run of an agent that a call has started, or of whom nothing else is known.
    pub(in crate::clients) fn called_agent(&mut self, call: &str, id: &str) -> usize {
        let Some(run) = self.started_by(call) else {
            return self.agent(id);
        };
        self.name_agent(run, id);
        run
    }

    /// Sets the agent of a run, also in the call that started it.
    pub(in crate::clients) fn name_called(&mut self, place: CallPlace, run: usize, id: &str) {
        self.name_agent(run, id);
        let agent = self.drafts[run].run.agent_id.clone();
        self.call_at(place).agent_id = agent;
    }

    /// The run that a tool call starts, with what the call says of it. Adds one if there is none, or if the
    /// call has no id.
    pub(in crate::clients) fn start(
        &mut self,
        caller: usize,
        call: &str,
        prompt: Option<&str>,
        agent_type: Option<&str>,
    ) -> usize {
        let known = self.started_by(call).filter(|_| !call.is_empty());
        let run = known.unwrap_or_else(|| self.new_start(caller, call));
        let prompt = prompt.and_then(|text| self.store(text));
        let agent_type = agent_type.and_then(|text| self.store(text));
        let child = &mut self.drafts[run].run;
        child.prompt = prompt;
        child.agent_type = agent_type;
        run
    }

    fn new_start(&mut self, caller: usize, call: &str) -> usize {
        let run = self.add();
        if !call.is_empty() && call.len() <= NAME_AT_MOST {
            let id = self.hash(call);
            self.by_call.insert(id, run);
        }
        self.link(run, caller, call);
        run
    }

    fn link(&mut self, run: usize, caller: usize, call: &str) {
        let caller = &self.drafts[caller];
        let time = caller.now();
        let Run {
            agent_id: parent,
            depth,
            session,
            details,
            ..
        } = &caller.run;
        let (parent, depth, session) = (parent.clone(), *depth, session.clone());
        let (cwd, client_version) = (details.cwd.clone(), details.client_version.clone());
        let id = Some(call).filter(|call| !call.is_empty());
        let id = id.and_then(|call| self.store(call));
        let child = &mut self.drafts[run].run;
        child.parent = parent;
        child.depth = depth.and_then(|depth| depth.checked_add(1));
        child.tool_call_id = id;
        child.session = child.session.take().or(session);
        let details = &mut child.details;
        details.called = time;
        details.cwd = details.cwd.take().or(cwd);
        details.client_version = details.client_version.take().or(client_version);
    }

    /// Sets a member of a run that is not known yet.
    pub(in crate::clients) fn set(&mut self, run: usize, member: RunMember, text: Option<&str>) {
        if let Some(text) = text.filter(|text| text.len() <= NAME_AT_MOST)
            && member(&mut self.drafts[run].run).is_none()
        {
            let text = self.store(text);
            *member(&mut self.drafts[run].run) = text;
        }
    }

    /// The hash of an id, by which runs, calls and messages are found: ids may be long, and there may be many.
    /// Its key is random, so that no one can choose ids with the same hash.
    pub(in crate::clients) fn hash(&self, id: &str) -> u64 {
        self.hashes.hash_one(id)
    }

    pub(in crate::clients) fn draft(&mut self, run: usize) -> &mut Draft {
        &mut self.drafts[run]
    }

    /// Copies a text. None if too much is kept already, which is recorded as a gap.
    pub(in crate::clients) fn store(&mut self, text: &str) -> Option<String> {
        let size = text.len() + TEXT_OVERHEAD;
        if size > TEXT_AT_MOST - self.text_used {
            self.record_gap(Gap::TooMuch);
            return None;
        }
        self.text_used += size;
        Some(text.to_owned())
    }

    /// Records a gap. The first one is kept, but a record of another client replaces other gaps.
    pub(in crate::clients) fn record_gap(&mut self, gap: Gap) {
        let is_other = |gap: &Gap| matches!(gap, Gap::OtherClient { .. });
        if self
            .lost
            .is_none_or(|lost| is_other(&gap) && !is_other(&lost))
        {
            self.lost = Some(gap);
        }
    }

    pub(in crate::clients) fn note_unknown_record(&mut self) {
        self.has_unknown_record = true;
    }

    /// Whether there was such a record since the last call of this function.
    pub(in crate::clients) fn take_unknown_record(&mut self) -> bool {
        std::mem::take(&mut self.has_unknown_record)
    }

    /// The agent gets a message, so its last text is not its answer.
    pub(in crate::clients) fn message(&mut self, run: usize) {
        self.drafts[run].ask();
        self.no_text(run);
    }

    /// The agent's turn has no text, so an earlier text is not its answer.
    pub(in crate::clients) fn no_text(&mut self, run: usize) {
        self.clear_answer(run);
        let draft = &mut self.drafts[run];
        draft.last = LastRecord::Message;
        draft.run.end = End::Unknown;
    }

    pub(in crate::clients) fn ask_again(&mut self, run: usize) {
        self.message(run);
        self.drafts[run].run.times_asked_again += 1;
    }

    /// The agent gets a task. The first one is its prompt. A task after an answer resumes the agent.
    pub(in crate::clients) fn task(&mut self, run: usize, text: &str) {
        self.message(run);
        self.drafts[run].run.resumed |= self.drafts[run].has_answered;
        self.drafts[run].start();
        self.drafts[run].run.times_asked_again = 0;
        if self.drafts[run].run.prompt.is_none() {
            self.drafts[run].run.prompt = self.store(text);
        }
    }

    pub(in crate::clients) fn text(&mut self, run: usize, text: &str) {
        self.clear_answer(run);
        let text = self.store(text);
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

    pub(in crate::clients) fn usage(&mut self, run: usize, message: &str, tokens: Tokens) {
        let message = self.hash(message);
        let draft = &mut self.drafts[run];
        draft.usage(message, tokens, &mut self.counted);
    }

    /// Whether a command of the run has no result yet. Such a command may still change the working
    /// directory.
    pub(in crate::clients) fn has_open_command(&self, run: usize) -> bool {
        self.drafts[run].open_commands > 0
    }

    /// A call ends. The agent goes on, so its last text is not its answer.
    pub(in crate::clients) fn result(&mut self, id: &str, outcome: Outcome) -> Option<CallPlace> {
        let place = self.call_place(id)?;
        self.result_at(place, outcome);
        Some(place)
    }

    /// Like [`Runs::result`], for a call whose place is known.
    pub(in crate::clients) fn result_at(&mut self, place: CallPlace, outcome: Outcome) {
        self.clear_answer(place.0);
        self.drafts[place.0].result(place.1, outcome);
    }

    /// The client never marks the end of a message: a text at the end of a record may be the last.
    pub(in crate::clients) fn mark_texts_at_end(&mut self) {
        for draft in &mut self.drafts {
            draft.run.ends_in_text = true;
        }
    }

    pub(in crate::clients) fn end(&mut self, run: usize, end: End) {
        let draft = &mut self.drafts[run];
        draft.run.end = end;
        draft.last = LastRecord::End;
    }

    pub(in crate::clients) fn finish(&mut self) -> Vec<Run> {
        let lost = self.lost;
        let drafts = self.drafts.drain(..);
        let runs = drafts.map(|draft| draft.finish(lost)).collect();
        if self.has_parts { joined(runs) } else { runs }
    }
}

impl Runs {
    pub(in crate::clients) fn call_place(&self, id: &str) -> Option<CallPlace> {
        self.calls.get(&self.hash(id)).copied()
    }

    pub(in crate::clients) fn call_at(&mut self, (run, at): CallPlace) -> &mut Call {
        &mut self.drafts[run].run.calls[at]
    }

    pub(in crate::clients) fn call(&mut self, run: usize, new: &NewCall) -> EnteredCall {
        let id = self.hash(new.id);
        // A call with an empty id has no id: it is always new, and no result belongs to it.
        let known = self.calls.get(&id).filter(|_| !new.id.is_empty());
        if let Some(place) = known.copied() {
            // Several records may have the same call.
            let has_own_paths = !self.reported.contains(&place);
            if !new.repeats(self.call_at(place), has_own_paths) {
                self.record_gap(Gap::SameId);
            }
            return EnteredCall {
                is_new: false,
                place: Some(place),
            };
        }
        if self.kept_calls == CALLS_AT_MOST || new.id.len() > NAME_AT_MOST {
            self.record_gap(Gap::TooMuch);
            return EnteredCall::default();
        }
        self.kept_calls += 1;
        let call = self.new_call(run, new);
        let place = (run, self.drafts[run].call(call));
        if !new.id.is_empty() {
            self.calls.insert(id, place);
        }
        EnteredCall {
            is_new: true,
            place: Some(place),
        }
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
            command: command.and_then(|command| self.store(command)),
            background: new.background,
            agent_id: None,
            cwd: new.cwd.and_then(|cwd| self.folder(cwd)),
            shell: new.shell,
            outcome: Outcome::Unknown,
            effect: new.effect,
            exit_code: None,
            is_silent: false,
            test_summary: None,
            time: self.drafts[run].now(),
            line: new.line,
        }
    }

    pub(in crate::clients) fn add_path(&mut self, paths: &mut Vec<String>, path: &str) {
        if paths.len() == PATHS_OF_CALL_AT_MOST || path.len() > NAME_AT_MOST {
            self.record_gap(Gap::TooMuch);
        } else {
            paths.extend(self.store(path));
        }
    }

    /// Sets the paths that the client reports for a call, in the place of those in its arguments: a hook
    /// may have replaced them. False, and a gap, if the client has reported others before.
    pub(in crate::clients) fn report_paths(
        &mut self,
        place: CallPlace,
        paths: Vec<String>,
    ) -> bool {
        let is_first = self.reported.insert(place);
        let call = self.call_at(place);
        if !is_first && call.paths != paths {
            self.record_gap(Gap::SameId);
            return false;
        }
        call.paths = paths;
        true
    }

    /// Like [`Runs::report_paths`], for the result of a call that writes one file.
    pub(in crate::clients) fn report_path(&mut self, place: CallPlace, path: &str) {
        if self.call_at(place).paths == [path] {
            return;
        }
        let mut paths = Vec::new();
        self.add_path(&mut paths, path);
        self.report_paths(place, paths);
    }

    /// The name of a tool. Calls share it, because there are few tools and many calls.
    fn tool(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.tools.iter().find(|known| ***known == *name) {
            return Arc::clone(known);
        }
        let name = Arc::from(self.store(name).unwrap_or_default());
        if self.tools.len() < TOOLS_AT_MOST {
            self.tools.push(Arc::clone(&name));
        }
        name
    }

    fn folder(&mut self, cwd: &str) -> Option<Arc<str>> {
        if self.cwd.as_deref() != Some(cwd) {
            self.cwd = Some(cwd)
                .filter(|cwd| cwd.len() <= NAME_AT_MOST)
                .and_then(|cwd| self.store(cwd))
                .map(Arc::from);
        }
        self.cwd.clone()
    }
}

//! The runs of a transcript that is being read, in bounded memory.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use super::draft::{CallPlace, Draft, LastRecord, NewCall};
use super::join::joined;
use super::{Call, CallKind, End, Gap, JsonNode, Outcome, Run, RunDetails, Tokens, test_summary};

/// The most runs that are kept of one transcript.
const RUNS_AT_MOST: usize = 2_048;
/// The most calls that are kept of one transcript, in all its runs.
const CALLS_AT_MOST: usize = 12 << 10;
/// The most messages of a transcript whose tokens are counted.
const MESSAGES_AT_MOST: usize = 16 << 10;
/// The most bytes of text that are kept of one transcript, with the overhead of each text.
const TEXT_AT_MOST: usize = 3 << 20;
/// The overhead of each kept text, in bytes.
const TEXT_OVERHEAD: usize = 32;
/// The length of the longest id, name or path that is kept, in bytes. Real ones are shorter.
const NAME_AT_MOST: usize = 4 << 10;
/// The length of the longest command that is kept, in bytes.
const COMMAND_AT_MOST: usize = 64 << 10;
/// The most names of tools and folders that calls share.
const SHARED_AT_MOST: usize = 64;
/// The most paths that are kept of one call.
pub(crate) const PATHS_OF_CALL_AT_MOST: usize = 256;

/// A member of a run that is set by the first record that has it.
pub(crate) type RunMember = fn(&mut Run) -> &mut Option<String>;

pub(crate) const SESSION: RunMember = |it| &mut it.session;
pub(crate) const PARENT: RunMember = |it| &mut it.parent;
pub(crate) const AGENT_TYPE: RunMember = |it| &mut it.agent_type;
pub(crate) const CWD: RunMember = |it| &mut it.details.cwd;
pub(crate) const MODEL: RunMember = |it| &mut it.details.model;
pub(crate) const VERSION: RunMember = |it| &mut it.details.client_version;
pub(crate) const DESCRIPTION: RunMember = |it| &mut it.details.description;

/// The runs so far. Runs and calls are never removed, so their indices stay valid. All maps lead to
/// existing ones, by hashes of ids that are made with the same key. `text_used` counts all
/// kept texts and is never above the limit: what does not fit is left out, and the gap is recorded.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    drafts: Vec<Draft>,
    own: Option<usize>,
    hashes: RandomState,
    by_agent: HashMap<u64, usize>,
    /// Whether several runs have the same agent.
    has_parts: bool,
    by_call: HashMap<u64, usize>,
    calls: HashMap<u64, CallPlace>,
    /// The calls whose paths the client has reported. Their arguments may have had others.
    reported: HashSet<CallPlace>,
    kept_calls: usize,
    /// Names of tools and folders that calls share.
    shared: Vec<Arc<str>>,
    text_used: usize,
    /// The number of messages whose tokens are counted.
    counted: usize,
    /// A gap that may belong to any run.
    lost: Option<Gap>,
    /// The current line has a record that the reader does not know.
    has_unknown_record: bool,
}

// Runs and their agents.
impl Runs {
    /// Adds a run and returns its index. If there are too many runs, the index of the last one.
    pub(crate) fn add(&mut self) -> usize {
        if self.drafts.len() == RUNS_AT_MOST {
            self.record_gap(Gap::TooMuch);
            return RUNS_AT_MOST - 1;
        }
        self.drafts.push(Draft::default());
        self.drafts.len() - 1
    }

    /// The run of the transcript's own agent. Adds it if there is none.
    pub(crate) fn own(&mut self) -> usize {
        let own = self.own.unwrap_or_else(|| self.add());
        self.own = Some(own);
        own
    }

    /// The run of the main agent, if the transcript is its own.
    pub(crate) fn main_agent(&mut self) -> usize {
        let own = self.own();
        self.drafts[own].run.depth = Some(0);
        own
    }

    pub(crate) fn has_own(&self) -> bool {
        self.own.is_some()
    }

    pub(crate) fn draft(&mut self, run: usize) -> &mut Draft {
        &mut self.drafts[run]
    }

    pub(crate) fn drafts(&mut self) -> impl Iterator<Item = &mut Draft> {
        self.drafts.iter_mut()
    }

    pub(crate) fn of_agent(&self, id: &str) -> Option<usize> {
        self.by_agent.get(&self.hash(id)).copied()
    }

    /// The run of an agent. Adds one if there is none.
    pub(crate) fn agent(&mut self, id: &str) -> usize {
        self.of_agent(id).unwrap_or_else(|| {
            let run = self.add();
            self.name_agent(run, id);
            run
        })
    }

    /// Sets the agent of a run, unless it has one or the id is too long.
    pub(crate) fn name_agent(&mut self, run: usize, id: &str) {
        if id.len() <= NAME_AT_MOST && self.drafts[run].run.agent_id.is_none() {
            self.drafts[run].run.agent_id = self.store(id);
            let id = self.hash(id);
            self.has_parts |= self.by_agent.insert(id, run).is_some();
        }
    }

    pub(crate) fn started_by(&self, call: &str) -> Option<usize> {
        self.by_call.get(&self.hash(call)).copied()
    }

    /// The run of an agent that a call has started, or of whom nothing else is known.
    pub(crate) fn called_agent(&mut self, call: &str, id: &str) -> usize {
        let Some(run) = self.started_by(call) else {
            return self.agent(id);
        };
        self.name_agent(run, id);
        run
    }

    /// Sets the agent of a run, also in the call that started it.
    pub(crate) fn name_called(&mut self, place: CallPlace, run: usize, id: &str) {
        self.name_agent(run, id);
        let agent = self.drafts[run].run.agent_id.clone();
        self.call_at(place).agent_id = agent;
    }

    /// Adds the run that a new tool call starts, with what the call and its caller say of it.
    pub(crate) fn start(
        &mut self,
        caller: usize,
        call: &str,
        prompt: Option<&str>,
        agent_type: Option<&str>,
    ) -> usize {
        let run = self.add();
        let mut tool_call_id = None;
        if !call.is_empty() {
            tool_call_id = self.store(call);
            let id = self.hash(call);
            self.by_call.insert(id, run);
        }
        let prompt = prompt.and_then(|text| self.store(text));
        let agent_type = agent_type.and_then(|text| self.store(text));
        let caller = &self.drafts[caller].run;
        let known = Run {
            parent: caller.agent_id.clone(),
            depth: caller.depth.and_then(|depth| depth.checked_add(1)),
            tool_call_id,
            session: caller.session.clone(),
            prompt,
            agent_type,
            details: RunDetails {
                called: caller.ended,
                cwd: caller.details.cwd.clone(),
                client_version: caller.details.client_version.clone(),
                ..RunDetails::default()
            },
            ..Run::default()
        };
        self.drafts[run].run.fill_start(&known);
        run
    }

    /// Sets those of these members of a run that are not known yet.
    pub(crate) fn set_all(&mut self, run: usize, json: &JsonNode, members: &[(RunMember, &str)]) {
        for (member, name) in members {
            self.set(run, *member, json.get(name));
        }
    }

    /// Sets a member of a run that is not known yet.
    pub(crate) fn set(&mut self, run: usize, member: RunMember, text: Option<&str>) {
        if let Some(text) = text.filter(|text| text.len() <= NAME_AT_MOST)
            && member(&mut self.drafts[run].run).is_none()
        {
            let text = self.store(text);
            *member(&mut self.drafts[run].run) = text;
        }
    }

    /// The hash of an id, by which runs, calls and messages are found: ids may be long, and there may be many.
    /// Its key is random, so that no one can choose ids with the same hash.
    pub(crate) fn hash(&self, id: &str) -> u64 {
        self.hashes.hash_one(id)
    }

    /// Copies a text. None if too much is kept already, which is recorded as a gap.
    pub(crate) fn store(&mut self, text: &str) -> Option<String> {
        let size = text.len() + TEXT_OVERHEAD;
        if size > TEXT_AT_MOST - self.text_used {
            self.record_gap(Gap::TooMuch);
            return None;
        }
        self.text_used += size;
        Some(text.to_owned())
    }

    /// A short text that many calls have.
    fn share(&mut self, text: &str) -> Option<Arc<str>> {
        if let Some(known) = self.shared.iter().find(|known| ***known == *text) {
            return Some(Arc::clone(known));
        }
        let text = Some(text).filter(|text| text.len() <= NAME_AT_MOST);
        let text: Arc<str> = self.store(text?)?.into();
        if self.shared.len() < SHARED_AT_MOST {
            self.shared.push(Arc::clone(&text));
        }
        Some(text)
    }

    /// Records a gap. The first one is kept, but a record of another client replaces other gaps.
    pub(crate) fn record_gap(&mut self, gap: Gap) {
        let is_other = |gap: Gap| matches!(gap, Gap::OtherClient { .. });
        match self.lost {
            Some(lost) if !is_other(gap) || is_other(lost) => {}
            _ => self.lost = Some(gap),
        }
    }

    pub(crate) fn note_unknown_record(&mut self) {
        self.has_unknown_record = true;
    }

    /// Whether there was such a record since the last call of this function.
    pub(crate) fn take_unknown_record(&mut self) -> bool {
        std::mem::take(&mut self.has_unknown_record)
    }

    pub(crate) fn finish(&mut self) -> Vec<Run> {
        let lost = self.lost;
        let drafts = self.drafts.drain(..);
        let runs = drafts.map(|draft| draft.finish(lost)).collect();
        if self.has_parts { joined(runs) } else { runs }
    }
}

// What happens in a run.
impl Runs {
    /// The agent gets a message, so its last text is not its answer.
    pub(crate) fn message(&mut self, run: usize) {
        let known = &mut self.drafts[run].run;
        known.asked = known.ended;
        self.no_text(run);
    }

    /// The agent's turn has no text, so an earlier text is not its answer.
    pub(crate) fn no_text(&mut self, run: usize) {
        self.clear_answer(run);
        let draft = &mut self.drafts[run];
        draft.last = LastRecord::Message;
        draft.run.end = End::Unknown;
    }

    pub(crate) fn ask_again(&mut self, run: usize) {
        self.message(run);
        self.drafts[run].run.times_asked_again += 1;
    }

    /// The agent gets a task. The first one is its prompt. A task after an answer resumes the agent.
    pub(crate) fn task(&mut self, run: usize, text: &str) {
        self.message(run);
        let draft = &mut self.drafts[run];
        draft.run.resumed |= draft.has_answered;
        draft.start();
        draft.run.times_asked_again = 0;
        if draft.run.prompt.is_none() {
            self.drafts[run].run.prompt = self.store(text);
        }
    }

    pub(crate) fn text(&mut self, run: usize, text: &str) {
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

    /// The client never marks the end of a message: a text at the end of a record may be the last.
    pub(crate) fn mark_texts_at_end(&mut self) {
        for draft in &mut self.drafts {
            draft.run.ends_in_text = true;
        }
    }

    pub(crate) fn end(&mut self, run: usize, end: End) {
        let draft = &mut self.drafts[run];
        draft.run.end = end;
        draft.last = LastRecord::End;
    }

    /// Counts the tokens of a message once, however many records it has.
    pub(crate) fn usage(&mut self, run: usize, message: &str, tokens: Tokens) {
        let message = self.hash(message);
        let of_run = &mut self.drafts[run].tokens;
        if !of_run.contains_key(&message) {
            if self.counted == MESSAGES_AT_MOST {
                return;
            }
            self.counted += 1;
        }
        of_run.insert(message, tokens);
    }
}

// Calls.
impl Runs {
    pub(crate) fn call_place(&self, id: &str) -> Option<CallPlace> {
        self.calls.get(&self.hash(id)).copied()
    }

    pub(crate) fn call_at(&mut self, (run, at): CallPlace) -> &mut Call {
        &mut self.drafts[run].run.calls[at]
    }

    /// Enters a call. Returns its place, unless an earlier record had it or it is not kept.
    pub(crate) fn call(&mut self, run: usize, new: &NewCall) -> Option<CallPlace> {
        let id = self.hash(new.id);
        // A call with an empty id has no id: it is always new, and no result belongs to it.
        let known = self.calls.get(&id).filter(|_| !new.id.is_empty());
        if let Some(place) = known.copied() {
            // Several records may have the same call.
            let has_own_paths = !self.reported.contains(&place);
            if !new.repeats(self.call_at(place), has_own_paths) {
                self.record_gap(Gap::SameId);
            }
            return None;
        }
        if self.kept_calls == CALLS_AT_MOST || new.id.len() > NAME_AT_MOST {
            self.record_gap(Gap::TooMuch);
            return None;
        }
        self.kept_calls += 1;
        let call = self.new_call(run, new);
        let draft = &mut self.drafts[run];
        let place = (run, draft.run.calls.len());
        draft.last = LastRecord::Call;
        draft.run.end = End::Unknown;
        draft.open.push(place.1);
        draft.run.calls.push(call);
        if !new.id.is_empty() {
            self.calls.insert(id, place);
        }
        Some(place)
    }

    fn new_call(&mut self, run: usize, new: &NewCall) -> Call {
        let command = new.command.as_deref();
        let command = command.filter(|text| text.len() <= COMMAND_AT_MOST);
        Call {
            name: self.share(new.name).unwrap_or_default(),
            kind: new.kind,
            paths: self.stored(&new.paths),
            command: command.and_then(|command| self.store(command)),
            background: new.background,
            cwd: new.cwd.as_deref().and_then(|cwd| self.share(cwd)),
            shell: new.shell,
            effect: new.effect,
            time: self.drafts[run].run.ended,
            line: new.line,
            ..Call::default()
        }
    }

    /// Copies the paths of a call.
    fn stored(&mut self, paths: &[&str]) -> Vec<String> {
        let short = paths.iter().filter(|path| path.len() <= NAME_AT_MOST);
        let kept: Vec<&str> = short.take(PATHS_OF_CALL_AT_MOST).copied().collect();
        if kept.len() < paths.len() {
            self.record_gap(Gap::TooMuch);
        }
        kept.iter().filter_map(|path| self.store(path)).collect()
    }

    /// Sets the paths that the client reports for a call, in the place of those in its arguments: a hook
    /// may have replaced them. False, and a gap, if the client has reported others before.
    pub(crate) fn report_paths(&mut self, place: CallPlace, paths: &[&str]) -> bool {
        let is_first = self.reported.insert(place);
        if self.call_at(place).paths == paths {
            return true;
        }
        if is_first {
            self.call_at(place).paths = self.stored(paths);
        } else {
            self.record_gap(Gap::SameId);
        }
        is_first
    }

    /// Like [`Runs::report_paths`], for the result of a call that writes one file.
    pub(crate) fn report_path(&mut self, place: CallPlace, path: &str) {
        if self.call_at(place).paths != [path] {
            self.report_paths(place, &[path]);
        }
    }

    /// Whether a command of the run has no result yet. Such a command may still change the working
    /// directory.
    pub(crate) fn has_open_command(&self, run: usize) -> bool {
        let draft = &self.drafts[run];
        let mut open = draft.open.iter();
        open.any(|at| draft.run.calls[*at].kind == CallKind::Command)
    }

    /// A call ends with an exit code, if it has one, and an output.
    pub(crate) fn ended(
        &mut self,
        place: CallPlace,
        outcome: Outcome,
        exit_code: Option<i64>,
        output: &JsonNode,
    ) {
        let call = self.call_at(place);
        call.exit_code = exit_code;
        call.test_summary = test_summary::of_command(call.kind, output);
        self.result_at(place, outcome);
    }

    /// A call ends. The agent goes on, so its last text is not its answer. Several records may have the same
    /// result.
    pub(crate) fn result_at(&mut self, place: CallPlace, outcome: Outcome) {
        self.clear_answer(place.0);
        self.call_at(place).outcome = outcome;
        let draft = &mut self.drafts[place.0];
        draft.last = LastRecord::Call;
        draft.open.retain(|at| *at != place.1);
    }
}

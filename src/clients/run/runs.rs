//! The runs of a transcript that is being read, in bounded memory.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use super::draft::{LastRecord, RunDraft};
use super::{
    Call, CallKind, End, Gap, JsonNode, Outcome, ReadFiles, Run, RunDetails, Tokens, test_summary,
};

/// Where a call is kept: the index of its run, and its index in that run.
pub(crate) type CallPlace = (usize, usize);

/// The most bytes that are kept of one transcript.
const KEPT_AT_MOST: usize = 6 << 20;
/// How many bytes count for a run, a call, the tokens of a message, and a text beside its own.
const RUN: usize = 2 << 10;
const CALL: usize = 448;
const MESSAGE: usize = 96;
const TEXT: usize = 32;

/// The length of the longest id, name or path that is kept, in bytes. Real ones are shorter.
const NAME_AT_MOST: usize = 4 << 10;
const COMMAND_AT_MOST: usize = 64 << 10;
pub(crate) const PATHS_OF_CALL_AT_MOST: usize = 256;

/// A member of a run that is set by the first record that has it.
pub(crate) type RunMember = fn(&mut Run) -> &mut Option<String>;

pub(crate) const SESSION: RunMember = |it| &mut it.session;
pub(crate) const PARENT: RunMember = |it| &mut it.parent;
pub(crate) const AGENT_TYPE: RunMember = |it| &mut it.agent_type;
pub(crate) const CWD: RunMember = |it| &mut it.details.cwd;
pub(crate) const MODEL: RunMember = |it| &mut it.details.model;
pub(crate) const VERSION: RunMember = |it| &mut it.details.client_version;

/// The runs so far. Runs and calls are never removed, so their indices stay valid. All maps lead to
/// existing ones, by hashes of ids. What does not fit into memory is left out, and the gap is recorded.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    drafts: Vec<RunDraft>,
    own: Option<usize>,
    /// The key of the hashes is random, so that no one can choose ids with the same hash.
    hashes: RandomState,
    by_agent: HashMap<u64, usize>,
    by_call: HashMap<u64, usize>,
    calls: HashMap<u64, CallPlace>,
    /// Names of tools and folders that calls share.
    shared: HashSet<Arc<str>>,
    kept: usize,
    /// A gap that may belong to any run.
    lost: Option<Gap>,
}

// Runs and their agents.
impl Runs {
    /// The index of a new run, or of the last one if there are too many.
    fn add(&mut self) -> usize {
        if self.drafts.is_empty() || self.keep(RUN) {
            self.drafts.push(RunDraft::default());
        }
        self.drafts.len() - 1
    }

    pub(crate) fn own(&mut self) -> usize {
        let own = self.own.unwrap_or_else(|| self.add());
        self.own = Some(own);
        own
    }

    pub(crate) fn main_agent(&mut self) -> usize {
        let own = self.own();
        self.drafts[own].run.depth = Some(0);
        own
    }

    pub(crate) fn has_own(&self) -> bool {
        self.own.is_some()
    }

    pub(crate) fn draft(&mut self, run: usize) -> &mut RunDraft {
        &mut self.drafts[run]
    }

    pub(crate) fn drafts(&mut self) -> &mut [RunDraft] {
        &mut self.drafts
    }

    pub(crate) fn of_agent(&self, id: &str) -> Option<usize> {
        self.by_agent.get(&self.hash(id)).copied()
    }

    pub(crate) fn agent(&mut self, id: &str) -> usize {
        self.of_agent(id).unwrap_or_else(|| {
            let run = self.add();
            self.name_agent(run, id)
        })
    }

    /// Sets the agent of a run, unless it has one or the id is too long. Two runs of one agent become one.
    pub(crate) fn name_agent(&mut self, run: usize, id: &str) -> usize {
        if id.len() > NAME_AT_MOST || self.drafts[run].run.agent_id.is_some() {
            return run;
        }
        let Some(known) = self.of_agent(id) else {
            self.drafts[run].run.agent_id = self.store(id);
            self.by_agent.insert(self.hash(id), run);
            return run;
        };
        // Calls stay where results look for them.
        if known == run || !self.drafts[run].run.calls.is_empty() {
            self.record_gap(Gap::TooMuch);
            return run;
        }
        let called = std::mem::take(&mut self.drafts[run]);
        self.drafts[run].is_joined = true;
        if let Some(call) = &called.run.tool_call_id {
            self.by_call.insert(self.hash(call), known);
        }
        self.drafts[known].join(called);
        known
    }

    pub(crate) fn started_by(&self, call: &str) -> Option<usize> {
        self.by_call.get(&self.hash(call)).copied()
    }

    pub(crate) fn called_agent(&mut self, call: &str, id: &str) -> usize {
        match self.started_by(call) {
            Some(run) => self.name_agent(run, id),
            None => self.agent(id),
        }
    }

    /// Sets the agent of a run, also in the call that started it. Returns the run of the agent.
    pub(crate) fn name_called(&mut self, place: CallPlace, run: usize, id: &str) -> usize {
        let run = self.name_agent(run, id);
        let agent = self.drafts[run].run.agent_id.clone();
        self.call_at(place).agent_id = agent;
        run
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
        let tool_call_id = Some(call).filter(|call| !call.is_empty());
        if let Some(call) = tool_call_id {
            self.by_call.insert(self.hash(call), run);
        }
        let [tool_call_id, prompt, agent_type] =
            [tool_call_id, prompt, agent_type].map(|text| self.store(text?));
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

    pub(crate) fn set_all(&mut self, run: usize, json: &JsonNode, members: &[(RunMember, &str)]) {
        for (member, name) in members {
            self.set(run, *member, json.get(name));
        }
    }

    pub(crate) fn set(&mut self, run: usize, member: RunMember, text: Option<&str>) {
        if let Some(text) = text.filter(|text| text.len() <= NAME_AT_MOST)
            && member(&mut self.drafts[run].run).is_none()
        {
            let text = self.store(text);
            *member(&mut self.drafts[run].run) = text;
        }
    }

    pub(crate) fn hash(&self, id: &str) -> u64 {
        self.hashes.hash_one(id)
    }

    /// Whether so many more bytes may be kept. If not, the gap is recorded.
    fn keep(&mut self, bytes: usize) -> bool {
        let has_room = self.kept + bytes <= KEPT_AT_MOST;
        if has_room {
            self.kept += bytes;
        } else {
            self.record_gap(Gap::TooMuch);
        }
        has_room
    }

    pub(crate) fn store(&mut self, text: &str) -> Option<String> {
        self.keep(text.len() + TEXT).then(|| text.to_owned())
    }

    /// A short text that many calls have.
    fn share(&mut self, text: &str) -> Option<Arc<str>> {
        if let Some(known) = self.shared.get(text) {
            return Some(Arc::clone(known));
        }
        let text = Some(text).filter(|text| text.len() <= NAME_AT_MOST);
        let text: Arc<str> = self.store(text?)?.into();
        self.shared.insert(Arc::clone(&text));
        Some(text)
    }

    /// Records a gap. The first one is kept.
    pub(crate) fn record_gap(&mut self, gap: Gap) {
        self.lost = self.lost.or(Some(gap));
    }

    pub(crate) fn finish(&mut self) -> Vec<Run> {
        let lost = self.lost;
        let drafts = self.drafts.drain(..).filter(|draft| !draft.is_joined);
        drafts.map(|draft| draft.finish(lost)).collect()
    }
}

// What happens in a run.
impl Runs {
    /// The agent gets a message, so its last text is not its answer.
    pub(crate) fn message(&mut self, run: usize) {
        let known = &mut self.drafts[run].run;
        known.asked = known.ended;
        known.was_told_more |= known.prompt.is_some();
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
        let was_told_more = self.drafts[run].run.was_told_more;
        self.message(run);
        let known = &mut self.drafts[run].run;
        known.was_told_more = was_told_more;
        known.times_asked_again += 1;
    }

    /// The agent gets a task. The first one is its prompt. A task after an answer resumes the agent.
    pub(crate) fn task(&mut self, run: usize, text: &str) {
        let known = &self.drafts[run].run;
        let is_new = known.prompt.as_deref() != Some(text);
        let was_told_more = known.was_told_more;
        self.message(run);
        let draft = &mut self.drafts[run];
        // A record may be repeated.
        draft.run.was_told_more &= is_new || was_told_more;
        draft.run.resumed |= draft.has_answered;
        draft.has_start = true;
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

    /// The agent's turn goes on with reasoning, which is no answer.
    pub(crate) fn reasoning(&mut self, run: usize) {
        let draft = &mut self.drafts[run];
        if draft.run.final_message.is_none() {
            draft.last = LastRecord::Reasoning;
        }
    }

    fn clear_answer(&mut self, run: usize) {
        if let Some(text) = self.drafts[run].run.final_message.take() {
            self.kept -= text.len() + TEXT;
        }
    }

    /// The message that the agent's turn ends with reached the limit of output, unless a call follows its text.
    pub(crate) fn cut(&mut self, run: usize) {
        let draft = &mut self.drafts[run];
        if matches!(draft.last, LastRecord::Text | LastRecord::Reasoning) && draft.open.is_empty() {
            draft.run.end = End::OutputLimit;
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
        let is_known = self.drafts[run].tokens.contains_key(&message);
        if is_known || self.kept + MESSAGE <= KEPT_AT_MOST {
            self.kept += if is_known { 0 } else { MESSAGE };
            self.drafts[run].tokens.insert(message, tokens);
        }
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
    pub(crate) fn call(&mut self, run: usize, id: &str, mut call: Call) -> Option<CallPlace> {
        if let Some(place) = self.call_place(id) {
            // Several records may have the same call.
            if !call.repeats(self.call_at(place)) {
                self.record_gap(Gap::SameId);
            }
            return None;
        }
        if !self.keep(CALL) {
            return None;
        }
        call.name = self.share(&call.name).unwrap_or_default();
        call.cwd = call.cwd.and_then(|cwd| self.share(&cwd));
        call.paths = self.stored(&call.paths);
        if let ReadFiles::File(path) | ReadFiles::Below(path) = &mut call.reads {
            match self.share(path) {
                Some(shared) => *path = shared,
                None => call.reads = ReadFiles::Any,
            }
        }
        let command = call.command.filter(|text| text.len() <= COMMAND_AT_MOST);
        call.command = command.filter(|text| self.keep(text.len() + TEXT));
        let draft = &mut self.drafts[run];
        let place = (run, draft.run.calls.len());
        call.time = draft.run.ended;
        draft.last = LastRecord::Call;
        draft.run.end = End::Unknown;
        draft.open.push(place.1);
        draft.run.calls.push(call);
        // A call without an id is always new, and no result belongs to it.
        if !id.is_empty() {
            self.calls.insert(self.hash(id), place);
        }
        Some(place)
    }

    fn stored(&mut self, paths: &[impl AsRef<str>]) -> Vec<String> {
        let short = paths.iter().map(AsRef::as_ref);
        let short = short.filter(|path: &&str| path.len() <= NAME_AT_MOST);
        let kept: Vec<&str> = short.take(PATHS_OF_CALL_AT_MOST).collect();
        if kept.len() < paths.len() {
            self.record_gap(Gap::TooMuch);
        }
        kept.iter().filter_map(|path| self.store(path)).collect()
    }

    /// Sets the paths that the client reports for a call: a hook may have replaced its arguments.
    pub(crate) fn report_paths(&mut self, place: CallPlace, paths: &[&str]) {
        let known = self.call_at(place);
        let is_first = !std::mem::replace(&mut known.has_reported_paths, true);
        if known.paths == paths {
            return;
        }
        if is_first {
            self.call_at(place).paths = self.stored(paths);
        } else {
            self.record_gap(Gap::SameId);
        }
    }

    /// Whether a command of the run has no result yet: it may still change the working directory.
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
        test_summary::note(call, output);
        self.result_at(place, outcome);
    }

    /// A call ends, perhaps in several records. The agent goes on, so its last text is not its answer.
    pub(crate) fn result_at(&mut self, place: CallPlace, outcome: Outcome) {
        self.clear_answer(place.0);
        self.call_at(place).outcome = outcome;
        let draft = &mut self.drafts[place.0];
        draft.last = LastRecord::Call;
        draft.open.retain(|at| *at != place.1);
    }
}

//! The receipt of a run: what its record shows, in one line for the agent's caller. It claims nothing: what the
//! record does not show stays unsaid.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use crate::clients::run::{Call, CallKind, End, Outcome, ReadFiles, Run, is_redacted};
use crate::evidence::assessment::span;
use crate::evidence::calls::{ReadCall, has_succeeded, read_calls};
use crate::evidence::place::whole;
use crate::evidence::repository::Repository;
use crate::evidence::subject::Subject;
use crate::evidence::tested::{TestReceipt, last_tests};
use crate::root::Root;
use crate::text::{count, cut, escape, names};

/// The most characters of the line. With the name of the program before it, it has less than 300.
const LINE_AT_MOST: usize = 290;

/// How long git may take for the files of one working tree.
const GIT_AT_MOST: Duration = Duration::from_millis(150);

const AGENT_AT_MOST: usize = 64;

/// Codex's tool that asks a running command for more output.
const POLL: &str = "write_stdin";

/// What the record of a run shows. None, and an empty list, is what it does not show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Receipt {
    /// The type of the agent.
    pub(crate) agent: Option<String>,
    pub(crate) ended: Option<RunEnd>,
    /// Tool calls, without one that hands in the return.
    pub(crate) calls: Option<usize>,
    /// The files that calls certainly wrote, and whether the record tells of each call of a file tool what it wrote.
    pub(crate) written: Vec<String>,
    pub(crate) are_all_known: bool,
    /// How many files calls read that name them.
    pub(crate) read: Option<usize>,
    pub(crate) commands: Option<usize>,
    pub(crate) tests: Option<TestReceipt>,
    /// Commits that shell commands certainly made.
    pub(crate) commits: Option<usize>,
    pub(crate) seconds: Option<u64>,
    /// Of the files that were written, those that git has not as they are.
    pub(crate) uncommitted: Option<usize>,
    /// The working tree that all of these are in, if it was made for this agent.
    pub(crate) work_tree: Option<String>,
    /// Files that the report names, and that are not there.
    pub(crate) not_there: Vec<String>,
}

names! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum RunEnd: "end of a run" {
        Answered = "answered",
        /// The last message is cut at the output limit of the model.
        OutputLimit = "output-limit",
        TurnLimit = "turn-limit",
        /// A limit of turns or of usage was reached.
        Limit = "limit",
        Error = "error",
        Interrupted = "interrupted",
        NotStarted = "not-started",
        /// It ended without a message.
        Nothing = "nothing",
    }
}

impl RunEnd {
    fn of(run: &Run) -> Option<Self> {
        let has_answer = || {
            let message = run.final_message.as_deref().unwrap_or_default();
            let mut calls = run.calls.iter();
            !message.trim().is_empty() || calls.any(|call| call.kind == CallKind::Answer)
        };
        match run.end {
            End::Answered if run.is_complete() && !has_answer() => Some(Self::Nothing),
            End::Answered => Some(Self::Answered),
            End::OutputLimit => Some(Self::OutputLimit),
            End::Limit => Some(Self::Limit),
            End::ApiError | End::Failed => Some(Self::Error),
            End::Interrupted => Some(Self::Interrupted),
            End::NotStarted => Some(Self::NotStarted),
            End::Unknown => None,
        }
    }

    /// How the run ended, unless it ended well.
    const fn words(self) -> Option<&'static str> {
        match self {
            Self::Answered => None,
            Self::OutputLimit => Some("cut by the output limit"),
            Self::TurnLimit => Some("ended at its turn limit"),
            Self::Limit => Some("ended at a limit"),
            Self::Error => Some("ended by an error"),
            Self::Interrupted => Some("interrupted"),
            Self::NotStarted => Some("never started"),
            Self::Nothing => Some("ended without a message"),
        }
    }
}

impl Receipt {
    /// The most files that are named.
    pub(crate) const NAMES: usize = 3;

    /// What the record of a run shows by itself. Paths are as in the calls, joined to their folders.
    pub(crate) fn of(run: &Run) -> Self {
        Self::of_calls(run, &read_calls(run, &[]))
    }

    fn of_calls(run: &Run, calls: &[ReadCall<'_>]) -> Self {
        let own = Self {
            agent: run.agent_type.clone(),
            ended: RunEnd::of(run),
            seconds: run.took().map(|it| it.as_secs()),
            ..Self::default()
        };
        if !run.is_complete() {
            return own;
        }
        let count = |is_it: fn(&Call) -> bool| calls.iter().filter(|it| is_it(it.call)).count();
        let mut written = Vec::new();
        let mut known = HashSet::new();
        for (call, write) in calls.iter().flat_map(|it| it.writes().map(move |write| (it, write))) {
            let path = whole(write.path, call.folder);
            let path = path.or_else(|| (!write.is_by_command).then(|| write.path.into()));
            let path = path.map(|it| it.to_string_lossy().into_owned());
            let path = path.filter(|_| write.is_done == Some(true));
            written.extend(path.filter(|it| known.insert(it.clone())));
        }
        Self {
            calls: Some(count(|it| it.kind != CallKind::Answer)),
            written,
            are_all_known: count(is_vague) == 0,
            read: read(run),
            commands: Some(count(|it| is_command(it) && &*it.name != POLL)),
            tests: last_tests(run, calls),
            commits: calls.iter().map(commits).sum(),
            ..own
        }
    }

    /// Whether a caller should know of it although nobody has asked.
    pub(crate) fn stands_out(&self) -> bool {
        self.calls == Some(0)
            || self.ended.and_then(RunEnd::words).is_some()
            || self.tests.as_ref().is_some_and(|it| !it.passed)
            || !self.not_there.is_empty()
            || self.work_tree.is_some()
    }

    /// The receipt in one line, with the name of the agent. None if there is nothing to say. `is_whole`: also what
    /// seldom matters.
    pub(crate) fn line(&self, agent: &str, is_whole: bool) -> Option<String> {
        let text = |names| self.text(names, is_whole);
        let agent = escape::truncated(agent).to_string();
        let head = format!("{}: ", cut(&agent, AGENT_AT_MOST));
        let fits = |text: &String| head.chars().count() + text.chars().count() <= LINE_AT_MOST;
        let shown = (0..=Self::NAMES).rev().map(text).find(fits);
        let shown = shown.unwrap_or_else(|| cut(&text(0), LINE_AT_MOST - AGENT_AT_MOST).to_owned());
        (!shown.is_empty()).then(|| head + &shown)
    }

    /// The receipt with the names of so many files.
    fn text(&self, names: usize, is_whole: bool) -> String {
        let some = |number: usize| Some(number).filter(|it| *it > 0);
        let whole = |number: Option<usize>| number.and_then(some).filter(|_| is_whole);
        let tree = self.work_tree.as_deref().map(escape::truncated);
        let only = tree.map_or_else(String::new, |it| format!(", only in {it}"));
        let parts = [
            self.ended.and_then(RunEnd::words).map(str::to_owned),
            (self.calls).map(|it| count(it, if it == 0 { "tool call" } else { "call" })),
            some(self.written.len()).map(|_| format!("wrote {}", listed(&self.written, names))),
            whole(self.read).map(|it| format!("read {}", count(it, "file"))),
            whole(self.commands).map(|it| format!("ran {}", count(it, "command"))),
            self.tests.as_ref().map(TestReceipt::text),
            whole(self.commits).map(|it| count(it, "commit")),
            (self.uncommitted.and_then(some))
                .map(|it| format!("not committed: {}{only}", count(it, "file"))),
            (self.seconds.filter(|_| is_whole)).map(|it| format!("took {}", span(it))),
        ];
        let run = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let run = Some(run + ".").filter(|it| it.len() > 1);
        let missing = some(self.not_there.len());
        let missing = missing.map(|_| format!("Not there: {}.", listed(&self.not_there, names)));
        run.into_iter().chain(missing).collect::<Vec<_>>().join(" ")
    }
}

fn is_command(call: &Call) -> bool {
    call.kind == CallKind::Command && call.outcome != Outcome::Rejected
}

/// Whether it is not known what a file tool wrote.
fn is_vague(call: &Call) -> bool {
    let is_unknown = call.outcome == Outcome::Unknown || call.paths.is_empty();
    let is_vague = is_unknown || call.paths.iter().any(|it| is_redacted(it));
    call.kind == CallKind::Write && is_vague
}

/// How many files calls read that name them. None if a call may have read others.
fn read(run: &Run) -> Option<usize> {
    let (mut files, mut is_vague) = (HashSet::new(), false);
    for call in (run.calls.iter()).filter(|it| it.outcome == Outcome::Succeeded) {
        match &call.reads {
            ReadFiles::File(path) => drop(files.insert(path)),
            ReadFiles::Any => return None,
            ReadFiles::Below(_) => is_vague = true,
            ReadFiles::None => {}
        }
    }
    // A tool that shows folders may show files, too.
    (!files.is_empty() || !is_vague).then_some(files.len())
}

/// The commits that a call certainly made. None if it may have made others.
fn commits(read: &ReadCall<'_>) -> Option<usize> {
    const WORDS: [&str; 5] = ["commit", "merge", "rebase", "cherry-pick", "revert"];
    let call = read.call;
    let may = |it: &String| it.contains("git") && WORDS.iter().any(|word| it.contains(word));
    let may_commit = is_command(call)
        && call.outcome != Outcome::Failed
        && call.command.as_ref().is_none_or(may);
    match &read.script {
        Some(script) if script.commits > 0 && has_succeeded(call) => Some(script.commits),
        _ => (!may_commit).then_some(0),
    }
}

/// `a.rs, b.rs and 3 more`, or `5 files`.
fn listed(files: &[String], most: usize) -> String {
    let shown = files.iter().take(most).map(|it| escape::full(it).to_string());
    let shown: Vec<_> = shown.collect();
    match (shown.split_last(), files.len() - shown.len()) {
        (None, all) => count(all, "file"),
        (Some((last, [])), 0) => last.clone(),
        (Some((last, rest)), 0) => format!("{} and {last}", rest.join(", ")),
        (_, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

impl Subject<'_> {
    /// The receipt of the agent whose report is `message`. None if its run is not known, and the report names no
    /// file that is not there.
    pub(crate) fn receipt(&self, root: &Root, message: &str) -> Option<Receipt> {
        let run = self.run().ok();
        let receipt = run.map(|run| Receipt::of_calls(run, self.own_calls()));
        if self.evidence.is_of_record_alone {
            return receipt;
        }
        let mut receipt = receipt.unwrap_or_default();
        if let Some(run) = run {
            self.add_uncommitted(&mut receipt, root, run);
        }
        let shown = |path: String| match root.below(Path::new(&path)) {
            Some(below) => below.to_string_lossy().into_owned(),
            None => path,
        };
        receipt.written = receipt.written.into_iter().map(shown).collect();
        // What a later call removed need not be named. Long after the run, anybody may have removed it.
        let is_kept = |path: &String| Path::new(path).is_absolute() || root.has(path);
        receipt.written.retain(|path| !self.evidence.is_own_clone() || is_kept(path));
        receipt.not_there = self.not_there(root, message);
        (run.is_some() || !receipt.not_there.is_empty()).then_some(receipt)
    }

    /// Asks git for the files that the agent wrote, in the project and in its own working tree.
    fn add_uncommitted(&self, receipt: &mut Receipt, root: &Root, run: &Run) {
        let own = run.details.work_tree.as_deref();
        let is_own = |path: &&String| own.is_some_and(|tree| Path::new(path).starts_with(tree));
        let (inside, others): (Vec<_>, Vec<_>) = receipt.written.iter().partition(is_own);
        let below = |path: &&String| Some(root.below(Path::new(path))?.to_str()?.to_owned());
        let in_root: Vec<_> = others.iter().filter_map(below).collect();
        let in_root: Vec<&str> = in_root.iter().map(String::as_str).collect();
        let in_root = match self.evidence.base.as_ref().map(|it| &it.repository) {
            _ if in_root.is_empty() => (others.is_empty() && !inside.is_empty()).then_some(0),
            Some(Ok(repository)) => repository.uncommitted(&in_root).ok(),
            _ => None,
        };
        let in_tree = match own {
            Some(tree) if !inside.is_empty() => {
                let paths = inside.iter().map(|it| Path::new(it).strip_prefix(tree));
                let paths = paths.filter_map(|it| it.ok()?.to_str()).collect::<Vec<_>>();
                let repository = Repository::find(Path::new(tree), GIT_AT_MOST);
                repository.and_then(|it| it.uncommitted(&paths)).ok()
            }
            _ => Some(0),
        };
        receipt.uncommitted = in_root.zip(in_tree).map(|(one, other)| one + other);
        if let (Some(tree), Some(0), Some(1..)) = (own, in_root, in_tree) {
            let at = tree.find(".claude/worktrees/").unwrap_or_default();
            receipt.work_tree = Some(tree[at..].to_owned());
        }
    }
}

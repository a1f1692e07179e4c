//! The receipt of a run: what its record shows, in one line for the agent's caller. It claims nothing: what the
//! record does not show stays unsaid.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use crate::clients::run::{
    Call, CallKind, End, Outcome, ReadFiles, Run, WriteEffect, is_code, is_redacted,
};
use crate::evidence::assessment::span;
use crate::evidence::place::{CallFolder, call_folders, has_succeeded};
use crate::evidence::repository::Repository;
use crate::evidence::shell;
use crate::evidence::subject::Subject;
use crate::evidence::tested::{TestReceipt, last_tests};
use crate::profile::paths::{code_span, link, split_lines};
use crate::root::Root;
use crate::text::{count, cut, escape, names};

/// The most characters of the line. With the name of the program before it, it has less than 300.
const LINE_AT_MOST: usize = 290;

/// The most files that are looked for.
const LOOKED_FOR_AT_MOST: usize = 256;

/// How long git may take for the files of one working tree.
const GIT_AT_MOST: Duration = Duration::from_millis(150);

const AGENT_AT_MOST: usize = 64;

/// Codex's tool that asks a running command for more output.
const POLL: &str = "write_stdin";

/// Folders whose files nobody's report is about.
const PASSED_OVER: &[&str] = &[".git", "node_modules"];

/// File extensions besides those of code.
const DOCUMENTS: &str = "adoc cfg conf css csv html ini ipynb json jsonl jsx lock md pdf png proto rst \
                         scss svg tf toml tsv txt xml yaml yml";

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
    pub(crate) fn of(run: &Run, test_runners: &[String]) -> Self {
        let mut receipt = Self {
            agent: run.agent_type.clone(),
            ended: RunEnd::of(run),
            seconds: seconds(run),
            ..Self::default()
        };
        if !run.is_complete() {
            return receipt;
        }
        let answers = run.calls.iter().filter(|it| it.kind == CallKind::Answer);
        receipt.calls = Some(run.calls.len() - answers.count());
        receipt.read = read(run);
        let commands = run.calls.iter().filter(|it| it.kind == CallKind::Command);
        let commands = commands.filter(|it| it.outcome != Outcome::Rejected && &*it.name != POLL);
        receipt.commands = Some(commands.count());
        receipt.tests = last_tests(run, test_runners);
        receipt.commits = Some(0);
        let is_vague = |it: &Call| {
            it.outcome == Outcome::Unknown
                || it.paths.is_empty()
                || it.paths.iter().any(|it| is_redacted(it))
        };
        let mut writes = run.calls.iter().filter(|it| it.kind == CallKind::Write);
        receipt.are_all_known = !writes.any(is_vague);
        let mut written = HashSet::new();
        for (call, folder) in run.calls.iter().zip(call_folders(run)) {
            let mut paths: Vec<&str> = Vec::new();
            let is_done = call.outcome == Outcome::Succeeded && call.effect == WriteEffect::Change;
            if call.kind == CallKind::Write && is_done {
                paths.extend(call.paths.iter().map(String::as_str));
            }
            // Most commands do neither, and are not read again for it.
            let may_matter =
                |it: &&str| [">", "tee", "commit"].iter().any(|mark| it.contains(mark));
            let command = call.command.as_deref().filter(may_matter);
            let script = command.map(|it| shell::scan(it, &[]));
            let made = script.as_ref().map_or(0, |it| it.commits);
            match receipt.commits {
                Some(commits) if has_succeeded(call) && made > 0 => {
                    receipt.commits = Some(commits + made);
                }
                _ if may_commit(call) => receipt.commits = None,
                _ => {}
            }
            let is_certain = has_succeeded(call) && matches!(folder, CallFolder::Known(_));
            if let Some(script) = script.as_ref().filter(|_| is_certain) {
                let certain = script.changes.iter().filter(|it| it.is_certain());
                paths.extend(certain.map(|it| &*it.path));
            }
            for path in paths {
                let path = match folder {
                    CallFolder::Known(folder) => Path::new(folder).join(path),
                    _ => path.into(),
                };
                let path = path.to_string_lossy().into_owned();
                if written.insert(path.clone()) {
                    receipt.written.push(path);
                }
            }
        }
        receipt
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

/// How many files calls read that name them. None if a call may have read others.
fn read(run: &Run) -> Option<usize> {
    let calls = run
        .calls
        .iter()
        .filter(|it| it.outcome == Outcome::Succeeded);
    let (mut files, mut is_vague) = (HashSet::new(), false);
    for call in calls {
        match &call.reads {
            ReadFiles::File(path) => {
                files.insert(path);
            }
            ReadFiles::Any => return None,
            ReadFiles::Below(_) => is_vague = true,
            ReadFiles::None => {}
        }
    }
    // A tool that shows folders may show files, too.
    (!files.is_empty() || !is_vague).then_some(files.len())
}

/// Whether a command may have made a commit.
fn may_commit(call: &Call) -> bool {
    const WORDS: [&str; 5] = ["commit", "merge", "rebase", "cherry-pick", "revert"];
    let may = |it: &String| it.contains("git") && WORDS.iter().any(|word| it.contains(word));
    let is_run = call.kind == CallKind::Command && call.outcome != Outcome::Rejected;
    is_run && call.outcome != Outcome::Failed && call.command.as_ref().is_none_or(may)
}

/// `a.rs, b.rs and 3 more`, or `5 files`.
fn listed(files: &[String], most: usize) -> String {
    let shown = files
        .iter()
        .take(most)
        .map(|it| escape::full(it).to_string());
    let shown: Vec<_> = shown.collect();
    match (shown.split_last(), files.len() - shown.len()) {
        (None, all) => count(all, "file"),
        (Some((last, [])), 0) => last.clone(),
        (Some((last, rest)), 0) => format!("{} and {last}", rest.join(", ")),
        (_, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

fn seconds(run: &Run) -> Option<u64> {
    let recorded = || run.ended?.duration_since(run.started?).ok();
    Some(run.details.duration.or_else(recorded)?.as_secs())
}

impl Subject<'_> {
    /// The receipt of the agent whose report is `message`. None if its run is not known, and the report names no
    /// file that is not there.
    pub(crate) fn receipt(&self, root: &Root, message: &str) -> Option<Receipt> {
        let run = self.run().ok();
        let receipt = run.map(|run| Receipt::of(run, &self.evidence.test_runners));
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
        receipt
            .written
            .retain(|path| !self.evidence.is_own_clone() || is_kept(path));
        receipt.not_there = self.not_there(root, message, run);
        (run.is_some() || !receipt.not_there.is_empty()).then_some(receipt)
    }

    /// Asks git for the files that the agent wrote, in the project and in its own working tree.
    fn add_uncommitted(&self, receipt: &mut Receipt, root: &Root, run: &Run) {
        let own = run.details.work_tree.as_deref();
        let is_own = |path: &&String| own.is_some_and(|tree| Path::new(path).starts_with(tree));
        let (inside, others): (Vec<_>, Vec<_>) = receipt.written.iter().partition(is_own);
        let below = |path: &String| Some(root.below(Path::new(path))?.to_str()?.to_owned());
        let of_root = || {
            let paths: Vec<_> = others.iter().filter_map(|path| below(path)).collect();
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let repository = self.evidence.base.as_ref()?.repository.as_ref().ok();
            match (&paths[..], repository) {
                ([], _) => (others.is_empty() && !inside.is_empty()).then_some(0),
                (paths, Some(repository)) => Some(repository.uncommitted(paths).ok()?.len()),
                (_, None) => None,
            }
        };
        let of_tree = || {
            let Some(tree) = own.filter(|_| !inside.is_empty()) else {
                return Some(0);
            };
            let repository = Repository::find(Path::new(tree), GIT_AT_MOST).ok()?;
            let paths = inside
                .iter()
                .filter_map(|it| Path::new(it).strip_prefix(tree).ok()?.to_str());
            Some(
                repository
                    .uncommitted(&paths.collect::<Vec<_>>())
                    .ok()?
                    .len(),
            )
        };
        let (in_root, in_tree) = (of_root(), of_tree());
        receipt.uncommitted = in_root.zip(in_tree).map(|(one, other)| one + other);
        if let (Some(tree), Some(0), Some(1..)) = (own, in_root, in_tree) {
            let at = tree.find(".claude/worktrees/").unwrap_or_default();
            receipt.work_tree = Some(tree[at..].to_owned());
        }
    }

    /// The files that a report in prose names, and that are nowhere below the root, unless the record shows that they
    /// were written or may show that they were removed.
    fn not_there(&self, root: &Root, message: &str, run: Option<&Run>) -> Vec<String> {
        let mut missing: Vec<String> = Vec::new();
        let base = self.evidence.base.as_ref();
        let repository = base.and_then(|it| it.repository.as_ref().ok());
        // In a part of a repository, a path may be meant from its top.
        let is_part = repository.is_some_and(|it| !it.is_at_top());
        if is_part || message.trim_start().starts_with(['{', '[']) {
            return missing;
        }
        for path in named_files(message) {
            let below = match Path::new(path) {
                it if it.is_absolute() => root.below(it),
                it => Some(it.to_owned()),
            };
            let Some(below) = below.as_deref().and_then(Path::to_str) else {
                continue;
            };
            let below = below.trim_start_matches("./").trim_end_matches('/');
            let is_known = below.is_empty() || missing.iter().any(|it| it == below);
            if !is_known
                && is_file_name(below)
                && !root.has(below)
                && !self.is_explained(root, below, run)
            {
                missing.push(below.to_owned());
            }
        }
        if missing.is_empty() {
            return missing;
        }
        // It may be named from another folder.
        let Some(files) = root.files_below(Path::new("."), PASSED_OVER) else {
            return Vec::new();
        };
        let files: Vec<_> = files.iter().map(|it| it.to_lowercase()).collect();
        let is_there = |path: &String| {
            let path = path.to_lowercase();
            // It may begin with a mark of a diff, or with the name of the root.
            let rest = path.split_once('/').map_or(&*path, |(_, rest)| rest);
            files.iter().any(|file| {
                let folder = file.strip_suffix(&*path);
                file == rest || folder.is_some_and(|it| it.is_empty() || it.ends_with('/'))
            })
        };
        missing.retain(|path| !is_there(path));
        missing
    }

    /// Whether the record shows that a file was there, or that it may have been removed since.
    fn is_explained(&self, root: &Root, path: &str, run: Option<&Run>) -> bool {
        let file = self.file(root, path);
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_it = |it: &str| Path::new(it).ends_with(path);
        let shows = |call: &Call| {
            call.paths.iter().any(|it| is_it(it))
                || matches!(&call.reads, ReadFiles::File(it) if is_it(it))
                // What a command does with it need not be known.
                || call.command.as_ref().is_some_and(|it| it.contains(name))
        };
        let mut trees = self.evidence.work_trees.iter();
        let writes = self.writes(&file);
        writes.of_file(&file).wrote.is_some()
            || writes.may_undo(&file)
            || run.is_some_and(|run| run.calls.iter().any(shows))
            || trees.any(|tree| tree.join(path).exists())
    }
}

/// Whether a path is certainly meant to be one of a file below the root: it leads into a folder, and its last part has
/// a known extension. Hidden files are seldom those of a project, and a name alone may be anywhere.
fn is_file_name(path: &str) -> bool {
    let (folder, _) = path.split_once('/').unwrap_or_default();
    let (_, ending) = path.rsplit_once('.').unwrap_or_default();
    let is_known = is_code(path) || DOCUMENTS.split(' ').any(|it| it == ending);
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    // Otherwise it is the name of a site.
    is_known && !is_hidden && !folder.is_empty() && !folder.contains('.')
}

/// What code spans, targets of links and items of lists name, outside of fenced code.
fn named_files(message: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in message.lines().map(str::trim_start) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        if is_code {
            continue;
        }
        let number = line.trim_start_matches(|it: char| it.is_ascii_digit());
        let numbered = || {
            number
                .strip_prefix(". ")
                .filter(|_| number.len() < line.len())
        };
        let item = line
            .strip_prefix("- ")
            .or_else(|| line.strip_prefix("* "))
            .or_else(numbered);
        let word = item.and_then(|it| it.split_whitespace().next());
        let word = word.map(|it| it.trim_matches(['*', '_', ':', ',', ';', '(', ')']));
        found.extend(word.filter(|it| it.contains('/')));
        let mut rest = line;
        while let Some(at) = rest.find(['`', '[']) {
            rest = &rest[at..];
            let marked = code_span(rest).or_else(|| link(rest));
            found.extend(marked.map(|(inside, _)| inside.split('#').next().unwrap_or(inside)));
            rest = marked.map_or(&rest[1..], |(_, rest)| rest);
        }
        if found.len() > LOOKED_FOR_AT_MOST {
            break;
        }
    }
    let is_path = |it: &&str| {
        let strange = |it: char| !it.is_alphanumeric() && !"/._-+@".contains(it);
        let is_odd = it.contains("..") || it.contains("//") || it.contains("path/to/");
        !it.is_empty() && !it.starts_with(['-', '~']) && !it.contains(strange) && !is_odd
    };
    let paths = found.into_iter().map(|it| split_lines(it).0);
    paths.filter(is_path).take(LOOKED_FOR_AT_MOST).collect()
}

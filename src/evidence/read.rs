//! Whether the agent has read a file that its return is about: what its calls, and its prompt, may have shown.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::clients::run::{CallKind, Completeness, Outcome, ReadFiles, Run, is_redacted};
use crate::evidence::assessment::{Assessment, CallLabel, EvidenceReason, lack};
use crate::evidence::calls::{CallFolder, ReadCall};
use crate::evidence::place::{ClaimedFile, ProjectPlaces, name_key};
use crate::evidence::shell;
use crate::evidence::subject::Subject;
use crate::root::Root;

/// What an agent may have seen. Made once for all files of a return.
pub(crate) struct SeenByAgent<'r> {
    run: &'r Run,
    shown: Vec<Shown>,
    prompt: Option<&'r str>,
    lines: HashSet<&'r str>,
    has_diff: bool,
    has_block: bool,
}

/// What a call may have shown, its index, and how it ended as far as that tells whether it did.
struct Shown {
    at: usize,
    outcome: Outcome,
    files: ShownFiles,
}

enum ShownFiles {
    Any,
    Below(PathBuf),
    /// A file by its place below the root, if that is known, and the key of its name, unless the place is certain.
    One(Option<PathBuf>, Option<String>),
}

const NO_PROMPT: &str = "the record does not have the prompt of the agent";
const MORE: &str = "the agent was given more than its prompt";
const IN_PROMPT: &str = "its prompt may contain it";

/// The most bytes of a file that are looked for in a prompt.
const BYTES_AT_MOST: u64 = 1 << 20;

impl Subject<'_> {
    /// What the agent may have seen. An error says why nothing is known of it.
    pub(crate) fn seen(&self, root: &Root) -> Result<SeenByAgent<'_>, &'static str> {
        const OF_DIFF: [&str; 3] = ["@@ ", "diff --git ", "+++ "];
        const OF_BLOCK: [&str; 3] = ["```", "~~~", "<"];
        let (run, places) = (self.run()?, self.file(root, "").places);
        let lines = || run.prompt.as_deref().unwrap_or_default().lines();
        let begins = |marks: [&str; 3]| {
            lines().any(|line| marks.iter().any(|mark| line.trim_start().starts_with(mark)))
        };
        let calls = self.own_calls().iter().enumerate();
        let shown = calls.flat_map(|(at, call)| shown(at, call, places));
        Ok(SeenByAgent {
            run,
            shown: shown.collect(),
            prompt: run.prompt.as_deref(),
            lines: lines().filter_map(content).collect(),
            has_diff: begins(OF_DIFF),
            has_block: begins(OF_BLOCK),
        })
    }
}

impl SeenByAgent<'_> {
    /// Whether a call read the file, searched a folder around it, or wrote it.
    pub(crate) fn assess(&self, file: &ClaimedFile<'_>, quote: Option<&str>) -> Assessment {
        let said = |it: &Shown, what| {
            CallLabel::new(self.run, it.at).reason(|call| format!("{call} {what}"))
        };
        let mut shown = self.shown.iter();
        if let Some(it) = shown.find(|it| it.has(file) == Some(true)) {
            return Assessment::shown(said(it, "read it, or searched where it is"));
        }
        if let Completeness::Partial(gap) = self.run.completeness {
            return Assessment::unknown(lack(gap));
        }
        if let Some(it) = self.shown.iter().find(|it| it.has(file).is_none()) {
            return Assessment::unknown(said(it, "may have shown it"));
        }
        if let Some(why) = self.without_a_call(file.places.root, &file.place, quote) {
            return Assessment::unknown(why);
        }
        Assessment::contradicted(EvidenceReason::no_call(self.run, "call", "read it", ""))
    }

    /// Why the agent may have seen a file, or what it quotes of it, without a call. A prompt that only names it is no
    /// reason.
    pub(crate) fn without_a_call(
        &self,
        root: &Root,
        path: &Path,
        quote: Option<&str>,
    ) -> Option<&'static str> {
        let Some(prompt) = self.prompt else {
            return Some(NO_PROMPT);
        };
        if is_for_agents(path) || self.run.was_told_more {
            return Some(MORE);
        }
        let is_attached = |(at, name): (usize, &str)| {
            let word = prompt[..at].rsplit(char::is_whitespace).next();
            let behind = &prompt[at + name.len()..];
            let line = behind.strip_prefix(':').or(behind.strip_prefix("#L"));
            word.is_some_and(|it| it.contains('@'))
                || line.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()))
        };
        let name = path.file_name().and_then(|it| it.to_str());
        let is_named = name.is_some_and(|name| {
            let mut named = prompt.match_indices(name);
            self.has_block && prompt.contains(name) || named.any(is_attached)
        });
        let is_copied = || {
            let bytes = root.read(path, BYTES_AT_MOST).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            let mut lines = text.lines().filter_map(content);
            lines.any(|line| self.lines.contains(line))
        };
        let is_quoted = quote.is_some_and(|quote| prompt.contains(quote.trim()));
        (self.has_diff || is_named || is_quoted || is_copied()).then_some(IN_PROMPT)
    }
}

impl Shown {
    /// Whether it shows a file. None if it may.
    fn has(&self, file: &ClaimedFile<'_>) -> Option<bool> {
        let is_done = (self.outcome == Outcome::Succeeded).then_some(true);
        match &self.files {
            ShownFiles::Any => None,
            ShownFiles::Below(place) if file.place.starts_with(place) => is_done,
            ShownFiles::Below(_) => Some(false),
            ShownFiles::One(Some(place), _) if *place == file.place => match self.outcome {
                Outcome::Failed => Some(false),
                _ => is_done,
            },
            ShownFiles::One(place, name) => {
                let own = file.place.as_os_str();
                // Some file systems ignore case.
                let is_alike = |it: &PathBuf| it.as_os_str().eq_ignore_ascii_case(own);
                let is_of_name = |name: &String| file.name_keys().any(|it| it == *name);
                let may_be = place.as_ref().is_some_and(is_alike);
                (!may_be && !name.as_ref().is_some_and(is_of_name)).then_some(false)
            }
        }
    }
}

/// What a call may have shown of the project.
fn shown(at: usize, read: &ReadCall<'_>, places: ProjectPlaces<'_>) -> Vec<Shown> {
    let (call, folder) = (read.call, read.folder);
    let find = |path: &str| places.find(path, folder).map(|found| found.place);
    let file = |path: &str| {
        let place = find(path);
        let is_anchored = path.starts_with('/') || folder != CallFolder::Known("");
        let is_certain = place.is_some() && is_anchored && path.is_ascii();
        // What is not of the project, and a patch, may show any file of it.
        let is_patch = [".diff", ".patch"].iter().any(|it| path.ends_with(it));
        if is_redacted(path) || is_patch || path.starts_with('/') && place.is_none() {
            return ShownFiles::Any;
        }
        ShownFiles::One(place, (!is_certain).then(|| name_key(path)))
    };
    let (mut outcome, any) = (call.outcome, || vec![ShownFiles::Any]);
    let files = match (call.kind, &call.reads) {
        _ if outcome == Outcome::Rejected => Vec::new(),
        (CallKind::Command, _) => {
            outcome = Outcome::Unknown;
            let is_known = matches!(folder, CallFolder::Known(_));
            let is_shell = is_known && !call.name.eq_ignore_ascii_case("powershell");
            let command = call.command.as_deref().filter(|_| is_shell);
            let paths = command.and_then(shell::operands);
            paths.map_or_else(any, |it| it.iter().map(|it| file(it)).collect())
        }
        (CallKind::Delegate | CallKind::Other, _) | (CallKind::ReadOnly, ReadFiles::Any) => any(),
        (CallKind::ReadOnly, ReadFiles::File(path)) => vec![file(path)],
        (CallKind::ReadOnly, ReadFiles::Below(path)) => vec![match find(path) {
            Some(place) if place == Path::new(".") => ShownFiles::Below(PathBuf::new()),
            Some(place) => ShownFiles::Below(place),
            // A folder that is not known, or of another machine.
            None => ShownFiles::Any,
        }],
        (CallKind::Write, _) => call.paths.iter().map(|it| file(it)).collect(),
        (CallKind::ReadOnly, ReadFiles::None) | (CallKind::Answer, _) => Vec::new(),
    };
    let files = files.into_iter();
    files.map(|files| Shown { at, outcome, files }).collect()
}

/// Whether clients show a file to agents by themselves: their instructions, or a part of their settings.
fn is_for_agents(path: &Path) -> bool {
    const NAMES: [&str; 5] = ["AGENTS", "CLAUDE", "GEMINI", "QWEN", "copilot-instructions"];
    let stem = path.file_stem().unwrap_or_default();
    let stem = stem.to_str().unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or_default();
    let mut parts = path.components();
    NAMES.contains(&stem) || parts.any(|it| it.as_os_str().as_encoded_bytes().starts_with(b"."))
}

/// A line without what may stand around it where it is copied. None if it says too little to be known again.
fn content(line: &str) -> Option<&str> {
    let is_around = |it: char| it.is_whitespace() || it.is_ascii_digit() || "+->|:→".contains(it);
    let line = line.trim_start_matches(is_around).trim_end();
    (line.len() >= 8).then_some(line)
}

//! What the calls of a run, and its prompt, may have shown to the agent.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::clients::run::{Call, CallKind, Outcome, ReadFiles, Run, is_redacted};
use crate::evidence::place::{CallFolder, ClaimedFile, ProjectPlaces, call_folders, name_key};
use crate::evidence::shell;
use crate::root::Root;

/// What a call may have shown of the project.
#[derive(Debug)]
pub(super) enum SeenInCall {
    /// Any file.
    Any,
    /// What is below a folder, or a file: with certainty if the call succeeded.
    Below(PathBuf, bool),
    /// A file by its place below the root, if that is known, and its name, unless the place is certain. How the call
    /// that was to show it ended.
    File(Option<PathBuf>, Option<String>, Outcome),
}

pub(crate) const NO_PROMPT: &str = "the record does not have the prompt of the agent";
const MORE: &str = "the agent was given more than its prompt";
const IN_PROMPT: &str = "its prompt may contain it";

/// Whether a file that a call showed may be this one, though its place is another, or is not known. Some file systems
/// ignore case.
pub(super) fn may_be(file: &ClaimedFile<'_>, place: Option<&Path>, name: Option<&str>) -> bool {
    let own = file.place.as_os_str();
    let is_alike = |place: &Path| place.as_os_str().eq_ignore_ascii_case(own);
    place.is_some_and(is_alike) || name.is_some_and(|name| file.name_keys().any(|it| it == name))
}

/// What the calls of a run may have shown, with their indices.
pub(super) fn all_shown(run: &Run, places: ProjectPlaces<'_>) -> Vec<(usize, SeenInCall)> {
    let calls = run.calls.iter().zip(call_folders(run)).enumerate();
    let calls = calls.filter(|(_, (call, _))| call.outcome != Outcome::Rejected);
    let all = calls.flat_map(|(at, (call, folder))| {
        shown(call, folder, places)
            .into_iter()
            .map(move |shown| (at, shown))
    });
    all.collect()
}

fn shown(call: &Call, folder: CallFolder<'_>, places: ProjectPlaces<'_>) -> Vec<SeenInCall> {
    let find = |path: &str| places.find(path, folder).map(|found| found.place);
    let file = |path: &str, outcome| {
        let place = find(path);
        let is_anchored = path.starts_with('/') || folder != CallFolder::Known("");
        let is_certain = place.is_some() && is_anchored && path.is_ascii();
        match is_redacted(path) {
            true => SeenInCall::Any,
            false => SeenInCall::File(place, (!is_certain).then(|| name_key(path)), outcome),
        }
    };
    match (call.kind, &call.reads) {
        (CallKind::Command, _) => {
            let is_known = matches!(folder, CallFolder::Known(_));
            let is_shell = is_known && !call.name.eq_ignore_ascii_case("powershell");
            let command = call.command.as_ref().filter(|_| is_shell);
            match command.and_then(|command| shell::operands(command)) {
                Some(paths) => paths.iter().map(|it| file(it, Outcome::Unknown)).collect(),
                None => vec![SeenInCall::Any],
            }
        }
        (CallKind::Delegate | CallKind::Other, _) | (CallKind::ReadOnly, ReadFiles::Any) => {
            vec![SeenInCall::Any]
        }
        (CallKind::ReadOnly, ReadFiles::File(path)) => vec![file(path, call.outcome)],
        (CallKind::ReadOnly, ReadFiles::Below(path)) => match find(path) {
            Some(place) => {
                let is_root = place == Path::new(".");
                let place = if is_root { PathBuf::new() } else { place };
                vec![SeenInCall::Below(place, call.outcome == Outcome::Succeeded)]
            }
            // A folder that is not known, or of another machine.
            None => vec![SeenInCall::Any],
        },
        (CallKind::Write, _) => call.paths.iter().map(|it| file(it, call.outcome)).collect(),
        (CallKind::ReadOnly, ReadFiles::None) | (CallKind::Answer, _) => Vec::new(),
    }
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

/// The prompt of an agent, as far as it may contain files.
pub(crate) struct GivenText<'r> {
    prompt: &'r str,
    lines: HashSet<&'r str>,
    has_diff: bool,
    has_block: bool,
    has_more: bool,
}

/// The most bytes of a file that are looked for in a prompt.
const BYTES_AT_MOST: u64 = 1 << 20;

impl<'r> GivenText<'r> {
    pub(super) fn new(prompt: &'r str, run: &Run) -> Self {
        const OF_DIFF: [&str; 3] = ["@@ ", "diff --git ", "+++ "];
        const OF_BLOCK: [&str; 3] = ["```", "~~~", "<"];
        let begins = |marks: [&str; 3]| {
            let mut lines = prompt.lines().map(str::trim_start);
            lines.any(|line| marks.iter().any(|mark| line.starts_with(mark)))
        };
        Self {
            prompt,
            lines: prompt.lines().filter_map(content).collect(),
            has_diff: begins(OF_DIFF),
            has_block: begins(OF_BLOCK),
            has_more: run.was_told_more,
        }
    }

    /// Why it may contain a file. None if it does not, whether or not it names the file.
    pub(crate) fn may_have(
        &self,
        root: &Root,
        path: &Path,
        quote: Option<&str>,
    ) -> Option<&'static str> {
        let name = path.file_name().and_then(|it| it.to_str());
        let name = name.filter(|name| self.prompt.contains(name));
        let is_attached = |name| {
            self.prompt.split(name).any(|it| {
                let word = it.rsplit(char::is_whitespace).next();
                word.is_some_and(|word| word.contains('@'))
            })
        };
        let is_line = |rest: &str| {
            let rest = rest.strip_prefix(':').or(rest.strip_prefix("#L"));
            rest.is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()))
        };
        let is_cited = |name: &str| self.prompt.split(name).skip(1).any(is_line);
        let is_named =
            name.is_some_and(|name| self.has_block || is_attached(name) || is_cited(name));
        let is_quoted = quote.is_some_and(|quote| self.prompt.contains(quote.trim()));
        let is_copied = || {
            let bytes = root.read(path, BYTES_AT_MOST).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            text.lines()
                .filter_map(content)
                .any(|line| self.lines.contains(line))
        };
        if is_for_agents(path) {
            Some("the client may have shown it to the agent")
        } else if self.has_more {
            Some(MORE)
        } else {
            (self.has_diff || is_named || is_quoted || is_copied()).then_some(IN_PROMPT)
        }
    }
}

/// A line without what may stand around it where it is copied. None if it says too little to be known again.
fn content(line: &str) -> Option<&str> {
    let is_around = |it: char| it.is_whitespace() || it.is_ascii_digit() || "+->|:→".contains(it);
    let line = line.trim_start_matches(is_around).trim_end();
    (line.len() >= 8).then_some(line)
}

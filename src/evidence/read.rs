//! Whether the agent has read a file that its return is about: what its calls, and its prompt, may have shown.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::clients::run::{Call, CallKind, Completeness, Outcome, ReadFiles, Run, is_redacted};
use crate::evidence::assessment::{Assessment, CallLabel, EvidenceReason, lack, used};
use crate::evidence::place::{CallFolder, ClaimedFile, ProjectPlaces, call_folders, name_key};
use crate::evidence::shell;
use crate::evidence::subject::Subject;
use crate::root::Root;

/// What an agent may have seen. Made once for all files of a return.
pub(crate) struct SeenByAgent<'r> {
    run: &'r Run,
    /// What its calls may have shown, with their indices.
    shown: Vec<(usize, SeenInCall)>,
    prompt: Option<&'r str>,
    lines: HashSet<&'r str>,
    has_diff: bool,
    has_block: bool,
}

/// What a call may have shown of the project.
#[derive(Debug)]
enum SeenInCall {
    /// Any file.
    Any,
    /// What is below a folder, or a file: with certainty if the call succeeded.
    Below(PathBuf, bool),
    /// A file by its place below the root, if that is known, and its name, unless the place is certain. How the call
    /// that was to show it ended.
    File(Option<PathBuf>, Option<String>, Outcome),
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
        let run = self.run()?;
        let prompt = run.prompt.as_deref();
        let lines = || prompt.unwrap_or_default().lines();
        let begins = |marks: [&str; 3]| {
            lines().any(|line| marks.iter().any(|mark| line.trim_start().starts_with(mark)))
        };
        Ok(SeenByAgent {
            run,
            shown: all_shown(run, self.file(root, "").places),
            prompt,
            lines: lines().filter_map(content).collect(),
            has_diff: begins(OF_DIFF),
            has_block: begins(OF_BLOCK),
        })
    }
}

impl SeenByAgent<'_> {
    /// Whether a call read the file, searched a folder around it, or wrote it.
    pub(crate) fn assess(&self, file: &ClaimedFile<'_>, quote: Option<&str>) -> Assessment {
        let said = |at, what| {
            let call = CallLabel::new(self.run, at);
            EvidenceReason::of(format!("{call} {what}"), call)
        };
        let mut maybe = None;
        for (at, shown) in &self.shown {
            let is_certain = match shown {
                SeenInCall::Below(place, is_certain) if file.place.starts_with(place) => {
                    *is_certain
                }
                SeenInCall::File(Some(place), _, outcome) if *place == file.place => {
                    match outcome {
                        Outcome::Failed | Outcome::Rejected => continue,
                        outcome => *outcome == Outcome::Succeeded,
                    }
                }
                SeenInCall::File(place, name, _)
                    if may_be(file, place.as_deref(), name.as_deref()) =>
                {
                    false
                }
                SeenInCall::Any => false,
                SeenInCall::Below(..) | SeenInCall::File(..) => continue,
            };
            if is_certain {
                return Assessment::shown(said(*at, "read it, or searched where it is"));
            }
            maybe = maybe.or(Some(*at));
        }
        if let Completeness::Partial(gap) = self.run.completeness {
            return Assessment::unknown(lack(gap));
        }
        if let Some(at) = maybe {
            return Assessment::unknown(said(at, "may have shown it"));
        }
        if let Some(why) = self.without_a_call(file.places.root, &file.place, quote) {
            return Assessment::unknown(why);
        }
        let used = used(self.run);
        let reason = EvidenceReason::from(format!("no call read it; the agent {used}"));
        let to_agent = format!("no call of yours read it; you {used}");
        Assessment::contradicted(reason.or_to_agent(to_agent))
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

/// Whether a file that a call showed may be this one, though its place is another, or is not known. Some file systems
/// ignore case.
fn may_be(file: &ClaimedFile<'_>, place: Option<&Path>, name: Option<&str>) -> bool {
    let own = file.place.as_os_str();
    let is_alike = |place: &Path| place.as_os_str().eq_ignore_ascii_case(own);
    place.is_some_and(is_alike) || name.is_some_and(|name| file.name_keys().any(|it| it == name))
}

/// What the calls of a run may have shown, with their indices.
fn all_shown(run: &Run, places: ProjectPlaces<'_>) -> Vec<(usize, SeenInCall)> {
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
        // What is not of the project, and a patch, may show any file of it.
        let is_patch = [".diff", ".patch"].iter().any(|it| path.ends_with(it));
        if is_redacted(path) || is_patch || path.starts_with('/') && place.is_none() {
            return SeenInCall::Any;
        }
        SeenInCall::File(place, (!is_certain).then(|| name_key(path)), outcome)
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

/// A line without what may stand around it where it is copied. None if it says too little to be known again.
fn content(line: &str) -> Option<&str> {
    let is_around = |it: char| it.is_whitespace() || it.is_ascii_digit() || "+->|:→".contains(it);
    let line = line.trim_start_matches(is_around).trim_end();
    (line.len() >= 8).then_some(line)
}

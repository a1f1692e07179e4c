//! Where the return of an agent is, if not in its final message: in a call of a tool, or in a file.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::check::rules::return_file::is_older;
use crate::clients::{Event, Moment};
use crate::document::Form;
use crate::profile::role::ReadMessage;
use crate::profile::words::is_given;
use crate::text::escape;
use crate::{Profile, Root};
use anyhow::Context as _;
use globset::{GlobBuilder, GlobMatcher};
use walkdir::{DirEntry, WalkDir};

use crate::cli::hook::case::Case;
use crate::cli::hook::options::{Held, ReturnTool};

/// The member of a call that is the return, where nothing else is said.
const MEMBER: &str = "/message";

/// The return that is handed in by a call, by this tool or else by one of the client's own.
pub(super) fn in_call(tool: Option<&ReturnTool>, event: &Event) -> Option<String> {
    let call = event.call.as_ref()?;
    let pointer = match tool {
        Some(tool) if !tool.names.is_match(&call.tool) => return None,
        Some(tool) => match &tool.pointer {
            Some(pointer) => return Some(call.value(pointer).unwrap_or_default()),
            None => MEMBER,
        },
        None => {
            let mut tools = event.client.facts().return_tools.iter();
            tools.find(|(name, _)| *name == call.tool)?.1
        }
    };
    let found = call.value(pointer).or_else(|| call.value(""));
    Some(found.unwrap_or_default())
}

/// What an agent returns, or why there is nothing.
pub(super) enum Returned {
    Message(String),
    File(WrittenFile),
    Missing(String),
}

pub(super) struct WrittenFile {
    pub(super) bytes: Vec<u8>,
    pub(super) path: PathBuf,
    pub(super) written: SystemTime,
}

/// The return of an agent that ends or hands it in, or whose caller gets the result.
pub(super) fn returned(held: &Held<'_>, root: &Root, case: &Case<'_>) -> anyhow::Result<Returned> {
    let (options, moment) = (held.options, case.event.moment);
    match (options.return_glob(moment), &options.tool) {
        (Some(glob), _) => newest(held, (glob, root), case),
        (None, Some(tool)) if moment == Moment::Stop => {
            let tool = escape::truncated(tool.name());
            let missing = format!("There is no call of {tool} by this agent");
            Ok(Returned::Missing(missing))
        }
        _ => Ok(Returned::Message(case.event.message.clone().unwrap_or_default())),
    }
}

impl Case<'_> {
    /// Whether a file was accepted as the return of another agent, and did not change.
    fn is_of_another(&self, file: &WrittenFile) -> bool {
        let mut others = self.session.known.agents.iter().filter(|it| it.key != self.record.key);
        let is_it = |(path, written): &(_, _)| (path, written) == (&file.path, &file.written);
        others.any(|it| it.file.as_ref().is_some_and(is_it))
    }
}

/// The newest file that matches and names the agent as its author, else the newest that names no author. A file
/// from before the start of the agent, or that was accepted as the return of another one, does not count.
fn newest(
    held: &Held<'_>,
    (glob, root): (&str, &Root),
    case: &Case<'_>,
) -> anyhow::Result<Returned> {
    let options = held.options;
    let shown = escape::truncated(glob);
    let folder = options.folder(&case.event);
    let below = Path::new(glob).strip_prefix(folder).ok().and_then(Path::to_str);
    let glob = below.unwrap_or(glob).trim_start_matches("./");
    let matcher = GlobBuilder::new(glob)
        .literal_separator(true)
        .build()
        .with_context(|| format!("cannot use the glob {shown}"))?
        .compile_matcher();
    let agent = case.event.agent.as_deref().unwrap_or_default();
    let mut unsigned = None;
    for (written, below) in matching(folder, glob, &matcher) {
        // It may have been moved in the meantime.
        let Ok(bytes) = root.read(&below, options.checker.max_bytes) else {
            continue;
        };
        let is_own = is_author(agent, held.profile, &bytes);
        let file = WrittenFile { bytes, path: folder.join(&below), written };
        let is_old = case.record.started.is_some_and(|it| is_older(written, it));
        if is_old || is_own == Some(false) || case.is_of_another(&file) {
            continue;
        }
        if is_own.is_some() {
            return Ok(Returned::File(file));
        }
        unsigned = unsigned.or(Some(file));
    }
    Ok(unsigned.map_or_else(
        || Returned::Missing(format!("No file written by this agent in this run matches {shown}")),
        Returned::File,
    ))
}

/// The files below a folder that match a glob, by their paths below it, the newest first.
fn matching(folder: &Path, glob: &str, matcher: &GlobMatcher) -> Vec<(SystemTime, PathBuf)> {
    // Every match is below the path before the first wildcard.
    let mut starts = Path::new(glob).ancestors().skip(1);
    let start = starts.find(|it| !it.to_string_lossy().contains(['*', '?', '[', '{']));
    let start = folder.join(start.unwrap_or(Path::new("")));
    // An agent can create symlinks.
    let resolved = [&*start, folder].map(|path| path.canonicalize().ok());
    if !matches!(resolved, [Some(start), Some(folder)] if start.starts_with(&folder)) {
        return Vec::new();
    }
    let is_kept = |it: &DirEntry| it.file_name() != ".git" && it.file_name() != "node_modules";
    let entries = WalkDir::new(start).into_iter().filter_entry(is_kept);
    let found = entries.flatten().filter_map(|entry| {
        let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        (entry.file_type().is_file() && matcher.is_match(below)).then(|| {
            let changed = entry.metadata().ok().and_then(|it| it.modified().ok());
            (changed.unwrap_or(SystemTime::UNIX_EPOCH), below.to_owned())
        })
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by(|one, other| other.cmp(one));
    found
}

/// Whether a return names the agent as its author, where its profile has the author. None if it names none.
fn is_author(agent: &str, profile: &Profile, bytes: &[u8]) -> Option<bool> {
    let text = std::str::from_utf8(bytes).ok()?;
    let tree = profile.read(text).ok()?;
    let message = ReadMessage::new(profile.form, text);
    let found = profile.roles.agent.as_ref()?.take(tree.root(), message);
    match &found.ok()?[..] {
        [one] if profile.form == Form::Text => Some(is_given(&one.text, agent)),
        [one] => Some(one.text == agent),
        _ => None,
    }
}

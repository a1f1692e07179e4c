//! Reads the transcripts of a history, one after another: of each run only its facts are kept.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use walkdir::{DirEntry, WalkDir};

use crate::audit::{AuditSources, AuditedRun, RunIndex};
use crate::cli::audit::AuditArgs;
use crate::cli::audit::checks::ReturnChecks;
use crate::cli::evidence::{read_sidecar, read_transcript};
use crate::cli::hook::options::is_checked;
use crate::cli::settings::Settings;
use crate::clients::Client;
use crate::clients::transcript::locate::beside;
use crate::clients::transcript::{Run, Transcript, TranscriptError};
use crate::text::escape;

/// A history that is being read.
struct History<'a> {
    args: &'a AuditArgs,
    checks: ReturnChecks<'a>,
    index: RunIndex,
    sources: AuditSources,
}

/// The runs of a history that the options ask for, and what was read.
pub(super) fn all(
    args: &AuditArgs,
    settings: &Settings,
) -> anyhow::Result<(Vec<AuditedRun>, AuditSources)> {
    let (own, missing) = histories();
    let paths = if args.paths.is_empty() { &own } else { &args.paths };
    let mut history = History {
        args,
        checks: ReturnChecks::new(args.profile.as_deref(), settings)?,
        index: RunIndex::default(),
        sources: AuditSources::default(),
    };
    for path in paths {
        path.metadata().with_context(|| format!("cannot read {}", escape::path(path)))?;
        let walk = WalkDir::new(path).sort_by_file_name().into_iter();
        for entry in walk.filter_entry(is_entered) {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => history.read(entry.path()),
                Err(_) => history.sources.unread += 1,
            }
        }
    }
    if history.sources.transcripts == 0 {
        if args.paths.is_empty() {
            bail!(missing);
        }
        let paths = escape::list(paths.iter().map(|it| it.to_string_lossy()));
        bail!("{paths} has no transcript of a known client that can be read");
    }
    Ok(history.finish())
}

impl History<'_> {
    fn read(&mut self, path: &Path) {
        match read_transcript(path) {
            Ok(transcript) => self.add(path, transcript),
            Err(TranscriptError::Read(_) | TranscriptError::Cut | TranscriptError::TooLarge) => {
                self.sources.unread += 1;
            }
            Err(_) => self.sources.other_files += 1,
        }
    }

    fn add(&mut self, path: &Path, transcript: Transcript) {
        let Transcript { client, mut runs, of_client, .. } = transcript;
        let sources = &mut self.sources;
        sources.clients.insert(client.as_str());
        sources.transcripts += 1;
        sources.bytes += path.metadata().map_or(0, |found| found.len());
        sources.of_client += of_client.len() as u64;
        complete(client, path, &mut runs);
        let checks = (0..runs.len()).map(|at| self.checks.check(client, at, &runs));
        let checks: Vec<_> = checks.collect();
        for (run, check) in runs.into_iter().zip(checks) {
            if let Some(mut facts) = AuditedRun::of(client, run) {
                self.sources.records += 1;
                facts.check = check.map(Box::new);
                self.index.add(facts);
            }
        }
    }

    fn finish(mut self) -> (Vec<AuditedRun>, AuditSources) {
        let mut runs = self.index.finish();
        let all = runs.len();
        runs.retain(|run| is_wanted(self.args, run));
        self.sources.left_out = (all - runs.len()) as u64;
        (runs, self.sources)
    }
}

fn is_entered(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    if entry.depth() == 0 {
        return true;
    }
    if entry.file_type().is_dir() {
        return !matches!(&*name, ".git" | "node_modules");
    }
    let is_transcript =
        name.ends_with(".jsonl") || name.ends_with(".json") && !name.ends_with(".meta.json");
    entry.file_type().is_file() && is_transcript
}

/// Adds what the place of a transcript says of its agent.
fn complete(client: Client, path: &Path, runs: &mut [Run]) {
    let sidecar = beside(path).sidecar;
    let sidecar = sidecar.and_then(|path| read_sidecar(&path));
    if let (Some(sidecar), Some(run)) = (sidecar, runs.first_mut()) {
        run.add_sidecar(&sidecar);
    }
    if client == Client::Gemini {
        // An agent's transcript is in a folder with the name of the session.
        let folder = path.parent().and_then(Path::file_name);
        let session = folder.map(|folder| folder.to_string_lossy().into_owned());
        let is_agent = |run: &&mut Run| run.depth != Some(0) && run.agent_id.is_some();
        for run in runs.iter_mut().filter(is_agent) {
            run.session = run.session.take().or_else(|| session.clone());
        }
    }
}

/// Whether the options ask for a run.
fn is_wanted(args: &AuditArgs, run: &AuditedRun) -> bool {
    let is_late = |since: SystemTime| run.began().is_some_and(|began| began >= since);
    let is_in_time = args.since.is_none_or(is_late);
    let folder = run.folder.as_deref().map(Path::new);
    let is_in = |wanted: &PathBuf| {
        let whole = std::path::absolute(wanted).unwrap_or_default();
        let is_it = |folder: &Path| {
            folder.starts_with(&whole) || folder.file_name() == Some(wanted.as_os_str())
        };
        folder.is_some_and(is_it)
    };
    let is_in_project = args.project.is_empty() || args.project.iter().any(is_in);
    let agent = run.agent.as_deref().unwrap_or_default();
    // Bad globs were refused before.
    let is_agent = is_checked(&args.agents, None, agent).ok().flatten().unwrap_or(true);
    is_in_time && is_in_project && is_agent
}

/// The histories of all clients that are there, and what to say if none has a transcript.
fn histories() -> (Vec<PathBuf>, String) {
    let variable = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let (mut found, mut looked_at) = (Vec::new(), Vec::new());
    for facts in Client::ALL.into_iter().map(Client::facts) {
        let Some(settings) = &facts.settings else {
            continue;
        };
        let own = settings.folder_variable.and_then(variable);
        let home = settings.home_variable.and_then(variable);
        let moved = own.or(home.map(|home| home.join(settings.folder)));
        for below in facts.histories {
            looked_at.push(match &moved {
                Some(moved) => escape::path(&moved.join(below)),
                None => format!("~/{}/{below}", settings.folder),
            });
            let in_home = || Some(variable("HOME")?.join(settings.folder));
            let place = moved.clone().or_else(in_home).map(|it| it.join(below));
            found.extend(place.filter(|place| place.is_dir()));
        }
    }
    let places = looked_at.join(", ");
    let missing =
        format!("there is no history of a client in {places}: name a folder with transcripts");
    (found, missing)
}

//! Reads the transcripts of a history, one after another: of each run only its facts are kept.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use walkdir::{DirEntry, WalkDir};

use crate::audit::{AgentTypes, AuditSources, AuditedRun, CheckedReturn, RunIndex};
use crate::cli::audit::AuditArgs;
use crate::cli::audit::checks::ReturnChecks;
use crate::cli::evidence::{read_sidecar, read_transcript};
use crate::cli::hook::options::is_checked;
use crate::cli::output::terminal::{ProgressLine, ProgressUnit};
use crate::cli::settings::Settings;
use crate::clients::Client;
use crate::clients::transcript::locate::beside;
use crate::clients::transcript::{OwnUse, Run, Transcript, TranscriptError};
use crate::text::escape;

/// A history that is being read.
struct History<'a> {
    args: &'a AuditArgs,
    checks: ReturnChecks<'a>,
    index: RunIndex,
    /// The types of agents as their callers' transcripts have them.
    types: AgentTypes,
    sources: AuditSources,
    /// Whether a file is a transcript, even of another client than the options name.
    has_transcripts: bool,
    progress: ProgressLine,
}

/// The runs of a history that the options ask for, and what was read.
pub(super) fn all(
    args: &AuditArgs,
    settings: &Settings,
) -> anyhow::Result<(Vec<AuditedRun>, AuditSources)> {
    let is_own = args.paths.is_empty();
    let (own, missing) = histories(&args.client);
    let paths = if is_own { &own } else { &args.paths };
    if paths.is_empty() {
        bail!(missing);
    }
    let mut history = History {
        args,
        checks: ReturnChecks::new(args.profile.as_deref(), settings)?,
        index: RunIndex::default(),
        types: AgentTypes::default(),
        sources: AuditSources::default(),
        has_transcripts: false,
        progress: ProgressLine::new(ProgressUnit::Bytes),
    };
    let files = history.files(paths)?;
    let callers = files.partition_point(|file| !is_of_agent(file));
    for (at, file) in files.iter().enumerate() {
        if at == callers {
            history.types = history.index.agent_types();
        }
        history.read(file);
    }
    history.progress.clear();
    if !history.has_transcripts {
        let paths = escape::list(paths.iter().map(|it| it.to_string_lossy()));
        match history.sources.unread.keys().next() {
            Some(why) => bail!("cannot read {paths}: {}", escape::truncated(why)),
            None if is_own => bail!(missing),
            None => bail!("{paths} has no transcript of a known client"),
        }
    }
    history.finish()
}

impl History<'_> {
    /// The files below paths that may be transcripts, callers before their agents: a caller's transcript
    /// names the type of an agent, which older transcripts of agents do not have.
    fn files(&mut self, paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for path in paths {
            let found = path.metadata();
            let found = found.with_context(|| format!("cannot read {}", escape::path(path)))?;
            if !found.is_dir() {
                files.push(path.clone());
                continue;
            }
            for entry in WalkDir::new(path).into_iter().filter_entry(is_entered) {
                match entry {
                    Ok(entry) if entry.file_type().is_file() => files.push(entry.into_path()),
                    Ok(_) => {}
                    Err(error) => {
                        let why = error.io_error().map(reason);
                        self.unread(why.unwrap_or_else(|| "a loop of links".to_owned()));
                    }
                }
            }
        }
        files.sort_by_cached_key(|path| (is_of_agent(path), path.clone()));
        files.dedup();
        Ok(files)
    }

    fn unread(&mut self, why: String) {
        *self.sources.unread.entry(why).or_default() += 1;
    }

    fn read(&mut self, path: &Path) {
        let bytes = path.metadata().map_or(0, |found| found.len());
        match read_transcript(path) {
            Ok(transcript) => self.add(path, bytes, transcript),
            Err(TranscriptError::Read(error)) => self.unread(reason(&error)),
            Err(TranscriptError::Cut | TranscriptError::TooLarge) => {
                self.unread("cut or too large".to_owned());
            }
            Err(_) => self.sources.other_files += 1,
        }
        let bytes = usize::try_from(bytes);
        self.progress.advance(bytes.unwrap_or(usize::MAX));
    }

    fn add(&mut self, path: &Path, bytes: u64, transcript: Transcript) {
        let Transcript { client, mut runs, of_client, .. } = transcript;
        self.has_transcripts = true;
        if !self.args.client.is_empty() && !self.args.client.contains(&client) {
            return;
        }
        let sources = &mut self.sources;
        sources.clients.insert(client.as_str());
        sources.transcripts += 1;
        sources.bytes += bytes;
        for run in &of_client {
            *match run.own_use {
                Some(OwnUse::Prewarming) => &mut sources.prewarming,
                Some(OwnUse::Compaction) => &mut sources.compaction,
                _ => &mut sources.other_agents,
            } += 1;
        }
        complete(client, path, &mut runs);
        let checks = (0..runs.len()).map(|at| self.check(client, &runs, at));
        let checks: Vec<_> = checks.collect();
        for (run, check) in runs.into_iter().zip(checks) {
            if let Some(mut facts) = AuditedRun::of(client, run) {
                self.sources.records += 1;
                facts.check = check.map(Box::new);
                self.index.add(facts);
            }
        }
    }

    fn check(&self, client: Client, runs: &[Run], at: usize) -> Option<CheckedReturn> {
        let run = runs.get(at).filter(|run| run.depth != Some(0))?;
        let known = || self.types.of(client, run.agent_id.as_deref()?);
        let agent = run.agent_type.as_deref().or_else(known);
        self.checks.check(client, agent, at, runs)
    }

    fn finish(mut self) -> anyhow::Result<(Vec<AuditedRun>, AuditSources)> {
        let mut runs = Vec::new();
        for run in self.index.finish() {
            if is_wanted(self.args, &run)? {
                runs.push(run);
                continue;
            }
            let is_undated = self.args.since.is_some() && run.began().is_none();
            self.sources.left_out += 1;
            self.sources.undated += u64::from(is_undated);
        }
        Ok((runs, self.sources))
    }
}

fn is_entered(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    if entry.file_type().is_dir() {
        return !matches!(&*name, ".git" | "node_modules");
    }
    name.ends_with(".jsonl") || name.ends_with(".json") && !name.ends_with(".meta.json")
}

/// Whether a file has the name that Claude Code gives to the transcript of an agent.
fn is_of_agent(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("agent-"))
}

/// Why a file could not be read, without its path.
fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        // Another kind has the text of retval itself.
        ErrorKind::Other => error.to_string(),
        kind => kind.to_string(),
    }
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
fn is_wanted(args: &AuditArgs, run: &AuditedRun) -> anyhow::Result<bool> {
    let is_late = |since: SystemTime| run.began().is_some_and(|began| began >= since);
    let is_in_time = args.since.is_none_or(is_late);
    let folder = run.recorded.details.cwd.as_deref().map(Path::new);
    let is_in = |wanted: &PathBuf| {
        let whole = std::path::absolute(wanted).unwrap_or_default();
        let is_it = |folder: &Path| {
            folder.starts_with(&whole) || folder.file_name() == Some(wanted.as_os_str())
        };
        folder.is_some_and(is_it)
    };
    let is_in_project = args.project.is_empty() || args.project.iter().any(is_in);
    let agent = run.recorded.agent_type.as_deref().unwrap_or_default();
    let is_agent = is_checked(&args.agents, None, agent)?.unwrap_or(true);
    Ok(is_in_time && is_in_project && is_agent)
}

/// The folders of these clients that are there, and what to say if none has a transcript. Without clients,
/// those of all.
fn histories(clients: &[Client]) -> (Vec<PathBuf>, String) {
    if clients == [Client::OpenCode] {
        let missing = "opencode keeps a database: `opencode export SESSION > FILE` writes a transcript, which you name";
        return (Vec::new(), missing.to_owned());
    }
    let variable = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let (mut found, mut looked_at) = (Vec::new(), Vec::new());
    let wanted = Client::ALL.into_iter();
    let wanted = wanted.filter(|client| clients.is_empty() || clients.contains(client));
    for facts in wanted.map(Client::facts) {
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

//! Reads the transcripts of a history, one after the other: of each run only its facts are kept.

use std::path::Path;
use std::time::SystemTime;

use anyhow::bail;
use retval::internal::audit::{AuditSources, AuditedRun, RunIndex};
use retval::internal::clients::Client;
use retval::internal::clients::transcript::locate::beside;
use retval::internal::clients::transcript::{Run, Transcript, TranscriptError};
use retval::internal::escape;

use super::checks::ReturnChecks;
use super::{AuditArgs, files, histories};
use crate::hook::scope::is_checked;
use crate::output::progress::{ProgressLine, ProgressUnit};
use crate::session_file;
use crate::settings::Settings;

/// The most characters of a return that `--show-text` shows.
const SHOWN: usize = 200;

/// The ids of the agents that summarise a conversation for Claude Code begin like this.
const COMPACTION: &str = "acompact-";

/// The runs of a history that the options ask for, and what was read.
pub(super) fn all(
    args: &AuditArgs,
    settings: &Settings,
) -> anyhow::Result<(Vec<AuditedRun>, AuditSources)> {
    let is_own = args.paths.is_empty();
    let found = is_own.then(|| histories::found(&args.client));
    let paths = found.as_deref().unwrap_or(&args.paths);
    if paths.is_empty() {
        bail!(histories::missing(&args.client));
    }
    let mut history = History {
        args,
        checks: ReturnChecks::new(args.profile.as_deref(), settings)?,
        index: RunIndex::default(),
        sources: AuditSources::default(),
        has_transcripts: false,
    };
    let unread = &mut history.sources.unread;
    let files = files::below(paths, |why| *unread.entry(why).or_default() += 1)?;
    let mut progress = ProgressLine::new(!args.hides_progress(settings), ProgressUnit::Bytes);
    for file in &files {
        let bytes = history.add(file);
        progress.advance(usize::try_from(bytes).unwrap_or(usize::MAX));
    }
    progress.finish();
    if !history.has_transcripts && !is_own {
        bail!(
            "{} has no transcript of a known client",
            escape::list(paths.iter().map(|it| it.to_string_lossy()))
        );
    }
    history.finish()
}

/// A history that is being read.
struct History<'a> {
    args: &'a AuditArgs,
    checks: ReturnChecks<'a>,
    index: RunIndex,
    sources: AuditSources,
    /// Whether a file is a transcript, even of another client than the options name.
    has_transcripts: bool,
}

impl History<'_> {
    /// Adds the runs of a file. Returns its size in bytes.
    fn add(&mut self, path: &Path) -> u64 {
        let bytes = path.metadata().map_or(0, |found| found.len());
        match session_file::read(path) {
            Ok(transcript) => {
                self.has_transcripts = true;
                if self.args.client.is_empty() || self.args.client.contains(&transcript.client) {
                    self.sources.transcripts += 1;
                    self.sources.bytes += bytes;
                    self.add_runs(path, transcript);
                }
            }
            Err(TranscriptError::Read(error)) => {
                let reason = files::reason(Some(&error));
                *self.sources.unread.entry(reason).or_default() += 1;
            }
            Err(TranscriptError::Cut | TranscriptError::TooLarge) => {
                let reason = "cut or too large".to_owned();
                *self.sources.unread.entry(reason).or_default() += 1;
            }
            Err(_) => self.sources.other_files += 1,
        }
        bytes
    }

    fn add_runs(&mut self, path: &Path, transcript: Transcript) {
        let Transcript {
            client,
            mut runs,
            of_client,
            ..
        } = transcript;
        for run in &of_client {
            let id = run.agent_id.as_deref().unwrap_or_default();
            if id.starts_with(COMPACTION) {
                self.sources.compaction += 1;
            } else {
                self.sources.prewarming += 1;
            }
        }
        let name = client.as_str().to_owned();
        if !self.sources.clients.contains(&name) {
            self.sources.clients.push(name);
        }
        let sidecar = beside(path).sidecar;
        if let (Some(sidecar), Some(run)) = (
            sidecar.and_then(|path| session_file::read_sidecar(&path)),
            runs.first_mut(),
        ) {
            run.add_sidecar(&sidecar);
        }
        if client == Client::Gemini {
            let folder = path.parent().and_then(Path::file_name);
            let session = folder.map(|folder| folder.to_string_lossy().into_owned());
            // An agent's transcript is in a folder with the name of the session.
            for run in runs
                .iter_mut()
                .filter(|run| run.depth != Some(0) && run.agent_id.is_some())
            {
                run.session = run.session.take().or(session.clone());
            }
        }
        for at in 0..runs.len() {
            let Some(mut facts) = AuditedRun::of(client, &runs[at]) else {
                continue;
            };
            self.sources.records += 1;
            let known = facts.agent_id.as_deref();
            let known = known.and_then(|id| self.index.agent_type(client, id));
            let agent = runs[at].agent_type.as_deref().or(known).map(str::to_owned);
            facts.check = self
                .checks
                .check(client, agent.as_deref(), at, &runs, facts.outcome);
            if self.args.show_text {
                facts.shown = Some(Box::new(shown(&runs[at])));
            }
            self.index.add(facts);
        }
    }

    fn finish(mut self) -> anyhow::Result<(Vec<AuditedRun>, AuditSources)> {
        self.sources.clients.sort_unstable();
        let mut runs = Vec::new();
        for run in self.index.finish() {
            let is_wanted = is_wanted(self.args, &run)?;
            let is_dated = run.began().is_some() || !has_period(self.args);
            self.sources.undated += u64::from(!is_dated);
            if is_wanted {
                runs.push(run);
            } else {
                self.sources.left_out += 1;
            }
        }
        Ok((runs, self.sources))
    }
}

/// What the caller calls the task, and how the return begins.
fn shown(run: &Run) -> [String; 2] {
    let description = run.details.description.as_deref().unwrap_or_default();
    let text = run.final_message.as_deref().unwrap_or_default();
    [description, text].map(|text| text.trim().chars().take(SHOWN).collect())
}

fn has_period(args: &AuditArgs) -> bool {
    args.since.is_some() || args.until.is_some()
}

/// Whether the options ask for a run.
fn is_wanted(args: &AuditArgs, run: &AuditedRun) -> anyhow::Result<bool> {
    let is_in_time = |time: SystemTime| {
        args.since.is_none_or(|since| time >= since) && args.until.is_none_or(|until| time < until)
    };
    let is_in_time = run.began().map_or(!has_period(args), is_in_time);
    let is_in_project = args.project.is_empty()
        || run.folder.as_deref().is_some_and(|folder| {
            let folder = Path::new(folder);
            let is_it = |wanted: &std::path::PathBuf| {
                let whole = std::path::absolute(wanted).unwrap_or_default();
                folder.starts_with(whole) || folder.file_name() == Some(wanted.as_os_str())
            };
            args.project.iter().any(is_it)
        });
    let agent = run.agent.as_deref().unwrap_or_default();
    let is_agent = is_checked(&args.agents, None, agent)?.unwrap_or(true);
    Ok(is_in_time && is_in_project && is_agent)
}

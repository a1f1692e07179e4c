//! Reads the transcripts of a history with several threads, and joins what they have in the order of the
//! files, so that the report is the same for any number of threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::SystemTime;

use crate::audit::{AgentTypes, AuditSources, AuditedRun, RunIndex};
use crate::text::escape;
use anyhow::bail;

use super::checks::ReturnChecks;
use super::file::{FileContent, FileRead, FileReader};
use super::{AuditArgs, files, histories};
use crate::cli::hook::scope::is_checked;
use crate::cli::output::progress::{ProgressLine, ProgressUnit};
use crate::cli::settings::Settings;

/// The most threads. Each needs the memory for one transcript.
const THREADS_AT_MOST: usize = 4;

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
        reader: FileReader {
            args,
            checks: ReturnChecks::new(args.profile.as_deref(), settings)?,
            types: AgentTypes::default(),
        },
        index: RunIndex::default(),
        sources: AuditSources::default(),
        has_transcripts: false,
        progress: ProgressLine::new(ProgressUnit::Bytes),
    };
    let unread = &mut history.sources.unread;
    let files = files::below(paths, |why| *unread.entry(why).or_default() += 1)?;
    let callers = files.partition_point(|file| !files::is_of_agent(file));
    history.read(&files[..callers]);
    history.reader.types = history.index.agent_types();
    history.read(&files[callers..]);
    history.progress.clear();
    if !history.has_transcripts {
        let paths = escape::list(paths.iter().map(|it| it.to_string_lossy()));
        match history.sources.unread.keys().next() {
            Some(why) => bail!("cannot read {paths}: {}", escape::truncated(why)),
            None if is_own => bail!(histories::missing(&args.client)),
            None => bail!("{paths} has no transcript of a known client"),
        }
    }
    history.finish()
}

/// A history that is being read.
struct History<'a> {
    reader: FileReader<'a>,
    index: RunIndex,
    sources: AuditSources,
    /// Whether a file is a transcript, even of another client than the options name.
    has_transcripts: bool,
    progress: ProgressLine,
}

impl History<'_> {
    /// Reads files with several threads, and adds what they have in the order of the files.
    fn read(&mut self, files: &[PathBuf]) {
        let Self {
            reader,
            index,
            sources,
            has_transcripts,
            progress,
        } = self;
        let (reader, next) = (&*reader, &AtomicUsize::new(0));
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let (sender, receiver) = mpsc::sync_channel(THREADS_AT_MOST);
        std::thread::scope(|scope| {
            for _ in 0..cores.min(THREADS_AT_MOST) {
                let sender = sender.clone();
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(file) = files.get(at) else { break };
                        if sender.send((at, reader.read(file))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut early, mut due) = (BTreeMap::new(), 0);
            for (at, file) in receiver {
                early.insert(at, file);
                while let Some(file) = early.remove(&due) {
                    due += 1;
                    progress.advance(usize::try_from(file.bytes).unwrap_or(usize::MAX));
                    *has_transcripts |= add(file, index, sources);
                }
            }
        });
    }

    fn finish(mut self) -> anyhow::Result<(Vec<AuditedRun>, AuditSources)> {
        let args = self.reader.args;
        self.sources.clients.sort_unstable();
        let mut runs = Vec::new();
        for run in self.index.finish() {
            let is_undated = run.began().is_none() && has_period(args);
            self.sources.undated += u64::from(is_undated);
            if is_wanted(args, &run)? {
                runs.push(run);
            } else {
                self.sources.left_out += 1;
            }
        }
        Ok((runs, self.sources))
    }
}

/// Adds what a file has. Returns whether it is a transcript.
fn add(file: FileRead, index: &mut RunIndex, sources: &mut AuditSources) -> bool {
    match file.content {
        FileContent::Transcript {
            client,
            runs,
            prewarming,
            compaction,
        } => {
            let name = client.as_str();
            if !sources.clients.iter().any(|known| known == name) {
                sources.clients.push(name.to_owned());
            }
            sources.transcripts += 1;
            sources.bytes += file.bytes;
            sources.prewarming += prewarming;
            sources.compaction += compaction;
            sources.records += runs.len() as u64;
            for run in runs {
                index.add(run);
            }
            return true;
        }
        FileContent::OfOtherClient => return true,
        FileContent::Other => sources.other_files += 1,
        FileContent::Unread(why) => *sources.unread.entry(why).or_default() += 1,
    }
    false
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
    let is_agent = is_checked(&args.agents, None, agent)?.unwrap_or(true);
    Ok(is_in_time && is_in_project && is_agent)
}

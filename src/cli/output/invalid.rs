//! Invalid returns that are recorded in the error log, saved whole, or both.

use std::fs::DirBuilder;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::Report;
use crate::error_log::{self, FailedAgent, HookCall, Occurrence};
use crate::format::Source;
use crate::text::escape;
use anyhow::Context as _;

use crate::cli::output::place::{Rights, new_file, try_folder};

/// Most names that are tried for one file.
const NAMES_AT_MOST: u32 = 100;

/// Records and saves the invalid returns of a run. Workers share it.
pub(crate) struct Recorder {
    count: AtomicU64,
    is_logged: bool,
    folder: Option<SavedReturns>,
    /// The call of a hook that all of them are found in.
    hook: Option<HookCall>,
}

/// Fails if returns could not be saved in the folder now. Makes nothing.
pub(crate) fn try_place(folder: &Path) -> anyhow::Result<()> {
    try_folder(folder).with_context(|| failure(folder))
}

fn failure(folder: &Path) -> String {
    format!("cannot save invalid returns in {}", escape::path(folder))
}

struct SavedReturns {
    folder: PathBuf,
    /// Whether saving failed. Only the first failure is reported: the next ones would be the same.
    has_failed: AtomicBool,
}

impl Recorder {
    /// None if invalid returns are neither recorded nor saved.
    pub(crate) fn new(errors_json: Option<&Path>, save_invalid: Option<&Path>) -> Option<Self> {
        if errors_json.is_none() && save_invalid.is_none() {
            return None;
        }
        Some(Self {
            count: AtomicU64::default(),
            is_logged: errors_json.is_some(),
            folder: save_invalid.map(|folder| SavedReturns {
                folder: folder.to_owned(),
                has_failed: AtomicBool::new(false),
            }),
            hook: None,
        })
    }

    pub(crate) fn in_hook(self, hook: HookCall) -> Self {
        Self {
            hook: Some(hook),
            ..self
        }
    }

    /// Saves an invalid return, and adds its record, if there is a log, to `records`.
    pub(crate) fn add(
        &self,
        report: &Report<'_>,
        source: &Source<'_>,
        returned: Option<&[u8]>,
        records: &mut Vec<String>,
    ) -> anyhow::Result<()> {
        let mut invalid = self.occurrence(source, returned);
        let saved = match (&self.folder, returned) {
            (Some(folder), Some(bytes)) => folder.save(&invalid.id, bytes),
            _ => Ok(None),
        };
        let failure = saved.map(|saved| invalid.saved = saved);
        if self.is_logged {
            records.push(error_log::record(report, &invalid));
        }
        failure
    }

    /// Adds the record of an agent that left no return, if there is a log, to `records`.
    pub(crate) fn add_agent(
        &self,
        agent: &FailedAgent<'_>,
        source: &Source<'_>,
        records: &mut Vec<String>,
    ) {
        if self.is_logged {
            records.push(agent.record(&self.occurrence(source, None)));
        }
    }

    fn occurrence<'r>(&self, source: &Source<'r>, returned: Option<&'r [u8]>) -> Occurrence<'r> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let found = jiff::Timestamp::now();
        let (milliseconds, process) = (found.as_millisecond(), std::process::id());
        Occurrence {
            id: format!("err_{milliseconds}_{process:x}_{number:x}"),
            timestamp: found.to_string(),
            source: *source,
            returned,
            saved: None,
            hook: self.hook.clone(),
        }
    }
}

impl SavedReturns {
    /// Saves a return. Returns the path of its file. None if an earlier return could not be saved.
    fn save(&self, id: &str, bytes: &[u8]) -> anyhow::Result<Option<String>> {
        if self.has_failed.load(Ordering::Relaxed) {
            return Ok(None);
        }
        match self.write(id, bytes) {
            Ok(path) => Ok(Some(path.to_string_lossy().into_owned())),
            Err(_) if self.has_failed.swap(true, Ordering::Relaxed) => Ok(None),
            Err(error) => Err(error).with_context(|| failure(&self.folder)),
        }
    }

    /// Writes a new file and returns its path. No part of the path comes from the return, and no file is
    /// replaced.
    fn write(&self, id: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        create_folder(&self.folder)?;
        let mut new = new_file(&self.folder.join(id), Rights::Private)?;
        new.as_file().write_all(bytes)?;
        new.as_file().sync_all()?;
        for number in 1..=NAMES_AT_MOST {
            let path = self.folder.join(match number {
                1 => format!("{id}.json"),
                _ => format!("{id}_{number}.json"),
            });
            match new.persist_noclobber(&path) {
                Ok(_) => return Ok(path),
                Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => new = taken.file,
                Err(failed) => return Err(failed.error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

/// Creates the folder if it is missing. Only its owner may enter a new one.
fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    // Returns may have secrets. Only Unix has these permissions.
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

//! `--baseline` and `--update-baseline`: the file of accepted findings.

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::Report;
use crate::cli::files::{folder_of, lock, replace, target};
use crate::log::baseline::{self, Baseline, EMPTY};
use crate::report::Source;
use crate::text::{count, escape};

/// The most bytes of a baseline.
const BYTES_AT_MOST: u64 = 256 * 1024 * 1024;

pub(crate) struct RunBaseline {
    path: PathBuf,
    /// The path as it was given, safe to print.
    name: String,
    /// The folder that the names of its sources are relative to.
    folder: PathBuf,
    accepted: Baseline,
    is_updated: bool,
    /// The rules that are off in this run. Their entries are not stale.
    rules_off: Vec<&'static str>,
}

impl RunBaseline {
    pub(crate) fn open(
        path: &Path,
        is_updated: bool,
        rules_off: Vec<&'static str>,
    ) -> anyhow::Result<Self> {
        let name = escape::path(path);
        let path = target(path);
        let accepted = match fs::File::open(&path) {
            Ok(file) => read(&file).with_context(|| format!("cannot use the baseline {name}"))?,
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot read the baseline {name}"));
            }
            Err(_) if is_updated => Baseline::new(),
            Err(error) => {
                bail!("cannot read the baseline {name}: {error}; --update-baseline writes it")
            }
        };
        Ok(Self { folder: absolute(folder_of(&path)), path, name, accepted, is_updated, rules_off })
    }

    /// Removes the accepted findings from a report on a return, and adds to `found` what the baseline is to
    /// know of it at the end.
    pub(crate) fn apply(
        &self,
        (path, line): (&Path, Option<usize>),
        report: &mut Report,
        found: &mut Baseline,
    ) {
        let Some(name) = self.relative(path) else {
            return;
        };
        let source = Source::new(&name).at_line(line);
        let mut own = baseline::apply(&self.accepted, &source, report, &self.rules_off);
        if self.is_updated {
            report.accept(|_| true);
        } else {
            // Nothing is kept of the new findings of a long stream.
            own.retain(|key, _| self.accepted.contains_key(key));
        }
        found.extend(own);
    }

    /// The name of a source in the baseline. It does not depend on the current folder. None if it is not UTF-8:
    /// two files could have the same one.
    fn relative(&self, path: &Path) -> Option<String> {
        let absolute = match path.file_name() {
            Some(file) if path.as_os_str() != "-" => absolute(folder_of(path)).join(file),
            _ => path.to_owned(),
        };
        let below = absolute.strip_prefix(&self.folder);
        below.unwrap_or(&absolute).to_str().map(str::to_owned)
    }

    fn is_gone(&self, source: &str) -> bool {
        source != "-" && !self.folder.join(source).exists()
    }

    /// Writes the new baseline if this run updates it. Returns notes about the update, or about stale
    /// entries.
    pub(crate) fn finish(&self, found: &Baseline) -> anyhow::Result<Vec<String>> {
        let name = &self.name;
        if !self.is_updated {
            return Ok(self.stale(found));
        }
        let updated = self.update(found);
        updated.with_context(|| format!("cannot write the baseline {name}"))?;
        let checked = self.accepted.iter().filter(|it| found.contains_key(it.0));
        let before: usize = checked.map(|it| it.1.count).sum();
        let now = count(found.values().map(|it| it.count).sum(), "finding");
        Ok(vec![format!(
            "{name}: written, {now} accepted in the checked returns (before: {before})"
        )])
    }

    /// Writes the new baseline. Another run may have updated the file since it was opened: its changes
    /// are kept.
    fn update(&self, found: &Baseline) -> anyhow::Result<()> {
        let file = lock(&self.path, EMPTY.as_bytes())?;
        let text = baseline::updated(read(&file)?, found, |source| self.is_gone(source));
        replace(&self.path, text.as_bytes(), Some(&file.metadata()?))?;
        Ok(())
    }

    fn stale(&self, found: &Baseline) -> Vec<String> {
        let stale = baseline::stale(&self.accepted, found, |source| self.is_gone(source));
        let note = format!(
            "{}: findings that it accepts are gone ({}): --update-baseline removes them, and accepts all new findings",
            self.name,
            count(stale, "kind")
        );
        (stale > 0).then_some(note).into_iter().collect()
    }
}

fn absolute(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

fn read(file: &fs::File) -> anyhow::Result<Baseline> {
    let mut text = String::new();
    let size = file.take(BYTES_AT_MOST + 1).read_to_string(&mut text)?;
    if size as u64 > BYTES_AT_MOST {
        bail!("it is larger than {BYTES_AT_MOST} bytes");
    }
    baseline::parse(&text).map_err(anyhow::Error::msg)
}

//! `--baseline` and `--update-baseline`: accepted findings.

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::Report;
use crate::cli::files::{folder_of, lock, replace, target};
use crate::log::baseline::{self, Baseline, EMPTY, FoundCounts};
use crate::report::Source;
use crate::text::escape;

/// The most bytes of a baseline.
const BYTES_AT_MOST: u64 = 256 * 1024 * 1024;

/// The most stale entries that are listed one by one.
const LISTED: usize = 20;

pub(crate) struct RunBaseline {
    path: PathBuf,
    /// The path as it was given, safe to print.
    name: String,
    /// The folder that the names of its sources are relative to.
    folder: PathBuf,
    baseline: Baseline,
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
        let folder = absolute(folder_of(&path));
        let baseline = match fs::File::open(&path) {
            Ok(file) => read(&file).with_context(|| format!("cannot use the baseline {name}"))?,
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot read the baseline {name}"));
            }
            Err(_) if is_updated => Baseline::default(),
            Err(error) => {
                bail!("cannot read the baseline {name}: {error}; --update-baseline writes it")
            }
        };
        Ok(Self {
            path,
            name,
            folder,
            baseline,
            is_updated,
            rules_off,
        })
    }

    /// Removes the accepted findings from a report on a return. For an update, adds all findings to
    /// `found`.
    pub(crate) fn apply(
        &self,
        (path, line): (&Path, Option<usize>),
        report: &mut Report,
        found: &mut FoundCounts,
    ) {
        let name = self.relative(path);
        let source = Source::new(&name).at_line(line);
        if self.is_updated {
            baseline::count(&source, report, found);
        }
        self.baseline.apply(&source, report, &self.rules_off);
        if self.is_updated {
            report.accept(|_| true);
        }
    }

    /// The name of a source in the baseline. It does not depend on the current folder.
    fn relative(&self, path: &Path) -> String {
        let Some(file) = path.file_name().filter(|_| path.as_os_str() != "-") else {
            return encode(path);
        };
        let absolute = absolute(folder_of(path)).join(file);
        let below = absolute.strip_prefix(&self.folder);
        encode(below.unwrap_or(&absolute))
    }

    fn is_gone(&self, source: &str) -> bool {
        source != "-" && !self.folder.join(decode(source)).exists()
    }

    /// Writes the new baseline if this run updates it. Returns notes about the update, or about stale
    /// entries.
    pub(crate) fn finish(&self, found: &FoundCounts) -> anyhow::Result<Vec<String>> {
        if !self.is_updated {
            return Ok(self.stale());
        }
        let (name, changes) = (&self.name, self.baseline.changes(found));
        let updated = self.update(found);
        updated.with_context(|| format!("cannot write the baseline {name}"))?;
        Ok(vec![format!("{name}: written, {changes}")])
    }

    /// Writes the new baseline. Another run may have updated the file since it was opened: its changes
    /// are kept.
    fn update(&self, found: &FoundCounts) -> anyhow::Result<()> {
        let file = lock(&self.path, EMPTY.as_bytes())?;
        let now = read(&file)?;
        let text = (self.baseline).updated(&now, found, |source| self.is_gone(source));
        replace(&self.path, text.as_bytes(), Some(&file.metadata()?))?;
        Ok(())
    }

    fn stale(&self) -> Vec<String> {
        let stale = self.baseline.stale(|source| self.is_gone(source));
        let name = &self.name;
        let mut lines = Vec::new();
        for (key, accepted, found) in stale.iter().take(LISTED) {
            let source = escape::truncated(&key.source);
            let line = key.line.map(|line| format!(":{line}")).unwrap_or_default();
            let rule = key.rule;
            lines.push(format!(
                "{source}{line} {rule}: {accepted} accepted, {found} found"
            ));
        }
        if let more @ 1.. = stale.len().saturating_sub(LISTED) {
            lines.push(format!(
                "{more} more entries accept findings that no longer exist"
            ));
        }
        if !stale.is_empty() {
            lines.push("--update-baseline removes entries that are no longer found".to_owned());
        }
        if self.baseline.is_old {
            let old = "it has the old version 1, which accepts any findings of a rule up to a number, new ones too: review the findings, then write it again with --update-baseline";
            lines.push(old.to_owned());
        }
        let lines = lines.iter().map(|line| format!("{name}: {line}"));
        lines.collect()
    }
}

fn absolute(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

fn read(file: &fs::File) -> anyhow::Result<Baseline> {
    let mut text = Vec::new();
    file.take(BYTES_AT_MOST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > BYTES_AT_MOST {
        bail!("it is larger than {BYTES_AT_MOST} bytes");
    }
    let Ok(text) = String::from_utf8(text) else {
        bail!("it is not UTF-8");
    };
    Baseline::parse(&text).map_err(anyhow::Error::msg)
}

/// The name of a source in a baseline. In a path that is not UTF-8, each invalid byte is written as NUL and two
/// hexadecimal digits. This is unambiguous, because no path contains NUL.
#[cfg(unix)]
fn encode(path: &Path) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt as _;
    let mut name = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(name, "\0{byte:02x}");
        }
    }
    name
}

#[cfg(unix)]
fn decode(name: &str) -> PathBuf {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;
    let mut parts = name.split('\0');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        bytes.extend(u8::from_str_radix(digits, 16));
        bytes.extend_from_slice(rest.as_bytes());
    }
    OsString::from_vec(bytes).into()
}

// On other systems, the name is the path as text.
#[cfg(not(unix))]
fn encode(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

// The reverse of [`encode`] on other systems.
#[cfg(not(unix))]
fn decode(name: &str) -> PathBuf {
    name.into()
}

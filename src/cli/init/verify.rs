//! `--verify`: whether the profiles of a file say what the definitions say, and check what they say.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::path::Path;

use anyhow::{Context as _, bail};
use toml::de::DeTable;

use super::cites::{Cites, Problem, Severity, text_of};
use super::definitions::text;
use super::mutations;
use crate::cli::exit::Exit;
use crate::cli::regular_file::{self, Links};
use crate::config::Config;
use crate::instruct::Instruction;
use crate::profile::Profile;
use crate::rule::{Level, Rule};
use crate::text::escape;
use crate::{Checker, Root};
use Severity::{Error, Warning};

/// The most bytes of a configuration or of an example.
const BYTES_AT_MOST: u64 = 1024 * 1024;

/// Rules about files that an example names, which need not be there.
const MISSING: [&str; 2] = ["artifact-not-found", "file-not-found"];

/// The rule that an example breaks by being the example.
const ECHO: &str = "return-echo";

/// The most findings that are told of one example.
const FINDINGS: usize = 5;

/// The wrong returns that a profile was tried with.
struct TriedMutations {
    /// The name of the profile, safe to print.
    profile: String,
    caught: usize,
    missed: Vec<String>,
}

/// What was found in a file.
pub(super) struct Verification {
    /// The path of the file, safe to print.
    file: String,
    problems: Vec<Problem>,
    tallies: Vec<TriedMutations>,
}

/// Verifies a file.
///
/// # Errors
///
/// If it cannot be read, or defines no profile.
pub(super) fn verify(path: &Path) -> anyhow::Result<Verification> {
    let file = escape::path(path);
    let cannot_read = || format!("cannot read {file}");
    let opened = regular_file::open(path, OpenOptions::new().read(true), Links::Followed);
    let read = opened.and_then(|it| text(it, BYTES_AT_MOST));
    let text = match read.with_context(cannot_read)? {
        Err(why) => bail!("{file} {why}"),
        Ok(text) => text,
    };
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut problems = Vec::new();
    let mut tallies = Vec::new();
    // A file that is not TOML has its mistakes told below.
    let table = DeTable::parse(&text)
        .map(toml::Spanned::into_inner)
        .unwrap_or_default();
    let profiles = table.get("profiles").and_then(|it| it.get_ref().as_table());
    let mut tables = Vec::new();
    let mut cites = Cites::new(&text, folder);
    for (name, own) in profiles.into_iter().flatten() {
        let line = 1 + text[..name.span().start].matches('\n').count();
        if let Some(table) = own.get_ref().as_table() {
            cites.check(table, &mut problems);
            tables.push((name.get_ref().as_ref(), table, line));
        }
    }
    match Config::parse_in(&text, folder) {
        Err(errors) => problems.extend(
            errors
                .as_slice()
                .iter()
                .map(|error| Problem::at(error.at.line, Error, error.message.clone())),
        ),
        Ok(_) if tables.is_empty() => {
            bail!("{file} defines no profiles: there is nothing to verify")
        }
        Ok(config) => {
            for custom in &config.profiles {
                let profile = &*custom.profile;
                let own = tables.iter().find(|it| it.0 == profile.id);
                if let (Some((_, table, line)), Some(_)) = (own, &profile.standard) {
                    let say = |severity, text| problems.push(Problem::at(*line, severity, text));
                    tallies.extend(try_profile(profile, table, folder, say)?);
                }
            }
        }
    }
    problems.sort_by_key(|it| it.line);
    Ok(Verification {
        file,
        problems,
        tallies,
    })
}

/// Tries the example, the counter-example, what is shown to the agent, and wrong returns, in a folder without
/// files. None without an example that passes.
fn try_profile(
    profile: &Profile,
    table: &DeTable<'_>,
    folder: &Path,
    mut say: impl FnMut(Severity, String),
) -> anyhow::Result<Option<TriedMutations>> {
    let empty = tempfile::tempdir().context("cannot make a temporary folder")?;
    let root = Root::open(empty.path())?;
    // The example is itself, and its files are not there.
    let strict = off(Checker::new(profile, &root), &[ECHO]);
    let checker = off(
        Checker::new(profile, &root),
        &[ECHO, MISSING[0], MISSING[1]],
    );
    let refuses = |text: &str| !checker.check(text).is_valid();
    let name = escape::full(&profile.id);

    if let Some(file) = text_of(table, "counter-example") {
        let shown = escape::full(file);
        match read(folder, file) {
            None => say(
                Error,
                format!(
                    "{name}: cannot read the counter-example {shown}: it must be a text file below the folder of this file"
                ),
            ),
            Some(text) if !refuses(&text) => say(
                Error,
                format!(
                    "{name}: the counter-example {shown} passes: make the profile refuse it, or write one that breaks the contract"
                ),
            ),
            Some(_) => {}
        }
    } else {
        say(
            Warning,
            format!(
                "{name} has no counter-example: add `counter-example = \"FILE\"` with a return that breaks the contract"
            ),
        );
    }

    let standard = profile.standard.as_deref();
    let Some(example) = standard.and_then(|it| it.example.as_deref()) else {
        say(
            Error,
            format!(
                "{name} has no example: add `example = \"FILE\"` with a return that keeps the contract"
            ),
        );
        return Ok(None);
    };
    let report = checker.check(example);
    for finding in report.findings.iter().take(FINDINGS) {
        let (line, column) = (finding.position.line, finding.position.column);
        let severity = if finding.level == Level::Error {
            Error
        } else {
            Warning
        };
        say(
            severity,
            format!(
                "{name}: the example breaks the profile at {line}:{column}: {}",
                finding.message()
            ),
        );
    }
    if !report.is_valid() {
        return Ok(None);
    }
    if Instruction::new(profile)
        .example()
        .is_ok_and(|it| refuses(&it))
    {
        say(
            Error,
            format!(
                "{name}: the example does not pass as `retval instruct` shows it: write it without invisible characters"
            ),
        );
    }

    let mutations = mutations::of(profile, example, report.status.as_deref());
    let tried = mutations.into_iter().map(|it| (refuses(&it.text), it.what));
    let found = strict.check(example);
    let has_files = MISSING.iter().any(|it| found.found(it) > 0) || report.claimed > 0;
    let missing = has_files.then(|| (!found.is_valid(), "a missing file".to_owned()));
    let (caught, missed): (Vec<_>, Vec<_>) = tried.chain(missing).partition(|it| it.0);
    if caught.is_empty() {
        say(
            Error,
            format!(
                "{name} refuses no wrong return: add what the definition demands (`at.status`, `required`), or remove the profile"
            ),
        );
    }
    Ok(Some(TriedMutations {
        profile: name.to_string(),
        caught: caught.len(),
        missed: missed.into_iter().map(|it| it.1).collect(),
    }))
}

fn read(folder: &Path, file: &str) -> Option<String> {
    let root = Root::open(folder).ok()?;
    let bytes = root.read(Path::new(file), BYTES_AT_MOST).ok()?;
    String::from_utf8(bytes).ok()
}

fn off<'c>(checker: Checker<'c>, rules: &[&str]) -> Checker<'c> {
    let rules = rules.iter().filter_map(|it| Rule::named(it));
    rules.fold(checker, |checker, rule| checker.rule(rule, Level::Off))
}

impl Verification {
    pub(super) fn exit(&self) -> Exit {
        if self.count(Error) > 0 {
            Exit::Invalid
        } else {
            Exit::Valid
        }
    }

    /// What people read.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            let word = match problem.severity {
                Error => "error",
                Warning => "warning",
            };
            let (file, line) = (&self.file, problem.line);
            let _ = writeln!(text, "{file}:{line}: {word}: {}", problem.text);
        }
        for tally in &self.tallies {
            let _ = writeln!(text, "{}", tally.text());
        }
        let count = |severity, word| {
            let count = self.count(severity);
            let s = if count == 1 { "" } else { "s" };
            format!("{count} {word}{s}")
        };
        let errors = count(Error, "error");
        let _ = writeln!(text, "{errors}, {}", count(Warning, "warning"));
        text
    }

    /// What the agent reads that writes the file.
    pub(super) fn feedback(&self) -> String {
        let file = &self.file;
        let mut text = if self.problems.is_empty() {
            format!("{file} passes.\n")
        } else {
            format!(
                "Correct {file}, then run `retval init --verify {file} --format feedback` again:\n"
            )
        };
        for problem in &self.problems {
            let _ = writeln!(text, "- line {}: {}", problem.line, problem.text);
        }
        if self.tallies.iter().any(|it| !it.missed.is_empty()) {
            text.push_str(
                "These returns pass. That is right only if the definition allows them:\n",
            );
        }
        for tally in self.tallies.iter().filter(|it| !it.missed.is_empty()) {
            let _ = writeln!(text, "- {}: {}", tally.profile, tally.missed.join(", "));
        }
        text
    }

    fn count(&self, severity: Severity) -> usize {
        let of = self.problems.iter().filter(|it| it.severity == severity);
        of.count()
    }
}

impl TriedMutations {
    fn text(&self) -> String {
        let all = self.caught + self.missed.len();
        let mut text = format!(
            "{}: catches {} of {all} mutations",
            self.profile, self.caught
        );
        if !self.missed.is_empty() {
            text = format!("{text}; not caught: {}", self.missed.join(", "));
        }
        text
    }
}

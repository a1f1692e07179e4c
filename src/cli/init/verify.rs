//! `--verify`: whether the profiles of a file say what the definitions say, and check what they say.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::path::Path;

use anyhow::{Context as _, bail};
use toml::de::DeTable;

use super::cites::{Cites, text_of};
use super::definitions::text;
use super::mutations;
use crate::cli::exit::Exit;
use crate::cli::regular_file::{self, Links};
use crate::config::Config;
use crate::profile::Profile;
use crate::rules::{Level, Rule};
use crate::text::escape;
use crate::{Checker, Instruction, Report, Root};

/// The most bytes of a configuration or of an example.
const BYTES_AT_MOST: u64 = 1024 * 1024;

/// Rules about files that an example names, which need not be there.
const MISSING: [&str; 2] = ["artifact-not-found", "file-not-found"];

/// The rule that an example breaks by being the example.
const ECHO: &str = "return-echo";

/// The most findings that are told of one example.
const FINDINGS: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Severity {
    Warning,
    Error,
}

/// What is wrong with a line.
#[derive(Debug)]
pub(super) struct Problem {
    line: usize,
    severity: Severity,
    /// Safe to print.
    text: String,
}

/// The wrong returns that a profile was tried with.
struct Tally {
    /// The name of the profile, safe to print.
    profile: String,
    caught: usize,
    missed: Vec<String>,
}

/// What was found in a file.
pub(super) struct Verdict {
    /// The path of the file, safe to print.
    file: String,
    problems: Vec<Problem>,
    tallies: Vec<Tally>,
}

impl Problem {
    pub(super) fn at(line: usize, severity: Severity, text: String) -> Self {
        Self {
            line,
            severity,
            text,
        }
    }

    pub(super) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Verifies a file.
///
/// # Errors
///
/// If it cannot be read, or defines no profile.
pub(super) fn verify(path: &Path) -> anyhow::Result<Verdict> {
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
                .map(|error| Problem::at(error.at.line, Severity::Error, error.message.clone())),
        ),
        Ok(_) if tables.is_empty() => {
            bail!("{file} defines no profiles: there is nothing to verify")
        }
        Ok(config) => {
            for custom in &config.profiles {
                let profile = &*custom.profile;
                let own = tables.iter().find(|it| it.0 == profile.id);
                if let (Some((_, table, line)), Some(_)) = (own, &profile.standard) {
                    let trial = Trial::new(profile, folder, *line)?;
                    tallies.extend(trial.run(table, &mut problems));
                }
            }
        }
    }
    problems.sort_by_key(|it| it.line);
    Ok(Verdict {
        file,
        problems,
        tallies,
    })
}

/// A profile that is tried with returns, in a folder without files.
struct Trial<'t> {
    profile: &'t Profile,
    folder: &'t Path,
    /// The line of the profile.
    line: usize,
    empty: tempfile::TempDir,
}

impl<'t> Trial<'t> {
    fn new(profile: &'t Profile, folder: &'t Path, line: usize) -> anyhow::Result<Self> {
        let empty = tempfile::tempdir().context("cannot make a temporary folder")?;
        Ok(Self {
            profile,
            folder,
            line,
            empty,
        })
    }

    /// Tries the example, the counter-example, what is shown to the agent, and wrong returns. None without an
    /// example.
    fn run(&self, table: &DeTable<'_>, problems: &mut Vec<Problem>) -> Option<Tally> {
        let root = Root::open(self.empty.path()).ok()?;
        let mut say =
            |severity, text: String| problems.push(Problem::at(self.line, severity, text));
        let name = escape::full(&self.profile.id).to_string();
        let example = self
            .profile
            .standard
            .as_ref()
            .and_then(|it| it.example.as_deref());
        match text_of(table, "counter-example").map(|file| (file, self.read(file))) {
            None => say(
                Severity::Warning,
                format!(
                    "{name} has no counter-example: add `counter-example = \"FILE\"` with a return that breaks the contract"
                ),
            ),
            Some((file, None)) => say(
                Severity::Error,
                format!(
                    "{name}: cannot read the counter-example {}: it must be a text file below the folder of this file",
                    escape::full(file)
                ),
            ),
            Some((file, Some(text))) if self.checker(&root).check(&text).is_valid() => say(
                Severity::Error,
                format!(
                    "{name}: the counter-example {} passes: make the profile refuse it, or write one that breaks the contract",
                    escape::full(file)
                ),
            ),
            Some(_) => {}
        }
        let Some(example) = example else {
            say(
                Severity::Error,
                format!(
                    "{name} has no example: add `example = \"FILE\"` with a return that keeps the contract"
                ),
            );
            return None;
        };
        let report = self.checker(&root).check(example);
        for (level, text) in findings(&report) {
            say(
                level,
                format!("{name}: the example breaks the profile at {text}"),
            );
        }
        let shown = Instruction::new(self.profile).skeleton();
        if report.is_valid() && !self.checker(&root).check(&shown).is_valid() {
            let why = "what `retval instruct` shows of the example does not pass: write the example without invisible characters";
            say(Severity::Error, format!("{name}: {why}"));
        }
        if !report.is_valid() {
            return None;
        }
        let mut tally = Tally {
            profile: name.clone(),
            caught: 0,
            missed: Vec::new(),
        };
        let mut count = |what: String, is_caught: bool| {
            if is_caught {
                tally.caught += 1;
            } else {
                tally.missed.push(what);
            }
        };
        for mutation in mutations::of(self.profile, example, report.status.as_deref()) {
            let report = self.checker(&root).check(&mutation.text);
            count(mutation.what, !report.is_valid());
        }
        let missing = off(Checker::new(self.profile, &root), ECHO);
        let found = missing.check(example);
        let has_files = MISSING.iter().any(|it| found.found(it) > 0) || report.claimed > 0;
        if has_files {
            count("a file that is missing".to_owned(), !found.is_valid());
        }
        if tally.caught == 0 {
            say(
                Severity::Error,
                format!(
                    "{name} refuses no wrong return: add what the definition demands (`at.status`, `required`), or remove the profile"
                ),
            );
        }
        Some(tally)
    }

    /// The example is itself, and its files are not there.
    fn checker<'r>(&'r self, root: &'r Root) -> Checker<'r> {
        let rules = MISSING.iter().chain([&ECHO]);
        let checker = Checker::new(self.profile, root);
        rules.fold(checker, |checker, rule| off(checker, rule))
    }

    fn read(&self, file: &str) -> Option<String> {
        let root = Root::open(self.folder).ok()?;
        let bytes = root.read(Path::new(file), BYTES_AT_MOST).ok()?;
        String::from_utf8(bytes).ok()
    }
}

fn off<'c>(checker: Checker<'c>, rule: &str) -> Checker<'c> {
    match Rule::named(rule) {
        Some(rule) => checker.rule(rule, Level::Off),
        None => checker,
    }
}

/// What a report says, each with its place in the return.
fn findings(report: &Report<'_>) -> Vec<(Severity, String)> {
    let findings = report.findings.iter().take(FINDINGS);
    findings
        .map(|it| {
            let severity = match it.level {
                Level::Error => Severity::Error,
                _ => Severity::Warning,
            };
            let (line, column) = (it.position.line, it.position.column);
            (severity, format!("{line}:{column}: {}", it.message()))
        })
        .collect()
}

impl Verdict {
    pub(super) fn exit(&self) -> Exit {
        if self.count(Severity::Error) > 0 {
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
                Severity::Error => "error",
                Severity::Warning => "warning",
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
        let errors = count(Severity::Error, "error");
        let _ = writeln!(text, "{errors}, {}", count(Severity::Warning, "warning"));
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

impl Tally {
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

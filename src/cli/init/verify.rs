//! `--verify`: whether the profiles of a file say what the definitions say, and check what they say.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use toml::Spanned;
use toml::de::DeTable;

use crate::cli::files::{folder_of, read_regular};
use crate::cli::init::cites::{Cites, Problem, error_count, text_of};
use crate::cli::init::definitions::text;
use crate::cli::init::mutations;
use crate::cli::output::Exit;
use crate::config::Config;
use crate::instruct::Instruction;
use crate::profile::Profile;
use crate::rule::{Level, Rule};
use crate::text::{count, escape};
use crate::{Checker, Root};

/// The most bytes of a configuration or of an example.
const BYTES_AT_MOST: u64 = 1024 * 1024;

/// Rules about files that an example names, which need not be there.
const MISSING: [&str; 2] = ["artifact-not-found", "file-not-found"];

const EXAMPLE: &str = "example";

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

/// Verifies a file. Fails if it cannot be read, or defines no profile.
pub(super) fn verify(path: &Path) -> anyhow::Result<Verification> {
    let file = escape::path(path);
    let read = read_regular(path).and_then(|it| text(it, BYTES_AT_MOST));
    let text = match read.with_context(|| format!("cannot read {file}"))? {
        Err(why) => bail!("{file} {why}"),
        Ok(text) => text,
    };
    let folder = folder_of(path);
    let mut problems = Vec::new();
    let mut tallies = Vec::new();
    // A file that is not TOML has its mistakes told below.
    let table = DeTable::parse(&text).map(Spanned::into_inner);
    let table = table.unwrap_or_default();
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
        Err(errors) => {
            for error in errors.as_slice() {
                problems.push(Problem::error(error.at.line, error.message.clone()));
            }
        }
        Ok(_) if tables.is_empty() => {
            bail!("{file} defines no profiles: there is nothing to verify")
        }
        Ok(config) => {
            for custom in &config.profiles {
                let profile = &*custom.profile;
                let own = tables.iter().find(|it| it.0 == profile.id);
                if let Some((_, table, line)) = own.filter(|_| profile.is_own()) {
                    let mut trial = Trial {
                        profile,
                        name: escape::full(&profile.id).to_string(),
                        table,
                        text: &text,
                        line: *line,
                        problems: &mut problems,
                    };
                    tallies.extend(trial.run(folder)?);
                }
            }
        }
    }
    problems.sort_by_key(|it| it.line);
    Ok(Verification { file, problems, tallies })
}

/// A profile that is tried in a folder without files.
struct Trial<'t> {
    profile: &'t Profile,
    /// Its name, safe to print.
    name: String,
    table: &'t DeTable<'t>,
    /// The whole file.
    text: &'t str,
    /// The line where it begins.
    line: usize,
    problems: &'t mut Vec<Problem>,
}

impl Trial<'_> {
    /// The line of the value of a key. That of the profile if it has no such key.
    fn line_of(&self, key: &str) -> usize {
        let value = self.table.get(key);
        value.map_or(self.line, |it| 1 + self.text[..it.span().start].matches('\n').count())
    }

    /// Adds what is wrong with a key, which goes on after the name of the profile.
    fn error(&mut self, key: &str, text: &str) {
        let text = self.name.clone() + text;
        self.problems.push(Problem::error(self.line_of(key), text));
    }

    fn warning(&mut self, key: &str, text: &str) {
        let text = self.name.clone() + text;
        self.problems.push(Problem::warning(self.line_of(key), text));
    }

    /// Tries the example, the counter-example, what is shown to the agent, and wrong returns. None without an
    /// example that passes.
    fn run(&mut self, folder: &Path) -> anyhow::Result<Option<TriedMutations>> {
        let profile = self.profile;
        let empty = tempfile::tempdir().context("cannot make a temporary folder")?;
        let root = Root::open(empty.path())?;
        // The example is itself, and its files are not there.
        let strict = off(Checker::new(profile, &root), &[ECHO]);
        let checker = off(Checker::new(profile, &root), &[ECHO, MISSING[0], MISSING[1]]);
        let refuses = |text: &str| !checker.check(text).is_valid();
        let refuses_counter = self.counter_example(folder, refuses);

        let Some(example) = profile.example.as_deref() else {
            self.error(
                EXAMPLE,
                " has no example: add `example = \"FILE\"` with a return that keeps the contract",
            );
            return Ok(None);
        };
        let report = checker.check(example);
        for finding in report.failures_first().take(FINDINGS) {
            let (at, message) = (finding.position, finding.message());
            let (line, column) = (at.line, at.column);
            let why = format!(": the example breaks the profile at {line}:{column}: {message}");
            match finding.level {
                Level::Error => self.error(EXAMPLE, &why),
                _ => self.warning(EXAMPLE, &why),
            }
        }
        if !report.is_valid() {
            return Ok(None);
        }
        let shown = Instruction::new(profile).example();
        if shown.is_ok_and(|it| refuses(&it)) {
            self.error(EXAMPLE, ": the example does not pass as `retval instruct` shows it: write it without invisible characters");
        }

        let mutations = mutations::of(profile, example, report.returned.status.as_deref());
        let tried = mutations.into_iter().map(|it| (refuses(&it.text), it.what));
        let found = strict.check(example);
        let has_files = MISSING.iter().any(|it| found.found(it) > 0) || report.claimed > 0;
        let missing = has_files.then(|| (!found.is_valid(), "a missing file".to_owned()));
        let (caught, missed): (Vec<_>, Vec<_>) = tried.chain(missing).partition(|it| it.0);
        if caught.is_empty() && !refuses_counter {
            self.error("", " refuses no wrong return: add what the definition demands (`at.status`, `required`), or remove the profile");
        }
        Ok(Some(TriedMutations {
            profile: self.name.clone(),
            caught: caught.len(),
            missed: missed.into_iter().map(|it| it.1).collect(),
        }))
    }

    /// Returns whether the profile refuses its counter-example.
    fn counter_example(&mut self, folder: &Path, refuses: impl Fn(&str) -> bool) -> bool {
        const KEY: &str = "counter-example";
        let Some(file) = text_of(self.table, KEY) else {
            self.warning(KEY, " has no counter-example: add `counter-example = \"FILE\"` with a return that breaks the contract");
            return false;
        };
        let root = Root::open(folder).ok();
        let bytes = root.and_then(|root| root.read(Path::new(file), BYTES_AT_MOST).ok());
        let file = escape::full(file);
        match bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
            None => self.error(KEY, &format!(
                ": cannot read the counter-example {file}: it must be a text file below the folder of this file"
            )),
            Some(text) if !refuses(&text) => self.error(KEY, &format!(
                ": the counter-example {file} passes: make the profile refuse it, or write one that breaks the contract"
            )),
            Some(_) => return true,
        }
        false
    }
}

fn off<'c>(checker: Checker<'c>, rules: &[&str]) -> Checker<'c> {
    let rules = rules.iter().filter_map(|it| Rule::named(it));
    rules.fold(checker, |checker, rule| checker.rule(rule, Level::Off))
}

impl Verification {
    pub(super) fn exit(&self) -> Exit {
        if error_count(&self.problems) > 0 { Exit::Invalid } else { Exit::Valid }
    }

    /// What people read.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            let word = if problem.is_error { "error" } else { "warning" };
            let (file, line) = (&self.file, problem.line);
            let _ = writeln!(text, "{file}:{line}: {word}: {}", problem.text);
        }
        for TriedMutations { profile, caught, missed } in &self.tallies {
            let all = caught + missed.len();
            let _ = write!(text, "{profile}: catches {caught} of {all} mutations");
            if !missed.is_empty() {
                let _ = write!(text, "; not caught: {}", missed.join(", "));
            }
            text.push('\n');
        }
        let errors = error_count(&self.problems);
        let warnings = count(self.problems.len() - errors, "warning");
        let _ = writeln!(text, "{}, {warnings}", count(errors, "error"));
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
        let mut title = "These returns pass. That is right only if the definition allows them:\n";
        for tally in self.tallies.iter().filter(|it| !it.missed.is_empty()) {
            let (profile, missed) = (&tally.profile, tally.missed.join(", "));
            let _ = writeln!(text, "{title}- {profile}: {missed}");
            title = "";
        }
        text
    }
}

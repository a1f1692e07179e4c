//! `--verify`: whether the profiles of a file say what the definitions say, and check what they say.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use toml::Spanned;
use toml::de::DeTable;

use crate::cli::files::{folder_of, read_regular};
use crate::cli::init::cites::{Cites, Problem, line_of, read_below, text_of};
use crate::cli::init::{definitions, mutations};
use crate::cli::output::Exit;
use crate::config::Config;
use crate::instruct::Instruction;
use crate::profile::Profile;
use crate::rule::{Level, Rule};
use crate::text::{count, escape};
use crate::{Checker, Root};

/// Rules about files that an example names, which need not be there.
const MISSING: [&str; 2] = ["artifact-not-found", "file-not-found"];

/// The rule that an example breaks by being the example.
const ECHO: &str = "return-echo";

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
    let text = read_regular(path).and_then(definitions::text);
    let text = text.with_context(|| format!("cannot read {file}"))?;
    let folder = folder_of(path);
    // A file that is not TOML has its mistakes told by the configuration.
    let table = DeTable::parse(&text).map(Spanned::into_inner).unwrap_or_default();
    let tables = table.get("profiles").and_then(|it| it.get_ref().as_table());
    let config = Config::parse_in(&text, folder);
    if tables.is_none() && config.is_ok() {
        bail!("{file} defines no profiles: there is nothing to verify");
    }
    let mut found = Verification { file, problems: Vec::new(), tallies: Vec::new() };
    if let Err(errors) = &config {
        let errors = errors.as_slice().iter();
        found.problems.extend(errors.map(|it| Problem::error(it.at.line, it.message.clone())));
    }
    let mut cites = Cites::new(&text, folder);
    for (name, own) in tables.into_iter().flatten() {
        let Some(table) = own.get_ref().as_table() else { continue };
        cites.check(table, &mut found.problems);
        let profiles = config.iter().flat_map(|it| &it.profiles).map(|it| &*it.profile);
        let mut own = profiles.filter(|it| it.is_own() && it.id == *name.get_ref());
        if let Some(profile) = own.next() {
            let line = |key: &str| {
                let value = table.get(key).map(Spanned::span);
                line_of(&text, value.unwrap_or(name.span()).start)
            };
            found.try_profile(profile, text_of(table, "counter-example"), line, folder)?;
        }
    }
    found.problems.sort_by_key(|it| it.line);
    Ok(found)
}

impl Verification {
    /// Tries the counter-example, the example as it is shown to the agent, and wrong returns, in a folder
    /// without files. `line` is that of the value of a key, or of the profile if it has no such key.
    fn try_profile(
        &mut self,
        profile: &Profile,
        counter: Option<&str>,
        line: impl Fn(&str) -> usize,
        folder: &Path,
    ) -> anyhow::Result<()> {
        let name = escape::full(&profile.id).to_string();
        let empty = tempfile::tempdir().context("cannot make a temporary folder")?;
        let root = Root::open(empty.path())?;
        // The example is itself, and its files are not there.
        let strict = off(Checker::new(profile, &root), &[ECHO]);
        let checker = off(Checker::new(profile, &root), &[ECHO, MISSING[0], MISSING[1]]);
        let refuses = |text: &str| !checker.check(text).is_valid();
        let problems = &mut self.problems;
        let mut error =
            |key: &str, why: &str| problems.push(Problem::error(line(key), format!("{name}{why}")));

        let wrong = counter.map(|file| read_below(folder, file));
        let refuses_counter =
            wrong.as_ref().is_some_and(|it| it.as_ref().is_some_and(|it| refuses(it)));
        let shown = escape::full(counter.unwrap_or_default());
        match wrong {
            Some(None) => error(
                "counter-example",
                &format!(
                    ": cannot read the counter-example {shown}: it must be a text file below the folder of this file"
                ),
            ),
            Some(_) if !refuses_counter => error(
                "counter-example",
                &format!(
                    ": the counter-example {shown} passes: make the profile refuse it, or write one that breaks the contract"
                ),
            ),
            _ => {}
        }
        if let Some(example) = profile.example.as_deref() {
            if Instruction::new(profile).example().is_ok_and(|it| refuses(&it)) {
                error(
                    "example",
                    ": the example does not pass as `retval instruct` shows it: write it without invisible characters",
                );
            }
            let found = strict.check(example);
            let mutations = mutations::of(profile, example, found.returned.status.as_deref());
            let tried = mutations.into_iter().map(|(what, text)| (refuses(&text), what));
            let has_files = MISSING.iter().any(|it| found.found(it) > 0) || found.claimed > 0;
            let missing = has_files.then(|| (!found.is_valid(), "a missing file".to_owned()));
            let (caught, missed): (Vec<_>, Vec<_>) = tried.chain(missing).partition(|it| it.0);
            if caught.is_empty() && !refuses_counter {
                error(
                    "",
                    " refuses no wrong return: add what the definition demands (`at.status`, `required`), or remove the profile",
                );
            }
            let missed = missed.into_iter().map(|it| it.1).collect();
            self.tallies.push(TriedMutations {
                profile: name.clone(),
                caught: caught.len(),
                missed,
            });
        } else {
            error(
                "example",
                " has no example: add `example = \"FILE\"` with a return that keeps the contract",
            );
        }
        if counter.is_none() {
            let why = format!(
                "{name} has no counter-example: add `counter-example = \"FILE\"` with a return that breaks the contract"
            );
            self.problems.push(Problem::warning(line(""), why));
        }
        Ok(())
    }

    fn errors(&self) -> usize {
        self.problems.iter().filter(|it| it.is_error).count()
    }

    pub(super) fn exit(&self) -> Exit {
        if self.errors() > 0 { Exit::Invalid } else { Exit::Valid }
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
        let warnings = count(self.problems.len() - self.errors(), "warning");
        let _ = writeln!(text, "{}, {warnings}", count(self.errors(), "error"));
        text
    }

    /// What the agent reads that writes the file.
    pub(super) fn feedback(&self) -> String {
        let file = &self.file;
        let todo = if self.problems.is_empty() {
            format!("{file} passes.")
        } else {
            format!(
                "Correct {file}, then run `retval init --verify {file} --format feedback` again."
            )
        };
        format!(
            "{todo} A return that is not caught may pass only if the definition allows it.\n{}",
            self.text()
        )
    }
}

fn off<'c>(checker: Checker<'c>, rules: &[&str]) -> Checker<'c> {
    let rules = rules.iter().filter_map(|it| Rule::named(it));
    rules.fold(checker, |checker, rule| checker.rule(rule, Level::Off))
}

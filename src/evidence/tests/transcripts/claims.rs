//! The results of evidence for the claims of each run. These are the claims of its return or, if the
//! return claims no files, those of a generated return that claims every file written by the run's file
//! tools.
//!
//! The files of the runs are not available. All claimed files are created in a folder that is used as
//! the project, so that only the calls can contradict a claim.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path};

use crate::check::rules::{Level, Rule};
use crate::clients::run::Outcome;
use crate::clients::transcript::{CallKind, Run};
use crate::evidence::{EvidenceValue, Record, WorkEvidence};
use crate::profile::RETURN;
use crate::{Checker, Root};
use serde_json::{Value, json};

/// Claims of runs, by value.
#[derive(Default)]
pub(crate) struct ClaimCounts {
    /// Runs with a return that claims files.
    pub(crate) returns: usize,
    /// Runs whose claims were made from what they wrote.
    pub(crate) from_writes: usize,
    by_value: BTreeMap<&'static str, usize>,
    /// The run, the rule and the reason of each contradicted claim.
    pub(crate) contradicted: Vec<(String, &'static str, String)>,
}

impl ClaimCounts {
    pub(crate) fn of_value(&self, value: EvidenceValue) -> usize {
        self.by_value.get(value.as_str()).copied().unwrap_or(0)
    }

    /// Adds the claims of a run. `session` are all runs of its session, with itself.
    pub(crate) fn add(&mut self, name: &str, run: &Run, session: &[Run]) {
        let Some(id) = &run.agent_id else { return };
        let project = Project::of(run);
        let runs = session.iter().map(|run| project.moved(run)).collect();
        let (record, agent_id) = (Some(Record::Runs(runs)), Some(id.clone()));
        let evidence = WorkEvidence { record, agent_id, ..WorkEvidence::default() };
        let message = run.final_message.as_deref().unwrap_or_default();
        let claimed = claimed_files(message);
        self.check(name, message, &claimed, &project, &evidence);
        if !claimed.is_empty() {
            self.returns += 1;
            return;
        }
        let written = project.written_by(run);
        if !written.is_empty() {
            self.from_writes += 1;
            let returned = json!({ "status": "completed", "artifacts": written.iter().map(|path| json!({ "path": path })).collect::<Vec<_>>() });
            self.check(name, &returned.to_string(), &written, &project, &evidence);
        }
    }

    fn check(
        &mut self,
        name: &str,
        text: &str,
        files: &[String],
        project: &Project,
        evidence: &WorkEvidence,
    ) {
        for path in files {
            project.make(path);
        }
        let root = Root::open(project.folder.path()).expect("a root");
        // Nothing is known of when the files were changed.
        let stale = Rule::named("artifact-stale").expect("a rule");
        let checker = Checker::new(&RETURN, &root).extract(true);
        let checker = checker.evidence(evidence).rule(stale, Level::Off);
        let report = checker.check(text);
        for claim in report.evidence.expect("evidence") {
            *self.by_value.entry(claim.value.as_str()).or_default() += 1;
            if claim.value == EvidenceValue::Contradicted {
                self.contradicted.push((name.to_owned(), claim.rule.id, claim.reason));
            }
        }
    }
}

/// The folder that stands for the one in which a run worked.
struct Project {
    /// The path in the transcript; none if it has no folder.
    recorded: Option<String>,
    folder: tempfile::TempDir,
}

impl Project {
    fn of(run: &Run) -> Self {
        let recorded = run.calls.iter().find_map(|call| call.cwd.as_deref());
        Self {
            recorded: recorded.filter(|cwd| cwd.len() > 1).map(str::to_owned),
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// The run as if it had worked here.
    fn moved(&self, run: &Run) -> Run {
        let mut run = run.clone();
        let Some(recorded) = &self.recorded else {
            return run;
        };
        let here = self.folder.path().canonicalize().expect("a folder");
        let moved = |text: &str| text.replace(recorded, &here.to_string_lossy());
        for call in &mut run.calls {
            call.cwd = call.cwd.as_deref().map(|cwd| moved(cwd).into());
            call.command = call.command.as_deref().map(moved);
            for path in &mut call.paths {
                *path = moved(path);
            }
        }
        run
    }

    /// The files in the project that file tools of the run wrote, relative to it.
    fn written_by(&self, run: &Run) -> Vec<String> {
        let calls = run.calls.iter();
        let calls =
            calls.filter(|it| it.kind == CallKind::Write && it.outcome == Outcome::Succeeded);
        let paths = calls.flat_map(|call| &call.paths);
        let mut below: Vec<_> = paths.filter_map(|path| self.below(path)).collect();
        below.sort();
        below.dedup();
        below
    }

    fn below(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        let below = match &self.recorded {
            Some(recorded) if path.is_absolute() => path.strip_prefix(recorded).ok()?,
            _ => path,
        };
        is_below(below).then(|| below.to_string_lossy().into_owned())
    }

    fn make(&self, path: &str) {
        if is_below(Path::new(path)) {
            let path = self.folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, "x").expect("a file");
        }
    }
}

fn is_below(path: &Path) -> bool {
    let is_plain = |part| matches!(part, Component::Normal(_));
    path.components().next().is_some() && path.components().all(is_plain)
}

/// The files that a return claims, if the message is one that claims success.
fn claimed_files(message: &str) -> Vec<String> {
    let (Some(start), Some(end)) = (message.find('{'), message.rfind('}')) else {
        return Vec::new();
    };
    let value: Value = message
        .get(start..=end)
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    let artifacts = value["artifacts"].as_array().filter(|_| value["status"] == "completed");
    let paths = artifacts.into_iter().flatten().filter_map(|it| it["path"].as_str());
    paths.map(str::to_owned).collect()
}

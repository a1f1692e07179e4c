//! A table about a folder of transcripts: the runs and calls found in them, the numbers that the clients
//! counted, and the results of evidence for the claims of the runs.
//!
//! `.ci/transcripts FOLDER` prints it, with one row for each folder in FOLDER. It contains only file
//! names and numbers, and no text from a transcript. The table of the fixtures is stored next to them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use crate::clients::transcript::{self, Completeness, Gap, Run};
use crate::evidence::EvidenceValue;
use walkdir::WalkDir;

use super::claims::ClaimCounts;
use super::{path, sidecar};

/// What the transcripts of one folder have.
#[derive(Default)]
struct Row {
    files: usize,
    unknown: Vec<String>,
    /// The main agents, with their sessions.
    main: Vec<(String, Run)>,
    /// Agents by their id, with their sessions.
    agents: BTreeMap<String, (String, Run)>,
    /// The agents that calls started.
    by_call: BTreeMap<String, String>,
    calls: usize,
}

impl Row {
    fn add(&mut self, folder: &Path, path: &Path) {
        let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        self.files += 1;
        // A session is a folder in the row, or a file.
        let session: String = name.split('/').take(2).collect::<Vec<_>>().join("/");
        let transcript = transcript::read(File::open(path).expect("a file"));
        let Ok(transcript) = transcript else {
            return self.unknown.push(name);
        };
        for (index, mut run) in transcript.runs.into_iter().enumerate() {
            if let Some(sidecar) = sidecar(path).filter(|_| index == 0) {
                run.add_sidecar(&sidecar);
            }
            self.calls += run.calls.len();
            if run.depth == Some(0) {
                self.main.push((session.clone(), run));
                continue;
            }
            let call = run.tool_call_id.clone();
            let known = call.as_ref().and_then(|call| self.by_call.get(call)).cloned();
            let key = run.agent_id.clone().or(known);
            let key = key.unwrap_or_else(|| format!("{name} run {index}"));
            self.by_call.extend(call.map(|call| (call, key.clone())));
            let run = match self.agents.remove(&key) {
                None => run,
                Some((_, other)) => merged(run, other),
            };
            self.agents.insert(key, (session.clone(), run));
        }
    }

    fn print(&self, name: &str, text: &mut String) {
        let runs = || self.agents.values().map(|(_, run)| run);
        let counted = runs().filter(|run| run.reported_calls.is_some());
        let differs =
            |run: &&Run| run.reported_calls.is_some_and(|count| count != run.calls.len() as u64);
        let differing = runs().filter(differs).count();
        let counted = counted.count();
        let complete = runs().filter(|run| run.completeness == Completeness::Complete);
        let claims = self.claims();
        let [shown, contradicted, unknown] = EvidenceValue::ALL.map(|value| claims.of_value(value));
        writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {counted} | {} | {} | {} | {} | {shown} | {contradicted} | {unknown} |",
            self.files,
            self.main.len(),
            self.agents.len(),
            self.calls,
            counted - differing,
            complete.count(),
            claims.returns,
            claims.from_writes,
        )
        .expect("a string");
    }

    /// The claims of all agents.
    fn claims(&self) -> ClaimCounts {
        let mut counts = ClaimCounts::default();
        let named = |(key, (session, run)): (&String, &(String, Run))| {
            let mut run = run.clone();
            run.agent_id.get_or_insert_with(|| key.clone());
            (session.clone(), run)
        };
        let runs: Vec<_> = self.main.iter().cloned().chain(self.agents.iter().map(named)).collect();
        for (session, run) in &runs {
            let same = runs.iter().filter(|(other, _)| other == session);
            let same: Vec<_> = same.map(|(_, run)| run.clone()).collect();
            let id = run.agent_id.as_deref().unwrap_or_default();
            if run.depth != Some(0) {
                counts.add(&format!("{session}: {id}"), run, &same);
            }
        }
        counts
    }

    fn print_gaps(&self, name: &str, text: &mut String) {
        for file in &self.unknown {
            writeln!(text, "{name}: {file}: no transcript of a known client").expect("a string");
        }
        for (run, rule, reason) in self.claims().contradicted {
            writeln!(text, "{run}: contradicted: {rule}: {reason}").expect("a string");
        }
        for (id, (_, run)) in &self.agents {
            if let Completeness::Partial(gap) = run.completeness {
                let (found, counted) = (run.calls.len(), run.reported_calls);
                writeln!(
                    text,
                    "{name}: {id}: {gap:?}, {found} calls, counted {counted:?}, ended {:?}",
                    run.end
                )
                .expect("a string");
            }
        }
    }
}

/// What two transcripts have of one agent: its own record, and what its caller has of it.
fn merged(one: Run, other: Run) -> Run {
    let is_reported = |run: &Run| run.completeness == Completeness::Partial(Gap::Elsewhere);
    let (mut own, reported) = if is_reported(&one) || one.calls.len() < other.calls.len() {
        (other, one)
    } else {
        (one, other)
    };
    own.add_reported(&reported);
    own
}

fn is_transcript(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".jsonl") || name.ends_with(".json") && !name.ends_with(".meta.json")
}

#[test]
fn the_table_of_the_fixtures_is_the_one_that_is_kept() {
    if let Some(folder) = std::env::var_os("TRANSCRIPTS") {
        let text = table(Path::new(&folder));
        let mut out = std::io::stdout();
        return out.write_all(text.as_bytes()).expect("it is printed");
    }
    let kept = path("table.md");
    let text = table(&path(""));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&kept, &text).expect("a file");
    }
    assert_eq!(fs::read_to_string(&kept).expect("a table"), text);
}

fn table(folder: &Path) -> String {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    // The files of agents come before those of their callers, who may not know their ids.
    let files = WalkDir::new(folder).sort_by(|one, other| {
        let folders_first = other.file_type().is_dir().cmp(&one.file_type().is_dir());
        folders_first.then_with(|| one.file_name().cmp(other.file_name()))
    });
    let files = files.into_iter().flatten();
    for file in files.filter(|file| file.file_type().is_file() && is_transcript(file.path())) {
        let below = file.path().strip_prefix(folder).expect("below it");
        let first = below.components().next().expect("a name").as_os_str();
        let row = rows.entry(first.to_string_lossy().into_owned()).or_default();
        row.add(folder, file.path());
    }
    let mut text = String::from(
        "| folder | files | main agents | agents | calls | counted by the client | equal | complete \
         | returns with files | claims made from writes | shown | contradicted | unknown |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (name, row) in &rows {
        row.print(name, &mut text);
    }
    text.push('\n');
    for (name, row) in &rows {
        row.print_gaps(name, &mut text);
    }
    text
}

//! Reads transcripts of every client and layout, and compares the runs with the expected ones.
//!
//! `fixtures/transcripts` has sessions that the clients wrote, reduced to the parts that are read, and
//! shorter ones in older layouts. `NAME.expected` has the runs of each. `UPDATE=1 cargo test` writes
//! them again. Read the diff afterwards.

mod claims;
mod table;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::world::fixtures;
use crate::clients::run::CallShell;
use crate::clients::transcript::{
    self, Call, Completeness, End, Gap, Run, Sidecar, Transcript, locate,
};
use walkdir::WalkDir;

fn path(below: &str) -> PathBuf {
    fixtures().join("transcripts").join(below)
}

fn read(path: &Path) -> Transcript {
    transcript::read(File::open(path).expect("a fixture")).expect("a transcript")
}

/// The run of an agent whose transcript it is, with what stands next to it.
fn agent(path: &Path) -> Run {
    let mut runs = read(path).runs;
    let mut run = runs.remove(0);
    if let Some(sidecar) = sidecar(path) {
        run.add_sidecar(&sidecar);
    }
    run
}

fn sidecar(path: &Path) -> Option<Sidecar> {
    let bytes = fs::read(locate::beside(path).sidecar?).ok()?;
    Some(Sidecar::read(&bytes).expect("a sidecar"))
}

fn transcripts() -> Vec<PathBuf> {
    let files = WalkDir::new(path("")).sort_by_file_name();
    let files = files.into_iter().map(|file| file.expect("a file").into_path());
    let is_transcript = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".jsonl") || name.ends_with(".json") && !name.ends_with(".meta.json")
    };
    files.filter(is_transcript).collect()
}

#[test]
fn every_transcript_is_read_as_expected() {
    for path in transcripts() {
        let transcript = read(&path);
        let mut text = format!("{:?}\n", transcript.client);
        for (index, mut run) in transcript.runs.into_iter().enumerate() {
            if let Some(sidecar) = sidecar(&path).filter(|_| index == 0) {
                run.add_sidecar(&sidecar);
            }
            describe(&mut text, &run);
        }
        let expected = path.with_extension("expected");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&expected, &text).expect("it is written");
        }
        let expected = fs::read_to_string(expected).expect("expectations");
        assert_eq!(text, expected, "{}", path.display());
    }
}

fn describe(text: &mut String, run: &Run) {
    let mut line = |name: &str, value: &dyn std::fmt::Debug| {
        let value = format!("{value:?}");
        if !matches!(value.as_str(), "None" | "false" | "0") {
            let value =
                value.strip_prefix("Some(").map_or(value.as_str(), |some| &some[..some.len() - 1]);
            writeln!(text, "  {name}: {value}").expect("a string");
        }
    };
    line("agent", &run.agent_id);
    line("type", &run.agent_type);
    line("built in", &run.is_builtin);
    line("parent", &run.parent);
    line("depth", &run.depth);
    line("tool call", &run.tool_call_id);
    line("prompt", &run.prompt);
    for call in &run.calls {
        line("call", &ListedCall(call));
    }
    line("reported calls", &run.reported_calls);
    line("final message", &run.final_message);
    line("end", &run.end);
    line("resumed", &run.resumed);
    line("asked again", &run.times_asked_again);
    line("milliseconds", &milliseconds(run.started, run.ended));
    let tokens = run.tokens;
    line("tokens", &[tokens.input, tokens.output, tokens.cache, tokens.total]);
    line("base revision", &run.base_revision);
    let details = &run.details;
    line("session", &run.session);
    line("model", &details.model);
    line("client", &details.client_version);
    line("folder", &details.cwd);
    line("called", &milliseconds(Some(SystemTime::UNIX_EPOCH), details.called));
    line("duration", &details.duration);
    line("context", &details.context_tokens);
    line("status", &details.status);
    line("recorded", &run.is_recorded);
    line("completeness", &run.completeness);
    text.push('\n');
}

fn milliseconds(start: Option<SystemTime>, end: Option<SystemTime>) -> Option<u128> {
    Some(end?.duration_since(start?).ok()?.as_millis())
}

/// A call on one line.
struct ListedCall<'a>(&'a Call);

impl std::fmt::Debug for ListedCall<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        let call = self.0;
        let Call { name, kind, outcome, line, .. } = call;
        write!(formatter, "line {line}: {name} ({kind:?}) {outcome:?}")?;
        if let Some(code) = call.exit_code {
            write!(formatter, " {code}")?;
        }
        if call.background {
            write!(formatter, " in the background")?;
        }
        if call.is_rewrite {
            write!(formatter, " Rewrite")?;
        }
        for path in &call.paths {
            write!(formatter, " at {path:?}")?;
        }
        for (word, value) in [("ran", &call.command), ("started", &call.agent_id)] {
            if let Some(value) = value {
                write!(formatter, " {word} {value:?}")?;
            }
        }
        if let Some(cwd) = &call.cwd {
            write!(formatter, " in {cwd:?}")?;
        }
        if call.shell != CallShell::Own {
            write!(formatter, " or where a command went")?;
        }
        Ok(())
    }
}

#[test]
fn an_agents_own_transcript_is_found_from_its_callers() {
    let parent = path("claude-code/foreground/session.jsonl");
    let id = read(&parent).runs[1].agent_id.clone().expect("the caller is told it");
    let candidates = locate::candidates(&parent, None, &id);
    let found = candidates.iter().find(|files| files.transcript.is_file()).expect("it is there");
    assert!(found.sidecar.as_ref().is_some_and(|path| path.is_file()));

    for (parent, id) in [
        ("claude-code/flat/session.jsonl", "ae5a034"),
        ("qwen/failed/chats/s.jsonl", "planner-toolu_126aabfd16e942449fa9"),
    ] {
        let found = locate::candidates(&path(parent), None, id);
        assert!(found.iter().any(|files| files.transcript.is_file()));
    }
}

#[test]
fn ids_that_are_not_file_names_open_no_file() {
    let parent = Path::new("/home/user/session.jsonl");
    for id in ["", "..", "a/b", "../../secret", "a.b", "a b", "é", "a\0", &"a".repeat(200)] {
        assert_eq!(locate::candidates(parent, None, id), [], "{id:?}");
    }
    let candidates = locate::candidates(parent, Some("../../etc"), "a1");
    assert_eq!(candidates.len(), 3, "a session that is no file name is left out");
}

#[test]
fn a_callers_count_completes_the_record_of_an_agent() {
    let parent = read(&path("claude-code/foreground/session.jsonl"));
    let reported = parent.runs.iter().find(|run| run.depth == Some(1)).expect("a run");
    assert_eq!(reported.completeness, Completeness::Partial(Gap::Elsewhere));
    let file = "claude-code/foreground/session/subagents/agent-a1bac6ebebd96e1f0.jsonl";
    let text = fs::read_to_string(path(file)).expect("a fixture");

    let mut whole = agent(&path(file));
    whole.add_reported(reported);
    assert_eq!((whole.reported_calls, whole.completeness), (Some(1), Completeness::Complete));

    let start: String = text.split_inclusive('\n').take(3).collect();
    let mut cut = transcript::read(start.as_bytes()).expect("a transcript").runs.remove(0);
    cut.add_reported(reported);
    let gap = Gap::Count { found: 0, reported: 1 };
    assert_eq!(cut.completeness, Completeness::Partial(gap));
}

#[test]
fn an_error_reported_to_the_caller_ends_a_run_without_an_answer() {
    let parent = read(&path("claude-code/empty-turn/session.jsonl"));
    let file = "claude-code/empty-turn/session/subagents/agent-acfba8dd40ce69d09.jsonl";
    let mut run = agent(&path(file));
    assert!(run.tool_call_id.is_some(), "the sidecar names it");
    let reported = parent.runs.iter().find(|it| it.tool_call_id == run.tool_call_id);
    run.add_reported(reported.expect("the call is there"));
    assert_eq!((run.final_message, run.end), (None, End::Failed));
}

#[test]
fn a_transcript_may_end_anywhere() {
    for path in transcripts() {
        let bytes = fs::read(&path).expect("a fixture");
        for end in (0..bytes.len()).step_by(97) {
            let Ok(transcript) = transcript::read(&bytes[..end]) else {
                continue;
            };
            let is_line_end = bytes[end] == b'\n' || end == 0 || bytes[end - 1] == b'\n';
            for run in transcript.runs.iter().filter(|_| !is_line_end) {
                let counted = run.reported_calls == Some(run.calls.len() as u64);
                let is_partial = run.completeness != Completeness::Complete;
                assert!(
                    is_partial || counted || run.end == End::NotStarted,
                    "{} {end}",
                    path.display()
                );
            }
        }
    }
}

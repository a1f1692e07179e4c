//! Records of more than one client in one file: it is uncertain which client wrote the transcript.

use std::fs;

use crate::clients::transcript::{self, Completeness, Gap, Run};

use super::{path, transcripts};

/// A transcript of each client that writes lines.
const OF_LINES: [&str; 5] = [
    "claude-code/flat/session.jsonl",
    "codex/patch/agent.jsonl",
    "copilot/sent-back.jsonl",
    "gemini/answered/agent.jsonl",
    "qwen/failed/subagents/s/agent-planner-toolu_126aabfd16e942449fa9.jsonl",
];

/// Sessions of the clients that write documents, as other programs may log them on a line.
const DOCUMENTS: [(&str, &str); 2] = [
    ("opencode", r#"{"info":{"id":"s"},"messages":[]}"#),
    (
        "gemini",
        r#"{"sessionId":"s","projectHash":"p","messages":[]}"#,
    ),
];

fn client(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// Lines that are a transcript by themselves, with their clients.
fn records() -> Vec<(String, String)> {
    let mut records = Vec::new();
    for name in OF_LINES {
        let text = fs::read_to_string(path(name)).expect("a transcript");
        let lines = text
            .lines()
            .filter(|line| transcript::read(line.as_bytes()).is_ok());
        records.extend(lines.map(|line| (client(name).to_owned(), line.to_owned())));
    }
    let own = |(client, text): (&str, &str)| (client.to_owned(), text.to_owned());
    records.extend(DOCUMENTS.map(own));
    records
}

#[test]
fn a_record_of_another_client_before_a_transcript_makes_it_incomplete() {
    let records = records();
    assert!(records.len() > 20, "{}", records.len());
    for file in transcripts() {
        let text = fs::read_to_string(&file).expect("a transcript");
        let name = file.strip_prefix(path("")).expect("a path below");
        let own = client(name.to_str().expect("a name"));
        for (client, record) in records.iter().filter(|(client, _)| client != own) {
            for foreign in [format!("{record}\n"), format!("{{}}\n{record}\n")] {
                let read = transcript::read((foreign + &text).as_bytes());
                let is_complete = read.is_ok_and(|it| it.runs.iter().any(Run::is_complete));
                assert!(!is_complete, "{client} before {name:?}: {record}");
            }
        }
    }
}

#[test]
fn the_first_line_of_another_client_is_named() {
    let read = |name: &str| fs::read_to_string(path(name)).expect("a transcript");
    for name in OF_LINES {
        let own = read(name).trim_end().to_owned();
        let lines = own.lines().count() as u64;
        for other in OF_LINES.iter().filter(|other| **other != name) {
            let text = format!(
                "{own}\nSome words.\n{{\"level\":\"info\"}}\n{}",
                read(other)
            );
            let read = transcript::read(text.as_bytes()).expect("a transcript");
            let line = lines + 3;
            for run in read.runs {
                let gap = Completeness::Partial(Gap::OtherClient { line });
                assert_eq!(run.completeness, gap, "{other} after {name}");
            }
        }
    }
}

//! Tests how transcripts are read.

mod calls;
mod ids;
mod join;
mod lines;
mod runs;
mod summaries;

use super::{Run, read};
use crate::clients::Client;

const PROMPT: &str = r#"{"type":"user","agentId":"a1","isSidechain":true,"timestamp":"2026-01-02T03:04:05Z","message":{"content":"Go."}}"#;
const WRITE: &str = r#"{"type":"assistant","agentId":"a1","isSidechain":true,"message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":"a.md"}}]}}"#;
const WRITTEN: &str = r#"{"type":"user","agentId":"a1","isSidechain":true,"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}"#;
const DONE: &str = r#"{"type":"assistant","agentId":"a1","isSidechain":true,"message":{"id":"m2","content":[{"type":"text","text":"Done."}]}}"#;

/// The one run of a transcript.
fn run(bytes: impl AsRef<[u8]>) -> Run {
    let transcript = read(bytes.as_ref()).expect("a transcript");
    assert_eq!(transcript.client, Client::ClaudeCode);
    let [run] = <[Run; 1]>::try_from(transcript.runs).expect("one run");
    run
}

fn lines(lines: &[&str]) -> String {
    lines.join("\n") + "\n"
}

/// A message of the agent with this content.
fn says(content: &str) -> String {
    format!(
        r#"{{"type":"assistant","agentId":"a1","isSidechain":true,"message":{{"id":"m3",{content}}}}}"#
    )
}

/// A message to the agent with these members.
fn hears(members: &str) -> String {
    format!(r#"{{"type":"user","agentId":"a1","isSidechain":true,{members}}}"#)
}

//! Compares the claims of a return with transcripts, times and repositories, through the binary.

mod calls;
mod clients;
mod effects;
pub(crate) mod files;
mod handoffs;
mod ids;
mod many;
mod nested;
mod options;
mod removed;
mod repositories;
mod resumed;
#[cfg(target_os = "linux")]
mod scripts;
mod shells;
mod tasks;
mod tested;

use std::process::Output;

use crate::common::session::Session;
use crate::common::{SESSION, World, piped, stderr, stdout};
use serde_json::{Value, json};

/// The artifact of the returns.
const TIDES: &str = "docs/tides.md";

/// A return that claims a file.
fn claiming(path: &str) -> String {
    json!({
        "status": "completed",
        "summary": "Planned the tide tables in three phases. The first reads the constants.",
        "artifacts": [{ "type": "plan", "path": path, "summary": "Plan" }],
        "metadata": {
            "session_id": SESSION, "agent_type": "planner", "delegation_depth": 1,
            "delegation_path": ["orchestrator", "planner"],
        },
    })
    .to_string()
}

/// `retval check` of a return of `a1`, with its transcript.
fn check(world: &World, session: &Session, options: &str, returned: &str) -> Output {
    world.write("session.jsonl", &session.lines);
    let options = format!("--root project --transcript session.jsonl --agent-id a1 {options}");
    piped(world, &options, returned)
}

/// The value of each claim, by rule, with its reason.
fn claims(output: &Output) -> Vec<(String, String, String)> {
    let record: Value = serde_json::from_str(&stdout(output))
        .unwrap_or_else(|_| panic!("{}{}", stdout(output), stderr(output)));
    let claims = record["evidence"].as_array().expect("claims").iter();
    let text = |claim: &Value, member: &str| claim[member].as_str().unwrap_or_default().to_owned();
    claims.map(|claim| (text(claim, "rule"), text(claim, "value"), text(claim, "reason"))).collect()
}

/// The value of the claim of one rule, and its reason: `shown: Write call 1 of 1 wrote it`.
fn value_of(world: &World, session: &Session, rule: &str, options: &str, returned: &str) -> String {
    let output = check(world, session, &format!("--format jsonl {options}"), returned);
    let claims = claims(&output);
    let claim = claims.iter().find(|(id, ..)| id == rule);
    claim.map_or_else(String::new, |(_, value, reason)| format!("{value}: {reason}"))
}

/// Whether the agent wrote the file of [`TIDES`].
fn written(world: &World, session: &Session) -> String {
    value_of(world, session, "artifact-unwritten", "", &claiming(TIDES))
}

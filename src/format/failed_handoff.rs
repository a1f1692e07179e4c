//! `return` for a handoff file: a handoff that reports failed work and has every member that the next
//! agent expects.

use serde_json::{Value, json};

use crate::check::finding::Finding;
use crate::check::report::Report;
use crate::format::failed_names::{agent, session};
use crate::format::failed_summary::summary;
use crate::format::stand_in::of_handoff;
use crate::profile::Profile;

/// The members that can say what went wrong. Which of them a handoff has depends on the agent. The first
/// one that it has is used.
const LISTS: [&str; 3] = ["concerns", "failures", "required_changes"];

pub(super) fn handoff(profile: &Profile, status: &str, report: &Report<'_>) -> Value {
    let agent = agent(report);
    let mut members = of_handoff(profile, agent);
    let findings: Vec<_> = report.findings.iter().map(Finding::message).collect();
    let list = LISTS.iter().find(|list| members.contains_key(**list));
    members.insert(list.unwrap_or(&LISTS[0]), json!(findings));
    for (name, text) in [
        ("from_agent", agent),
        ("status", status),
        ("summary", &summary(profile, report)),
    ] {
        members.insert(name, json!(text));
    }
    if let Some(session) = session(report) {
        members.insert("session_id", json!(session));
    }
    let decides =
        members.contains_key("decision") && profile.decisions.iter().any(|it| it == status);
    if decides {
        members.insert("decision", json!(status));
    }
    json!(members)
}

//! `return` for a handoff file: a handoff that reports failed work and has every member that the next
//! agent expects.

use serde_json::{Map, Value, json};

use crate::check::finding::Finding;
use crate::check::report::Report;
use crate::format::failed_names::{agent, session};
use crate::format::failed_summary::summary;
use crate::format::stand_in::text;
use crate::json::field::{Expected, Form};
use crate::json::pointer::below;
use crate::profile::{Need, Profile};

/// The members that can say what went wrong. Which of them a handoff has depends on the agent. The first
/// one that it has is used.
const LISTS: [&str; 3] = ["concerns", "failures", "required_changes"];

pub(super) fn handoff(profile: &Profile, status: &str, report: &Report<'_>) -> Value {
    let agent = agent(report);
    let mut members = match profile.shape.form() {
        Form::Record(members) => expected_members(profile, agent, &members, ""),
        _ => Map::new(),
    };
    let findings: Vec<_> = report.findings.iter().map(Finding::message).collect();
    let mut lists = LISTS.iter();
    let list = lists.find(|list| members.contains_key(**list));
    members.insert((*list.unwrap_or(&LISTS[0])).to_owned(), json!(findings));
    for (name, text) in [
        ("from_agent", agent),
        ("status", status),
        ("summary", &summary(profile, report)),
    ] {
        members.insert(name.to_owned(), json!(text));
    }
    if let Some(session) = session(report) {
        members.insert("session_id".to_owned(), json!(session));
    }
    let decides =
        members.contains_key("decision") && profile.decisions.iter().any(|it| it == status);
    if decides {
        members.insert("decision".to_owned(), json!(status));
    }
    Value::Object(members)
}

/// Returns the members of the object at `path` that are required, and those that are recommended if the
/// profile knows the agent. Their values claim nothing.
fn expected_members(
    profile: &Profile,
    agent: &str,
    members: &[(&'static str, Form)],
    path: &str,
) -> Map<String, Value> {
    let is_known = profile.has_fields_of(Some(agent));
    let mut written = Map::new();
    for field in profile.fields_of(Some(agent)) {
        let (parent, name) = field.path.rsplit_once('.').unwrap_or(("", &field.path));
        let is_expected = match field.need {
            Need::Required => true,
            Need::Recommended => is_known,
            Need::Optional => false,
        };
        if parent != path || !is_expected {
            continue;
        }
        let form = members.iter().find(|(known, _)| *known == name);
        let value = match form.map(|(_, form)| form) {
            Some(Form::Record(inside)) => {
                Value::Object(expected_members(profile, agent, inside, &below(path, name)))
            }
            Some(Form::Map(_)) => json!({}),
            Some(Form::List(_)) => json!([]),
            Some(Form::Leaf(Expected::Integer | Expected::Number)) => json!(0),
            Some(Form::Leaf(Expected::Boolean)) => json!(false),
            Some(Form::Leaf(_)) | None => json!(text(&field.path)),
        };
        written.insert(name.to_owned(), value);
    }
    written
}

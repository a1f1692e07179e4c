//! Returns are checked with the profile of their agent, by their text and the record alone.

use super::made::{Agent, Session, reads, writes};
use super::{json, report, runs};
use crate::common::World;
use serde_json::json;

fn returned(path: &str) -> String {
    json!({"status": "completed", "summary": "Planned the tide tables. About eight hours of work.",
        "artifacts": [{"type": "plan", "path": path, "summary": "Plan with three phases"}],
        "metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner",
            "delegation_depth": 1, "delegation_path": ["orchestrator", "planner"]}})
    .to_string()
}

/// Three planners, of which the second claims a file that it cannot have written and the third answers
/// in prose, and a scout.
fn history(world: &World) -> std::path::PathBuf {
    let history = world.path("history");
    let mut session = Session::new(&history, "s1", "/home/ana/tides", 2);
    let (plan, other) = (returned("plan.md"), returned("other.md"));
    for (id, kind, answer, calls) in [
        ("a1", "planner", plan.as_str(), writes("/home/ana/tides/plan.md")),
        ("a2", "planner", other.as_str(), reads("/home/ana/tides/plan.md")),
        ("a3", "planner", "I wrote the plan.", writes("/home/ana/tides/plan.md")),
        ("a4", "scout", "Nothing to see.", reads("/home/ana/tides/plan.md")),
    ] {
        let agent = Agent::new(id, kind, answer);
        session.begin(&agent);
        session.write_agent(&agent, &calls);
        session.result(&agent, &json!(answer), false, &json!({"agentId": id, "agentType": kind}));
    }
    session.write();
    history
}

#[test]
fn the_profile_of_the_agent_decides() {
    let world = World::new();
    let history = history(&world);
    world.write("retval.toml", "[hook.agents.planner]\nprofile = \"return\"\n");
    let report_json = json(&world, &history, "");
    assert_eq!(report_json["invalid"]["of"], 3);
    let held = &report_json["held"][0];
    assert_eq!((&held["profile"], &held["invalid"]["count"]), (&json!("return"), &json!(2)));
    let rules = &held["rules"];
    assert!(rules.to_string().contains(r#"{"returns":1,"rule":"artifact-unwritten"}"#), "{rules}");
    assert!(rules.to_string().contains(r#"{"returns":1,"rule":"json-syntax"}"#), "{rules}");
    let valid: Vec<_> = runs(&world, &history, "").iter().map(|run| run["valid"].clone()).collect();
    assert_eq!(valid, [json!(true), json!(false), json!(false), json!(null)]);
    let text = report(&world, &history, "");
    assert!(text.contains("No profile covers the agents of 1 return"), "{text}");
}

#[test]
fn without_a_profile_nothing_is_said_of_claims() {
    let world = World::new();
    let history = history(&world);
    let report = json(&world, &history, "");
    assert_eq!((&report["held"], &report["invalid"]["of"]), (&json!([]), &json!(0)));
    // The option covers all agents.
    assert_eq!(json(&world, &history, "--profile return")["invalid"]["of"], 4);
    // An agent that is left out of the checks is left out here, too.
    world.write("retval.toml", "profile = \"return\"\n[hook.agents.scout]\nhold = false\n");
    assert_eq!(json(&world, &history, "")["invalid"]["of"], 3);
}

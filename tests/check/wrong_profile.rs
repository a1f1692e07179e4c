//! What is not the agent's fault.

use crate::common::{World, piped, stdout};

const METADATA: &str = r#""metadata":{"session_id":"s","agent_type":"planner","delegation_depth":1,"delegation_path":["orchestrator","planner"]}"#;

#[test]
fn extract_is_offered_where_it_would_help() {
    let world = World::new();
    let valid = format!(
        r#"{{"status":"failed","summary":"It failed. Nothing is there.","artifacts":[],{METADATA}}}"#
    );
    let check = |options: &str, text: &str| stdout(&piped(&world, options, text));
    let offer = "or accept it with --extract\n";
    let wrapped = format!("Done.\n{valid}\n");
    let fenced = format!("```json\n{valid}\n```\n");
    for text in [&wrapped, &fenced] {
        assert!(check("", text).contains(offer), "{}", check("", text));
        let concise = check("--format concise", text);
        assert!(concise.ends_with("; accept it with --extract\n"), "{concise}");
        assert!(!check("--format feedback", text).contains("--extract"));
        assert!(check("--extract", text).contains("[PASS] Return validation succeeded"));
    }
    for text in ["Done.", &valid[..40], &format!("{valid} {valid}")] {
        assert!(!check("", text).contains("--extract"), "{text}");
    }
    assert!(!check("--profile handoff", &wrapped).contains("--extract"));
}

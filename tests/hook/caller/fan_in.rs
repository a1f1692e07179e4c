//! At the end of the main agent it is said which of several agents brought nothing.

use crate::common::World;
use serde_json::{Value, json};

use super::{call, captured};

/// The events of one session of a client.
struct Session {
    world: World,
    client: &'static str,
}

impl Session {
    fn new(client: &'static str) -> Self {
        let world = World::new();
        world.write("project/specs/12/plan.md", "# Plan\n");
        Self { world, client }
    }

    fn event(&self, name: &str, agent: &str, change: impl FnOnce(&mut Value)) -> Option<Value> {
        let payload = match self.client {
            "codex" => "codex-stop",
            _ => "background-stop",
        };
        let mut payload = captured(&self.world, payload);
        payload["hook_event_name"] = name.into();
        payload["agent_id"] = agent.into();
        payload["agent_type"] = "reviewer".into();
        payload["last_assistant_message"] = r#"{"status": "completed", "artifacts": []}"#.into();
        change(&mut payload);
        call(&self.world, "--profile any", &payload)
    }

    fn start(&self, agents: &[&str]) {
        for agent in agents {
            self.event("SubagentStart", agent, |_| ());
        }
    }

    fn returns(&self, agent: &str, message: &str) {
        self.event("SubagentStop", agent, |payload| {
            payload["last_assistant_message"] = message.into();
            payload["stop_hook_active"] = true.into();
        });
        if self.client == "claude-code" {
            self.event("PostToolUse", agent, |payload| {
                payload["tool_name"] = "Agent".into();
                payload["tool_response"] = json!({ "status": "completed", "agentId": agent });
            });
        }
    }

    /// The answer to the end of the main agent, when no agent runs any more.
    fn end(&self) -> Option<Value> {
        self.end_while(&json!([]))
    }

    fn end_while(&self, running: &Value) -> Option<Value> {
        self.event("Stop", "", |payload| {
            payload["stop_hook_active"] = false.into();
            payload["background_tasks"] = running.clone();
            let payload = payload.as_object_mut().expect("an object");
            payload.retain(|member, _| !member.starts_with("agent_"));
        })
    }
}

fn note(answer: Option<&Value>) -> &str {
    let note = answer.and_then(|answer| answer["systemMessage"].as_str());
    note.unwrap_or_default()
}

#[test]
fn agents_that_brought_nothing_are_named_once_when_the_main_agent_ends() {
    let session = Session::new("claude-code");
    session.start(&["a1", "a2", "a3", "a4"]);
    assert_eq!(session.end(), None, "nothing is known of them yet");
    session.returns("a2", "The plan is ready, in specs/12/plan.md.");
    session.returns("a3", "<summary>");
    session.event("StopFailure", "a1", |payload| {
        payload["error"] = "rate_limit".into();
    });
    let running =
        json!([{"id": "a4", "type": "subagent", "status": "running", "description": "Review"}]);
    assert_eq!(session.end_while(&running), None, "one still runs");
    let answer = session.end();
    assert_eq!(
        note(answer.as_ref()),
        "retval: 2 of the 4 agents of this session brought nothing usable: 1 (reviewer), 3 (reviewer), in \
         the order in which they started."
    );
    assert!(answer.is_some_and(|it| it.as_object().is_some_and(|it| it.len() == 1)));
    assert_eq!(session.end(), None, "it was said");
    session.returns("a4", "<summary>");
    assert!(note(session.end().as_ref()).starts_with("retval: 3 of the 4 agents"));
}

#[test]
fn an_agent_that_returned_after_all_is_not_named() {
    let session = Session::new("claude-code");
    session.start(&["a1", "a2"]);
    session.returns("a1", "<summary>");
    session.returns("a2", "The plan is ready.");
    session.returns("a1", "The review is in specs/12/plan.md.");
    assert_eq!(session.end(), None);
}

#[test]
fn one_agent_alone_is_no_fan_in() {
    let session = Session::new("claude-code");
    session.start(&["a1"]);
    session.returns("a1", "<summary>");
    assert_eq!(session.end(), None, "its caller is told with its result");
}

#[test]
fn a_main_agent_that_a_hook_made_go_on_is_told_nothing() {
    let session = Session::new("claude-code");
    session.start(&["a1", "a2"]);
    session.returns("a1", "<summary>");
    let goes_on = session.event("Stop", "", |payload| {
        payload["stop_hook_active"] = true.into();
        let payload = payload.as_object_mut().expect("an object");
        payload.retain(|member, _| !member.starts_with("agent_"));
    });
    assert_eq!(goes_on, None);
    assert!(note(session.end().as_ref()).contains(": 1 (reviewer), in"));
}

#[test]
fn names_are_escaped_and_a_mistake_in_the_settings_is_not_told_there() {
    let session = Session::new("claude-code");
    for agent in ["a1", "a2"] {
        let name = |payload: &mut Value| payload["agent_type"] = "re\u{1b}[2Jviewer".into();
        session.event("SubagentStart", agent, name);
        session.event("SubagentStop", agent, |payload| {
            name(payload);
            payload["last_assistant_message"] = "<summary>".into();
            payload["stop_hook_active"] = true.into();
        });
    }
    session.world.write("project/retval.toml", "retries = \"many\"\n");
    let answer = session.end();
    let text = note(answer.as_ref());
    assert!(
        text.contains(
            r"2 of the 2 agents of this session brought nothing usable: 1 (re\u{1b}[2Jviewer)"
        ),
        "{text}"
    );
    assert_eq!(session.end(), None);
}

#[test]
fn a_caller_that_is_sent_back_for_what_it_does_not_know_reads_it_first() {
    let session = Session::new("codex");
    session.start(&["a1", "a2"]);
    session.returns("a1", "<summary>");
    session.returns("a2", "The plan is ready.");
    let answer = session.end().expect("an answer");
    let reason = answer["reason"].as_str().expect("a text");
    assert!(reason.starts_with("retval: 1 of the 2 agents of this session brought nothing usable: 1 (reviewer), in the order in which they started.\n"), "{reason}");
    assert_eq!(session.end(), None);
}

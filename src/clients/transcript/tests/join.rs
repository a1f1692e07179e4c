//! Tests how several records of one agent become its run.

use serde_json::{Value, json};

use crate::clients::transcript::{Completeness, End, Gap, Run, read};

/// A caller that starts an agent in the background, and the client's records of it in this order.
fn started_and(records: &[Value]) -> Vec<Run> {
    let input = json!({"prompt": "Go.", "subagent_type": "planner"});
    let call = json!([{"type": "tool_use", "id": "t1", "name": "Task", "input": input}]);
    let first = [
        json!({"type": "user", "message": {"content": "Plan it."}}),
        json!({"type": "assistant", "message": {"id": "m1", "content": call}}),
    ];
    let lines = first.iter().chain(records).map(|record| {
        let mut record = record.clone();
        record["sessionId"] = "s".into();
        record.to_string() + "\n"
    });
    let text: String = lines.collect();
    read(text.as_bytes()).expect("a transcript").runs
}

fn launched() -> Value {
    let result = json!({"isAsync": true, "status": "async_launched", "agentId": "a1"});
    let block = json!({"type": "tool_result", "tool_use_id": "t1", "content": "started"});
    json!({"type": "user", "message": {"content": [block]}, "toolUseResult": result})
}

fn notified(kind: &str, call: &str, tokens: u64) -> Value {
    let text = format!(
        "<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>{call}</tool-use-id>\n\
         <status>completed</status>\n<result>Done.</result>\n\
         <usage><total_tokens>{tokens}</total_tokens><tool_uses>3</tool_uses></usage>\n\
         </task-notification>"
    );
    match kind {
        "user" => json!({"type": kind, "message": {"content": text}}),
        _ => json!({"type": kind, "operation": "enqueue", "content": text}),
    }
}

#[test]
fn a_notification_before_the_result_of_the_call_is_of_the_same_run() {
    for call in ["t1", "REDACTED"] {
        for order in [
            [notified("queue-operation", call, 9), launched(), notified("user", call, 9)],
            [launched(), notified("queue-operation", call, 9), notified("user", call, 9)],
        ] {
            let runs = started_and(&order);
            let [_, run] = runs.as_slice() else {
                panic!("{runs:?}");
            };
            assert_eq!(run.agent_id.as_deref(), Some("a1"));
            assert_eq!(run.tool_call_id.as_deref(), Some("t1"));
            assert_eq!(run.agent_type.as_deref(), Some("planner"));
            assert_eq!((run.prompt.as_deref(), run.reported_calls), (Some("Go."), Some(3)));
            assert_eq!((run.final_message.as_deref(), run.end), (Some("Done."), End::Answered));
            assert_eq!(run.completeness, Completeness::Partial(Gap::Elsewhere));
            assert!(!run.resumed);
        }
    }
}

#[test]
fn a_notification_of_an_answer_without_tokens_is_one_of_an_error() {
    let runs = started_and(&[launched(), notified("queue-operation", "t1", 0)]);
    assert_eq!(runs[1].end, End::ApiError);
}

#[test]
fn an_error_that_the_caller_got_is_the_end_unless_the_agent_went_on() {
    let own = |text: &str| {
        let message = json!({"id": "m", "content": [{"type": "text", "text": text}]});
        let records = [
            json!({"type": "user", "agentId": "a1", "message": {"content": "Go."}}),
            json!({"type": "assistant", "agentId": "a1", "message": message}),
        ];
        let text: String = records.map(|record| record.to_string() + "\n").concat();
        read(text.as_bytes()).expect("a transcript").runs.remove(0)
    };
    let reported = started_and(&[launched(), notified("queue-operation", "t1", 0)]).remove(1);
    let mut cut = own("I look at the log.");
    cut.add_reported(&reported);
    assert_eq!(cut.end, End::ApiError);
    let mut resumed = own("I look at the log.");
    resumed.resumed = true;
    resumed.add_reported(&reported);
    assert_eq!(resumed.end, End::Answered);
}

#[test]
fn the_last_task_of_a_resumed_agent_is_when_it_was_asked() {
    let task = |call: &str, at: &str| {
        let inner = json!({"type": "user", "timestamp": at, "message": {"content": "Go on."}});
        let data = json!({"type": "agent_progress", "agentId": "a1", "message": inner});
        let input = json!({"prompt": "Go on.", "subagent_type": "planner"});
        let block = json!([{"type": "tool_use", "id": call, "name": "Task", "input": input}]);
        [
            json!({"type": "assistant", "message": {"id": call, "content": block}}),
            json!({"type": "progress", "parentToolUseID": call, "data": data}),
        ]
    };
    let first = task("t2", "2026-01-28T11:00:00Z");
    let second = task("t3", "2026-01-28T12:00:00Z");
    let asked = |records: &[Value]| {
        let runs = started_and(records);
        let run = runs.iter().find(|run| run.agent_id.is_some());
        run.expect("the agent").asked.expect("a time")
    };
    let hour = std::time::Duration::from_hours(1);
    assert_eq!(asked(&[first.clone(), second].concat()), asked(&first) + hour);
}

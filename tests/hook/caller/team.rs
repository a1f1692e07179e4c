//! A teammate whose return was refused cannot mark its task completed.

use serde_json::Value;

use super::{call, captured};
use crate::common::World;

#[test]
fn a_task_is_not_completed_while_the_return_of_its_agent_is_refused() {
    let world = World::new();
    let task = captured(&world, "team-task");
    let mut stop = captured(&world, "background-stop");
    for member in ["session_id", "agent_id", "agent_type"] {
        stop[member] = task[member].clone();
    }
    assert_eq!(call(&world, "", &task), None, "nothing was refused");
    let refused = call(&world, "", &stop).expect("an answer");
    assert_eq!(refused["decision"], "block");
    let answer = call(&world, "", &task).expect("an answer");
    let text = "The task is not completed: your return was refused, and you have not returned again. \
                Correct it first.\n";
    assert_eq!(answer["decision"], "block");
    assert_eq!(answer["reason"], text);
    let mut of_main = task.clone();
    for member in ["agent_id", "agent_type"] {
        of_main[member] = Value::Null;
    }
    assert_eq!(call(&world, "", &of_main), None, "the main agent did it");
    // Its next stop ends this, whatever it returns.
    stop["stop_hook_active"] = true.into();
    call(&world, "", &stop);
    assert_eq!(call(&world, "", &task), None);
}

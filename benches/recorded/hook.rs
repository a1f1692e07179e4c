//! The cost of the hook at the end of an agent with a long transcript.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::measure::{Contest, Row, print_line};
use crate::recorded::{self, Form, Texts};

/// How many times each command runs.
const ROUNDS: usize = 60;
/// The size of the long transcript, in bytes.
const LONG: usize = 5 << 20;
/// The size of the short transcript, in bytes.
const SHORT: usize = 4 << 10;
/// The most processor time that a long transcript may add.
const GOAL: Duration = Duration::from_millis(15);

const RETURN: &str = r#"{\"status\":\"completed\",\"summary\":\"The tables were printed. They are tested.\",\"artifacts\":[{\"type\":\"implementation\",\"path\":\"a.rs\",\"summary\":\"Tables\"}],\"metadata\":{\"session_id\":\"0f259993-0cfa-4b4b-bd76-7b4896e31500\",\"agent_type\":\"planner\",\"delegation_depth\":1,\"delegation_path\":[\"orchestrator\",\"planner\"]}}"#;

/// Calls the hook at the end of agents of Claude Code.
pub(crate) fn at_end(place: &Path) {
    print_line(
        "the hook at the end of an agent                      median    shortest   processor",
    );
    let mut missed = Vec::new();
    for recorded in recorded::all() {
        if recorded.name != "Claude Code" || recorded.form != Form::Lines {
            continue;
        }
        let texts = match recorded.texts {
            Texts::Short => "short texts",
            Texts::Long => "long texts",
        };
        let mut contest = Contest::new(ROUNDS);
        for (name, size, options) in [
            ("4 KB", SHORT, ""),
            ("5 MB, --evidence off", LONG, "--evidence off"),
            ("5 MB", LONG, ""),
        ] {
            let place = place.join(format!("hook {texts} {name}"));
            let payload = write(&place, &recorded.text(size));
            let mut calls = 0;
            contest.enter_work(name, move || {
                // Each call has its own folder. Otherwise the hook would remember the agent's earlier
                // end.
                calls += 1;
                call(&place.join(calls.to_string()), &payload, options);
            });
        }
        let rows = contest.run();
        for row in &rows {
            let name = format!("{texts}, transcript of {}", row.name);
            print_times(&name, [row.median, row.shortest, row.processor]);
        }
        let more = |of: fn(&Row) -> Duration| of(&rows[2]).saturating_sub(of(&rows[0]));
        let times = [more(|row| row.median), more(|row| row.shortest), more(|row| row.processor)];
        print_times(&format!("{texts}, what 5 MB add"), times);
        // Only processor time is compared, because other processes slow down the rest.
        if times[2] > GOAL {
            missed.push(texts);
        }
    }
    print_line(&match &missed[..] {
        [] => format!("goal: 5 MB add at most {GOAL:?} of processor time; every row meets it"),
        missed => format!(
            "goal: 5 MB add at most {GOAL:?} of processor time; missed with {}",
            missed.join(" and ")
        ),
    });
}

fn print_times(name: &str, [median, shortest, processor]: [Duration; 3]) {
    print_line(&format!("{name:<48} {median:>10.1?}  {shortest:>10.1?}  {processor:>10.1?}"));
}

/// Writes a transcript that ends with a return, and the payload of the hook.
fn write(place: &Path, transcript: &str) -> PathBuf {
    fs::create_dir_all(place).expect("a folder");
    fs::write(place.join("a.rs"), "fn main() {}\n").expect("a file");
    let path = place.join("agent-a1bac6ebebd96e1f0.jsonl");
    let end = format!(
        r#"{{"isSidechain":true,"agentId":"a1bac6ebebd96e1f0","sessionId":"0f259993-0cfa-4b4b-bd76-7b4896e31500","timestamp":"2026-11-22T10:14:13.618Z","type":"assistant","message":{{"id":"end","role":"assistant","content":[{{"type":"text","text":"{RETURN}"}}],"stop_reason":"end_turn"}}}}"#
    );
    fs::write(&path, format!("{transcript}{end}\n")).expect("a transcript");
    let payload = place.join("payload.json");
    let text = format!(
        r#"{{"hook_event_name":"SubagentStop","session_id":"0f259993-0cfa-4b4b-bd76-7b4896e31500","agent_id":"a1bac6ebebd96e1f0","agent_type":"planner","cwd":"{}","agent_transcript_path":"{}","last_assistant_message":"{RETURN}"}}"#,
        place.display(),
        path.display()
    );
    fs::write(&payload, text).expect("a payload");
    payload
}

fn call(state: &Path, payload: &Path, options: &str) {
    let retval =
        std::env::var("RETVAL").unwrap_or_else(|_| env!("CARGO_BIN_EXE_retval").to_owned());
    fs::create_dir_all(state).expect("a folder");
    let output = Command::new(retval)
        .args(["hook", "--no-config"])
        .args(options.split_whitespace())
        .env("XDG_RUNTIME_DIR", state)
        .stdin(File::open(payload).expect("a payload"))
        .stderr(Stdio::null())
        .output()
        .expect("it runs");
    assert!(output.stdout.is_empty(), "the return is valid");
}

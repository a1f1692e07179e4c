//! What reading a transcript costs: runs of agents over the grammar of the same bytes alone.
//!
//! `cargo bench --bench transcripts`. The transcripts are made here, of records as the clients write
//! them: small messages, results of commands, and files that are read and written.

mod measure;

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader};

use measure::{Contest, print_line, print_table};
use retval::transcript;
use serde::de::IgnoredAny;

/// How often each reads a transcript.
const ROUNDS: usize = 15;
/// Bytes of a transcript.
const SIZE: usize = 48 << 20;

fn main() {
    let transcripts = [
        ("Claude Code", claude_code as fn(&mut String, usize)),
        ("Codex", codex),
        ("Copilot CLI", copilot),
        ("Gemini CLI", gemini),
    ];
    for (client, turn) in transcripts {
        let mut text = String::new();
        for index in 0.. {
            turn(&mut text, index);
            if text.len() >= SIZE {
                break;
            }
        }
        let mut contest = Contest::new(ROUNDS);
        contest.enter_work("lines and grammar alone (IgnoredAny)", || grammar(&text));
        contest.enter_work("retval::transcript::read", || {
            black_box(transcript::read(text.as_bytes()).expect("a transcript"));
        });
        print_table(client, &contest.run());
    }
    print_line("goal: at most x 1.6");
}

/// Every line is read as JSON, and nothing is kept.
fn grammar(text: &str) {
    let mut reader = BufReader::with_capacity(256 << 10, text.as_bytes());
    let mut line = Vec::new();
    while reader
        .read_until(b'\n', &mut line)
        .expect("it is in memory")
        > 0
    {
        black_box(serde_json::from_slice::<IgnoredAny>(&line).expect("a record"));
        line.clear();
    }
}

/// Source code, as it stands in a string.
fn code(lines: usize) -> String {
    let line = "    let level = tides.iter().map(|tide| tide[\\\"level\\\"]).max();\\n";
    line.repeat(lines)
}

fn claude_code(text: &mut String, index: usize) {
    let common = "\"parentUuid\":\"5b1c9f4e-6a1d-4b7e-9c7e-0d5f3a2b1c4d\",\"isSidechain\":true,\
        \"userType\":\"external\",\"cwd\":\"/home/user/project\",\
        \"sessionId\":\"0f259993-0cfa-4b4b-bd76-7b4896e31500\",\"version\":\"2.1.330\",\
        \"gitBranch\":\"main\",\"agentId\":\"a1bac6ebebd96e1f0\",\
        \"uuid\":\"c27cc41b-c8b6-4b2e-881e-80995849ceab\",\"timestamp\":\"2026-11-22T10:13:13.618Z\"";
    let usage = "\"usage\":{\"input_tokens\":100,\"cache_creation_input_tokens\":0,\
        \"cache_read_input_tokens\":41000,\"output_tokens\":50,\"service_tier\":\"standard\"}";
    if index == 0 {
        let _ = writeln!(
            text,
            r#"{{{common},"type":"user","message":{{"content":"Go."}}}}"#
        );
    }
    let content = code(30);
    let (name, input, result) = match index % 4 {
        0 => ("Bash", r#"{"command":"make check"}"#.to_owned(), code(20)),
        1 => (
            "Write",
            format!(r#"{{"file_path":"a.rs","content":"{content}"}}"#),
            "ok".to_owned(),
        ),
        _ => ("Read", r#"{"file_path":"a.rs"}"#.to_owned(), code(60)),
    };
    let _ = writeln!(
        text,
        r#"{{{common},"type":"assistant","message":{{"id":"m{index}","role":"assistant","content":[{{"type":"text","text":"I look at the next file, and then at its tests."}}],{usage}}}}}"#
    );
    let _ = writeln!(
        text,
        r#"{{{common},"type":"assistant","message":{{"id":"m{index}","role":"assistant","content":[{{"type":"tool_use","id":"t{index}","name":"{name}","input":{input}}}],{usage}}}}}"#
    );
    let _ = writeln!(
        text,
        r#"{{{common},"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"t{index}","type":"tool_result","content":"{result}"}}]}},"toolUseResult":{{"stdout":"{result}","stderr":"","interrupted":false}}}}"#
    );
}

fn codex(text: &mut String, index: usize) {
    let time = "\"timestamp\":\"2026-11-22T10:25:26.130Z\"";
    if index == 0 {
        let _ = writeln!(
            text,
            r#"{{{time},"type":"session_meta","payload":{{"id":"s","cwd":"/home/user/project"}}}}"#
        );
    }
    let output = code(40);
    let _ = writeln!(
        text,
        r#"{{{time},"type":"response_item","payload":{{"type":"reasoning","summary":[],"encrypted_content":"{}"}}}}"#,
        "gAAAAABn".repeat(120)
    );
    let _ = writeln!(
        text,
        r#"{{{time},"type":"response_item","payload":{{"type":"function_call","name":"exec_command","arguments":"{{\"cmd\":\"sed -n 1,40p a.rs\",\"workdir\":\"/home/user/project\"}}","call_id":"c{index}"}}}}"#
    );
    let _ = writeln!(
        text,
        r#"{{{time},"type":"response_item","payload":{{"type":"function_call_output","call_id":"c{index}","output":"Process exited with code 0\nOutput:\n{output}"}}}}"#
    );
    let _ = writeln!(
        text,
        r#"{{{time},"type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{{"input_tokens":24098,"cached_input_tokens":2432,"output_tokens":389,"total_tokens":24487}}}}}}}}"#
    );
}

fn copilot(text: &mut String, index: usize) {
    let common = "\"timestamp\":\"2026-11-22T10:32:06.239Z\",\"parentId\":\"478494c6-936d-485b-9c7f-311e1012992a\"";
    let result = code(40);
    let _ = writeln!(
        text,
        r#"{{"type":"assistant.message","data":{{"messageId":"m{index}","content":"I look at the next file.","toolRequests":[{{"toolCallId":"t{index}","name":"view","arguments":{{"path":"/home/user/project/a.rs"}}}}]}},{common}}}"#
    );
    let _ = writeln!(
        text,
        r#"{{"type":"tool.execution_start","data":{{"toolCallId":"t{index}","toolName":"view","arguments":{{"path":"/home/user/project/a.rs"}}}},{common}}}"#
    );
    let _ = writeln!(
        text,
        r#"{{"type":"tool.execution_complete","data":{{"toolCallId":"t{index}","success":true,"result":{{"content":"{result}","detailedContent":"{result}"}}}},{common}}}"#
    );
}

fn gemini(text: &mut String, index: usize) {
    let time = "\"timestamp\":\"2026-11-22T10:28:08.240Z\"";
    if index == 0 {
        let _ = writeln!(
            text,
            r#"{{"projectHash":"7429","kind":"main","sessionId":"s"}}"#
        );
    }
    let result = code(40);
    let tokens =
        r#""tokens":{"input":100,"output":50,"cached":0,"thoughts":0,"tool":0,"total":150}"#;
    let _ = writeln!(
        text,
        r#"{{"id":"m{index}",{time},"type":"gemini","content":"I look at the next file.","thoughts":[],{tokens}}}"#
    );
    let _ = writeln!(
        text,
        r#"{{"id":"m{index}",{time},"type":"gemini","content":"I look at the next file.","thoughts":[],{tokens},"toolCalls":[{{"id":"t{index}","name":"read_file","args":{{"file_path":"a.rs"}},"result":[{{"functionResponse":{{"id":"t{index}","name":"read_file","response":{{"output":"{result}"}}}}}}],"status":"success","resultDisplay":"{result}"}}]}}"#
    );
    let _ = writeln!(
        text,
        r#"{{"$set":{{"lastUpdated":"2026-11-22T10:28:08.240Z"}}}}"#
    );
}

//! The transcript of an agent in Claude Code.

use std::fmt::Write as _;

use super::Texts;

/// The first members of every record.
macro_rules! first {
    () => {
        r#""parentUuid":"5b1c9f4e-6a1d-4b7e-9c7e-0d5f3a2b1c4d","isSidechain":true,"agentId":"a1bac6ebebd96e1f0""#
    };
}

/// The last members of every record.
macro_rules! last {
    () => {
        r#""userType":"external","cwd":"/home/user/project","sessionId":"0f259993-0cfa-4b4b-bd76-7b4896e31500","version":"2.1.330","gitBranch":"main""#
    };
}

/// The members that differ between records.
macro_rules! own {
    () => {
        r#""uuid":"c27cc41b-c8b6-4b2e-881e-80995849ceab","timestamp":"2026-11-22T10:13:13.618Z""#
    };
}

const FIRST: &str = first!();
const OWN: &str = own!();
const LAST: &str = last!();
const USAGE: &str = r#""usage":{"input_tokens":100,"cache_creation_input_tokens":0,"cache_read_input_tokens":41000,"output_tokens":50,"service_tier":"standard"}"#;

pub(super) const HEAD: &str = concat!(
    "{",
    first!(),
    r#","type":"user","message":{"role":"user","content":"Go."},"#,
    own!(),
    ",",
    last!(),
    "}\n"
);

pub(super) fn turn(text: &mut String, index: usize, texts: Texts) {
    let (name, input, result) = match index % 4 {
        0 => ("Bash", r#"{"command":"make check"}"#.to_owned(), texts.code(20)),
        1 => {
            let content = texts.code(30);
            let input = format!(r#"{{"file_path":"a.rs","content":"{content}"}}"#);
            ("Write", input, "ok".to_owned())
        }
        _ => ("Read", r#"{"file_path":"a.rs"}"#.to_owned(), texts.code(60)),
    };
    let head = format!(
        r#"{{{FIRST},"message":{{"id":"m{index}","type":"message","role":"assistant","model":"claude-opus-5-5","content""#
    );
    let tail = format!(r#","stop_reason":"tool_use",{USAGE}}},"type":"assistant",{OWN},{LAST}}}"#);
    let _ = write!(
        text,
        r#"{head}:[{{"type":"text","text":"I look at the next file, and then at its tests."}}]{tail}
{head}:[{{"type":"tool_use","id":"t{index}","name":"{name}","input":{input}}}]{tail}
{{{FIRST},"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"t{index}","type":"tool_result","content":"{result}"}}]}},{OWN},"toolUseResult":{{"stdout":"{result}","stderr":"","interrupted":false}},{LAST}}}
"#
    );
}

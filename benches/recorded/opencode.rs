//! An export of a session of opencode.

use std::fmt::Write as _;

use super::Texts;

pub(super) const DOCUMENT: [&str; 3] = [
    r#"{"info":{"id":"ses_4c40bea7440b46e1","version":"1.0.85","projectID":"59c1aae0","directory":"/home/user/project","title":"Tides","time":{"created":1795343199920,"updated":1795343299920}},"messages":[
"#,
    ",\n",
    "\n]}\n",
];

/// A message with a text and a call.
pub(super) fn turn(text: &mut String, index: usize, texts: Texts) {
    let result = texts.code(40);
    let (name, input, metadata) = match index % 4 {
        0 => (
            "bash",
            r#"{"command":"make check","description":"Runs the checks"}"#.to_owned(),
            format!(r#"{{"output":"{result}","exit":0}}"#),
        ),
        1 => (
            "write",
            format!(r#"{{"filePath":"/home/user/project/a.rs","content":"{}"}}"#, texts.code(30)),
            r#"{"exists":true}"#.to_owned(),
        ),
        _ => (
            "read",
            r#"{"filePath":"/home/user/project/a.rs"}"#.to_owned(),
            r#"{"preview":"fn main() {}"}"#.to_owned(),
        ),
    };
    let ids = format!(r#""sessionID":"ses_4c40bea7440b46e1","messageID":"msg_{index}""#);
    let _ = write!(
        text,
        r#"{{"info":{{"id":"msg_{index}","sessionID":"ses_4c40bea7440b46e1","role":"assistant","time":{{"created":1795343199920,"completed":1795343209920}},"modelID":"claude-sonnet-4","providerID":"anthropic","mode":"build","path":{{"cwd":"/home/user/project","root":"/home/user/project"}},"cost":0,"tokens":{{"input":100,"output":50,"reasoning":0,"cache":{{"read":41000,"write":0}}}}}},"parts":[{{"id":"prt_1",{ids},"type":"step-start"}},{{"id":"prt_2",{ids},"type":"text","text":"I look at the next file.","time":{{"start":1795343200920,"end":1795343201920}}}},{{"id":"prt_3",{ids},"type":"tool","callID":"t{index}","tool":"{name}","state":{{"status":"completed","input":{input},"output":"{result}","title":"a.rs","metadata":{metadata},"time":{{"start":1795343202920,"end":1795343203920}}}}}},{{"id":"prt_4",{ids},"type":"step-finish","reason":"tool-calls","cost":0,"tokens":{{"input":100,"output":50,"reasoning":0,"cache":{{"read":41000,"write":0}}}}}}]}}"#
    );
}

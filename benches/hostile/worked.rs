//! Returns with many claims, and transcripts of agents with many calls.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A shape of claims and calls: the claimed files, and the calls that are said to have written them.
pub(crate) struct WorkShape {
    pub(crate) name: &'static str,
    claimed: fn(usize) -> String,
    /// The name of the tool, and its arguments.
    call: fn(usize) -> (&'static str, String),
}

pub(crate) const SHAPES: &[WorkShape] = &[
    WorkShape {
        name: "files that the calls wrote",
        claimed: |at| format!("own/a{at}.md"),
        call: |at| ("Write", format!(r#""file_path":"own/a{at}.md""#)),
    },
    WorkShape {
        name: "files that the calls did not write",
        claimed: |at| format!("own/a{at}.md"),
        call: |at| ("Write", format!(r#""file_path":"other/b{at}.md""#)),
    },
    WorkShape {
        name: "files of one name",
        claimed: |at| format!("own/{at}/index.md"),
        call: |at| ("Write", format!(r#""file_path":"other/{at}/index.md""#)),
    },
    WorkShape {
        name: "one file",
        claimed: |_| "own/index.md".to_owned(),
        call: |_| {
            ("Edit", r#""file_path":"own/index.md","old_string":"a","new_string":"a""#.to_owned())
        },
    },
    WorkShape {
        name: "files that commands wrote",
        claimed: |at| format!("own/a{at}.md"),
        call: |at| ("Bash", format!(r#""command":"echo {at} > own/a{at}.md""#)),
    },
    WorkShape {
        name: "files that commands only name",
        claimed: |at| format!("own/a{at}.md"),
        call: |at| ("Bash", format!(r#""command":"make own/a{at}.md > log""#)),
    },
];

impl WorkShape {
    pub(crate) fn write(&self, place: &Path, count: usize) {
        write(place, count, self.claimed, self.call);
    }
}

/// Writes a project with this many claims and calls. The return and the transcript are written next to it.
pub(crate) fn write(
    place: &Path,
    count: usize,
    claimed: impl Fn(usize) -> String,
    call: impl Fn(usize) -> (&'static str, String),
) {
    let mut claims = Vec::new();
    let mut records = String::from(
        r#"{"type":"user","agentId":"a1","isSidechain":true,"sessionId":"s","message":{"role":"user","content":"Go."}}"#,
    );
    records.push('\n');
    for at in 0..count {
        let path = claimed(at);
        let file = place.join("project").join(&path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, "x").expect("a file");
        claims.push(format!(r#"{{"type":"plan","path":"{path}","summary":"x"}}"#));
        let (tool, input) = call(at);
        let _ = write!(
            records,
            r#"{{"type":"assistant","agentId":"a1","isSidechain":true,"sessionId":"s","message":{{"id":"m{at}","role":"assistant","content":[{{"type":"tool_use","id":"t{at}","name":"{tool}","input":{{{input}}}}}]}}}}
{{"type":"user","agentId":"a1","isSidechain":true,"sessionId":"s","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{at}","content":"ok"}}]}}}}
"#
        );
    }
    records.push_str(r#"{"type":"assistant","agentId":"a1","isSidechain":true,"sessionId":"s","message":{"id":"end","role":"assistant","content":[{"type":"text","text":"Done."}]}}"#);
    records.push('\n');
    let returned = format!(
        r#"{{"status":"completed","summary":"One thing. Another.","artifacts":[{}],"metadata":{{"session_id":"s","agent_type":"a","delegation_depth":1,"delegation_path":["orchestrator","a"]}}}}"#,
        claims.join(",")
    );
    fs::write(place.join("return.json"), returned).expect("it is written");
    fs::write(place.join("session.jsonl"), records).expect("it is written");
}

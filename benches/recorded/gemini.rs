//! A session of Gemini CLI, in lines and as one document.

use std::fmt::Write as _;

use super::Texts;

const TIME: &str = r#""timestamp":"2026-11-22T10:28:08.240Z""#;

/// The first record of a session, without its closing brace.
macro_rules! session {
    () => {
        r#"{"sessionId":"2abff480-1138-4a93-a8c7-bfacaf2c621e","projectHash":"abf455cbb1bbc91ae3473e8a2f2ff56e850dbf2e2d2678e654549cb67c9c9624","startTime":"2026-11-22T10:28:18.316Z","kind":"main""#
    };
}

pub(super) const HEAD: &str = concat!(session!(), "}\n");
pub(super) const DOCUMENT: [&str; 3] = [concat!(session!(), ",\"messages\":[\n"), ",\n", "\n]}\n"];

/// A message before its call, the same message with its call, and a change to the session.
pub(super) fn turn(text: &mut String, index: usize, texts: Texts) {
    let _ = writeln!(text, "{}}}", begun(index));
    message(text, index, texts);
    text.push_str("\n{\"$set\":{\"lastUpdated\":\"2026-11-22T10:28:08.240Z\"}}\n");
}

/// A message with a call and its result.
pub(super) fn message(text: &mut String, index: usize, texts: Texts) {
    let result = texts.code(40);
    let (name, args) = match index % 4 {
        0 => ("run_shell_command", r#"{"command":"make check"}"#.to_owned()),
        1 => {
            let content = texts.code(30);
            ("write_file", format!(r#"{{"file_path":"a.rs","content":"{content}"}}"#))
        }
        _ => ("read_file", r#"{"file_path":"a.rs"}"#.to_owned()),
    };
    let _ = write!(
        text,
        r#"{},"toolCalls":[{{"id":"t{index}","name":"{name}","args":{args},"result":[{{"functionResponse":{{"id":"t{index}","name":"{name}","response":{{"output":"{result}"}}}}}}],"status":"success",{TIME},"resultDisplay":"{result}"}}]}}"#,
        begun(index)
    );
}

/// A message, without its closing brace.
fn begun(index: usize) -> String {
    format!(
        r#"{{"id":"m{index}",{TIME},"type":"gemini","content":"I look at the next file.","thoughts":[],"tokens":{{"input":100,"output":50,"cached":0,"thoughts":0,"tool":0,"total":150}},"model":"gemini-2.5-pro""#
    )
}

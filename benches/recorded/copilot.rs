//! Events of a session of Copilot CLI.

use std::fmt::Write as _;

use super::Texts;

const COMMON: &str = r#""id":"effcd976-49cd-442e-b471-e1bb88007f75","timestamp":"2026-11-22T10:32:06.239Z","parentId":"478494c6-936d-485b-9c7f-311e1012992a""#;

pub(super) const HEAD: &str = concat!(
    r#"{"type":"session.start","data":{"sessionId":"3c40bea7-440b-46e1-9675-85391e4572a2","version":1,"producer":"copilot-agent","copilotVersion":"1.0.102","startTime":"2026-11-22T10:32:05.658Z","context":{"cwd":"/home/user/project","headCommit":"59c1aae0c4a0fcde53f5c7f24e424e97959c1aae"}},"timestamp":"2026-11-22T10:32:05.658Z"}"#,
    "\n",
);

/// A turn with a text, a hook, and a call with its result.
pub(super) fn turn(text: &mut String, index: usize, texts: Texts) {
    let result = texts.code(40);
    let (name, arguments) = match index % 4 {
        0 => ("bash", r#"{"command":"make check","description":"Run the checks"}"#.to_owned()),
        1 => {
            let content = texts.code(30);
            ("create", format!(r#"{{"path":"/home/user/project/a.rs","file_text":"{content}"}}"#))
        }
        _ => ("view", r#"{"path":"/home/user/project/a.rs"}"#.to_owned()),
    };
    let _ = write!(
        text,
        r#"{{"type":"assistant.turn_start","data":{{"turnId":"{index}","interactionId":"bab352fe-1de6-42a7-962d-e73b4f061bd2"}},{COMMON}}}
{{"type":"assistant.message","data":{{"messageId":"m{index}","model":"claude-sonnet-4","content":"I look at the next file.","toolRequests":[{{"toolCallId":"t{index}","name":"{name}","arguments":{arguments}}}]}},{COMMON}}}
{{"type":"hook.start","data":{{"hookInvocationId":"d535ddb5-a686-4809-b612-064b96e37708","hookType":"preToolUse","input":{{"cwd":"/home/user/project","toolCalls":[{{"id":"t{index}","name":"{name}","args":{arguments}}}]}}}},{COMMON}}}
{{"type":"hook.end","data":{{"hookInvocationId":"d535ddb5-a686-4809-b612-064b96e37708","hookType":"preToolUse","success":true}},{COMMON}}}
{{"type":"tool.execution_start","data":{{"toolCallId":"t{index}","toolName":"{name}","arguments":{arguments},"turnId":"{index}"}},{COMMON}}}
{{"type":"tool.execution_complete","data":{{"toolCallId":"t{index}","success":true,"result":{{"content":"{result}","detailedContent":"{result}"}}}},{COMMON}}}
{{"type":"assistant.turn_end","data":{{"turnId":"{index}"}},{COMMON}}}
"#
    );
}

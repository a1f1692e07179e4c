//! A rollout of Codex.

use std::fmt::Write as _;

use super::Texts;

const COMMON: &str = r#""timestamp":"2026-11-22T10:25:26.130Z","ordinal":17"#;
const TURN: &str = r#""turn_id":"01a202cb-2e05-7120-af08-43e4c0f3dd71","root_turn_id":"01a202cb-2e05-7120-af08-43e4c0f3dd71""#;

pub(super) const HEAD: &str = concat!(
    r#"{"timestamp":"2026-11-22T10:25:25.130Z","type":"session_meta","payload":{"id":"01a202cb-2e9f-7f33-89ef-d916d7ffe50e","session_id":"01a202cb-2de1-7dd1-ad34-b858f5cf5787","timestamp":"2026-11-22T10:25:25.911Z","cwd":"/home/user/project","originator":"codex_exec","cli_version":"0.169.0","source":"exec","git":{"commit_hash":"59c1aae0c4a0fcde53f5c7f24e424e97959c1aae","branch":"main"}}}"#,
    "\n",
);

/// A turn with a thought, a call and its result, each recorded twice: as sent to the model, and as shown
/// by the client.
pub(super) fn turn(text: &mut String, index: usize, texts: Texts) {
    let result = texts.code(40);
    let nested = texts.code(30).replace('\\', r"\\").replace('"', r#"\""#);
    let arguments = match index % 4 {
        1 => format!(
            r#"{{\"cmd\":\"tee a.rs <<'END'\\n{nested}END\",\"workdir\":\"/home/user/project\"}}"#
        ),
        _ => r#"{\"cmd\":\"sed -n 1,40p a.rs\",\"workdir\":\"/home/user/project\"}"#.to_owned(),
    };
    let thought = "gAAAAABn".repeat(thought(texts));
    let usage = r#"{"input_tokens":24098,"cached_input_tokens":2432,"output_tokens":389,"reasoning_output_tokens":256,"total_tokens":24487}"#;
    let _ = write!(
        text,
        r#"{{{COMMON},"type":"turn_context","payload":{{{TURN},"cwd":"/home/user/project","approval_policy":"never","sandbox_policy":{{"mode":"danger-full-access"}},"model":"gpt-5.2-codex","effort":"high","summary":"auto"}}}}
{{{COMMON},"type":"response_item","payload":{{"type":"reasoning","id":"rs_{index}","summary":[],"content":null,"encrypted_content":"{thought}","internal_chat_message_metadata_passthrough":{{{TURN}}}}}}}
{{{COMMON},"type":"event_msg","payload":{{"type":"agent_message","message":"I look at the next file, and then at its tests.","phase":"commentary"}}}}
{{{COMMON},"type":"response_item","payload":{{"type":"message","id":"msg_{index}","role":"assistant","content":[{{"type":"output_text","text":"I look at the next file, and then at its tests."}}]}}}}
{{{COMMON},"type":"response_item","payload":{{"type":"function_call","status":"completed","id":"fc_{index}","name":"exec_command","arguments":"{arguments}","call_id":"c{index}"}}}}
{{{COMMON},"type":"event_msg","payload":{{"type":"item_completed","thread_id":"01a202cb-2e9f-7f33-89ef-d916d7ffe50e",{TURN},"item":{{"type":"CommandExecution","id":"c{index}","command":"sed -n 1,40p a.rs","cwd":"/home/user/project","status":"completed","aggregated_output":"{result}","exit_code":0}}}}}}
{{{COMMON},"type":"response_item","payload":{{"type":"function_call_output","call_id":"c{index}","output":"Process exited with code 0\nOutput:\n{result}"}}}}
{{{COMMON},"type":"event_msg","payload":{{"type":"token_count","info":{{"total_token_usage":{usage},"last_token_usage":{usage},"model_context_window":258400}},"rate_limits":{{"limit_id":"codex","primary":null,"secondary":null,"credits":null}}}}}}
"#
    );
}

/// The length of an encrypted thought, in units of 8 characters.
fn thought(texts: Texts) -> usize {
    match texts {
        Texts::Short => 4,
        Texts::Long => 120,
    }
}

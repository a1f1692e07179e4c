//! The settings to paste, by harness.
//!
//! The command is one text for a shell, arguments and all: a harness that does not know `args` as
//! a list of its own would leave them out and run `retval` alone.

use retval::harness::Harness;

pub(super) fn text(harness: Harness) -> &'static str {
    match harness {
        Harness::ClaudeCode => CLAUDE_CODE,
        Harness::Codex => CODEX,
        Harness::Copilot => COPILOT,
        Harness::Gemini => GEMINI,
        Harness::Cursor => CURSOR,
    }
}

/// For `.claude/settings.json`. The first two answer the agent, the next two its caller; the last
/// records an agent that ended by an error. `StopFailure` would, too, but older clients take no
/// settings at all that name an event they do not know.
const CLAUDE_CODE: &str = r#"{
  "hooks": {
    "SubagentStart": [
      { "hooks": [{ "type": "command", "command": "retval hook", "timeout": 10 }] }
    ],
    "SubagentStop": [
      { "hooks": [{ "type": "command", "command": "retval hook", "timeout": 10 }] }
    ],
    "PostToolUse": [
      { "matcher": "Agent|Task", "hooks": [{ "type": "command", "command": "retval hook", "timeout": 10 }] }
    ],
    "UserPromptSubmit": [
      { "hooks": [{ "type": "command", "command": "retval hook", "timeout": 10 }] }
    ],
    "PostToolUseFailure": [
      { "matcher": "Agent|Task", "hooks": [{ "type": "command", "command": "retval hook", "timeout": 10 }] }
    ]
  }
}
"#;

/// For `~/.codex/hooks.json`.
const CODEX: &str = r#"{
  "hooks": {
    "SubagentStart": [
      { "hooks": [{ "type": "command", "command": "retval hook", "timeout": 10 }] }
    ],
    "SubagentStop": [
      { "hooks": [{ "type": "command", "command": "retval hook", "timeout": 10 }] }
    ]
  }
}
"#;

/// For `.github/hooks/retval.json`.
const COPILOT: &str = r#"{
  "version": 1,
  "hooks": {
    "subagentStart": [
      { "type": "command", "bash": "retval hook", "powershell": "retval hook", "timeoutSec": 10 }
    ],
    "subagentStop": [
      { "type": "command", "bash": "retval hook", "powershell": "retval hook", "timeoutSec": 10 }
    ]
  }
}
"#;

/// For `.gemini/settings.json`; the timeout is in milliseconds.
const GEMINI: &str = r#"{
  "hooks": {
    "BeforeTool": [
      { "matcher": "invoke_agent", "hooks": [{ "type": "command", "command": "retval hook", "timeout": 10000 }] }
    ],
    "AfterTool": [
      { "matcher": "invoke_agent", "hooks": [{ "type": "command", "command": "retval hook", "timeout": 10000 }] }
    ]
  }
}
"#;

/// For `.cursor/hooks.json`.
const CURSOR: &str = r#"{
  "version": 1,
  "hooks": {
    "subagentStop": [{ "command": "retval hook", "loop_limit": 5 }]
  }
}
"#;

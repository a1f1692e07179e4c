//! Runs the orchestrator that is a shell script, with a subagent whose answers the test chooses.

use std::fs;
use std::path::Path;

use crate::{blocks, page_path, shell, text};

/// What the orchestrator prints if the subagent gives these answers, one a call.
fn delegate(folder: &Path, answers: &[&str]) -> String {
    let scripts = blocks(&page_path("shell"), "bash");
    let [script] = scripts.as_slice() else {
        panic!("one script, not {}", scripts.len());
    };
    for (number, answer) in answers.iter().enumerate() {
        fs::write(folder.join(format!("answer-{number}")), answer).expect("a file");
    }
    let subagent = r#"
run_subagent() {
  local count=$(cat calls 2>/dev/null || echo 0)
  printf '%s' "$2" > "prompt-$count"
  echo $((count + 1)) > calls
  session=$(grep -o 'sess_[0-9_]*' prompt-0 | head -n 1)
  sed "s/SESSION/$session/" "answer-$count"
}
"#;
    let script = format!("{subagent}\n{script}\ndelegate planner 'Plan it.'");
    text(shell(&script, folder).stdout)
}

#[test]
fn the_orchestrator_passes_on_one_valid_return_whatever_comes_back() {
    let good = r#"{"status":"completed","summary":"The plan is made. It is short.","artifacts":[{"type":"plan","path":"plan.md","summary":"x"}],"metadata":{"session_id":"SESSION","agent_type":"planner","delegation_depth":1,"delegation_path":["orchestrator","planner"]}}"#;
    let fenced = format!("Here it is:\n```json\n{good}\n```\n");
    for (answers, calls, status, recorded) in [
        ([good, ""], "1\n", "completed", false),
        ([&fenced, good], "2\n", "completed", false),
        ([&fenced, &fenced], "2\n", "failed", true),
        (["I have made the plan.", good], "2\n", "completed", false),
        (["I have made the plan.", "Really."], "2\n", "failed", true),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("plan.md"), "1. Do it.\n").expect("a file");
        let returned: serde_json::Value =
            serde_json::from_str(&delegate(folder.path(), &answers)).expect("a return");
        assert_eq!(returned["status"], status);
        assert_eq!(fs::read_to_string(folder.path().join("calls")).expect("calls"), calls);
        assert_eq!(folder.path().join("errors.json").exists(), recorded);
        let prompt = fs::read_to_string(folder.path().join("prompt-0")).expect("a prompt");
        assert!(
            prompt.starts_with("Plan it.\n\nCRITICAL RETURN FORMAT REQUIREMENT:\n"),
            "{prompt}"
        );
    }
}

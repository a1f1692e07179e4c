//! `retval demo`: a false and a true return, checked in a temporary folder.

use std::fs;

use anyhow::Context as _;

use crate::cli::output::{Exit, print_stdout};
use crate::profile::RETURN;
use crate::report::{Checked, Detail, Profiles, ReportOptions, Source};
use crate::{Checker, Format, Root};

/// The file that the subagent only claims, and the file that it has written.
const CLAIMED: &str = "risks.md";
const WRITTEN: &str = "plan.md";

const NEXT: &str = "  retval check FILE                  check a return of your own
  retval instruct >> prompt.txt      tell an agent how to return
  retval hook install claude-code    check agents when they stop
  retval help                        list the commands and the manual
";

pub(crate) fn run() -> anyhow::Result<Exit> {
    print_stdout(tour().context("cannot use a temporary folder")?)
}

/// The text of the demonstration, which runs in a temporary folder. The folder is removed before anything is
/// printed, so that a slow reader of the output keeps nothing on disk.
fn tour() -> anyhow::Result<String> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(WRITTEN), "1. Read the gauges.\n")?;
    let root = Root::open(folder.path())?;
    let checker = Checker::new(&RETURN, &root);
    // The output of the checker in a format, and the exit code.
    let check = |claimed: &str, format: Format| {
        let report = checker.check(&subagent_return(claimed));
        let options = ReportOptions { detail: Detail::Quiet, ..ReportOptions::default() };
        let mut out = Vec::new();
        let reporter = format.reporter(&options, &Profiles::default());
        reporter.report(&Source::new("return.json"), Checked::Report(&report), &mut out);
        let out = String::from_utf8_lossy(&out).into_owned();
        (quoted(&out), u8::from(!report.is_valid()))
    };
    let (found, exit) = check(CLAIMED, Format::Text);
    let (feedback, _) = check(CLAIMED, Format::Feedback);
    let (next, exit_of_true) = check(WRITTEN, Format::Next);
    folder.close()?;
    Ok(format!(
        "A subagent says in its return that it wrote {CLAIMED}. There is no such file:\n\n\
         \x20 $ retval check return.json --quiet\n{found}\
         The exit code is {exit}. With --format feedback, this goes back to the agent:\n\n{feedback}\
         Another subagent wrote {WRITTEN}, as its return says:\n\n\
         \x20 $ retval check return.json --format next\n{next}\
         The exit code is {exit_of_true}. What next:\n{NEXT}"
    ))
}

/// A return that claims one file.
fn subagent_return(path: &str) -> String {
    format!(
        r#"{{
  "status": "completed",
  "summary": "The plan has three phases. The first one reads the gauges.",
  "artifacts": [{{ "type": "plan", "path": "{path}", "summary": "The plan" }}],
  "metadata": {{
    "session_id": "sess_1767225600_k3m9qa",
    "agent_type": "planner",
    "delegation_depth": 1,
    "delegation_path": ["orchestrator", "planner"]
  }}
}}
"#
    )
}

/// The content of a file or the output of a command, as a block.
fn quoted(text: &str) -> String {
    let indent = |line: &str| if line.is_empty() { "" } else { "  " };
    let lines = text.lines().flat_map(|line| [indent(line), line, "\n"]);
    lines.chain(["\n"]).collect()
}

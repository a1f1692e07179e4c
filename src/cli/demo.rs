//! `retval demo`: a good and a bad return, checked in a temporary folder.

use std::fs;

use anyhow::Context as _;

use crate::cli::output::{Exit, print_stdout};
use crate::profile::RETURN;
use crate::{Checker, Format, Report, Root};

const SESSION: &str = "sess_1767225600_k3m9qa";

/// The file that the subagent has written, and the file that it only claims.
const WRITTEN: &str = "plan.md";
const CLAIMED: &str = "risks.md";

/// The files with the returns.
const GOOD: &str = "return.json";
const BAD: &str = "phantom.json";

const NEXT: &str = "\
What next:
  retval check FILE                        check a return of your own
  retval instruct >> prompt.txt            tell an agent how to return
  retval hook install claude-code          check agents when they stop
  retval explain artifact-not-found        read what a rule means
  retval help                              list the commands and the manual
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
    let checker = Checker::new(&RETURN, &root).session(SESSION);
    let exit = |report: &Report| u8::from(!report.is_valid());

    let good = subagent_return(WRITTEN);
    let report = checker.check(&good);
    let first = format!(
        "A subagent was asked for a plan. It has written {WRITTEN}. This is its return:\n\n\
         {}{}The exit code is {}. Go on with it.\n\n",
        quoted(&good),
        checked(GOOD, &report),
        exit(&report)
    );
    let bad = subagent_return(CLAIMED);
    let mut report = checker.check(&bad);
    // The name of the temporary folder would tell nothing.
    report.root = None;
    let second = format!(
        "A second return claims {CLAIMED}. That file does not exist.\n\n\
         {}The exit code is {}. Do not act on it. With --format feedback, this goes back\nto the agent:\n\n\
         {}{NEXT}",
        checked(BAD, &report),
        exit(&report),
        quoted(&Format::Feedback.render(&report, BAD))
    );
    folder.close()?;
    Ok(first + &second)
}

/// A return that claims one file.
fn subagent_return(path: &str) -> String {
    format!(
        r#"{{
  "status": "completed",
  "summary": "The plan has three phases. The first one reads the gauges.",
  "artifacts": [{{ "type": "plan", "path": "{path}", "summary": "The plan" }}],
  "metadata": {{
    "session_id": "{SESSION}",
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

/// A command that checks a file, and its output.
fn checked(file: &str, report: &Report) -> String {
    let out = quoted(&Format::Text.render(report, file));
    format!("  $ retval check {file} --session {SESSION}\n{out}")
}

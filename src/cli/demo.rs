//! `retval demo`: a good and a bad return, checked in a temporary folder.

use std::fmt::Write as _;
use std::fs;

use crate::config::ColorChoice;
use crate::format::{Checked, Format, Profiles, ReportOptions, Source};
use crate::profile::RETURN;
use crate::{Checker, Report, Root};
use anstyle::Style;
use anyhow::Context as _;

use crate::cli::color;
use crate::cli::exit::Exit;
use crate::cli::output::print_stdout;
use crate::cli::terminal::Stream;

pub(crate) const EXAMPLES: &str = "\
It writes one file, into a temporary folder that it removes.

Examples:
  retval demo";

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
    let is_colored = color::is_used(ColorChoice::Auto, Stream::Stdout);
    let tour = in_folder(is_colored).context("cannot use a temporary folder")?;
    print_stdout(tour.text.as_bytes())
}

/// Runs the demonstration in a temporary folder and returns its text. The folder is removed before
/// anything is printed, so that a slow reader of the output keeps nothing on disk.
fn in_folder(is_colored: bool) -> anyhow::Result<Tour> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(WRITTEN), "1. Read the gauges.\n")?;
    let root = Root::open(folder.path())?;
    let checker = Checker::new(&RETURN, &root).session(SESSION);
    let mut tour = Tour {
        text: String::new(),
        is_colored,
    };

    tour.say(&format!(
        "A subagent was asked for a plan. It has written {WRITTEN}. This is its return:"
    ));
    let good = subagent_return(WRITTEN);
    tour.quote(&good);
    let report = checker.check(&good);
    tour.check(GOOD, &report);
    tour.say(&format!(
        "The exit code is {}. Go on with it.",
        exit_code(&report)
    ));

    tour.say(&format!(
        "A second return claims {CLAIMED}. That file does not exist."
    ));
    let bad = subagent_return(CLAIMED);
    let mut report = checker.check(&bad);
    // The name of the temporary folder would tell nothing.
    report.root = None;
    tour.check(BAD, &report);
    tour.say(&format!(
        "The exit code is {}. Do not act on it. With --format feedback, this goes back\nto the agent:",
        exit_code(&report)
    ));
    tour.quote(&Format::Feedback.render(&report, BAD));
    tour.text.push_str(NEXT);
    folder.close()?;
    Ok(tour)
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

fn exit_code(report: &Report<'_>) -> u8 {
    if report.is_valid() {
        Exit::Valid as u8
    } else {
        Exit::Invalid as u8
    }
}

struct Tour {
    text: String,
    is_colored: bool,
}

impl Tour {
    fn say(&mut self, sentence: &str) {
        let _ = writeln!(self.text, "{sentence}\n");
    }

    /// Adds the content of a file or the output of a command.
    fn quote(&mut self, text: &str) {
        for line in text.lines() {
            let _ = writeln!(self.text, "  {line}");
        }
        self.text.push('\n');
    }

    fn check(&mut self, file: &str, report: &Report<'_>) {
        let bold = if self.is_colored {
            Style::new().bold()
        } else {
            Style::new()
        };
        self.say(&format!(
            "  {bold}$ retval check {file} --session {SESSION}{bold:#}"
        ));
        // The command and its output are one block.
        self.text.pop();
        let mut out = Vec::new();
        let options = ReportOptions {
            colored: self.is_colored,
            ..ReportOptions::default()
        };
        let reporter = Format::Text.reporter(&options, &Profiles::default());
        reporter.report(&Source::from(file), Checked::Report(report), &mut out);
        self.quote(&String::from_utf8_lossy(&out));
    }
}

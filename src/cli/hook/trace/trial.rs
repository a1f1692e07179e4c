//! `retval hook try`: what the hook would decide about an event, in words.
//!
//! The hook itself is run, with a copy of its state and without its error log, so that nothing changes.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::clients::{Event, HookSettings};
use crate::text::escape;
use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::Value;

use super::{Decided, TraceLine};
use crate::cli::exit::Exit;
use crate::cli::hook::typed::{TypedOption, TypedOptions};
use crate::cli::hook::{install, state_file};
use crate::cli::output::print_stdout;

pub(in crate::cli::hook) const EXAMPLES: &str = "\
Without options, those of the hook that is installed for the client of the event are taken.

Exit codes:
  0  it says what would be decided
  2  there is no such event

Examples:
  retval hook try event.json
  retval hook try event.json --profile return --retries 2";

#[derive(Debug, Args)]
pub(crate) struct TryArgs {
    /// Payload of the event, as the client gives it to the hook; - means standard input
    #[arg(value_name = "EVENT")]
    event: PathBuf,
    #[command(flatten)]
    options: TypedOptions,
}

/// The option that records what is invalid.
const RECORDS: &str = "errors-json";

/// Members of answers that have a text for a model or a person.
const TEXTS: &[&str] = &[
    "/reason",
    "/additionalContext",
    "/hookSpecificOutput/additionalContext",
    "/hookSpecificOutput/permissionDecisionReason",
    "/hookSpecificOutput/tool_input/prompt",
    "/followup_message",
    "/modifiedResponse",
    "/systemMessage",
];

pub(in crate::cli::hook) fn run(args: &TryArgs) -> anyhow::Result<Exit> {
    let name = escape::path(&args.event);
    let payload = read(&args.event).with_context(|| name.clone())?;
    let forced = args.options.args.caller.map(|hook| hook.client);
    let event = Event::read(&payload, forced).with_context(|| format!("{name}: it is not JSON"))?;
    let event = event.with_context(|| format!("{name}: it is empty"))?;
    let settings = event.client.facts().settings.as_ref();
    let words = words(&args.options, settings);
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    let output = answer(&words, &payload, folder.path())?;
    let log = state_file::below(folder.path()).join(state_file::LOG);
    let log = fs::read_to_string(log).context("the hook wrote no trace")?;
    let shown = if words.is_empty() {
        "none".to_owned()
    } else {
        escape::list([words.join(" ")])
    };
    let mut text = format!("options   {shown}\n");
    for line in log.lines() {
        let line: TraceLine<'_> = serde_json::from_str(line).context("the trace is damaged")?;
        text += &described(&line);
    }
    text += &said(&output);
    print_stdout(text.as_bytes())
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(path)?;
    }
    Ok(bytes)
}

/// The options that were given, or those of the installed hook, without those that record.
fn words(options: &TypedOptions, settings: Option<&'static HookSettings>) -> Vec<String> {
    let installed = settings.filter(|_| options.typed.is_empty());
    let installed = installed.and_then(install::installed_options);
    let typed = &installed.as_ref().unwrap_or(options).typed;
    let quiet = typed.iter().filter(|option| option.name != RECORDS);
    quiet.flat_map(TypedOption::words).collect()
}

fn answer(words: &[String], payload: &[u8], folder: &Path) -> anyhow::Result<Output> {
    state_file::copy_into(folder).context("cannot copy the state of the hook")?;
    let path = folder.join("payload");
    fs::write(&path, payload)?;
    let program = std::env::current_exe().context("cannot find retval itself")?;
    let output = Command::new(program)
        .arg("hook")
        .args(words)
        .arg(format!("--{RECORDS}"))
        .arg(folder.join("errors.json"))
        .env("XDG_RUNTIME_DIR", folder)
        .env("RETVAL_HOOK_LOG", "true")
        .stdin(Stdio::from(File::open(path)?))
        .output()
        .context("cannot run the hook")?;
    if !output.status.success() {
        bail!("the hook ended with {}", output.status);
    }
    Ok(output)
}

fn described(line: &TraceLine<'_>) -> String {
    let decided = match line.decision {
        Decided::Instructed => "the agent would be instructed",
        Decided::Silent => "nothing would be said",
        Decided::AskedAgain => "the agent would be asked again",
        Decided::Accepted => "the invalid return would be accepted, and its caller told",
        Decided::Told => "the caller would be told",
        Decided::Observed => "nothing would be done: the hook only observes",
        Decided::Ended => "the agent has ended by an error: its record would be written",
        Decided::NotChecked => "nothing would be checked",
        Decided::Failed => "the hook itself would fail",
    };
    let client = escape::truncated(&line.client);
    let event = escape::truncated(&line.event);
    let mut text = format!("event     {event} of {client}, {}\n", line.subject());
    let _ = writeln!(text, "decision  {decided}");
    let details = line.details();
    if !details.is_empty() {
        let _ = writeln!(text, "because   {details}");
    }
    text
}

/// The texts of an answer, and what is on standard error.
fn said(output: &Output) -> String {
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let texts = TEXTS
        .iter()
        .filter_map(|pointer| answer.pointer(pointer)?.as_str());
    let errors = String::from_utf8_lossy(&output.stderr);
    let mut text = String::new();
    for said in texts
        .chain([&*errors])
        .filter(|said| !said.trim().is_empty())
    {
        text += "says\n";
        for line in escape::multiline(said.trim_end()).lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

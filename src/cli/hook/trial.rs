//! `retval hook try`: what the hook would decide about an event, in words. Nothing is kept.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::clients::{Answer, Event};
use crate::text::escape;
use anyhow::Context as _;
use clap::Args;

use crate::cli::hook::decide::{HookSetup, decide};
use crate::cli::hook::install;
use crate::cli::hook::options::{TypedOption, TypedOptions};
use crate::cli::hook::session::HookSession;
use crate::cli::output::Exit;
use crate::cli::output::print_stdout;

pub(super) const EXAMPLES: &str = "\
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
    pub(super) options: TypedOptions,
}

pub(super) fn run(args: TryArgs) -> anyhow::Result<Exit> {
    let name = escape::path(&args.event);
    let payload = read(&args.event).with_context(|| name.clone())?;
    let forced = args.options.args.caller.map(|hook| hook.client);
    let event = Event::read(&payload, forced).with_context(|| format!("{name}: it is not JSON"))?;
    let event = event.with_context(|| format!("{name}: it is empty"))?;
    let settings = event.client.facts().settings.as_ref();
    let settings = settings.filter(|_| args.options.typed.is_empty());
    let installed = settings.and_then(install::installed_options);
    let options = installed.unwrap_or(args.options);
    let words: Vec<_> = options.typed.iter().flat_map(TypedOption::words).collect();
    let mut text = match &words[..] {
        [] => "options   none\n".to_owned(),
        words => format!("options   {}\n", escape::list([words.join(" ")])),
    };
    let setup = HookSetup::load(options.args, None);
    let decision = decide(&setup, (&event, None), &mut HookSession::read(&event));
    for trace in &decision.traces {
        text += &trace.tried();
    }
    let said = match &decision.answer {
        Answer::Nothing => "",
        Answer::Context(text)
        | Answer::Prompt { prompt: text, .. }
        | Answer::Tell(text)
        | Answer::Replace(text)
        | Answer::Block(text)
        | Answer::Note(text) => text.trim_end(),
    };
    if !said.is_empty() {
        text += "says\n";
        for line in escape::multiline(said).lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
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

//! `retval init`: writes a first configuration, and helps an agent of the user's own to write profiles.

mod cites;
mod definitions;
mod mutations;
mod returns;
mod verify;

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;

use crate::cli::files::create;
use crate::cli::output::{Exit, print_stdout};
use crate::text::{count, escape};

pub(crate) use definitions::agents;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Print a prompt with which an agent writes profiles for agent definitions: all of the project, or those
    /// in these files and folders
    #[arg(long, value_name = "PATH", num_args = 0.., conflicts_with_all = ["verify", "from", "output"])]
    prompt: Option<Vec<PathBuf>>,
    /// Check the profiles of a file against the lines that they cite, their examples and wrong returns
    /// [default: retval.toml]
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = FILE_NAME, conflicts_with_all = ["from", "output"])]
    verify: Option<PathBuf>,
    /// Output format of --verify: text for people, or feedback for the agent that writes the file
    #[arg(
        long,
        value_name = "FORMAT",
        requires = "verify",
        default_value = "text",
        hide_default_value = true
    )]
    format: VerifyFormat,
    /// Folder with past returns to propose a profile from
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
    /// Past returns, or transcripts, to count how many keep each proposed line
    #[arg(long = "try", value_name = "PATH", requires = "from")]
    trial: Option<PathBuf>,
    /// File to write, which must not exist; - prints it [default: retval.toml]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Who reads what `--verify` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum VerifyFormat {
    Text,
    Feedback,
}

/// The name of the file that is written and verified.
const FILE_NAME: &str = "retval.toml";

/// The file without proposals.
const PLAIN: &str = include_str!("retval.toml");

/// The prompt, but for the list of the definitions.
const PROMPT: &str = include_str!("prompt.md");

const HEADER: &str = "\
# Proposed by `retval init --from`. Each line says how many returns have it.
# Check the lines that say \"check\": only you know which words of a status mean success.
# `retval help configuration` lists all settings.
";

pub(crate) fn run(args: &InitArgs) -> anyhow::Result<Exit> {
    if let Some(paths) = &args.prompt {
        return print_stdout(prompt(paths)?);
    }
    if let Some(file) = &args.verify {
        let found = verify::verify(file)?;
        let text = match args.format {
            VerifyFormat::Text => found.text(),
            VerifyFormat::Feedback => found.feedback(),
        };
        return Ok(print_stdout(text)?.max(found.exit()));
    }
    let output = args.output.as_deref().unwrap_or(Path::new(FILE_NAME));
    let is_printed = output.as_os_str() == "-";
    let text = match &args.from {
        Some(folder) => {
            let tried = args.trial.as_deref().map(returns::past).transpose()?;
            format!("{HEADER}\n{}", returns::propose(folder, &tried.unwrap_or_default())?)
        }
        None => PLAIN.to_owned(),
    };
    if is_printed {
        return print_stdout(text);
    }
    let shown = escape::path(output);
    match create(output, text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!(
            "{shown} exists, and is not replaced: `--output FILE` names another file, `--output -` prints it"
        ),
        written => written.with_context(|| format!("cannot write {shown}"))?,
    }
    let mut said = format!("Wrote {shown}\n");
    // What cannot be read is no reason to fail: the file is written.
    let found = definitions::of_project().map_or(0, |it| it.len());
    if found > 0 && args.from.is_none() {
        let found = count(found, "agent definition");
        let _ = writeln!(
            said,
            "The project has {found}. Give your agent what `retval init --prompt` prints: it writes a profile for each one."
        );
    }
    print_stdout(said)
}

/// The prompt with the paths of the definitions. Nothing that they say is copied into it.
fn prompt(paths: &[PathBuf]) -> anyhow::Result<String> {
    let mut found = Vec::new();
    for path in paths {
        found.extend(definitions::below(path)?);
    }
    if paths.is_empty() {
        found = definitions::of_project()?;
    }
    if found.is_empty() {
        bail!(
            "no agent definitions found: name their files or folders (Markdown with front matter, or TOML with a prompt)"
        );
    }
    let mut text = format!("{PROMPT}\n## Definitions\n\n");
    for path in &found {
        let _ = writeln!(text, "- {}", escape::path(path));
    }
    Ok(text)
}

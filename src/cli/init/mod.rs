//! `retval init`: writes a first configuration, from nothing or from what agents are told or have sent.

mod blocks;
mod content;
mod definition;
mod find;
mod json_sample;
mod last_fence;
mod limits;
mod listed;
mod lists;
mod name;
mod named_list;
mod part;
mod paths;
mod proposal;
mod propose;
mod prose;
mod readers;
mod region;
mod render;
mod returns;
mod roles;
mod sentence;
mod shape;
mod source;
mod stated;
mod status;
mod status_role;
mod template;
mod title;
mod told;
mod told_names;
mod trial;
mod words;

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::Root;
use crate::text::escape;
use anyhow::{Context as _, bail};
use clap::Args;

use crate::cli::args::values::built_in_names;
use crate::cli::exit::Exit;
use crate::cli::output::print_stdout;
use render::{ProposedProfile, Sample};
use source::SourceFile;

pub(crate) const EXAMPLES: &str = "\
`retval help init` tells how definitions are read.

Examples:
  retval init
  retval init --from .claude/agents
  retval init --from .claude/agents --try ~/.claude/projects --output -
  retval init --from returns/ --output -";

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Agent definitions or past returns to propose profiles from: a file or a folder (repeatable)
    #[arg(long, value_name = "PATH")]
    from: Vec<PathBuf>,
    /// Past returns, or transcripts, to count how many keep each proposed line (repeatable)
    #[arg(long = "try", value_name = "PATH", requires = "from")]
    trial: Vec<PathBuf>,
    /// File to write, which must not exist; - prints it [default: retval.toml]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The file without proposals.
const PLAIN: &str = include_str!("retval.toml");

/// The names of the agents that the files of a folder define, as far as they can be read, and whether the
/// prompt of each has `mark`.
pub(crate) fn agents(folder: &Path, mark: &str) -> Vec<(String, bool)> {
    let mut agents = Vec::new();
    let read = source::each(folder, source::DEFINITION, |file| {
        let text = file.text.as_deref().unwrap_or_default();
        let agent = definition::read(&file.path, text, true);
        agents.extend(agent.map(|it| (it.name, it.body.contains(mark))));
    });
    // What was read before a failure is of use, too.
    drop(read);
    agents
}

pub(crate) fn run(args: &InitArgs) -> anyhow::Result<Exit> {
    let output = args.output.as_deref().unwrap_or(Path::new("retval.toml"));
    let is_printed = output.as_os_str() == "-";
    // What cannot be written need not be read.
    if !is_printed && output.symlink_metadata().is_ok() {
        bail!(exists(output));
    }
    let (text, summary) = if args.from.is_empty() {
        (PLAIN.to_owned(), String::new())
    } else {
        proposals(args)?
    };
    if is_printed {
        return print_stdout(text.as_bytes());
    }
    write_new(output, &text)?;
    print_stdout(format!("Wrote {}{summary}\n", escape::path(output)).as_bytes())
}

fn exists(output: &Path) -> String {
    let output = escape::path(output);
    format!(
        "{output} exists, and is not replaced: `--output FILE` names another file, `--output -` prints it"
    )
}

/// Writes a file that does not exist yet.
fn write_new(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut file = match File::create_new(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!(exists(path)),
        file => file.with_context(|| format!("cannot write {}", escape::path(path)))?,
    };
    let written = file.write_all(text.as_bytes());
    written.with_context(|| format!("cannot write {}", escape::path(path)))
}

/// The file with the proposals of all paths, and a summary of them.
fn proposals(args: &InitArgs) -> anyhow::Result<(String, String)> {
    let mut outcomes = Vec::new();
    for path in &args.from {
        let is_named = !path.is_dir();
        let before = outcomes.len();
        source::each(path, source::DEFINITION, |it| {
            outcomes.extend(of_definition(&it, is_named));
        })?;
        let is_definition = |it: &ProposedProfile| matches!(it.sample, Sample::Definition(_));
        if !is_named && !outcomes[before..].iter().any(is_definition) {
            let returns = returns::outcome(path)?;
            if returns.is_some() {
                outcomes.truncate(before);
            }
            outcomes.extend(returns);
        }
        if outcomes.len() == before {
            let path = escape::path(path);
            bail!(
                "{path}: no agent definitions and no returns: definitions are Markdown with front matter, or TOML with a prompt"
            );
        }
    }
    name_profiles(&mut outcomes);
    if !args.trial.is_empty() {
        let returns = args
            .trial
            .iter()
            .map(|it| trial::read(it))
            .collect::<Result<Vec<_>, _>>()?;
        let returns: Vec<_> = returns.into_iter().flatten().collect();
        let root = Root::open(".").context("cannot open the current folder")?;
        for outcome in &mut outcomes {
            if let Ok(proposal) = &mut outcome.result {
                trial::count(proposal, &outcome.agent, &returns, &root);
            }
        }
    }
    let profiles = outcomes.iter().filter(|it| it.result.is_ok()).count();
    let mut text = HEADER.to_owned();
    for outcome in &outcomes {
        text.push('\n');
        text.push_str(&outcome.render());
    }
    let are = if profiles == 1 { "profile" } else { "profiles" };
    Ok((
        text,
        format!(
            " with {profiles} {are}; {} left out",
            outcomes.len() - profiles
        ),
    ))
}

const HEADER: &str = "\
# Proposed by `retval init --from`. Each line ends with the file and the line that it comes from.
# Check the lines that say \"check\": only you know which words of a status mean success.
# `retval help configuration` lists all settings.
";

fn of_definition(source: &SourceFile, is_named: bool) -> Option<ProposedProfile> {
    let path = escape::path(&source.path).clone();
    let folders = source.path.parent().into_iter().flat_map(Path::components);
    let is_agents = folders.into_iter().any(|it| it.as_os_str() == "agents");
    let unread = |why: &str| ProposedProfile {
        path: path.clone(),
        sample: Sample::Unread,
        agent: String::new(),
        profile: String::new(),
        is_repeated: false,
        result: Err((None, why.to_owned())),
    };
    let text = match &source.text {
        Err(why) => return Some(unread(why)),
        Ok(text) => text,
    };
    let definition = definition::read(&source.path, text, is_named || is_agents)?;
    Some(ProposedProfile {
        path,
        sample: Sample::Definition(definition.lines_before),
        result: propose::propose(&definition),
        profile: String::new(),
        is_repeated: false,
        agent: definition.name,
    })
}

/// Gives each proposal a profile name of its own.
fn name_profiles(outcomes: &mut [ProposedProfile]) {
    let mut taken: Vec<String> = built_in_names().into_iter().map(str::to_owned).collect();
    let mut agents = Vec::new();
    for outcome in outcomes.iter_mut().filter(|it| it.result.is_ok()) {
        let is_allowed = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
        let visible = outcome.agent.replace(|it| !is_allowed(it), "-");
        let mut name = visible.clone();
        let mut count = 1;
        while taken.contains(&name) {
            count += 1;
            name = format!("{visible}-{count}");
        }
        outcome.is_repeated = agents.contains(&outcome.agent);
        agents.push(outcome.agent.clone());
        taken.push(name.clone());
        outcome.profile = name;
    }
}

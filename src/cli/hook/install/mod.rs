//! `retval hook install`, `uninstall` and `status`: the hook in the clients' own settings files.

mod agents;
mod command_line;
mod edit;
mod settings;
#[cfg(test)]
mod tests;

use std::env;
use std::fmt::Write as _;
use std::path::Path;

use crate::clients::{Client, Event, HookSettings};
use crate::profile::ANY;
use crate::text::escape;
use anyhow::{Context as _, bail};
use clap::Args;

use crate::cli::args::client;
use crate::cli::hook::decide::{HookSetup, decide};
use crate::cli::hook::hand_in::ReturnTool;
use crate::cli::hook::options::{HookOptions, TypedOptions};
use crate::cli::hook::retries::cap_note;
use crate::cli::hook::scope;
use crate::cli::hook::session::HookSession;
use crate::cli::hook::trace::Trace;
use crate::cli::output;
use crate::cli::output::Exit;
use crate::cli::output::print_stdout;
use crate::cli::settings::Settings;
use command_line::WantedHook;
use edit::OwnEntry;
use settings::{Reach, SettingsChange, SettingsPlace, project};

const RETVAL: &str = "retval";

pub(super) const INSTALL_EXAMPLES: &str = "\
Exit codes:
  0  the hook is in each file, whether or not it was there before
  2  a file cannot be edited, or the hook could not work with an option: that file was not changed

Examples:
  retval hook install
  retval hook install claude-code --agents 'research*' --retries 2
  retval hook install codex --user";

pub(super) const UNINSTALL_EXAMPLES: &str = "\
Examples:
  retval hook uninstall
  retval hook uninstall codex --user";

pub(super) const STATUS_EXAMPLES: &str = "\
Exit codes:
  0  every hook that is installed is complete and answers
  1  one that is installed is not
  2  a settings file could not be read

Examples:
  retval hook status
  retval hook status claude-code";

#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// Client whose settings to edit [default: each one that has a folder or file in this project]
    #[arg(value_name = "CLIENT", value_parser = client())]
    client: Option<&'static HookSettings>,
    /// Also each client whose program is on the `PATH`
    #[arg(long, conflicts_with = "client")]
    all: bool,
    #[command(flatten)]
    reach: ReachArgs,
    /// Write the path of this retval, for a client that does not find it by its name
    #[arg(long)]
    absolute: bool,
    #[command(flatten)]
    pub(super) options: TypedOptions,
}

#[derive(Debug, Args)]
pub(crate) struct UninstallArgs {
    /// Client whose settings to edit [default: each one that has the hook]
    #[arg(value_name = "CLIENT", value_parser = client())]
    client: Option<&'static HookSettings>,
    #[command(flatten)]
    reach: ReachArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Client to look at [default: all]
    #[arg(value_name = "CLIENT", value_parser = client())]
    client: Option<&'static HookSettings>,
}

// A doc comment here would become part of each command's help.
#[derive(Debug, Args)]
struct ReachArgs {
    /// Edit the settings of this user, for all projects
    #[arg(long)]
    user: bool,
    /// Edit the settings of this project, the folder with `.git`, which is the default
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// Edit your own settings of this project, which are not shared; Claude Code alone has them
    #[arg(long, conflicts_with_all = ["user", "project"])]
    local: bool,
}

impl ReachArgs {
    fn reach(&self) -> Reach {
        if self.user {
            Reach::User
        } else if self.local {
            Reach::Local
        } else {
            Reach::Project
        }
    }
}

/// The settings for an empty file, with the given options.
pub(super) fn config_text(client: &HookSettings, options: &TypedOptions) -> anyhow::Result<String> {
    let (line, _) = wanted(client, (RETVAL, options), Reach::Project)?;
    edit::whole_file(client, &line)
}

/// The hook with these options. Fails if it cannot work with them.
fn wanted(
    client: &HookSettings,
    (program, options): (&str, &TypedOptions),
    reach: Reach,
) -> anyhow::Result<(WantedHook, HookSetup)> {
    let project = project()?;
    let words = command_line::option_words(&options.typed, reach, &project)?;
    let words: Vec<_> = default_profile(options).chain(words).collect();
    let mut line = WantedHook::new(client, program, &words);
    // Checks the words as `status` will read them.
    let setup = command_line::setup(&line.shell, &project)?;
    let loaded = setup.loaded?;
    let (resolved, settings) = &loaded;
    settings.profile(resolved.profile.as_deref())?;
    scope::refuse_bad_globs(&resolved.agents)?;
    line.tools = tools(resolved, settings)?;
    if let Some(text) = cap_note(resolved.on_failure, client.client) {
        output::note(&text);
    }
    let loaded = Ok(loaded);
    Ok((line, HookSetup { loaded, ..setup }))
}

/// The names of the tools by which agents hand in their return, of all agents or of those with a table.
fn tools(options: &HookOptions, settings: &Settings) -> anyhow::Result<Vec<String>> {
    let of_agents = settings.config.hook_agents.iter();
    let of_agents = of_agents.filter_map(|own| own.settings.values.hook_tool.as_deref());
    let of_agents: Vec<ReturnTool> = of_agents.map(str::parse).collect::<anyhow::Result<_>>()?;
    let tools = options.tool.iter().chain(&of_agents);
    let mut names: Vec<_> = tools.map(|tool| tool.name().to_owned()).collect();
    names.dedup();
    Ok(names)
}

/// The option that leaves agents alone that nobody has told how to return.
fn default_profile(options: &TypedOptions) -> impl Iterator<Item = String> {
    let is_given = options.args.profile.is_some();
    let words = ["--profile", &*ANY.id].map(str::to_owned);
    words.into_iter().filter(move |_| !is_given)
}

pub(super) fn install(args: &InstallArgs) -> anyhow::Result<Exit> {
    let clients = match args.client {
        Some(client) => vec![client],
        None => found(args.all)?,
    };
    let (mut text, mut exit) = (String::new(), Exit::Valid);
    let mut done: Vec<Client> = Vec::new();
    for client in clients {
        if let Some(other) = client.read_with.filter(|other| done.contains(other)) {
            let (name, other) = (client.client.as_str(), other.as_str());
            let _ = writeln!(text, "{name}: it runs the hook of {other}, too");
            continue;
        }
        match install_for(client, args) {
            Ok(said) => text += &said,
            Err(error) => {
                output::error(&error);
                exit = Exit::Unchecked;
            }
        }
        done.push(client.client);
    }
    print_stdout(text.as_bytes())?;
    Ok(exit)
}

/// The clients that have a folder or a file of their own in the project, or also a program on the `PATH`.
fn found(is_all: bool) -> anyhow::Result<Vec<&'static HookSettings>> {
    let project = project()?;
    let is_found = |client: &&HookSettings| {
        let programs = client.client.facts().programs;
        let is_there = client.marks.iter().any(|mark| project.join(mark).exists());
        is_there || is_all && programs.iter().any(|name| is_on_path(name))
    };
    let found: Vec<_> = Client::with_hooks().filter(is_found).collect();
    if found.is_empty() {
        bail!(
            "no client has a folder or file of its own in {}: name one, as in `retval hook install claude-code`",
            escape::path(&project)
        );
    }
    Ok(found)
}

fn is_on_path(name: &str) -> bool {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| folder.join(&name).is_file())
}

fn install_for(client: &HookSettings, args: &InstallArgs) -> anyhow::Result<String> {
    let program = if args.absolute {
        let own = env::current_exe().context("cannot find the path of retval")?;
        own.to_string_lossy().into_owned()
    } else {
        RETVAL.to_owned()
    };
    let reach = args.reach.reach();
    let (line, setup) = wanted(client, (&program, &args.options), reach)?;
    let place = SettingsPlace::of(client, reach)?;
    let change = place.change(|text| edit::put_in(client, text, &line))?;
    let path = escape::path(&place.path);
    let mut said = match change {
        SettingsChange::None => {
            format!("{path}: the hook is installed already, nothing was changed\n")
        }
        SettingsChange::Created => format!("{path}: created with the hook\n"),
        SettingsChange::Edited { replaced: None } => format!("{path}: added the hook\n"),
        SettingsChange::Edited {
            replaced: Some(old),
        } => {
            let old = command_line::shown(&old);
            format!("{path}: replaced the hook, which was: {old}\n")
        }
        SettingsChange::Deleted => bail!("{path}: it is gone"),
    };
    let own = own_entries(client, &place.path)?;
    let _ = writeln!(said, "  events   {}", edit::events(&own).join(", "));
    let _ = writeln!(said, "  command  {}", command_line::shown(&line.shell));
    said += &agents::table(client, &setup, (&project()?, "  "))?;
    if let Some(advice) = client.trust {
        let _ = writeln!(said, "  next     {advice}");
    }
    if let Some(path) = second_file(client, reach) {
        output::note(&format!(
            "Copilot CLI would run this hook and the one in {path}: if you use it here, uninstall one"
        ));
    }
    if !args.absolute && !is_on_path(RETVAL) {
        output::note("retval is not on PATH, so the client will not find it");
    }
    Ok(said)
}

pub(super) fn uninstall(args: &UninstallArgs) -> anyhow::Result<Exit> {
    let reach = args.reach.reach();
    let has_hook = |client: &&HookSettings| {
        let place = SettingsPlace::of(client, reach);
        place.is_ok_and(|place| is_installed(client, &place.path))
    };
    let clients: Vec<_> = match args.client {
        Some(client) => vec![client],
        None => Client::with_hooks().filter(has_hook).collect(),
    };
    let mut said = String::new();
    for client in &clients {
        said += &uninstall_for(client, reach)?;
    }
    if clients.is_empty() {
        output::note("no client has the hook here, nothing was changed");
    }
    print_stdout(said.as_bytes())
}

fn uninstall_for(client: &HookSettings, reach: Reach) -> anyhow::Result<String> {
    let place = SettingsPlace::of(client, reach)?;
    let path = escape::path(&place.path);
    Ok(match place.change(|text| edit::take_out(client, text))? {
        SettingsChange::Deleted => format!("{path}: deleted, it had nothing but the hook\n"),
        SettingsChange::Edited { .. } => format!("{path}: took the hook out\n"),
        SettingsChange::None | SettingsChange::Created => {
            let others = reach.others();
            let mut places = others.filter_map(|reach| SettingsPlace::of(client, reach).ok());
            let elsewhere = places.find(|it| is_installed(client, &it.path));
            let advice = elsewhere.map_or_else(String::new, |other| {
                let option = other.reach.option();
                format!("; it is in {} ({option})", escape::path(&other.path))
            });
            format!("{path}: the hook is not installed here, nothing was changed{advice}\n")
        }
    })
}

/// Another file with the hook that the same client reads, if there is one: in a project, Copilot CLI
/// also reads the settings of Claude Code.
fn second_file(client: &HookSettings, reach: Reach) -> Option<String> {
    let other = client.read_with.filter(|_| reach == Reach::Project)?;
    let other = other.facts().settings.as_ref()?;
    let place = SettingsPlace::of(other, reach).ok()?;
    is_installed(other, &place.path).then(|| escape::path(&place.path))
}

fn own_entries(client: &HookSettings, path: &Path) -> anyhow::Result<Vec<OwnEntry>> {
    let text = settings::read(path)?;
    edit::own(client, text.as_deref().unwrap_or_default())
}

fn is_installed(client: &HookSettings, path: &Path) -> bool {
    own_entries(client, path).is_ok_and(|own| !own.is_empty())
}

/// The options of the hook that is installed for a client, if they are the same wherever it is.
pub(super) fn installed_options(client: &HookSettings) -> Option<TypedOptions> {
    let places = Reach::ALL.map(|reach| SettingsPlace::of(client, reach).ok());
    let places = places.iter().flatten();
    let own = places.filter_map(|place| own_entries(client, &place.path).ok());
    let mut commands: Vec<_> = own.flatten().map(|entry| entry.command).collect();
    commands.dedup();
    let [command] = &commands[..] else {
        return None;
    };
    let words = command_line::words(command_line::without_end(command));
    TypedOptions::parse(words.get(1..)?).ok()
}

pub(super) fn status(args: &StatusArgs) -> anyhow::Result<Exit> {
    let clients =
        Client::with_hooks().filter(|it| args.client.is_none_or(|only| only.client == it.client));
    let (mut text, mut worst) = (String::new(), Exit::Valid);
    for client in clients {
        let _ = writeln!(text, "{}", client.client.as_str());
        for reach in Reach::ALL {
            worst = worst.max(describe(&mut text, client, reach)?);
        }
    }
    print_stdout(text.as_bytes())?;
    Ok(worst)
}

/// Whether the hook is in a file, and what it does there.
fn describe(text: &mut String, client: &HookSettings, reach: Reach) -> anyhow::Result<Exit> {
    if reach == Reach::Local && client.local_file.is_none() {
        return Ok(Exit::Valid);
    }
    let place = SettingsPlace::of(client, reach)?;
    let name = reach.option().trim_start_matches('-');
    let path = escape::path(&place.path);
    let own = match own_entries(client, &place.path) {
        Ok(own) => own,
        Err(error) => {
            // The other lines are about an edit.
            let why = format!("{error:#}");
            let why = why.lines().next().unwrap_or_default();
            let _ = writeln!(text, "  {name:8} unreadable: {path}: {why}");
            return Ok(Exit::Unchecked);
        }
    };
    if own.is_empty() {
        if reach != Reach::Local {
            let _ = writeln!(text, "  {name:8} not installed in {path}");
        }
        return Ok(Exit::Valid);
    }
    let _ = writeln!(text, "  {name:8} installed in {path}");
    let there = edit::events(&own);
    let _ = writeln!(text, "    events   {}", there.join(", "));
    let mut exit = Exit::Valid;
    let missing = client.events.iter().map(|(event, _)| *event);
    let missing: Vec<_> = missing
        .filter(|event| own.iter().all(|it| it.event != *event))
        .collect();
    if !missing.is_empty() {
        let _ = writeln!(text, "    missing  {}: install again", missing.join(", "));
        exit = Exit::Invalid;
    }
    let mut commands: Vec<_> = own.iter().map(|entry| &entry.command).collect();
    commands.dedup();
    if commands.len() > 1 || own.len() > there.len() {
        *text += "    more than one command runs: install again\n";
        exit = Exit::Invalid;
    }
    let project = project()?;
    for command in commands {
        let _ = writeln!(text, "    command  {}", command_line::shown(command));
        let setup = command_line::setup(command, &project);
        let answer = match &setup {
            Ok(setup) => answers(setup, &example(client, &project)),
            Err(error) => Err(format!("{error:#}")),
        };
        match &answer {
            Ok(()) => *text += "    answers  yes\n",
            Err(why) => {
                let _ = writeln!(text, "    answers  no: {}", escape::truncated(why));
                exit = Exit::Invalid;
            }
        }
        if let Ok(setup) = setup {
            // What is wrong with a command is said above.
            *text += &agents::table(client, &setup, (&project, "    ")).unwrap_or_default();
        }
    }
    Ok(exit)
}

/// The event that a client's settings have as an example, in a project.
fn example(client: &HookSettings, project: &Path) -> Event {
    let mut event = Event::read_beginning(client.example.as_bytes(), Some(client.client));
    event.folder = Some(project.to_owned());
    event
}

/// Whether the hook with this setup answers the event that its client's settings have as an example.
///
/// # Errors
///
/// If it fails; the error says why.
fn answers(setup: &HookSetup, event: &Event) -> Result<(), String> {
    let decision = decide(setup, (event, None), &mut HookSession::read(event));
    match decision.traces.into_iter().find_map(Trace::failure) {
        Some(why) => Err(why),
        None => Ok(()),
    }
}

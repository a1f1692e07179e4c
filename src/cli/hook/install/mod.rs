//! `retval hook install`, `uninstall` and `status`: the hook in the clients' own settings files.

mod agents;
mod command_line;
mod edit;
mod place;
#[cfg(test)]
mod tests;

pub(crate) use command_line::TypedOptions;

use std::env;
use std::fmt::Write as _;
use std::path::Path;

use crate::clients::{Client, Event, HookSettings, WantedHook};
use crate::profile::ANY;
use crate::text::escape;
use anyhow::{Context as _, bail};
use clap::Args;

use crate::cli::args::client;
use crate::cli::hook::decide::decide;
use crate::cli::hook::options::{HookOptions, HookSetup, ReturnTool, refuse_bad_globs};
use crate::cli::hook::session::HookSession;
use crate::cli::hook::trace::Decided;
use crate::cli::output::{self, Exit, print_stdout};
use crate::cli::settings::Settings;
use edit::OwnEntry;
pub(super) use place::project;
use place::{Reach, SettingsChange, SettingsPlace};

const RETVAL: &str = "retval";

#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// Client whose settings to edit [default: each one that has a folder or file in this project]
    #[arg(value_name = "CLIENT", value_parser = client())]
    clients: Vec<&'static HookSettings>,
    /// Also each client whose program is on the `PATH`
    #[arg(long, conflicts_with = "clients")]
    all: bool,
    #[command(flatten)]
    reach: ReachArgs,
    /// Write the path of this retval, for a client that does not find it by its name
    #[arg(long)]
    absolute: bool,
    #[command(flatten)]
    options: TypedOptions,
}

#[derive(Debug, Args)]
pub(crate) struct UninstallArgs {
    /// Client whose settings to edit [default: each one that has the hook]
    #[arg(value_name = "CLIENT", value_parser = client())]
    clients: Vec<&'static HookSettings>,
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
    /// Edit the settings of this user, for all projects, not those of this one, the folder with `.git`
    #[arg(long)]
    user: bool,
}

impl ReachArgs {
    fn reach(&self) -> Reach {
        if self.user { Reach::User } else { Reach::Project }
    }
}

/// The settings for an empty file, with the given options.
pub(super) fn config_text(client: &HookSettings, options: &TypedOptions) -> anyhow::Result<String> {
    let words = given(options, Reach::Project)?;
    let (line, _) = wanted(client, RETVAL, &words)?;
    let new = edit::edited(client, None, Some(&line))?;
    Ok(new.unwrap_or_default())
}

/// The words for the options that a person gives.
fn given(options: &TypedOptions, reach: Reach) -> anyhow::Result<Vec<String>> {
    let mut words = options.words_in(reach, &project()?)?;
    if options.args.profile.is_none() {
        // It leaves agents alone that nobody has told how to return.
        words.splice(..0, ["--profile", &*ANY.id].map(str::to_owned));
    }
    Ok(words)
}

/// The options of the hook that a file has, as words. None if they cannot be read.
fn kept(client: &HookSettings, path: &Path) -> Option<Vec<String>> {
    let own = own_entries(client, path).ok()?;
    let words = command_line::hook_words(&own.first()?.command)?;
    TypedOptions::parse(&words).ok()?;
    Some(words[1..].to_vec())
}

/// The hook with these options. Fails if it cannot work with them.
fn wanted(
    client: &HookSettings,
    program: &str,
    words: &[String],
) -> anyhow::Result<(WantedHook, HookSetup)> {
    let mut line = WantedHook::new(client, program, words);
    // Checks the words as `status` will read them.
    let setup = command_line::setup(&line.shell, &project()?)?;
    let loaded = setup.loaded?;
    let (resolved, settings) = &loaded;
    settings.profile(resolved.profile.as_deref())?;
    refuse_bad_globs(&resolved.agents)?;
    line.tools = tools(resolved, settings)?;
    let loaded = Ok(loaded);
    Ok((line, HookSetup { loaded, ..setup }))
}

/// The names of the tools by which agents hand in their return, of all agents or of those with a table.
fn tools(options: &HookOptions, settings: &Settings) -> anyhow::Result<Vec<String>> {
    let own = options.tool.as_ref().map(|tool| tool.name().to_owned());
    let mut names = Vec::from_iter(own);
    let tables = settings.config.hook_agents.iter();
    for tool in tables.filter_map(|own| own.settings.values.hook_tool.as_deref()) {
        names.push(tool.parse::<ReturnTool>()?.name().to_owned());
    }
    names.dedup();
    Ok(names)
}

pub(super) fn install(args: &InstallArgs) -> anyhow::Result<Exit> {
    let clients = match &args.clients[..] {
        [] => found(args.all)?,
        named => named.to_vec(),
    };
    let mut done: Vec<Client> = Vec::new();
    let exit = for_each(clients, |client| {
        done.push(client.client);
        match client.read_with.filter(|other| done.contains(other)) {
            Some(other) => {
                let (name, other) = (client.client.as_str(), other.as_str());
                Ok(format!("{name}: it runs the hook of {other}, too\n"))
            }
            None => install_for(client, args),
        }
    });
    note_doubled();
    exit
}

/// Says which programs run the hook of two files of this project.
fn note_doubled() {
    let installed = |client| installed_at(client, Reach::Project).ok().flatten();
    let first = Client::ClaudeCode.facts().settings.as_ref();
    let Some(first) = first.and_then(installed) else {
        return;
    };
    for client in Client::with_hooks() {
        if let Some((who, second)) = client.run_with_claude.zip(installed(client)) {
            let [first, second] = [&first, &second].map(|place| escape::path(&place.path));
            output::note(&format!(
                "{who} the hook twice for each agent, from {first} and {second}: where you use it, uninstall one"
            ));
        }
    }
}

/// Prints what was done for each client. What fails for one keeps none of the others from it.
fn for_each(
    clients: Vec<&HookSettings>,
    mut done: impl FnMut(&HookSettings) -> anyhow::Result<String>,
) -> anyhow::Result<Exit> {
    let (mut text, mut exit) = (String::new(), Exit::Valid);
    for client in clients {
        match done(client) {
            Ok(said) => text += &said,
            Err(error) => {
                output::error(&error);
                exit = Exit::Unchecked;
            }
        }
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
    let own = args.absolute.then(env::current_exe).transpose();
    let own = own.context("cannot find the path of retval")?;
    let program = own.map_or(RETVAL.into(), |own| own.to_string_lossy().into_owned());
    let reach = args.reach.reach();
    let place = SettingsPlace::of(client, reach)?;
    let new = given(&args.options, reach)?;
    let is_bare = args.options.words().is_empty();
    let kept = is_bare.then(|| kept(client, &place.path)).flatten();
    let kept = kept.filter(|words| *words != new);
    let words = kept.as_ref().unwrap_or(&new);
    let (line, setup) = wanted(client, &program, words)?;
    let path = escape::path(&place.path);
    let change = place.change(|text| edit::edited(client, text, Some(&line)));
    let done = match change.with_context(|| path.clone())? {
        SettingsChange::None => "the hook is installed already, nothing was changed".to_owned(),
        SettingsChange::Created => "created with the hook".to_owned(),
        SettingsChange::Edited => "wrote the hook".to_owned(),
        SettingsChange::Deleted => bail!("{path}: it is gone"),
    };
    let events = edit::events(&own_entries(client, &place.path)?).join(", ");
    let command = command_line::shown(&line.shell);
    let mut said = format!("{path}: {done}\n  events   {events}\n  command  {command}\n");
    if kept.is_some() {
        said += "  options  kept; options that you give replace all of them\n";
    }
    said += &agents::table(client, &setup, (&project()?, "  "))?;
    if let Some(advice) = client.trust {
        let _ = writeln!(said, "  next     {advice}");
    }
    if !args.absolute && !is_on_path(RETVAL) {
        output::note("retval is not on PATH, so the client will not find it");
    }
    Ok(said)
}

pub(super) fn uninstall(args: &UninstallArgs) -> anyhow::Result<Exit> {
    let reach = args.reach.reach();
    // What cannot be read may have it.
    let has_it = |client: &&HookSettings| !matches!(installed_at(client, reach), Ok(None));
    let clients: Vec<_> = match &args.clients[..] {
        [] => Client::with_hooks().filter(has_it).collect(),
        named => named.to_vec(),
    };
    if clients.is_empty() {
        output::note("no client has the hook here, nothing was changed");
    }
    for_each(clients, |client| uninstall_for(client, reach))
}

fn uninstall_for(client: &HookSettings, reach: Reach) -> anyhow::Result<String> {
    let place = SettingsPlace::of(client, reach)?;
    let path = escape::path(&place.path);
    let change = place.change(|text| edit::edited(client, text, None));
    let done = match change.with_context(|| path.clone())? {
        SettingsChange::Deleted => "deleted, it had nothing but the hook".to_owned(),
        SettingsChange::Edited => "took the hook out".to_owned(),
        SettingsChange::None | SettingsChange::Created => {
            "the hook is not installed here, nothing was changed".to_owned()
        }
    };
    Ok(format!("{path}: {done}\n"))
}

fn own_entries(client: &HookSettings, path: &Path) -> anyhow::Result<Vec<OwnEntry>> {
    let text = place::read(path)?;
    edit::own(client, text.as_deref().unwrap_or_default())
}

fn installed_at(client: &HookSettings, reach: Reach) -> anyhow::Result<Option<SettingsPlace>> {
    let place = SettingsPlace::of(client, reach)?;
    let own = own_entries(client, &place.path)?;
    Ok((!own.is_empty()).then_some(place))
}

/// The options of the hook that is installed for a client, if they are the same wherever it is.
pub(super) fn installed_options(client: &HookSettings) -> Option<TypedOptions> {
    let of = |reach| own_entries(client, &SettingsPlace::of(client, reach).ok()?.path).ok();
    let own = [Reach::Project, Reach::User].into_iter().filter_map(of).flatten();
    let mut commands: Vec<_> = own.map(|entry| entry.command).collect();
    commands.dedup();
    match &commands[..] {
        [command] => TypedOptions::parse(&command_line::hook_words(command)?).ok(),
        _ => None,
    }
}

/// The first client that has the hook, in this project or else for the user.
pub(super) fn installed_client() -> Option<&'static HookSettings> {
    let has_it = |client: &&_, reach| matches!(installed_at(client, reach), Ok(Some(_)));
    let mut reaches = [Reach::Project, Reach::User].into_iter();
    reaches.find_map(|reach| Client::with_hooks().find(|client| has_it(client, reach)))
}

pub(super) fn status(args: &StatusArgs) -> anyhow::Result<Exit> {
    let is_meant = |it: &&HookSettings| args.client.is_none_or(|only| only.client == it.client);
    let (mut text, mut worst) = (String::new(), Exit::Valid);
    for client in Client::with_hooks().filter(is_meant) {
        let _ = writeln!(text, "{}", client.client.as_str());
        for reach in [Reach::Project, Reach::User] {
            worst = worst.max(describe(&mut text, client, reach)?);
        }
    }
    print_stdout(text.as_bytes())?;
    note_doubled();
    Ok(worst)
}

/// Whether the hook is in a file, and what it does there.
fn describe(text: &mut String, client: &HookSettings, reach: Reach) -> anyhow::Result<Exit> {
    let place = SettingsPlace::of(client, reach)?;
    let name = if reach == Reach::User { "user" } else { "project" };
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
        let _ = writeln!(text, "  {name:8} not installed in {path}");
        return Ok(Exit::Valid);
    }
    let (there, mut exit) = (edit::events(&own), Exit::Valid);
    let events = there.join(", ");
    let _ = writeln!(text, "  {name:8} installed in {path}");
    let _ = writeln!(text, "    events   {events}");
    let is_missing = |event: &&str| own.iter().all(|it| it.event != *event);
    let missing: Vec<_> = (client.events.iter().map(|it| it.0).filter(is_missing)).collect();
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
        let setup = setup.and_then(|setup| command_line::refuse_missing(command).map(|()| setup));
        match setup.and_then(|setup| tried(client, setup, &project)) {
            Ok(setup) => {
                *text += "    answers  yes\n";
                *text += &agents::table(client, &setup, (&project, "    ")).unwrap_or_default();
            }
            Err(error) => {
                exit = Exit::Invalid;
                let why = format!("{error:#}");
                let _ = writeln!(text, "    answers  no: {}", escape::truncated(&why));
            }
        }
    }
    Ok(exit)
}

/// Fails if the hook with this setup cannot answer the event that its client's settings have as an example.
fn tried(client: &HookSettings, setup: HookSetup, project: &Path) -> anyhow::Result<HookSetup> {
    let mut event = Event::read_beginning(client.example.as_bytes(), Some(client.client));
    event.folder = Some(project.to_owned());
    let decision = decide(&setup, (&event, None), &mut HookSession::read(&event));
    let mut traces = decision.traces.into_iter();
    match traces.find(|it| it.decision == Decided::Failed) {
        Some(failed) => bail!("{}", failed.why.unwrap_or_default()),
        None => Ok(setup),
    }
}

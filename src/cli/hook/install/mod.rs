//! `retval hook install`, `uninstall` and `status`: the hook in the clients' own settings files.

mod agents;
mod command_line;
mod edit;
mod gemini;
mod own_entries;
mod paths;
mod places;
mod plugins;
mod probe;
mod program;
mod settings_file;
mod settings_text;
pub(super) mod status;
#[cfg(test)]
mod tests;
mod trust;
mod version;
mod whole_file;

use std::fmt::Write as _;
use std::path::Path;

use crate::clients::HookSettings;
use crate::profile::ANY;
use crate::text::escape;
use anyhow::{Context as _, bail};
use clap::Args;

use crate::cli::args::values::client;
use crate::cli::exit::Exit;
use crate::cli::hook::hand_in::ReturnTool;
use crate::cli::hook::options::HookOptions;
use crate::cli::hook::retries::cap_note;
use crate::cli::hook::scope;
use crate::cli::hook::typed::TypedOptions;
use crate::cli::output::print_stdout;
use crate::cli::settings::Settings;
use crate::cli::stderr;
use command_line::WantedHook;
use places::{Reach, SettingsPlace, project};
use settings_file::SettingsChange;
pub(super) use version::ClientVersion;

const RETVAL: &str = "retval";

pub(super) const INSTALL_EXAMPLES: &str = "\
Exit codes:
  0  the hook is in the file, whether or not it was there before
  2  nothing was changed: wrong option, or a file that cannot be edited

Examples:
  retval hook install claude-code
  retval hook install claude-code --agents 'research*' --retries 2
  retval hook install codex --user";

pub(super) const UNINSTALL_EXAMPLES: &str = "\
Examples:
  retval hook uninstall claude-code
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
    /// Client whose settings to edit
    #[arg(value_name = "CLIENT", value_parser = client())]
    client: &'static HookSettings,
    #[command(flatten)]
    reach: ReachArgs,
    /// Version of Claude Code, which decides on events [default: that of `claude` on the `PATH`]
    #[arg(long, value_name = "VERSION")]
    client_version: Option<ClientVersion>,
    /// Write the path of this retval, for a client that does not find it by its name
    #[arg(long)]
    absolute: bool,
    #[command(flatten)]
    options: TypedOptions,
}

#[derive(Debug, Args)]
pub(crate) struct UninstallArgs {
    /// Client whose settings to edit
    #[arg(value_name = "CLIENT", value_parser = client())]
    client: &'static HookSettings,
    #[command(flatten)]
    reach: ReachArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Client to look at [default: all]
    #[arg(value_name = "CLIENT", value_parser = client())]
    pub(super) client: Option<&'static HookSettings>,
}

// A doc comment here would become part of each command's help.
#[derive(Debug, Args)]
struct ReachArgs {
    /// Edit the settings of this user, for all projects
    #[arg(long)]
    user: bool,
    /// Edit the settings of this project, the folder with `.git` [default]
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
pub(super) fn config_text(
    client: &HookSettings,
    options: &TypedOptions,
    version: Option<ClientVersion>,
) -> anyhow::Result<String> {
    edit::whole_file(
        client,
        &line_of(client, (RETVAL, options), version, Reach::Project)?,
    )
}

/// The command line with these options. Fails if the hook cannot work with them.
fn line_of(
    client: &HookSettings,
    (program, options): (&str, &TypedOptions),
    version: Option<ClientVersion>,
    reach: Reach,
) -> anyhow::Result<WantedHook> {
    let project = project()?;
    let words = paths::words(&options.typed, reach, &project)?;
    let words: Vec<_> = default_profile(options).chain(words).collect();
    let mut line = WantedHook::new(
        client,
        program,
        &words,
        version.map(ClientVersion::has_newer_events),
    );
    let command = ["retval", "hook"].map(str::to_owned);
    // Checks the words as `status` will read them.
    let command: Vec<_> = command.into_iter().chain(words).collect();
    let (resolved, settings) = command_line::options(&command, &project)?;
    settings.profile(resolved.profile.as_deref())?;
    scope::refuse_bad_globs(&resolved.agents)?;
    line.tools = tools(&resolved, &settings)?;
    if let Some(text) = cap_note(resolved.on_failure, client.client) {
        stderr::note(&text);
    }
    Ok(line)
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

/// The option that leaves agents alone that nobody has told how to return. A command without it, which
/// older versions wrote, holds them to the profile `return`.
fn default_profile(options: &TypedOptions) -> impl Iterator<Item = String> {
    let is_given = options.args.profile.is_some();
    let words = ["--profile", &*ANY.id].map(str::to_owned);
    words.into_iter().filter(move |_| !is_given)
}

pub(super) fn install(args: &InstallArgs) -> anyhow::Result<Exit> {
    let client = args.client;
    let version = args.client_version.or_else(|| version::found(client));
    if let Some(plugin) = plugins::own(client, &project()?) {
        stderr::note(&format!(
            "the plugin {} calls the hook already; `claude plugin disable {0}` turns it off",
            plugin.shown()
        ));
        return Ok(Exit::Valid);
    }
    let program = if args.absolute {
        let own = std::env::current_exe().context("cannot find the path of retval")?;
        own.to_string_lossy().into_owned()
    } else {
        RETVAL.to_owned()
    };
    let reach = args.reach.reach();
    let line = line_of(client, (&program, &args.options), version, reach)?;
    let place = SettingsPlace::of(client, args.reach.reach())?;
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
    let installed = settings_file::read(&place.path)?;
    let own = own_entries::own(client, installed.as_deref().unwrap_or_default())?;
    let _ = writeln!(said, "  events   {}", own_entries::events(&own).join(", "));
    let _ = writeln!(said, "  command  {}", command_line::shown(&line.shell));
    said += &agents::table(client, &line.shell, (&project()?, "  "))?;
    if let Some(advice) = trust::advice(client, args.reach.reach()) {
        let _ = writeln!(said, "  next     {advice}");
    }
    if let Some(path) = second_file(client, args.reach.reach()) {
        stderr::note(&format!(
            "Copilot CLI would run this hook and the one in {path}: if you use it here, uninstall one"
        ));
    }
    if !args.absolute && program::find(RETVAL).is_none() {
        stderr::note("retval is not on PATH, so the client will not find it");
    }
    print_stdout(said.as_bytes())
}

pub(super) fn uninstall(args: &UninstallArgs) -> anyhow::Result<Exit> {
    let client = args.client;
    let place = SettingsPlace::of(client, args.reach.reach())?;
    let path = escape::path(&place.path);
    let change = place.change(|text| edit::take_out(client, text))?;
    let said = match change {
        SettingsChange::Deleted => format!("{path}: deleted, it had nothing but the hook\n"),
        SettingsChange::Edited { .. } => format!("{path}: took the hook out\n"),
        SettingsChange::None | SettingsChange::Created => {
            let others = args.reach.reach().others();
            let mut places = others.filter_map(|reach| SettingsPlace::of(client, reach).ok());
            let elsewhere = places.find(|it| is_installed(client, &it.path));
            let advice = elsewhere.map_or_else(String::new, |other| {
                let option = other.reach.option();
                format!("; it is in {} ({option})", escape::path(&other.path))
            });
            format!("{path}: the hook is not installed here, nothing was changed{advice}\n")
        }
    };
    print_stdout(said.as_bytes())
}

/// Another file with the hook that the same client reads, if there is one: in a project, Copilot CLI
/// also reads the settings of Claude Code.
fn second_file(client: &HookSettings, reach: Reach) -> Option<String> {
    let other = client.read_with.filter(|_| reach == Reach::Project)?;
    let other = other.facts().settings.as_ref()?;
    let place = SettingsPlace::of(other, reach).ok()?;
    is_installed(other, &place.path).then(|| escape::path(&place.path))
}

fn is_installed(client: &HookSettings, path: &Path) -> bool {
    let text = settings_file::read(path).context("unreadable");
    let found = text.and_then(|text| own_entries::own(client, text.as_deref().unwrap_or_default()));
    found.is_ok_and(|own| !own.is_empty())
}

/// The options of the hook that is installed for a client, if they are the same wherever it is.
pub(super) fn installed_options(client: &HookSettings) -> Option<TypedOptions> {
    let places = Reach::ALL.map(|reach| SettingsPlace::of(client, reach).ok());
    let own = places.iter().flatten().filter_map(|place| {
        let text = settings_file::read(&place.path).ok()?;
        own_entries::own(client, &text?).ok()
    });
    let mut commands: Vec<_> = own.flatten().map(|entry| entry.command).collect();
    commands.dedup();
    let [command] = &commands[..] else {
        return None;
    };
    let words = command_line::words(command_line::without_end(command));
    TypedOptions::parse(words.get(1..)?).ok()
}

//! Options of `retval hook`: as arguments, and resolved.

use std::path::{Path, PathBuf};

use crate::check::rules::HOOK_LEVELS;
use crate::clients::{Event, HookSettings};
use crate::config::{AgentSettings, Setting};
use crate::profile::ANY;
use clap::Args;

use crate::cli::args::config::ConfigArgs;
use crate::cli::args::heading;
use crate::cli::args::values::{ON, ProfileName, client, number, visible};
use crate::cli::hook::hand_in::ReturnTool;
use crate::cli::settings::checker::{CheckerArgs, CheckerOptions, Wrappings};
use crate::cli::settings::{SettingSource, Settings, is_on};

/// How often an agent is asked again unless an option says otherwise.
const DEFAULT_RETRIES: u64 = 1;

#[derive(Debug, Clone, Args)]
pub(crate) struct HookArgs {
    /// Profile for agents that no table `[hook.agents]` names [default: return]
    ///
    /// With `any`, the profile of the configuration file comes first, if it has one.
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName::Named, help_heading = heading::EXPECTED)]
    pub(super) profile: Option<String>,
    /// Session id to instruct and to expect [default: `RETVAL_SESSION`, else the client's]
    #[arg(long, value_name = "ID", value_parser = visible, help_heading = heading::EXPECTED)]
    session: Option<String>,
    /// Folder that artifact paths are relative to [default: the agent's working folder]
    #[arg(long, value_name = "DIR", help_heading = heading::EXPECTED)]
    root: Option<PathBuf>,
    /// Check the newest file below the root that matches, not the final message
    #[arg(long, value_name = "GLOB", help_heading = heading::EXPECTED)]
    return_file: Option<String>,
    /// Check what agents hand in by this tool, not the final message
    ///
    /// `GLOB` is for the name of the tool. The return is its argument `message`, else all arguments; with
    /// `GLOB#/POINTER` it is the argument at this JSON pointer.
    #[arg(long, value_name = "GLOB")]
    tool: Option<String>,
    /// Check only agents whose name matches; `!GLOB` excludes [default: all but the client's own]
    #[arg(long, value_name = "GLOB")]
    agents: Vec<String>,
    /// How often an agent is asked again [default: 1]
    ///
    /// Never more often than the client allows: 8 times for Claude Code and Copilot CLI, 5 for Cursor.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number("hook.retries"))]
    retries: Option<u64>,
    /// Report only, never ask again
    #[arg(long, num_args = 0, default_missing_value = ON)]
    observe: Option<bool>,
    /// Also ask again if the hook itself fails
    #[arg(long, num_args = 0, default_missing_value = ON)]
    fail_closed: Option<bool>,
    #[command(flatten)]
    checker: CheckerArgs,
    /// Append a record of each invalid return that is accepted to an error log (.jsonl: one per line)
    #[arg(long, value_name = "FILE", help_heading = heading::LOG)]
    pub(super) errors_json: Option<PathBuf>,
    /// Client that calls the hook [default: recognized by its payload]
    #[arg(long = "client", alias = "harness", value_name = "CLIENT", value_parser = client())]
    pub(super) caller: Option<&'static HookSettings>,

    #[command(flatten)]
    pub(super) config: ConfigArgs,
}

#[derive(Debug)]
pub(crate) struct HookOptions {
    pub(super) profile: Option<String>,
    /// What chooses the profile of agents without a table, in words.
    profile_from: String,
    /// None: the agent's working folder.
    pub(super) root: Option<PathBuf>,
    pub(super) return_file: Option<String>,
    pub(super) tool: Option<ReturnTool>,
    /// Globs. Without any, all agents but the client's own are checked.
    pub(super) agents: Vec<String>,
    pub(super) errors_json: Option<PathBuf>,
    pub(super) on_failure: FailurePolicy,
    /// Its session id is the configured one; the client may tell another.
    pub(super) checker: CheckerOptions,
}

/// What happens when an agent's return is invalid, or when the hook itself fails.
#[derive(Debug, Clone, Copy)]
pub(super) struct FailurePolicy {
    pub(super) retries: u64,
    pub(super) is_observing: bool,
    /// Whether an agent is also asked again if the hook itself fails.
    pub(super) is_closed: bool,
}

impl FailurePolicy {
    /// The policy for `--fail-closed` if the options cannot be parsed.
    pub(super) const CLOSED: Self = Self {
        retries: DEFAULT_RETRIES,
        is_observing: false,
        is_closed: true,
    };

    /// `settings` is None if they cannot be read. That is a failure too, for which the policy is needed.
    pub(super) fn resolve(args: &HookArgs, settings: Option<&Settings>) -> Self {
        let values = settings.map(|settings| &settings.values);
        let retries = args.retries.or(values.and_then(|it| it.hook_retries));
        let observe = values.and_then(|it| it.hook_observe);
        let fail_closed = values.and_then(|it| it.hook_fail_closed);
        Self {
            retries: retries.unwrap_or(DEFAULT_RETRIES),
            is_observing: is_on(args.observe, observe),
            is_closed: is_on(args.fail_closed, fail_closed),
        }
    }
}

impl HookArgs {
    /// The names of the settings that overrides can change, and whether each is given as an argument.
    pub(super) fn given(&self) -> [(&'static str, bool); 1] {
        [("strict", self.checker.has_strict())]
    }
}

impl HookOptions {
    pub(super) fn most(&self) -> u64 {
        self.checker.max_bytes
    }

    pub(super) fn agent_globs(&self) -> &[String] {
        &self.agents
    }

    pub(super) fn folder<'f>(&'f self, event: &'f Event) -> &'f Path {
        let folder = self.root.as_deref().or(event.folder.as_deref());
        folder.unwrap_or(Path::new("."))
    }

    /// What chooses the profile of an agent with this table, in words.
    pub(super) fn profile_from(&self, own: Option<&AgentSettings>) -> String {
        let own = own.filter(|own| own.settings.values.profile.is_some());
        own.map_or_else(
            || self.profile_from.clone(),
            |own| format!("[hook.agents.\"{}\"]", own.glob()),
        )
    }

    /// Whether the first invalid return already gets a record.
    pub(super) fn records_at_once(&self) -> bool {
        self.on_failure.is_observing || self.on_failure.retries == 0
    }

    /// The arguments, else the settings, else the defaults.
    pub(crate) fn resolve(args: HookArgs, settings: &Settings) -> anyhow::Result<Self> {
        let values = settings.values.clone();
        let on_failure = FailurePolicy::resolve(&args, Some(settings));
        let agents = if args.agents.is_empty() {
            values.hook_agents.unwrap_or_default()
        } else {
            args.agents
        };
        let checker = CheckerOptions::resolve(args.checker, settings);
        let return_file = args.return_file.or(values.hook_return_file);
        let tool = args.tool.or(values.hook_tool).as_deref().map(str::parse);
        Ok(Self {
            profile_from: profile_from(args.profile.as_deref(), settings),
            profile: profile(args.profile, values.profile),
            root: args.root.or(values.root),
            agents,
            errors_json: settings.output(args.errors_json, "errors-json", values.errors_json)?,
            on_failure,
            checker: CheckerOptions {
                session: args.session.or(values.session),
                // Prose that a client puts around a message is not the agent's fault. A file has only
                // what the agent wrote.
                accepts: Wrappings {
                    prose: return_file.is_none(),
                    ..Wrappings::default()
                },
                levels: HOOK_LEVELS.into_iter().chain(checker.levels).collect(),
                ..checker
            },
            return_file,
            tool: tool.transpose()?,
        })
    }
}

/// The profile of the arguments, else that of the settings. `install` writes `any` for a person who names
/// none, so it does not count more than what the person configures.
fn profile(given: Option<String>, configured: Option<String>) -> Option<String> {
    match given {
        Some(any) if any == ANY.id => configured.or(Some(any)),
        given => given.or(configured),
    }
}

/// What chooses the profile of agents without a table, in words.
fn profile_from(given: Option<&str>, settings: &Settings) -> String {
    let setting = Setting::named("profile").filter(|_| given.is_none_or(|id| id == ANY.id));
    match setting.map(|setting| settings.source(setting)) {
        Some(SettingSource::Variable(name)) => name.to_owned(),
        Some(SettingSource::File(_)) => "profile in retval.toml".to_owned(),
        _ if given.is_some() => "--profile".to_owned(),
        _ => "default".to_owned(),
    }
}

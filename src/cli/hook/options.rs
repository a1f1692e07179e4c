//! Options of `retval hook`: as arguments, and resolved, for all agents and for one.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::Profile;
use crate::check::rules::HOOK_LEVELS;
use crate::clients::{Client, Event, HookSettings, Moment};
use crate::config::{AgentSettings, ReceiptMode, Setting};
use crate::profile::ANY;
use crate::text::escape;
use anyhow::{Context as _, bail};
use clap::Args;
use globset::{Glob, GlobMatcher};

use crate::cli::args::{ConfigArgs, ON, OneOf, client, heading, number, profile_name, visible};
use crate::cli::settings::checker::{CheckerArgs, CheckerOptions, Wrappings};
use crate::cli::settings::{SettingSource, Settings, is_on};

/// How often an agent is asked again unless an option says otherwise.
const DEFAULT_RETRIES: u64 = 1;

#[derive(Debug, Clone, Args)]
pub(crate) struct HookArgs {
    /// Profile for agents that no table `[hook.agents]` names [default: return; `install` writes any]
    ///
    /// Also the name of your own profile in retval.toml. With `any`, the profile of the configuration file comes first, if it has one.
    #[arg(long, value_name = "PROFILE", value_parser = profile_name(), help_heading = heading::EXPECTED)]
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
    pub(super) retries: Option<u64>,
    /// Tell callers what the record of an agent shows: auto, always, off [default: auto]
    ///
    /// With `auto`, only if something is unusual: no tool call, tests that failed, a missing file.
    #[arg(long, value_name = "WHEN", value_parser = OneOf::<ReceiptMode>::parsed(), hide_possible_values = true)]
    receipt: Option<ReceiptMode>,
    /// Report only, never ask again
    #[arg(long, num_args = 0, default_missing_value = ON)]
    observe: Option<bool>,
    /// Also ask again if the hook itself fails
    #[arg(long, num_args = 0, default_missing_value = ON)]
    fail_closed: Option<bool>,
    #[command(flatten)]
    checker: CheckerArgs,
    /// Append a record of each invalid return that is let through to an error log
    #[arg(long, value_name = "FILE", help_heading = heading::LOG)]
    pub(super) errors_json: Option<PathBuf>,
    /// Client that calls the hook [default: recognized by its payload]
    #[arg(long = "client", value_name = "CLIENT", value_parser = client())]
    pub(super) caller: Option<&'static HookSettings>,

    #[command(flatten)]
    pub(super) config: ConfigArgs,
}

#[derive(Debug, Clone)]
pub(crate) struct HookOptions {
    pub(super) profile: Option<String>,
    /// What chooses the profile, in words.
    pub(super) profile_from: String,
    /// None: the agent's working folder.
    root: Option<PathBuf>,
    pub(super) return_file: Option<String>,
    pub(super) tool: Option<ReturnTool>,
    /// Globs. Without any, all agents but the client's own are checked.
    pub(super) agents: Vec<String>,
    pub(super) errors_json: Option<PathBuf>,
    pub(super) on_failure: FailurePolicy,
    pub(super) receipt: ReceiptMode,
    /// Its session id is the configured one; the client may tell another.
    pub(super) checker: CheckerOptions,
}

/// The tool by which agents hand in their return: `GLOB` for its name, or `GLOB#POINTER`.
#[derive(Debug, Clone)]
pub(super) struct ReturnTool {
    pub(super) names: GlobMatcher,
    /// The JSON pointer to the return in the arguments. Without one: the member `message`, or else all.
    pub(super) pointer: Option<String>,
}

impl FromStr for ReturnTool {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let parts = text.split_once('#');
        let (glob, pointer) = parts.map_or((text, None), |(glob, pointer)| (glob, Some(pointer)));
        let shown = escape::truncated(text);
        if pointer.is_some_and(|pointer| !pointer.is_empty() && !pointer.starts_with('/')) {
            bail!(
                "cannot use the tool {shown}: after # there is a JSON pointer, as in write_result#/report"
            );
        }
        let names = Glob::new(glob).with_context(|| format!("cannot use the tool {shown}"))?;
        Ok(Self { names: names.compile_matcher(), pointer: pointer.map(str::to_owned) })
    }
}

impl ReturnTool {
    pub(super) fn name(&self) -> &str {
        self.names.glob().glob()
    }
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
    /// `settings` is None if they cannot be read. That is a failure too, for which the policy is needed.
    fn resolve(args: &HookArgs, settings: Option<&Settings>) -> Self {
        let values = settings.map(|settings| &settings.values);
        let retries = args.retries.or(values.and_then(|it| it.hook_retries));
        Self {
            retries: retries.unwrap_or(DEFAULT_RETRIES),
            is_observing: is_on(args.observe, values.and_then(|it| it.hook_observe)),
            is_closed: is_on(args.fail_closed, values.and_then(|it| it.hook_fail_closed)),
        }
    }

    /// How often an agent is asked again at most: above its own limit, the client ends the agent itself.
    pub(super) fn most(self, client: Client) -> u64 {
        let cap = client.facts().asked_again_at_most.unwrap_or(u64::MAX);
        self.retries.min(cap)
    }
}

impl HookOptions {
    pub(super) fn folder<'f>(&'f self, event: &'f Event) -> &'f Path {
        let folder = self.root.as_deref().or(event.folder.as_deref());
        folder.unwrap_or(Path::new("."))
    }

    /// The glob for the file that is checked at this moment. A tool comes before it.
    pub(super) fn return_glob(&self, moment: Moment) -> Option<&str> {
        let is_of_tool = moment == Moment::Call && self.tool.is_some();
        self.return_file.as_deref().filter(|_| !is_of_tool)
    }

    /// The arguments, else the settings, else the defaults.
    pub(crate) fn resolve(args: HookArgs, settings: &Settings) -> anyhow::Result<Self> {
        let values = settings.values.clone();
        let on_failure = FailurePolicy::resolve(&args, Some(settings));
        let agents = Some(args.agents).filter(|it| !it.is_empty());
        let checker = CheckerOptions::resolve(args.checker, settings);
        let (profile, profile_from) = profile(args.profile, settings);
        let return_file = args.return_file.or(values.hook_return_file);
        let tool = args.tool.or(values.hook_tool).as_deref().map(str::parse);
        Ok(Self {
            profile,
            profile_from,
            root: args.root.or(values.root),
            agents: agents.or(values.hook_agents.map(|it| it.0)).unwrap_or_default(),
            errors_json: settings.output(args.errors_json, "errors-json", values.errors_json)?,
            on_failure,
            receipt: args.receipt.or(values.hook_receipt).unwrap_or_default(),
            checker: CheckerOptions {
                session: args.session.or(values.session),
                // Prose that a client puts around a message is not the agent's fault. A file has none.
                accepts: Wrappings { prose: return_file.is_none(), ..Wrappings::default() },
                writes: values.hook_writes,
                levels: HOOK_LEVELS.into_iter().chain(checker.levels).collect(),
                ..checker
            },
            return_file,
            tool: tool.transpose()?,
        })
    }
}

/// The profile, and what chooses it. `install` writes `any` for a person who names none: the settings go before it.
fn profile(given: Option<String>, settings: &Settings) -> (Option<String>, String) {
    let is_open = given.as_deref().is_none_or(|id| id == ANY.id);
    let configured = settings.values.profile.clone().filter(|_| is_open);
    let setting = Setting::named("profile").filter(|_| is_open);
    let from = match setting.map(|setting| settings.source(setting).0) {
        Some(SettingSource::Variable(name)) => name,
        Some(SettingSource::File(_)) => "profile in retval.toml",
        _ if given.is_some() => "--profile",
        _ => "default",
    };
    (configured.or(given), from.to_owned())
}

pub(super) struct HookSetup {
    pub(super) args: HookArgs,
    pub(super) loaded: anyhow::Result<(HookOptions, Settings)>,
    pub(super) keeps_log: bool,
}

impl HookSetup {
    /// The setup in a folder, or in the current folder.
    pub(super) fn load(args: HookArgs, folder: Option<&Path>) -> Self {
        let settings = match folder {
            Some(folder) => Settings::load_for_others(&args.config, folder),
            None => Settings::load(&args.config),
        };
        // The settings that overrides can change, if they are given as arguments.
        let given = [("strict", args.checker.has_strict())];
        let settings = settings.map(|settings| settings.given(given));
        let known = settings.as_ref().ok();
        Self {
            keeps_log: known.and_then(|it| it.values.hook_log).unwrap_or(true),
            loaded: settings.and_then(|settings| {
                let mut options = HookOptions::resolve(args.clone(), &settings)?;
                if let (Some(folder), Some(root)) = (folder, &mut options.root) {
                    *root = folder.join(&*root);
                }
                Ok((options, settings))
            }),
            args,
        }
    }

    pub(super) fn policy(&self) -> FailurePolicy {
        let loaded = self.loaded.as_ref();
        loaded.map_or_else(|_| FailurePolicy::resolve(&self.args, None), |it| it.0.on_failure)
    }

    /// Without settings that can be read, the log is the one of the command.
    pub(super) fn errors_json(&self) -> Option<&Path> {
        let loaded = self.loaded.as_ref();
        let path = loaded.map_or(&self.args.errors_json, |(options, _)| &options.errors_json);
        path.as_deref()
    }

    /// What holds for the agents with a table of their own, or for all others.
    pub(super) fn of_agent(
        &self,
        (options, settings): &(HookOptions, Settings),
        own: Option<&AgentSettings>,
    ) -> anyhow::Result<(HookOptions, Settings)> {
        let Some(own) = own else {
            return Ok((options.clone(), settings.clone()));
        };
        let settings = settings.with_own(own);
        let mut args = self.args.clone();
        let has_profile = own.settings.values.profile.is_some();
        args.profile = args.profile.filter(|_| !has_profile);
        let mut options = HookOptions::resolve(args, &settings)?;
        if has_profile {
            options.profile_from = format!("[hook.agents.\"{}\"]", own.glob());
        }
        Ok((options, settings))
    }
}

pub(super) struct Held<'h> {
    pub(super) options: &'h HookOptions,
    pub(super) settings: &'h Settings,
    pub(super) profile: &'h Profile,
}

/// Whether returns of an agent are checked. The globs decide; without any, its own table in the
/// configuration. None if neither says anything.
///
/// An agent that matches a glob after `!` is never checked. If all globs are of this kind, they decide
/// nothing about the other agents.
pub(crate) fn is_checked(
    globs: &[String],
    own: Option<&AgentSettings>,
    agent: &str,
) -> anyhow::Result<Option<bool>> {
    let (mut is_included, mut includes) = (false, false);
    for text in globs {
        let (glob, is_exclusion) = matcher(text)?;
        let matches = glob.is_match(agent);
        if is_exclusion && matches {
            return Ok(Some(false));
        }
        includes |= !is_exclusion;
        is_included |= matches;
    }
    let by_table = || own.map(|own| own.hold.unwrap_or(true));
    Ok(includes.then_some(is_included).or_else(by_table))
}

pub(crate) fn refuse_bad_globs(globs: &[String]) -> anyhow::Result<()> {
    globs.iter().try_for_each(|text| matcher(text).map(drop))
}

/// A glob, and whether it says which agents are not checked.
fn matcher(text: &str) -> anyhow::Result<(GlobMatcher, bool)> {
    let excluded = text.strip_prefix('!');
    let text = excluded.unwrap_or(text);
    let glob = Glob::new(text)
        .with_context(|| format!("cannot use the glob {}", escape::truncated(text)))?;
    Ok((glob.compile_matcher(), excluded.is_some()))
}

//! Options of `retval hook`: as arguments, as they were typed, and resolved.

use std::any::TypeId;
use std::path::{Path, PathBuf};

use crate::check::rules::HOOK_LEVELS;
use crate::clients::{Event, HookSettings};
use crate::config::{AgentSettings, Setting};
use crate::evidence::EvidenceMode;
use crate::profile::ANY;
use crate::rule::{Level, Rule, Strictness};
use clap::builder::NonEmptyStringValueParser;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches as _};

use crate::cli::args::ConfigArgs;
use crate::cli::args::heading;
use crate::cli::args::{
    ON, OneOf, client, number, profile_name, rule_level, size, strictness, visible,
};
use crate::cli::hook::hand_in::ReturnTool;
use crate::cli::settings::checker::{CheckerOptions, Wrappings};
use crate::cli::settings::{SettingSource, Settings, is_on};

/// How often an agent is asked again unless an option says otherwise.
const DEFAULT_RETRIES: u64 = 1;

#[derive(Debug, Clone, Args)]
pub(crate) struct HookArgs {
    /// Profile for agents that no table `[hook.agents]` names [default: return]
    ///
    /// With `any`, the profile of the configuration file comes first, if it has one.
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
    retries: Option<u64>,
    /// Report only, never ask again
    #[arg(long, num_args = 0, default_missing_value = ON)]
    observe: Option<bool>,
    /// Also ask again if the hook itself fails
    #[arg(long, num_args = 0, default_missing_value = ON)]
    fail_closed: Option<bool>,
    /// Work group, to find the handoff file of a compact return
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new(), help_heading = heading::EXPECTED, hide_short_help = true)]
    group: Option<String>,
    /// Treat warnings as errors; with =required only those about what the document requires
    #[arg(long, value_name = "required", num_args = 0..=1, require_equals = true, default_missing_value = ON, hide_possible_values = true, value_parser = strictness(), help_heading = heading::RULES)]
    strict: Option<Strictness>,
    /// Report this rule as an error, as a warning, or not at all (repeatable)
    #[arg(long, value_name = "RULE=LEVEL", value_parser = rule_level(), help_heading = heading::RULES)]
    rule: Vec<(&'static Rule, Level)>,
    /// Size limit of one return, such as 1000000, 1MB or 16MiB [default: 16MiB]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size, help_heading = heading::INPUT, hide_short_help = true)]
    max_bytes: Option<u64>,
    /// How much evidence of the agent's work counts [default: fail]
    ///
    /// off: it is not looked at. warn: what is contradicted is a warning. fail: it has the level of
    /// its rule. require: an artifact that is not shown is an error, too. See retval help evidence.
    #[arg(long, value_name = "MODE", value_parser = OneOf::<EvidenceMode>::parsed(), help_heading = heading::EVIDENCE, hide_short_help = true)]
    evidence: Option<EvidenceMode>,
    /// Append a record of each invalid return that is accepted to an error log (.jsonl: one per line)
    #[arg(long, value_name = "FILE", help_heading = heading::LOG)]
    pub(super) errors_json: Option<PathBuf>,
    /// Client that calls the hook [default: recognized by its payload]
    #[arg(long = "client", value_name = "CLIENT", value_parser = client())]
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
        [("strict", self.strict.is_some())]
    }
}

impl HookOptions {
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

    /// The arguments, else the settings, else the defaults.
    pub(crate) fn resolve(args: HookArgs, settings: &Settings) -> anyhow::Result<Self> {
        let values = settings.values.clone();
        let on_failure = FailurePolicy::resolve(&args, Some(settings));
        let agents = if args.agents.is_empty() {
            values.hook_agents.unwrap_or_default()
        } else {
            args.agents
        };
        let checker = CheckerOptions::of_settings(settings);
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
                group: args.group.or(checker.group),
                strict: args.strict.unwrap_or(checker.strict),
                max_bytes: args.max_bytes.unwrap_or(checker.max_bytes),
                evidence_mode: args.evidence.unwrap_or(checker.evidence_mode),
                // Prose that a client puts around a message is not the agent's fault. A file has only
                // what the agent wrote.
                accepts: Wrappings {
                    prose: return_file.is_none(),
                    ..Wrappings::default()
                },
                levels: HOOK_LEVELS.into_iter().chain(args.rule).collect(),
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

// The options, parsed and as they were typed. A doc comment here would become the help of the command.
#[derive(Debug, Args)]
pub(crate) struct TypedOptions {
    #[command(flatten)]
    pub(crate) args: HookArgs,
    // In the order of the help, whatever order they were given in. The command puts them here, because
    // clap keeps them apart from the values.
    #[arg(skip)]
    pub(super) typed: Vec<TypedOption>,
}

#[derive(Debug)]
pub(crate) struct TypedOption {
    pub(super) name: String,
    pub(super) value: Option<String>,
    /// Whether the value is the path of a file or folder.
    pub(super) is_path: bool,
}

impl TypedOption {
    /// The words of a command line that give it.
    pub(super) fn words(&self) -> Vec<String> {
        let name = format!("--{}", self.name);
        match &self.value {
            None => vec![name],
            Some(value) if value.starts_with('-') => vec![format!("{name}={value}")],
            Some(value) => vec![name, value.clone()],
        }
    }
}

impl TypedOptions {
    /// Reads the words of a command line, from `hook` on.
    pub(super) fn parse(words: &[String]) -> Result<Self, Error> {
        let command = HookArgs::augment_args(Command::new("hook").args_override_self(true));
        let matches = command.try_get_matches_from(words)?;
        let typed = typed(&matches);
        let args = HookArgs::from_arg_matches(&matches)?;
        Ok(Self { args, typed })
    }
}

/// The options of the hook on a command line, as they were typed.
pub(crate) fn typed_in(matches: &ArgMatches) -> Vec<TypedOption> {
    match matches.subcommand() {
        Some(("hook", hook)) => typed(hook.subcommand().map_or(hook, |(_, command)| command)),
        _ => Vec::new(),
    }
}

fn typed(matches: &ArgMatches) -> Vec<TypedOption> {
    let command = HookArgs::augment_args(Command::new("hook"));
    let mut typed = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let Some(long) = arg.get_long() else { continue };
        // Some commands of the hook do not have them.
        let is_given = matches.try_contains_id(id).unwrap_or_default();
        if !is_given || matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let takes_value = arg.get_action().takes_values()
            && arg.get_num_args().is_none_or(|count| count.takes_values());
        let values = matches.get_raw(id).into_iter().flatten();
        typed.extend(values.map(|value| TypedOption {
            name: long.to_owned(),
            value: takes_value.then(|| value.to_string_lossy().into_owned()),
            is_path: arg.get_value_parser().type_id() == TypeId::of::<PathBuf>(),
        }));
    }
    typed
}

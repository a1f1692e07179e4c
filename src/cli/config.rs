//! `retval config`: the settings in effect as TOML, with the source of each.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::Position;
use crate::Profile;
use crate::check::rules::{Level, Rule};
use crate::config::{
    AgentSettings, CustomProfile, FileGlob, Given, Override, SETTINGS, Section, Setting,
    SettingTable, SettingValue,
};
use crate::profile::{Agent, FilePattern, Measured, Need, Status, Unit};
use crate::text::escape;
use clap::Args;

use crate::cli::args::config::ConfigArgs;
use crate::cli::exit::Exit;
use crate::cli::hook::retries::caps_note;
use crate::cli::output::print_stdout;
use crate::cli::settings::{SettingSource, Settings};
use crate::cli::stderr::note;

pub(crate) const EXAMPLES: &str = "\
Examples:
  retval config
  RETVAL_PROFILE=return-meta retval config --config ci/retval.toml";

#[derive(Debug, Args)]
pub(crate) struct ConfigCommandArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

pub(crate) fn run(args: &ConfigCommandArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    settings.refuse_unknown_profile()?;
    let printed = print_stdout(text(&settings).as_bytes());
    let of_agents = settings.config.hook_agents.iter();
    let of_agents = of_agents.filter_map(|own| own.settings.values.hook_retries);
    let retries = settings.values.hook_retries.into_iter().chain(of_agents);
    retries.filter_map(caps_note).for_each(|text| note(&text));
    printed
}

/// The column in which the sources start, in characters.
const WIDTH: usize = 32;

fn text(settings: &Settings) -> String {
    let mut text = match &settings.file {
        Some(file) => format!("# from {}\n", escape::path(file)),
        None => "# no configuration file\n".to_owned(),
    };
    for section in [Section::All, Section::Hook] {
        if section == Section::Hook {
            text.push_str("\n[hook]\n");
        }
        for setting in SETTINGS
            .iter()
            .filter(|setting| setting.section() == section)
        {
            // The tables of agents are printed later, under the same name.
            if setting.name == "hook.agents" && !settings.config.hook_agents.is_empty() {
                continue;
            }
            // The table of evidence is printed later, under the same name.
            if setting.name == "evidence" && !settings.config.test_runners.is_empty() {
                continue;
            }
            let value = setting.value(&settings.values);
            let value = value.or_else(|| (setting.name == "root").then(|| root(settings)));
            let source = source(settings, setting);
            text.push_str(&line(setting, value.as_ref(), &source));
        }
    }
    evidence(&mut text, settings);
    for own in &settings.config.hook_agents {
        hook_agent(&mut text, settings, own);
    }
    if !settings.config.rules.is_empty() {
        text.push_str("\n[rules]\n");
        levels(&mut text, settings, &settings.config.rules);
    }
    for own in &settings.config.overrides {
        file_override(&mut text, settings, own);
    }
    for own in &settings.config.profiles {
        profile(&mut text, own);
    }
    text
}

fn root(settings: &Settings) -> SettingValue {
    SettingValue::Text(settings.root(None).display().to_string())
}

/// Writes the table of evidence, if the file sets more than its mode.
fn evidence(text: &mut String, settings: &Settings) {
    let runners = &settings.config.test_runners;
    let Some(setting) = Setting::named("evidence").filter(|_| !runners.is_empty()) else {
        return;
    };
    let value = setting.value(&settings.values);
    let mode = value.map_or_else(|| setting.default.to_owned(), |value| toml(&value));
    let assignment = format!("mode = {mode}");
    let source = source(settings, setting);
    let runners = list(runners.iter().map(String::as_str));
    let _ = write!(
        text,
        "\n[evidence]\n{assignment:WIDTH$} # {source}\ntest-runners = {runners}\n"
    );
}

fn hook_agent(text: &mut String, settings: &Settings, own: &AgentSettings) {
    let _ = writeln!(text, "\n[hook.agents.{}]", key(own.glob()));
    if let Some(hold) = own.hold {
        let _ = writeln!(text, "hold = {hold}");
    }
    own_settings(text, settings, &own.settings);
}

fn own_settings(text: &mut String, settings: &Settings, own: &SettingTable) {
    for (setting, at) in &own.positions {
        let source = position(settings, *at);
        text.push_str(&line(setting, setting.value(&own.values).as_ref(), &source));
    }
}

fn levels(text: &mut String, settings: &Settings, levels: &[(&Rule, Given<Level>)]) {
    for (rule, level) in levels {
        let assignment = format!("{} = \"{}\"", rule.id, level.value.as_str());
        let source = position(settings, level.at);
        let _ = writeln!(text, "{assignment:WIDTH$} # {source}");
    }
}

fn file_override(text: &mut String, settings: &Settings, own: &Override) {
    let files = list(own.files.iter().map(FileGlob::as_str));
    let _ = writeln!(text, "\n[[overrides]]\nfiles = {files}");
    own_settings(text, settings, &own.settings);
    if !own.rules.is_empty() {
        text.push_str("[overrides.rules]\n");
        levels(text, settings, &own.rules);
    }
}

fn source(settings: &Settings, setting: &'static Setting) -> String {
    match settings.source(setting) {
        SettingSource::Variable(name) => name.to_owned(),
        SettingSource::File(at) => position(settings, at),
        SettingSource::Default => "default".to_owned(),
    }
}

fn position(settings: &Settings, at: Position) -> String {
    let file = settings.file.as_deref().map(escape::path);
    let file = file.unwrap_or_default();
    format!("{file}:{}:{}", at.line, at.column)
}

fn line(setting: &Setting, value: Option<&SettingValue>, source: &str) -> String {
    let value = value.map_or_else(|| setting.default.to_owned(), toml);
    if value.is_empty() {
        let key = format!("# {}", setting.key());
        return format!("{key:WIDTH$} # not set\n");
    }
    let assignment = format!("{} = {value}", setting.key());
    format!("{assignment:WIDTH$} # {source}\n")
}

fn toml(value: &SettingValue) -> String {
    match value {
        SettingValue::Text(text) => quoted(text),
        SettingValue::Switch(is_on) => is_on.to_string(),
        SettingValue::Number(number) => number.to_string(),
        SettingValue::Texts(texts) => list(texts.iter().map(String::as_str)),
    }
}

fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let texts: Vec<_> = texts.map(quoted).collect();
    format!("[{}]", texts.join(", "))
}

fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if name.bytes().all(is_bare) && !name.is_empty() {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A TOML string with all hidden characters and tags escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for (at, character) in text.char_indices() {
        let previous = quoted.chars().next_back();
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
            quoted.push(character);
        } else if escape::misleads(&text[at..], previous) {
            let _ = write!(quoted, "\\U{:08X}", u32::from(character));
        } else {
            quoted.push(character);
        }
    }
    quoted.push('"');
    quoted
}

/// Writes a custom profile, including everything that it inherits.
fn profile(text: &mut String, own: &CustomProfile) {
    let profile = &own.profile;
    let table = format!("profiles.{}", key(&profile.id));
    let _ = writeln!(text, "\n[{table}]");
    let Some(extends) = &own.extends else {
        // It inherits nothing.
        return text.push_str(&escape::multiline(&own.source));
    };
    let _ = writeln!(text, "extends = {}", quoted(extends));
    let _ = writeln!(text, "document = {}", quoted(&profile.document));
    if !profile.files.is_empty() {
        let files = list(profile.files.iter().map(FilePattern::as_str));
        let _ = writeln!(text, "files = {files}");
    }
    vocabulary(text, &profile.statuses);
    let actions = profile.statuses_of(None).filter_map(|status| {
        let action = status.own_action?;
        Some((&*status.word, action.as_str()))
    });
    // Several agents can have the same word.
    let actions: BTreeMap<_, _> = actions.collect();
    let action = |(word, action)| (word, format!("\"{action}\""));
    inline_table(text, "actions", actions.into_iter().map(action));
    let _ = writeln!(text, "artifact-types = {}", types(&profile.artifact_types));
    let _ = writeln!(text, "error-types = {}", types(&profile.error_types));
    let _ = writeln!(
        text,
        "required = {}",
        list(profile.fields_with(Need::Required))
    );
    if let Some(path) = &profile.handoff_path {
        let _ = writeln!(text, "handoff-path = {}", quoted(path));
    }
    limits(text, &table, profile);
    if !profile.levels.is_empty() {
        let _ = writeln!(text, "[{table}.rules]");
        for (rule, level) in profile.levels.iter() {
            let _ = writeln!(text, "{rule} = \"{}\"", level.as_str());
        }
    }
    for agent in profile.agents.iter() {
        let _ = writeln!(text, "[{table}.agents.{}]", key(&agent.name));
        vocabulary(text, &agent.statuses);
        let before = list(agent.reads_from.iter().map(AsRef::as_ref));
        let _ = writeln!(text, "reads-from = {before}");
        let otherwise = list(agent.reads_otherwise.iter().map(AsRef::as_ref));
        let _ = writeln!(text, "reads-otherwise = {otherwise}");
        let _ = writeln!(text, "writes-handoff = {}", agent.writes_handoff);
        let _ = writeln!(text, "limits-summary = {}", agent.limits_summary);
        chain(text, agent);
    }
}

/// Writes the files with the details of an agent's work, and its next agents.
fn chain(text: &mut String, agent: &Agent) {
    let details = agent.details.iter();
    let details = details.map(|it| (&*it.name, quoted(&it.path)));
    inline_table(text, "details", details);
    let next = agent.statuses.iter().filter(|it| !it.next.is_empty());
    let next = next.map(|it| (&*it.word, list(it.next.iter().map(AsRef::as_ref))));
    inline_table(text, "next", next);
}

/// Writes members with values in TOML, if there are any.
fn inline_table<'k>(
    text: &mut String,
    name: &str,
    members: impl Iterator<Item = (&'k str, String)>,
) {
    let members: Vec<_> = members
        .map(|(name, value)| format!("{} = {value}", key(name)))
        .collect();
    if !members.is_empty() {
        let _ = writeln!(text, "{name} = {{ {} }}", members.join(", "));
    }
}

fn vocabulary(text: &mut String, statuses: &[Status]) {
    let claims = statuses.iter();
    let claims = claims.map(|it| (&*it.word, format!("\"{}\"", it.meaning.as_str())));
    inline_table(text, "statuses", claims);
}

fn types(types: &[Cow<'static, str>]) -> String {
    if types.is_empty() {
        "\"any\"".to_owned()
    } else {
        list(types.iter().map(AsRef::as_ref))
    }
}

fn limits(text: &mut String, table: &str, profile: &Profile) {
    let _ = writeln!(text, "[{table}.limits]");
    if let Some(length) = profile.length {
        let key = match (length.of, length.unit) {
            (Measured::Summary, Unit::Tokens) => "summary-tokens",
            (Measured::Summary, Unit::Words) => "summary-words",
            (Measured::Summary, Unit::Characters) => "summary-characters",
            _ => "return-tokens",
        };
        let bound = if length.inclusive {
            ""
        } else {
            " # fewer than this"
        };
        let _ = writeln!(text, "{key} = {}{bound}", length.most);
    }
    if let Some((least, most)) = profile.sentences {
        let _ = writeln!(text, "sentences = [{least}, {most}]");
    }
    let limits = &profile.limits;
    for (key, limit) in [
        ("summary-characters-at-least", limits.summary_at_least),
        (
            "artifact-summary-characters",
            limits.artifact_summary_at_most,
        ),
        ("error-message-characters", limits.error_message_at_most),
        ("next-steps-characters", limits.next_steps_at_most),
    ] {
        if let Some(limit) = limit {
            let _ = writeln!(text, "{key} = {limit}");
        }
    }
}

//! `retval config`: the settings in effect as TOML, with the source of each.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::Args;

use crate::Position;
use crate::check::rules::{Level, Rule};
use crate::cli::args::ConfigArgs;
use crate::cli::output::{Exit, print_stdout};
use crate::cli::settings::{SettingSource, Settings};
use crate::config::{
    CustomProfile, FileGlob, Given, SETTINGS, Section, Setting, SettingTable, SettingValue, key,
    quoted,
};
use crate::profile::{FilePattern, Measured, Need, Profile, Status, Unit};
use crate::text::escape;

#[derive(Debug, Args)]
pub(crate) struct ConfigCommandArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

pub(crate) fn run(args: &ConfigCommandArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    // The environment may name a profile that does not exist.
    settings.profile_or_auto(settings.values.profile.as_deref())?;
    print_stdout(text(&settings))
}

/// The column in which the sources start, in characters.
const WIDTH: usize = 32;

fn text(settings: &Settings) -> String {
    let config = &settings.config;
    let mut text = match &settings.file {
        Some(file) => format!("# from {}\n", escape::path(file)),
        None => "# no configuration file\n".to_owned(),
    };
    for section in [Section::All, Section::Hook] {
        if section == Section::Hook {
            text.push_str("\n[hook]\n");
        }
        for setting in SETTINGS.iter().filter(|it| it.section() == section) {
            // Their tables are printed later, under the same names.
            match setting.name {
                "hook.agents" if !config.hook_agents.is_empty() => continue,
                "evidence" if !config.test_runners.is_empty() => continue,
                _ => {}
            }
            let value = setting.value(&settings.values);
            let root = || SettingValue::Text(settings.root(None).display().to_string());
            let value = value.or_else(|| (setting.name == "root").then(root));
            let source = source(settings, setting);
            text.push_str(&line(setting.key(), setting, value.as_ref(), &source));
        }
    }
    if let Some(mode) = Setting::named("evidence").filter(|_| !config.test_runners.is_empty()) {
        let (value, source) = (mode.value(&settings.values), source(settings, mode));
        let mode = line("mode", mode, value.as_ref(), &source);
        let runners = list(config.test_runners.iter().map(String::as_str));
        let _ = write!(text, "\n[evidence]\n{mode}test-runners = {runners}\n");
    }
    for own in &config.hook_agents {
        let _ = writeln!(text, "\n[hook.agents.{}]", key(own.glob()));
        entry(&mut text, "hold", own.hold.map(|hold| hold.to_string()));
        own_settings(&mut text, settings, &own.settings);
    }
    if !config.rules.is_empty() {
        text.push_str("\n[rules]\n");
        levels(&mut text, settings, &config.rules);
    }
    for own in &config.overrides {
        let files = list(own.files.iter().map(FileGlob::as_str));
        let _ = writeln!(text, "\n[[overrides]]\nfiles = {files}");
        own_settings(&mut text, settings, &own.settings);
        if !own.rules.is_empty() {
            text.push_str("[overrides.rules]\n");
            levels(&mut text, settings, &own.rules);
        }
    }
    for own in &config.profiles {
        profile(&mut text, own);
    }
    text
}

fn own_settings(text: &mut String, settings: &Settings, own: &SettingTable) {
    for (setting, at) in &own.positions {
        let (value, source) = (setting.value(&own.values), position(settings, *at));
        text.push_str(&line(setting.key(), setting, value.as_ref(), &source));
    }
}

fn levels(text: &mut String, settings: &Settings, levels: &[(&Rule, Given<Level>)]) {
    for (rule, level) in levels {
        let assignment = format!("{} = \"{}\"", rule.id, level.value.as_str());
        let source = position(settings, level.at);
        let _ = writeln!(text, "{assignment:WIDTH$} # {source}");
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

/// A line with the value of a setting, or its default, and the source.
fn line(key: &str, setting: &Setting, value: Option<&SettingValue>, source: &str) -> String {
    let value = match value {
        None => setting.default.to_owned(),
        Some(SettingValue::Text(text)) => quoted(text),
        Some(SettingValue::Switch(is_on)) => is_on.to_string(),
        Some(SettingValue::Number(number)) => number.to_string(),
        Some(SettingValue::Texts(texts)) => list(texts.iter().map(String::as_str)),
    };
    let (text, source) = if value.is_empty() {
        (format!("# {key}"), "not set")
    } else {
        (format!("{key} = {value}"), source)
    };
    format!("{text:WIDTH$} # {source}\n")
}

/// Writes a line with a value in TOML, if there is one.
fn entry(text: &mut String, key: &str, value: Option<String>) {
    if let Some(value) = value {
        let _ = writeln!(text, "{key} = {value}");
    }
}

fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let texts: Vec<_> = texts.map(quoted).collect();
    format!("[{}]", texts.join(", "))
}

fn names(names: &[Cow<'static, str>]) -> String {
    list(names.iter().map(AsRef::as_ref))
}

/// A table in one line. None without members.
fn inline_table<'k>(members: impl Iterator<Item = (&'k str, String)>) -> Option<String> {
    let members = members.map(|(name, value)| format!("{} = {value}", key(name)));
    let members: Vec<_> = members.collect();
    (!members.is_empty()).then(|| format!("{{ {} }}", members.join(", ")))
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
    let actions = profile.statuses_of(None).filter_map(|status| {
        let action = status.own_action?.as_str();
        Some((&*status.word, quoted(action)))
    });
    // Several agents can have the same word.
    let actions: BTreeMap<_, _> = actions.collect();
    let types = |types: &[Cow<'static, str>]| match types {
        [] => quoted("any"),
        types => names(types),
    };
    let files = list(profile.files.iter().map(FilePattern::as_str));
    let path = profile.handoff_path.as_ref();
    for (key, value) in [
        ("extends", Some(quoted(extends))),
        ("document", Some(quoted(&profile.document))),
        ("files", Some(files).filter(|_| !profile.files.is_empty())),
        ("statuses", statuses(&profile.statuses)),
        ("actions", inline_table(actions.into_iter())),
        ("artifact-types", Some(types(&profile.artifact_types))),
        ("error-types", Some(types(&profile.error_types))),
        ("required", Some(list(profile.fields_with(Need::Required)))),
        ("handoff-path", path.map(|path| quoted(path))),
    ] {
        entry(text, key, value);
    }
    let _ = writeln!(text, "[{table}.limits]");
    limits(text, profile);
    if !profile.levels.is_empty() {
        let _ = writeln!(text, "[{table}.rules]");
        for (rule, level) in profile.levels.iter() {
            entry(text, rule, Some(quoted(level.as_str())));
        }
    }
    for agent in profile.agents.iter() {
        let _ = writeln!(text, "[{table}.agents.{}]", key(&agent.name));
        let details = agent.details.iter();
        let details = details.map(|it| (&*it.name, quoted(&it.path)));
        let next = agent.statuses.iter().filter(|it| !it.next.is_empty());
        let next = next.map(|it| (&*it.word, names(&it.next)));
        for (key, value) in [
            ("statuses", statuses(&agent.statuses)),
            ("reads-from", Some(names(&agent.reads_from))),
            ("reads-otherwise", Some(names(&agent.reads_otherwise))),
            ("writes-handoff", Some(agent.writes_handoff.to_string())),
            ("limits-summary", Some(agent.limits_summary.to_string())),
            ("details", inline_table(details)),
            ("next", inline_table(next)),
        ] {
            entry(text, key, value);
        }
    }
}

fn statuses(statuses: &[Status]) -> Option<String> {
    let meaning = |it: &Status| quoted(it.meaning.as_str());
    inline_table(statuses.iter().map(|it| (&*it.word, meaning(it))))
}

fn limits(text: &mut String, profile: &Profile) {
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
        entry(text, key, Some(format!("{}{bound}", length.most)));
    }
    let sentences = profile.sentences;
    let sentences = sentences.map(|(least, most)| format!("[{least}, {most}]"));
    entry(text, "sentences", sentences);
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
        entry(text, key, limit.map(|limit| limit.to_string()));
    }
}

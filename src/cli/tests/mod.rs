//! Tests that flags and settings agree: the configuration file can set everything that a flag can.

mod tables;

use std::ffi::OsString;

use crate::config::{Config, SETTINGS, Setting};

use crate::cli::check::options::CheckOptions;
use crate::cli::hook::options::HookOptions;
use crate::cli::parser::{Subcommands, command, parse};
use crate::cli::settings::Settings;

/// Settings of the file and the environment alone.
const NO_FLAG: [&str; 6] =
    ["hook.log", "hook.writes", "now", "root-has", "rule-url", "stale-after"];

/// Flags without a setting, or whose setting has another test: a schema is not limited to one delegation,
/// explanations, audits and `init --verify` have other formats than reports, and a setting of the profile leaves
/// out agents that `retval audit --profile` does not.
const NO_SETTING: [(&str, &str); 6] = [
    ("audit", "format"),
    ("audit", "profile"),
    ("schema", "session"),
    ("schema", "agent"),
    ("explain", "format"),
    ("init", "format"),
];

/// Values in the file, and the same values on the command line. A flag without a value has `None`.
const SAMPLES: [(&str, Option<&str>); 11] = [
    ("true", None),
    ("2", Some("2")),
    ("\"return-v1\"", Some("return-v1")),
    ("\"json\"", Some("json")),
    ("\"never\"", Some("never")),
    ("\"always\"", Some("always")),
    ("[\"a*\"]", Some("a*")),
    ("\"2026-01-28T10:30:00Z\"", None),
    ("\"2h\"", Some("2h")),
    ("\"warn\"", Some("warn")),
    ("\"https://example.org/{rule}\"", Some("https://example.org/{rule}")),
];

fn settings(toml: &str) -> Settings {
    let config = Config::parse(toml).expect("a configuration");
    Settings::new(None, config, |_| None).expect("settings")
}

/// The options of a command after resolution, as text.
fn resolved(arguments: &[&str], settings: &Settings) -> String {
    let arguments = ["retval"].iter().chain(arguments);
    let arguments = arguments.map(OsString::from).collect();
    match parse(arguments).expect("arguments") {
        Subcommands::Check(args) => {
            format!("{:?}", CheckOptions::resolve(args, settings))
        }
        Subcommands::Hook(hook) => {
            // It remembers where the profile comes from, for its log.
            let options = format!("{:?}", HookOptions::resolve(hook.options.args, settings));
            options.replace("profile in retval.toml", "--profile")
        }
        Subcommands::Instruct(args) => format!("{:?}", args.resolve(settings)),
        Subcommands::Schema(args) => format!("{:?}", args.resolve(settings)),
        Subcommands::Read(args) => format!("{:?}", args.resolve(settings)),
        command => panic!("{command:?} has no settings"),
    }
}

/// A line that sets a setting, and the value of the corresponding flag.
fn sample(setting: &Setting) -> (String, Option<&'static str>) {
    let table = match setting.table() {
        "" => "",
        _ => "[hook]\n",
    };
    let lines = SAMPLES.map(|(toml, value)| (format!("{table}{} = {toml}", setting.key()), value));
    let mut lines = lines.into_iter();
    let found = lines.find(|(line, _)| Config::parse(line).is_ok());
    found.unwrap_or_else(|| panic!("no sample for {}", setting.name))
}

/// The commands that have a flag for a setting.
fn commands(setting: &Setting) -> Vec<String> {
    let root = command();
    let has_flag = |command: &&clap::Command| {
        let mut flags = command.get_arguments().filter_map(clap::Arg::get_long);
        let is_section = setting.table().is_empty() || command.get_name() == "hook";
        is_section
            && flags.any(|flag| flag == setting.key())
            && !NO_SETTING.contains(&(command.get_name(), setting.name))
    };
    let commands = root.get_subcommands().filter(has_flag);
    commands.map(|it| it.get_name().to_owned()).collect()
}

#[test]
fn a_setting_does_what_its_flag_does() {
    for setting in SETTINGS.iter().filter(|it| !NO_FLAG.contains(&it.name)) {
        let commands = commands(setting);
        assert!(!commands.is_empty(), "{} has no flag", setting.name);
        let (toml, value) = sample(setting);
        let flag = format!("--{}", setting.key());
        for command in &commands {
            let by_default = resolved(&[command], &settings(""));
            let by_file = resolved(&[command], &settings(&toml));
            let arguments: Vec<_> = [command, flag.as_str()].into_iter().chain(value).collect();
            let by_flag = resolved(&arguments, &settings(""));
            assert_ne!(by_default, by_file, "{command} does not use {toml}");
            assert_eq!(by_file, by_flag, "{command} {flag}");
        }
    }
}

#[test]
fn a_number_has_the_same_range_in_the_file_and_as_a_flag() {
    let is_number = |setting: &&Setting| sample(setting).1 == Some("2");
    let numbers: Vec<_> = SETTINGS.iter().filter(is_number).collect();
    assert!(numbers.len() >= 3);
    for setting in numbers {
        let (toml, _) = sample(setting);
        let (first, end) = (setting.range.start, setting.range.end);
        for number in [first.saturating_sub(1), first, end - 1, end] {
            let number = number.to_string();
            let in_file = Config::parse(&toml.replace("= 2", &format!("= {number}"))).is_ok();
            for command in commands(setting) {
                let flag = format!("--{}", setting.key());
                let arguments = ["retval", &command, &flag, &number].map(OsString::from);
                let as_flag = parse(arguments.into()).is_ok();
                assert_eq!(as_flag, in_file, "{command} {flag} {number}");
            }
        }
    }
}

#[test]
fn a_variable_does_what_the_file_does() {
    let variables = SETTINGS.iter().filter(|setting| setting.variable.is_some());
    for setting in variables {
        let (toml, _) = sample(setting);
        let text = match toml.rsplit_once("= ") {
            Some((_, text @ ("2" | "true"))) => text,
            _ if setting.name == "now" => "2026-01-28T10:30:00Z",
            _ => "return-v1",
        };
        let environment =
            |name: &str| (Some(name) == setting.variable).then(|| OsString::from(text));
        let loaded = Settings::new(None, Config::default(), environment).expect("settings");
        let loaded = format!("{:?}", loaded.values);
        let nothing = format!("{:?}", settings("").values);
        assert_eq!(loaded, format!("{:?}", settings(&toml).values));
        assert_ne!(loaded, nothing, "{}", setting.name);
    }
}

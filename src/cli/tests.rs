//! Tests that flags and settings agree: the configuration file can set everything that a flag can.

use std::ffi::OsString;

use crate::config::{Config, SETTINGS, Section, Setting};

use crate::cli::check::options::CheckOptions;
use crate::cli::hook::options::HookOptions;
use crate::cli::parser::{Subcommands, command, parse, parse_with_all};
use crate::cli::settings::Settings;

/// Settings of the file and the environment alone. Who calls the hook does not read its log.
const NO_FLAG: [&str; 1] = ["hook.log"];

/// Flags without a setting, or whose setting has another test: a schema is not limited to one delegation,
/// explanations and audits have other formats than reports, a setting of the profile leaves out agents
/// that `retval audit --profile` does not, and `retval leftovers` takes its session when it runs.
const NO_SETTING: [(&str, &str); 6] = [
    ("audit", "format"),
    ("audit", "profile"),
    ("leftovers", "session"),
    ("schema", "session"),
    ("schema", "agent"),
    ("explain", "format"),
];

/// Values in the file, and the same values on the command line. A flag without a value has `None`.
const SAMPLES: [(&str, Option<&str>); 9] = [
    ("true", None),
    ("2", Some("2")),
    ("\"return-v1\"", Some("return-v1")),
    ("\"json\"", Some("json")),
    ("\"never\"", Some("never")),
    ("[\"a*\"]", Some("a*")),
    ("\"2h\"", Some("2h")),
    ("\"warn\"", Some("warn")),
    (
        "\"https://example.org/{rule}\"",
        Some("https://example.org/{rule}"),
    ),
];

fn settings(toml: &str) -> Settings {
    let config = Config::parse(toml).expect("a configuration");
    Settings::new(None, config, &[], |_| None).expect("settings")
}

/// The options of a command after resolution, as text.
fn resolved(arguments: &[&str], settings: &Settings) -> String {
    let convert = &["--from", "return-v1", "--to", "return"][..];
    let required = if arguments[0] == "convert" {
        convert
    } else {
        &[]
    };
    let arguments = ["retval"].iter().chain(arguments).chain(required);
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
        Subcommands::Convert(args) => format!("{:?}", args.resolve(settings)),
        Subcommands::Instruct(args) => format!("{:?}", args.resolve(settings)),
        Subcommands::Schema(args) => format!("{:?}", args.resolve(settings)),
        Subcommands::Audit(args) => format!("{:?}", args.hides_progress(settings)),
        Subcommands::Read(args) => format!("{:?}", args.resolve(settings)),
        command => panic!("{command:?} has no settings"),
    }
}

/// A line that sets a setting, and the value of the corresponding flag.
fn sample(setting: &Setting) -> (String, Option<&'static str>) {
    let table = match setting.section() {
        Section::All => "",
        Section::Hook => "[hook]\n",
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
        let is_section = setting.section() == Section::All || command.get_name() == "hook";
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
                let required = ["--from", "return-v1", "--to", "return"];
                let required = required.iter().copied().filter(|_| command == "convert");
                let arguments = ["retval", &command, &flag, &number]
                    .into_iter()
                    .chain(required);
                let as_flag = parse(arguments.map(OsString::from).collect()).is_ok();
                assert_eq!(as_flag, in_file, "{command} {flag} {number}");
            }
        }
    }
}

#[test]
fn a_variable_does_what_the_file_does_and_unset_undoes_both() {
    let variables = SETTINGS.iter().filter(|setting| setting.variable.is_some());
    for setting in variables {
        let (toml, _) = sample(setting);
        let text = match toml.rsplit_once("= ") {
            Some((_, text @ ("2" | "true"))) => text,
            _ => "return-v1",
        };
        let environment =
            |name: &str| (Some(name) == setting.variable).then(|| OsString::from(text));
        let load = |toml: &str, unset: &[&'static Setting]| {
            let config = Config::parse(toml).expect("a configuration");
            let settings = Settings::new(None, config, unset, environment).expect("settings");
            format!("{:?}", settings.values)
        };
        let nothing = format!("{:?}", settings("").values);
        assert_eq!(load("", &[]), format!("{:?}", settings(&toml).values));
        assert_ne!(load("", &[]), nothing, "{}", setting.name);
        assert_eq!(load(&toml, &[setting]), nothing, "{}", setting.name);
    }
}

#[test]
fn a_check_with_frequent_options_alone_is_what_it_is_among_all_options() {
    for line in [
        "",
        "-",
        "a.json b.ndjson",
        "a.json --root DIR",
        "--session=sess_1 --agent qa -q",
        "-qv",
        "-j 2",
        "--extract --ndjson --format json --output a.json",
        "--strict --off summary-length --max-bytes 1MB --profile auto",
        "--strict=required --format value --at /status",
        "--warn summary-length",
        "--include *.json --exclude a --baseline b.json",
        "--errors-json log.jsonl --no-config",
        "--config retval.toml --unset strict",
        "--session a --session b",
        "-- --statistics",
        "--session --statistics",
        "--root",
        "--statistics",
        "--help",
        "--version",
        "--",
    ] {
        let words = ["retval", "check"]
            .into_iter()
            .chain(line.split_whitespace());
        let words: Vec<_> = words.map(OsString::from).collect();
        let text = |parsed: Result<Subcommands, clap::Error>| match parsed {
            Ok(command) => format!("{command:?}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(
            text(parse(words.clone())),
            text(parse_with_all(words)),
            "{line}"
        );
    }
}

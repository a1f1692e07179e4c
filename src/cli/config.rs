//! `retval config`: the settings in effect as TOML, with the source of each.

use std::fmt::Write as _;

use clap::Args;

use crate::cli::args::ConfigArgs;
use crate::cli::output::{Exit, print_stdout};
use crate::cli::settings::{SettingSource, Settings};
use crate::config::{Setting, quoted};
use crate::text::escape;

#[derive(Debug, Args)]
pub(crate) struct ConfigCommandArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

pub(crate) fn run(args: &ConfigCommandArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    // The environment may name a profile that does not exist.
    settings.profile(settings.values.profile.as_deref())?;
    print_stdout(text(&settings))
}

/// The settings, each with its value or its default.
fn text(settings: &Settings) -> String {
    /// The column in which the sources start, in characters.
    const WIDTH: usize = 32;
    let name = settings.file.as_deref().map(escape::path);
    let mut text = match &name {
        Some(name) => format!("# from {name}\n"),
        None => "# no configuration file\n".to_owned(),
    };
    let name = name.unwrap_or_default();
    for table in ["", "hook"] {
        if !table.is_empty() {
            let _ = writeln!(text, "\n[{table}]");
        }
        for setting in Setting::of(table) {
            let key = setting.key();
            let (line, source) = match settings.source(setting) {
                (SettingSource::Variable(name), value) => {
                    (format!("{key} = {value}"), name.to_owned())
                }
                (SettingSource::File(at), value) => {
                    (format!("{key} = {value}"), format!("{name}:{}:{}", at.line, at.column))
                }
                (SettingSource::Default, "") => (format!("# {key}"), "not set".to_owned()),
                (SettingSource::Default, value) => {
                    let root = quoted(&settings.root(None).to_string_lossy());
                    let value = if key == "root" { &root } else { value };
                    (format!("{key} = {value}"), "default".to_owned())
                }
            };
            let _ = writeln!(text, "{line:WIDTH$} # {source}");
        }
    }
    text
}

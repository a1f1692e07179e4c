//! `retval config`: the settings in effect as TOML, with the source of each.

use std::fmt::Write as _;

use anyhow::anyhow;
use clap::Args;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::cli::args::ConfigArgs;
use crate::cli::output::{Exit, print_stdout};
use crate::cli::settings::{SettingSource, Settings};
use crate::config::{Setting, key, quoted};
use crate::document::lookup::position;
use crate::text::{Span, escape};

#[derive(Debug, Args)]
pub(crate) struct ConfigCommandArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

pub(crate) fn run(args: &ConfigCommandArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    // The environment may name a profile that does not exist.
    settings.profile(settings.values.profile.as_deref())?;
    print_stdout(text(&settings)?)
}

/// The settings, each with its value or its default, and then the tables of the file.
fn text(settings: &Settings) -> anyhow::Result<String> {
    let source = settings.file.as_deref().map(std::fs::read_to_string).transpose()?;
    let source = source.unwrap_or_default();
    let name = settings.file.as_deref().map(escape::path);
    let head = match &name {
        Some(name) => format!("# from {name}\n"),
        None => "# no configuration file\n".to_owned(),
    };
    let mut tables = Tables { source: &source, name: name.unwrap_or_default(), text: head };
    let document = DeTable::parse(&source).map_err(|it| anyhow!("{}", it.message()))?;
    let document = document.get_ref();
    let hook = document.get("hook").and_then(|it| it.get_ref().as_table());
    for (table, own) in [("", Some(document)), ("hook", hook)] {
        if !table.is_empty() {
            let _ = writeln!(tables.text, "\n[{table}]");
        }
        for setting in Setting::of(table) {
            let key = setting.key();
            // It is in the table of this name below. Twice, the text would be no TOML.
            if own.is_some_and(|it| it.get(key).is_some_and(is_table)) {
                continue;
            }
            match settings.source(setting) {
                (SettingSource::Variable(name), value) => tables.line(key, value, name),
                (SettingSource::File(at), value) => {
                    let place = format!("{}:{}:{}", tables.name, at.line, at.column);
                    tables.line(key, value, &place);
                }
                (SettingSource::Default, "") => tables.line(&format!("# {key}"), "", "not set"),
                (SettingSource::Default, value) => {
                    let root = quoted(&settings.root(None).to_string_lossy());
                    tables.line(key, if key == "root" { &root } else { value }, "default");
                }
            }
        }
    }
    for (before, own) in [("hook.", hook), ("", Some(document))] {
        for (name, value) in own.into_iter().flat_map(in_order) {
            if is_table(value) && (before, name.get_ref().as_ref()) != ("", "hook") {
                tables.table(&format!("{before}{}", key(name.get_ref())), value);
            }
        }
    }
    Ok(tables.text)
}

/// The members of a table in the order of the text: of the tables of agents, the first one counts.
fn in_order<'t, 's>(
    table: &'t DeTable<'s>,
) -> impl Iterator<Item = (&'t Spanned<DeString<'s>>, &'t Spanned<DeValue<'s>>)> {
    let mut members: Vec<_> = table.iter().collect();
    members.sort_by_key(|(name, value)| (name.span().start, value.span().start));
    members.into_iter()
}

/// Whether a value has lines of its own: it is a table, or a list of the tables `[[overrides]]`.
fn is_table(value: &Spanned<DeValue<'_>>) -> bool {
    match value.get_ref() {
        DeValue::Table(_) => true,
        DeValue::Array(items) => items.iter().any(|it| it.get_ref().is_table()),
        _ => false,
    }
}

/// The text that is made of the tables of a file.
struct Tables<'t> {
    source: &'t str,
    /// The path of the file, safe to print.
    name: String,
    text: String,
}

impl Tables<'_> {
    fn line(&mut self, key: &str, value: &str, source: &str) {
        /// The column in which the sources start, in characters.
        const WIDTH: usize = 32;
        let line = if value.is_empty() { key.to_owned() } else { format!("{key} = {value}") };
        let _ = writeln!(self.text, "{line:WIDTH$} # {source}");
    }

    /// Writes a table, or a list of tables, with the place of each value.
    fn table(&mut self, path: &str, value: &Spanned<DeValue<'_>>) {
        let (head, tables): (_, Vec<_>) = match value.get_ref() {
            DeValue::Array(items) => (format!("[[{path}]]"), items.iter().collect()),
            _ => (format!("[{path}]"), vec![value]),
        };
        for table in tables.iter().filter_map(|it| it.get_ref().as_table()) {
            // The heads of its tables say that it is there.
            if table.is_empty() || in_order(table).any(|it| !it.1.get_ref().is_table()) {
                let _ = writeln!(self.text, "\n{head}");
            }
            for (name, value) in in_order(table).filter(|it| !it.1.get_ref().is_table()) {
                let span = value.span();
                let at = position(self.source.as_bytes(), Span::new(span.start, span.len()));
                let source = format!("{}:{}:{}", self.name, at.line, at.column);
                self.line(&key(name.get_ref()), &written(value.get_ref()), &source);
            }
            for (name, value) in in_order(table).filter(|it| it.1.get_ref().is_table()) {
                self.table(&format!("{path}.{}", key(name.get_ref())), value);
            }
        }
    }
}

/// A value in one line.
fn written(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(is_on) => is_on.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(items) => list(items.iter().map(|it| written(it.get_ref()))),
        DeValue::Table(table) => {
            let members = table.iter();
            let members = members
                .map(|(name, it)| format!("{} = {}", key(name.get_ref()), written(it.get_ref())));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

//! `retval read`: the document that a text becomes, and where each value stands in it.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use crate::cli::args::{ConfigArgs, OneOf, profile_name};
use crate::cli::input::{self, Origin};
use crate::cli::output::{Exit, print_stdout};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::CheckerOptions;
use crate::document::error::{FormError, FormErrorKind};
use crate::document::lookup::{places, position};
use crate::document::tree::{Content, Tree, Value};
use crate::document::{self, Form, ReadOptions};
use crate::text::{Span, escape};

#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// File to read; - or nothing means standard input
    file: Option<PathBuf>,
    /// How the text is written [default: by the name of the file, else json]
    #[arg(long, value_name = "FORM", value_parser = OneOf::<Form>::parsed())]
    form: Option<Form>,
    /// Read the text as a return of this profile: as JSON, YAML or text, and only its part of the message
    #[arg(long, value_name = "PROFILE", value_parser = profile_name(), conflicts_with = "form")]
    profile: Option<String>,
    /// Print a line for each value: its pointer, its line and column, and the value
    #[arg(long)]
    places: bool,

    #[command(flatten)]
    config: ConfigArgs,
}

impl ReadArgs {
    /// The profile, of the configuration only if no form is given, and the most bytes.
    pub(crate) fn resolve(&self, settings: &Settings) -> (Option<String>, u64) {
        let profile = self.profile.as_ref().or(settings.values.profile.as_ref());
        let max_bytes = CheckerOptions::of_settings(settings).max_bytes;
        (profile.filter(|_| self.form.is_none()).cloned(), max_bytes)
    }
}

pub(crate) fn run(args: &ReadArgs) -> anyhow::Result<Exit> {
    let settings = Settings::load(&args.config)?;
    let (profile, max_bytes) = args.resolve(&settings);
    let profile = settings.profile(profile.as_deref())?;
    let (origin, bytes) = input::read_one(args.file.as_deref(), "read", max_bytes)?;
    let refuse = |error: FormError| {
        let first = bytes.trim_ascii_start().first();
        let is_json = args.form.is_some() || matches!(first, Some(b'{' | b'[' | b'"'));
        let what = if error.kind == FormErrorKind::JsonSyntax && !is_json {
            "is not JSON: say what it is, such as --form text"
        } else {
            &format!("{}: {}", error.what, error.fix)
        };
        anyhow!(refusal(&origin, &bytes, what, error.place))
    };
    let text = document::text_of(&bytes, max_bytes).map_err(refuse)?;
    let document = match profile {
        None => {
            let form = args.form.unwrap_or_else(|| form_of(args.file.as_deref()));
            document::read(form, text, &ReadOptions::default()).map_err(refuse)?
        }
        Some(profile) => {
            let read = profile.read_or_say(text);
            read.map_err(|(what, place)| anyhow!(refusal(&origin, &bytes, &what, place)))?
        }
    };
    let output = if args.places {
        lines(text, &document)?
    } else {
        serde_json::to_string_pretty(&document.root())? + "\n"
    };
    print_stdout(escape::json(&output).as_bytes())
}

/// The form that the name of a file says.
fn form_of(file: Option<&Path>) -> Form {
    let extension = file.and_then(Path::extension).and_then(OsStr::to_str);
    match extension {
        Some("yaml" | "yml") => Form::Yaml,
        _ => Form::Json,
    }
}

/// Why there is no document, with the place.
fn refusal(origin: &Origin, bytes: &[u8], what: &str, place: Span) -> String {
    let at = position(bytes, place);
    let (name, line, column) = (origin.name(), at.line, at.column);
    format!("{name}:{line}:{column}: the return {}", escape::full(what))
}

/// A line for each value: pointer, line and column, value.
fn lines(text: &str, document: &Tree<'_>) -> anyhow::Result<String> {
    let mut lines = String::new();
    for (value, position) in places(text, document) {
        let pointer = value.pointer().to_string();
        let place = position.map_or_else(
            || "-".to_owned(),
            |position| format!("{}:{}", position.line, position.column),
        );
        let value = shown(value)?;
        writeln!(lines, "{}\t{place}\t{value}", escape::full(&pointer))?;
    }
    Ok(lines)
}

/// A value as JSON. Of a list or an object in which there are others only the brackets are shown,
/// because each of its values has a line of its own.
fn shown(value: Value<'_, '_>) -> serde_json::Result<String> {
    let is_nested = |it: Value<'_, '_>| it.is_list() || it.is_object() || it.is_several();
    match value.content() {
        Content::List if value.items().any(is_nested) => Ok("[…]".to_owned()),
        Content::Object if value.members().any(is_nested) => Ok("{…}".to_owned()),
        _ => serde_json::to_string(&value),
    }
}

//! `retval read`: the document that a text becomes, and where each value stands in it.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use retval::BYTES_AT_MOST;
use retval::internal::escape;
use retval::internal::form::document::{Content, PlacedValue};
use retval::internal::form::error::FormError;
use retval::internal::form::places::{places, position};
use retval::internal::form::{self, Form, ReadOptions};

use crate::args::values::{OneOf, size};
use crate::exit::Exit;
use crate::input::{self, Origin};
use crate::output::{Targets, print_stdout};

pub(crate) const EXAMPLES: &str = "\
`retval help forms` tells what the document of a text holds.

Examples:
  retval read --form text report.md
  some-agent | retval read --form text --places";

#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// File to read; - or nothing means standard input
    file: Option<PathBuf>,
    /// How the text is written [default: json]
    #[arg(long, value_name = "FORM", value_parser = OneOf::new(form_names, Form::named))]
    form: Option<Form>,
    /// Print a line for each value: its pointer, its line and column, and the value
    #[arg(long)]
    places: bool,
    /// Size limit of the text, such as 1000000, 1MB or 16MiB [default: 16MiB]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = size)]
    max_bytes: Option<u64>,
}

fn form_names() -> Vec<&'static str> {
    Form::ALL.map(Form::as_str).to_vec()
}

pub(crate) fn run(args: &ReadArgs) -> anyhow::Result<Exit> {
    let form = args.form.unwrap_or_default();
    let most = args.max_bytes.unwrap_or(BYTES_AT_MOST);
    let targets = Targets::new(std::iter::empty(), None);
    let (origin, bytes) = input::read_one(args.file.as_deref(), "read", most, &targets)?;
    let read = form::text_of(&bytes, most).and_then(|text| {
        let document = form::read(form, text, &ReadOptions::default())?;
        Ok((text, document))
    });
    let (text, document) = match read {
        Ok(read) => read,
        Err(error) => bail!(refusal(&origin, &bytes, &error)),
    };
    let output = if args.places {
        lines(text, &document)?
    } else {
        serde_json::to_string_pretty(&document)? + "\n"
    };
    print_stdout(escape::json(&output).as_bytes())
}

/// Why there is no document, with the place.
fn refusal(origin: &Origin, bytes: &[u8], error: &FormError) -> String {
    let at = position(bytes, error.place);
    let (name, line, column) = (origin.name(), at.line, at.column);
    let what = escape::full(&error.what);
    format!("{name}:{line}:{column}: the return {what}: {}", error.fix)
}

/// A line for each value: pointer, line and column, value.
fn lines(text: &str, document: &PlacedValue<'_>) -> anyhow::Result<String> {
    let mut lines = String::new();
    for found in places(text, document) {
        let pointer = found.pointer.to_string();
        let place = found.position.map_or_else(
            || "-".to_owned(),
            |position| format!("{}:{}", position.line, position.column),
        );
        let value = shown(found.value)?;
        writeln!(lines, "{}\t{place}\t{value}", escape::full(&pointer))?;
    }
    Ok(lines)
}

/// A value as JSON. Of a list or an object in which there are others only the brackets are shown,
/// because each of its values has a line of its own.
fn shown(value: &PlacedValue<'_>) -> serde_json::Result<String> {
    let is_nested = |it: &PlacedValue<'_>| {
        matches!(
            it.content,
            Content::List(_) | Content::Object(_) | Content::Several(_)
        )
    };
    match &value.content {
        Content::List(items) if items.iter().any(is_nested) => Ok("[…]".to_owned()),
        Content::Object(object) if object.members.iter().any(|it| is_nested(&it.1)) => {
            Ok("{…}".to_owned())
        }
        _ => serde_json::to_string(value),
    }
}

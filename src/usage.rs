//! What clap has to say, and what it cannot check by itself.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue};
use retval::escape;
use retval::report::Format;

use crate::Exit;

/// Prints help, a version, or a usage error. Arguments are echoed escaped: they may come from a
/// return.
pub(crate) fn answer(mut error: clap::Error) -> anyhow::Result<Exit> {
    if !error.use_stderr() {
        write!(std::io::stdout().lock(), "{}", error.render())?;
        return Ok(Exit::Valid);
    }
    let echoes: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| Some((kind, escaped(value)?)))
        .collect();
    for (kind, value) in echoes {
        let is_changed = error.get(kind) != Some(&value);
        error.insert(kind, value);
        if is_changed && error.get(ContextKind::Suggested).is_some() {
            // clap has put the argument as it was into its tips, too.
            error.insert(ContextKind::Suggested, ContextValue::None);
        }
    }
    let text = error.render().to_string();
    let _ = write!(std::io::stderr().lock(), "{}", escape::lines(&text));
    Ok(Exit::Unchecked)
}

fn escaped(value: &ContextValue) -> Option<ContextValue> {
    match value {
        ContextValue::String(text) => Some(ContextValue::String(escape::shown(text).to_string())),
        ContextValue::Strings(texts) => Some(ContextValue::Strings(
            texts
                .iter()
                .map(|text| escape::shown(text).to_string())
                .collect(),
        )),
        _ => None,
    }
}

/// The matches of the subcommand that was called.
pub(crate) fn subcommand(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, matches)| matches)
}

/// Pairs each `--format` with the `--output` that follows it; none is standard output.
pub(crate) fn outputs(
    formats: &[Format],
    files: &[PathBuf],
    matches: &ArgMatches,
) -> anyhow::Result<Vec<(Format, Option<PathBuf>)>> {
    if let (formats @ ([] | [_]), [file]) = (formats, files) {
        return Ok(vec![(
            formats.first().copied().unwrap_or(Format::Text),
            Some(file.clone()),
        )]);
    }
    let mut outputs: Vec<(Format, Option<PathBuf>)> = Vec::new();
    for argument in in_order(formats, files, matches) {
        match (argument, outputs.last_mut()) {
            (Argument::Format(format), _) => outputs.push((format, None)),
            (Argument::File(file), Some((_, output @ None))) => *output = Some(file.to_owned()),
            (Argument::File(file), _) => {
                bail!(
                    "--output {} has no --format before it to write",
                    escape::path(file)
                );
            }
        }
    }
    if outputs.is_empty() {
        outputs.push((Format::Text, None));
    }
    refuse_shared(&outputs)?;
    Ok(outputs)
}

fn refuse_shared(outputs: &[(Format, Option<PathBuf>)]) -> anyhow::Result<()> {
    for (index, (_, file)) in outputs.iter().enumerate() {
        if outputs[..index].iter().any(|(_, before)| before == file) {
            let what = file
                .as_deref()
                .map_or_else(|| "standard output".to_owned(), escape::path);
            bail!("two formats for {what}: give each --format but one an --output after it");
        }
    }
    Ok(())
}

enum Argument<'a> {
    Format(Format),
    File(&'a Path),
}

/// Both options' values as they were typed.
fn in_order<'a>(
    formats: &[Format],
    files: &'a [PathBuf],
    matches: &ArgMatches,
) -> Vec<Argument<'a>> {
    let indices = |id| matches.indices_of(id).into_iter().flatten();
    let formats = indices("format").zip(formats.iter().map(|format| Argument::Format(*format)));
    let files = indices("output").zip(files.iter().map(|file| Argument::File(file)));
    let mut arguments: Vec<_> = formats.chain(files).collect();
    arguments.sort_by_key(|(index, _)| *index);
    arguments
        .into_iter()
        .map(|(_, argument)| argument)
        .collect()
}

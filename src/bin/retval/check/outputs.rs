//! Which formats go where: each `--format` with its `--output`, and the files that must not be
//! written.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ArgMatches;
use retval::format::Format;
use retval::text::escape;

use super::args::CheckArgs;
use crate::output::target;

/// Where on the command line each `--format` and each `--output` stood.
#[derive(Debug, Default)]
pub(crate) struct ArgOrder {
    formats: Vec<usize>,
    files: Vec<usize>,
}

impl ArgOrder {
    pub(crate) fn of(matches: &ArgMatches) -> Self {
        let Some(check) = matches.subcommand_matches("check") else {
            return Self::default();
        };
        let indices = |id| check.indices_of(id).into_iter().flatten().collect();
        Self {
            formats: indices("format"),
            files: indices("output"),
        }
    }
}

/// A format and its file; none is standard output.
pub(crate) type OutputSpec = (Format, Option<PathBuf>);

/// Pairs each `--format` with the `--output` that follows it; none is standard output.
pub(crate) fn outputs(options: &CheckArgs, typed: &ArgOrder) -> anyhow::Result<Vec<OutputSpec>> {
    let default = options.default_format.unwrap_or(Format::Text);
    let outputs = paired(&options.format, &options.output, default, typed)?;
    refuse_shared(&outputs)?;
    let named = named(&outputs, options);
    refuse_same(&named)?;
    refuse_checked(&named, options)?;
    Ok(outputs)
}

fn paired(
    formats: &[Format],
    files: &[PathBuf],
    default: Format,
    typed: &ArgOrder,
) -> anyhow::Result<Vec<OutputSpec>> {
    if let (formats @ ([] | [_]), [file]) = (formats, files) {
        return Ok(vec![(
            formats.first().copied().unwrap_or(default),
            to_file(file),
        )]);
    }
    let mut outputs: Vec<OutputSpec> = Vec::new();
    for argument in in_order(formats, files, typed) {
        match (argument, outputs.last_mut()) {
            (Argument::Format(format), _) => outputs.push((format, None)),
            (Argument::File(file), Some((_, output @ None))) => *output = to_file(file),
            (Argument::File(file), _) => {
                bail!(
                    "--output {} has no --format before it to write",
                    escape::path(file)
                );
            }
        }
    }
    if outputs.is_empty() {
        outputs.push((default, None));
    }
    Ok(outputs)
}

/// No two formats for one output. A device or a pipe takes any number.
fn refuse_shared(outputs: &[OutputSpec]) -> anyhow::Result<()> {
    let place = |file: &Option<PathBuf>| file.as_deref().map(target);
    for (index, (_, file)) in outputs.iter().enumerate() {
        let is_file = file.as_deref().is_none_or(|file| {
            file.metadata().is_ok_and(|found| found.is_file()) || !file.exists()
        });
        if is_file
            && outputs[..index]
                .iter()
                .any(|(_, before)| place(before) == place(file))
        {
            let what = file
                .as_deref()
                .map_or_else(|| "standard output".to_owned(), escape::path);
            bail!("two formats for {what}: give each --format but one an --output after it");
        }
    }
    Ok(())
}

/// A file that an option names, and what the run would do to it.
struct Named<'o> {
    option: &'static str,
    file: &'o Path,
    /// None if it is only read.
    would: Option<&'static str>,
}

fn named<'o>(outputs: &'o [OutputSpec], options: &'o CheckArgs) -> Vec<Named<'o>> {
    let named = |option, file, would| Named {
        option,
        file,
        would,
    };
    let outputs = outputs.iter().filter_map(|(_, file)| file.as_deref());
    let outputs = outputs.map(|file| named("--output", file, Some("replace")));
    let log = options.errors_json.as_deref();
    let log = log.map(|file| named("--errors-json", file, Some("add to")));
    let updates = options.update_baseline.unwrap_or_default();
    let baseline = options.baseline.as_deref();
    let baseline = baseline.map(|file| named("--baseline", file, updates.then_some("replace")));
    outputs.chain(log).chain(baseline).collect()
}

/// No two options for one file: what one writes, the other would lose.
fn refuse_same(named: &[Named<'_>]) -> anyhow::Result<()> {
    for (index, Named { option, file, .. }) in named.iter().enumerate() {
        let is_same =
            |before: &&Named<'_>| before.option != *option && target(before.file) == target(file);
        if let Some(before) = named[..index].iter().find(is_same)
            && (file.is_file() || !file.exists())
        {
            bail!(
                "{} and {option} are both {}: give each a file of its own",
                before.option,
                escape::path(file)
            );
        }
    }
    Ok(())
}

/// No report, record or baseline in the place of a return, or of the list of them.
fn refuse_checked(named: &[Named<'_>], options: &CheckArgs) -> anyhow::Result<()> {
    for Named {
        option,
        file,
        would,
    } in named.iter().filter(|named| named.file.is_file())
    {
        let target = target(file);
        let is_it = |input: &&PathBuf| input.is_file() && self::target(input) == target;
        let input = options.paths.iter().chain(&options.files_from).find(is_it);
        if let (Some(would), Some(input)) = (would, input) {
            bail!(
                "{option} {} would {would} what is to be checked",
                escape::path(input)
            );
        }
    }
    Ok(())
}

/// `-` is standard output, as it is standard input elsewhere.
fn to_file(path: &Path) -> Option<PathBuf> {
    (path.as_os_str() != "-").then(|| path.to_owned())
}

enum Argument<'a> {
    Format(Format),
    File(&'a Path),
}

/// Both options' values as they were typed.
fn in_order<'a>(formats: &[Format], files: &'a [PathBuf], typed: &ArgOrder) -> Vec<Argument<'a>> {
    let formats = formats.iter().map(|format| Argument::Format(*format));
    let formats = typed.formats.iter().copied().zip(formats);
    let files = files.iter().map(|file| Argument::File(file));
    let files = typed.files.iter().copied().zip(files);
    let mut arguments: Vec<_> = formats.chain(files).collect();
    arguments.sort_by_key(|(index, _)| *index);
    arguments
        .into_iter()
        .map(|(_, argument)| argument)
        .collect()
}

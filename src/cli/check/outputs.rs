//! Determines the destination of each format: each `--format` is paired with the `--output` after it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::format::Format;
use crate::text::escape;
use anyhow::bail;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use crate::cli::args::heading;
use crate::cli::args::values::{OneOf, format_names};
use crate::cli::output::target;

/// A format and its file. Without a file, the output is standard output.
#[derive(Debug, Clone)]
pub(crate) struct OutputSpec {
    pub(crate) format: Format,
    pub(crate) file: Option<PathBuf>,
    /// Whether the file was given as FORMAT=FILE.
    pub(crate) is_joined: bool,
}

/// The arguments `--format` and `--output` in the order of the command line.
#[derive(Debug)]
pub(crate) struct OutputArgs(Vec<OutputArg>);

#[derive(Debug)]
enum OutputArg {
    Format(FormatArg),
    File(PathBuf),
}

/// `FORMAT` or `FORMAT=FILE`.
#[derive(Debug, Clone)]
struct FormatArg {
    format: Format,
    file: Option<PathBuf>,
}

#[derive(Clone)]
struct FormatArgParser;

impl TypedValueParser for FormatArgParser {
    type Value = FormatArg;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<FormatArg, clap::Error> {
        let names = OneOf::<Format>::parsed(format_names);
        // A file whose name is not UTF-8 needs `--output`.
        let (name, file) = match value.to_str().and_then(|text| text.split_once('=')) {
            Some((name, file)) if !file.is_empty() => (OsStr::new(name), Some(file.into())),
            _ => (value, None),
        };
        let format = names.parse_ref(command, arg, name)?;
        Ok(FormatArg { format, file })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(format_names().into_iter().map(PossibleValue::new)))
    }
}

// The options as clap parses them. A doc comment here would become the help of `check`.
#[derive(Debug, Args)]
struct Unordered {
    /// Output format, or FORMAT=FILE to write it to a file (repeatable, all but one with a file)
    #[arg(long, value_name = "FORMAT", value_parser = FormatArgParser, help_heading = heading::OUTPUT)]
    format: Vec<FormatArg>,
    /// Write the report to this file; applies to the format before it
    ///
    /// The file is replaced as a whole when everything is checked; - means standard output.
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    output: Vec<PathBuf>,
}

impl Args for OutputArgs {
    fn augment_args(command: Command) -> Command {
        Unordered::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Unordered::augment_args_for_update(command)
    }
}

impl FromArgMatches for OutputArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Self::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        let places = |id| matches.indices_of(id).into_iter().flatten().collect();
        let (formats, files): (Vec<usize>, Vec<usize>) = (places("format"), places("output"));
        let unordered = Unordered::from_arg_matches_mut(matches)?;
        let formats = formats
            .into_iter()
            .zip(unordered.format.into_iter().map(OutputArg::Format));
        let files = files
            .into_iter()
            .zip(unordered.output.into_iter().map(OutputArg::File));
        let mut ordered: Vec<_> = formats.chain(files).collect();
        ordered.sort_by_key(|(place, _)| *place);
        Ok(Self(ordered.into_iter().map(|(_, it)| it).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl OutputArgs {
    /// Pairs each format with the file that follows it. A single file and a single format belong
    /// together in any order.
    pub(crate) fn pair(self, default: Format) -> anyhow::Result<Vec<OutputSpec>> {
        let mut args = self.0;
        if matches!(args.as_slice(), [OutputArg::File(_), OutputArg::Format(it)] if it.file.is_none())
        {
            args.reverse();
        }
        let mut outputs: Vec<OutputSpec> = Vec::new();
        if matches!(args.as_slice(), [] | [OutputArg::File(_)]) {
            outputs.push(OutputSpec {
                format: default,
                file: None,
                is_joined: false,
            });
        }
        for arg in args {
            match (arg, outputs.last_mut()) {
                (OutputArg::Format(FormatArg { format, file }), _) => outputs.push(OutputSpec {
                    format,
                    is_joined: file.is_some(),
                    file: file.and_then(to_file),
                }),
                (
                    OutputArg::File(file),
                    Some(OutputSpec {
                        file: free @ None, ..
                    }),
                ) => {
                    *free = to_file(file);
                }
                (OutputArg::File(file), _) => {
                    bail!(
                        "--output {} needs a format of its own: put a --format before each --output, as in --format json --output FILE",
                        escape::path(&file)
                    )
                }
            }
        }
        Ok(outputs)
    }
}

/// The file at a path. None for `-`, which is standard output.
fn to_file(path: PathBuf) -> Option<PathBuf> {
    (path.as_os_str() != "-").then_some(path)
}

/// Refuses two formats for one file. A device or a pipe accepts any number of formats.
pub(super) fn refuse_shared(outputs: &[OutputSpec]) -> anyhow::Result<()> {
    let place = |output: &OutputSpec| output.file.as_deref().map(target);
    for (index, output) in outputs.iter().enumerate() {
        let file = output.file.as_deref();
        let is_replaced = file.is_none_or(|file| file.is_file() || !file.exists());
        let is_taken = |other: &OutputSpec| place(other) == place(output);
        if is_replaced && outputs[..index].iter().any(is_taken) {
            let Some(file) = file else {
                bail!(
                    "two formats for standard output: give each --format but one a file, as --format FORMAT=FILE"
                );
            };
            let file = escape::path(file);
            bail!("{file} is named for two formats: give each its own file");
        }
    }
    Ok(())
}

/// A file that an option names, and how the run uses it.
pub(super) struct NamedFile<'o> {
    pub(super) option: &'static str,
    /// The format, if it was given together with the file as `FORMAT=FILE`.
    pub(super) format: Option<Format>,
    pub(super) file: &'o Path,
    pub(super) usage: FileUse,
}

impl<'o> NamedFile<'o> {
    pub(super) fn of_output(output: &'o OutputSpec) -> Option<Self> {
        Some(Self {
            option: if output.is_joined {
                "--format"
            } else {
                "--output"
            },
            format: output.is_joined.then_some(output.format),
            file: output.file.as_deref()?,
            usage: FileUse::Replace,
        })
    }

    fn typed(&self) -> String {
        let format = self.format.map(|format| format!("{}=", format.as_str()));
        let file = escape::path(self.file);
        format!("{} {}{file}", self.option, format.unwrap_or_default())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileUse {
    Read,
    Replace,
    Append,
}

/// Refuses two options for one file: one would overwrite what the other writes.
pub(super) fn refuse_same(files: &[NamedFile<'_>]) -> anyhow::Result<()> {
    for (index, NamedFile { option, file, .. }) in files.iter().enumerate() {
        let is_same =
            |other: &&NamedFile<'_>| other.option != *option && target(other.file) == target(file);
        if let Some(other) = files[..index].iter().find(is_same)
            && (file.is_file() || !file.exists())
        {
            bail!(
                "{} and {option} both name {}: give each its own file",
                other.option,
                escape::path(file)
            );
        }
    }
    Ok(())
}

/// Refuses to overwrite an input: a return, a list of paths or a transcript.
pub(super) fn refuse_inputs(files: &[NamedFile<'_>], inputs: &[&PathBuf]) -> anyhow::Result<()> {
    for named in files.iter().filter(|it| it.file.is_file()) {
        let would = match named.usage {
            FileUse::Read => continue,
            FileUse::Replace => "replace",
            FileUse::Append => "append to",
        };
        let place = target(named.file);
        let is_it = |input: &&&PathBuf| input.is_file() && target(input) == place;
        if inputs.iter().any(|input| is_it(&input)) {
            bail!("{} would {would} an input", named.typed());
        }
    }
    Ok(())
}

/// Refuses an input that is the folder for invalid returns: each of them would be saved again.
pub(super) fn refuse_saved(folder: &Path, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let place = target(folder);
    match inputs.iter().find(|input| target(input) == place) {
        Some(input) => bail!(
            "--save-invalid {} would add to an input",
            escape::path(input)
        ),
        None => Ok(()),
    }
}

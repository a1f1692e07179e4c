//! What clap has to say, and what it cannot check by itself.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use retval::escape;
use retval::report::Format;

use crate::cli::Check;
use crate::output::{Closed, Sink, target};
use crate::{Exit, complain};

/// What `retval` prints without arguments.
const OVERVIEW: &str = "\
retval checks what AI subagents return: JSON, fields, status, session, summary, artifacts.

  retval check return.json                 check a file
  some-agent | retval check --session ID   check what an agent prints
  retval check returns/ --format json      check a folder, print JSON
  retval instruct                          print the instruction for an agent's prompt
  retval hook --print-config claude-code   print the hook settings for Claude Code
  retval explain artifact-not-found        explain a rule

`retval help` lists all commands, `retval COMMAND --help` shows the options of one.
";

/// Prints help, a version, or a usage error. Arguments are echoed escaped: they may come from a
/// return.
pub(crate) fn answer(error: clap::Error) -> anyhow::Result<Exit> {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Ok(overview());
    }
    if !error.use_stderr() {
        Sink::Stdout.write(error.render().to_string().as_bytes())?;
        return Ok(Exit::Valid);
    }
    let _ = write!(std::io::stderr().lock(), "{}", text(error));
    Ok(Exit::Unchecked)
}

/// Prints the overview, and never fails: a harness that drops the arguments of a hook's command
/// runs `retval` alone, and takes exit code 2 for an order to hold its agent.
fn overview() -> Exit {
    match Sink::Stdout.write(OVERVIEW.as_bytes()) {
        Err(error) if !error.is::<Closed>() => complain(&error),
        _ => {}
    }
    Exit::Valid
}

/// A usage error as text that is safe to print.
pub(crate) fn text(mut error: clap::Error) -> String {
    let echoes = error
        .context()
        .filter_map(|(kind, value)| Some((kind, escaped(value)?)));
    for (kind, value) in echoes.collect::<Vec<_>>() {
        let is_changed = error.get(kind) != Some(&value);
        error.insert(kind, value);
        if is_changed && error.get(ContextKind::Suggested).is_some() {
            // clap has put the argument as it was into its tips, too.
            error.insert(ContextKind::Suggested, ContextValue::None);
        }
    }
    escape::lines(&error.render().to_string())
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

/// Where on the command line each `--format` and each `--output` stood.
#[derive(Debug, Default)]
pub(crate) struct Typed {
    formats: Vec<usize>,
    files: Vec<usize>,
}

impl Typed {
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
pub(crate) type Want = (Format, Option<PathBuf>);

/// Pairs each `--format` with the `--output` that follows it; none is standard output.
pub(crate) fn outputs(options: &Check, typed: &Typed) -> anyhow::Result<Vec<Want>> {
    let default = options.default_format.unwrap_or(Format::Text);
    let outputs = paired(&options.format, &options.output, default, typed)?;
    refuse_shared(&outputs)?;
    let named = named(&outputs, options);
    refuse_same(&named)?;
    refuse_judged(&named, options)?;
    Ok(outputs)
}

fn paired(
    formats: &[Format],
    files: &[PathBuf],
    default: Format,
    typed: &Typed,
) -> anyhow::Result<Vec<Want>> {
    if let (formats @ ([] | [_]), [file]) = (formats, files) {
        return Ok(vec![(
            formats.first().copied().unwrap_or(default),
            to_file(file),
        )]);
    }
    let mut outputs: Vec<Want> = Vec::new();
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
fn refuse_shared(outputs: &[Want]) -> anyhow::Result<()> {
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

fn named<'o>(outputs: &'o [Want], options: &'o Check) -> Vec<Named<'o>> {
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
fn refuse_judged(named: &[Named<'_>], options: &Check) -> anyhow::Result<()> {
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
                "{option} {} would {would} what is to be judged",
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
fn in_order<'a>(formats: &[Format], files: &'a [PathBuf], typed: &Typed) -> Vec<Argument<'a>> {
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

//! The resolved options of `retval check`, and what contradicts itself in them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};

use crate::Profile;
use crate::cli::args::FormatArg;
use crate::cli::check::args::{CheckArgs, Filter, LineContent};
use crate::cli::evidence::TranscriptArgs;
use crate::cli::files::target;
use crate::cli::input::{Feed, GlobList};
use crate::cli::output::{Exit, OutputPlace, terminal};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::{CheckerOptions, Wrappings};
use crate::config::{ColorChoice, RootEntry};
use crate::profile::{Schema, Shape};
use crate::report::{Detail, Format, RuleUrl};
use crate::text::escape;

#[derive(Debug)]
pub(crate) struct BaselineOptions {
    pub(crate) path: PathBuf,
    pub(crate) is_updated: bool,
}

#[derive(Debug)]
pub(crate) struct CheckOptions {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) files_from: Option<PathBuf>,
    /// What the lines of standard input hold. None if it is one return.
    pub(crate) lines: Option<LineContent>,
    pub(crate) include: GlobList,
    pub(crate) exclude: GlobList,
    /// The name of the profile. None means `auto`.
    pub(crate) profile: Option<String>,
    pub(crate) root: PathBuf,
    /// What the root must have.
    pub(crate) root_has: Option<RootEntry>,
    pub(crate) checker: CheckerOptions,
    pub(crate) evidence: TranscriptArgs,
    pub(crate) outputs: Vec<OutputSpec>,
    pub(crate) filter: Option<Filter>,
    pub(crate) errors_json: Option<PathBuf>,
    pub(crate) baseline: Option<BaselineOptions>,
    pub(crate) expected: Option<u64>,
    /// The exit code of a run with invalid returns.
    pub(crate) exit_if_invalid: Exit,
    /// The number of threads. None means one per core.
    pub(crate) jobs: Option<usize>,
    pub(crate) color: ColorChoice,
    pub(crate) rule_url: Option<RuleUrl>,
    pub(crate) detail: Detail,
}

/// What is written, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputSpec {
    pub(crate) content: OutputContent,
    pub(crate) place: OutputPlace,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputContent {
    Format(Format),
    /// The values of the accepted return at these places.
    Fields(Vec<String>),
    /// Why a return was not accepted, beside outputs that do not say it.
    Reason,
}

impl OutputSpec {
    /// Whether it says of an invalid return why it is invalid.
    fn has_reasons(&self) -> bool {
        match self.content {
            OutputContent::Format(format) => !matches!(format, Format::Return | Format::Next),
            OutputContent::Fields(_) => false,
            OutputContent::Reason => true,
        }
    }

    fn is_on_stderr(&self) -> bool {
        self.place == OutputPlace::Stderr || self.place.file() == Some(Path::new("/dev/stderr"))
    }
}

impl CheckOptions {
    /// The most bytes of a line.
    pub(crate) fn line_bytes(&self) -> u64 {
        /// The most bytes of a line that are not of its text.
        const OTHERS: u64 = 64 * 1024;
        let most = self.checker.max_bytes;
        if self.has_texts() {
            // A string of JSON takes up to six bytes for one of its text.
            most.saturating_mul(6).saturating_add(OTHERS)
        } else {
            most
        }
    }

    pub(crate) fn has_texts(&self) -> bool {
        self.lines == Some(LineContent::Texts)
    }

    /// Resolves the arguments, or else the settings, or else the defaults.
    pub(crate) fn resolve(args: CheckArgs, settings: &Settings) -> anyhow::Result<Self> {
        let values = settings.values.clone();
        let detail = args.detail();
        let jobs = args.jobs.or(values.jobs);
        let variable = settings.variable("session");
        let color = args.color.or_else(|| terminal::color_setting(values.color));
        let checker = CheckerOptions::resolve(args.checker, settings);
        let default = values.format.unwrap_or(Format::Text);
        Ok(Self {
            outputs: outputs(args.format, args.field, args.filter.is_some(), default),
            detail,
            paths: args.paths,
            files_from: args.files_from,
            lines: args.lines,
            include: globs(args.include, values.include, settings),
            exclude: globs(args.exclude, values.exclude, settings),
            profile: args.profile.or(values.profile),
            root: settings.root(args.root),
            root_has: values.root_has,
            checker: CheckerOptions {
                session_variable: variable.filter(|_| args.session.is_none()),
                session: args.session.or(values.session),
                agent: args.agent.or(values.agent),
                given: args.given,
                since: args.since,
                fail_fast: args.fail_fast || values.fail_fast == Some(true),
                accepts: Wrappings {
                    prose: args.extract || values.extract == Some(true),
                    envelope: true,
                },
                schema: args.schema.as_deref().map(schema).transpose()?,
                ..checker
            },
            evidence: args.transcript,
            filter: args.filter,
            errors_json: settings.output(args.errors_json, "errors-json", values.errors_json)?,
            baseline: baseline(args.baseline, args.update_baseline, settings)?,
            expected: args.expect,
            exit_if_invalid: if args.exit_zero {
                Exit::Valid
            } else {
                Exit::Invalid
            },
            jobs: jobs.and_then(|jobs| usize::try_from(jobs).ok()),
            color: color.unwrap_or_default(),
            rule_url: values.rule_url,
        })
    }

    /// Refuses options that name the same file or exclude each other.
    pub(super) fn refuse_contradictions(&self) -> anyhow::Result<()> {
        refuse_shared(&self.outputs)?;
        self.refuse_overwriting()?;
        if self.baseline.is_some() && self.checker.fail_fast {
            bail!("--fail-fast hides findings that --baseline should accept: use only one of them");
        }
        if self.baseline.is_some() && self.filter.is_some() {
            bail!(
                "--filter selects by validity, and --baseline changes what is valid: use only one of them"
            );
        }
        if self.has_fields() && self.filter.is_some() {
            bail!("--field and --filter both print to standard output: use only one of them");
        }
        Ok(())
    }

    /// Refuses what cannot be had of the returns of the profile.
    pub(super) fn refuse_for(&self, profile: &Profile) -> anyhow::Result<()> {
        let id = escape::full(&profile.id);
        let is_message = profile.shape == Shape::Message;
        if is_message && self.has_fields() {
            bail!(
                "--field finds nothing in a return of the profile {id}: it is a message without members"
            );
        }
        if is_message && self.checker.schema.is_some() {
            bail!(
                "--schema cannot be for a return of the profile {id}: it is a message in any form"
            );
        }
        Ok(())
    }

    /// Refuses options that have no effect on these inputs.
    pub(super) fn refuse_unused(&self, feed: &Feed<'_>) -> anyhow::Result<()> {
        if self.filter.is_some() && !feed.is_lines_only() {
            bail!(
                "--filter needs one return per line: use --lines for standard input, or files named *.ndjson or *.jsonl"
            );
        }
        match self.lines {
            Some(LineContent::Texts) if feed.has_no_lines() => bail!(
                "--lines=texts applies to standard input and to files named *.ndjson or *.jsonl: none is read here"
            ),
            Some(LineContent::Returns) if !feed.reads_stdin() => bail!(
                "--lines applies to standard input, which is not read here: name files *.ndjson or *.jsonl instead"
            ),
            _ => Ok(()),
        }
    }

    fn has_fields(&self) -> bool {
        let mut outputs = self.outputs.iter();
        outputs.any(|it| matches!(it.content, OutputContent::Fields(_)))
    }

    /// Refuses two options for one file, where one would overwrite what the other writes, and options that
    /// would overwrite an input: a return, a list of paths or a transcript.
    fn refuse_overwriting(&self) -> anyhow::Result<()> {
        let files = self.named_files();
        for (index, NamedFile { option, file, .. }) in files.iter().enumerate() {
            let is_same = |other: &&NamedFile<'_>| {
                other.option != *option && target(other.file) == target(file)
            };
            if let Some(other) = files[..index].iter().find(is_same)
                && is_replaced(file)
            {
                bail!(
                    "{} and {option} both name {}: give each its own file",
                    other.option,
                    escape::path(file)
                );
            }
        }
        let inputs = self.paths.iter().chain(&self.files_from);
        let inputs: Vec<_> = inputs.chain(&self.evidence.transcript).collect();
        for named in files.iter().filter(|it| it.file.is_file()) {
            let place = target(named.file);
            let mut inputs = inputs.iter().filter(|input| input.is_file());
            if let Some(would) = named.would
                && inputs.any(|input| target(input) == place)
            {
                let (option, format, file) =
                    (named.option, &named.format, escape::path(named.file));
                bail!("{option} {format}{file} would {would} an input");
            }
        }
        Ok(())
    }

    /// The files that options name, except the inputs.
    fn named_files(&self) -> Vec<NamedFile<'_>> {
        let named = |option, file, would| NamedFile {
            option,
            format: String::new(),
            file,
            would,
        };
        let outputs = self.outputs.iter().filter_map(|output| {
            let OutputContent::Format(format) = output.content else {
                return None;
            };
            Some(NamedFile {
                format: format!("{}=", format.as_str()),
                ..named("--format", output.place.file()?, Some("replace"))
            })
        });
        let log = self.errors_json.as_deref();
        let log = log.map(|file| named("--errors-json", file, Some("append to")));
        let baseline = self.baseline.as_ref().map(|baseline| {
            let would = baseline.is_updated.then_some("replace");
            named("--baseline", &baseline.path, would)
        });
        outputs.chain(log).chain(baseline).collect()
    }
}

/// A file that an option names.
struct NamedFile<'o> {
    option: &'static str,
    /// The format that is written to it, as it is typed before the file.
    format: String,
    file: &'o Path,
    /// What the run would do to it. None if it only reads it.
    would: Option<&'static str>,
}

/// Whether a file is replaced as a whole. A device or a pipe accepts any number of outputs.
fn is_replaced(file: &Path) -> bool {
    file.is_file() || !file.exists()
}

/// The outputs of a run. Formats without a file, and `-`, are on standard output, or on standard error if a
/// filter prints lines there. Where none says why a return is invalid, standard error does.
fn outputs(
    formats: Vec<FormatArg>,
    fields: Vec<String>,
    has_filter: bool,
    default: Format,
) -> Vec<OutputSpec> {
    let unnamed = if has_filter {
        OutputPlace::Stderr
    } else {
        OutputPlace::Stdout
    };
    let place = |file: Option<&Path>| match OutputPlace::of(file) {
        OutputPlace::Stdout => unnamed.clone(),
        file => file,
    };
    let formats = formats.into_iter().map(|it| OutputSpec {
        content: OutputContent::Format(it.format),
        place: place(it.file.as_deref()),
    });
    let mut outputs: Vec<_> = formats.collect();
    if !fields.is_empty() || outputs.is_empty() {
        let content = if fields.is_empty() {
            OutputContent::Format(default)
        } else {
            OutputContent::Fields(fields)
        };
        let place = unnamed;
        outputs.push(OutputSpec { content, place });
    }
    let lacks_reasons = outputs.iter().any(|it| !it.has_reasons());
    if lacks_reasons && !outputs.iter().any(OutputSpec::is_on_stderr) {
        outputs.push(OutputSpec {
            content: OutputContent::Reason,
            place: OutputPlace::Stderr,
        });
    }
    outputs
}

/// The globs of the command line, or those of the settings if it has none.
fn globs(given: Vec<String>, setting: Option<Vec<String>>, settings: &Settings) -> GlobList {
    let has_own = !given.is_empty();
    GlobList {
        globs: setting.filter(|_| !has_own).unwrap_or(given),
        folder: settings.folder.clone().filter(|_| !has_own),
    }
}

fn schema(path: &Path) -> anyhow::Result<Arc<Schema>> {
    let name = escape::path(path);
    let schema = Schema::of_file(path).map(Arc::new);
    schema.map_err(|error| anyhow!("--schema {name}: {error}"))
}

fn baseline(
    given: Option<PathBuf>,
    is_updated: bool,
    settings: &Settings,
) -> anyhow::Result<Option<BaselineOptions>> {
    let value = settings.values.baseline.clone();
    let path = if is_updated {
        settings.output(given, "baseline", value)?
    } else {
        given.or(value)
    };
    if is_updated && path.is_none() {
        bail!("--update-baseline needs --baseline FILE");
    }
    Ok(path.map(|path| BaselineOptions { path, is_updated }))
}

/// Refuses two outputs for one place.
fn refuse_shared(outputs: &[OutputSpec]) -> anyhow::Result<()> {
    let is_same = |one: &OutputPlace, other: &OutputPlace| match (one.file(), other.file()) {
        (Some(one), Some(other)) => target(one) == target(other),
        _ => one == other,
    };
    for (index, output) in outputs.iter().enumerate() {
        let mut before = outputs[..index].iter();
        let Some(other) = before.find(|it| is_same(&it.place, &output.place)) else {
            continue;
        };
        match (output.place.file(), &output.content, &other.content) {
            (Some(file), ..) if is_replaced(file) => {
                let file = escape::path(file);
                bail!("{file} is named for two formats: give each its own file");
            }
            (None, OutputContent::Format(_), _) => bail!(
                "two formats for standard output: give each --format but one a file, as --format FORMAT=FILE"
            ),
            (None, _, OutputContent::Format(format)) => {
                let format = format.as_str();
                bail!(
                    "--field and --format {format} both print to standard output: give the format a file, as --format {format}=FILE"
                )
            }
            _ => {}
        }
    }
    Ok(())
}

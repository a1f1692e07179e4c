//! The resolved options of `retval check`, and what contradicts itself in them.

use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};

use crate::Profile;
use crate::cli::args::FormatArg;
use crate::cli::check::args::{CheckArgs, LineContent};
use crate::cli::files::target;
use crate::cli::input::{Feed, GlobList};
use crate::cli::output::{OutputPlace, terminal};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::{CheckerOptions, Wrappings};
use crate::config::GlobTexts;
use crate::profile::{Schema, Shape};
use crate::report::{Detail, Format};
use crate::text::escape;

#[derive(Debug)]
pub(crate) struct CheckOptions {
    /// The arguments, and what the settings say where one is not given.
    pub(super) args: CheckArgs,
    pub(super) outputs: Vec<OutputSpec>,
    pub(super) detail: Detail,
    pub(super) include: GlobList,
    pub(super) exclude: GlobList,
    pub(super) root: PathBuf,
    pub(super) checker: CheckerOptions,
}

/// What is written, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OutputSpec {
    pub(super) content: OutputContent,
    pub(super) place: OutputPlace,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OutputContent {
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

    /// The option that asks for it, as it is typed before a file.
    fn option(&self) -> String {
        match &self.content {
            OutputContent::Format(format) => format!("--format {}", format.as_str()),
            _ => "--field".to_owned(),
        }
    }
}

impl CheckOptions {
    /// The most bytes of a line.
    pub(super) fn line_bytes(&self) -> u64 {
        /// The most bytes of a line that are not of its text.
        const OTHERS: u64 = 64 * 1024;
        let most = self.checker.max_bytes;
        match self.args.lines {
            // A string of JSON takes up to six bytes for one of its text.
            Some(LineContent::Texts) => most.saturating_mul(6).saturating_add(OTHERS),
            _ => most,
        }
    }

    /// Resolves the arguments, or else the settings, or else the defaults.
    pub(crate) fn resolve(mut args: CheckArgs, settings: &Settings) -> anyhow::Result<Self> {
        let values = settings.values.clone();
        let rest = CheckerOptions::resolve(take(&mut args.checker), settings);
        let checker = CheckerOptions {
            session: args.session.take().or(values.session),
            agent: args.agent.take().or(values.agent),
            schema: args.schema.as_deref().map(schema).transpose()?,
            given: take(&mut args.given),
            since: args.since,
            fail_fast: take(&mut args.fail_fast) || values.fail_fast == Some(true),
            accepts: Wrappings {
                prose: take(&mut args.extract) || values.extract == Some(true),
                envelope: true,
            },
            ..rest
        };
        let (fields, formats) = (take(&mut args.field), take(&mut args.format));
        let default = values.format.unwrap_or(Format::Text);
        let baseline = args.baseline.take();
        args.baseline = if args.update_baseline {
            settings.output(baseline, "baseline", values.baseline)?
        } else {
            baseline.or(values.baseline)
        };
        if args.update_baseline && args.baseline.is_none() {
            bail!("--update-baseline needs --baseline FILE");
        }
        let outputs = outputs(&formats, fields, args.filter.is_some(), default);
        args.profile = args.profile.or(values.profile);
        args.errors_json = settings.output(args.errors_json, "errors-json", values.errors_json)?;
        args.jobs = args.jobs.or(values.jobs);
        args.color = args.color.or_else(|| terminal::color_setting(values.color));
        Ok(Self {
            outputs,
            detail: args.detail(),
            include: globs(take(&mut args.include), values.include, settings),
            exclude: globs(take(&mut args.exclude), values.exclude, settings),
            root: settings.root(args.root.take()),
            checker,
            args,
        })
    }

    /// Refuses options that name the same file or exclude each other.
    pub(super) fn refuse_contradictions(&self) -> anyhow::Result<()> {
        let args = &self.args;
        let is_json = |path: &PathBuf| path.to_string_lossy().trim_start().starts_with('{');
        let mut paths = args.paths.iter();
        if paths.any(|path| is_json(path) && !path.exists()) {
            bail!(
                "the return was given as an argument: pipe it in, as with printf '%s' \"$RETURN\" | retval check"
            );
        }
        self.refuse_shared()?;
        if args.baseline.is_some() && self.checker.fail_fast {
            bail!("--fail-fast hides findings that --baseline should accept: use only one of them");
        }
        let mut outputs = self.outputs.iter();
        let has_fields = outputs.any(|it| matches!(it.content, OutputContent::Fields(_)));
        if has_fields && args.filter.is_some() {
            bail!("--field and --filter both print to standard output: use only one of them");
        }
        Ok(())
    }

    /// Refuses a schema for returns that are not read.
    pub(super) fn refuse_for(&self, profile: &Profile) -> anyhow::Result<()> {
        if profile.shape == Shape::Message && self.checker.schema.is_some() {
            let id = escape::full(&profile.id);
            bail!("--schema cannot be used with the profile {id}: its returns are any messages");
        }
        Ok(())
    }

    /// Refuses a filter of inputs that have no lines.
    pub(super) fn refuse_unused(&self, feed: &Feed<'_>) -> anyhow::Result<()> {
        if self.args.filter.is_some() && !feed.is_lines_only() {
            bail!(
                "--filter needs one return per line: use --lines for standard input, or files named *.ndjson or *.jsonl"
            );
        }
        Ok(())
    }

    /// The files that the run writes, and the baseline, with the options that name them. A device or a pipe
    /// accepts any number of outputs.
    pub(super) fn named_files(&self) -> Vec<(String, &Path)> {
        let outputs = self.outputs.iter();
        let outputs = outputs.filter_map(|it| Some((it.option(), it.place.file()?)));
        let log = self.args.errors_json.as_deref();
        let baseline = self.args.baseline.as_deref();
        outputs
            .chain(log.map(|file| ("--errors-json".to_owned(), file)))
            .chain(baseline.map(|file| ("--baseline".to_owned(), file)))
            .filter(|(_, file)| file.is_file() || !file.exists())
            .collect()
    }

    /// Refuses two options for one place, where one would overwrite what the other writes, and options that
    /// would overwrite an input: a return, a list of paths or a transcript.
    fn refuse_shared(&self) -> anyhow::Result<()> {
        let args = &self.args;
        let mut on_stdout = self.outputs.iter().filter(|it| it.place.file().is_none());
        let is_shared = |it: &&OutputSpec| it.content != OutputContent::Reason;
        if let (Some(one), Some(other)) = (on_stdout.next(), on_stdout.find(is_shared)) {
            bail!(
                "{} and {} both print to standard output: give each format but one a file, as --format FORMAT=FILE",
                one.option(),
                other.option()
            );
        }
        let files = self.named_files();
        if files.is_empty() {
            return Ok(());
        }
        let inputs = args.paths.iter().chain(&args.files_from);
        let inputs = inputs.chain(&args.transcript.transcript);
        let inputs: Vec<_> = inputs.filter(|it| it.is_file()).collect();
        for (index, (option, file)) in files.iter().enumerate() {
            let (place, name) = (target(file), escape::path(file));
            let mut before = files[..index].iter();
            if let Some((other, _)) = before.find(|it| target(it.1) == place) {
                bail!("{other} and {option} both name {name}: give each its own file");
            }
            let is_read = option == "--baseline" && !args.update_baseline;
            if !is_read && inputs.iter().any(|it| target(it) == place) {
                bail!("{option} would write to {name}, which is an input");
            }
        }
        Ok(())
    }
}

/// The outputs of a run. Formats without a file, and `-`, are on standard output, or on standard error if a
/// filter prints lines there. Where none says why a return is invalid, standard error does.
fn outputs(
    formats: &[FormatArg],
    fields: Vec<String>,
    has_filter: bool,
    default: Format,
) -> Vec<OutputSpec> {
    let unnamed = if has_filter { OutputPlace::Stderr } else { OutputPlace::Stdout };
    let place = |file: Option<&Path>| match OutputPlace::of(file) {
        OutputPlace::Stdout => unnamed.clone(),
        file => file,
    };
    let output = |content, file| OutputSpec { content, place: place(file) };
    let formats = formats.iter();
    let mut outputs: Vec<_> =
        formats.map(|it| output(OutputContent::Format(it.format), it.file.as_deref())).collect();
    if !fields.is_empty() {
        outputs.push(output(OutputContent::Fields(fields), None));
    } else if outputs.is_empty() {
        outputs.push(output(OutputContent::Format(default), None));
    }
    let lacks_reasons = outputs.iter().any(|it| !it.has_reasons());
    if lacks_reasons && !outputs.iter().any(OutputSpec::is_on_stderr) {
        outputs.push(OutputSpec { content: OutputContent::Reason, place: OutputPlace::Stderr });
    }
    outputs
}

/// The globs of the command line, or those of the settings if it has none.
fn globs(given: Vec<String>, setting: Option<GlobTexts>, settings: &Settings) -> GlobList {
    let has_own = !given.is_empty();
    GlobList {
        globs: setting.filter(|_| !has_own).map_or(given, |it| it.0),
        folder: settings.folder.clone().filter(|_| !has_own),
    }
}

fn schema(path: &Path) -> anyhow::Result<Arc<Schema>> {
    let name = escape::path(path);
    let schema = Schema::of_file(path).map(Arc::new);
    schema.map_err(|error| anyhow!("--schema {name}: {error}"))
}

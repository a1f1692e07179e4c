//! The resolved options of `retval check`.

use std::path::PathBuf;

use crate::config::ColorChoice;
use crate::form::lookup::PointerPattern;
use crate::format::{Detail, Format, RuleUrl};
use anyhow::{bail, ensure};

use crate::cli::check::args::{CheckArgs, Filter, RareArgs};
use crate::cli::check::outputs::OutputSpec;
use crate::cli::color;
use crate::cli::exit::Exit;
use crate::cli::input::{GlobList, LineContent};
use crate::cli::settings::checker::{CheckerOptions, Wrappings};
use crate::cli::settings::{Settings, is_on};

/// Where text output shows the source lines of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excerpts {
    OnTerminals,
    Everywhere,
}

#[derive(Debug)]
pub(crate) struct BaselineOptions {
    pub(crate) path: PathBuf,
    pub(crate) is_updated: bool,
}

#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct CheckOptions {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) files_from: Option<PathBuf>,
    pub(crate) stdin_filename: Option<PathBuf>,
    pub(crate) ndjson: bool,
    pub(crate) lines: LineContent,
    pub(crate) include: GlobList,
    pub(crate) exclude: GlobList,
    pub(crate) force_exclude: bool,
    pub(crate) show_files: bool,
    /// The name of the profile. None means `auto`.
    pub(crate) profile: Option<String>,
    pub(crate) root: PathBuf,
    /// What the root must have.
    pub(crate) root_has: Option<PathBuf>,
    pub(crate) checker: CheckerOptions,
    /// The transcript of the agent's run, and the id of the agent in it.
    pub(crate) transcript: Option<PathBuf>,
    pub(crate) agent_id: Option<String>,
    /// The commit before the run.
    pub(crate) rev: Option<String>,
    pub(crate) outputs: Vec<OutputSpec>,
    /// The members that the format `value` prints. None for the whole return.
    pub(crate) at: Option<PointerPattern>,
    pub(crate) has_whole_returns: bool,
    pub(crate) task: Option<PathBuf>,
    pub(crate) filter: Option<Filter>,
    pub(crate) errors_json: Option<PathBuf>,
    pub(crate) save_invalid: Option<PathBuf>,
    pub(crate) baseline: Option<BaselineOptions>,
    pub(crate) statistics: bool,
    pub(crate) expected: Option<u64>,
    /// The exit code of a run with invalid returns.
    pub(crate) exit_if_invalid: Exit,
    /// The number of threads. None means one per core.
    pub(crate) jobs: Option<usize>,
    pub(crate) progress: bool,
    pub(crate) color: ColorChoice,
    pub(crate) excerpts: Excerpts,
    pub(crate) rule_url: Option<RuleUrl>,
    pub(crate) detail: Detail,
}

impl CheckOptions {
    /// The most bytes of a line.
    pub(crate) fn line_bytes(&self) -> u64 {
        self.lines.bytes(self.checker.max_bytes)
    }

    /// Resolves the arguments, or else the settings, or else the defaults.
    pub(crate) fn resolve(args: CheckArgs, settings: &Settings) -> anyhow::Result<Self> {
        let values = settings.values.clone();
        let detail = args.detail();
        let CheckArgs { frequent, rare } = args;
        let jobs = rare.jobs.or(values.jobs);
        let shows_lines = is_on(rare.snippets, None);
        let ndjson_texts = is_on(rare.ndjson_texts, None);
        let outputs = frequent
            .outputs
            .pair(values.format.unwrap_or(Format::Text))?;
        refuse_without_format(&rare, frequent.at.is_some(), &outputs)?;
        let checker = CheckerOptions::resolve(frequent.checker, settings)?;
        Ok(Self {
            at: frequent.at,
            has_whole_returns: is_on(rare.record_return, None),
            task: rare.task,
            detail,
            paths: frequent.paths,
            files_from: rare.files_from,
            stdin_filename: rare.stdin_filename,
            ndjson: is_on(frequent.ndjson, None) || ndjson_texts,
            lines: if ndjson_texts {
                LineContent::Text
            } else {
                LineContent::Return
            },
            include: globs(frequent.include, values.include, settings),
            exclude: globs(frequent.exclude, values.exclude, settings),
            force_exclude: rare.force_exclude,
            show_files: rare.show_files,
            profile: frequent.profile.or(values.profile),
            root: settings.root(frequent.root),
            root_has: rare.root_has,
            checker: CheckerOptions {
                session_variable: settings
                    .variable("session")
                    .filter(|_| frequent.session.is_none()),
                session: frequent.session.or(values.session),
                agent: frequent.agent.or(values.agent),
                given: rare.given,
                since: rare.since,
                fail_fast: is_on(rare.fail_fast, values.fail_fast),
                accepts: Wrappings {
                    prose: is_on(frequent.extract, values.extract),
                    envelope: !is_on(rare.no_envelope, None),
                },
                now: rare.now,
                ..checker
            },
            transcript: rare.transcript.transcript,
            agent_id: rare.transcript.agent_id,
            rev: rare.transcript.rev,
            outputs,
            filter: rare.filter,
            errors_json: settings.output(
                frequent.errors_json,
                "errors-json",
                values.errors_json,
            )?,
            save_invalid: settings.output(
                rare.save_invalid,
                "save-invalid",
                values.save_invalid,
            )?,
            baseline: baseline(frequent.baseline, rare.update_baseline, settings)?,
            statistics: is_on(rare.statistics, values.statistics),
            expected: rare.expect,
            exit_if_invalid: if rare.exit_zero {
                Exit::Valid
            } else {
                Exit::Invalid
            },
            jobs: jobs.and_then(|jobs| usize::try_from(jobs).ok()),
            progress: !is_on(rare.no_progress, values.no_progress),
            color: rare
                .color
                .or_else(|| color::setting(values.color))
                .unwrap_or_default(),
            rule_url: rare.rule_url.or(values.rule_url),
            excerpts: if shows_lines {
                Excerpts::Everywhere
            } else {
                Excerpts::OnTerminals
            },
        })
    }
}

/// Refuses options that have no effect in the formats of this run.
fn refuse_without_format(
    rare: &RareArgs,
    has_at: bool,
    outputs: &[OutputSpec],
) -> anyhow::Result<()> {
    let has = |format| outputs.iter().any(|it| it.format == format);
    ensure!(
        rare.task.is_none() || has(Format::Feedback),
        "--task needs --format feedback"
    );
    ensure!(
        !is_on(rare.snippets, None) || has(Format::Text),
        "--snippets needs --format text: no other format shows lines"
    );
    ensure!(!has_at || has(Format::Value), "--at needs --format value");
    ensure!(
        !is_on(rare.record_return, None) || has(Format::Json) || has(Format::Jsonl),
        "--record-return needs --format json or jsonl"
    );
    Ok(())
}

/// The globs of the command line, or those of the settings if it has none.
fn globs(given: Vec<String>, setting: Option<Vec<String>>, settings: &Settings) -> GlobList {
    let has_own = !given.is_empty();
    GlobList {
        globs: setting.filter(|_| !has_own).unwrap_or(given),
        folder: settings.folder.clone().filter(|_| !has_own),
    }
}

fn baseline(
    given: Option<PathBuf>,
    update: Option<bool>,
    settings: &Settings,
) -> anyhow::Result<Option<BaselineOptions>> {
    let is_updated = is_on(update, None);
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

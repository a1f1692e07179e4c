//! `retval check`: resolves the options to a plan, checks all inputs with it, and writes the reports.

pub(crate) mod args;
mod baseline;
mod collector;
pub(crate) mod options;
mod plan;
mod pool;
mod results;
mod worker;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::document::Form;
use crate::evidence::{EvidenceMode, WorkEvidence};
use crate::format::{Detail, Format, ReportOptions, Reporter};
use crate::root::BatchClock;
use crate::text::escape;
use crate::{Profile, Root};
use anyhow::bail;

use crate::cli::args::values::AUTO;
use crate::cli::check::args::CheckArgs;
use crate::cli::check::baseline::RunBaseline;
use crate::cli::check::collector::RunCollector;
use crate::cli::check::options::{
    BaselineOptions, CheckOptions, OutputContent, OutputPlace, OutputSpec,
};
use crate::cli::check::plan::{CheckPlan, Checkers, Roots, UnreadNotice};
use crate::cli::color;
use crate::cli::evidence;
use crate::cli::exit::{Exit, Reported};
use crate::cli::input::{Feed, FeedOptions, Globs, ReturnNames};
use crate::cli::output::error_log::LogFile;
use crate::cli::output::recorder::Recorder;
use crate::cli::output::{Closed, Targets};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::CheckerOptions;
use crate::cli::settings::overrides::{Overrides, ProfileChoice, SourceSettings};
use crate::cli::stderr::{note, warning};
use crate::cli::terminal::{self, Stream};

pub(crate) fn run(mut args: CheckArgs) -> anyhow::Result<Exit> {
    let mut settings = Settings::load(&args.config)?.for_agent(args.agent.as_deref());
    let named = args
        .profile
        .as_deref()
        .or(settings.values.profile.as_deref());
    if args.schema.is_some() && named.is_none_or(|name| name == AUTO) {
        let profile = Profile::of_any_json();
        args.profile = Some(profile.id.clone().into_owned());
        settings.add_profile(profile);
    }
    let settings = settings.given(args.given());
    check(&CheckOptions::resolve(args, &settings)?, &settings)
}

/// Checks all inputs.
fn check(options: &CheckOptions, settings: &Settings) -> anyhow::Result<Exit> {
    let profile = settings.profile_or_auto(options.profile.as_deref())?;
    options.refuse_contradictions()?;
    profile.map_or(Ok(()), |profile| options.refuse_for(profile))?;
    let files = options.outputs.iter().filter_map(OutputSpec::file);
    let targets = Targets::new(files, options.errors_json.as_deref());
    let clock = BatchClock::default();
    let mut feed = feed(options, settings, &targets, &clock)?;
    options.refuse_unused(&feed)?;
    if let Some(log) = &options.errors_json {
        // Before a return is read: an invalid one could not be recorded.
        LogFile::new(log).try_place()?;
    }
    let roots = Roots::new(options, feed.is_single(), &clock);
    let root = roots.open(&options.root)?;
    let evidence = work_evidence(options)?;
    let overrides = overrides(options, settings)?;
    let baseline = baseline(options, settings)?;
    let many = !feed.is_single();
    let checker = CheckerOptions {
        evidence: evidence.map(Arc::new),
        ..options.checker.clone()
    };
    let reporters = reporters(options, settings, many);
    let recorder = options.errors_json.is_some().then(Recorder::default);
    let make = |profile, own: &SourceSettings| checker.checker_of(settings, profile, &root, own);
    let plan = CheckPlan {
        options,
        checkers: Checkers {
            profile: profile.map_or(ProfileChoice::ByName, ProfileChoice::Is),
            profiles: settings.profiles().collect(),
            overrides,
            make: Box::new(make),
            made: OnceLock::new(),
        },
        groups: reporters.iter().any(Reporter::is_grouped),
        reporters,
        unread: unread_notice(options, many),
        recorder,
        roots,
        targets: &targets,
        clock,
        baseline,
    };
    let mut collector = RunCollector::open(&plan)?;
    match pool::run(&plan, &mut feed, threads(options, many), &mut collector) {
        // The outputs are closed, or the error is already printed.
        Err(error) if error.is::<Closed>() || error.is::<Reported>() => return Err(error),
        Err(error) => collector.fail(&error),
        Ok(()) => {}
    }
    if let Err(error) = plan.roots.confirm(&options.root) {
        collector.fail(&error);
    }
    let exit = collector.finish(&plan);
    if feed.is_empty() && exit == Exit::Valid {
        warning("no files to check");
    }
    if options.detail != Detail::Quiet && exit != Exit::Valid {
        note_wrong_root(&root, &options.root);
    }
    Ok(exit)
}

/// Says that the root has none of several artifacts: it may be the wrong folder. It is the right one more
/// often if a single artifact is missing, and the report names it then. An empty folder may be a place
/// where nothing is mounted, so that is said of a single artifact, too.
fn note_wrong_root(root: &Root, path: &Path) {
    let Some(count) = root.all_missing().filter(|count| *count > 0) else {
        return;
    };
    let mut entries = path.read_dir().into_iter().flatten();
    let why = match (entries.next(), count) {
        (None, _) => ", an empty folder",
        (Some(_), 1) => return,
        (Some(_), _) => "; is --root right?",
    };
    let path = escape::path(root.shown());
    note(&format!(
        "none of the {count} artifacts of this run exists below {path}{why}"
    ));
}

/// The overrides for some sources. Standard input has no path, so none apply to it.
fn overrides<'s>(options: &CheckOptions, settings: &'s Settings) -> anyhow::Result<Overrides<'s>> {
    let has_files = !options.paths.is_empty() || options.files_from.is_some();
    if has_files {
        Overrides::new(settings)
    } else {
        Ok(Overrides::default())
    }
}

/// How long git may take for the questions of one return. It takes milliseconds, unless the disk is slow.
const GIT_AT_MOST: Duration = Duration::from_secs(10);

/// The evidence that the options provide. None if claims are not assessed.
fn work_evidence(options: &CheckOptions) -> anyhow::Result<Option<WorkEvidence>> {
    let (since, mode) = (options.checker.since, options.checker.evidence_mode);
    let path = options.transcript.as_deref();
    let rev = options.rev.as_ref();
    let is_on = path.is_some() || since.is_some() || rev.is_some() || mode == EvidenceMode::Require;
    if !is_on || mode == EvidenceMode::Off {
        return Ok(None);
    }
    let evidence = match path {
        Some(path) => evidence::of_option(path, options.agent_id.clone())?,
        None => WorkEvidence::new(),
    };
    let evidence = evidence
        .since(since)
        .mode(mode)
        .test_runners(&options.checker.test_runners);
    if path.is_none() && rev.is_none() {
        return Ok(Some(evidence));
    }
    let evidence = evidence.repository(&options.root, rev.cloned(), GIT_AT_MOST);
    if let Some(rev) = rev.filter(|_| evidence.lacks_revision()) {
        bail!(
            "--rev {}: the git repository around {} has no such commit; name an id, a branch or a tag, or HEAD~1",
            escape::truncated(rev),
            escape::path(&options.root)
        );
    }
    Ok(Some(evidence))
}

fn baseline(options: &CheckOptions, settings: &Settings) -> anyhow::Result<Option<RunBaseline>> {
    let Some(BaselineOptions { path, is_updated }) = &options.baseline else {
        return Ok(None);
    };
    let rules_off = options.checker.rules_off().chain(settings.rules_off());
    RunBaseline::open(path, *is_updated, rules_off.collect()).map(Some)
}

fn feed<'o>(
    options: &'o CheckOptions,
    settings: &Settings,
    targets: &'o Targets,
    clock: &BatchClock,
) -> anyhow::Result<Feed<'o>> {
    let skipped = options.baseline.iter().map(|it| it.path.as_path());
    let skipped = skipped.chain(options.errors_json.as_deref());
    Feed::new(FeedOptions {
        paths: &options.paths,
        files_from: options.files_from.as_deref(),
        has_lines: options.lines.is_some(),
        globs: Globs::new(
            return_names(options, settings)?,
            &options.include,
            &options.exclude,
        )?
        .skip(skipped),
        line_bytes: options.line_bytes(),
        targets,
        clock: clock.clone(),
    })
}

/// The names of returns: those of the files of the profile that is named, or of its form. Where none is named,
/// of JSON, and of the files of each profile in another form.
fn return_names(options: &CheckOptions, settings: &Settings) -> anyhow::Result<ReturnNames> {
    let named = settings.profile_or_auto(options.profile.as_deref())?;
    let files = |profile: &Profile| profile.files.iter().cloned().collect::<Vec<_>>();
    let of_form = |form| match form {
        Form::Json => &["json"][..],
        Form::Yaml => &["yaml", "yml"],
        Form::Text => &["md", "txt"],
    };
    Ok(
        match named.map(|profile| (profile.form(), files(profile))) {
            Some((form, files)) if form == Form::Json || files.is_empty() => ReturnNames {
                extensions: of_form(form),
                files: Vec::new(),
            },
            Some((_, files)) => ReturnNames {
                extensions: &[],
                files,
            },
            None => {
                let others = settings.profiles().filter(|it| it.form() != Form::Json);
                ReturnNames {
                    extensions: of_form(Form::Json),
                    files: others.flat_map(files).collect(),
                }
            }
        },
    )
}

/// The number of threads. One return needs only one: even reading the number of cores would take longer
/// than checking it.
fn threads(options: &CheckOptions, many: bool) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    if many {
        options.jobs.unwrap_or_else(cores)
    } else {
        1
    }
}

fn reporters(options: &CheckOptions, settings: &Settings, many: bool) -> Vec<Reporter> {
    let profiles = settings.config.profiles.iter();
    let profiles = profiles.map(|own| Arc::clone(&own.profile)).collect();
    let reporter = |output: &OutputSpec| {
        let stream = output.stream();
        let is_colored = color::is_used(options.color, stream);
        let has_links = is_colored && options.rule_url.is_some();
        let is_reason = output.content == OutputContent::Reason;
        let report_options = ReportOptions {
            colored: is_colored,
            many: many && !is_reason,
            detail: if is_reason {
                Detail::Quiet
            } else {
                detail(options, many, stream)
            },
            excerpts: excerpts(options, stream),
            rule_url: options.rule_url.clone(),
            raw: !terminal::is_watched(stream),
            hyperlinks: has_links && terminal::shows_hyperlinks(stream),
        };
        match &output.content {
            OutputContent::Format(format) => format.reporter(&report_options, &profiles),
            OutputContent::Fields(places) => {
                Reporter::of_fields(places.clone(), &report_options, &profiles)
            }
            OutputContent::Reason => Format::Concise.reporter(&report_options, &profiles),
        }
    };
    options.outputs.iter().map(reporter).collect()
}

/// Where inputs that could not be checked are reported, so that a person sees each of them once: the
/// text report of several returns lists them, too, and so does the one that says why returns are invalid.
fn unread_notice(options: &CheckOptions, many: bool) -> UnreadNotice {
    let has = |content: OutputContent, place: OutputPlace| {
        let mut outputs = options.outputs.iter();
        outputs.any(|it| it.content == content && it.place == place)
    };
    let in_report = many
        && options.detail != Detail::Quiet
        && has(OutputContent::Format(Format::Text), OutputPlace::Stdout)
        && terminal::is_one_place();
    if in_report || has(OutputContent::Reason, OutputPlace::Stderr) {
        UnreadNotice::Report
    } else {
        UnreadNotice::Stderr
    }
}

/// The amount of detail. On a terminal, passed checks are hidden if there are many returns, because the
/// failed ones would be hard to find.
fn detail(options: &CheckOptions, many: bool, stream: Stream) -> Detail {
    match options.detail {
        Detail::Normal if many && terminal::is_watched(stream) => Detail::Findings,
        detail => detail,
    }
}

/// The width of source excerpts, in columns. None if they are not shown: people want to see them,
/// scripts do not.
fn excerpts(options: &CheckOptions, stream: Stream) -> Option<usize> {
    /// The maximum width. Longer lines are hard to read.
    const WIDEST: usize = 120;
    let is_terminal = terminal::is_watched(stream);
    let columns = is_terminal.then(terminal::columns).flatten();
    let is_shown = is_terminal || options.detail == Detail::Verbose;
    is_shown.then(|| columns.map_or(WIDEST, |it| it.min(WIDEST)))
}

//! `retval check`: resolves the options to a plan, checks all inputs with it, and writes the reports.

pub(crate) mod args;
mod baseline;
pub(crate) mod options;
mod outputs;
mod plan;
mod run;
mod stream_text;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;

use crate::cli::args::AUTO;
use crate::cli::check::args::CheckArgs;
use crate::cli::check::baseline::RunBaseline;
use crate::cli::check::options::{CheckOptions, OutputContent, OutputSpec};
use crate::cli::check::outputs::RunCollector;
use crate::cli::check::plan::{CheckPlan, confirm_root, open_root};
use crate::cli::evidence;
use crate::cli::input::{Feed, FeedOptions, Globs, ReturnNames};
use crate::cli::output::error_log::{LogFile, Recorder};
use crate::cli::output::{Exit, OutputPlace, Targets, note, terminal, warning};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::CheckerOptions;
use crate::cli::settings::overrides::{Overrides, ProfileChoice};
use crate::document::Form;
use crate::evidence::{EvidenceMode, WorkEvidence};
use crate::report::{Detail, Format, ReportOptions, Reporter};
use crate::root::BatchClock;
use crate::text::escape;
use crate::{Profile, Root};

pub(crate) fn run(mut args: CheckArgs) -> anyhow::Result<Exit> {
    let mut settings = Settings::load(&args.config)?.for_agent(args.agent.as_deref());
    let named = args.profile.as_ref().or(settings.values.profile.as_ref());
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
    let files = options.outputs.iter().filter_map(|it| it.place.file());
    let targets = Targets::new(files, options.errors_json.as_deref());
    let clock = BatchClock::default();
    let mut feed = feed(options, settings, profile, &targets, &clock)?;
    options.refuse_unused(&feed)?;
    if let Some(log) = &options.errors_json {
        // Before a return is read: an invalid one could not be recorded.
        LogFile::new(log).try_place()?;
    }
    let many = !feed.is_single();
    let root = open_root(options, &options.root, many.then_some(&clock))?;
    let checker = CheckerOptions {
        evidence: work_evidence(options)?.map(Arc::new),
        ..options.checker.clone()
    };
    // Standard input has no path, so no overrides apply to it.
    let has_files = !options.paths.is_empty() || options.files_from.is_some();
    let overrides = has_files.then(|| Overrides::new(settings)).transpose()?;
    let baseline = options.baseline.as_ref().map(|baseline| {
        let rules_off = options.checker.rules_off().chain(settings.rules_off());
        RunBaseline::open(&baseline.path, baseline.is_updated, rules_off.collect())
    });
    let plan = CheckPlan {
        options,
        settings,
        checker: &checker,
        root: &root,
        profile: profile.map_or(ProfileChoice::ByName, ProfileChoice::Is),
        overrides: overrides.unwrap_or_default(),
        reporters: reporters(options, settings, many),
        reports_unread: reports_unread(options, many),
        recorder: options.errors_json.is_some().then(Recorder::default),
        is_single: !many,
        targets: &targets,
        clock,
        baseline: baseline.transpose()?,
    };
    let mut collector = RunCollector::open(&plan)?;
    // One return needs only one thread: even reading the number of cores would take longer than checking it.
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = if many {
        options.jobs.unwrap_or_else(cores)
    } else {
        1
    };
    let ran = run::run(&plan, &mut feed, threads, &mut collector);
    let is_right_root = confirm_root(options, &options.root);
    for error in ran.iter().chain(&is_right_root.err()) {
        collector.fail(error);
    }
    let exit = collector.finish();
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

/// How long git may take for the questions of one return. It takes milliseconds, unless the disk is slow.
const GIT_AT_MOST: Duration = Duration::from_secs(10);

/// The evidence that the options provide. None if claims are not assessed.
fn work_evidence(options: &CheckOptions) -> anyhow::Result<Option<WorkEvidence>> {
    let (since, mode) = (options.checker.since, options.checker.evidence_mode);
    let path = options.evidence.transcript.as_deref();
    let rev = options.evidence.rev.as_ref();
    let is_on = path.is_some() || since.is_some() || rev.is_some() || mode == EvidenceMode::Require;
    if !is_on || mode == EvidenceMode::Off {
        return Ok(None);
    }
    let evidence = match path {
        Some(path) => evidence::of_option(path, options.evidence.agent_id.clone())?,
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

fn feed<'o>(
    options: &'o CheckOptions,
    settings: &Settings,
    profile: Option<&Profile>,
    targets: &'o Targets,
    clock: &BatchClock,
) -> anyhow::Result<Feed<'o>> {
    let skipped = options.baseline.iter().map(|it| it.path.as_path());
    let skipped = skipped.chain(options.errors_json.as_deref());
    let names = return_names(settings, profile);
    let globs = Globs::new(names, &options.include, &options.exclude)?;
    Feed::new(FeedOptions {
        paths: &options.paths,
        files_from: options.files_from.as_deref(),
        has_lines: options.lines.is_some(),
        globs: globs.skip(skipped),
        line_bytes: options.line_bytes(),
        targets,
        clock: clock.clone(),
    })
}

/// The names of returns: those of the files of the profile that is named, or of its form. Where none is named,
/// of JSON, and of the files of each profile in another form.
fn return_names(settings: &Settings, named: Option<&Profile>) -> ReturnNames {
    let form = named.map_or(Form::Json, |profile| profile.form);
    let files: Vec<_> = match named {
        Some(_) if form == Form::Json => Vec::new(),
        Some(profile) => profile.files.iter().cloned().collect(),
        None => {
            let others = settings.profiles().filter(|it| it.form != Form::Json);
            others.flat_map(|it| it.files.iter().cloned()).collect()
        }
    };
    let extensions = match form {
        Form::Json => &["json"][..],
        _ if !files.is_empty() => &[],
        Form::Yaml => &["yaml", "yml"],
        Form::Text => &["md", "txt"],
    };
    ReturnNames { extensions, files }
}

fn reporters(options: &CheckOptions, settings: &Settings, many: bool) -> Vec<Reporter> {
    let profiles = settings.config.profiles.iter();
    let profiles = profiles.map(|own| Arc::clone(&own.profile)).collect();
    let reporter = |output: &OutputSpec| {
        let place = &output.place;
        let is_colored = place.is_colored(options.color);
        let is_reason = output.content == OutputContent::Reason;
        let report_options = ReportOptions {
            colored: is_colored,
            many: many && !is_reason,
            detail: match options.detail {
                _ if is_reason => Detail::Quiet,
                // Passed checks are hidden from people if there are many returns, because the failed ones would
                // be hard to find.
                Detail::Normal if many && place.is_watched() => Detail::Findings,
                detail => detail,
            },
            excerpts: excerpts(options, place),
            rule_url: options.rule_url.clone(),
            raw: !place.is_watched(),
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

/// Whether inputs that could not be checked are said in a report alone, so that a person sees each of them
/// once: the text report of several returns lists them, and so does the one that says why returns are
/// invalid.
fn reports_unread(options: &CheckOptions, many: bool) -> bool {
    let has = |content: OutputContent, place: OutputPlace| {
        let output = OutputSpec { content, place };
        options.outputs.contains(&output)
    };
    has(OutputContent::Reason, OutputPlace::Stderr)
        || many
            && options.detail != Detail::Quiet
            && has(OutputContent::Format(Format::Text), OutputPlace::Stdout)
            && terminal::is_one_place()
}

/// The width of source excerpts, in columns. None if they are not shown: people want to see them,
/// scripts do not.
fn excerpts(options: &CheckOptions, place: &OutputPlace) -> Option<usize> {
    /// The maximum width. Longer lines are hard to read.
    const WIDEST: usize = 120;
    let is_watched = place.is_watched();
    let columns = is_watched.then(terminal::columns).flatten();
    let is_shown = is_watched || options.detail == Detail::Verbose;
    is_shown.then(|| columns.map_or(WIDEST, |it| it.min(WIDEST)))
}

//! `retval check`: resolves the options to a plan, checks all inputs with it, and writes the reports.

pub(crate) mod args;
mod baseline;
pub(crate) mod options;
mod outputs;
mod run;
mod text_line;

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
use crate::cli::evidence;
use crate::cli::files::{current_folder, target};
use crate::cli::input::{Feed, FeedOptions, Globs, ReturnNames};
use crate::cli::output::{Exit, OutputPlace, terminal, warning};
use crate::cli::settings::Settings;
use crate::cli::settings::checker::CheckerOptions;
use crate::cli::settings::overrides::{Overrides, ProfileChoice};
use crate::document::Form;
use crate::evidence::{EvidenceMode, WorkEvidence};
use crate::profile::RETURN;
use crate::report::{Detail, Format, ReportOptions, Reporter};
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

/// What all workers of a run share and none changes.
struct CheckPlan<'b> {
    options: &'b CheckOptions,
    settings: &'b Settings,
    /// The options of all checkers.
    checker: &'b CheckerOptions,
    root: &'b Root,
    /// The profile of every return to which no override assigns another one.
    profile: ProfileChoice<'b>,
    overrides: Overrides<'b>,
    reporters: Vec<Reporter>,
    /// Whether there is more than one return.
    many: bool,
    baseline: Option<RunBaseline>,
}

/// Checks all inputs.
fn check(options: &CheckOptions, settings: &Settings) -> anyhow::Result<Exit> {
    let args = &options.args;
    let profile = settings.profile(args.profile.as_deref())?;
    options.refuse_contradictions()?;
    profile.map_or(Ok(()), |profile| options.refuse_for(profile))?;
    let files = options.named_files().into_iter();
    let files = files.map(|(option, file)| (option, target(file))).collect();
    let names = return_names(settings, profile);
    let mut feed = Feed::new(FeedOptions {
        paths: &args.paths,
        files_from: args.files_from.as_deref(),
        has_lines: args.lines.is_some(),
        globs: Globs::new(names, &options.include, &options.exclude, files)?,
        line_bytes: options.line_bytes(),
    })?;
    options.refuse_unused(&feed)?;
    let many = !feed.is_single();
    let root = open_root(settings, &options.root, many)?;
    let checker = CheckerOptions {
        evidence: work_evidence(options)?.map(Arc::new),
        ..options.checker.clone()
    };
    // Standard input has no path, so no overrides apply to it.
    let has_files = !args.paths.is_empty() || args.files_from.is_some();
    let overrides = has_files.then(|| Overrides::new(settings)).transpose()?;
    let baseline = args.baseline.as_deref().map(|path| {
        let rules_off = options.checker.rules_off().chain(settings.rules_off());
        RunBaseline::open(path, args.update_baseline, rules_off.collect())
    });
    let plan = CheckPlan {
        options,
        settings,
        checker: &checker,
        root: &root,
        profile: profile.map_or(ProfileChoice::ByName, ProfileChoice::Is),
        overrides: overrides.unwrap_or_default(),
        reporters: reporters(options, settings, many),
        many,
        baseline: baseline.transpose()?,
    };
    let mut collector = RunCollector::open(&plan)?;
    // One return needs only one thread: even reading the number of cores would take longer than checking it.
    let threads = match args.jobs {
        _ if !many => 1,
        Some(jobs) => usize::try_from(jobs).unwrap_or(usize::MAX),
        None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    run::run(&plan, &mut feed, threads, &mut collector);
    if let Err(error) = confirm_root(settings, &options.root) {
        collector.fail(&error);
    }
    let exit = collector.finish();
    if feed.is_empty() && exit == Exit::Valid {
        warning("no files to check");
    }
    Ok(exit)
}

impl<'b> CheckPlan<'b> {
    /// The profile for a path. A bare file name is resolved in the current folder, because the names of
    /// folders count, too.
    fn profile_of(&self, path: &Path) -> &'b Profile {
        let is_bare = path.file_name() == Some(path.as_os_str());
        let current = is_bare.then(current_folder).flatten();
        let absolute = current.map(|current| current.join(path));
        let path = absolute.as_deref().unwrap_or(path);
        let mut all = self.settings.profiles();
        all.find(|it| it.matches_path(path)).unwrap_or(&RETURN)
    }

    /// Opens a root that a line names.
    fn open_root(&self, path: &Path) -> anyhow::Result<Root> {
        open_root(self.settings, path, self.many)
    }
}

/// Opens the folder that artifact paths are relative to, if it has what it must have. Its cache is of no use for
/// a single return.
fn open_root(settings: &Settings, path: &Path, many: bool) -> anyhow::Result<Root> {
    let root = match current_folder() {
        Some(folder) => Root::open_in(folder, path)?,
        None => Root::open(path)?,
    };
    confirm_root(settings, path)?;
    Ok(if many { root.remembering() } else { root })
}

/// Fails unless a root has what it must have.
fn confirm_root(settings: &Settings, path: &Path) -> anyhow::Result<()> {
    let Some(has) = &settings.values.root_has else {
        return Ok(());
    };
    if !path.join(has).exists() {
        let (has, below) = (escape::path(has), escape::path(path));
        bail!(
            "root-has {has}: the root {below} has no such file or folder; is it the right folder, and is it mounted?"
        );
    }
    Ok(())
}

/// How long git may take for the questions of one return. It takes milliseconds, unless the disk is slow.
const GIT_AT_MOST: Duration = Duration::from_secs(10);

/// The evidence that the options provide. None if claims are not assessed.
fn work_evidence(options: &CheckOptions) -> anyhow::Result<Option<WorkEvidence>> {
    let (since, mode) = (options.checker.since, options.checker.evidence_mode);
    let args = &options.args.transcript;
    let (path, rev) = (args.transcript.as_deref(), args.rev.as_ref());
    let is_on = path.is_some() || since.is_some() || rev.is_some() || mode == EvidenceMode::Require;
    if !is_on || mode == EvidenceMode::Off {
        return Ok(None);
    }
    let evidence = match path {
        Some(path) => evidence::of_option(path, args.agent_id.clone())?,
        None => WorkEvidence::default(),
    };
    let evidence = WorkEvidence {
        since,
        test_runners: options.checker.test_runners.clone(),
        mode,
        ..evidence
    };
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
    let reporter = |OutputSpec { content, place }: &OutputSpec| {
        let is_reason = *content == OutputContent::Reason;
        let report_options = ReportOptions {
            colored: place.is_colored(options.args.color.unwrap_or_default()),
            many: many && !is_reason,
            detail: match options.detail {
                _ if is_reason => Detail::Reason,
                // Passed checks are hidden from people if there are many returns, because the failed ones would
                // be hard to find.
                Detail::Normal if many && place.is_watched() => Detail::Findings,
                detail => detail,
            },
            excerpts: excerpts(options, place),
            rule_url: settings.values.rule_url.clone(),
            raw: !place.is_watched(),
        };
        match content {
            OutputContent::Format(format) => format.reporter(&report_options, &profiles),
            OutputContent::Fields(places) => {
                Reporter::of_fields(places.clone(), &report_options, &profiles)
            }
            OutputContent::Reason => Format::Concise.reporter(&report_options, &profiles),
        }
    };
    options.outputs.iter().map(reporter).collect()
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

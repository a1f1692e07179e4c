//! `retval check`: options to a plan of checkers, inputs through it, reports out.

pub(crate) mod args;
mod baseline;
mod collector;
mod grouping;
mod job_output;
pub(crate) mod outputs;
mod plan;
mod pool;
mod progress;
mod worker;
mod writer;

use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use anyhow::bail;
use retval::format::{Detail, Profiles, Reporter, Text};
use retval::{Checker, Profile, Root};

use crate::check::args::{CheckArgs, ColorChoice};
use crate::check::baseline::RunBaseline;
use crate::check::collector::Collector;
use crate::check::outputs::{ArgOrder, OutputSpec};
use crate::check::plan::{CheckPlan, Checkers};
use crate::demands;
use crate::exit::{Exit, Reported};
use crate::input::{Feed, Globs, Wanted};
use crate::output::{Closed, Targets};
use crate::settings::Settings;

pub(crate) fn run(mut options: CheckArgs, typed: &ArgOrder) -> anyhow::Result<Exit> {
    let settings = Settings::load(&options.configured)?;
    settings.fill_check(&mut options)?;
    check(&options, typed, &settings)
}

fn check(options: &CheckArgs, typed: &ArgOrder, settings: &Settings) -> anyhow::Result<Exit> {
    demands::refuse_contradictions(&options.demands)?;
    let profile = settings.profile(options.profile.as_deref())?;
    let wanted = outputs::outputs(options, typed)?;
    let updates = options.update_baseline.unwrap_or_default();
    if updates && options.baseline.is_none() {
        bail!("--update-baseline writes the file that --baseline names");
    }
    refuse_with_baseline(options)?;
    let known = options.baseline.as_deref();
    let known = known.map(|path| RunBaseline::open(path, updates, &off(options, settings)));
    let known = known.transpose()?;
    let files = wanted.iter().filter_map(|(_, file)| file.as_deref());
    let targets = Targets::new(files, options.errors_json.as_deref());
    let aside = known.as_ref().map(RunBaseline::path);
    let aside = aside.into_iter().chain(options.errors_json.as_deref());
    let mut feed = Feed::new(Wanted {
        paths: &options.paths,
        files_from: options.files_from.as_deref(),
        ndjson: options.ndjson.unwrap_or_default(),
        globs: Globs::new(&options.include, &options.exclude)?.aside(aside),
        max_bytes: demands::max_bytes(&options.demands),
        targets: &targets,
    })?;
    let many = !feed.is_single();
    if options.filter.is_some() && !feed.is_lines_only() {
        bail!(
            "--filter passes lines through: give it --ndjson on standard input, or files named .ndjson or .jsonl"
        );
    }
    if options.ndjson.unwrap_or_default() && !feed.reads_stdin() {
        bail!("--ndjson is for standard input, which is not read: name a stream .ndjson or .jsonl");
    }
    let root = root(options, many)?;
    let checkers = checkers(options, settings, profile, &root);
    let custom = settings.config.profiles().iter();
    let profiles = custom.map(|own| Arc::clone(&own.profile)).collect();
    let reporters = reporters(options, &wanted, &profiles, many);
    let plan = plan(options, checkers, (&targets, known), reporters);
    let mut collector = Collector::open(options, &plan, &wanted)?;
    match pool::run(&plan, &mut feed, threads(options, many), &mut collector) {
        // Nobody listens any more, or nothing is left to write to.
        Err(error) if error.is::<Closed>() || error.is::<Reported>() => return Err(error),
        Err(error) => collector.fail(&error),
        Ok(()) => {}
    }
    Ok(collector.finish(&plan))
}

/// What is accepted is known only when all of a return was looked at, and is still no good return.
fn refuse_with_baseline(options: &CheckArgs) -> anyhow::Result<()> {
    if options.baseline.is_none() {
        return Ok(());
    }
    if options.fail_fast.unwrap_or_default() {
        bail!(
            "--fail-fast stops before all is found that --baseline is to accept: leave one of them out"
        );
    }
    if options.filter.is_some() {
        bail!(
            "--filter passes on what is valid, and --baseline accepts what is not: leave one of them out"
        );
    }
    Ok(())
}

/// Rules that nobody looks for, in any profile.
fn off(options: &CheckArgs, settings: &Settings) -> Vec<&'static str> {
    let ignored = options.demands.ignore.iter().map(|rule| rule.id);
    ignored.chain(settings.switched_off()).collect()
}

/// Of one return nothing is worth remembering.
fn root(options: &CheckArgs, many: bool) -> anyhow::Result<Root> {
    let root = Root::open(options.root.as_deref().unwrap_or(Path::new(".")))?;
    Ok(if many { root.remembering() } else { root })
}

/// One return needs one thread; even asking for the cores would cost more than checking it.
fn threads(options: &CheckArgs, many: bool) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    if many {
        options.jobs.map_or_else(cores, usize::from)
    } else {
        1
    }
}

fn checkers<'b>(
    options: &'b CheckArgs,
    settings: &'b Settings,
    profile: Option<&'b Profile>,
    root: &'b Root,
) -> Checkers<'b> {
    let make = move |profile| {
        let checker = settings.apply(profile, Checker::new(profile, root));
        let checker = checker
            .session(options.session.as_deref())
            .agent(options.agent.as_deref())
            .fail_fast(options.fail_fast.unwrap_or_default())
            .extract(options.extract.unwrap_or_default());
        demands::apply(&options.demands, checker)
    };
    Checkers::new(profile, settings.profiles(), Box::new(make))
}

fn plan<'b>(
    options: &CheckArgs,
    checkers: Checkers<'b>,
    (targets, known): (&'b Targets, Option<RunBaseline>),
    reporters: Vec<Box<dyn Reporter>>,
) -> CheckPlan<'b> {
    CheckPlan {
        checkers,
        groups: reporters.iter().any(|it| it.grouping().is_some()),
        reporters,
        filter: options.filter,
        statistics: options.statistics.unwrap_or_default(),
        recorded: options.errors_json.is_some().then(AtomicU64::default),
        max_bytes: demands::max_bytes(&options.demands),
        targets,
        known,
    }
}

fn reporters(
    options: &CheckArgs,
    wanted: &[OutputSpec],
    profiles: &Profiles,
    many: bool,
) -> Vec<Box<dyn Reporter>> {
    let reporter = |(format, file): &OutputSpec| {
        let text = Text {
            colored: is_colored(options, file.is_none()),
            many,
            detail: detail(options),
        };
        format.reporter(text, profiles)
    };
    wanted.iter().map(reporter).collect()
}

fn detail(options: &CheckArgs) -> Detail {
    match (options.quiet, options.verbose) {
        (Some(true), _) => Detail::Quiet,
        (_, Some(true)) => Detail::Verbose,
        _ => Detail::Normal,
    }
}

fn is_colored(options: &CheckArgs, to_stream: bool) -> bool {
    let is_terminal = || match options.filter {
        Some(_) => std::io::stderr().is_terminal(),
        None => std::io::stdout().is_terminal(),
    };
    match options.color.unwrap_or(ColorChoice::Auto) {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if anstyle_query::no_color() => false,
        ColorChoice::Auto if to_stream && is_forced() => true,
        ColorChoice::Auto if anstyle_query::clicolor() == Some(false) => false,
        ColorChoice::Auto => to_stream && is_terminal() && anstyle_query::term_supports_color(),
    }
}

/// `0` forces nothing.
fn is_forced() -> bool {
    anstyle_query::clicolor_force()
        && std::env::var_os("CLICOLOR_FORCE").is_some_and(|it| it != "0")
}

//! `retval check`: options to a bench of checkers, inputs through it, reports out.

use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ArgMatches;
use retval::report::{Detail, Format, Statistics, Text, Totals};
use retval::rules::{Level, Rule};
use retval::{BYTES_AT_MOST, Checker, Profile, Root};

use crate::cli::{Check, ColorChoice, ProfileChoice};
use crate::input::{Feed, Globs, Wanted};
use crate::judging::{Bench, Checkers, Outcome};
use crate::output::Sink;
use crate::progress::Progress;
use crate::workers::{self, Collect};
use crate::{Exit, complain, usage};

pub(crate) fn run(options: &Check, matches: &ArgMatches) -> anyhow::Result<Exit> {
    refuse_contradictions(options)?;
    let mut feed = Feed::new(Wanted {
        paths: &options.paths,
        files_from: options.files_from.as_deref(),
        ndjson: options.ndjson,
        globs: Globs::new(&options.include, &options.exclude)?,
        max_bytes: max_bytes(options),
    })?;
    let many = !feed.is_single();
    if options.filter.is_some() && !feed.is_lines_only() {
        bail!(
            "--filter passes lines through: give it --ndjson on standard input, or files named .ndjson or .jsonl"
        );
    }
    let root = root(options, many)?;
    let wanted = usage::outputs(&options.format, &options.output, matches)?;
    let bench = bench(options, &root, many, &wanted);
    let mut collector = Collector::open(options, &bench, &wanted)?;
    workers::run(&bench, &mut feed, threads(options, many), &mut collector)?;
    collector.finish(&bench)
}

fn max_bytes(options: &Check) -> u64 {
    options.max_bytes.unwrap_or(BYTES_AT_MOST)
}

/// Of one return nothing is worth remembering.
fn root(options: &Check, many: bool) -> anyhow::Result<Root> {
    let root = Root::open(options.root.as_deref().unwrap_or(Path::new(".")))?;
    Ok(if many { root.remembering() } else { root })
}

/// One return needs one thread; even asking for the cores would cost more than judging it.
fn threads(options: &Check, many: bool) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    if many {
        options.jobs.map_or_else(cores, usize::from)
    } else {
        1
    }
}

type Wants = [(Format, Option<PathBuf>)];

fn bench<'b>(options: &'b Check, root: &'b Root, many: bool, wanted: &Wants) -> Bench<'b> {
    let reporters = wanted.iter().map(|(format, file)| {
        let colored = is_colored(options, file.is_none());
        format.reporter(Text {
            colored,
            many,
            detail: detail(options),
        })
    });
    let profile = match options.profile {
        Some(ProfileChoice::Named(profile)) => Some(profile),
        Some(ProfileChoice::Auto) | None => None,
    };
    let make = Box::new(move |profile| checker(options, root, profile));
    Bench {
        checkers: Checkers {
            profile,
            make,
            made: Default::default(),
        },
        reporters: reporters.collect(),
        filter: options.filter,
        statistics: options.statistics,
        max_bytes: max_bytes(options),
    }
}

fn checker<'o>(
    options: &'o Check,
    root: &'o Root,
    profile: &'static Profile<'static>,
) -> Checker<'o> {
    let mut checker = Checker::new(profile, root)
        .session(options.session.as_deref())
        .agent(options.agent.as_deref())
        .group(options.group.as_deref())
        .max_bytes(max_bytes(options))
        .fail_fast(options.fail_fast)
        .extract(options.extract);
    for (rules, level) in [
        (&options.ignore, Level::Off),
        (&options.warn, Level::Warning),
        (&options.error, Level::Error),
    ] {
        for rule in rules {
            checker = checker.rule(rule, level);
        }
    }
    checker.strict(options.strict)
}

fn detail(options: &Check) -> Detail {
    match (options.quiet, options.verbose) {
        (true, _) => Detail::Quiet,
        (_, true) => Detail::Verbose,
        _ => Detail::Normal,
    }
}

fn is_colored(options: &Check, to_terminal: bool) -> bool {
    let is_terminal = || match options.filter {
        Some(_) => std::io::stderr().is_terminal(),
        None => std::io::stdout().is_terminal(),
    };
    match options.color.unwrap_or(ColorChoice::Auto) {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if anstyle_query::no_color() => false,
        ColorChoice::Auto if anstyle_query::clicolor_force() => true,
        ColorChoice::Auto => to_terminal && is_terminal() && anstyle_query::term_supports_color(),
    }
}

fn refuse_contradictions(options: &Check) -> anyhow::Result<()> {
    let named = [
        ("--ignore", &options.ignore),
        ("--warn", &options.warn),
        ("--error", &options.error),
    ];
    let mut seen: Vec<(&str, &Rule)> = Vec::new();
    for (option, rules) in named {
        for rule in rules {
            if rule.is_indispensable() && option != "--error" {
                bail!(
                    "{option} {}: without this rule nothing else can be checked",
                    rule.id
                );
            }
            if let Some((before, _)) = seen
                .iter()
                .find(|(before, known)| *before != option && known.id == rule.id)
            {
                bail!(
                    "{before} and {option} both name {}: which of them counts?",
                    rule.id
                );
            }
            seen.push((option, rule));
        }
    }
    Ok(())
}

/// Writes outcomes in order and adds up their counts.
struct Collector {
    writer: Writer,
    totals: Totals,
    statistics: Option<Statistics>,
    progress: Progress,
}

struct Writer {
    outputs: Vec<Output>,
    /// Whether the last line that the filter passed had no line feed.
    lacks_line_feed: bool,
}

struct Output {
    sink: Sink,
    is_empty: bool,
    between: &'static [u8],
}

impl Collector {
    fn open(options: &Check, bench: &Bench<'_>, wanted: &Wants) -> anyhow::Result<Self> {
        let mut outputs = Vec::new();
        for ((_, file), reporter) in wanted.iter().zip(&bench.reporters) {
            let mut sink = match file {
                Some(file) => Sink::to_file(file)?,
                // Standard output is for the lines that pass.
                None if options.filter.is_some() => Sink::Stderr,
                None => Sink::Stdout,
            };
            let mut beginning = Vec::new();
            reporter.begin(&mut beginning);
            sink.write(&beginning)?;
            outputs.push(Output {
                sink,
                is_empty: true,
                between: reporter.between(),
            });
        }
        Ok(Self {
            writer: Writer {
                outputs,
                lacks_line_feed: false,
            },
            totals: Totals::default(),
            statistics: options.statistics.then(Statistics::default),
            progress: Progress::new(!options.no_progress),
        })
    }

    fn finish(self, bench: &Bench<'_>) -> anyhow::Result<Exit> {
        self.progress.finish();
        let tables = self.statistics.as_ref().map(Statistics::tables);
        for (mut output, reporter) in self.writer.outputs.into_iter().zip(&bench.reporters) {
            let mut ending = Vec::new();
            reporter.finish(&self.totals, tables.as_ref(), &mut ending);
            output.sink.write(&ending)?;
            output.sink.finish()?;
        }
        Ok(match self.totals {
            Totals { unchecked: 1.., .. } => Exit::Unchecked,
            Totals { invalid: 1.., .. } => Exit::Invalid,
            _ => Exit::Valid,
        })
    }
}

impl Writer {
    fn write(&mut self, outcome: &mut Outcome) -> anyhow::Result<()> {
        outcome
            .complaints
            .drain(..)
            .for_each(|error| complain(&error));
        if !outcome.passed.is_empty() {
            if std::mem::replace(
                &mut self.lacks_line_feed,
                outcome.passed.last() != Some(&b'\n'),
            ) {
                Sink::Stdout.write(b"\n")?;
            }
            Sink::Stdout.write(&outcome.passed)?;
        }
        for (output, text) in self.outputs.iter_mut().zip(&outcome.texts) {
            if text.is_empty() {
                continue;
            }
            if !std::mem::replace(&mut output.is_empty, false) {
                output.sink.write(output.between)?;
            }
            output.sink.write(text)?;
        }
        Ok(())
    }
}

impl Collect for Collector {
    fn take(&mut self, outcome: &mut Outcome) -> anyhow::Result<()> {
        self.totals.merge(&outcome.totals);
        if let Some(statistics) = &mut self.statistics {
            statistics.merge(&outcome.statistics);
        }
        self.progress.advance(outcome.totals.returns);
        let (progress, writer) = (&self.progress, &mut self.writer);
        progress.aside(|| writer.write(outcome))
    }
}

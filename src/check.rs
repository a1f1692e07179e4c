//! `retval check`: options to a bench of checkers, inputs through it, reports out.

use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::bail;
use clap::ArgMatches;
use retval::report::{Detail, Reporter, Statistics, Text, Totals};
use retval::rules::{Level, Rule};
use retval::{BYTES_AT_MOST, Checker, Profile, Root};

use crate::cli::{Check, ColorChoice, ProfileChoice};
use crate::input::{Feed, Globs, Wanted};
use crate::judging::{Bench, Checkers, Outcome};
use crate::output::{Closed, Sink};
use crate::progress::Progress;
use crate::usage::Want;
use crate::workers::{self, Collect};
use crate::{Exit, Told, complain, usage};

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
    let wanted = usage::outputs(options, matches)?;
    let bench = bench(options, &root, many, &wanted);
    let mut collector = Collector::open(options, &bench, &wanted)?;
    match workers::run(&bench, &mut feed, threads(options, many), &mut collector) {
        // Nobody listens any more, or nothing is left to write to.
        Err(error) if error.is::<Closed>() || error.is::<Told>() => return Err(error),
        Err(error) => collector.fail(&error),
        Ok(()) => {}
    }
    Ok(collector.finish(&bench))
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

fn bench<'b>(options: &'b Check, root: &'b Root, many: bool, wanted: &[Want]) -> Bench<'b> {
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

fn is_colored(options: &Check, to_stream: bool) -> bool {
    let is_terminal = || match options.filter {
        Some(_) => std::io::stderr().is_terminal(),
        None => std::io::stdout().is_terminal(),
    };
    match options.color.unwrap_or(ColorChoice::Auto) {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if anstyle_query::no_color() => false,
        ColorChoice::Auto if to_stream && anstyle_query::clicolor_force() => true,
        ColorChoice::Auto => to_stream && is_terminal() && anstyle_query::term_supports_color(),
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

impl Collector {
    fn open(options: &Check, bench: &Bench<'_>, wanted: &[Want]) -> anyhow::Result<Self> {
        Ok(Self {
            writer: Writer::open(options, bench, wanted)?,
            totals: Totals::default(),
            statistics: options.statistics.then(Statistics::default),
            progress: Progress::new(!options.no_progress),
        })
    }

    /// The inputs ended early; what was judged is still reported.
    fn fail(&mut self, error: &anyhow::Error) {
        complain(error);
        self.writer.has_failed = true;
    }

    fn finish(mut self, bench: &Bench<'_>) -> Exit {
        self.progress.finish();
        let tables = self.statistics.as_ref().map(Statistics::tables);
        self.writer.finish(bench, |reporter, text| {
            reporter.finish(&self.totals, tables.as_ref(), text);
        });
        match self.totals {
            _ if self.writer.has_failed => Exit::Unchecked,
            Totals { unchecked: 1.., .. } => Exit::Unchecked,
            Totals { invalid: 1.., .. } => Exit::Invalid,
            _ => Exit::Valid,
        }
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

/// Every output. One that fails, or that nobody reads any more, does not keep the others from
/// theirs.
struct Writer {
    /// One for each reporter; none where it is over.
    outputs: Vec<Option<Output>>,
    passed: Passed,
    has_failed: bool,
}

struct Output {
    sink: Sink,
    is_empty: bool,
    between: &'static [u8],
}

/// The lines that the filter lets through.
struct Passed {
    is_open: bool,
    /// Whether the last one had no line feed.
    lacks_line_feed: bool,
}

impl Writer {
    fn open(options: &Check, bench: &Bench<'_>, wanted: &[Want]) -> anyhow::Result<Self> {
        let passed = Passed {
            is_open: options.filter.is_some(),
            lacks_line_feed: false,
        };
        let mut writer = Self {
            outputs: Vec::new(),
            passed,
            has_failed: false,
        };
        for ((_, file), reporter) in wanted.iter().zip(&bench.reporters) {
            let opened = open_output(options, file.as_deref(), reporter.as_ref());
            let output = writer.survivor(opened);
            writer.outputs.push(output);
        }
        if writer.has_failed && writer.is_over() {
            return Err(Told.into());
        }
        Ok(writer)
    }

    /// What is left of an attempt to write: a failure is told, and ends only what failed.
    fn survivor<T>(&mut self, attempt: anyhow::Result<T>) -> Option<T> {
        match attempt {
            Ok(output) => Some(output),
            Err(error) if error.is::<Closed>() => None,
            Err(error) => {
                complain(&error);
                self.has_failed = true;
                None
            }
        }
    }

    fn is_over(&self) -> bool {
        !self.passed.is_open && self.outputs.iter().all(Option::is_none)
    }

    fn write(&mut self, outcome: &mut Outcome) -> anyhow::Result<()> {
        outcome
            .complaints
            .drain(..)
            .for_each(|error| complain(&error));
        if self.passed.is_open {
            let written = self.passed.write(&outcome.passed);
            self.passed.is_open = self.survivor(written).is_some();
        }
        for (index, text) in outcome.texts.iter().enumerate() {
            if let Some(mut output) = self.outputs[index].take() {
                let written = output.write(text).map(|()| output);
                self.outputs[index] = self.survivor(written);
            }
        }
        match (self.is_over(), self.has_failed) {
            (false, _) => Ok(()),
            (true, true) => Err(Told.into()),
            (true, false) => Err(Closed.into()),
        }
    }

    fn finish(&mut self, bench: &Bench<'_>, end: impl Fn(&dyn Reporter, &mut Vec<u8>)) {
        for (output, reporter) in std::mem::take(&mut self.outputs)
            .into_iter()
            .zip(&bench.reporters)
        {
            let Some(Output { mut sink, .. }) = output else {
                continue;
            };
            let mut text = Vec::new();
            end(reporter.as_ref(), &mut text);
            let written = sink.write(&text).and_then(|()| sink.finish());
            self.survivor(written);
        }
    }
}

fn open_output(
    options: &Check,
    file: Option<&Path>,
    reporter: &dyn Reporter,
) -> anyhow::Result<Output> {
    let mut sink = match file {
        Some(file) => Sink::to_file(file)?,
        // Standard output is for the lines that pass.
        None if options.filter.is_some() => Sink::Stderr,
        None => Sink::Stdout,
    };
    let mut text = Vec::new();
    reporter.begin(&mut text);
    sink.write(&text)?;
    Ok(Output {
        sink,
        is_empty: true,
        between: reporter.between(),
    })
}

impl Output {
    fn write(&mut self, text: &[u8]) -> anyhow::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if !std::mem::replace(&mut self.is_empty, false) {
            self.sink.write(self.between)?;
        }
        self.sink.write(text)
    }
}

impl Passed {
    fn write(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        let Some(last) = lines.last() else {
            return Ok(());
        };
        if std::mem::replace(&mut self.lacks_line_feed, *last != b'\n') {
            Sink::Stdout.write(b"\n")?;
        }
        Sink::Stdout.write(lines)
    }
}

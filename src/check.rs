//! `retval check`: every input through a checker, every verdict to every output.

use std::io::IsTerminal as _;
use std::path::Path;

use anyhow::bail;
use clap::ArgMatches;
use retval::report::{Detail, Judged, Source, Text, Totals};
use retval::rules::{Level, Rule};
use retval::{BYTES_AT_MOST, Checker, Profile, Root, escape};

use crate::cli::{Check, ColorChoice, ProfileChoice};
use crate::input::Input;
use crate::output::Output;
use crate::{Exit, complain, usage};

pub(crate) fn run(options: &Check, matches: &ArgMatches) -> anyhow::Result<Exit> {
    refuse_contradictions(options)?;
    let inputs = inputs(options);
    let root = Root::open(options.root.as_deref().unwrap_or(Path::new(".")))?;
    let mut outputs = outputs(options, inputs.len() > 1, matches)?;
    let mut totals = Totals::default();
    let mut exit = Exit::Valid;
    for input in &inputs {
        exit = exit.max(judge(options, &root, input, &mut outputs, &mut totals)?);
    }
    for output in outputs {
        output.finish(&totals)?;
    }
    Ok(exit)
}

fn max_bytes(options: &Check) -> u64 {
    options.max_bytes.unwrap_or(BYTES_AT_MOST)
}

fn inputs(options: &Check) -> Vec<Input> {
    if options.paths.is_empty() {
        vec![Input::Stdin]
    } else {
        options.paths.iter().map(|path| Input::of(path)).collect()
    }
}

/// Judges one input and reports it everywhere.
fn judge(
    options: &Check,
    root: &Root,
    input: &Input,
    outputs: &mut [Output],
    totals: &mut Totals,
) -> anyhow::Result<Exit> {
    let name = input.name();
    let source = Source {
        name: &name,
        line: None,
    };
    let mut report = |judged: Judged<'_>| {
        totals.add(judged);
        outputs
            .iter_mut()
            .try_for_each(|output| output.report(&source, judged))
    };
    let bytes = match input.read(max_bytes(options)) {
        Ok(bytes) => bytes,
        Err(error) => {
            complain(&error);
            report(Judged::Unread(&format!("{error:#}")))?;
            return Ok(Exit::Unchecked);
        }
    };
    let checker = checker(options, root, input);
    let judged = checker.check(&bytes);
    report(Judged::Report(&judged))?;
    Ok(if judged.is_valid() {
        Exit::Valid
    } else {
        Exit::Invalid
    })
}

fn checker<'o>(options: &'o Check, root: &'o Root, input: &Input) -> Checker<'o> {
    let profile = match options.profile {
        Some(ProfileChoice::Named(profile)) => profile,
        Some(ProfileChoice::Auto) | None => Profile::for_path(input.path()),
    };
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

fn outputs(options: &Check, many: bool, matches: &ArgMatches) -> anyhow::Result<Vec<Output>> {
    let wanted = usage::outputs(&options.format, &options.output, matches)?;
    let open = |(format, file): (retval::report::Format, Option<std::path::PathBuf>)| {
        let colored = is_colored(options.color.unwrap_or(ColorChoice::Auto), file.is_none());
        let text = Text {
            colored,
            many,
            detail: detail(options),
        };
        Output::open(format.reporter(text), file.as_deref())
    };
    wanted.into_iter().map(open).collect()
}

fn detail(options: &Check) -> Detail {
    match (options.quiet, options.verbose) {
        (true, _) => Detail::Quiet,
        (_, true) => Detail::Verbose,
        _ => Detail::Normal,
    }
}

fn is_colored(choice: ColorChoice, to_stdout: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if anstyle_query::no_color() => false,
        ColorChoice::Auto if anstyle_query::clicolor_force() => true,
        ColorChoice::Auto => {
            to_stdout && std::io::stdout().is_terminal() && anstyle_query::term_supports_color()
        }
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
                    escape::shown(rule.id)
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

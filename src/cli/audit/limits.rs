//! `--fail-above` and `--compare`.

use std::path::Path;

use crate::audit::{AuditReport, Change, Rate, RunOutcome, VERSION};
use crate::text::escape;
use anyhow::{Context as _, bail};

use super::numbers::{percent, share};
use crate::cli::exit::Exit;
use crate::cli::stderr::note;

/// The limits of `--fail-above`.
#[derive(Debug, Clone, Default)]
pub(super) struct ShareLimits(Vec<ShareLimit>);

/// One limit.
#[derive(Debug, Clone)]
struct ShareLimit {
    what: LimitedShare,
    /// The share that is allowed, from 0 to 1.
    most: f64,
}

#[derive(Debug, Clone, Copy)]
enum LimitedShare {
    Lost,
    Invalid,
    Outcome(RunOutcome),
}

impl LimitedShare {
    fn name(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Invalid => "invalid",
            Self::Outcome(outcome) => outcome.as_str(),
        }
    }

    fn rate(self, report: &AuditReport) -> Rate {
        match self {
            Self::Lost => report.lost,
            Self::Invalid => report.invalid,
            Self::Outcome(outcome) => report.rate(outcome),
        }
    }
}

/// Parses limits such as `invalid=5%,lost=2%`.
pub(super) fn parse(text: &str) -> Result<ShareLimits, String> {
    text.split(',')
        .map(limit)
        .collect::<Result<_, _>>()
        .map(ShareLimits)
}

fn limit(text: &str) -> Result<ShareLimit, String> {
    let expected = || {
        format!(
            "expected NAME=NUMBER%, such as lost=2%, not {}",
            escape::truncated(text)
        )
    };
    let (name, number) = text.trim().split_once('=').ok_or_else(expected)?;
    let number = number.trim().strip_suffix('%').ok_or_else(expected)?;
    let number: f64 = number.trim().parse().map_err(|_| expected())?;
    if !(0.0..=100.0).contains(&number) {
        return Err(format!(
            "a limit lies between 0% and 100%, not at {}",
            escape::truncated(text)
        ));
    }
    let what = match name.trim() {
        "lost" => LimitedShare::Lost,
        "invalid" => LimitedShare::Invalid,
        name => LimitedShare::Outcome(name.parse().map_err(|_| {
            let names = RunOutcome::ALL.map(RunOutcome::as_str).join(", ");
            format!(
                "{}: expected one of lost, invalid, {names}",
                escape::truncated(name)
            )
        })?),
    };
    Ok(ShareLimit {
        what,
        most: number / 100.0,
    })
}

/// The limits that may be exceeded, in words.
pub(super) fn exceeded(limits: &ShareLimits, report: &AuditReport) -> Vec<String> {
    let rates = limits
        .0
        .iter()
        .map(|limit| (limit, limit.what.rate(report)));
    let rates = rates.inspect(|(limit, rate)| {
        if rate.of == 0 {
            let name = limit.what.name();
            note(&format!(
                "{name}: there is nothing to compare with the limit"
            ));
        }
    });
    let exceeded = rates.filter(|(limit, rate)| rate.of > 0 && rate.high > limit.most);
    let words = exceeded.map(|(limit, rate)| {
        format!(
            "{} may be above {}: {} of {}, at most {} with 95 % confidence",
            limit.what.name(),
            percent(limit.most),
            rate.count,
            rate.of,
            percent(rate.high)
        )
    });
    words.collect()
}

/// Reads an earlier report.
pub(super) fn earlier(path: &Path) -> anyhow::Result<AuditReport> {
    let name = escape::path(path);
    let text = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let report: AuditReport = serde_json::from_slice(&text)
        .map_err(|error| anyhow::anyhow!("{}", escape::full(&error.to_string())))
        .with_context(|| format!("{name} is not a report of `retval audit --format json`"))?;
    if report.version != VERSION {
        bail!(
            "{name} has the version {}, and not {VERSION}",
            report.version
        );
    }
    Ok(report)
}

/// Says what got worse or better and which limits are exceeded.
pub(super) fn report(changes: Option<&[Change]>, exceeded: &[String]) -> Exit {
    for change in changes.unwrap_or_default() {
        let way = if change.is_worse { "worse" } else { "better" };
        let group = change.group.as_ref().map(|(by, name)| {
            let name = escape::truncated(name);
            format!(" of the {} {name}", by.as_str())
        });
        note(&format!(
            "{}{} got {way}: {} before, {} now",
            change.what,
            group.unwrap_or_default(),
            share(change.before),
            share(change.now)
        ));
    }
    if changes.is_some_and(<[Change]>::is_empty) {
        note("nothing changed by more than chance");
    }
    for words in exceeded {
        note(words);
    }
    let is_worse = changes.unwrap_or_default().iter().any(|it| it.is_worse);
    if is_worse || !exceeded.is_empty() {
        Exit::Invalid
    } else {
        Exit::Valid
    }
}

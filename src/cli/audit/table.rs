//! The parts of a report in words and numbers, in the same way for the text and the page. All texts are
//! safe to print.

use crate::audit::{AuditReport, GroupBy, OutcomeCount, Rate, RunOutcome};
use crate::text::escape;

/// A part of a report: a title, a table, and sentences below it.
pub(super) struct ReportSection {
    pub(super) title: &'static str,
    /// The heads of the columns. The first column has names, the others have numbers.
    pub(super) columns: &'static [&'static str],
    pub(super) rows: Vec<Vec<String>>,
    pub(super) notes: Vec<String>,
}

pub(super) fn sections(report: &AuditReport) -> Vec<ReportSection> {
    if report.runs == 0 {
        return Vec::new();
    }
    let mut sections = vec![coverage(report), outcomes(report), cost(report)];
    sections.extend(held(report));
    sections.push(groups(report));
    sections
}

/// What the whole report is about, in sentences: what was read, and what was left out.
pub(super) fn head(report: &AuditReport) -> Vec<String> {
    let sources = &report.sources;
    let clients = match &*sources.clients {
        [] => "no client".to_owned(),
        clients => escape::list(clients),
    };
    let period = match (&report.first, &report.last) {
        (Some(first), Some(last)) => {
            match [first, last].map(|time| time.get(..10).unwrap_or(time)) {
                [first, last] if first == last => format!(", of {first}"),
                [first, last] => format!(", {first} to {last}"),
            }
        }
        _ => String::new(),
    };
    let mut lines = vec![format!(
        "{} in {} of {clients} ({}){period}",
        count(report.runs, "delegation"),
        count(sources.transcripts, "transcript"),
        bytes(sources.bytes),
    )];
    if sources.records > report.runs + sources.left_out {
        let records = count(sources.records, "record");
        lines.push(format!(
            "{records} of agents are these runs: a caller's transcript and copies have the same run."
        ));
    }
    if sources.prewarming + sources.compaction > 0 {
        lines.push(format!(
            "Not counted: {} and {} that the client started for itself.",
            count(sources.prewarming, "prewarming agent"),
            count(sources.compaction, "compaction agent"),
        ));
    }
    if sources.left_out > 0 {
        let undated = match sources.undated {
            0 => String::new(),
            undated => format!(", {} of them because no time is recorded", number(undated)),
        };
        let left_out = count(sources.left_out, "run");
        lines.push(format!("Left out by the options: {left_out}{undated}."));
    }
    for (why, files) in &sources.unread {
        let (files, why) = (count(*files, "file"), escape::truncated(why));
        lines.push(format!("Not read: {files} ({why})."));
    }
    if sources.other_files > 0 {
        let files = count(sources.other_files, "file");
        lines.push(format!("Not a transcript of a known client: {files}."));
    }
    lines
}

pub(super) fn coverage(report: &AuditReport) -> ReportSection {
    let coverage = &report.coverage;
    let rows = [
        ("both, with the same number of calls", coverage.equal),
        ("both, with different numbers", coverage.different),
        ("only the count", coverage.count_only),
        ("only the record", coverage.record_only),
        ("neither", coverage.neither),
    ];
    let rows = rows.map(|(name, runs)| {
        let share = percent(Rate::new(runs, report.runs).share);
        vec![name.to_owned(), number(runs), share]
    });
    let neither = coverage.neither_by.iter();
    let neither = neither.map(|(outcome, runs)| format!("{} {}", number(*runs), outcome.label()));
    let neither: Vec<_> = neither.collect();
    let notes = [format!("Neither: {}.", neither.join(", "))].into_iter();
    ReportSection {
        title: "Coverage: what is recorded of them",
        columns: &[
            "record of the agent, client's count of calls",
            "runs",
            "share",
        ],
        rows: rows.to_vec(),
        notes: notes.filter(|_| !neither.is_empty()).collect(),
    }
}

pub(super) fn outcomes(report: &AuditReport) -> ReportSection {
    let rows = report.outcomes.iter().map(|it| {
        let (name, rate) = (it.outcome.label().to_owned(), it.rate);
        vec![
            name,
            number(rate.count),
            percent(rate.share),
            interval(rate),
        ]
    });
    let of_client =
        |it: &&OutcomeCount| matches!(it.outcome, RunOutcome::Error | RunOutcome::Limit);
    let of_client = || report.outcomes.iter().filter(of_client);
    let completed: u64 = of_client().map(|it| it.called_completed).sum();
    let failed: u64 = of_client().map(|it| it.rate.count).sum();
    let mut notes = vec![format!(
        "Lost, so that the caller certainly got no answer: {}.",
        share(report.lost)
    )];
    if completed > 0 {
        let [completed, failed] = [completed, failed].map(number);
        notes.push(format!(
            "The client called {completed} of these {failed} errors and limits completed."
        ));
    }
    if report.count(RunOutcome::NoEnd) > 0 {
        notes.push("No end recorded says nothing about what came back: it may be in a file that is not here.".to_owned());
    }
    ReportSection {
        title: "Outcome",
        columns: &["what came back", "runs", "share", "95 % interval"],
        rows: rows.collect(),
        notes,
    }
}

pub(super) fn cost(report: &AuditReport) -> ReportSection {
    let rows = report.outcomes.iter().map(|it| {
        vec![
            it.outcome.label().to_owned(),
            thousands(it.tokens, it.tokens_of),
            number(it.tokens_of),
            thousands(it.context_tokens, it.context_tokens_of),
            number(it.context_tokens_of),
            hours(it.seconds, it.seconds_of),
            number(it.seconds_of),
        ]
    });
    let note = "Tokens: of all messages, each once. Context: at the end, by the client. Neither contains the other. Each sum is over the runs in the column after it.";
    ReportSection {
        title: "Cost by outcome",
        columns: &["", "tokens", "runs", "context", "runs", "time", "runs"],
        rows: rows.collect(),
        notes: vec![note.to_owned()],
    }
}

pub(super) fn held(report: &AuditReport) -> Vec<ReportSection> {
    let mut checked = Vec::new();
    let mut claims = Vec::new();
    for profile in &report.held {
        let rate = profile.invalid;
        checked.push(vec![
            escape::truncated(&profile.profile).to_string(),
            format!("{} of {}", number(rate.count), number(rate.of)),
            percent(rate.share),
            interval(rate),
        ]);
        checked.extend(profile.rules.iter().map(|rule| {
            let share = percent(Rate::new(rule.returns, rate.of).share);
            let (name, returns) = (format!("  {}", rule.rule), number(rule.returns));
            vec![name, returns, share, String::new()]
        }));
        claims.extend(profile.claims.iter().map(|(rule, it)| {
            let counts = [it.shown, it.contradicted, it.unknown].map(number);
            [(*rule).to_owned()].into_iter().chain(counts).collect()
        }));
    }
    let covered = report.invalid.of;
    let others = report.count(RunOutcome::Returned).saturating_sub(covered);
    let mut notes = Vec::new();
    if others > 0 {
        let others = count(others, "return");
        notes.push(format!(
            "No profile covers the agents of {others}: it is only known that these say something."
        ));
    }
    if covered > 0 {
        notes.push(
            "Files, commits and the clock are not looked at: they are not as they were.".to_owned(),
        );
    }
    let checked = ReportSection {
        title: "Checked with the profile of the agent",
        columns: &[
            "profile, and rules that refuse returns",
            "returns",
            "invalid",
            "95 % interval",
        ],
        rows: checked,
        notes,
    };
    let claims = ReportSection {
        title: "Typed claims, by the record of the agent's calls",
        columns: &[
            "rule that a false claim breaks",
            "shown",
            "contradicted",
            "unknown",
        ],
        rows: claims,
        notes: Vec::new(),
    };
    let claims = Some(claims).filter(|it| !it.rows.is_empty());
    [checked].into_iter().chain(claims).collect()
}

pub(super) fn groups(report: &AuditReport) -> ReportSection {
    let groups = &report.groups;
    let rows = groups.rows.iter().map(|group| {
        let invalid = match group.invalid.of {
            0 => "-".to_owned(),
            of => format!("{} of {}", number(group.invalid.count), number(of)),
        };
        vec![
            recorded(group.name.as_deref()),
            number(group.runs),
            percent(group.returned.share),
            percent(group.lost.share),
            interval(group.lost),
            percent(group.no_end.share),
            invalid,
        ]
    });
    ReportSection {
        title: match groups.by {
            GroupBy::Agent => "By agent",
            GroupBy::Model => "By model",
            GroupBy::Client => "By client",
            GroupBy::Project => "By project",
        },
        columns: &[
            "",
            "runs",
            "returned",
            "lost",
            "95 % interval",
            "no end",
            "invalid",
        ],
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

/// A text of a transcript, if it has one.
pub(super) fn recorded(text: Option<&str>) -> String {
    text.map_or_else(
        || "(not recorded)".to_owned(),
        |text| escape::truncated(text).to_string(),
    )
}

/// A number with a unit, in the plural if it is not 1.
fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", self::number(number))
}

/// A number with commas.
pub(super) fn number(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", self::number(number / 1_000), number % 1_000),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// How many of how many, the share and its interval.
pub(super) fn share(rate: Rate) -> String {
    let (count, of) = (number(rate.count), number(rate.of));
    let (share, interval) = (percent(rate.share), interval(rate));
    format!("{count} of {of}, {share} ({interval})")
}

fn interval(rate: Rate) -> String {
    match rate.of {
        0 => "-".to_owned(),
        _ => format!("{:.1} to {:.1} %", rate.low * 100.0, rate.high * 100.0),
    }
}

/// A number of units with one digit after the point.
fn tenths(sum: u64, unit: u64) -> String {
    format!("{}.{}", number(sum / unit), sum % unit / (unit / 10))
}

/// A sum of tokens. `-` if it is a sum of nothing.
fn thousands(sum: u64, of: u64) -> String {
    match sum {
        _ if of == 0 => "-".to_owned(),
        0..10_000 => number(sum),
        10_000..1_000_000 => format!("{} k", number(sum / 1_000)),
        _ => format!("{} M", tenths(sum, 1_000_000)),
    }
}

fn hours(seconds: u64, of: u64) -> String {
    match seconds {
        _ if of == 0 => "-".to_owned(),
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        _ => format!("{} h", tenths(seconds, 3_600)),
    }
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => count(bytes, "byte"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", tenths(bytes, 1_000_000_000)),
    }
}

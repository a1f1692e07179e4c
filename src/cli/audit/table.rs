//! The parts of a report in words and numbers, in the same way for the text and the page. All texts are
//! safe to print.

use crate::audit::{AuditGroup, AuditReport, GroupBy, Groups, OutcomeCount, Rate, RunOutcome};
use crate::text::escape;

/// A part of a report: a title, a table, and sentences below it.
#[derive(Default)]
pub(super) struct ReportSection {
    pub(super) title: &'static str,
    /// The heads of the columns. The first column has names, the others have numbers.
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) notes: Vec<String>,
}

pub(super) fn sections(report: &AuditReport) -> Vec<ReportSection> {
    if report.runs == 0 {
        return Vec::new();
    }
    let mut sections = vec![coverage(report), outcomes(report), cost(report)];
    sections.extend(held(report));
    sections.push(groups(&report.groups));
    sections
}

/// What the whole report is about, in sentences: what was read, and what was left out.
pub(super) fn head(report: &AuditReport) -> Vec<String> {
    let sources = &report.sources;
    let mut clients = escape::list(&sources.clients);
    if clients.is_empty() {
        "no client".clone_into(&mut clients);
    }
    let mut lines = vec![format!(
        "{} in {} of {clients} ({})",
        count(report.runs, "delegation"),
        count(sources.transcripts, "transcript"),
        bytes(sources.bytes),
    )];
    if let (Some(first), Some(last)) = (&report.first, &report.last) {
        let [first, last] = [first, last].map(|time| time.get(..10).unwrap_or(time));
        let period = if first == last {
            format!(", of {first}")
        } else {
            format!(", {first} to {last}")
        };
        lines[0].push_str(&period);
    }
    if sources.records > report.runs + sources.left_out {
        lines.push(format!(
            "{} of agents are these runs: a caller's transcript and copies have the same run.",
            count(sources.records, "record")
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
        let why = escape::truncated(why);
        lines.push(format!("Not read: {} ({why}).", count(*files, "file")));
    }
    if sources.other_files > 0 {
        let files = count(sources.other_files, "file");
        lines.push(format!("Not a transcript of a known client: {files}."));
    }
    lines
}

pub(super) fn coverage(report: &AuditReport) -> ReportSection {
    let coverage = &report.coverage;
    let row = |name: &str, runs: u64| {
        let share = percent(Rate::new(runs, report.runs).share);
        vec![name.to_owned(), number(runs), share]
    };
    let neither = coverage.neither_by.iter();
    let neither = neither.map(|(outcome, runs)| format!("{} {}", number(*runs), outcome.label()));
    let neither: Vec<_> = neither.collect();
    let mut notes = Vec::new();
    if !neither.is_empty() {
        notes.push(format!("Neither: {}.", neither.join(", ")));
    }
    ReportSection {
        title: "Coverage: what is recorded of them",
        columns: vec![
            "record of the agent, client's count of calls",
            "runs",
            "share",
        ],
        rows: vec![
            row("both, with the same number of calls", coverage.equal),
            row("both, with different numbers", coverage.different),
            row("only the count", coverage.count_only),
            row("only the record", coverage.record_only),
            row("neither", coverage.neither),
        ],
        notes,
    }
}

pub(super) fn outcomes(report: &AuditReport) -> ReportSection {
    let rows = report.outcomes.iter().map(|it| {
        let rate = it.rate;
        let name = it.outcome.label().to_owned();
        vec![
            name,
            number(rate.count),
            percent(rate.share),
            interval(rate),
        ]
    });
    let in_place = |it: &&OutcomeCount| {
        matches!(it.outcome, RunOutcome::Error | RunOutcome::Limit) && it.rate.count > 0
    };
    let (mut failed, mut completed) = (0, 0);
    for it in report.outcomes.iter().filter(in_place) {
        failed += it.rate.count;
        completed += it.called_completed;
    }
    let mut notes = vec![format!(
        "Lost, so that the caller certainly got no answer: {}.",
        share(report.lost)
    )];
    if completed > 0 {
        notes.push(format!(
            "The client called {} of these {} errors and limits completed.",
            number(completed),
            number(failed),
        ));
    }
    if report.count(RunOutcome::NoEnd) > 0 {
        notes.push("No end recorded says nothing about what came back: it may be in a file that is not here.".to_owned());
    }
    ReportSection {
        title: "Outcome",
        columns: vec!["what came back", "runs", "share", "95 % interval"],
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
    ReportSection {
        title: "Cost by outcome",
        columns: vec!["", "tokens", "runs", "context", "runs", "time", "runs"],
        rows: rows.collect(),
        notes: vec![
            "Tokens: of all messages, each once. Context: at the end, by the client. Neither contains the other. Each sum is over the runs in the column after it."
                .to_owned(),
        ],
    }
}

pub(super) fn held(report: &AuditReport) -> Vec<ReportSection> {
    let returned = report.count(RunOutcome::Returned);
    let covered = report.invalid.of;
    let mut checked = ReportSection {
        title: "Checked with the profile of the agent",
        columns: vec![
            "profile, and rules that refuse returns",
            "returns",
            "invalid",
            "95 % interval",
        ],
        ..ReportSection::default()
    };
    let mut claims = ReportSection {
        title: "Typed claims, by the record of the agent's calls",
        columns: vec![
            "rule that a false claim breaks",
            "shown",
            "contradicted",
            "unknown",
        ],
        ..ReportSection::default()
    };
    for profile in &report.held {
        let rate = profile.invalid;
        checked.rows.push(vec![
            escape::truncated(&profile.profile).to_string(),
            format!("{} of {}", number(rate.count), number(rate.of)),
            percent(rate.share),
            interval(rate),
        ]);
        for rule in &profile.rules {
            checked.rows.push(vec![
                format!("  {}", rule.rule),
                number(rule.returns),
                percent(Rate::new(rule.returns, rate.of).share),
                String::new(),
            ]);
        }
        for (rule, count) in &profile.claims {
            claims.rows.push(vec![
                (*rule).to_owned(),
                number(count.shown),
                number(count.contradicted),
                number(count.unknown),
            ]);
        }
    }
    let others = returned.saturating_sub(covered);
    if others > 0 {
        checked.notes.push(format!(
            "No profile covers the agents of {}: it is only known that these say something.",
            count(others, "return")
        ));
    }
    if covered > 0 {
        checked.notes.push(
            "Files, commits and the clock are not looked at: they are not as they were.".to_owned(),
        );
    }
    let mut sections = vec![checked];
    sections.extend(Some(claims).filter(|it| !it.rows.is_empty()));
    sections
}

pub(super) fn groups(groups: &Groups) -> ReportSection {
    let row = |group: &AuditGroup| {
        let invalid = match group.invalid.of {
            0 => "-".to_owned(),
            of => format!("{} of {}", number(group.invalid.count), number(of)),
        };
        let name = match &group.name {
            Some(name) => escape::truncated(name).to_string(),
            None => "(not recorded)".to_owned(),
        };
        vec![
            name,
            number(group.runs),
            percent(group.returned.share),
            percent(group.lost.share),
            interval(group.lost),
            percent(group.no_end.share),
            invalid,
        ]
    };
    ReportSection {
        title: match groups.by {
            GroupBy::Agent => "By agent",
            GroupBy::Model => "By model",
            GroupBy::Client => "By client",
            GroupBy::Project => "By project",
        },
        columns: vec![
            "",
            "runs",
            "returned",
            "lost",
            "95 % interval",
            "no end",
            "invalid",
        ],
        rows: groups.rows.iter().map(row).collect(),
        notes: Vec::new(),
    }
}

/// A number with a unit, in the plural if it is not 1.
pub(super) fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", self::number(number))
}

/// A number with commas.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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

/// A sum of tokens. `-` if it is a sum of nothing.
fn thousands(sum: u64, of: u64) -> String {
    match sum {
        _ if of == 0 => "-".to_owned(),
        0..10_000 => number(sum),
        10_000..1_000_000 => format!("{} k", number(sum / 1_000)),
        _ => format!(
            "{}.{} M",
            number(sum / 1_000_000),
            sum % 1_000_000 / 100_000
        ),
    }
}

fn hours(seconds: u64, of: u64) -> String {
    match seconds {
        _ if of == 0 => "-".to_owned(),
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        _ => format!("{}.{} h", number(seconds / 3_600), seconds % 3_600 / 360),
    }
}

fn bytes(bytes: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit / (unit / 10));
    match bytes {
        0..1_000 => count(bytes, "byte"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{} GB", tenths(1_000_000_000)),
    }
}
